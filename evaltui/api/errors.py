"""The error of the Python API."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from evaltui.document.errors import DocumentError
from evaltui.printable import printable
from evaltui.recordings.conversation import RecordingError
from evaltui.scoring.criteria import CriteriaError


class EvaltuiError(ValueError):
    """An input cannot be used. The message is the sentence that the command line prints for it."""


@contextmanager
def refusals() -> Iterator[None]:
    """Raise errors about inputs as `EvaltuiError`."""
    try:
        yield
    except (DocumentError, RecordingError, CriteriaError) as error:
        raise EvaltuiError(printable(str(error))) from None

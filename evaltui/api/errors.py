"""The error of the Python API."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from evaltui.document.errors import DocumentError
from evaltui.printable import printable
from evaltui.recordings.conversation import RecordingError
from evaltui.scoring.criteria import CriteriaError

_ADVICE = {
    "; load it as a recording with -r": "; give it as one of the recordings",
    "; give it with --config": "; give it as config",
    "; name it with -r": "; name it as one of the recordings",
}
"""The ends of sentences that name an option of the command line, in words of the API."""
_OF_FOLDER = (
    "; to use the responses of an eval set, give its file: ",
    "; to use a session database, give its file: ",
    "; to use it, give its file: ",
)
"""What sentences about a folder have before an option and a file."""


class EvaltuiError(ValueError):
    """An input cannot be used. The message is the sentence of the command line, with parameters in place of options."""


@contextmanager
def refusals() -> Iterator[None]:
    """Raise errors about inputs as `EvaltuiError`."""
    try:
        yield
    except (DocumentError, RecordingError, CriteriaError) as error:
        raise EvaltuiError(without_options(str(error))) from None


def without_options(sentence: str) -> str:
    """A sentence of the command line, safe to show, with advice for callers of the API."""
    text = printable(sentence)
    for advice, ours in _ADVICE.items():
        if text.endswith(advice):
            return text.removesuffix(advice) + ours
    for advice in _OF_FOLDER:
        text = text.replace(f"{advice}-r ", advice)
    return text

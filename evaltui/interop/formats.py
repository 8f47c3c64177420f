"""All formats of conversion, and which of them a document has."""

from __future__ import annotations

from evaltui.interop.ces.ces_format import CES
from evaltui.interop.eval_sets.eval_set_format import EVAL_SET
from evaltui.interop.format_type import FormatType

FORMATS: tuple[FormatType, ...] = (EVAL_SET, CES)
"""In the order in which tables and help list them."""


def format_to_write(option: str) -> FormatType | None:
    """The format that `--to` names; None for a word that names none."""
    return next((each for each in FORMATS if each.option == option and each.write is not None), None)

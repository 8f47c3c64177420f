"""The lines that Rich has cut to fit: it keeps the last 16,384 with wide characters, each whole."""

from __future__ import annotations

from rich.segment import Segment

_LONG = 500
"""Characters from which on a line is worth forgetting: 16,384 such lines are 8 MB, more with wide characters."""


def forget_cut_lines(text: str) -> None:
    """Free the earlier states of a text that has just changed, if it is long.

    Without this, each key typed into a line of 18,000 characters keeps another 18 kB, up to 300 MB.
    """
    if len(text) > _LONG:
        Segment._split_cells.cache_clear()

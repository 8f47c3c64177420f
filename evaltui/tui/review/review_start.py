"""The review that the command line asks for."""

from __future__ import annotations

from typing import NamedTuple


class ReviewStart(NamedTuple):
    """The turns that are reviewed."""

    ids: tuple[str, ...] = ()
    """Ids of cases or globs of ids; none for all cases."""
    is_first: bool = False
    """Whether evaltui begins in the review, so that no editor is behind it."""
    passing: bool = False
    """Whether turns that pass and differ are reviewed, too."""


ALL_FAILING = ReviewStart()

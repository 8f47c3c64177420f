"""Long texts folded around their differences."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from evaltui.review.text_difference import TextRun
from evaltui.review.text_words import split_words

_AROUND = 12
"""The number of words of a long shared run that are shown next to a difference."""


class TextFold(NamedTuple):
    """A part of a shared run that is not shown."""

    hidden: str
    words: int
    """The number of its words."""
    run: int
    """The index of its run, the same on both sides."""


def folded(runs: Sequence[TextRun], around: int = _AROUND, opened: Collection[int] = ()) -> list[TextRun | TextFold]:
    """The runs of one side with the middle of long shared ones folded; the other side gets the same folds.

    `around` words are shown next to a difference. `opened` are the places of runs that are shown whole.
    """
    pieces: list[TextRun | TextFold] = []
    for place, run in enumerate(runs):
        is_foldable = run.is_shared and place not in opened
        pieces += _folded(run, place, len(runs), around) if is_foldable else [run]
    return pieces


def _folded(run: TextRun, place: int, count: int, around: int) -> list[TextRun | TextFold]:
    """A shared run at a `place` among `count` runs, folded if more than `around` words are hidden then.

    Of the text before the first difference the end is shown, of the text behind the last one the beginning. Where
    nothing differs, the beginning of the text is shown.
    """
    split = split_words(run.text)
    shows_head, shows_tail = place > 0 or count == 1, place < count - 1
    hidden = len(split.words) - around * (shows_head + shows_tail)
    if hidden <= around:
        return [run]
    edges = split.edges()
    start = edges[2 * around + 1] if shows_head else 0
    stop = edges[-2 * around - 1] if shows_tail else len(run.text)
    head, tail = (TextRun(text, is_shared=True) for text in (run.text[:start], run.text[stop:]))
    fold = TextFold(run.text[start:stop], hidden, place)
    return [*([head] if head.text else []), fold, *([tail] if tail.text else [])]

"""The difference of two texts by word, and long texts folded around what differs, for a screen with both sides."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from evaltui.document.diff.sequence_diff import DifferingRun, differing_runs
from evaltui.review.text_tokens import is_word, tokens_of
from evaltui.review.token_matches import differing_tokens

_AROUND = 12
"""Words that are shown of a long shared run on each side of a difference."""
_OUTWEIGHED = 4
"""A shared run counts as differing if what differs on both sides of it has this many times its letters.

So few words are shared by chance, and marking them as shared makes neither text easier to read.
"""


class TextRun(NamedTuple):
    """A part of one text."""

    text: str
    """"" where only the other text has something."""
    is_shared: bool
    """Whether the other text has the same."""


class TextDifference(NamedTuple):
    """Two texts in runs. The sides have as many runs, and those at one place belong together.

    Shared and differing runs alternate. A shared run is the same on both sides and never empty.
    """

    expected: tuple[TextRun, ...]
    actual: tuple[TextRun, ...]


class TextFold(NamedTuple):
    """A part of a shared run that is not shown."""

    hidden: str
    words: int
    """The number of its words."""
    run: int
    """The place of its run, the same on both sides, from 0."""


def text_difference(expected: str, actual: str) -> TextDifference:
    """The difference of two texts by word.

    A shared run without words, or one of few letters between long differing ones, counts as differing.
    """
    if expected == actual:
        whole = (TextRun(expected, is_shared=True),) if expected else ()
        return TextDifference(whole, whole)
    ours, theirs = tokens_of(expected), tokens_of(actual)
    numbers: dict[str, int] = {}
    of_ours, of_theirs = ([numbers.setdefault(token, len(numbers)) for token in side] for side in (ours, theirs))
    words = [is_word(token) for token in numbers]
    letters = [len(token) if counts else 0 for token, counts in zip(numbers, words, strict=True)]
    runs = differing_runs(of_ours, of_theirs, match=differing_tokens)
    joined = _Joined([letters[token] for token in of_ours], [letters[token] for token in of_theirs]).of(runs)
    return TextDifference(
        tuple(_side(ours, [(run.start, run.stop) for run in joined])),
        tuple(_side(theirs, [(run.new_start, run.new_stop) for run in joined])),
    )


class _Joined:
    """Joins differing runs with no more between them than reads as shared by chance."""

    def __init__(self, ours: list[int], theirs: list[int]) -> None:
        """`ours` and `theirs` are the numbers of letters of the tokens of both sides, 0 of blanks and punctuation."""
        self._ours, self._theirs = ours, theirs

    def of(self, runs: Sequence[DifferingRun]) -> list[DifferingRun]:
        """The runs, those that belong together in one."""
        joined: list[DifferingRun] = []
        weight = 0
        """Letters that differ in the last one of `joined`."""
        for run in runs:
            added = self._weight(run)
            last = joined[-1] if joined else None
            if last is not None and self._belong_together(last, weight, run, added):
                joined[-1] = DifferingRun(last.start, run.stop, last.new_start, run.new_stop)
                weight += added
            else:
                joined.append(run)
                weight = added
        return joined

    def _weight(self, run: DifferingRun) -> int:
        return max(sum(self._ours[run.start : run.stop]), sum(self._theirs[run.new_start : run.new_stop]))

    def _belong_together(self, last: DifferingRun, weight: int, run: DifferingRun, added: int) -> bool:
        between = sum(self._ours[last.stop : run.start])
        return between * _OUTWEIGHED <= min(weight, added)


def _side(tokens: Sequence[str], differing: Sequence[tuple[int, int]]) -> Iterator[TextRun]:
    """The runs of one side, given the places of its differing tokens."""
    at = 0
    for start, stop in differing:
        if at < start:
            yield TextRun("".join(tokens[at:start]), is_shared=True)
        yield TextRun("".join(tokens[start:stop]), is_shared=False)
        at = stop
    if at < len(tokens):
        yield TextRun("".join(tokens[at:]), is_shared=True)


def folded(runs: Sequence[TextRun], around: int = _AROUND, opened: Collection[int] = ()) -> list[TextRun | TextFold]:
    """The runs of one side with the middle of long shared ones folded; the other side gets the same folds.

    `around` words are kept on each side of a difference. `opened` are the places of runs that are shown whole.
    """
    shown: list[TextRun | TextFold] = []
    for place, run in enumerate(runs):
        is_foldable = run.is_shared and place not in opened
        shown += _folded(run, place, len(runs), around) if is_foldable else [run]
    return shown


def _folded(run: TextRun, place: int, count: int, around: int) -> list[TextRun | TextFold]:
    """A shared run at a `place` among `count` runs, folded if that hides more words than it keeps on one side.

    Before the first difference only the end of the text is kept, behind the last one its beginning; of a text in which
    nothing differs, the beginning.
    """
    tokens = tokens_of(run.text)
    words = [at for at, token in enumerate(tokens) if is_word(token)]
    keeps_head, keeps_tail = place > 0 or count == 1, place < count - 1
    hidden = len(words) - around * (keeps_head + keeps_tail)
    if hidden <= around:
        return [run]
    start = words[around] if keeps_head else 0
    stop = words[-around - 1] + 1 if keeps_tail else len(tokens)
    fold = TextFold("".join(tokens[start:stop]), hidden, place)
    head, tail = (TextRun("".join(each), is_shared=True) for each in (tokens[:start], tokens[stop:]))
    return [*([head] if head.text else []), fold, *([tail] if tail.text else [])]

"""The difference of two texts, word by word, for a screen with both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from evaltui.document.sequence_diff import DifferingRun, differing_runs, shared_from, shared_length
from evaltui.garbage_collection import without_collecting
from evaltui.review.text_words import SplitText, split_words
from evaltui.review.word_matches import differing_words

_OUTWEIGHED = 4
"""A shared run counts as differing if the differing runs around it have this many times its letters."""


class TextRun(NamedTuple):
    """A part of one text."""

    text: str
    """"" where only the other text has something."""
    is_shared: bool
    """Whether the other text has the same."""


class TextDifference(NamedTuple):
    """Two texts in runs. Both sides have the same number of runs, and runs with one index belong together.

    Shared and differing runs alternate. A shared run is the same on both sides and never empty.
    """

    expected: tuple[TextRun, ...]
    actual: tuple[TextRun, ...]


class _Stretch(NamedTuple):
    """A stretch in which two texts differ."""

    words: DifferingRun
    """Its words on both sides; there may be none, where only blanks or punctuation differ."""
    places: DifferingRun
    """Its characters on both sides."""


def text_difference(expected: str, actual: str) -> TextDifference:
    """The difference of two texts by word.

    Blanks and punctuation are shared only next to a shared word; of two texts without words, at both ends. A shared
    word of few letters between long differing ones counts as differing.
    """
    if expected == actual:
        runs = (TextRun(expected, is_shared=True),) if expected else ()
        return TextDifference(runs, runs)
    with without_collecting():
        expected_words, actual_words = split_words(expected), split_words(actual)
        places = [
            stretch.places
            for stretch in _joined(expected_words, actual_words, _stretches(expected_words, actual_words))
        ]
        return TextDifference(
            tuple(_runs(expected, [(place.start, place.stop) for place in places])),
            tuple(_runs(actual, [(place.new_start, place.new_stop) for place in places])),
        )


def _stretches(expected: SplitText, actual: SplitText) -> Iterator[_Stretch]:
    """The stretches in which two texts differ; there is a shared word between any two of them."""
    edges, new_edges = expected.edges(), actual.edges()
    for run in _gaps(expected, actual):
        head = shared_length(expected.separators[run.start], actual.separators[run.new_start])
        start, new_start = edges[2 * run.start] + head, new_edges[2 * run.new_start] + head
        stop, new_stop = edges[2 * run.stop + 1], new_edges[2 * run.new_stop + 1]
        tail = shared_length(expected.separators[run.stop][::-1], actual.separators[run.new_stop][::-1])
        tail = min(tail, stop - start, new_stop - new_start)
        places = DifferingRun(start, stop - tail, new_start, new_stop - tail)
        if places.start < places.stop or places.new_start < places.new_stop:
            yield _Stretch(run, places)


def _gaps(expected: SplitText, actual: SplitText) -> Iterator[DifferingRun]:
    """The runs of words that differ. A run is empty if only separators differ."""
    numbers = {word: number for number, word in enumerate(dict.fromkeys(chain(expected.words, actual.words)))}
    expected_numbers, actual_numbers = ([*map(numbers.__getitem__, side.words)] for side in (expected, actual))
    runs = differing_runs(expected_numbers, actual_numbers, match=differing_words)
    start, new_start = 0, 0
    """The first separators not looked at."""
    for run in (
        *runs,
        DifferingRun(
            len(expected_numbers) + 1, len(expected_numbers) + 1, len(actual_numbers) + 1, len(actual_numbers) + 1
        ),
    ):
        while start < run.start:
            same = shared_from(expected.separators, actual.separators, start, new_start, run.start - start)
            start, new_start = start + same, new_start + same
            if start < run.start:
                yield DifferingRun(start, start, new_start, new_start)
                start, new_start = start + 1, new_start + 1
        if run.stop <= len(expected_numbers):
            yield run
        start, new_start = run.stop + 1, run.new_stop + 1


def _joined(expected: SplitText, actual: SplitText, stretches: Iterator[_Stretch]) -> list[_Stretch]:
    """Join stretches if the shared words between them are so few that they match by chance."""
    joined: list[_Stretch] = []
    weight = 0
    """Letters of the words in the last one of `joined`."""
    for stretch in stretches:
        run = stretch.words
        added = max(
            _letters(expected.words[run.start : run.stop]), _letters(actual.words[run.new_start : run.new_stop])
        )
        between = _letters(expected.words[joined[-1].words.stop : run.start]) if joined and weight and added else 0
        # So short a run is shared by chance. Marking it as shared makes neither text easier to read.
        if 0 < _OUTWEIGHED * between <= min(weight, added):
            last = joined[-1]
            joined[-1] = _Stretch(_spanning(last.words, run), _spanning(last.places, stretch.places))
            weight += added
        else:
            joined.append(stretch)
            weight = added
    return joined


def _letters(words: Sequence[str]) -> int:
    return sum(map(len, words))


def _spanning(first: DifferingRun, last: DifferingRun) -> DifferingRun:
    return DifferingRun(first.start, last.stop, first.new_start, last.new_stop)


def _runs(text: str, differing: Sequence[tuple[int, int]]) -> Iterator[TextRun]:
    """The runs of one side, given the stretches in which it differs."""
    end = 0
    for start, stop in differing:
        if end < start:
            yield TextRun(text[end:start], is_shared=True)
        yield TextRun(text[start:stop], is_shared=False)
        end = stop
    if end < len(text):
        yield TextRun(text[end:], is_shared=True)

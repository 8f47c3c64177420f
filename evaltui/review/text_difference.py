"""The difference of two texts, word by word, for a screen with both sides."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, pairwise

from evaltui.document.sequence_diff import DifferingRun, differing_runs, shared_from, shared_length
from evaltui.garbage_collection import without_collecting
from evaltui.scoring.call_alignment import common_subsequence
from evaltui.scoring.words import TextRun, unspaced_word

_IN_ASCII = re.compile(r"(\w+)")
_IN_CLASSES = re.compile("(w[wmj]*|a[mj]*|e(?:[mj]|(?<=j)e)*|ff?)")
"""A word, in a text whose characters are replaced by their classes (`_Classes`)."""
_OUTWEIGHED = 4
"""A shared run counts as differing if the differing runs around it have this many times its letters."""

_WINDOW = 512
"""The most words of a side that are aligned at once. Text that moved further counts as different."""
_HALF = _WINDOW // 2

_Stretch = tuple[DifferingRun, DifferingRun]
"""A stretch in which two texts differ: its words, maybe none, and its characters on both sides."""


TextDifference = tuple[tuple[TextRun, ...], tuple[TextRun, ...]]
"""The expected and the actual text in runs. Both have the same number of runs, and runs with one index belong together.

Shared and differing runs alternate. A shared run is the same on both sides and never empty. A differing run is empty
where only the other text has something.
"""


def text_difference(expected: str, actual: str) -> TextDifference:
    """The difference of two texts by word.

    Blanks and punctuation are shared only next to a shared word; of two texts without words, at both ends. A shared
    word of few letters between long differing ones counts as differing.
    """
    if expected == actual:
        runs = ((expected, True),) if expected else ()
        return runs, runs
    with without_collecting():
        expected_parts, actual_parts = split_words(expected), split_words(actual)
        stretches = _stretches(expected_parts, actual_parts)
        joined = _joined(expected_parts[1::2], actual_parts[1::2], stretches)
        return (
            tuple(_runs(expected, [place for _, (place, _) in joined])),
            tuple(_runs(actual, [place for _, (_, place) in joined])),
        )


def _stretches(expected: Sequence[str], actual: Sequence[str]) -> Iterator[_Stretch]:
    """The stretches in which two split texts differ; there is a shared word between any two of them."""
    edges, new_edges = _edges(expected), _edges(actual)
    for words, new_words in _gaps(expected, actual):
        head = shared_length(expected[2 * words.start], actual[2 * new_words.start])
        start, new_start = edges[2 * words.start] + head, new_edges[2 * new_words.start] + head
        stop, new_stop = edges[2 * words.stop + 1], new_edges[2 * new_words.stop + 1]
        tail = shared_length(expected[2 * words.stop][::-1], actual[2 * new_words.stop][::-1])
        tail = min(tail, stop - start, new_stop - new_start)
        if start < stop - tail or new_start < new_stop - tail:
            yield (words, new_words), (slice(start, stop - tail), slice(new_start, new_stop - tail))


def _gaps(expected: Sequence[str], actual: Sequence[str]) -> Iterator[DifferingRun]:
    """The runs of words that differ. A run is empty if only separators differ."""
    separators, new_separators = expected[0::2], actual[0::2]
    numbers = {word: number for number, word in enumerate(dict.fromkeys(chain(expected[1::2], actual[1::2])))}
    expected_numbers, actual_numbers = ([*map(numbers.__getitem__, side[1::2])] for side in (expected, actual))
    runs = differing_runs(expected_numbers, actual_numbers, match=_differing_words)
    start, new_start = 0, 0
    """The first separators not looked at."""
    beyond, new_beyond = len(expected_numbers) + 1, len(actual_numbers) + 1
    for words, new_words in (*runs, (slice(beyond, beyond), slice(new_beyond, new_beyond))):
        while start < words.start:
            same = shared_from(separators, new_separators, start, new_start, words.start - start)
            start, new_start = start + same, new_start + same
            if start < words.start:
                yield slice(start, start), slice(new_start, new_start)
                start, new_start = start + 1, new_start + 1
        if words.start < beyond:
            yield words, new_words
        start, new_start = words.stop + 1, new_words.stop + 1


def _joined(expected: Sequence[str], actual: Sequence[str], stretches: Iterator[_Stretch]) -> list[_Stretch]:
    """Join stretches if the shared words between them are so few that they match by chance."""
    joined: list[_Stretch] = []
    weight = 0
    """Letters of the words in the last one of `joined`."""
    for run, places in stretches:
        words, new_words = run
        added = max(_letters(expected[words]), _letters(actual[new_words]))
        between = _letters(expected[joined[-1][0][0].stop : words.start]) if joined and weight and added else 0
        # So short a run is shared by chance. Marking it as shared makes neither text easier to read.
        if 0 < _OUTWEIGHED * between <= min(weight, added):
            last_run, last_places = joined[-1]
            joined[-1] = _spanning(last_run, run), _spanning(last_places, places)
            weight += added
        else:
            joined.append((run, places))
            weight = added
    return joined


def _letters(words: Sequence[str]) -> int:
    return sum(map(len, words))


def _spanning(first: DifferingRun, last: DifferingRun) -> DifferingRun:
    return slice(first[0].start, last[0].stop), slice(first[1].start, last[1].stop)


def _runs(text: str, differing: Sequence[slice]) -> Iterator[TextRun]:
    """The runs of one side, given the stretches in which it differs."""
    end = 0
    for place in differing:
        if end < place.start:
            yield (text[end : place.start], True)
        yield (text[place], False)
        end = place.stop
    if end < len(text):
        yield (text[end:], True)


def folded(runs: Sequence[TextRun], around: int) -> list[tuple[TextRun, int]]:
    """The runs of one side, the middle of long shared ones apart: a fold, with the number of words that it hides.

    The other side gets the same folds; other runs have 0. `around` words are shown next to a difference, and a fold
    hides more. Where nothing differs, the beginning of the text is shown.
    """
    pieces: list[tuple[TextRun, int]] = []
    for index, (text, is_shared) in enumerate(runs):
        parts = split_words(text) if is_shared else []
        shows_head, shows_tail = index > 0 or len(runs) == 1, index < len(runs) - 1
        count = len(parts) // 2 - around * (shows_head + shows_tail)
        if count <= around:
            pieces.append(((text, is_shared), 0))
            continue
        edges = _edges(parts)
        start = edges[2 * around + 1] if shows_head else 0
        stop = edges[-2 * around - 1] if shows_tail else len(text)
        for part, hidden in ((text[:start], 0), (text[start:stop], count), (text[stop:], 0)):
            pieces += [((part, True), hidden)] if part else []
    return pieces


# --- words -----------------------------------------------------------------------------------------------------------


class _Classes(dict[int, str]):
    """The class of each character, made on first use: all of Unicode would take 0.2 s."""

    def __missing__(self, code: int) -> str:
        self[code] = char_class = _class_of(chr(code))
        return char_class


def _class_of(char: str) -> str:
    """w part of a word, a word alone, m mark, j joiner, e emoji, f half of a flag, p space or punctuation."""
    if char in "\u200c\u200d":
        return "j"
    category = unicodedata.category(char)
    if category.startswith("M") or "\U0001f3fb" <= char <= "\U0001f3ff":  # tones of skin
        return "m"
    if unspaced_word(char):
        return "a"
    if "\U0001f1e6" <= char <= "\U0001f1ff":
        return "f"
    if category == "So" and char >= "\u2600":  # symbols before draw boxes and tables
        return "e"
    return "w" if char.isalnum() or char == "_" else "p"


_CLASSES = _Classes()


def split_words(text: str) -> list[str]:
    """Split a text: the spaces and punctuation before each word, the word, and so on; those after the last word.

    Words of languages without blanks are characters or clusters, as `response_match_score` counts them. Marks stay with
    their letter, and the parts of an emoji with each other.
    """
    if text.isascii():
        return _IN_ASCII.split(text)
    return [text[start:stop] for start, stop in pairwise(_edges(_IN_CLASSES.split(text.translate(_CLASSES))))]


def _edges(parts: Sequence[str]) -> list[int]:
    """The offsets of the parts of a split text, and of its end."""
    return [*accumulate(map(len, parts), initial=0)]


def _differing_words(old: Sequence[int], new: Sequence[int]) -> list[DifferingRun]:
    """The runs in which two lists of word numbers without landmarks differ, in linear time."""
    runs: list[DifferingRun] = []
    end, new_end = 0, 0
    for place, new_place, count in (*_shared_stretches(old, new), (len(old), len(new), 0)):
        if end < place or new_end < new_place:
            runs.append((slice(end, place), slice(new_end, new_place)))
        end, new_end = place + count, new_place + count
    return runs


def _shared_stretches(old: Sequence[int], new: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """The stretches of shared words, in order: index in both lists, and length."""
    start, new_start, size = 0, 0, _WINDOW
    while start < len(old) and new_start < len(new):
        old_window, new_window = old[start : start + size], new[new_start : new_start + size]
        if (same := shared_length(old_window, new_window)) > _HALF:
            yield start, new_start, same
            step, size = (same, same), 2 * size
        else:
            size = _WINDOW
            pairs = common_subsequence(old_window[:size], new_window[:size])
            is_last = start + size >= len(old) and new_start + size >= len(new)
            pairs, step = (pairs, (size, size)) if is_last else _certain(pairs)
            yield from ((start + offset, new_start + new_offset, 1) for offset, new_offset in pairs)
        start, new_start = start + step[0], new_start + step[1]


def _certain(pairs: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """The pairs of a window that later words cannot improve, and the start of the next window."""
    certain = [pair for pair in pairs if min(pair) < _HALF]
    if len(certain) < len(pairs):
        return certain, pairs[len(certain)]
    last, new_last = certain[-1] if certain else (-1, -1)
    return certain, (max(last + 1, _HALF), max(new_last + 1, _HALF))

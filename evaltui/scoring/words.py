"""The words of a text as `response_match_score` compares them, and the comparison of two texts.

The rules are those of `_UnicodeAwareTokenizer` in google.adk.evaluation.final_response_match_v1 (google-adk 2.6 and
later) and of rouge_score's tokenizer, which it calls for words in ASCII.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from evaltui.scoring.porter import stem

_ALONE = ((0x4E00, 0x9FFF), (0x3040, 0x309F), (0x30A0, 0x30FF), (0xAC00, 0xD7AF))
"""Han, Hiragana, Katakana and Hangul: each character is a word."""
_CLUSTERED = ((0x0E00, 0x0E7F), (0x0E80, 0x0EFF), (0x1780, 0x17FF), (0x1000, 0x109F))
"""Thai, Lao, Khmer and Burmese, which are written without spaces: each letter with its marks is a word."""

_ASCII_WORDS = re.compile("[a-z0-9]+")


def words_of(text: str) -> list[str]:
    """The words of a text in order, in lower case and not yet stemmed."""
    if text.isascii():
        return _ASCII_WORDS.findall(text.lower())
    return unicodedata.normalize("NFKC", text).lower().translate(_SPACED).split()


@lru_cache(maxsize=1 << 16)
def compared(word: str) -> str:
    """The compared part of a word: its stem if the word is in ASCII and longer than three letters, else the word."""
    return stem(word) if len(word) > 3 and word.isascii() else word


def is_word_alone(char: str) -> bool:
    """Whether a character is a word by itself, as in Chinese, Japanese and Korean."""
    return any(first <= ord(char) <= last for first, last in _ALONE)


def begins_cluster(char: str) -> bool:
    """Whether a character of Thai, Lao, Khmer or Burmese begins a word. Never called for marks."""
    return any(first <= ord(char) <= last for first, last in _CLUSTERED)


class _Spaced(dict[int, str]):
    """Translation table: a character becomes itself, itself between spaces, or a space. Filled on first use."""

    def __missing__(self, code: int) -> str:
        self[code] = found = _spaced(chr(code))
        return found


def _spaced(char: str) -> str:
    is_mark = unicodedata.category(char).startswith("M")
    if is_word_alone(char):
        return f" {char} "
    if begins_cluster(char):
        return char if is_mark else f" {char}"
    return char if is_mark or char.isalnum() else " "


_SPACED = _Spaced()


_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {
    **{name: value for value, name in enumerate(_UNITS)},
    **{name: 10 * value for value, name in enumerate(_TENS, 2)},
}


class Overlap(NamedTuple):
    """The overlap of two texts; 0.0 throughout where either has no words."""

    precision: float
    """The share of the actual words that are expected."""
    recall: float
    """The share of the expected words that the actual text has."""
    f_measure: float
    """The harmonic mean of both."""


def overlap_of(shared: int, expected: int, actual: int) -> Overlap:
    """The overlap of two texts, given their numbers of words and of shared words."""
    precision, recall = shared / max(actual, 1), shared / max(expected, 1)
    both = precision + recall
    return Overlap(precision, recall, 2 * precision * recall / both if both > 0 else 0.0)


class Word(NamedTuple):
    """A word of one text."""

    text: str
    """In lower case, before stemming."""
    is_shared: bool


class WordsCompared(NamedTuple):
    """The words of the expected and the actual response, each in the order of its text."""

    expected: tuple[Word, ...]
    actual: tuple[Word, ...]
    score: float
    precision: float
    recall: float
    note: str | None = None
    """A sentence without its full stop, if the difference of the texts is hard to see."""

    @property
    def shared(self) -> list[str]:
        """The words that both texts have, as often as both have them."""
        return [word.text for word in self.expected if word.is_shared]

    @property
    def missing(self) -> list[str]:
        """The words that the expected text has and the actual text lacks, as often as it lacks them."""
        return [word.text for word in self.expected if not word.is_shared]

    @property
    def added(self) -> list[str]:
        """The words that the actual text has beyond the expected text, as often as it has them more."""
        return [word.text for word in self.actual if not word.is_shared]

    def to_json(self) -> dict[str, Any]:
        """The comparison for JSON reports."""
        shown = {"precision": self.precision, "recall": self.recall}
        words = {"shared": self.shared, "missing": self.missing, "added": self.added}
        return {**shown, **words, **({"note": self.note} if self.note else {})}


def compare_words(expected: str, actual: str) -> WordsCompared:
    """The words of two texts as `response_match_score` compares them."""
    ours, theirs = words_of(expected), words_of(actual)
    of_ours, of_theirs = [*map(compared, ours)], [*map(compared, theirs)]
    marked, of_actual = _marked(ours, of_ours, Counter(of_theirs)), _marked(theirs, of_theirs, Counter(of_ours))
    found = overlap_of(sum(word.is_shared for word in marked), len(ours), len(theirs))
    note = _note(expected, actual, marked, of_actual)
    return WordsCompared(marked, of_actual, found.f_measure, found.precision, found.recall, note)


def _marked(words: Sequence[str], keys: Sequence[str], there: Counter[str]) -> tuple[Word, ...]:
    """Mark each word as shared or not. If the other text has it fewer times, the first occurrences are shared."""
    marked = []
    for word, key in zip(words, keys, strict=True):
        is_shared = there[key] > 0
        there[key] -= is_shared
        marked.append(Word(word, is_shared))
    return tuple(marked)


def _note(expected: str, actual: str, ours: Sequence[Word], theirs: Sequence[Word]) -> str | None:
    if expected == actual or not ours or not theirs:
        return None
    missing = [word.text for word in ours if not word.is_shared]
    added = [word.text for word in theirs if not word.is_shared]
    if missing or added:
        return next((said for said, normal in _SAME_BUT_FOR.items() if normal(missing) == normal(added)), None)
    if ours == theirs:
        return "the texts differ only in case, punctuation or spaces, which the metric ignores"
    if sorted(ours) == sorted(theirs):
        return "the texts have the same words in another order; the metric ignores the order"
    return "the texts differ only in word endings, which the metric ignores"


def _without_numbers(words: list[str]) -> list[str]:
    return [word for word in words if not word.isdigit()]


def _joined(words: list[str]) -> str:
    return "".join(char for word in words for char in word if char.isalnum())


def _without_accents(words: list[str]) -> str:
    spread = unicodedata.normalize("NFD", " ".join(words))
    return "".join(char for char in spread if not unicodedata.category(char).startswith("M"))


def numbers_in_digits(words: list[str]) -> list[str]:
    """The words with numbers from zero to ninety-nine in digits (twenty one → 21) and groups of digits joined."""
    found: list[list[str]] = []
    """The groups of digits of each word."""
    for place, word in enumerate(words):
        before = words[place - 1] if place else ""
        if before in _TENS and 0 < _VALUES.get(word, 0) < 10:
            found[-1] = [str(_VALUES[before] + _VALUES[word])]
        elif len(word) == 3 and word.isdigit() and before.isdigit() and len(before) <= 3:
            found[-1].append(word)
        else:
            found.append([str(_VALUES[word]) if word in _VALUES else word])
    return ["".join(groups) for groups in found]


_SAME_BUT_FOR: dict[str, Callable[[list[str]], object]] = {
    "the texts differ only in how numbers are written": numbers_in_digits,
    "the texts differ only in punctuation or spaces inside words; the metric treats these as different words": _joined,
    "the texts differ only in accents; the metric treats these as different words": _without_accents,
    "the texts differ only in numbers": _without_numbers,
}
"""Notes, each with a function that makes missing and added words equal if the note is true."""

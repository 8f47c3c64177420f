"""Which words two texts share, which are missing and which are added."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from evaltui.scoring.metrics import adk_rs
from evaltui.scoring.metrics.response_match import overlap_of
from evaltui.scoring.spelt_numbers import numbers_in_digits
from evaltui.scoring.tokenizer import compared, words_of


class Word(NamedTuple):
    """A word of one text."""

    text: str
    """In lower case, as it is before stemming."""
    is_shared: bool


class WordsCompared(NamedTuple):
    """The words of the expected and the actual response, each in the order of its text."""

    expected: tuple[Word, ...]
    actual: tuple[Word, ...]
    score: float
    precision: float
    recall: float
    note: str | None = None
    """A sentence without its end, where the texts differ only in what a reader hardly sees."""

    @property
    def shared(self) -> list[str]:
        """The words of the expected text that the actual one has as well, as often as both have them."""
        return [word.text for word in self.expected if word.is_shared]

    @property
    def missing(self) -> list[str]:
        """The words that only the expected text has, or has more often."""
        return [word.text for word in self.expected if not word.is_shared]

    @property
    def added(self) -> list[str]:
        """The words that only the actual text has, or has more often."""
        return [word.text for word in self.actual if not word.is_shared]

    def to_json(self) -> dict[str, Any]:
        """As reports have it."""
        shown = {"precision": self.precision, "recall": self.recall}
        words = {"shared": self.shared, "missing": self.missing, "added": self.added}
        return {**shown, **words, **({"note": self.note} if self.note else {})}


def compare_words(expected: str, actual: str) -> WordsCompared:
    """What `response_match_score` sees of two texts."""
    ours, theirs = words_of(expected), words_of(actual)
    of_ours, of_theirs = [*map(compared, ours)], [*map(compared, theirs)]
    marked, of_actual = _marked(ours, of_ours, Counter(of_theirs)), _marked(theirs, of_theirs, Counter(of_ours))
    found = overlap_of(sum(word.is_shared for word in marked), len(ours), len(theirs))
    note = _note(expected, actual, marked, of_actual)
    return WordsCompared(marked, of_actual, found.f_measure, found.precision, found.recall, note)


def compare_words_of_adk_rs(expected: str, actual: str) -> WordsCompared:
    """What adk-rs sees of two texts: whether each expected word is there, however often."""
    ours, theirs = adk_rs.words_of(expected), adk_rs.words_of(actual)
    in_ours, in_theirs = set(ours), set(theirs)
    marked = tuple(Word(word, word in in_theirs) for word in ours)
    of_actual = tuple(Word(word, word in in_ours) for word in theirs)
    recall = sum(word.is_shared for word in marked) / len(ours) if ours else 1.0
    precision = sum(word.is_shared for word in of_actual) / max(len(theirs), 1)
    return WordsCompared(marked, of_actual, recall, precision, recall)


def _marked(words: Sequence[str], keys: Sequence[str], there: Counter[str]) -> tuple[Word, ...]:
    """Each word with whether the other text has it, the first ones where it has fewer."""
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
        return "the texts differ only in case, punctuation or blanks, which do not count"
    if sorted(ours) == sorted(theirs):
        return "the texts have the same words in another order, which does not count"
    return "the texts differ only in the endings of words, which do not count"


def _without_numbers(words: list[str]) -> list[str]:
    return [word for word in words if not word.isdigit()]


def _joined(words: list[str]) -> str:
    return "".join(char for word in words for char in word if char.isalnum())


def _without_accents(words: list[str]) -> str:
    spread = unicodedata.normalize("NFD", " ".join(words))
    return "".join(char for char in spread if not unicodedata.category(char).startswith("M"))


_SAME_BUT_FOR: dict[str, Callable[[list[str]], object]] = {
    "the texts differ only in how numbers are written": numbers_in_digits,
    "the texts differ only in punctuation or blanks within words, which make other words of them": _joined,
    "the texts differ only in accents, which make other words of them": _without_accents,
    "the texts differ only in numbers": _without_numbers,
}
"""What is said where this makes the words that are missing and those that are added equal, the first that does."""

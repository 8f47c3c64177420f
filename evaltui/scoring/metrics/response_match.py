"""`response_match_score`: ROUGE-1, the overlap of the words of two texts (google-adk's `RougeEvaluator`)."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from evaltui.scoring.tokenizer import compared, words_of


class Overlap(NamedTuple):
    """How much two texts have in common; 0.0 throughout where either has no words."""

    precision: float
    """The share of the actual words that are expected."""
    recall: float
    """The share of the expected words that are there."""
    f_measure: float
    """The harmonic mean of both, which is the score."""


def response_match(expected: str, actual: str) -> Overlap:
    """The overlap of the final responses of two turns, each word counted as often as it stands in both."""
    return overlap([*map(compared, words_of(expected))], [*map(compared, words_of(actual))])


def overlap(expected: list[str], actual: list[str]) -> Overlap:
    """The overlap of two lists of words."""
    counts = Counter(expected)
    counts_of_actual = Counter(actual)
    shared = sum(min(count, counts_of_actual[word]) for word, count in counts.items())
    return overlap_of(shared, len(expected), len(actual))


def overlap_of(shared: int, expected: int, actual: int) -> Overlap:
    """The overlap of as many words, of which so many are shared."""
    precision, recall = shared / max(actual, 1), shared / max(expected, 1)
    both = precision + recall
    return Overlap(precision, recall, 2 * precision * recall / both if both > 0 else 0.0)

"""`response_match_score`: ROUGE-1, the overlap of the words of two texts (google-adk's `RougeEvaluator`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from evaltui.evalset.turn import Turn
from evaltui.printable import one_line
from evaltui.scoring.metrics.metric import Metric, OfflineCriterion, why_unstated
from evaltui.scoring.results import plain
from evaltui.scoring.words import Overlap, WordsCompared, compare_words, compared, overlap_of, words_of

NAME = "response_match_score"
NO_RESPONSE = "the response is not recorded"
_WORDS, _LENGTH = 5, 24
"""The most words that are named, and the most characters of each."""


class ResponseExplained(NamedTuple):
    """The words of both responses compared, and the distance of the score from its threshold."""

    words: WordsCompared
    distance: float
    """The score minus the threshold: negative if the turn fails."""
    sentences: tuple[str, ...] = ()
    """The faults, each without a capital and full stop; empty if there are none."""

    @property
    def counted_sentences(self) -> tuple[str, ...]:
        """The faults with the number of missing and added words, for a place that shows these words itself."""
        words = self.words
        counts = [
            (len(words.missing), f"of {len(words.expected):,} expected words missing"),
            (len(words.added), "added"),
        ]
        said = ", ".join(f"{count:,} {what}" for count, what in counts if count)
        if not said or not self.sentences or not words.actual:
            return self.sentences
        counted = f"{said}; {below_text(words.score, words.score - self.distance)}"
        return (counted, words.note) if words.note else (counted,)

    def to_json(self) -> dict[str, Any]:
        """The explanation for JSON reports."""
        return {**self.words.to_json(), "distance": plain(self.distance), "sentences": list(self.sentences)}


@dataclass(frozen=True)
class ResponseMatch(OfflineCriterion):
    """The F-measure of the words of both responses."""

    def score(self, expected: Turn, actual: Turn) -> float:
        """From 0.0 to 1.0."""
        return response_match(expected.response, actual.response).f_measure

    def why_unknown(self, expected: Turn, actual: Turn) -> str | None:
        """No response is stated, or it has words to compare and the response is not recorded."""
        is_unknown = "response" in actual.unrecorded and bool(words_of(expected.response))
        return why_unstated(expected, "response") or (NO_RESPONSE if is_unknown else None)

    def explain(self, expected: Turn, actual: Turn, *, has_failed: bool) -> ResponseExplained:
        """The shared, missing and added words."""
        words = compare_words(expected.response, actual.response)
        return response_explained(expected, actual, words, self.threshold or 0.0, has_failed=has_failed)


METRIC = Metric(
    name=NAME,
    needs="final_response",
    since="0.1",
    default_threshold=0.8,
    offline=ResponseMatch,
)


def response_match(expected: str, actual: str) -> Overlap:
    """The overlap of two responses. A word counts as often as both responses have it."""
    ours = [*map(compared, words_of(expected))]
    if expected == actual:
        return overlap_of(len(ours), len(ours), len(ours))
    theirs, left, shared = [*map(compared, words_of(actual))], dict[str, int](), 0
    for word in ours:
        left[word] = left.get(word, 0) + 1
    for word in theirs:
        if count := left.get(word):
            left[word] = count - 1
            shared += 1
    return overlap_of(shared, len(ours), len(theirs))


def response_explained(
    expected: Turn, actual: Turn, words: WordsCompared, threshold: float, *, has_failed: bool
) -> ResponseExplained:
    """Why a response has its score, given the comparison of its words."""
    said = sentences_on_response(expected.response, actual.response, words, threshold) if has_failed else ()
    return ResponseExplained(words, words.score - threshold, said)


def sentences_on_response(expected: str, actual: str, words: WordsCompared, threshold: float) -> tuple[str, ...]:
    """The faults of a response below its threshold, each a sentence without its full stop."""
    if not expected:
        return (
            "the turn has no expected response, so its score is 0.0: write one, or delete the metric from the config",
        )
    if not words.expected:
        return ("the expected response has no words, only punctuation or symbols, so every response scores 0.0",)
    if not actual:
        return ("the recording has no response",)
    said = []
    if words.missing:
        said.append(f"{_missing(len(words.missing), len(words.expected))}: {_listed(words.missing)}")
    if words.added:
        count = len(words.added)
        said.append(f"{count} {'word is' if count == 1 else 'words are'} added: {_listed(words.added)}")
    said.append(below_text(words.score, threshold))
    return (*said, *([words.note] if words.note else []))


def _missing(count: int, of_all: int) -> str:
    """`2 of 5 expected words are missing`, `all 5 expected words are missing`, `the expected word is missing`."""
    if count < of_all:
        return f"{count} of {of_all} expected words {'is' if count == 1 else 'are'} missing"
    return "the expected word is missing" if of_all == 1 else f"all {of_all} expected words are missing"


def below_text(score: float, threshold: float) -> str:
    """`0.48 is 0.32 below 0.80`."""
    return f"{score:.2f} is {distance(threshold - score)} below {threshold:.2f}"


def distance(number: float) -> str:
    """A distance from the threshold, with at least two digits and as many as show that it is not 0."""
    for digits in (2, 3, 6):
        if round(abs(number), digits) > 0:
            return f"{abs(number):.{digits}f}"
    return f"{abs(number):.0e}"


def _listed(words: Sequence[str]) -> str:
    shown = [one_line(word, _LENGTH) for word in words[:_WORDS]]
    more = len(words) - len(shown)
    return f"{', '.join(shown)}{f' and {more} more' if more else ''}"

"""`response_match_score`: ROUGE-1, the overlap of the words of two texts (google-adk's `RougeEvaluator`)."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.evalset.turn import Turn
from evaltui.printable import one_line
from evaltui.scoring.metrics.metric import Metric, OfflineCriterion, why_unstated
from evaltui.scoring.words import WordsCompared, compare_words, overlap, stem_word, words_of

NAME = "response_match_score"
NO_RESPONSE = "the response is not recorded"
_WORDS, _LENGTH = 5, 24
"""The most words that are named, and the most characters of each."""


class ResponseMatch(OfflineCriterion):
    """The F-measure of the words of both responses."""

    def score(self, expected: Turn, actual: Turn) -> float:
        """From 0.0 to 1.0."""
        return response_match(expected.response, actual.response)

    def why_unknown(self, expected: Turn, actual: Turn) -> str | None:
        """No response is stated, or it has words to compare and the response is not recorded."""
        is_unknown = "response" in actual.unrecorded and bool(words_of(expected.response))
        return why_unstated(expected, "response") or (NO_RESPONSE if is_unknown else None)

    def explain(self, expected: Turn, actual: Turn, *, has_failed: bool) -> WordsCompared:
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


def response_match(expected: str, actual: str) -> float:
    """The F-measure of the words of two responses. A word counts as often as both responses have it."""
    # `compare_words` gives the same score, but takes five times as long, because it marks each word.
    stems = [*map(stem_word, words_of(expected))]
    if expected == actual:
        return overlap(len(stems), len(stems), len(stems))[2]
    other_stems, unmatched, shared = [*map(stem_word, words_of(actual))], dict[str, int](), 0
    for stem in stems:
        unmatched[stem] = unmatched.get(stem, 0) + 1
    for stem in other_stems:
        if count := unmatched.get(stem):
            unmatched[stem] = count - 1
            shared += 1
    return overlap(shared, len(stems), len(other_stems))[2]


def response_explained(
    expected: Turn, actual: Turn, words: WordsCompared, threshold: float, *, has_failed: bool
) -> WordsCompared:
    """The comparison of the words of a response, with the reasons of its score."""
    words = words._replace(distance=words.score - threshold)
    if not has_failed:
        return words
    whole_fault = ""
    if not expected.response:
        advice = "write one, or delete the metric from the config"
        whole_fault = f"the turn has no expected response, so its score is 0.0: {advice}"
    elif not words.expected:
        whole_fault = "the expected response has no words, only punctuation or symbols, so every response scores 0.0"
    elif not actual.response:
        whole_fault = "the recording has no response"
    if whole_fault:
        return words._replace(sentences=(whole_fault,))
    sentences = []
    missing, total, added = len(words.missing), len(words.expected), len(words.added)
    if missing:
        counted = f"{missing} of {total} expected words {'is' if missing == 1 else 'are'} missing"
        if missing == total:
            counted = "the expected word is missing" if total == 1 else f"all {total} expected words are missing"
        sentences.append(f"{counted}: {_list_words(words.missing)}")
    if added:
        sentences.append(f"{added} {'word is' if added == 1 else 'words are'} added: {_list_words(words.added)}")
    sentences.append(_below_threshold(words.score, threshold))
    return words._replace(sentences=(*sentences, *([words.note] if words.note else [])))


def counted_sentences(words: WordsCompared) -> tuple[str, ...]:
    """The faults with the number of missing and added words, for a place that shows these words itself."""
    counts = [
        *([f"{len(words.missing):,} of {len(words.expected):,} expected words missing"] if words.missing else []),
        *([f"{len(words.added):,} added"] if words.added else []),
    ]
    # Without a response, the sentence that says so needs no numbers.
    if not counts or not words.sentences or not words.actual:
        return words.sentences
    sentence = f"{', '.join(counts)}; {_below_threshold(words.score, words.score - words.distance)}"
    return (sentence, words.note) if words.note else (sentence,)


def _below_threshold(score: float, threshold: float) -> str:
    """`0.48 is 0.32 below 0.80`, with as many digits as show that the distance is not 0."""
    gap = abs(threshold - score)
    digits = next((digits for digits in (2, 3, 6) if round(gap, digits) > 0), None)
    distance = f"{gap:.0e}" if digits is None else f"{gap:.{digits}f}"
    return f"{score:.2f} is {distance} below {threshold:.2f}"


def _list_words(words: Sequence[str]) -> str:
    more = len(words) - _WORDS
    named = [one_line(word, _LENGTH) for word in words[:_WORDS]]
    return f"{', '.join(named)}{f' and {more} more' if more > 0 else ''}"

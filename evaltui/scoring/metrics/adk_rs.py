"""The metrics of adk-rs, the Rust relative of google-adk, by its own rules (`--profile adk-rs`).

Source: its evaluation guide, and `TrajectoryMatch` and `ResponseMatch` of its eval module. Calls are compared place by
place. A response scores the share of expected words in it. A metric passes only if every turn passes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

from evaltui.evalset.turn import Turn, TurnCall
from evaltui.scoring.alignment import Calls
from evaltui.scoring.call_sentences import sentences_on_calls
from evaltui.scoring.equality import equal
from evaltui.scoring.metrics import tool_trajectory
from evaltui.scoring.metrics.metric import CaseScores, Metric, OfflineCriterion, why_unstated
from evaltui.scoring.metrics.response_match import NO_RESPONSE, ResponseExplained, response_explained
from evaltui.scoring.metrics.tool_trajectory import CallsExplained, ToolTrajectory
from evaltui.scoring.results import MetricScore, Status
from evaltui.scoring.words import Word, WordsCompared

_TOLERANCE = 1e-9
"""A score may be this much below its threshold, and pass."""

_WORDS = re.compile("[^\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
"""Words between Unicode spaces (White_Space, as in Rust)."""


@dataclass(frozen=True)
class AdkRsTrajectory(OfflineCriterion):
    """The share of calls that match at their index."""

    def score(self, expected: Turn, actual: Turn) -> float:
        """From 0.0 to 1.0, relative to the longer list; 0.0 if neither side has calls."""
        matched = sum(_is_same(one, other) for one, other in zip(expected.calls, actual.calls, strict=False))
        return matched / max(len(expected.calls), len(actual.calls), 1)

    def why_unknown(self, expected: Turn, actual: Turn) -> str | None:
        """The calls are not stated, or they or the arguments of calls with expected names are not recorded."""
        return tool_trajectory.why_calls_unknown(expected, actual) or (
            tool_trajectory.why_arguments_unknown(actual)
            if any(
                one.name == other.name and not other.has_args and not (other.args and _is_same(one, other))
                for one, other in zip(expected.calls, actual.calls, strict=False)
            )
            else None
        )

    def explain(self, expected: Turn, actual: Turn, *, has_failed: bool) -> CallsExplained:
        """The calls side by side, as for google-adk, and the faults."""
        found = ToolTrajectory(self.name, self.threshold).explain(expected, actual, has_failed=False)
        if not has_failed:
            return found
        said = sentences_on_calls(expected.calls, actual.calls, found.rows, "EXACT")
        return found._replace(sentences=said or _only_to_adk_rs(expected.calls))

    def judge_scores(self, scores: Sequence[float]) -> CaseScores:
        """The mean, which passes only if every turn passes."""
        return _judge(self, scores)


def _is_same(expected: TurnCall, actual: TurnCall) -> bool:
    """Whether two calls are equal as Rust's serde_json compares them: 1 and 1.0 are different."""
    args = actual.args if actual.has_args or actual.args is None else dict(actual.args)
    return expected.name == actual.name and equal(expected.args, args, same_types=True)


@dataclass(frozen=True)
class AdkRsResponse(OfflineCriterion):
    """The share of the expected words that are in the response."""

    def score(self, expected: Turn, actual: Turn) -> float:
        """From 0.0 to 1.0; 1.0 if no words are expected."""
        return compare_words_of_adk_rs(expected.response, actual.response).score

    def why_unknown(self, expected: Turn, actual: Turn) -> str | None:
        """No response is stated, or words are expected and the response is not recorded."""
        is_unknown = "response" in actual.unrecorded and bool(_words_of(expected.response))
        return why_unstated(expected, "response") or (NO_RESPONSE if is_unknown else None)

    def explain(self, expected: Turn, actual: Turn, *, has_failed: bool) -> ResponseExplained:
        """The shared, missing and added words."""
        words = compare_words_of_adk_rs(expected.response, actual.response)
        return response_explained(expected, actual, words, self.threshold or 0.0, has_failed=has_failed)

    def judge_scores(self, scores: Sequence[float]) -> CaseScores:
        """The mean, which passes only if every turn passes."""
        return _judge(self, scores)


METRICS = MappingProxyType(
    {
        each.name: each
        for each in (
            Metric(name=tool_trajectory.NAME, since="", default_threshold=1.0, offline=AdkRsTrajectory),
            Metric(name="final_response_match_v1", since="", default_threshold=0.8, offline=AdkRsResponse),
        )
    }
)
"""The two metrics by name. The first has the same name as in google-adk."""


def _words_of(text: str) -> list[str]:
    """The words between spaces, in lower case, with punctuation."""
    return _WORDS.findall(text.lower())


def compare_words_of_adk_rs(expected: str, actual: str) -> WordsCompared:
    """The words of two texts as adk-rs compares them: whether each expected word is there, however often."""
    ours, theirs = _words_of(expected), _words_of(actual)
    in_ours, in_theirs = set(ours), set(theirs)
    marked = tuple(Word(word, word in in_theirs) for word in ours)
    of_actual = tuple(Word(word, word in in_ours) for word in theirs)
    recall = sum(word.is_shared for word in marked) / len(ours) if ours else 1.0
    precision = sum(word.is_shared for word in of_actual) / max(len(theirs), 1)
    return WordsCompared(marked, of_actual, recall, precision, recall)


def _judge(asked: OfflineCriterion, scores: Sequence[float]) -> CaseScores:
    threshold = asked.threshold or 0.0
    turns = []
    for score in scores:
        status: Status = "passed" if score + _TOLERANCE >= threshold else "failed"
        turns.append(MetricScore(asked.name, status, score, asked.threshold))
    mean = sum(turn.score or 0.0 for turn in turns) / len(turns)
    failing = [number for number, turn in enumerate(turns, 1) if turn.status != "passed"]
    reason = None
    if failing and mean + _TOLERANCE >= threshold:
        reason = f"turn {failing[0]} fails, and adk-rs requires every turn to pass"
    return MetricScore(asked.name, "failed" if failing else "passed", mean, asked.threshold, reason), turns


def _only_to_adk_rs(expected: Calls) -> tuple[str, ...]:
    if not expected:
        return ("neither side has tool calls; adk-rs scores such a turn 0.0",)
    return ("the arguments are equal for google-adk, but for adk-rs 1, 1.0 and true are different",)

"""The metrics of adk-rs, the Rust relative of google-adk, by its own rules (`--profile adk-rs`).

Source: its evaluation guide, and `TrajectoryMatch` and `ResponseMatch` of its eval module. Calls are compared place by
place. A response scores the share of expected words in it. A metric passes only if every turn passes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import MappingProxyType

from evaltui.evalset.turn import Turn, TurnCall
from evaltui.scoring.call_equality import equal
from evaltui.scoring.call_reasons import describe_call_faults
from evaltui.scoring.metrics import tool_trajectory
from evaltui.scoring.metrics.metric import CaseScores, Metric, OfflineCriterion, why_unstated
from evaltui.scoring.metrics.response_match import NO_RESPONSE, response_explained
from evaltui.scoring.metrics.tool_trajectory import CallsExplained, ToolTrajectory
from evaltui.scoring.results import MetricScore, Status
from evaltui.scoring.words import WordsCompared

_TOLERANCE = 1e-9
"""A score may be this much below its threshold, and pass."""

_WORDS = re.compile("[^\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
"""Words between Unicode spaces (White_Space, as in Rust)."""


def _judge_every_turn(criterion: OfflineCriterion, scores: Sequence[float]) -> CaseScores:
    """The mean, which passes only if every turn passes."""
    threshold = criterion.threshold or 0.0
    statuses: list[Status] = ["passed" if score + _TOLERANCE >= threshold else "failed" for score in scores]
    turns = [
        MetricScore(criterion.name, status, score, criterion.threshold)
        for status, score in zip(statuses, scores, strict=True)
    ]
    mean = sum(scores) / len(scores)
    if "failed" not in statuses:
        return MetricScore(criterion.name, "passed", mean, criterion.threshold), turns
    reason = None
    if mean + _TOLERANCE >= threshold:
        reason = f"turn {statuses.index('failed') + 1} fails, and adk-rs requires every turn to pass"
    return MetricScore(criterion.name, "failed", mean, criterion.threshold, reason), turns


class AdkRsTrajectory(OfflineCriterion):
    """The share of calls that match at their index."""

    judge_scores = _judge_every_turn

    def score(self, expected: Turn, actual: Turn) -> float:
        """From 0.0 to 1.0, relative to the longer list; 0.0 if neither side has calls."""
        matched = sum(map(_is_same, expected.calls, actual.calls))
        return matched / max(len(expected.calls), len(actual.calls), 1)

    def why_unknown(self, expected: Turn, actual: Turn) -> str | None:
        """The calls are not stated, or they or the arguments of calls with expected names are not recorded."""
        if reason := tool_trajectory.why_calls_unknown(expected, actual):
            return reason
        for call, other_call in zip(expected.calls, actual.calls, strict=False):
            # Placeholders of the recorder that the set has as well are equal, so they tell the score.
            is_placeholder = bool(other_call.args) and _is_same(call, other_call)
            if call.name == other_call.name and not other_call.has_args and not is_placeholder:
                return tool_trajectory.why_arguments_unknown(actual)
        return None

    def explain(self, expected: Turn, actual: Turn, *, has_failed: bool) -> CallsExplained:
        """The calls side by side, as for google-adk, and the faults."""
        explained = ToolTrajectory(self.name, self.threshold).explain(expected, actual, has_failed=False)
        if not has_failed:
            return explained
        sentences = describe_call_faults(expected.calls, actual.calls, explained.rows, "EXACT")
        if not sentences and not expected.calls:
            sentences = ("neither side has tool calls; adk-rs scores such a turn 0.0",)
        if not sentences:
            sentences = ("the arguments are equal for google-adk, but for adk-rs 1, 1.0 and true are different",)
        return explained._replace(sentences=sentences)


def _is_same(expected: TurnCall, actual: TurnCall) -> bool:
    """Whether two calls are equal as Rust's serde_json compares them: 1 and 1.0 are different."""
    # Unrecorded arguments are a subclass of dict, and here types must be the same.
    args = actual.args if actual.has_args or actual.args is None else dict(actual.args)
    return expected.name == actual.name and equal(expected.args, args, same_types=True)


class AdkRsResponse(OfflineCriterion):
    """The share of the expected words that are in the response."""

    judge_scores = _judge_every_turn

    def score(self, expected: Turn, actual: Turn) -> float:
        """From 0.0 to 1.0; 1.0 if no words are expected."""
        return compare_words_of_adk_rs(expected.response, actual.response).score

    def why_unknown(self, expected: Turn, actual: Turn) -> str | None:
        """No response is stated, or words are expected and the response is not recorded."""
        is_unknown = "response" in actual.unrecorded and bool(_WORDS.search(expected.response))
        return why_unstated(expected, "response") or (NO_RESPONSE if is_unknown else None)

    def explain(self, expected: Turn, actual: Turn, *, has_failed: bool) -> WordsCompared:
        """The shared, missing and added words."""
        words = compare_words_of_adk_rs(expected.response, actual.response)
        return response_explained(expected, actual, words, self.threshold or 0.0, has_failed=has_failed)


METRICS = MappingProxyType(
    {
        metric.name: metric
        for metric in (
            Metric(name=tool_trajectory.NAME, since="", default_threshold=1.0, offline=AdkRsTrajectory),
            Metric(name="final_response_match_v1", since="", default_threshold=0.8, offline=AdkRsResponse),
        )
    }
)
"""The two metrics by name. The first has the same name as in google-adk."""


def compare_words_of_adk_rs(expected: str, actual: str) -> WordsCompared:
    """The words of two texts as adk-rs compares them: whether each expected word is there, however often."""
    # adk-rs compares words with their punctuation, in lower case and without stems.
    ours, theirs = _WORDS.findall(expected.lower()), _WORDS.findall(actual.lower())
    expected_words, actual_words = set(ours), set(theirs)
    marked = tuple((word, word in actual_words) for word in ours)
    other_marked = tuple((word, word in expected_words) for word in theirs)
    recall = sum(is_shared for _, is_shared in marked) / len(ours) if ours else 1.0
    precision = sum(is_shared for _, is_shared in other_marked) / max(len(theirs), 1)
    return WordsCompared(marked, other_marked, recall, precision, recall)

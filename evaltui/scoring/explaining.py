"""Why a turn has its score, worked out when somebody asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from evaltui.evalset.turn import TurnCall
from evaltui.scoring.alignment import Row, align
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.criterion import TRAJECTORY, Criterion
from evaltui.scoring.plain_json import plain
from evaltui.scoring.result import CaseResult, CaseRun, MetricScore, TurnScores
from evaltui.scoring.sentences_on_calls import sentences_on_calls, what_would_pass
from evaltui.scoring.sentences_on_responses import distance, sentences_on_response
from evaltui.scoring.trajectory import MatchType, passes
from evaltui.scoring.words import WordsCompared, compare_words, compare_words_of_adk_rs


class CallsExplained(NamedTuple):
    """Why the calls of a turn match or not."""

    rows: tuple[Row, ...]
    passes: Mapping[MatchType, bool]
    passes_ignoring_args: Mapping[MatchType, bool]
    sentences: tuple[str, ...] = ()
    """What is wrong, without capital and full stop; empty where nothing is."""

    def to_json(self) -> dict[str, Any]:
        """As reports have it."""
        return {
            "rows": [row.to_json() for row in self.rows],
            "passes": dict(self.passes),
            "passes_ignoring_args": dict(self.passes_ignoring_args),
            "sentences": list(self.sentences),
        }


class ResponseExplained(NamedTuple):
    """Why a final response has its score."""

    words: WordsCompared
    distance: float
    """The score less the threshold: below 0 where it fails."""
    sentences: tuple[str, ...] = ()
    """What is wrong, without capital and full stop; empty where nothing is."""

    def to_json(self) -> dict[str, Any]:
        """As reports have it."""
        return {**self.words.to_json(), "distance": plain(self.distance), "sentences": list(self.sentences)}


Explanation = CallsExplained | ResponseExplained


def explain(turn: TurnScores, name: str, criteria: Criteria) -> Explanation | None:
    """Why a turn has its score in the metric `name`; None for metrics that are not computed here."""
    asked = criteria.of(name)
    score = next((metric for metric in turn.metrics if metric.name == name), None)
    if asked is None or asked.refusal is not None or asked.threshold is None or score is None:
        return None
    if name == TRAJECTORY:
        return _calls_explained(turn, asked, criteria, has_failed=score.status == "failed")
    compare = compare_words if criteria.profile == "adk" else compare_words_of_adk_rs
    expected, actual = turn.expected.response, turn.actual.response
    words = compare(expected, actual)
    sentences = sentences_on_response(expected, actual, words, asked.threshold) if score.status == "failed" else ()
    return ResponseExplained(words, words.score - asked.threshold, sentences)


def why(run: CaseRun, criteria: Criteria) -> str:
    """In one line why a case does not pass, the worst turn first; "" where it passes."""
    if run.status == "passed":
        return ""
    if run.reason is not None:
        return run.reason
    failed = [metric for metric in run.metrics if metric.status == "failed"]
    names = {metric.name for metric in failed}
    failing = [
        (metric, turn)
        for turn in run.turns
        for metric in turn.metrics
        if metric.name in names and metric.status == "failed" and metric.reason is None
    ]
    if not failing:
        return _below(failed[0]) if failed else next(metric.reason or "" for metric in run.metrics if metric.reason)
    metric, turn = min(failing, key=lambda each: each[0].score or 0.0)
    explained = explain(turn, metric.name, criteria)
    said = "; ".join(explained.sentences) if explained and explained.sentences else _below(metric)
    place = f"turn {turn.number}: " if len(run.turns) > 1 else ""
    more = len({each.number for _, each in failing}) - 1
    others = "" if not more else "; 1 more turn fails" if more == 1 else f"; {more} more turns fail"
    return f"{place}{said}{others}"


def why_of_case(result: CaseResult, criteria: Criteria) -> str:
    """In one line why a case does not pass; of several runs why the newest that failed does not."""
    if result.status == "passed" or result.run is None:
        return "" if result.status == "passed" else result.reason or ""
    if result.runs is None or len(result.runs) == 1:
        return result.reason or why(result.run, criteria)
    newest = next((run for run in reversed(result.runs) if run.status == result.status), result.run)
    counted = f"{result.passed_runs} of {len(result.runs)} runs pass"
    return f"{counted}; {result.reason or why(newest, criteria)}"


def _calls_explained(turn: TurnScores, asked: Criterion, criteria: Criteria, *, has_failed: bool) -> CallsExplained:
    expected, actual = turn.expected.calls, turn.actual.calls
    rows = align(expected, actual)
    passing = passes(expected, actual)
    ignoring = passing if all(passing.values()) else passes(expected, actual, ignore_args=True)
    sentences: tuple[str, ...] = ()
    if has_failed:
        seen = align(_names_only(expected), _names_only(actual)) if asked.ignore_args else rows
        sentences = sentences_on_calls(expected, actual, seen, asked)
        if criteria.profile == "adk-rs":
            sentences = sentences or _only_to_adk_rs(expected)
        elif (hint := what_would_pass(passing, ignoring, asked)) is not None:
            sentences = (*sentences, hint)
    return CallsExplained(rows, passing, ignoring, sentences)


def _names_only(calls: Sequence[TurnCall]) -> list[TurnCall]:
    return [call._replace(args=None) for call in calls]


def _only_to_adk_rs(expected: Sequence[TurnCall]) -> tuple[str, ...]:
    if not expected:
        return ("neither side has calls, which adk-rs scores 0.0",)
    return ("arguments are equal to google-adk only: adk-rs tells 1 from 1.0 and from true",)


def _below(metric: MetricScore) -> str:
    if metric.score is None or metric.threshold is None:
        return f"{metric.name}: {metric.reason}"
    short = distance(metric.threshold - metric.score)
    said = f"{metric.name} is {metric.score:.4g}, {short} {'above' if metric.score > metric.threshold else 'below'} "
    return f"{said}the threshold{f' ({metric.reason})' if metric.reason else ''}"

"""Scores from a recording, of metrics that evaltui does not compute: judge models, Vertex AI and custom code.

A recorded score is used only if it was given for the same expectation, criterion and rubrics. These are compared by
their meaning for google-adk, so spelling, nulls and defaults do not count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaltui.evalset.case_data import as_number, get, items_in
from evaltui.evalset.keys import snake
from evaltui.recordings.conversation import StoredScore, StoredScores
from evaltui.scoring.equality import equal
from evaltui.scoring.metrics.metric import Criterion

_ABOUT_THE_RUN = frozenset(
    {"invocation_id", "creation_timestamp", "duration", "model_duration", "tool_duration", "rubrics"}
)
"""Keys of an expected invocation that no judge reads. Rubrics are compared separately."""
_FREE = frozenset({"args", "response", "part_metadata", "tool_declarations"})
"""Objects whose keys the author chooses, not google-adk."""
_BYTES = frozenset({"data", "thought_signature"})
_DEFAULTS = {
    "include_intermediate_responses_in_final": False,
    "judge_model": "gemini-2.5-flash",
    "num_samples": 5,
    "evaluate_intermediate_nl_responses": False,
    "stop_signal": "</finished>",
}
"""Keys of criteria with their default values, which mean the same as absent keys."""


def recorded_scores(
    stored: StoredScores, criterion: Criterion, case: Mapping[str, Any]
) -> tuple[StoredScore | None, ...] | str | None:
    """The recorded score of a case and of each turn in one metric.

    A string is the reason why the score does not apply to this case; None means that there is no recorded score.
    """
    overall = _named(stored.overall, criterion.name)
    if overall is None or overall.score is None or overall.status not in (1, 2):
        return None
    invocations = items_in(case, "conversation")
    if not equal(_criterion(overall.criterion, overall.threshold), _criterion(criterion.raw, criterion.threshold)):
        return "the criterion options changed since this score was recorded"
    if not equal([*map(_expectation, stored.expected)], [*map(_expectation, invocations)]):
        return "the expected turns changed since this score was recorded"
    if criterion.reads_rubrics and not equal([*map(_rubrics, stored.rubrics)], _rubrics_of_turns(case, invocations)):
        return "the rubrics changed since this score was recorded"
    turns = tuple(_named(scores, criterion.name) for scores in stored.turns)
    return (overall, *(turns if len(turns) == len(invocations) else (None,) * len(invocations)))


def _named(scores: Sequence[StoredScore], name: str) -> StoredScore | None:
    return next((score for score in scores if score.name == name), None)


def _expectation(invocation: Mapping[str, Any] | None) -> Any:
    """The keys of an expected invocation that a judge may read.

    NaN, which equals nothing, if the recording has no expectation.
    """
    if invocation is None:
        return float("nan")
    normal = _normal(invocation)
    return {name: value for name, value in normal.items() if name not in _ABOUT_THE_RUN}


def _rubrics_of_turns(case: Mapping[str, Any], invocations: Sequence[Any]) -> list[list[Any]]:
    """The rubrics of each turn as google-adk passes them to a judge: first of the case, then of the turn."""
    of_case = _rubrics(get(case, "rubrics"))
    return [[*of_case, *_rubrics(get(invocation, "rubrics"))] for invocation in invocations]


def _rubrics(value: Any) -> list[Any]:
    return [*map(_normal, value)] if isinstance(value, list) else []


def _criterion(raw: Any, threshold: float | None) -> Any:
    if not isinstance(raw, dict):
        return {"threshold": threshold}
    normal = _normal({**raw, "threshold": as_number(raw.get("threshold"))})
    options = normal.pop("judge_model_options", {})
    told = {**normal, **(options if isinstance(options, dict) else {})}
    told.pop("parallelism_limit", None)
    return {name: value for name, value in told.items() if name not in _DEFAULTS or value != _DEFAULTS[name]}


def _normal(value: Any, name: str = "") -> Any:
    """A value in one spelling, without keys that mean the same as absent keys."""
    if name in _FREE:
        return value
    if isinstance(value, dict):
        # If both spellings are present, google-adk reads the camelCase key, so it comes last.
        members = sorted(value.items(), key=lambda member: snake(member[0]) != member[0])
        told = {snake(key): _normal(member, snake(key)) for key, member in members}
        return {key: member for key, member in told.items() if not _says_nothing(member, key)}
    if isinstance(value, list):
        return [_normal(element) for element in value]
    if name in _BYTES and isinstance(value, str):
        return value.translate({ord("-"): "+", ord("_"): "/"}).rstrip("=")
    return value


def _says_nothing(value: Any, name: str) -> bool:
    return value is None or (name not in _FREE and value in ("", [], {}))

"""Scores from a recording, of metrics that evaltui does not compute: judge models, Vertex AI and custom code.

A recorded score is used only if it was given for the same expectation, criterion and rubrics. These are compared by
their meaning for google-adk, so spelling, nulls and defaults do not count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaltui.evalset.case_data import as_number, get, items_in
from evaltui.evalset.keys import snake
from evaltui.recordings.conversation import StoredScore, StoredTurn
from evaltui.scoring.call_equality import equal
from evaltui.scoring.metrics.metric import Criterion

_ABOUT_THE_RUN = frozenset(
    {"invocation_id", "creation_timestamp", "duration", "model_duration", "tool_duration", "rubrics"}
)
"""Keys of an expected invocation that no judge reads. Rubrics are compared separately."""
_FREE = frozenset({"args", "response", "part_metadata", "tool_declarations"})
"""Objects whose keys the author chooses, not google-adk."""
_DEFAULTS = {
    "include_intermediate_responses_in_final": False,
    "judge_model": "gemini-2.5-flash",
    "num_samples": 5,
    "evaluate_intermediate_nl_responses": False,
    "stop_signal": "</finished>",
}
"""Keys of criteria with their default values, which mean the same as absent keys."""


def recorded_scores(
    scores: Sequence[StoredScore], turns: Sequence[StoredTurn], criterion: Criterion, case: Mapping[str, Any]
) -> tuple[StoredScore | None, ...] | str | None:
    """The recorded score of a case and of each turn in one metric, among its scores and those of its judged turns.

    A string is the reason why the score does not apply to this case; None means that there is no recorded score.
    """
    overall = _score_named(scores, criterion.name)
    # Only 1 (passed) and 2 (failed) are verdicts; google-adk also stores metrics that it did not evaluate.
    if overall is None or overall.score is None or overall.status not in (1, 2):
        return None
    invocations = items_in(case, "conversation")
    # Compared as google-adk compares values, so that NaN, which stands for an unknown side, equals nothing.
    criteria = [(overall.criterion, overall.threshold), (criterion.raw, criterion.threshold)]
    if not equal(*(_normal_criterion(raw, threshold) for raw, threshold in criteria)):
        return "the criterion options changed since this score was recorded"
    if not equal([_expectation(expected) for expected, _, _ in turns], [*map(_expectation, invocations)]):
        return "the expected turns changed since this score was recorded"
    if criterion.reads_rubrics:
        # google-adk passes a judge the rubrics of the case first, then those of the turn.
        of_case = _normal_list(get(case, "rubrics"))
        rubrics = [[*of_case, *_normal_list(get(invocation, "rubrics"))] for invocation in invocations]
        if not equal([_normal_list(own) for _, own, _ in turns], rubrics):
            return "the rubrics changed since this score was recorded"
    by_turn = [_score_named(own_scores, criterion.name) for _, _, own_scores in turns]
    return (overall, *(by_turn if len(by_turn) == len(invocations) else (None,) * len(invocations)))


def _score_named(scores: Sequence[StoredScore], name: str) -> StoredScore | None:
    return next((score for score in scores if score.name == name), None)


def _expectation(invocation: Mapping[str, Any] | None) -> Any:
    """The keys of an expected invocation that a judge may read; NaN if the recording has no expectation."""
    if invocation is None:
        return float("nan")
    return {name: value for name, value in _normal(invocation).items() if name not in _ABOUT_THE_RUN}


def _normal_list(value: Any) -> list[Any]:
    return [*map(_normal, value)] if isinstance(value, list) else []


def _normal_criterion(raw: Any, threshold: float | None) -> Any:
    if not isinstance(raw, dict):
        return {"threshold": threshold}
    normal = _normal({**raw, "threshold": as_number(raw.get("threshold"))})
    options = normal.pop("judge_model_options", {})
    members = {**normal, **(options if isinstance(options, dict) else {})}
    members.pop("parallelism_limit", None)  # how many calls run at a time changes no score
    return {name: value for name, value in members.items() if name not in _DEFAULTS or value != _DEFAULTS[name]}


def _normal(value: Any, name: str = "") -> Any:
    """A value in one spelling, without keys that mean the same as absent keys."""
    if name in _FREE:
        return value
    if isinstance(value, dict):
        # If both spellings are present, google-adk reads the camelCase key, so it comes last.
        members = sorted(value.items(), key=lambda member: snake(member[0]) != member[0])
        normal = {snake(key): _normal(member, snake(key)) for key, member in members}
        # In a free object, google-adk tells empty and absent values apart.
        return {
            key: member
            for key, member in normal.items()
            if member is not None and (key in _FREE or member not in ("", [], {}))
        }
    if isinstance(value, list):
        return [_normal(element) for element in value]
    if name in ("data", "thought_signature") and isinstance(value, str):
        # pydantic reads both alphabets of base64, with and without padding.
        return value.translate({ord("-"): "+", ord("_"): "/"}).rstrip("=")
    return value

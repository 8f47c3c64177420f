"""Rules of a set and the config that is loaded with it."""

from __future__ import annotations

from evaltui.validation.diagnostic import Severity
from evaltui.validation.rule import Example, Rule, a_case, a_turn

_USER = '"user_content": {"parts": [{"text": "Hi"}]}'
_FINAL = '"final_response": {"parts": [{"text": "Hello"}]}'
_CALLS = '"intermediate_data": {"tool_uses": [{"name": "get_fines", "args": {}}]}'
_RESPONSE = '{"criteria": {"response_match_score": 0.8}}'
_TRAJECTORY = '{"criteria": {"tool_trajectory_avg_score": 1.0}}'
_POLITE = '"rubrics": [{"rubric_id": "polite", "rubric_content": {"text_property": "It is polite."}}]'
_RUBRICS = f'{{"criteria": {{"rubric_based_final_response_quality_v1": {{"threshold": 0.8, {_POLITE}}}}}}}'
_NO_RUBRICS = '{"criteria": {"rubric_based_final_response_quality_v1": {"threshold": 0.8}}}'


def _rubric(identifier: str) -> str:
    return (
        f'{{"user_content": {{"parts": [{{"text": "Hi"}}]}}, "rubrics": [\n  {{"rubric_id": "{identifier}", '
        '"type": "FINAL_RESPONSE_QUALITY",\n   "rubric_content": {"text_property": "It is short."}}]}'
    )


def _with_config(code: str, severity: Severity, summary: str, why: str, bad: Example, good: Example) -> Rule:
    return Rule(code, "config", severity, summary, why, bad, good)


EMPTY_FINAL_RESPONSE = _with_config(
    "empty-final-response",
    "warning",
    "A turn has no final response, while the config has a metric that compares with it.",
    "`response_match_score` (`RougeEvaluator` in google.adk.evaluation.final_response_match_v1) is "
    "0.0 for such a turn, "
    "whatever the agent says, and lowers the mean of its case; the judge of `final_response_match_v2` compares with "
    "nothing.",
    a_case(f'{{"eval_id": "a", "conversation": [\n  {{{_USER}, {_FINAL}}},\n  {{{_USER}, {_CALLS}}}]}}', _RESPONSE),
    a_case(
        f'{{"eval_id": "a", "conversation": [\n  {{{_USER}, {_FINAL}}},\n  {{{_USER}, {_CALLS},\n   {_FINAL}}}]}}',
        _RESPONSE,
    ),
)
UNEVEN_TRAJECTORY = _with_config(
    "uneven-trajectory",
    "info",
    "Some turns of a case expect tool calls and others none, under an EXACT trajectory metric.",
    "`TrajectoryEvaluator` scores each turn alone: one without expected calls is 1.0 only if the "
    "agent makes none. That "
    "may be meant; often the calls of that turn were forgotten.",
    a_case(f'{{"eval_id": "a", "conversation": [\n  {{{_USER}, {_CALLS}}},\n  {{{_USER}, {_FINAL}}}]}}', _TRAJECTORY),
    a_case(
        f'{{"eval_id": "a", "conversation": [\n  {{{_USER}, {_CALLS}}},\n  {{{_USER}, {_FINAL},\n   {_CALLS}}}]}}',
        _TRAJECTORY,
    ),
)
METRIC_WITHOUT_EXPECTATIONS = _with_config(
    "metric-without-expectations",
    "warning",
    "The config has a metric that compares with what is expected, and no case expects any of that.",
    "`response_match_score` is 0.0 then for every case; `tool_trajectory_avg_score` is 1.0 for every case in which the "
    "agent calls no tool, so it measures something else than it seems to.",
    a_turn(f"{{{_USER}, {_CALLS}}}", _RESPONSE),
    a_turn(f"{{{_USER}, {_FINAL}}}", _RESPONSE),
)
METRIC_WITHOUT_RUBRICS = _with_config(
    "metric-without-rubrics",
    "warning",
    "The config has a rubric metric without rubrics, and no case has any of its type.",
    "`RubricBasedEvaluator` (google.adk.evaluation.rubric_based_evaluator) takes the rubrics of its "
    "criterion and those of "
    "its type from cases and turns; without any it ends with *Rubrics are required*, and the metric is NOT_EVALUATED.",
    a_turn(f"{{{_USER}, {_FINAL}}}", _NO_RUBRICS),
    a_turn(f"{{{_USER}, {_FINAL}}}", _RUBRICS),
)
RUBRIC_ID_IN_CONFIG = _with_config(
    "rubric-id-in-config",
    "warning",
    "A rubric of a case or turn has the id of a rubric of the config.",
    "`RubricBasedEvaluator.create_effective_rubrics_list` puts both together and raises "
    "`ValueError: Rubric with rubric_id "
    "… already exists`; the metric is NOT_EVALUATED then.",
    a_turn(_rubric("polite"), _RUBRICS),
    a_turn(_rubric("short"), _RUBRICS),
)

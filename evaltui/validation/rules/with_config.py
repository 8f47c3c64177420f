"""Rules about an eval set together with its loaded config."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from evaltui.document.edits import Insert, Set, json_text
from evaltui.printable import quoted
from evaltui.scoring.metrics.tool_trajectory import match_type
from evaltui.validation.case_facts import CaseFacts, NumberedDiagnostic
from evaltui.validation.rule import FINAL, USER, Diagnostic, Fix, Rule, a_case, a_turn
from evaltui.validation.rules import conversations, rubrics

if TYPE_CHECKING:  # `evaltui rule` does not load configs
    from evaltui.scoring.eval_config import LoadedConfig

_with_config = partial(Rule, group="config")
_CALLS = '"intermediate_data": {"tool_uses": [{"name": "get_fines", "args": {}}]}'
_RESPONSE = '{"criteria": {"response_match_score": 0.8}}'
_TRAJECTORY = '{"criteria": {"tool_trajectory_avg_score": 1.0}}'
_POLITE = '"rubrics": [{"rubric_id": "polite", "rubric_content": {"text_property": "It is polite."}}]'
_RUBRICS = f'{{"criteria": {{"rubric_based_final_response_quality_v1": {{"threshold": 0.8, {_POLITE}}}}}}}'
_NO_RUBRICS = '{"criteria": {"rubric_based_final_response_quality_v1": {"threshold": 0.8}}}'
_CASES = "/eval_cases"


def _rubric(identifier: str) -> str:
    return (
        f'{{"user_content": {{"parts": [{{"text": "Hi"}}]}}, "rubrics": [\n  {{"rubric_id": "{identifier}", '
        '"type": "FINAL_RESPONSE_QUALITY",\n   "rubric_content": {"text_property": "It is short."}}]}'
    )


def under(config: LoadedConfig, found: Diagnostic) -> Diagnostic:
    """A diagnostic as the config changes it: a higher severity, or a better fix."""
    if found.code == conversations.NO_EXPECTATION.code:
        is_compared = config.needing("tool_calls") or config.needing("final_response")
        return replace(found, severity="warning") if is_compared else found
    if found.code == rubrics.RUBRIC_WITHOUT_TYPE.code and found.fix is not None and len(config.rubric_types) == 1:
        (kind,) = config.rubric_types
        edits = tuple(
            edit._replace(source=json_text(kind)) for edit in found.fix.edits if isinstance(edit, Insert | Set)
        )
        return replace(found, fix=Fix(f"Set the type to {kind}", True, edits))
    return found


def check_with_config(config: LoadedConfig, cases: Sequence[CaseFacts]) -> Iterator[NumberedDiagnostic]:
    """The diagnostics of group `config` in an eval set, from the facts of its cases."""
    if not any(facts.expects_text for facts in cases):  # only scenarios, or no cases: no expected values by design
        return
    yield from _final_responses(config, cases)
    yield from _trajectories(config, cases)
    yield from _rubrics(config, cases)


EMPTY_FINAL_RESPONSE = _with_config(
    "empty-final-response",
    "A turn has no final response, but the config has a metric that compares final responses.",
    "`response_match_score` is always 0.0 for such a turn (`RougeEvaluator` in "
    "google.adk.evaluation.final_response_match_v1). This lowers the mean of the case. The judge of "
    "`final_response_match_v2` has nothing to compare with.",
    a_case(f'{{"eval_id": "a", "conversation": [\n  {{{USER}, {FINAL}}},\n  {{{USER}, {_CALLS}}}]}}', _RESPONSE),
    a_case(
        f'{{"eval_id": "a", "conversation": [\n  {{{USER}, {FINAL}}},\n  {{{USER}, {_CALLS},\n   {FINAL}}}]}}',
        _RESPONSE,
    ),
)


def _final_responses(config: LoadedConfig, cases: Sequence[CaseFacts]) -> Iterator[NumberedDiagnostic]:
    metrics = [metric.name for metric in config.needing("final_response")]
    if not metrics:
        return
    if not any(any(facts.expects_text) for facts in cases):
        yield _none_expected(f"{' and '.join(metrics)}, and no case has a final response to compare with")
        return
    for number, facts in enumerate(cases):
        if facts.expects_nothing:
            continue
        for turn, has_text in enumerate(facts.expects_text):
            if not has_text:
                said = f"the turn expects no final response, so {metrics[0]} is 0.0"
                yield number, EMPTY_FINAL_RESPONSE.at(f"/conversation/{turn}/final_response", said)


UNEVEN_TRAJECTORY = _with_config(
    "uneven-trajectory",
    "With an EXACT trajectory metric, some turns of a case expect tool calls and others do not.",
    "`TrajectoryEvaluator` scores each turn alone. A turn without expected tool calls is 1.0 only if the agent calls "
    "no tool. This may be right. But often, the expected tool calls were forgotten.",
    a_case(f'{{"eval_id": "a", "conversation": [\n  {{{USER}, {_CALLS}}},\n  {{{USER}, {FINAL}}}]}}', _TRAJECTORY),
    a_case(
        f'{{"eval_id": "a", "conversation": [\n  {{{USER}, {_CALLS}}},\n  {{{USER}, {FINAL},\n   {_CALLS}}}]}}',
        _TRAJECTORY,
    ),
    severity="info",
)


def _trajectories(config: LoadedConfig, cases: Sequence[CaseFacts]) -> Iterator[NumberedDiagnostic]:
    metrics = config.needing("tool_calls")
    if not metrics:
        return
    if not any(any(facts.expects_calls) for facts in cases):
        yield _none_expected(f"{metrics[0].name}, and no case expects a tool call")
    elif _is_exact(config, metrics[0].name):
        for number, facts in enumerate(cases):
            if any(facts.expects_calls) and not all(facts.expects_calls):
                without = [str(turn) for turn, expects in enumerate(facts.expects_calls, 1) if not expects]
                turns = f"turn{'s' * (len(without) > 1)} {', '.join(without[:5])}{' …' if len(without) > 5 else ''}"
                said = f"the agent must call no tool in {turns}, but other turns expect tool calls"
                yield number, UNEVEN_TRAJECTORY.at("/conversation", said)


def _is_exact(config: LoadedConfig, metric: str) -> bool:
    raw = config.criteria[metric].raw
    given = raw.get("match_type", raw.get("matchType", "EXACT")) if isinstance(raw, dict) else "EXACT"
    return match_type(given) == "EXACT"


METRIC_WITHOUT_EXPECTATIONS = _with_config(
    "metric-without-expectations",
    "The config has a metric that compares with expected values, but no case has expected values.",
    "`response_match_score` is then 0.0 for every case. `tool_trajectory_avg_score` is 1.0 for every case in which "
    "the agent calls no tool, so the score is misleading.",
    a_turn(f"{{{USER}, {_CALLS}}}", _RESPONSE),
    a_turn(f"{{{USER}, {FINAL}}}", _RESPONSE),
)


def _none_expected(metrics: str) -> NumberedDiagnostic:
    return None, METRIC_WITHOUT_EXPECTATIONS.at(_CASES, f"the config has {metrics}")


METRIC_WITHOUT_RUBRICS = _with_config(
    "metric-without-rubrics",
    "The config has a rubric metric without rubrics, and no case has a rubric of its type.",
    "`RubricBasedEvaluator` (google.adk.evaluation.rubric_based_evaluator) reads the rubrics of its criterion, and "
    "rubrics of its type from cases and turns. Without any rubric it ends with *Rubrics are required*, and the "
    "metric is NOT_EVALUATED.",
    a_turn(f"{{{USER}, {FINAL}}}", _NO_RUBRICS),
    a_turn(f"{{{USER}, {FINAL}}}", _RUBRICS),
)
RUBRIC_ID_IN_CONFIG = _with_config(
    "rubric-id-in-config",
    "A rubric of a case or turn has the same id as a rubric of the config.",
    "`RubricBasedEvaluator.create_effective_rubrics_list` joins both lists and raises `ValueError: Rubric with "
    "rubric_id … already exists`. Then the metric is NOT_EVALUATED.",
    a_turn(_rubric("polite"), _RUBRICS),
    a_turn(_rubric("short"), _RUBRICS),
)


def _rubrics(config: LoadedConfig, cases: Sequence[CaseFacts]) -> Iterator[NumberedDiagnostic]:
    for metric in config.needing("rubrics"):
        criterion = config.criteria[metric.name]
        if not criterion.rubric_ids and not any(metric.rubric_type in facts.rubric_types for facts in cases):
            said = (
                f"the config has {metric.name} without rubrics, and no case has a rubric of type {metric.rubric_type}"
            )
            yield None, METRIC_WITHOUT_RUBRICS.at(_CASES, said)
        for number, facts in enumerate(cases):
            for identifier, kind, pointer in facts.rubric_ids:
                if kind == metric.rubric_type and identifier in criterion.rubric_ids:
                    said = f"rubric {quoted(identifier, 40)} is also in the config, so {metric.name} is not evaluated"
                    yield number, RUBRIC_ID_IN_CONFIG.at(pointer, said)

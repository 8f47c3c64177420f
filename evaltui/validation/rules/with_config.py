"""Rules about an eval set together with its loaded config."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from evaltui.document.edits import Insert, Set, json_text
from evaltui.document.scanner import read_json
from evaltui.evalset.editing.new_ids import fresh_id
from evaltui.printable import quoted
from evaltui.scoring.metrics.tool_trajectory import read_match_type
from evaltui.validation.checked_case import CaseFacts
from evaltui.validation.rule_types import FINAL, USER, Diagnostic, Fix, Rule, SetCheck, a_case, a_turn, renaming
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


def under(config: LoadedConfig, diagnostic: Diagnostic, facts: CaseFacts | None = None) -> Diagnostic:
    """A diagnostic as the config changes it: a higher severity, or a better fix. `facts` are those of its case."""
    code, fix = diagnostic.code, diagnostic.fix
    if code == conversations.NO_EXPECTATION.code:
        is_compared = config.needing("tool_calls") or config.needing("final_response")
        return replace(diagnostic, severity="warning") if is_compared else diagnostic
    if code == rubrics.RUBRIC_WITHOUT_TYPE.code and fix is not None and len(config.rubric_types) == 1:
        (kind,) = config.rubric_types
        edits = tuple(edit._replace(source=json_text(kind)) for edit in fix.edits if isinstance(edit, Insert | Set))
        return replace(diagnostic, fix=Fix(f"Set the type to {kind}", True, edits))
    if code == rubrics.DUPLICATE_RUBRIC_ID.code and fix is not None and facts is not None:
        (edit,) = fix.edits
        if isinstance(edit, Set) and (proposed := read_json(edit.source)) in config.rubric_ids:
            return replace(diagnostic, fix=renaming(edit.pointer, _free_rubric_id(proposed, config, facts)))
    return diagnostic


def _free_rubric_id(identifier: str, config: LoadedConfig, facts: CaseFacts) -> str:
    """An id like `identifier` that no rubric of the config, the case or its turns has."""
    all_ids = config.rubric_ids.union(rubric_id for rubric_id, _, _ in facts.rubric_ids)
    return fresh_id([identifier], identifier, all_ids.__contains__)


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
METRIC_WITHOUT_EXPECTATIONS = _with_config(
    "metric-without-expectations",
    "The config has a metric that compares with expected values, but no case has expected values.",
    "`response_match_score` is then 0.0 for every case. `tool_trajectory_avg_score` is 1.0 for every case in which "
    "the agent calls no tool, so the score is misleading. If all cases are scenarios, both metrics are NOT_EVALUATED: "
    "google-adk has no expected invocations to compare with (google.adk.evaluation.local_eval_service).",
    a_turn(f"{{{USER}, {_CALLS}}}", _RESPONSE),
    a_turn(f"{{{USER}, {FINAL}}}", _RESPONSE),
)
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
    "Adds the next free number to the id of the rubric in the case.",
)


class MetricsOfConfig(SetCheck):
    """Cases without what a metric of the config compares, and rubrics with the id of a rubric of the config."""

    def __init__(self, config: LoadedConfig) -> None:
        from evaltui.scoring.eval_config import rubric_ids_of

        self._config = config
        self._response_metrics, self._call_metrics = config.needing("final_response"), config.needing("tool_calls")
        self._rubric_metrics = [
            (metric, rubric_ids_of(config.criteria[metric.name])) for metric in config.needing("rubrics")
        ]
        """With the ids of the rubrics in the criterion of each."""
        self._has_turns = self._has_scenarios = self._has_responses = self._has_calls = False
        """Whether a case has turns, is a scenario, and expects a final response or a tool call."""
        self._types: set[str] = set()

    def note(self, cases: Iterable[tuple[int, CaseFacts]]) -> list[int]:
        """Cases in which some turns lack what others expect, and cases with rubrics."""
        suspects = []
        for number, facts in cases:
            self._has_turns = self._has_turns or bool(facts.expects_text)
            self._has_scenarios = self._has_scenarios or facts.is_scenario
            self._has_responses = self._has_responses or any(facts.expects_text)
            self._has_calls = self._has_calls or any(facts.expects_calls)
            self._types.update(kind for _, kind, _ in facts.rubric_ids)
            if not (all(facts.expects_text) and all(facts.expects_calls)) or facts.rubric_ids:
                suspects.append(number)
        return suspects

    def of_set(self) -> Iterator[Diagnostic]:
        """Metrics for which no case expects a value, or has a rubric."""
        for metrics, is_expected, clause, plural in (
            (self._response_metrics, self._has_responses, "has a final response to compare with", "final response"),
            (self._call_metrics[:1], self._has_calls, "expects a tool call", "tool calls"),
        ):
            names, verb = " and ".join(metric.name for metric in metrics), "is" if len(metrics) == 1 else "are"
            if names and self._has_turns and not is_expected:
                yield METRIC_WITHOUT_EXPECTATIONS.at(_CASES, f"the config has {names}, and no case {clause}")
            # A simulated user has all conversations, so that no value is ever expected.
            if names and self._has_scenarios and not self._has_turns:
                message = f"the config has {names}, which {verb} never evaluated: scenarios expect no {plural}"
                yield METRIC_WITHOUT_EXPECTATIONS.at(_CASES, message)
        # Nothing in a set of scenarios, for which no such metric is evaluated.
        for metric, ids in self._rubric_metrics if self._has_turns else ():
            if not ids and metric.rubric_type not in self._types:
                type_clause = f"no case has a rubric of type {metric.rubric_type}"
                message = f"the config has {metric.name} without rubrics, and {type_clause}"
                yield METRIC_WITHOUT_RUBRICS.at(_CASES, message)

    @cached_property
    def _compares_exactly(self) -> bool:
        raw = self._config.criteria[self._call_metrics[0].name] if self._call_metrics else None
        match_type = raw.get("match_type", raw.get("matchType", "EXACT")) if isinstance(raw, dict) else "EXACT"
        return bool(self._call_metrics) and read_match_type(match_type) == "EXACT"

    def of_case(self, number: int, facts: CaseFacts) -> Iterator[Diagnostic]:
        """Turns without a final response or tool calls, and rubrics that are also in the config."""
        # A case that expects nothing has a diagnostic of its own.
        if self._response_metrics and self._has_responses and not facts.expects_nothing:
            message = f"the turn expects no final response, so {self._response_metrics[0].name} is 0.0"
            for turn, has_text in enumerate(facts.expects_text):
                if not has_text:
                    yield EMPTY_FINAL_RESPONSE.at(f"/conversation/{turn}/final_response", message)
        without = [str(turn) for turn, expects in enumerate(facts.expects_calls, 1) if not expects]
        if without and any(facts.expects_calls) and self._compares_exactly:
            turns = f"turn{'s' * (len(without) > 1)} {', '.join(without[:5])}{' …' if len(without) > 5 else ''}"
            message = f"the agent must call no tool in {turns}, but other turns expect tool calls"
            yield UNEVEN_TRAJECTORY.at("/conversation", message)
        for metric, ids in self._rubric_metrics if self._has_turns else ():
            for identifier, kind, pointer in facts.rubric_ids:
                if kind == metric.rubric_type and identifier in ids:
                    rubric = f"rubric {quoted(identifier, 40)}"
                    message = f"{rubric} is also in the config, so {metric.name} is not evaluated"
                    fix = renaming(pointer, _free_rubric_id(identifier, self._config, facts))
                    yield RUBRIC_ID_IN_CONFIG.at(pointer, message, fix=fix)

"""Rules about an eval set together with its loaded config."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from evaltui.document.edits import Insert, Set, json_text
from evaltui.document.scanner import read_json
from evaltui.evalset.editing.new_ids import fresh_id
from evaltui.printable import quoted
from evaltui.scoring.metrics.tool_trajectory import read_match_type
from evaltui.validation.checked_case import CaseFacts
from evaltui.validation.rule_types import FINAL, USER, Diagnostic, Fix, Rule, a_case, a_turn, renaming
from evaltui.validation.rules import conversations, rubrics
from evaltui.validation.set_check import NumberedFacts, SetCheck

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


class _ConfigCheck(SetCheck):
    need: str
    """What its metrics compare, as a word of `LoadedConfig.needing`."""

    def __init__(self, config: LoadedConfig) -> None:
        self._config = config
        self._metrics = config.needing(self.need)
        self._has_turns = self._has_scenarios = self._has_some = False
        """Whether a case has turns, is a scenario, and expects what the metrics compare."""

    def note(self, cases: Iterable[NumberedFacts]) -> list[int]:
        """Cases that may have a diagnostic; none if the config has no such metric."""
        suspects = []
        for number, facts in cases if self._metrics else ():
            self._has_turns = self._has_turns or bool(facts.expects_text)
            self._has_scenarios = self._has_scenarios or facts.is_scenario
            if self._note_case(facts):
                suspects.append(number)
        return suspects

    def _note_case(self, facts: CaseFacts) -> bool:
        """Take in the facts of a case; returns whether it may have a diagnostic."""
        raise NotImplementedError

    def _none_expected(self, metrics: str, clause: str, plural: str, verb: str = "is") -> Iterator[Diagnostic]:
        """The diagnostics that no case expects a value of some kind, which `clause` names."""
        if self._has_turns and not self._has_some:
            yield METRIC_WITHOUT_EXPECTATIONS.at(_CASES, f"the config has {metrics}, and no case {clause}")
        # A simulated user has all conversations, so that no value is ever expected.
        if self._has_scenarios and not self._has_turns:
            message = f"the config has {metrics}, which {verb} never evaluated: scenarios expect no {plural}"
            yield METRIC_WITHOUT_EXPECTATIONS.at(_CASES, message)


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


class FinalResponses(_ConfigCheck):
    """Turns without a final response, if a metric compares it."""

    need = "final_response"

    def _note_case(self, facts: CaseFacts) -> bool:
        self._has_some = self._has_some or any(facts.expects_text)
        # A case that expects nothing has a diagnostic of its own.
        return bool(facts.expects_text) and not all(facts.expects_text) and not facts.expects_nothing

    def of_set(self) -> Iterator[Diagnostic]:
        """No case expects a final response."""
        metrics = " and ".join(metric.name for metric in self._metrics)
        verb = "is" if len(self._metrics) == 1 else "are"
        yield from self._none_expected(metrics, "has a final response to compare with", "final response", verb)

    @property
    def finds_in_cases(self) -> bool:
        """Whether a case expects a final response."""
        return self._has_some

    def of_case(self, number: int, facts: CaseFacts) -> Iterator[Diagnostic]:
        """The turns without a final response."""
        message = f"the turn expects no final response, so {self._metrics[0].name} is 0.0"
        for turn, has_text in enumerate(facts.expects_text):
            if not has_text:
                yield EMPTY_FINAL_RESPONSE.at(f"/conversation/{turn}/final_response", message)


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


class Trajectories(_ConfigCheck):
    """Cases in which only some turns expect tool calls, if a metric compares them exactly."""

    need = "tool_calls"

    def _note_case(self, facts: CaseFacts) -> bool:
        has_calls = any(facts.expects_calls)
        self._has_some = self._has_some or has_calls
        return has_calls and not all(facts.expects_calls)

    def of_set(self) -> Iterator[Diagnostic]:
        """No case expects a tool call."""
        if self._metrics:
            yield from self._none_expected(self._metrics[0].name, "expects a tool call", "tool calls")

    @property
    def finds_in_cases(self) -> bool:
        """Whether calls are compared exactly."""
        if not (self._has_turns and self._has_some):
            return False
        raw = self._config.criteria[self._metrics[0].name]
        match_type = raw.get("match_type", raw.get("matchType", "EXACT")) if isinstance(raw, dict) else "EXACT"
        return read_match_type(match_type) == "EXACT"

    def of_case(self, number: int, facts: CaseFacts) -> Iterator[Diagnostic]:
        """The turns without tool calls."""
        without = [str(turn) for turn, expects in enumerate(facts.expects_calls, 1) if not expects]
        turns = f"turn{'s' * (len(without) > 1)} {', '.join(without[:5])}{' …' if len(without) > 5 else ''}"
        message = f"the agent must call no tool in {turns}, but other turns expect tool calls"
        yield UNEVEN_TRAJECTORY.at("/conversation", message)


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


class RubricsOfMetrics(_ConfigCheck):
    """Rubric metrics without rubrics, and rubrics of cases with the id of a rubric of the config."""

    need = "rubrics"

    def __init__(self, config: LoadedConfig) -> None:
        super().__init__(config)
        from evaltui.scoring.eval_config import rubric_ids_of

        self._ids = {metric.name: rubric_ids_of(config.criteria[metric.name]) for metric in self._metrics}
        """The ids of the rubrics in the criterion of each metric."""
        self._types: set[str] = set()

    def _note_case(self, facts: CaseFacts) -> bool:
        self._types.update(kind for _, kind, _ in facts.rubric_ids)
        return bool(facts.rubric_ids)

    def of_set(self) -> Iterator[Diagnostic]:
        """Metrics for which there is no rubric anywhere."""
        # Nothing in a set of scenarios, for which no such metric is evaluated.
        for metric in self._metrics if self._has_turns else ():
            if not self._ids[metric.name] and metric.rubric_type not in self._types:
                type_clause = f"no case has a rubric of type {metric.rubric_type}"
                message = f"the config has {metric.name} without rubrics, and {type_clause}"
                yield METRIC_WITHOUT_RUBRICS.at(_CASES, message)

    @property
    def finds_in_cases(self) -> bool:
        """Whether the config has rubrics of its own."""
        return self._has_turns and any(self._ids.values())

    def of_case(self, number: int, facts: CaseFacts) -> Iterator[Diagnostic]:
        """The rubrics that are also in the config."""
        for metric in self._metrics:
            for identifier, kind, pointer in facts.rubric_ids:
                if kind == metric.rubric_type and identifier in self._ids[metric.name]:
                    rubric = f"rubric {quoted(identifier, 40)}"
                    message = f"{rubric} is also in the config, so {metric.name} is not evaluated"
                    fix = renaming(pointer, _free_rubric_id(identifier, self._config, facts))
                    yield RUBRIC_ID_IN_CONFIG.at(pointer, message, fix=fix)

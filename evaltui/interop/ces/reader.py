"""Evaluations of CX Agent Studio, read: one, a list, or a page of `evaluations.list`, in either key case."""

from __future__ import annotations

from datetime import UTC, datetime

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of, member, snake
from evaltui.interop.ces.message_reader import OF_CES, MessageReader
from evaltui.interop.fields import SetField, SourceFields
from evaltui.interop.format_type import ConversionError, ConversionOptions
from evaltui.interop.output_tree import Made, Value
from evaltui.interop.portable_set import (
    PortableCase,
    PortableContent,
    PortableEvent,
    PortableRubric,
    PortableScenario,
    PortableSet,
    PortableTurn,
    ResponsePart,
)
from evaltui.interop.resource_mapping import ResourceNames, last_segment

_RESULTS = ("aggregated_metrics", "last_completed_result", "last_ten_results")
_OPTIONS = ("evaluation_metrics_threshold_override", "evaluation_metrics_config_override")
_KNOWN = ("display_name", "description", "tags", "create_time", "golden", "scenario", *_RESULTS, *_OPTIONS)
_SCENARIO = ("task", "rubrics", "variable_overrides", "evaluation_expectations")
_EXPECTATION_OPTIONS = (
    "note",
    "skip_evaluation",
    "comparison_type",
    "expectation_level_metrics_thresholds_override",
    "agent_response_semantic_similarity_metrics_config_override",
    "agent_response_hallucination_metrics_config_override",
)
_TURN_OPTIONS = ("turn_level_metrics_thresholds_override", "hallucination_metric_behavior_override")


def read_evaluations(root: Node, options: ConversionOptions) -> PortableSet:
    """Read evaluations as the cases of one set; the mapping has short names for their tools and agents.

    Raises `ConversionError` if there are none.
    """
    # An evaluation may have an extra key `evaluations`, so its own shape comes first.
    pages = items_of(root, "evaluations")
    nodes = root.items if root.kind == "array" else pages if member(root, "golden") is None else []
    evaluations = [node for node in nodes or [root] if node.kind == "object"]
    if not any(member(node, name) is not None for node in evaluations for name in ("golden", "scenario")):
        raise ConversionError("not an evaluation of CX Agent Studio: it has no golden and no scenario")
    portable = PortableSet(root, SourceFields(), id=options.name)
    messages = MessageReader(portable, options.mapping or ResourceNames())
    portable.cases = [_read_case(node, portable.fields, messages) for node in evaluations]
    return portable


def _read_case(node: Node, fields: SourceFields, messages: MessageReader) -> PortableCase:
    case = PortableCase(node, id=fields.read(node, "display_name", SetField.CASE_ID), time=_read_time(node, fields))
    resource = filled(node, "name")
    if not (isinstance(case.id, Node) and case.id.text()):
        case.id = Made(last_segment(resource.text()), ()) if resource is not None and resource.text() else None
    case.description = fields.read(node, "description", SetField.CASE_DESCRIPTION)
    case.tags = [fields.note(tag, SetField.CASE_TAGS) for tag in items_of(node, "tags")]
    for names, field in ((_RESULTS, SetField.RECORDED), (_OPTIONS, SetField.EXPECTATION_OPTIONS)):
        for name in names:
            fields.read(node, name, field)
    case.extras = fields.read_extras(node, _KNOWN, SetField.CASE_OTHER)
    if (golden := filled(node, "golden")) is not None:
        _GoldenReader(case, fields, messages).read(golden)
        _read_criteria(golden, case, fields)
    if (scenario := filled(node, "scenario")) is not None:
        _read_scenario(scenario, case, fields)
    return case


def _read_time(node: Node, fields: SourceFields) -> Value | None:
    """The creation time in seconds since 1970."""
    created = fields.read(node, "create_time", SetField.CASE_TIME)
    if created is None:
        return None
    try:
        moment = datetime.fromisoformat(created.text())
    except ValueError:
        return None
    # Protocol buffers write times in UTC, some people leave the zone out.
    return Made((moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp(), (created,))


def _read_scenario(node: Node, case: PortableCase, fields: SourceFields) -> None:
    case.scenario = PortableScenario(node, plan=fields.read(node, "task", SetField.SCENARIO_PLAN))
    for value in node.items:
        # A list in place of a scenario has unknown fields, too: its items have no names.
        if snake(value.name) not in _SCENARIO and value.kind != "null":
            case.scenario.extras[value.name] = fields.note(value, SetField.SCENARIO_OTHER)
    for text in items_of(node, "rubrics"):
        case.rubrics.append(PortableRubric(text, text=fields.note(text, SetField.CASE_RUBRICS)))
    variables = filled(node, "variable_overrides")
    if variables is not None and variables.kind == "object":
        case.take_state(variables, fields)
    _read_criteria(node, case, fields)


def _read_criteria(owner: Node, case: PortableCase, fields: SourceFields) -> None:
    """Criteria of a judge: resource names, or whole expectations as exports of cxas have them."""
    for node in items_of(owner, "evaluation_expectations"):
        text = filled(filled(node, "llm_criteria"), "prompt")
        if text is None:
            case.criteria.append(fields.note(node, SetField.CRITERIA))
        else:
            fields.note(node, SetField.CASE_RUBRICS)
            case.rubrics.append(PortableRubric(node, id=filled(node, "display_name"), text=text))


class _GoldenReader:
    """Reads the golden conversation of one evaluation into its case (`Evaluation.Golden`)."""

    def __init__(self, case: PortableCase, fields: SourceFields, messages: MessageReader) -> None:
        self._case, self._fields, self._messages = case, fields, messages
        self._turns: list[PortableTurn] = []
        self._agent_messages: list[PortableEvent] = []
        """The messages of the agent in the turn that is being read."""
        self._updated: Node | None = None
        self._has_begun = False

    def read(self, golden: Node) -> None:
        for turn in items_of(golden, "turns"):
            self._begin_turn(turn)
            for step in items_of(turn, "steps"):
                self._read_step(step)
            self._fields.read(turn, "root_span", SetField.TURN_OTHER, OF_CES)
            for name in _TURN_OPTIONS:
                self._fields.read(turn, name, SetField.EXPECTATION_OPTIONS)
        self._end_turn()
        # A turn may have only variables.
        self._case.turns = [
            turn
            for turn in self._turns
            if turn.user.parts or turn.events or turn.final is not None or turn.expects_no_calls
        ]
        if self._updated is not None:
            self._case.final_state = self._fields.note(self._updated, SetField.FINAL_STATE)

    def _begin_turn(self, node: Node) -> None:
        self._end_turn()
        self._turns.append(PortableTurn(node))
        self._agent_messages = []
        if self._updated is not None:  # variables of an earlier turn are not the final state
            self._fields.note(self._updated, SetField.TURN_OTHER, OF_CES)
            self._updated = None

    def _end_turn(self) -> None:
        """Make the last message of the turn its final response, even if calls follow it, as in files of cxas."""
        if not self._agent_messages:
            return
        turn, last = self._turns[-1], self._agent_messages[-1]
        turn.events = [event for event in turn.events if event is not last]
        turn.final = last.content
        if turn.final is not None:
            self._messages.mark_final(turn.final)

    def _read_step(self, step: Node) -> None:
        if (user_input := filled(step, "user_input")) is not None:
            self._read_user_input(user_input)
        elif (transfer := filled(step, "agent_transfer")) is not None:
            self._add_event(PortableContent([self._messages.transfer(transfer)]))
        elif (expectation := filled(step, "expectation")) is not None:
            self._read_expectation(expectation)
            for name in _EXPECTATION_OPTIONS:
                option = self._fields.read(expectation, name, SetField.EXPECTATION_OPTIONS)
                if option is not None and (option.source() == b"false" or option.text().endswith("_UNSPECIFIED")):
                    self._fields.pass_over(option)

    def _read_user_input(self, node: Node) -> None:
        if (variables := filled(node, "variables")) is not None:
            # Variables before the first user message are the session state. Later ones have no counterpart.
            if self._has_begun or variables.kind != "object":
                self._fields.note(variables, SetField.TURN_OTHER, OF_CES)
            else:
                self._case.take_state(variables, self._fields)
            return
        turn = self._turns[-1]
        # A turn of CX Agent Studio may have several user inputs: one after an expectation begins a new turn here.
        if turn.events or self._agent_messages or turn.expects_no_calls:
            self._begin_turn(node)
        self._has_begun = True
        self._turns[-1].user.parts += self._messages.user_input(node)

    def _read_expectation(self, node: Node) -> None:
        self._has_begun = True
        if (call := filled(node, "tool_call")) is not None:
            self._add_event(PortableContent([self._messages.call(call)]))
        elif (response := filled(node, "agent_response")) is not None:
            self._agent_messages.append(self._add_event(self._messages.message(response)))
        elif (transfer := filled(node, "agent_transfer")) is not None:
            self._add_event(PortableContent([self._messages.transfer(transfer)]))
        elif (variables := filled(node, "updated_variables")) is not None:
            if self._updated is not None:
                self._fields.note(self._updated, SetField.TURN_OTHER, OF_CES)
            self._updated = variables
        elif (no_calls := filled(node, "no_tool_calls")) is not None:
            self._fields.note(no_calls, SetField.NO_CALLS)
            if no_calls.source() == b"true":
                self._turns[-1].expects_no_calls, self._turns[-1].no_calls = True, no_calls
            elif no_calls.source() == b"false":
                self._fields.pass_over(no_calls)
        for name, is_mock in (("mock_tool_response", True), ("tool_response", False)):
            if (response := filled(node, name)) is not None:
                self._add_event(PortableContent([self._messages.response(response, is_mock)]))

    def _add_event(self, content: PortableContent) -> PortableEvent:
        is_response = bool(content.parts) and isinstance(content.parts[0], ResponsePart)
        event = PortableEvent(content, is_of_user=is_response)
        self._turns[-1].events.append(event)
        return event

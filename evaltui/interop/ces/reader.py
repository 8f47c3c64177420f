"""Reader of CX Agent Studio evaluations: one, a list, or a page of `evaluations.list`, in either key case."""

from __future__ import annotations

from datetime import UTC, datetime

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of, member, snake
from evaltui.interop.ces.message_reader import OF_CES, MessageReader
from evaltui.interop.fields import SetField, SourceFields
from evaltui.interop.format_type import ConversionError
from evaltui.interop.output_tree import Made, Value
from evaltui.interop.portable_set import (
    PortableCase,
    PortableContent,
    PortableEvent,
    PortableRubric,
    PortableScenario,
    PortableSession,
    PortableSet,
    PortableTurn,
    ResponsePart,
)
from evaltui.interop.resource_names import ResourceNames, last_segment

_OPTIONS = (
    "note",
    "skip_evaluation",
    "comparison_type",
    "expectation_level_metrics_thresholds_override",
    "agent_response_semantic_similarity_metrics_config_override",
    "agent_response_hallucination_metrics_config_override",
)
_TURN_OPTIONS = ("turn_level_metrics_thresholds_override", "hallucination_metric_behavior_override")


class GoldenReader:
    """Reads the conversation of one evaluation into its case.

    A turn of CX Agent Studio may have several user inputs: an input after an expectation begins a new turn. The last
    response of a turn is its final response, even if calls follow it, as in files that cxas writes.
    """

    def __init__(self, portable: PortableSet, case: PortableCase, names: ResourceNames) -> None:
        self._fields, self._case = portable.fields, case
        self._messages = MessageReader(portable, names)
        self._turns: list[PortableTurn] = []
        self._said: list[PortableEvent] = []
        self._updated: Node | None = None
        self._has_begun = False

    def golden(self, node: Node) -> None:
        """Read a golden conversation."""
        for turn in items_of(node, "turns"):
            self._begin(turn)
            for step in items_of(turn, "steps"):
                self._step(step)
            self._messages.note(turn, "root_span", SetField.TURN_OTHER, OF_CES)
            for name in _TURN_OPTIONS:
                self._messages.note(turn, name, SetField.EXPECTATION_OPTIONS)
        self._end()
        self._case.turns = [each for each in self._turns if not _is_empty(each)]
        if self._updated is not None:
            self._case.final_state = self._fields.note(self._updated, SetField.FINAL_STATE)

    def _begin(self, node: Node) -> None:
        self._end()
        self._turns.append(PortableTurn(node))
        self._said = []
        if self._updated is not None:  # variables of an earlier turn are not the final state
            self._fields.note(self._updated, SetField.TURN_OTHER, OF_CES)
            self._updated = None

    def _end(self) -> None:
        """Make the last message of the turn its final response."""
        if not self._said:
            return
        turn, last = self._turns[-1], self._said[-1]
        turn.events = [each for each in turn.events if each is not last]
        turn.final = last.content
        if turn.final is not None:
            self._messages.mark_final(turn.final)

    # --- steps ---------------------------------------------------------------------------------------------

    def _step(self, step: Node) -> None:
        if (given := filled(step, "user_input")) is not None:
            self._user_input(given)
        elif (transfer := filled(step, "agent_transfer")) is not None:
            self._add(PortableContent([self._messages.transfer(transfer)]))
        elif (expected := filled(step, "expectation")) is not None:
            self._expectation(expected)
            self._options(expected)

    def _user_input(self, node: Node) -> None:
        variables = filled(node, "variables")
        if variables is not None:
            self._variables(variables)
            return
        turn = self._turns[-1]
        if turn.events or self._said or turn.expects_no_calls:
            self._begin(node)
        self._has_begun = True
        self._turns[-1].user.parts += self._messages.user_input(node)

    def _variables(self, node: Node) -> None:
        """Variables before the first user message are the session state. Later ones have no counterpart."""
        if self._has_begun or node.kind != "object":
            self._fields.note(node, SetField.TURN_OTHER, OF_CES)
        else:
            take_state(self._case, node, self._fields)

    def _expectation(self, node: Node) -> None:
        self._has_begun = True
        if (call := filled(node, "tool_call")) is not None:
            self._add(PortableContent([self._messages.call(call)]))
        elif (said := filled(node, "agent_response")) is not None:
            self._said.append(self._add(self._messages.message(said)))
        elif (transfer := filled(node, "agent_transfer")) is not None:
            self._add(PortableContent([self._messages.transfer(transfer)]))
        elif (variables := filled(node, "updated_variables")) is not None:
            if self._updated is not None:
                self._fields.note(self._updated, SetField.TURN_OTHER, OF_CES)
            self._updated = variables
        elif (none := filled(node, "no_tool_calls")) is not None:
            self._no_calls(none)
        for name, is_mock in (("mock_tool_response", True), ("tool_response", False)):
            if (response := filled(node, name)) is not None:
                self._add(PortableContent([self._messages.response(response, is_mock)]))

    def _no_calls(self, node: Node) -> None:
        if node.source() == b"true":
            self._turns[-1].expects_no_calls = True
            self._turns[-1].no_calls = self._fields.note(node, SetField.NO_CALLS)
        elif node.source() == b"false":
            self._fields.pass_over(node)
        else:
            self._fields.note(node, SetField.NO_CALLS)

    def _add(self, content: PortableContent) -> PortableEvent:
        event = PortableEvent(content, is_of_user=isinstance(content.parts[0] if content.parts else None, ResponsePart))
        self._turns[-1].events.append(event)
        return event

    def _options(self, node: Node) -> None:
        for name in _OPTIONS:
            found = self._messages.note(node, name, SetField.EXPECTATION_OPTIONS)
            if found is not None and (found.source() == b"false" or found.text().endswith("_UNSPECIFIED")):
                self._fields.pass_over(found)


def take_state(case: PortableCase, node: Node, fields: SourceFields) -> None:
    """Add variables to the state at the start of a case. A later variable replaces one with the same name."""
    fields.note(node, SetField.STATE)
    if case.session is None:
        case.session = PortableSession(node)
    case.session.take_state(node, fields)


def _is_empty(turn: PortableTurn) -> bool:
    return not (turn.user.parts or turn.events or turn.final is not None or turn.expects_no_calls)


_RESULTS = ("aggregated_metrics", "last_completed_result", "last_ten_results")
_METRIC_OPTIONS = ("evaluation_metrics_threshold_override", "evaluation_metrics_config_override")
_KNOWN = ("display_name", "description", "tags", "create_time", "golden", "scenario", *_RESULTS, *_METRIC_OPTIONS)
_SCENARIO = ("task", "rubrics", "variable_overrides", "evaluation_expectations")
_TIME = "the time becomes seconds since 1970"


def read_evaluations(root: Node, name: str, names: ResourceNames | None = None) -> PortableSet:
    """Read evaluations as the cases of one set; `names` has short names for their tools and agents.

    Raises `ConversionError` if there are none.
    """
    found = PortableSet(root, SourceFields(), id=name)
    reader = _EvaluationReader(found, names if names is not None else ResourceNames())
    found.cases = [reader.case(each) for each in _evaluations(root)]
    return found


def _evaluations(root: Node) -> list[Node]:
    listed = items_of(root, "evaluations")
    nodes = root.items if root.kind == "array" else listed if member(root, "golden") is None else []
    found = [each for each in nodes or [root] if each.kind == "object"]
    if not any(member(each, name) is not None for each in found for name in ("golden", "scenario")):
        raise ConversionError("not an evaluation of CX Agent Studio: it has no golden and no scenario")
    return found


class _EvaluationReader:
    """Reads evaluations and notes the fields of their values."""

    def __init__(self, portable: PortableSet, names: ResourceNames) -> None:
        self._portable, self._names, self.fields = portable, names, portable.fields

    def case(self, node: Node) -> PortableCase:
        """One evaluation."""
        found = PortableCase(node, id=self._id(node))
        found.description = self._noted(node, "description", SetField.CASE_DESCRIPTION)
        found.tags = [self.fields.note(each, SetField.CASE_TAGS) for each in items_of(node, "tags")]
        for names, field in ((_RESULTS, SetField.RECORDED), (_METRIC_OPTIONS, SetField.EXPECTATION_OPTIONS)):
            for name in names:
                self._noted(node, name, field)
        found.others = {
            item.name: self.fields.note(item, SetField.CASE_OTHER)
            for item in node.items
            if snake(item.name) not in _KNOWN and item.kind != "null" and node.member(item.name) is item
        }
        found.time = self._time(node)
        if (golden := filled(node, "golden")) is not None:
            GoldenReader(self._portable, found, self._names).golden(golden)
            self._criteria(golden, found)
        if (scenario := filled(node, "scenario")) is not None:
            self._scenario(scenario, found)
        return found

    def _id(self, node: Node) -> Value | None:
        shown = self._noted(node, "display_name", SetField.CASE_ID)
        if shown is not None and shown.text():
            return shown
        resource = filled(node, "name")
        return Made(last_segment(resource.text()), ()) if resource is not None and resource.text() else None

    def _time(self, node: Node) -> Value | None:
        created = self._noted(node, "create_time", SetField.CASE_TIME)
        if created is None:
            return None
        try:
            moment = datetime.fromisoformat(created.text())
        except ValueError:
            return None
        seconds = (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp()
        return Made(seconds, (created,), None, _TIME)

    def _scenario(self, node: Node, case: PortableCase) -> None:
        case.scenario = PortableScenario(node, plan=self._noted(node, "task", SetField.SCENARIO_PLAN))
        for item in node.items:
            if snake(item.name) not in _SCENARIO and item.kind != "null":
                case.scenario.others[item.name] = self.fields.note(item, SetField.SCENARIO_OTHER)
        for text in items_of(node, "rubrics"):
            self.fields.note(text, SetField.CASE_RUBRICS)
            case.rubrics.append(PortableRubric(text, text=text))
        variables = filled(node, "variable_overrides")
        if variables is not None and variables.kind == "object":
            take_state(case, variables, self.fields)
        self._criteria(node, case)

    def _criteria(self, node: Node, case: PortableCase) -> None:
        """Criteria of a judge: resource names, or whole expectations as exports of cxas have them."""
        for each in items_of(node, "evaluation_expectations"):
            text = filled(filled(each, "llm_criteria"), "prompt")
            if text is None:
                case.criteria.append(self.fields.note(each, SetField.CRITERIA))
                continue
            self.fields.note(each, SetField.CASE_RUBRICS)
            case.rubrics.append(PortableRubric(each, id=filled(each, "display_name"), text=text))

    def _noted(self, owner: Node, name: str, field: SetField) -> Node | None:
        found = filled(owner, name)
        return self.fields.note(found, field) if found is not None else None

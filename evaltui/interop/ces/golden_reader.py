"""Golden conversations of CX Agent Studio, read (`Evaluation.Golden`)."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of
from evaltui.interop.ces.message_reader import OF_CES, MessageReader
from evaltui.interop.fields import SetField
from evaltui.interop.portable_set import (
    PortableCase,
    PortableContent,
    PortableEvent,
    PortableSession,
    PortableSet,
    PortableTurn,
    ResponsePart,
)
from evaltui.interop.resource_names import ResourceNames
from evaltui.interop.source_fields import SourceFields

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

"""Golden conversations of CX Agent Studio, written (`Evaluation.Golden`)."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.document.node import Node
from evaltui.evalset.keys import filled
from evaltui.interop.ces.message_writer import MessageWriter, variables_tree
from evaltui.interop.cx_cases import TRANSFER
from evaltui.interop.fields import HELD, Reason, SourceFields
from evaltui.interop.output_tree import Made, Tree, only_text, remade, text_in, value_of, with_reason
from evaltui.interop.portable_set import CallPart, Part, PortableCase, PortableTurn, ResponsePart, TextPart
from evaltui.interop.resource_mapping import ResourceNames
from evaltui.interop.unread_content import turns_tree

_MOST_TURNS = 100
"""The most turns of a golden conversation."""
_TOO_MANY = Reason("no_place", "an evaluation in CX Agent Studio has at most 100 turns", "Split the case.")
_NO_ANSWER = Reason("no_place", "a transfer to an agent has no response in CX Agent Studio")
MOCKED = Reason(
    "changed",
    "the tool response becomes a mockToolResponse: the agent gets it, and the real tool is not called",
    "If the real tool must return this response, rename mockToolResponse to toolResponse.",
)
_AN_INPUT = Reason("changed", "CX Agent Studio has no user events inside a turn, so the text becomes a user input")
NOT_FINAL = Reason("changed", "CX Agent Studio uses the last text of a turn as its response")
_WHOLE_STATE = Reason(
    "changed", "the state becomes expected variables, and CX Agent Studio ignores all other variables"
)
_IN_RESOURCE = Reason(
    "changed",
    "the evaluation has only the resource name of the expectation, as listed in the mapping",
    "Check that the expectation has the same text as the rubric.",
)

Steps = list[Tree]


class GoldenWriter:
    """Writes the conversations of cases as golden conversations."""

    def __init__(self, names: ResourceNames, fields: SourceFields) -> None:
        self._messages = MessageWriter(names, fields)
        self._names, self._fields = names, fields

    def golden(self, case: PortableCase) -> Tree:
        """The conversation of a case, its first 100 turns."""
        turns = case.turns or []
        steps = [self._turn(turn) for turn in turns[:_MOST_TURNS]]
        start_state = case.session.state if case.session is not None else {}
        variables: Steps = [{"userInput": {"variables": variables_tree(start_state)}}] if start_state else []
        updated: Steps = []
        state = case.final_state
        # The state at the end of a case says nothing about its first 100 turns.
        if state is not None and isinstance(value_of(state), dict) and value_of(state) and len(turns) <= _MOST_TURNS:
            updated = [_expectation(updatedVariables=with_reason(state, _WHOLE_STATE))]
        if not steps and (variables or updated):
            steps = [[]]  # no turn of the source has room for them
        if steps:
            steps[0] = [*variables, *steps[0]]
            steps[-1] = [*steps[-1], *updated]
        for turn in turns[_MOST_TURNS:]:
            self._fields.leave_out(turn.node, _TOO_MANY)
        trees: list[Tree] = [{"steps": turn_steps} for turn_steps in steps]
        own_turns = filled(filled(case.node, "golden"), "turns")
        golden: dict[str, Tree] = {"turns": turns_tree(case, trees, self._fields, "CX Agent Studio", own_turns)}
        if criteria := criteria_tree(case, self._names):
            golden["evaluationExpectations"] = criteria
        return golden

    def _turn(self, turn: PortableTurn) -> Steps:
        steps = self._user_inputs(turn.user.parts)
        if turn.expects_no_calls:
            no_calls = remade(turn.no_calls, value=True) if turn.no_calls is not None else True
            steps.append(_expectation(noToolCalls=no_calls))
        parts = turn.final.parts if turn.final is not None else []
        final = [chunk for chunk in map(self._messages.chunk, parts) if chunk is not None]
        last_said = -1 if final else self._last_said(turn)
        for index, event in enumerate(turn.events):
            if event.is_said_by_user:
                steps += self._user_inputs([_with_reason(part, _AN_INPUT) for part in event.parts])
            elif index == last_said:
                # Without a final response, these texts become the response.
                steps += self._event([self._as_final(part) for part in event.parts])
            else:
                steps += self._event(event.parts)
        return [*steps, *self._agent_response(final)]

    def _user_inputs(self, parts: Sequence[Part]) -> Steps:
        inputs = [user_input for user_input in map(self._messages.user_input, parts) if user_input is not None]
        for user_input in inputs[:-1]:
            user_input["willContinue"] = True
        return [{"userInput": user_input} for user_input in inputs]

    def _last_said(self, turn: PortableTurn) -> int:
        """The index of the last event with a text; -1 if there is none."""
        last = -1
        for index, event in enumerate(turn.events):
            parts = event.parts if not event.is_said_by_user else []
            if any(isinstance(part, TextPart) and self._messages.is_said(part) for part in parts):
                last = index
        return last

    def _as_final(self, part: Part) -> Part:
        is_text = isinstance(part, TextPart) and isinstance(part.text, Node) and self._messages.is_said(part)
        return _with_reason(part, NOT_FINAL) if is_text else part

    def _event(self, parts: Sequence[Part]) -> Steps:
        """The steps of one event: one for each call and response, and one message for the texts between them."""
        steps: Steps = []
        chunks: list[Tree] = []
        for part in parts:
            if isinstance(part, CallPart | ResponsePart):
                steps += [*self._agent_response(chunks), *self._tool_steps(part)]
                chunks = []
            elif (chunk := self._messages.chunk(part)) is not None:
                chunks.append(chunk)
        return [*steps, *self._agent_response(chunks)]

    def _agent_response(self, chunks: Sequence[Tree]) -> Steps:
        return [_expectation(agentResponse={"role": "agent", "chunks": chunks})] if chunks else []

    def _tool_steps(self, part: CallPart | ResponsePart) -> Steps:
        if isinstance(part, CallPart):
            if (transfer := self._messages.transfer(part)) is not None:
                return [_expectation(agentTransfer=transfer)]
            return [_expectation(toolCall=self._messages.call(part))]
        if text_in(part.name) == TRANSFER:
            self._fields.leave_out(part.node, _NO_ANSWER)
            return []
        if part.is_mock is False:
            return [_expectation(toolResponse=self._messages.response(part))]
        # Only a source that does not say whether a response is a mock is changed by this.
        reason = MOCKED if part.is_mock is None else HELD
        return [_expectation(mockToolResponse=self._messages.response(part, reason))]


def criteria_tree(case: PortableCase, names: ResourceNames) -> list[Tree]:
    """The criteria of a case, and the evaluation expectations that the mapping names for its rubrics."""
    criteria: list[Tree] = [criterion for criterion in case.criteria if only_text(criterion) is not None]
    for rubric in case.rubrics:
        if (name := names.expectations.get(text_in(rubric.id))) is not None:
            criteria.append(Made(name, (rubric.node,), _IN_RESOURCE))
    return criteria


def _expectation(**members: Tree) -> Tree:
    return {"expectation": members}


def _with_reason(part: Part, reason: Reason) -> Part:
    """A text that is reported; any other part as it is."""
    return TextPart(with_reason(part.text, reason), part.extras) if isinstance(part, TextPart) else part

"""Golden conversations of CX Agent Studio, written (`Evaluation.Golden`)."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.document.node import Node
from evaltui.evalset.keys import filled
from evaltui.interop.ces.message_writer import TRANSFER, MessageWriter, struct
from evaltui.interop.fields import SourceFields
from evaltui.interop.output_tree import LeftOutItem, Made, OwnKey, Tree, Value, only_text, remade, text_in, value_of
from evaltui.interop.portable_set import (
    CallPart,
    Part,
    PortableCase,
    PortableContent,
    PortableTurn,
    ResponsePart,
    TextPart,
)
from evaltui.interop.resource_names import ResourceNames
from evaltui.interop.unread_content import turns_tree

MOST_TURNS = 100
"""The most turns of a golden conversation."""

_TOO_MANY = "an evaluation in CX Agent Studio has at most 100 turns"
_SPLIT = "Split the case."
_NO_ANSWER = "a transfer to an agent has no response in CX Agent Studio"
_MOCKED = "the tool response becomes a mockToolResponse: the agent gets it, and the real tool is not called"
_CHECK = "If the real tool must return this response, rename mockToolResponse to toolResponse."
_AN_INPUT = "CX Agent Studio has no user events inside a turn, so the text becomes a user input"
_NOT_FINAL = "CX Agent Studio uses the last text of a turn as its response"
_WHOLE_STATE = "the state becomes expected variables, and CX Agent Studio ignores all other variables"
_IN_RESOURCE = "the evaluation has only the resource name of the expectation, as listed in the mapping"
_CHECK_TEXT = "Check that the expectation has the same text as the rubric."

Steps = list[Tree]


class GoldenWriter:
    """Writes the conversations of cases as golden conversations."""

    def __init__(self, names: ResourceNames, fields: SourceFields) -> None:
        self._messages = MessageWriter(names, fields)
        self._names, self._fields = names, fields

    def golden(self, case: PortableCase) -> Tree:
        """The conversation of a case, its first 100 turns."""
        turns = case.turns or []
        steps = [self._turn(turn) for turn in turns[:MOST_TURNS]]
        variables = self._variables(case)
        updated = self._updated(case) if len(turns) <= MOST_TURNS else []
        if not steps and (variables or updated):
            steps = [[]]  # no turn of the source has room for them
        if steps:
            steps[0] = [*variables, *steps[0]]
            steps[-1] = [*steps[-1], *updated]
        left_out = [LeftOutItem(each.node, _TOO_MANY, _SPLIT) for each in turns[MOST_TURNS:]]
        listed: list[Tree] = [*({"steps": each} for each in steps), *left_out]
        own = filled(filled(case.node, "golden"), "turns")
        golden: dict[str, Tree] = {"turns": turns_tree(case, listed, self._fields, "CX Agent Studio", own)}
        if criteria := [*filter(only_text, case.criteria), *named_expectations(case, self._names)]:
            golden["evaluationExpectations"] = criteria
        return golden

    def _variables(self, case: PortableCase) -> Steps:
        """The session state at the start, as an input step before the user message."""
        state = case.session.state if case.session is not None else {}
        return [{"userInput": {"variables": variables_tree(state)}}] if state else []

    def _updated(self, case: PortableCase) -> Steps:
        state = case.final_state
        if state is None or not isinstance(value_of(state), dict) or not value_of(state):
            return []
        return [_expectation(updatedVariables=remade(state, value_of(state), "changed", _WHOLE_STATE))]

    # --- a turn --------------------------------------------------------------------------------------------

    def _turn(self, turn: PortableTurn) -> Steps:
        steps = self._user_inputs(turn.user)
        if turn.expects_no_calls:
            said = remade(turn.no_calls, value=True) if turn.no_calls is not None else True
            steps.append(_expectation(noToolCalls=said))
        final = self._chunks(turn.final)
        last_said = -1 if final else self._last_said(turn)
        for number, event in enumerate(turn.events):
            parts = event.content.parts if event.content is not None else []
            if event.is_said_by_user:
                steps += self._interjected(parts)
                continue
            steps += self._event(self._as_final(parts) if number == last_said else parts)
        return [*steps, *([_expectation(agentResponse=self._messages.message(final))] if final else [])]

    def _interjected(self, parts: Sequence[Part]) -> Steps:
        """User messages among the events, as input steps."""
        told: list[Part] = [
            TextPart(remade(part.text, value_of(part.text), "changed", _AN_INPUT), part.others)
            if isinstance(part, TextPart)
            else part
            for part in parts
        ]
        return self._user_inputs(PortableContent(told))

    def _user_inputs(self, content: PortableContent) -> Steps:
        found = [each for each in map(self._messages.user_input, content.parts) if each is not None]
        return [
            {"userInput": {**each, "willContinue": True} if number < len(found) else each}
            for number, each in enumerate(found, 1)
        ]

    def _last_said(self, turn: PortableTurn) -> int:
        """The index of the last event with a text; -1 if there is none."""
        said = [
            number
            for number, event in enumerate(turn.events)
            if event.content is not None
            and not event.is_said_by_user
            and any(isinstance(part, TextPart) and self._messages.is_said(part) for part in event.content.parts)
        ]
        return said[-1] if said else -1

    def _as_final(self, parts: Sequence[Part]) -> list[Part]:
        """The last message of a turn without a final response. Its texts are reported: they become the response."""
        return [
            TextPart(remade(part.text, part.text.value(), "changed", _NOT_FINAL), part.others)
            if isinstance(part, TextPart) and isinstance(part.text, Node) and self._messages.is_said(part)
            else part
            for part in parts
        ]

    def _event(self, parts: Sequence[Part]) -> Steps:
        """The steps of one event: one for each call and response, and one message for the texts between them."""
        steps: Steps = []
        chunks: list[Tree] = []
        for part in parts:
            if isinstance(part, CallPart | ResponsePart):
                steps += [*self._said(chunks), *self._tool_step(part)]
                chunks = []
            elif (chunk := self._messages.chunk(part)) is not None:
                chunks.append(chunk)
        return [*steps, *self._said(chunks)]

    def _said(self, chunks: list[Tree]) -> Steps:
        return [_expectation(agentResponse=self._messages.message(chunks))] if chunks else []

    def _tool_step(self, part: CallPart | ResponsePart) -> Steps:
        if isinstance(part, CallPart):
            transfer = self._messages.transfer(part)
            if transfer is not None:
                return [_expectation(agentTransfer=transfer)]
            return [_expectation(toolCall=self._messages.call(part))]
        if text_in(part.name) == TRANSFER:
            return [LeftOutItem(part.node, _NO_ANSWER)]
        if part.is_mock is False:
            return [_expectation(toolResponse=self._messages.response(part))]
        kept = _mocked(part.response) if part.is_mock is None else None
        return [_expectation(mockToolResponse=self._messages.response(part, kept))]

    def _chunks(self, content: PortableContent | None) -> list[Tree]:
        parts = content.parts if content is not None else []
        return [each for each in map(self._messages.chunk, parts) if each is not None]


def named_expectations(case: PortableCase, names: ResourceNames) -> list[Tree]:
    """The evaluation expectations that the mapping names for rubrics of a case."""
    named = [(each, names.expectations.get(text_in(each.id))) for each in case.rubrics]
    return [Made(name, (each.node,), "changed", _IN_RESOURCE, _CHECK_TEXT) for each, name in named if name is not None]


def variables_tree(state: dict[str, Value]) -> dict[str, Tree]:
    """Session variables under the author's own names."""
    return {OwnKey(name): struct(each) for name, each in state.items()}


def _expectation(**members: Tree) -> Tree:
    return {"expectation": members}


def _mocked(response: Value | None) -> Made | None:
    return remade(response, value_of(response), "changed", _MOCKED, _CHECK) if response is not None else None

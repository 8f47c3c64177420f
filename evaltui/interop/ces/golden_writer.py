"""Golden conversations of CX Agent Studio, written (`Evaluation.Golden`), with their messages, calls and responses."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Sequence
from typing import Any, Final

from evaltui.document.node import Node
from evaltui.evalset.keys import filled
from evaltui.interop.cx_cases import TRANSFER, transfer_target
from evaltui.interop.fields import HELD, Reason, SetField, SourceFields, changed, no_place
from evaltui.interop.output_tree import (
    Made,
    Tree,
    Value,
    only_text,
    present,
    remade,
    required,
    text_in,
    value_of,
    with_own_keys,
    with_reason,
)
from evaltui.interop.portable_set import CallPart, FilePart, Part, PortableCase, PortableTurn, ResponsePart, TextPart
from evaltui.interop.resource_mapping import Resource, ResourceNames, last_segment

_MOST_TURNS = 100
"""The most turns of a golden conversation."""
_TOO_MANY = no_place("an evaluation in CX Agent Studio has at most 100 turns", "Split the case.")
_NO_ANSWER = no_place("a transfer to an agent has no response in CX Agent Studio")
MOCKED = changed(
    "the tool response becomes a mockToolResponse: the agent gets it, and the real tool is not called",
    "If the real tool must return this response, rename mockToolResponse to toolResponse.",
)
_AN_INPUT = changed("CX Agent Studio has no user events inside a turn, so the text becomes a user input")
NOT_FINAL = changed("CX Agent Studio uses the last text of a turn as its response")
_WHOLE_STATE = changed("the state becomes expected variables, and CX Agent Studio ignores all other variables")
_IN_RESOURCE = changed(
    "the evaluation has only the resource name of the expectation, as listed in the mapping",
    "Check that the expectation has the same text as the rubric.",
)
_READER = "CX Agent Studio"
_MAPPING = "Give the resource names with --mapping FILE."
_UNNAMED = changed("CX Agent Studio identifies tools by resource name, so evaltui writes a placeholder", _MAPPING)
_TRANSFER = changed("the tool call becomes a transfer, which has only the resource name of the agent")
_MOST_EXACT: Final = 2**53
"""Doubles hold all integers up to this one."""
_TOO_LARGE_FOR_DOUBLES: Final = 2**1024 - 2**970
"""The smallest integer that rounds to no double."""
_ROUNDED = changed(
    "CX Agent Studio reads numbers as doubles, which lose the last digits of this integer",
    "If all digits matter, make the number a string.",
)
_TOO_LARGE = changed("CX Agent Studio reads numbers as doubles. This integer is too large, so evaltui writes a string")

Steps = list[Tree]


class GoldenWriter:
    """Writes the conversations of cases as golden conversations."""

    def __init__(self, names: ResourceNames, fields: SourceFields) -> None:
        self._names, self._fields = names, fields

    def golden(self, case: PortableCase) -> Tree:
        """The conversation of a case, its first 100 turns."""
        turns = case.turns or []
        steps = [self._turn(turn) for turn in turns[:_MOST_TURNS]]
        variables: Steps = [{"userInput": {"variables": variables_tree(case.state)}}] if case.state else []
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
        golden: dict[str, Tree] = {"turns": case.turns_tree(trees, self._fields, "CX Agent Studio", own_turns)}
        if criteria := criteria_tree(case, self._names):
            golden["evaluationExpectations"] = criteria
        return golden

    def _turn(self, turn: PortableTurn) -> Steps:
        steps = self._user_inputs(turn.user.parts)
        if turn.expects_no_calls:
            no_calls = remade(turn.no_calls, value=True) if turn.no_calls is not None else True
            steps.append(_expectation(noToolCalls=no_calls))
        parts = turn.final.parts if turn.final is not None else []
        final = [chunk for chunk in map(self._chunk, parts) if chunk is not None]
        of_agent = (event for event in reversed(turn.events) if not event.is_said_by_user)
        last = None if final else next((event for event in of_agent if any(map(self._is_said, event.parts))), None)
        for event in turn.events:
            if event.is_said_by_user:
                steps += self._user_inputs([_with_reason(part, _AN_INPUT) for part in event.parts])
            elif event is last:
                # Without a final response, these texts become the response.
                steps += self._event([self._as_final(part) for part in event.parts])
            else:
                steps += self._event(event.parts)
        return [*steps, *self._agent_response(final)]

    def _user_inputs(self, parts: Sequence[Part]) -> Steps:
        inputs = [user_input for user_input in map(self._user_input, parts) if user_input is not None]
        for user_input in inputs[:-1]:
            user_input["willContinue"] = True
        return [{"userInput": user_input} for user_input in inputs]

    def _as_final(self, part: Part) -> Part:
        is_text = isinstance(part, TextPart) and isinstance(part.text, Node) and self._is_said(part)
        return _with_reason(part, NOT_FINAL) if is_text else part

    def _event(self, parts: Sequence[Part]) -> Steps:
        """The steps of one event: one for each call and response, and one message for the texts between them."""
        steps: Steps = []
        chunks: list[Tree] = []
        for part in parts:
            if isinstance(part, CallPart | ResponsePart):
                steps += [*self._agent_response(chunks), *self._tool_steps(part)]
                chunks = []
            elif (chunk := self._chunk(part)) is not None:
                chunks.append(chunk)
        return [*steps, *self._agent_response(chunks)]

    def _agent_response(self, chunks: Sequence[Tree]) -> Steps:
        return [_expectation(agentResponse={"role": "agent", "chunks": chunks})] if chunks else []

    def _tool_steps(self, part: CallPart | ResponsePart) -> Steps:
        if isinstance(part, CallPart):
            if (transfer := self._transfer(part)) is not None:
                return [_expectation(agentTransfer=transfer)]
            return [_expectation(toolCall=self._call(part))]
        if text_in(part.name) == TRANSFER:
            self._fields.leave_out(part.node, _NO_ANSWER)
            return []
        if part.is_mock is False:
            return [_expectation(toolResponse=self._response(part))]
        # Only a source that does not say whether a response is a mock is changed by this.
        reason = MOCKED if part.is_mock is None else HELD
        return [_expectation(mockToolResponse=self._response(part, reason))]

    # --- messages ------------------------------------------------------------------------------------------

    def _chunk(self, part: Part) -> dict[str, Tree] | None:
        """A part as a chunk; None for a part that has no place in a message."""
        match part:
            case TextPart():
                return {"text": part.text} if self._is_said(part) else None
            case FilePart() if _has_bytes(part):
                return {"image" if _mime_type(part).startswith("image/") else "blob": self._blob(part)}
            case CallPart():
                transfer = self._transfer(part)
                return {"agentTransfer": transfer} if transfer is not None else {"toolCall": self._call(part)}
            case ResponsePart() if text_in(part.name) != TRANSFER:
                return {"toolResponse": self._response(part)}
        return None

    def _is_said(self, part: Part) -> bool:
        """Whether the agent says a part: it is a text, not empty and not a thought."""
        if not isinstance(part, TextPart):
            return False
        if not part.is_thought:
            return bool(text_in(part.text))
        if isinstance(part.text, Node):
            self._fields.note(part.text, SetField.THOUGHTS)
        return False

    def _user_input(self, part: Part) -> dict[str, Tree] | None:
        """A part of a user message as a session input; None for a part that has no place there."""
        match part:
            case TextPart() if only_text(part.text) is not None:
                return {"text": part.text}
            case FilePart() if _has_bytes(part):
                kind, _, _ = _mime_type(part).partition("/")
                # Audio has a field of its own, which takes the bytes without a MIME type.
                if kind == "audio":
                    return {"audio": part.data}
                return {"image" if kind == "image" else "blob": self._blob(part)}
            case ResponsePart():
                return {"toolResponses": {"toolResponses": [self._response(part)]}}
        return None

    def _blob(self, part: FilePart) -> dict[str, Tree]:
        mime_type: Tree = only_text(part.mime_type)
        if mime_type is None:
            mime_type = required("application/octet-stream", part.node, "mime_type", _READER, part.mime_type)
        return {"mimeType": mime_type, "data": part.data}

    # --- tools and agents ----------------------------------------------------------------------------------

    def _call(self, part: CallPart) -> dict[str, Tree]:
        """A tool call; arguments keep their comparison rules, which CX Agent Studio has too (`$matchType`)."""
        args = part.ruled_args if part.ruled_args is not None else part.args
        written_args = struct(args) if args is not None and isinstance(value_of(args), dict) else None
        return present({**self._tool(part.name, part.node), "id": only_text(part.id), "args": written_args})

    def _response(self, part: ResponsePart, reason: Reason = HELD) -> dict[str, Tree]:
        """A tool response, reported for a `reason` if there is one."""
        response = part.response
        if response is not None and reason is not HELD:
            response = with_reason(response, reason)
        if response is not None and not isinstance(value_of(response), dict):
            response = remade(response, {"output": value_of(response)})  # as ToolResponse.response says
        tree: Tree = required({}, part.node, "response", _READER) if response is None else struct(response)
        return present({**self._tool(part.name, part.node), "id": only_text(part.id), "response": tree})

    def _transfer(self, part: CallPart) -> dict[str, Tree] | None:
        """The call of `transfer_to_agent` as a transfer; None for any other call."""
        target = transfer_target(part)
        if target is None:
            return None
        name = text_in(target)
        resource, is_placeholder = self._names.resource("agents", name)
        # If the mapping names the app, the resource name follows from the short name.
        reason = _TRANSFER._replace(advice=_MAPPING) if is_placeholder else _TRANSFER
        return {"targetAgent": Made(resource, (part.node,), reason), **_display_name(name, resource)}

    def _tool(self, name: Value | None, node: Node) -> dict[str, Tree]:
        text = text_in(name)
        resource, is_placeholder = self._names.resource("tools", text)
        if name is None or not text:
            return {"tool": required(resource, node, "name", _READER, name, advice=_MAPPING)}
        # A tool of a toolset has no resource name of its own.
        if isinstance(resource, tuple):
            toolset, tool_id = resource
            tree: Tree = {"toolset": toolset, "toolId": remade(name, tool_id)}
            return {"toolsetTool": tree, **_display_name(text, resource)}
        full_name = remade(name, resource, _UNNAMED if is_placeholder else HELD)
        return {"tool": full_name, **_display_name(text, resource)}


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


def _display_name(name: str, resource: Resource) -> dict[str, Tree]:
    """The short name, if the resource name does not end with it. CX Agent Studio ignores it in requests."""
    segment = resource[1] if isinstance(resource, tuple) else last_segment(resource)
    return {"displayName": name} if name and segment != name else {}


def _has_bytes(part: FilePart) -> bool:
    """Whether there is data in either alphabet of base64, which is all that protocol buffers read."""
    data = text_in(part.data)
    try:
        base64.b64decode(data, altchars=b"-_" if "-" in data or "_" in data else None, validate=True)
    except (binascii.Error, ValueError):
        return False
    return bool(data)


def _mime_type(part: FilePart) -> str:
    return text_in(part.mime_type).lower()


# --- free-form objects (`google.protobuf.struct_pb2.Struct`), whose numbers are doubles -----------------------------


def variables_tree(state: dict[str, Value]) -> dict[str, Tree]:
    """Session variables under the author's own names."""
    return with_own_keys({name: struct(value) for name, value in state.items()})


def struct(value: Value) -> Value:
    """A value as a Struct has it; integers with more digits than a double are reported."""
    plain = value_of(value)
    # Python reads integers of any length, so each one beyond 2**53 is compared with its double.
    numbers = [number for number in _integers(plain) if abs(number) > _MOST_EXACT]
    if any(abs(number) >= _TOO_LARGE_FOR_DOUBLES for number in numbers):
        return remade(value, _with_texts(plain), _TOO_LARGE)
    return with_reason(value, _ROUNDED) if any(int(float(number)) != number for number in numbers) else value


def _integers(value: Any) -> Iterator[int]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _integers(item)
    elif isinstance(value, int):
        yield value


def _with_texts(value: Any) -> Any:
    """The value with texts for integers that are larger than any double."""
    if isinstance(value, dict):
        return {name: _with_texts(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_with_texts(item) for item in value]
    return str(value) if isinstance(value, int) and abs(value) >= _TOO_LARGE_FOR_DOUBLES else value

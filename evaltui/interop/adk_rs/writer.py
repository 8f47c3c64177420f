"""Writer of adk-rs eval sets: the fields of its structs, which google-adk also reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from evaltui.document.node import Node
from evaltui.interop.eval_sets.turn_shapes import DEFAULT_AUTHOR, calls_tree
from evaltui.interop.format_type import OutputDocument, WriteOptions
from evaltui.interop.genai_contents import content_tree, part_tree
from evaltui.interop.output_tree import Invented, LeftOutItem, OwnKey, Tree, missing
from evaltui.interop.portable_set import (
    CallPart,
    PortableCase,
    PortableEvent,
    PortableSession,
    PortableSet,
    PortableTurn,
    ResponsePart,
)
from evaltui.interop.source_fields import SourceFields
from evaltui.interop.unread_content import turns_tree, user_tree

_NO_CONVERSATION = "adk-rs has only cases with turns"
_ADVICE = "To keep scenarios, convert to evalset, evaluation-dataset or ces."


def write_adk_rs_set(portable: PortableSet, options: WriteOptions) -> Sequence[OutputDocument]:
    """The set as one document. A case without a conversation is left out: adk-rs could not load the file."""
    set_id: Tree = portable.id
    if portable.id is None or isinstance(portable.id, str):
        reason = f"{missing('adk-rs')}. evaltui uses the file name"
        set_id = Invented(portable.id or options.name, portable.root, "/eval_set_id", reason)
    tree = {
        "eval_set_id": set_id,
        "name": portable.name,
        "description": portable.description,
        "eval_cases": [_case(case, number, portable.fields) for number, case in enumerate(portable.cases, 1)],
        "creation_timestamp": portable.time,
    }
    return [OutputDocument(_given(tree))]


def _case(case: PortableCase, number: int, fields: SourceFields) -> Tree:
    if case.turns is None:
        return LeftOutItem(case.node, _NO_CONVERSATION, _ADVICE)
    eval_id = case.id if case.id is not None else _required(f"case_{number}", case.node, "eval_id")
    turns: list[Tree] = [_turn(turn) for turn in case.turns]
    return _given(
        {
            "eval_id": eval_id,
            "name": case.name,
            "session_input": _session(case.session) if case.session is not None else None,
            "conversation": turns_tree(case, turns, fields, "adk-rs"),
            "creation_timestamp": case.time,
        }
    )


def _session(session: PortableSession) -> Tree:
    state: dict[str, Tree] = {OwnKey(name): value for name, value in session.state.items()}
    members = _given({"app_name": session.app_name, "user_id": session.user_id, "state": state or None})
    for name in ("app_name", "user_id"):
        if name not in members:  # adk-rs has a default, google-adk requires them
            members[name] = Invented("", session.node, f"/{name}", missing("google-adk"))
    return members


def _turn(turn: PortableTurn) -> Tree:
    listed = [event for event in turn.events if not event.keeps_calls]
    parts = chain.from_iterable(event.content.parts for event in listed if event.content is not None)
    calls = [_call(part) for part in parts if isinstance(part, CallPart)]
    texts = [each for event in turn.events for each in _texts(event)]
    return _given(
        {
            "invocation_id": turn.id,
            "user_content": user_tree(turn, content_tree(turn.user, "user"), "adk-rs"),
            "final_response": content_tree(turn.final, "model") if turn.final is not None else None,
            "intermediate_data": {"tool_uses": calls_tree(turn, calls), "intermediate_responses": texts},
            "creation_timestamp": turn.time,
        }
    )


def _call(call: CallPart) -> Tree:
    name = call.name if call.name is not None else _required("", call.node, "name")
    return _given({"name": name, "args": call.args})


def _texts(event: PortableEvent) -> list[Tree]:
    """The parts of an event that are not in a list of calls, with the author."""
    given = event.content.parts if event.content is not None else []
    parts = [part_tree(part) for part in given if event.keeps_calls or not isinstance(part, CallPart | ResponsePart)]
    return [[event.author if event.author is not None else DEFAULT_AUTHOR, parts]] if parts else []


def _required(value: str, at: Node, name: str) -> Invented:
    return Invented(value, at, f"/{name}", missing("adk-rs"))


def _given(members: Mapping[str, Tree]) -> dict[str, Tree]:
    return {name: value for name, value in members.items() if value is not None}

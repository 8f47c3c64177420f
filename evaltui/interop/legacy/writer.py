"""Legacy lists of cases, written with the members that google-adk reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evaltui.document.node import Node
from evaltui.interop.eval_sets.turn_shapes import DEFAULT_AUTHOR, calls_tree
from evaltui.interop.format_type import OutputDocument, WriteOptions
from evaltui.interop.genai_contents import fair_members
from evaltui.interop.output_tree import (
    Invented,
    LeftOutItem,
    Made,
    OwnKey,
    Rendering,
    Tree,
    Value,
    missing,
    remade,
    sources_of,
    text_in,
)
from evaltui.interop.portable_set import (
    CallPart,
    PortableCase,
    PortableContent,
    PortableEvent,
    PortableSession,
    PortableSet,
    PortableTurn,
    TextPart,
)

_FORMAT = "google-adk in a legacy list"
_NO_QUERY = f"required by {_FORMAT}, but the user message has no text"
_KEYS = ("query", "reference", "expected_tool_use", "expected_intermediate_agent_responses")
_OF_LISTS = "evaltui reads a field with this name only in a legacy list"
_OF_A_RESPONSE = (
    "intermediate responses in a legacy list contain only text, so the tool call moves to expected_tool_use"
)
_NO_CONVERSATION = "a legacy list has only cases with turns"
_NO_TURNS_ADVICE = "To keep scenarios, convert to evalset, evaluation-dataset or ces."


def write_legacy_cases(portable: PortableSet, _options: WriteOptions) -> Sequence[OutputDocument]:
    """The set as a list of cases. A case without turns is left out."""
    for turn in (turn for case in portable.cases for turn in case.turns or ()):
        fair_members(turn.others, _KEYS, portable.fields, _OF_LISTS)
    return [OutputDocument([_case(case, number) for number, case in enumerate(portable.cases, 1)])]


def _case(case: PortableCase, number: int) -> Tree:
    if not case.turns:
        return LeftOutItem(case.node, _NO_CONVERSATION, _NO_TURNS_ADVICE)
    session = _session(case.session) if case.session is not None else None
    name = case.id if case.id is not None else _required(f"case_{number}", case.node, "eval_id")
    return {
        "name": name,
        "data": [_turn(turn) for turn in case.turns],
        **_given({"initial_session": session}),
    }


def _session(session: PortableSession) -> Tree:
    """The session, never empty: google-adk ignores an empty one."""
    state: dict[str, Tree] = {OwnKey(name): value for name, value in session.state.items()}
    members = _given({"app_name": session.app_name, "user_id": session.user_id, "state": state or None})
    return members or {"state": {}}


def _turn(turn: PortableTurn) -> Tree:
    query = _text(turn.user) or Invented("", turn.node, "/user_content", _NO_QUERY)
    reference = _text(turn.final) if turn.final is not None else None
    tree: dict[str, Tree] = {"query": query}
    tree["expected_tool_use"] = calls_tree(turn, [each for event in turn.events for each in _calls(event)])
    tree["expected_intermediate_agent_responses"] = [each for event in turn.events for each in _texts(event)]
    return {**tree, **_given({"reference": reference})}


def _calls(event: PortableEvent) -> list[Tree]:
    parts = event.content.parts if event.content is not None else []
    calls = [(part, _call(part)) for part in parts if isinstance(part, CallPart)]
    if not event.keeps_calls:
        return [tree for _, tree in calls]
    return [remade(part.node, Rendering().plain(tree), "changed", _OF_A_RESPONSE) for part, tree in calls]


def _call(call: CallPart) -> Tree:
    name = call.name if call.name is not None else _required("", call.node, "name")
    args = call.args if call.args is not None else _required({}, call.node, "args")
    return {"tool_name": name, "tool_input": args}


def _texts(event: PortableEvent) -> list[Tree]:
    """The texts of an event, each an item of its own with the author."""
    if event.content is None:
        return []
    author = event.author if event.author is not None else DEFAULT_AUTHOR
    return [{"author": author, "text": text} for text in _spoken(event.content)]


def _spoken(content: PortableContent) -> list[Value]:
    """The texts of a message without thoughts."""
    return [part.text for part in content.parts if isinstance(part, TextPart) and not _is_thought(part)]


def _is_thought(part: TextPart) -> bool:
    thought = part.others.get("thought")
    return thought is not None and thought.source() == b"true"


def _text(content: PortableContent) -> Value | None:
    """The text of a message; None if it has none."""
    texts = _spoken(content)
    if len(texts) < 2:
        return texts[0] if texts else None
    sources = [source for text in texts for source in sources_of(text)]
    return Made("\n".join(map(text_in, texts)), tuple(sources), "merged")


def _required(value: str | dict[str, str], at: Node, name: str) -> Invented:
    return Invented(value, at, f"/{name}", missing(_FORMAT))


def _given(members: Mapping[str, Tree]) -> dict[str, Tree]:
    return {name: value for name, value in members.items() if value is not None}

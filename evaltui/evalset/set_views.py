"""Views of the nodes of an eval set, told by their place; nothing is copied, so nothing can be outdated."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from evaltui.document.diff.sequence_diff import shared_length
from evaltui.document.node import Node
from evaltui.document.strings import decode
from evaltui.evalset.call_views import ToolUses, tool_uses_of
from evaltui.evalset.content_views import plain_text
from evaltui.evalset.keys import camel, filled, items_of, member, snake, text_of

_WAYS_UP = (
    ("", "tool_uses", "intermediate_data"),
    ("function_call", "", "parts", "content", "", "invocation_events", "intermediate_data"),
)
"""The keys from a call up to its turn, in both shapes; "" for items of lists."""


def list_of_cases(root: Node) -> Node | None:
    """The list of cases that google-adk reads, or the list under the camelCase key; None if neither is a list."""
    found = root.member("eval_cases")
    cases = found if found is not None else root.member("evalCases")
    return cases if cases is not None and cases.kind == "array" else None


def pointer_of_case(root: Node, number: int) -> str:
    """The pointer of the case with this index."""
    cases = list_of_cases(root)
    return f"/{cases.name if cases is not None else 'eval_cases'}/{number}"


def cases_of(root: Node) -> list[Node]:
    """The cases of a set."""
    cases = list_of_cases(root)
    return cases.items if cases is not None else []


def without_cases(root: Node) -> bytes:
    """The JSON text of a set with an empty list of cases."""
    if root.kind != "object":
        return root.source()
    cases = list_of_cases(root)
    sources = [b"%s:%s" % (item.key, b"[]" if item is cases else item.source()) for item in root.items]
    return b"{%s}" % b",".join(sources)


# --- ids of cases, without unfolding a case ------------------------------------------------------------------------


class CaseIds:
    """Reads the ids of cases from their JSON text; only new and changed cases are read again.

    It compares the texts itself, so nobody must report changes; for 10,000 cases that takes half a millisecond.
    """

    def __init__(self, name: str = "eval_id") -> None:
        """`name` is the key (in snake_case) with the id."""
        spelt = rb'"(?:%s|%s)"\s*:\s*' % (name.encode(), camel(name).encode())
        self._first = re.compile(rb"\{\s*" + spelt + rb'"([^"\\]*)"').match
        self._anywhere = re.compile(spelt + rb'("(?:[^"\\]|\\.)*")').findall
        self._sources: list[bytes] = []
        self._ids: list[Sequence[str]] = []

    def of(self, cases: Sequence[Node]) -> set[str]:
        """The ids of these cases, and perhaps other texts in them; a new id avoids all of these."""
        sources = [case.source() for case in cases]
        head = shared_length(self._sources, sources)
        tail = shared_length(self._sources[head:][::-1], sources[head:][::-1])
        self._ids[head : len(self._ids) - tail] = map(self._ids_in, sources[head : len(sources) - tail])
        self._sources = sources
        return set(chain.from_iterable(self._ids))

    def _ids_in(self, source: bytes) -> Sequence[str]:
        """Texts that may be the id of a case. Usually the id is the first key, spelled without escapes."""
        if first := self._first(source):
            return (first[1].decode("utf-8", "surrogateescape"),)
        return [decode(literal) for literal in self._anywhere(source)]


@dataclass(slots=True, eq=False, repr=False)
class EvalSetView:
    """An eval set; `root` is its outermost object."""

    root: Node
    rubric_ids_of_config: Callable[[], Collection[str]] = tuple
    """Gives the ids of the rubrics of its config: a new rubric of a case or turn needs another."""
    ids: CaseIds = field(default_factory=CaseIds, init=False, repr=False, compare=False)
    """The ids of its cases; a new id differs from all of them."""
    turn_ids: CaseIds = field(default_factory=lambda: CaseIds("invocation_id"), init=False, repr=False, compare=False)
    """The ids of its turns."""

    @property
    def noun(self) -> str:
        """A word for it in sentences."""
        return "eval set"

    @property
    def cases(self) -> list[Node]:
        """The cases, in order; objects, unless the file is broken."""
        return items_of(self.root, "eval_cases")

    def case_id(self, case: Node) -> str:
        """The id of a case; "" without one."""
        return text_of(case, "eval_id")

    def kind(self, node: Node) -> str:
        """The kind of a node by its place: set, case, turn, call, or value for anything else (see `place`)."""
        parent = node.parent
        if parent is None:
            return "set" if node is self.root else "value"
        if parent is member(self.root, "eval_cases"):
            return "case"
        if parent.name == "conversation" and parent.parent is not None and self.kind(parent.parent) == "case":
            return "turn"
        return "call" if node.kind == "object" and self._is_where_calls_are(node) else "value"

    def _is_where_calls_are(self, node: Node) -> bool:
        around = [node, *node.ancestors()]
        for way in _WAYS_UP:
            fits = all(at.name in (name, camel(name)) for at, name in zip(around, way, strict=False))
            if fits and len(around) > len(way) and self.kind(around[len(way)]) == "turn":
                return True
        return False

    def enclosing(self, node: Node, kind: str) -> Node | None:
        """The nearest node around `node`, itself included, that is a `kind`."""
        return next((at for at in (node, *node.ancestors()) if self.kind(at) == kind), None)

    def place(self, node: Node) -> str:
        """The kind of a value inside a case by its place, in either key case; "" for free form and outside of cases.

        session, state, scenario, persona, behaviors, behavior, rubrics, rubric, events, event, responses, response,
        content, parts or part.
        """
        names: list[str] = []
        for at in (node, *node.ancestors()):
            if self.kind(at) == "case":
                return _PLACES.get(tuple(reversed(names)), "")
            names.append(snake(at.name) if at.key else "")
        return ""


class EvalCaseView(NamedTuple):
    """One case of an eval set."""

    node: Node

    @property
    def eval_id(self) -> str:
        """The id of the case."""
        return text_of(self.node, "eval_id")

    @property
    def invocations(self) -> list[Node]:
        """The turns of the conversation, in order."""
        return items_of(self.node, "conversation")

    @property
    def scenario(self) -> Node | None:
        """The scenario of the simulated user; None if there is none."""
        return filled(self.node, "conversation_scenario")


def expected_rows(case: Node) -> list[Node]:
    """The nodes with expectations: the turns of a case, or a dataset case itself."""
    return EvalCaseView(case).invocations if member(case, "conversation") is not None else [case]


class InvocationView(NamedTuple):
    """One turn: the user message, and the expected calls and response."""

    node: Node

    @property
    def user_content(self) -> Node | None:
        """The user content."""
        return filled(self.node, "user_content")

    @property
    def final_response(self) -> Node | None:
        """The expected response."""
        return filled(self.node, "final_response")

    @property
    def user_text(self) -> str:
        """The user message."""
        return plain_text(self.user_content)

    @property
    def tool_uses(self) -> ToolUses:
        """The expected tool calls."""
        return tool_uses_of(self.node)

    @property
    def has_events(self) -> bool:
        """Whether its intermediate data are events."""
        return member(filled(self.node, "intermediate_data"), "invocation_events") is not None


# --- places inside a case ----------------------------------------------------------------------------------------

_TURN = ("conversation", "")
_DATA = (*_TURN, "intermediate_data")
_SCENARIO = ("conversation_scenario",)
_PERSONA = (*_SCENARIO, "user_persona")
_RESPONSE = (*_DATA, "intermediate_responses", "")
_CONTENTS = ((*_TURN, "user_content"), (*_TURN, "final_response"), (*_DATA, "invocation_events", "", "content"))

_PLACES: dict[tuple[str, ...], str] = {
    ("session_input",): "session",
    ("session_input", "state"): "state",
    ("final_session_state",): "state",
    _SCENARIO: "scenario",
    _PERSONA: "persona",
    (*_PERSONA, "behaviors"): "behaviors",
    (*_PERSONA, "behaviors", ""): "behavior",
    (*_DATA, "invocation_events"): "events",
    (*_DATA, "invocation_events", ""): "event",
    (*_DATA, "intermediate_responses"): "responses",
    _RESPONSE: "response",
    (*_RESPONSE, ""): "parts",
    (*_RESPONSE, "", ""): "part",
}
for _owner in ((), _TURN):
    _PLACES[*_owner, "rubrics"] = "rubrics"
    _PLACES[*_owner, "rubrics", ""] = "rubric"
for _content in _CONTENTS:
    _PLACES[_content] = "content"
    _PLACES[*_content, "parts"] = "parts"
    _PLACES[*_content, "parts", ""] = "part"


def is_of_agents(node: Node | None) -> bool:
    """Whether `node` is the object of app details that holds the agents by name."""
    if node is None or node.kind != "object" or node.parent is None:
        return False
    return snake(node.name) == "agent_details" and snake(node.parent.name) == "app_details"

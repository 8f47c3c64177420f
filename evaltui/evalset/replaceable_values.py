"""The values of cases in which find and replace looks: texts, ids, tool names, and what stands in free JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evaltui.document import Node
from evaltui.evalset.content import parts_of
from evaltui.evalset.eval_set import EvalCase, Invocation
from evaltui.evalset.keys import filled, member

KINDS = (
    *("user text", "responses", "tool names", "arguments", "ids"),
    *("tool responses", "state", "numbers, booleans", "keys"),
)
"""Where can be replaced: what the user says, expected responses, names of tools, texts in arguments, ids, texts in
responses of tools and in session states; then numbers, booleans and nulls of these three, and their keys.

Timestamps and other members of google-adk's own models are not among them.
"""

_NUMBERS, _KEYS = KINDS[7:]
_TYPES = {"string": "text"}


@dataclass(frozen=True, slots=True)
class Place:
    """A value or key that can be replaced, with all nodes that must stay the same: a call's id and its answer's."""

    kind: str
    nodes: tuple[Node, ...]
    is_key: bool = False

    @property
    def text(self) -> str:
        """The text there; of a number, boolean or null its spelling in the file."""
        node = self.nodes[0]
        if self.is_key:
            return node.name
        return node.text() if node.kind == "string" else node.source().decode("utf-8", "replace")

    @property
    def type(self) -> str:
        """key, text, number, boolean or null."""
        kind = self.nodes[0].kind
        return "key" if self.is_key else _TYPES.get(kind, kind)

    @property
    def is_word(self) -> bool:
        """Whether it is found as a whole only: nobody who looks for an `e` means the one of `true`."""
        return self.type in ("boolean", "null")


def places_of(case: Node) -> Iterator[Place]:
    """All values and keys of a case that can be replaced, in about the order of the form."""
    yield from _strings("ids", member(case, "eval_id"))
    scenario = filled(case, "conversation_scenario")
    for name in ("starting_prompt", "conversation_plan"):
        yield from _strings("user text", member(scenario, name))
    for turn in EvalCase(case).invocations:
        yield from _strings("ids", member(turn, "invocation_id"))
        yield from _texts("user text", filled(turn, "user_content"))
        yield from _calls(turn)
        yield from _texts("responses", filled(turn, "final_response"))
    yield from _free("state", member(filled(case, "session_input"), "state"))
    yield from _free("state", member(case, "final_session_state"))


def places_in(cases: Iterable[Node], kinds: frozenset[str]) -> list[Place]:
    """The values and keys of some kinds in some cases, in order."""
    return [place for case in cases for place in places_of(case) if place.kind in kinds]


def _strings(kind: str, *nodes: Node | None) -> Iterator[Place]:
    """One place for all those nodes that hold the text of the first."""
    texts = [node for node in nodes if node is not None and node.kind == "string"]
    if texts:
        first = texts[0].text()
        yield Place(kind, tuple(node for node in texts if node.text() == first))


def _texts(kind: str, content: Node | None) -> Iterator[Place]:
    for part in parts_of(content):
        if part.is_text:
            yield from _strings(kind, member(part.node, "text"))


def _calls(turn: Node) -> Iterator[Place]:
    uses = Invocation(turn).tool_uses
    for use in uses.calls:
        for kind, name in (("tool names", "name"), ("ids", "id")):
            yield from _strings(kind, member(use.node, name), member(use.response, name))
        yield from _free("arguments", use.args)
        yield from _free("tool responses", member(use.response, "response"))
    for orphan in uses.orphans:
        yield from _strings("tool names", member(orphan, "name"))
        yield from _strings("ids", member(orphan, "id"))
        yield from _free("tool responses", member(orphan, "response"))


def _free(kind: str, top: Node | None) -> Iterator[Place]:
    """The keys and scalars in a value of free form; its own key belongs to google-adk."""
    pending = [top] if top is not None else []
    while pending:
        at = pending.pop()
        if at.key and at is not top:
            yield Place(_KEYS, (at,), is_key=True)
        if at.is_container:
            pending += reversed(at.items)
        else:
            yield Place(kind if at.kind == "string" else _NUMBERS, (at,))

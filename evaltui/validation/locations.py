"""The places of diagnostics in the text: line, column, case and turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.document.pointer import parse_pointer
from evaltui.document.positions import TextRange, offsets_of, text_ranges_of
from evaltui.evalset.keys import text_of
from evaltui.validation.rule import Diagnostic


@dataclass(frozen=True, slots=True)
class Located:
    """A diagnostic with its place in the text, and the case and turn that people know it by."""

    diagnostic: Diagnostic
    place: TextRange
    eval_id: str | None = None
    turn: int | None = None
    """The number of the turn, from 1."""


def located(document: Document, diagnostics: Sequence[Diagnostic]) -> list[Located]:
    """The diagnostics of a document with their places, in the order of the text."""
    root = document.root
    assert root is not None
    index = MemberIndex()
    nodes = [_standing_at(root, each, index) for each in diagnostics]
    spans = offsets_of(root, {node for node, _ in nodes})
    offsets = [
        (spans[node].key, spans[node].key_end) if at_key and node.key else (spans[node].start, spans[node].end)
        for node, at_key in nodes
    ]
    places = text_ranges_of(document.body(), set(offsets))
    found = [
        Located(each, places[offset], *_case_and_turn(root, each.pointer, index))
        for each, offset in zip(diagnostics, offsets, strict=True)
    ]
    return sorted(found, key=lambda each: each.place[:2])


def _standing_at(root: Node, diagnostic: Diagnostic, index: MemberIndex) -> tuple[Node, bool]:
    """The value of a diagnostic, and whether the diagnostic is about its key.

    If the value is missing, the result is the nearest value around it.
    """
    node = root
    for token in parse_pointer(diagnostic.pointer):
        below = index.step(node, token)
        if below is None:
            return node, False
        node = below
    return node, diagnostic.at_key


def _case_and_turn(root: Node, pointer: str, index: MemberIndex) -> tuple[str | None, int | None]:
    tokens = parse_pointer(pointer)
    if len(tokens) < 2 or tokens[0] not in ("eval_cases", "evalCases") or not tokens[1].isdecimal():
        return None, None
    cases = index.step(root, tokens[0])
    case = index.step(cases, tokens[1]) if cases is not None else None
    return (text_of(case, "eval_id") or text_of(case, "eval_case_id") or None), _turn(tokens[2:])


def _turn(tokens: Sequence[str]) -> int | None:
    """The number of a turn of a conversation or of agent data, from 1."""
    below = tokens[1:] if tokens[:1] == ["conversation"] else ()
    if len(tokens) > 1 and tokens[0] in ("agent_data", "agentData") and tokens[1] == "turns":
        below = tokens[2:]
    return int(below[0]) + 1 if below and below[0].isdecimal() else None


def in_text_order(source: bytes, found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The diagnostics of a JSON text in the order of the text."""
    if len(found) < 2:
        return tuple(found)
    root = Node(source)
    index = MemberIndex()
    nodes = [_standing_at(root, each, index)[0] for each in found]
    spans = offsets_of(root, set(nodes))
    places = {id(each): spans[node].start for each, node in zip(found, nodes, strict=True)}
    return tuple(sorted(found, key=lambda each: places[id(each)]))


class MemberIndex:
    """A cache of the members of objects by name, valid until the next edit: an object may have very many members."""

    def __init__(self) -> None:
        self._members: dict[Node, dict[str, Node]] = {}

    def members(self, node: Node) -> dict[str, Node]:
        """The members of an object by name, the last of equal names; empty for other values."""
        found = self._members.get(node)
        if found is None:
            found = {item.name: item for item in node.items} if node.kind == "object" else {}
            self._members[node] = found
        return found

    def step(self, node: Node, token: str | int) -> Node | None:
        """The member or item that a step leads to; None if there is none."""
        if node.kind != "array":
            return self.members(node).get(token) if isinstance(token, str) else None
        index = token if isinstance(token, int) else int(token) if token.isdecimal() else len(node.items)
        return node.items[index] if index < len(node.items) else None

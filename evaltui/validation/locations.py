"""The places of diagnostics in the text: line, column, case and turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.document.pointer import parse_pointer
from evaltui.document.positions import TextRange, spans_of, text_ranges_of
from evaltui.evalset.keys import text_of
from evaltui.validation.rule_types import Diagnostic


def located(document: Document, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics of a document with their places, in the order of the text."""
    root = document.root
    assert root is not None
    places = _places(root, document.body(), diagnostics, 0)
    entries = []
    for diagnostic, place in zip(diagnostics, places, strict=True):
        tokens = parse_pointer(diagnostic.pointer)
        case, turn = None, None
        if len(tokens) > 1 and tokens[0] in ("eval_cases", "evalCases") and tokens[1].isdecimal():
            cases, turn = node_below(root, tokens[0]), _turn(tokens[2:])
            case = node_below(cases, tokens[1]) if cases is not None else None
        entries.append(replace(diagnostic, place=place, eval_id=_id_of(case), turn=turn))
    return in_order_of_places(entries)


def located_in_case(source: bytes, diagnostics: Sequence[Diagnostic], line: int, column: int) -> list[Diagnostic]:
    """The diagnostics of a case with their places, in the given order.

    Their pointers are relative to the file, in which the case begins at this line and column.
    """
    case = Node(source)
    eval_id = _id_of(case)
    entries = []
    for diagnostic, place in zip(diagnostics, _places(case, source, diagnostics, 2), strict=True):
        # Only the first line of the case has something before it.
        moved = TextRange(
            place.line + line - 1,
            place.column + (column - 1 if place.line == 1 else 0),
            place.end_line + line - 1,
            place.end_column + (column - 1 if place.end_line == 1 else 0),
        )
        turn = _turn(parse_pointer(diagnostic.pointer)[2:])
        entries.append(replace(diagnostic, place=moved, eval_id=eval_id, turn=turn))
    return entries


def in_order_of_places(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Located diagnostics in the order of the text."""
    return sorted(diagnostics, key=lambda diagnostic: diagnostic.place[:2])


def _places(root: Node, body: bytes, diagnostics: Sequence[Diagnostic], above: int) -> list[TextRange]:
    """The range of each diagnostic in `body`, the text of `root`; pointers begin `above` levels above `root`."""
    nodes = [_node_at(root, diagnostic, above) for diagnostic in diagnostics]
    # All offsets in one walk, and all lines in another: a file may have thousands of diagnostics.
    spans = spans_of(root, {node for node, _ in nodes})
    offsets = [spans[node][0 if at_key and node.key else 1] for node, at_key in nodes]
    ranges = text_ranges_of(body, set(offsets))
    return [ranges[offset] for offset in offsets]


def _node_at(root: Node, diagnostic: Diagnostic, above: int) -> tuple[Node, bool]:
    """The value of a diagnostic, and whether the diagnostic is about its key.

    If the value is missing, the result is the nearest value around it.
    """
    node = root
    for token in parse_pointer(diagnostic.pointer)[above:]:
        below = node_below(node, token)
        if below is None:
            return node, False
        node = below
    return node, diagnostic.at_key


def _id_of(case: Node | None) -> str | None:
    return text_of(case, "eval_id") or text_of(case, "eval_case_id") or None


def _turn(tokens: Sequence[str]) -> int | None:
    below = tokens[1:] if tokens[:1] == ["conversation"] else ()
    if len(tokens) > 1 and tokens[0] in ("agent_data", "agentData") and tokens[1] == "turns":
        below = tokens[2:]
    return int(below[0]) + 1 if below and below[0].isdecimal() else None


def in_text_order(source: bytes, diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The diagnostics of a JSON text in the order of the text."""
    if len(diagnostics) < 2:  # as in most cases, which then need no nodes
        return tuple(diagnostics)
    root = Node(source)
    # Spans are cheaper than lines and columns, which nobody needs here.
    nodes = [_node_at(root, diagnostic, 0)[0] for diagnostic in diagnostics]
    spans = spans_of(root, set(nodes))
    numbers = sorted(range(len(nodes)), key=lambda number: spans[nodes[number]][1])
    return tuple(diagnostics[number] for number in numbers)


def node_below(node: Node, token: str | int) -> Node | None:
    """The member or item that a step leads to; None if there is none."""
    if node.kind != "array":
        return node.member(token) if isinstance(token, str) else None
    index = token if isinstance(token, int) else int(token) if token.isdecimal() else len(node.items)
    return node.items[index] if index < len(node.items) else None

"""The places of diagnostics in the text: line, column, case and turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
    return in_order_of_places(_located(root, document.body(), diagnostics, 0))


def located_in_case(source: bytes, diagnostics: Sequence[Diagnostic], line: int, column: int) -> list[Diagnostic]:
    """The diagnostics of a case with their places, in the given order.

    Their pointers are relative to the file, in which the case begins at this line and column.
    """
    entries = []
    for entry in _located(Node(source), source, diagnostics, 2):
        # Only the first line of the case has something before it.
        first, last = (column - 1 if number == 1 else 0 for number in (entry.place.line, entry.place.end_line))
        start_line, start_column, end_line, end_column = entry.place
        moved = TextRange(start_line + line - 1, start_column + first, end_line + line - 1, end_column + last)
        entries.append(replace(entry, place=moved))
    return entries


def in_order_of_places(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Located diagnostics in the order of the text."""
    return sorted(diagnostics, key=lambda diagnostic: diagnostic.place[:2])


def _located(root: Node, body: bytes, diagnostics: Sequence[Diagnostic], above: int) -> Iterator[Diagnostic]:
    """The diagnostics with their places in `body`, the text of `root`; pointers begin `above` levels above `root`."""
    all_tokens = [parse_pointer(diagnostic.pointer) for diagnostic in diagnostics]
    nodes = [_nearest(root, tokens[above:]) for tokens in all_tokens]
    # All offsets in one walk, and all lines in another: a file may have thousands of diagnostics.
    spans = spans_of(root, {node for node, _ in nodes})
    offsets = [
        spans[node][0 if diagnostic.at_key and not is_missing and node.key else 1]
        for diagnostic, (node, is_missing) in zip(diagnostics, nodes, strict=True)
    ]
    ranges = text_ranges_of(body, set(offsets))
    for diagnostic, tokens, offset in zip(diagnostics, all_tokens, offsets, strict=True):
        case, turn = None, None
        if len(tokens) > 1 and tokens[0] in ("eval_cases", "evalCases") and tokens[1].isdecimal():
            (case, is_missing), turn = _nearest(root, tokens[above:2]), _turn(tokens[2:])
            case = None if is_missing else case
        yield replace(diagnostic, place=ranges[offset], eval_id=_id_of(case), turn=turn)


def _nearest(root: Node, tokens: Iterable[str]) -> tuple[Node, bool]:
    """The value at some steps, and whether it is missing; then it is the nearest value around it."""
    node = root
    for token in tokens:
        below = node_below(node, token)
        if below is None:
            return node, True
        node = below
    return node, False


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
    nodes = [_nearest(root, parse_pointer(diagnostic.pointer))[0] for diagnostic in diagnostics]
    spans = spans_of(root, set(nodes))
    numbers = sorted(range(len(nodes)), key=lambda number: spans[nodes[number]][1])
    return tuple(diagnostics[number] for number in numbers)


def node_below(node: Node, token: str | int) -> Node | None:
    """The member or item that a step leads to; None if there is none."""
    if node.kind != "array":
        return node.member(token) if isinstance(token, str) else None
    index = token if isinstance(token, int) else int(token) if token.isdecimal() else len(node.items)
    return node.items[index] if index < len(node.items) else None

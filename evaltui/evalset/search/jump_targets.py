"""Targets of a jump: an id or number of a case, a line, a JSON Pointer; and the cases that fit a typed text best."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from heapq import nsmallest

from evaltui.document.node import Node
from evaltui.evalset.search.case_filter import letters_in_order
from evaltui.evalset.search.case_text import CaseTexts


def node_at(root: Node, text: str) -> Node | None:
    """The value at `text` if that is a JSON Pointer (`/eval_cases/3`, also `#/eval_cases/3`); else None.

    Raises `PointerError` if it leads nowhere.
    """
    pointer = text.strip().removeprefix("#")
    return root.at(pointer.rstrip("/") or pointer) if pointer.startswith("/") else None


_line = re.compile(r":?([0-9]{1,9})").fullmatch


def line_asked(text: str) -> int:
    """The line number in `text`: `:120`, or `120`, which may also be a case number; 0 if there is none."""
    match = _line(text.strip())
    return int(match[1]) if match else 0


Rank = tuple[int, int, int]
"""How well a case fits: smaller is better. It begins with 0 or 1 if the exact id or number was typed."""
JumpTarget = tuple[Rank, int]
"""The rank of a case and its index in the set, from 0; equal ranks keep the order of the file."""


def best_matches(
    text: str, cases: Sequence[Node], texts: CaseTexts, numbers: Iterable[int], count: int
) -> list[JumpTarget]:
    """The best cases for a typed text: exact ids, numbers, beginnings, then similar ids."""
    word = text.strip().casefold()
    # An id may be typed with the name of its set, as in messages.
    words = [word, *([word.rpartition(":")[2]] if ":" in word else [])]
    digits = word.removeprefix("#")
    typed_number = int(digits) - 1 if digits.isascii() and digits.isdigit() and len(digits) < 10 else -1
    targets: list[JumpTarget] = []
    for number in numbers:
        ranks = [rank for word in words if (rank := _rank(word, texts.of(cases[number]).eval_id))]
        ranks += [(1, 0, 0)] if number == typed_number else []
        targets += [(min(ranks), number)] if ranks else []
    return nsmallest(count, targets)


def _rank(word: str, eval_id: str) -> Rank | None:
    """Rank of an id: it equals the word, begins with it, contains it, or has its letters in order in a short span."""
    if word == eval_id:
        return 0, 0, 0
    if (place := eval_id.find(word)) >= 0:
        return 3 if place else 2, place, len(eval_id)
    similar = letters_in_order(word)(eval_id) if word else None
    return (4, similar.end() - similar.start(1), len(eval_id)) if similar else None

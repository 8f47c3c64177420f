"""Targets of a jump: a pointer, the number or id of a case, a line, or a selector of `adk eval`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from evaltui.document.node import Node
from evaltui.evalset.search.case_filter import letters_in_order
from evaltui.evalset.search.case_text import CaseTexts


def node_at(root: Node, text: str) -> Node | None:
    """The value at `text` if that is a JSON Pointer (`/eval_cases/3`, also `#/eval_cases/3`); else None.

    Raises `PointerError` or `DuplicateKeyError` if it leads nowhere.
    """
    pointer = text.strip().removeprefix("#")
    return root.at(pointer.rstrip("/") or pointer) if pointer.startswith("/") else None


_line = re.compile(r":?([0-9]{1,9})").fullmatch


def line_asked(text: str) -> int:
    """The line number in `text`: `:120`, or `120`, which may also be a case number; 0 if there is none."""
    found = _line(text.strip())
    return int(found[1]) if found else 0


@dataclass(frozen=True, order=True, slots=True)
class JumpTarget:
    """A case and its rank: smaller is better; equal ranks keep the order of the file."""

    rank: tuple[int, int, int]
    number: int
    """The index of the case in its set, from 0."""

    @property
    def is_exact(self) -> bool:
        """Whether the exact id or number was typed."""
        return self.rank[0] <= 1


def best_matches(
    text: str, cases: Sequence[Node], texts: CaseTexts, numbers: Iterable[int], count: int
) -> list[JumpTarget]:
    """The best cases for a typed text: exact ids, numbers, beginnings, then similar ids."""
    wanted = text.strip().casefold()
    words = [wanted, *([wanted.rpartition(":")[2]] if ":" in wanted else [])]
    asked = wanted.removeprefix("#")
    number = int(asked) - 1 if asked.isascii() and asked.isdigit() and len(asked) < 10 else -1
    found = (_match(words, number, at, texts.of(cases[at]).eval_id) for at in numbers)
    return nsmallest(count, (match for match in found if match is not None))


def _match(words: list[str], number: int, at: int, eval_id: str) -> JumpTarget | None:
    rank = (1, 0, 0) if at == number else None
    for word in words:
        if own := _rank(word, eval_id):
            rank = min(rank or own, own)
    return JumpTarget(rank, at) if rank is not None else None


def _rank(word: str, eval_id: str) -> tuple[int, int, int] | None:
    """Rank of an id: it equals the word, begins with it, contains it, or has its letters in order in a short span."""
    if word == eval_id:
        return 0, 0, 0
    if (place := eval_id.find(word)) >= 0:
        return 3 if place else 2, place, len(eval_id)
    similar = letters_in_order(word)(eval_id) if word else None
    return (4, similar.end() - similar.start(1), len(eval_id)) if similar else None

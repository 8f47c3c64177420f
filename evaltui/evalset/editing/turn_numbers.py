"""Keeps the `turn_index` of turns correct when turns are added, deleted or moved."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.document.edits import Edit, Set
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.keys import member


def are_counted(turns: Sequence[Node]) -> bool:
    """Whether at least one turn has a `turn_index`, and each one equals the index of its turn."""
    numbers = [(at, number) for at, turn in enumerate(turns) if (number := member(turn, "turn_index")) is not None]
    return bool(numbers) and all(number.source() == b"%d" % at for at, number in numbers)


def count_turns(turns: Node, order: Sequence[Node | None]) -> list[Edit]:
    """The edits that renumber the turns of a list in this new `order`; None stands for a new turn.

    Numbers that did not count from 0 stay as they are, because their meaning is unknown.
    """
    if not are_counted(turns.items):
        return []
    edits: list[Edit] = []
    before = {turn: at for at, turn in enumerate(turns.items)}
    for at, turn in enumerate(order):
        number = member(turn, "turn_index")
        if turn is not None and number is not None and before.get(turn) != at:
            edits.append(Set(f"{turns.pointer()}/{at}/{escape(number.name)}", b"%d" % at))
    return edits


def count_swapped(turn: Node) -> list[Edit]:
    """The edits that swap the numbers of `turn` and a new turn, which was numbered to come after it."""
    turns, number = turn.parent, member(turn, "turn_index")
    if turns is None or number is None or not are_counted(turns.items):
        return []
    first = turn.index()
    return [Set(f"{turns.pointer()}/{at}/{escape(number.name)}", b"%d" % at) for at in (first, first + 1)]

"""The `turn_index` of turns, kept true where turns come, go or move."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.document.edits import Edit, Set
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.keys import member


def are_counted(turns: Sequence[Node]) -> bool:
    """Whether at least one turn has a `turn_index`, and each that has one stands at that place, from 0."""
    numbers = [(at, number) for at, turn in enumerate(turns) if (number := member(turn, "turn_index")) is not None]
    return bool(numbers) and all(number.source() == b"%d" % at for at, number in numbers)


def count_turns(turns: Node, order: Sequence[Node | None]) -> list[Edit]:
    """The edits that count the turns of a list anew, once they stand in this `order`; None for a turn that is new.

    A list that was not counted from 0 is left as it is: nobody knows what its numbers mean.
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
    """The edits that count `turn` and a new one anew, which was numbered to stand behind it and stands before it."""
    turns, number = turn.parent, member(turn, "turn_index")
    if turns is None or number is None or not are_counted(turns.items):
        return []
    first = turn.index()
    return [Set(f"{turns.pointer()}/{at}/{escape(number.name)}", b"%d" % at) for at in (first, first + 1)]

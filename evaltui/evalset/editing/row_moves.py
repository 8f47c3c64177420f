"""Moves and deletes cases, turns, calls and events, and other values, each within its own list or object."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import chain
from typing import TypeVar

from evaltui.document.edits import Edit, Insert, Move, Remove, Set
from evaltui.document.errors import EditError
from evaltui.document.layout import line_indent
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.call_views import Pairing, ToolUse, expected_uses, use_of
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.call_edits import delete_call, event_of, part_around, removals
from evaltui.evalset.editing.revision import Revision, are_counted, renumbered
from evaltui.evalset.keys import member
from evaltui.evalset.titles import counted_kind, title
from evaltui.printable import one_line

_FEW = 100
"""Up to this many chosen items move one by one; of more, the fewer items between them move instead."""

Item = TypeVar("Item")


# --- items of any list -----------------------------------------------------------------------------------------------


def move_value(node: Node, step: int, named: str) -> Revision:
    """Move an item or key one place up (-1) or down (1) among its siblings.

    Raises `EditError` at the end of them.
    """
    container = node.parent
    if container is None:
        raise EditError("the outermost value cannot move")
    index, last = node.index(), len(container.items) - 1
    goal = index + step
    if not 0 <= goal <= last:
        raise EditError(f"{named} is already {'first' if step < 0 else 'last'}")
    label = f"move {named} {'up' if step < 0 else 'down'}"
    if container.kind == "array":
        return Revision(label, [Move(node.pointer(), f"{container.pointer()}/{goal}")])
    # A key becomes a new node, because JSON Patch knows no order of keys; an item stays the same node.
    following = goal if step < 0 else goal + 1
    follower = container.items[following].name if following <= last else None
    copy = Insert(node.pointer(), node.source(), follower, origin_indent=line_indent(node))
    return Revision(label, [Remove(node.pointer()), copy])


def shifted(items: Sequence[Item], chosen: AbstractSet[Item], step: int) -> list[Item]:
    """`items` with each chosen item moved up (-1) or down (1) past its neighbour, unless that is chosen, too."""
    order = list(items)
    for index in range(len(order)) if step < 0 else range(len(order) - 1, -1, -1):
        beside = index + step
        if order[index] in chosen and 0 <= beside < len(order) and order[beside] not in chosen:
            order[index], order[beside] = order[beside], order[index]
    return order


def moves(
    pointer: str, items: Sequence[Item], order: Sequence[Item], chosen: AbstractSet[Item], head: int = 0
) -> list[Edit]:
    """The moves that bring `items` of the list at `pointer` into another order; few chosen items move themselves.

    `items` come after `head` other items, which stay.
    """
    current, edits = list(items), list[Edit]()

    def move(index: int, goal: int) -> None:
        edits.append(Move(f"{pointer}/{head + index}", f"{pointer}/{head + goal}"))
        current.insert(goal, current.pop(index))

    if 0 < len(chosen) <= _FEW:  # moved nodes are marked as changed, so they must be the nodes that the person moved
        # Look up only the chosen items: a search for every item takes a second per key press with 10,000 cases.
        for place in [place for place, item in enumerate(order) if item in chosen]:
            index = current.index(order[place])
            goal = current.index(order[place - 1]) + 1 if place else 0
            if index != goal:
                move(index, goal - (index < goal))
    goals: dict[Item, int] = {}
    for place, item in enumerate(order):
        if current[place] == item:
            continue
        if current[place + 1] == item:
            # Either of two swapped neighbours may move; moving the first past the other keeps the later moves few.
            goals = goals or {item: goal for goal, item in enumerate(order)}
            move(place, goals[current[place]])
        if current[place] != item:
            move(current.index(item, place), place)
    return edits


# --- moving rows -----------------------------------------------------------------------------------------------------


def shift_rows(eval_set: CaseFile, nodes: Sequence[Node], step: int) -> Revision:
    """Move rows of one list up (-1) or down (1), each past the next row that is not among them.

    Raises `EditError` if they are in different lists or a call cannot leave its event.
    """
    label = f"move {_rows_title(eval_set, nodes)} {'up' if step < 0 else 'down'}"
    if {eval_set.kind(node) for node in nodes} == {"call"}:
        return Revision(label, _shifted_calls(eval_set, nodes, step))
    container = _common_list(nodes)
    chosen = set(nodes)
    return Revision(label, _moves(container, shifted(container.items, chosen, step), chosen))


def move_row(eval_set: CaseFile, node: Node, step: int) -> Revision:
    """Move one row like `shift_rows`; raises `EditError` also at the end of its list."""
    revision = shift_rows(eval_set, [node], step)
    if not revision.edits:
        raise EditError(f"{_rows_title(eval_set, [node])} is already {'first' if step < 0 else 'last'}")
    return revision


def move_rows_to(eval_set: CaseFile, nodes: Sequence[Node], target: Node) -> Revision:
    """Move cases or turns to the place of `target`: before it if they come from below, after it from above."""
    container = _common_list([*nodes, target])
    if eval_set.kind(target) not in ("case", "turn", "event"):
        raise EditError("tool calls cannot be dragged: move them with alt+↑ and alt+↓")
    if target in nodes:
        return Revision("")
    chosen = set(nodes)
    order = [item for item in container.items if item not in chosen]
    place = order.index(target) + (nodes[0].index() < target.index())
    order[place:place] = nodes
    return Revision(f"move {_rows_title(eval_set, nodes)}", _moves(container, order, chosen))


def put_before(addition: Revision, node: Node) -> Revision:
    """Change an addition after a row into one before it: at the index of the row, or of the row's event."""
    edits, numbers = list[Edit](), list[Edit]()
    rows = [(row, row.parent) for row in (node, *node.ancestors()) if row.parent and row.parent.kind == "array"]
    places = {items.pointer(): (row, items) for row, items in rows}
    for edit in addition.edits:
        around = edit.pointer.rpartition("/")[0]
        if isinstance(edit, Insert) and around in places:
            row, items = places[around]
            index, number = row.index(), member(row, "turn_index")
            edit = edit._replace(pointer=f"{around}/{index}")  # noqa: PLW2901
            if number is not None and are_counted(items.items):  # the new turn was numbered to come after this one
                name = escape(number.name)
                numbers += [Set(f"{around}/{place}/{name}", b"%d" % place) for place in (index, index + 1)]
        edits.append(edit)
    return replace(addition, edits=[*edits, *numbers])


def _moves(container: Node, order: Sequence[Node], chosen: AbstractSet[Node]) -> list[Edit]:
    numbers = renumbered(container, order) if container.name == "turns" else []
    return [*numbers, *moves(container.pointer(), container.items, order, chosen)]


def _rows_title(eval_set: CaseFile, nodes: Sequence[Node]) -> str:
    return title(eval_set, nodes[0]) if len(nodes) == 1 else counted_kind(eval_set.kind(nodes[0]), len(nodes))


def _common_list(nodes: Sequence[Node]) -> Node:
    container = nodes[0].parent
    if container is None or container.kind != "array" or any(node.parent is not container for node in nodes):
        raise EditError("rows of different lists cannot move together: mark only cases, or turns of one case")
    return container


# --- moving calls ----------------------------------------------------------------------------------------------------


def _shifted_calls(eval_set: CaseFile, nodes: Sequence[Node], step: int) -> list[Edit]:
    turn, *further = {eval_set.enclosing(node, "turn") for node in nodes}
    if further or turn is None:
        raise EditError("tool calls of different turns cannot move together")
    uses = {use.node: use for use in expected_uses(turn)}
    calls = list(uses)
    order = shifted(calls, set(nodes), step)
    displaced = [node for node, occupant in zip(order, calls, strict=True) if node is not occupant]
    if {_carrier(node).parent for node in displaced} <= {_carrier(nodes[0]).parent}:
        carriers = _in_order([_carrier(node) for node in displaced], map(_carrier, nodes))
        return [*carriers, *_moved_answers(uses, order, nodes)]
    # Calls in several events: the event of a call and the event of its response move as one block.
    events = [event for node in displaced for event in _events_of(uses[node])]
    staying = {event for node, use in uses.items() if node not in displaced for event in _events_of(use)}
    is_shared = len(set(events)) < len(events) or not staying.isdisjoint(events)
    is_elsewhere = not all(_events_of(uses[node]) for node in displaced) or len({event.parent for event in events}) > 1
    if is_shared or is_elsewhere:
        raise EditError("other calls are in the same event: move the whole event in intermediate_data")
    return _in_order(events, [event for node in nodes for event in _events_of(uses[node])])


def _carrier(node: Node) -> Node:
    """The list item of a call or response: itself, or the part around it in an event."""
    return part_around(node) or node


def _events_of(use: ToolUse) -> list[Node]:
    return [event for node in (use.node, use.response) if (event := event_of(node)) is not None]


def _in_order(items: Sequence[Node], chosen: Iterable[Node]) -> list[Edit]:
    """The moves that bring these items of one list into this order, using only their own places."""
    container = items[0].parent if items else None
    if container is None:
        return []
    among, following = set(items), iter(items)
    order = [next(following) if item in among else item for item in container.items]
    return _moves(container, order, set(chosen))


def _moved_answers(uses: dict[Node, ToolUse], order: Sequence[Node], chosen: Sequence[Node]) -> list[Edit]:
    """Moves of responses that are paired by order alone: they must stay in the order of their calls."""
    answers, reordered = (
        [
            _carrier(response)
            for node in nodes
            if uses[node].pairing is Pairing.BY_ORDER and (response := uses[node].response) is not None
        ]
        for nodes in (uses, order)
    )
    if answers == reordered:
        return []
    if len({answer.parent for answer in answers}) > 1 or len(set(answers)) < len(answers):
        raise EditError("one event has the responses of several calls: add ids to the calls before you move one")
    return _in_order(reordered, [_carrier(answer) for node in chosen if (answer := uses[node].response) is not None])


# --- deleting --------------------------------------------------------------------------------------------------------


def delete_rows(case_file: CaseFile, nodes: Sequence[Node]) -> Revision:
    """Delete several rows as one step, calls with their responses; the remaining turns are renumbered."""
    chosen = set(nodes)
    outermost = [node for node in nodes if not any(outer in chosen for outer in node.ancestors())]
    kinds = {case_file.kind(node) for node in outermost}
    rows = [(case_file.enclosing(node, "turn"), node) for node in outermost if case_file.kind(node) == "call"]
    calls = [use for turn, call in rows if (use := use_of(turn, call)) is not None]
    if len(outermost) == 1 and calls:
        return delete_call(case_file, calls[0])
    if len(outermost) == 1:
        row = outermost[0]
        has_an_id = case_file.kind(row) == "case" and one_line(case_file.case_id(row))
        label = f"delete {'case ' if has_an_id else ''}{title(case_file, row)}"
    elif len(kinds) == 1:
        label = f"delete {counted_kind(kinds.pop(), len(outermost))}"
    else:
        label = f"delete {len(outermost)} rows"
    lists = dict.fromkeys(node.parent for node in outermost if case_file.is_dataset and case_file.kind(node) == "turn")
    staying = {turns: [turn for turn in turns.items if turn not in chosen] for turns in lists if turns is not None}
    numbers = chain.from_iterable(renumbered(turns, order) for turns, order in staying.items())
    responses = [use.response for use in calls if use.response is not None]
    return Revision(label, [*numbers, *removals([*outermost, *responses])])

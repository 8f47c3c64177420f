"""Moving and deleting rows of a set: cases among cases, turns among turns, calls among calls."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.document import Edit, EditError, Move, Node, Remove
from evaltui.evalset.authoring import delete
from evaltui.evalset.calling import delete_call, holders, last_first
from evaltui.evalset.copying import counted_kind
from evaltui.evalset.eval_set import EvalSet, Invocation
from evaltui.evalset.events import event_of
from evaltui.evalset.revision import Revision
from evaltui.evalset.titles import title
from evaltui.evalset.tool_uses import Pairing, ToolUse


def shift(eval_set: EvalSet, nodes: Sequence[Node], step: int) -> Revision:
    """Move rows of one kind and one list a place up (-1) or down (1), each past the row that is not among them.

    Raises `EditError` where they stand in different lists or a call cannot leave its event.
    """
    label = f"move {_named(eval_set, nodes)} {'up' if step < 0 else 'down'}"
    if {eval_set.kind(node) for node in nodes} == {"call"}:
        return Revision(label, _shifted_calls(eval_set, nodes, step))
    container = _common_list(nodes)
    return Revision(label, _moves(container, _shifted(container.items, nodes, step)))


def move_to(eval_set: EvalSet, nodes: Sequence[Node], target: Node) -> Revision:
    """Move cases or turns to the place of `target`, a row of their list: before it from below, behind it from above."""
    container = _common_list([*nodes, target])
    if eval_set.kind(target) not in ("case", "turn"):
        raise EditError("only cases and turns are moved so: alt+↑ and alt+↓ move a tool call")
    order = [item for item in container.items if item not in nodes]
    if target in nodes:
        return Revision("")
    behind = nodes[0].index() < target.index()
    place = order.index(target) + behind
    return Revision(f"move {_named(eval_set, nodes)}", _moves(container, [*order[:place], *nodes, *order[place:]]))


def _named(eval_set: EvalSet, nodes: Sequence[Node]) -> str:
    return title(eval_set, nodes[0]) if len(nodes) == 1 else counted_kind(eval_set.kind(nodes[0]), len(nodes))


def _common_list(nodes: Sequence[Node]) -> Node:
    containers = {node.parent for node in nodes}
    container = nodes[0].parent
    if len(containers) > 1 or container is None or container.kind != "array":
        raise EditError("rows of different lists cannot move together: mark cases alone, or turns of one case")
    return container


def _shifted(items: Sequence[Node], nodes: Sequence[Node], step: int) -> list[Node]:
    """`items` with each of `nodes` one place on, as far as there is room."""
    order = list(items)
    chosen = set(nodes)
    places = range(len(order)) if step < 0 else range(len(order) - 1, -1, -1)
    for at in places:
        beside = at + step
        if order[at] in chosen and 0 <= beside < len(order) and order[beside] not in chosen:
            order[at], order[beside] = order[beside], order[at]
    return order


def _moves(container: Node, order: Sequence[Node]) -> list[Edit]:
    """The moves that bring the items of a list into another order, as few as there are items out of place."""
    now, pointer = list(container.items), container.pointer()
    edits: list[Edit] = []
    for place, node in enumerate(order):
        if now[place] is node:
            continue
        if place + 1 < len(now) and now[place + 1] is node:
            # Of two neighbours that change places either may move; the first one past the other keeps later moves few.
            follower = order.index(now[place])
            edits.append(Move(f"{pointer}/{place}", f"{pointer}/{follower}"))
            now.insert(follower, now.pop(place))
            if now[place] is node:
                continue
        at = now.index(node)
        edits.append(Move(f"{pointer}/{at}", f"{pointer}/{place}"))
        now.insert(place, now.pop(at))
    return edits


# --- calls ---------------------------------------------------------------------------------------------------


def _shifted_calls(eval_set: EvalSet, nodes: Sequence[Node], step: int) -> list[Edit]:
    turns = {eval_set.enclosing(node, "turn") for node in nodes}
    turn = next(iter(turns))
    if len(turns) > 1 or turn is None:
        raise EditError("calls of different turns cannot move together")
    uses = {use.node: use for use in Invocation(turn).tool_uses.calls}
    before = list(uses)
    after = _shifted(before, nodes, step)
    if {use.node.parent for use in uses.values()} == {nodes[0].parent}:
        return [*_moves(_common_list(nodes), after), *_answers_kept(uses, before, after)]
    return _moved_events(uses, after)


def _answers_kept(uses: dict[Node, ToolUse], before: Sequence[Node], after: Sequence[Node]) -> list[Edit]:
    """Where calls and answers are paired by order alone, the answers change places as their calls do."""
    answers = [uses[node].response for node in before if uses[node].pairing is Pairing.BY_ORDER]
    wanted = [uses[node].response for node in after if uses[node].pairing is Pairing.BY_ORDER]
    first = answers[0] if answers else None
    if answers == wanted or first is None or first.parent is None or any(a is None for a in wanted):
        return []
    container = first.parent
    places = iter([answer for answer in wanted if answer is not None])
    order = [next(places) if item in answers else item for item in container.items]
    return _moves(container, order)


def _moved_events(uses: dict[Node, ToolUse], after: Sequence[Node]) -> list[Edit]:
    """The events of each call (its own and that of its answer) as one block, in another order."""
    blocks = {
        node: [event for n in (node, uses[node].response) if (event := event_of(n)) is not None] for node in after
    }
    events = [event for block in blocks.values() for event in block]
    container = events[0].parent if events else None
    if container is None or len(set(events)) < len(events) or len(events) < len(after):
        raise EditError("these calls share an event: move them inside it, under intermediate_data")
    order_of_events = iter(event for node in after for event in blocks[node])
    among = set(events)
    return _moves(container, [next(order_of_events) if item in among else item for item in container.items])


def _events_of(use: ToolUse) -> list[Node]:
    return [event for node in (use.node, use.response) if (event := event_of(node)) is not None]


# --- deleting ------------------------------------------------------------------------------------------------


def delete_rows(eval_set: EvalSet, nodes: Sequence[Node]) -> Revision:
    """Take several rows out as one step; calls with their responses."""
    chosen = set(nodes)
    outermost = [node for node in nodes if not any(at in chosen for at in node.ancestors())]
    if len(outermost) == 1:
        return _deletion(eval_set, outermost[0])
    doomed: list[Node] = []
    for node in outermost:
        response = _use(eval_set, node).response if eval_set.kind(node) == "call" else None
        doomed += [node, *([response] if response is not None else [])]
    edits: list[Edit] = [Remove(pointer) for pointer in last_first(holders(doomed))]
    kinds = {eval_set.kind(node) for node in outermost}
    what = counted_kind(kinds.pop(), len(outermost)) if len(kinds) == 1 else f"{len(outermost)} rows"
    return Revision(f"delete {what}", edits)


def _deletion(eval_set: EvalSet, node: Node) -> Revision:
    if eval_set.kind(node) == "call":
        return delete_call(eval_set, _use(eval_set, node))
    return delete(eval_set, node)


def _use(eval_set: EvalSet, node: Node) -> ToolUse:
    turn = eval_set.enclosing(node, "turn")
    assert turn is not None
    return next(use for use in Invocation(turn).tool_uses.calls if use.node is node)

"""Moves and deletes rows of a file: cases, turns, calls and events, each within its own list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from evaltui.document.edits import Edit, Insert, Remove, Set
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.call_views import Pairing, ToolUse, tool_uses_of
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.call_edits import delete_call, event_of, part_around, removals
from evaltui.evalset.editing.item_moves import moves, shifted
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.row_copies import counted_kind, use_of
from evaltui.evalset.editing.turn_numbers import are_counted, count_swapped, count_turns
from evaltui.evalset.keys import member
from evaltui.evalset.titles import title
from evaltui.printable import one_line


def shift_rows(eval_set: CaseFile, nodes: Sequence[Node], step: int) -> Revision:
    """Move rows of one list up (-1) or down (1), each past the next row that is not among them.

    Raises `EditError` if they are in different lists or a call cannot leave its event.
    """
    label = f"move {_named(eval_set, nodes)} {'up' if step < 0 else 'down'}"
    if {eval_set.kind(node) for node in nodes} == {"call"}:
        return Revision(label, _shifted_calls(eval_set, nodes, step))
    container = _common_list(nodes)
    chosen = set(nodes)
    return Revision(label, _moves(container, shifted(container.items, chosen, step), chosen))


def move_row(eval_set: CaseFile, node: Node, step: int) -> Revision:
    """Move one row like `shift_rows`; raises `EditError` also at the end of its list."""
    revision = shift_rows(eval_set, [node], step)
    if not revision.edits:
        raise EditError(f"{_named(eval_set, [node])} is already {'first' if step < 0 else 'last'}")
    return revision


def move_rows_to(eval_set: CaseFile, nodes: Sequence[Node], target: Node) -> Revision:
    """Move cases or turns to the place of `target`: before it if they come from below, after it from above."""
    container = _common_list([*nodes, target])
    if eval_set.kind(target) not in ("case", "turn", "event"):
        raise EditError("tool calls cannot be dragged: move them with alt+↑ and alt+↓")
    going = set(nodes)
    order = [item for item in container.items if item not in going]
    if target in nodes:
        return Revision("")
    behind = nodes[0].index() < target.index()
    place = order.index(target) + behind
    return Revision(
        f"move {_named(eval_set, nodes)}", _moves(container, [*order[:place], *nodes, *order[place:]], set(nodes))
    )


def put_before(addition: Revision, node: Node) -> Revision:
    """Change an addition after a row into one before it: at the index of the row, or of the row's event."""
    edits: list[Edit] = []
    numbers: list[Edit] = []
    for edit in addition.edits:
        around = edit.pointer.rpartition("/")[0] if isinstance(edit, Insert) else None
        own = next((at for at in (node, *node.ancestors()) if at.parent and at.parent.pointer() == around), None)
        if isinstance(edit, Insert) and own is not None and own.parent is not None and own.parent.kind == "array":
            edit = edit._replace(pointer=f"{around}/{own.index()}")  # noqa: PLW2901
            numbers += count_swapped(own)
        edits.append(edit)
    edits += numbers
    return replace(addition, edits=edits)


def _moves(container: Node, order: Sequence[Node], chosen: AbstractSet[Node]) -> list[Edit]:
    moved = moves(container.pointer(), container.items, order, chosen)
    return [*moved, *count_turns(container, order)] if container.name == "turns" else moved


def _named(eval_set: CaseFile, nodes: Sequence[Node]) -> str:
    return title(eval_set, nodes[0]) if len(nodes) == 1 else counted_kind(eval_set.kind(nodes[0]), len(nodes))


def _common_list(nodes: Sequence[Node]) -> Node:
    containers = {node.parent for node in nodes}
    container = nodes[0].parent
    if len(containers) > 1 or container is None or container.kind != "array":
        raise EditError("rows of different lists cannot move together: mark only cases, or turns of one case")
    return container


# --- calls ---------------------------------------------------------------------------------------------------


def _shifted_calls(eval_set: CaseFile, nodes: Sequence[Node], step: int) -> list[Edit]:
    turns = {eval_set.enclosing(node, "turn") for node in nodes}
    turn = next(iter(turns))
    if len(turns) > 1 or turn is None:
        raise EditError("tool calls of different turns cannot move together")
    uses = {use.node: use for use in tool_uses_of(turn).calls}
    before = list(uses)
    after = shifted(before, set(nodes), step)
    displaced = [node for node, other in zip(before, after, strict=True) if node is not other]
    if {_carrier(node).parent for node in displaced} <= {_carrier(nodes[0]).parent}:
        carriers = _in_order([_carrier(node) for node in after if node in displaced], map(_carrier, nodes))
        return [*carriers, *_answers_kept(uses, before, after, nodes)]
    return _moved_events(uses, [node for node in after if node in displaced], nodes)


def _carrier(node: Node) -> Node:
    """The list item of a call or response: itself, or the part around it in an event."""
    return part_around(node) or node


def _in_order(items: Sequence[Node], chosen: Iterable[Node]) -> list[Edit]:
    """The moves that bring these items of one list into this order, using only their own places."""
    container = items[0].parent if items else None
    if container is None:
        return []
    among, following = set(items), iter(items)
    order = [next(following) if item in among else item for item in container.items]
    return _moves(container, order, set(chosen))


def _answers_kept(
    uses: dict[Node, ToolUse], before: Sequence[Node], after: Sequence[Node], chosen: Sequence[Node]
) -> list[Edit]:
    """Moves of responses that are paired by order alone: they must stay in the order of their calls."""
    answers, wanted = (
        [_carrier(at) for node in nodes if uses[node].pairing is Pairing.BY_ORDER and (at := uses[node].response)]
        for nodes in (before, after)
    )
    if answers == wanted:
        return []
    if len({answer.parent for answer in wanted}) > 1 or len(set(wanted)) < len(wanted):
        raise EditError("one event has the responses of several calls: add ids to the calls before you move one")
    return _in_order(wanted, [_carrier(answer) for node in chosen if (answer := uses[node].response) is not None])


def _moved_events(uses: dict[Node, ToolUse], after: Sequence[Node], chosen: Sequence[Node]) -> list[Edit]:
    """Moves of the events of these calls: a call's event and its response's event move as one block."""
    events = [event for node in after for event in _events_of(uses[node])]
    others = {event for node, use in uses.items() if node not in after for event in _events_of(use)}
    is_shared = len(set(events)) < len(events) or not others.isdisjoint(events)
    if is_shared or not all(_events_of(uses[node]) for node in after) or len({event.parent for event in events}) > 1:
        raise EditError("other calls are in the same event: move the whole event in intermediate_data")
    return _in_order(events, [event for node in chosen for event in _events_of(uses[node])])


def _events_of(use: ToolUse) -> list[Node]:
    return [event for node in (use.node, use.response) if (event := event_of(node)) is not None]


# --- deleting ------------------------------------------------------------------------------------------------


def delete_rows(case_file: CaseFile, nodes: Sequence[Node]) -> Revision:
    """Delete several rows as one step, calls with their responses; the remaining turns are renumbered."""
    chosen = set(nodes)
    outermost = [node for node in nodes if not any(outer in chosen for outer in node.ancestors())]
    kinds = {case_file.kind(node) for node in outermost}
    if len(outermost) == 1:
        if kinds == {"call"}:
            return delete_call(case_file, use_of(case_file, outermost[0]))
        label = delete_value(case_file, outermost[0]).label
    else:
        what = counted_kind(kinds.pop(), len(outermost)) if len(kinds) == 1 else f"{len(outermost)} rows"
        label = f"delete {what}"
    calls = [use_of(case_file, node) for node in outermost if case_file.kind(node) == "call"]
    responses = [use.response for use in calls if use.response is not None]
    numbers = [*_renumbered(case_file, outermost)] if case_file.is_dataset else []
    return Revision(label, [*numbers, *removals([*outermost, *responses])])


def _renumbered(dataset: CaseFile, deleted: Sequence[Node]) -> Iterator[Edit]:
    """The edits that renumber the remaining turns; they come before the deletions."""
    lists = dict.fromkeys(node.parent for node in deleted if dataset.kind(node) == "turn")
    for turns in lists:
        if turns is None or not are_counted(turns.items):
            continue
        staying = [turn for turn in turns.items if turn not in deleted]
        for index, turn in enumerate(staying):
            number = member(turn, "turn_index")
            if number is not None and number.source() != b"%d" % index:
                yield Set(f"{turn.pointer()}/{escape(number.name)}", b"%d" % index)


def delete_value(eval_set: CaseFile, node: Node) -> Revision:
    """Delete a case, a turn or any other value. Tool calls are deleted by `call_edits.delete_call`."""
    kind = eval_set.kind(node)
    named = title(eval_set, node) if kind != "value" else one_line(node.name, 40) or f"item {node.index() + 1}"
    has_an_id = kind == "case" and one_line(eval_set.case_id(node))
    return Revision(f"delete {'case ' if has_an_id else ''}{named}", [Remove(node.pointer())])

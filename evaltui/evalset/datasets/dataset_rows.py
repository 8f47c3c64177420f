"""Deletes, clones and pastes rows of a dataset: cases, turns and events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from evaltui.document.edits import Edit, Remove, Set
from evaltui.document.errors import EditError
from evaltui.document.layout import line_indent
from evaltui.document.node import Node, parse_value
from evaltui.document.pointer import escape
from evaltui.evalset.case_file import CaseFile, dataset_turns_of
from evaltui.evalset.datasets.dataset_spelling import respelt_rows
from evaltui.evalset.datasets.dataset_templates import refuse_other_kind
from evaltui.evalset.datasets.turn_numbers import are_counted, count_turns
from evaltui.evalset.editing.call_edits import last_first
from evaltui.evalset.editing.fresh_ids import Renaming, fresh_again, fresh_where_taken
from evaltui.evalset.editing.revision import Revision, put
from evaltui.evalset.editing.row_copies import Copy, counted_kind, inserts_at, renaming_remark
from evaltui.evalset.editing.row_edits import delete_value
from evaltui.evalset.keys import filled, items_of, key_in, member, text_of
from evaltui.evalset.titles import title

KINDS = ("case", "turn", "event")
"""The kinds of rows that can be deleted, cloned and pasted."""


def delete_rows(dataset: CaseFile, nodes: Sequence[Node]) -> Revision:
    """Delete several rows as one step, and renumber the remaining turns."""
    chosen = set(nodes)
    outermost = [node for node in nodes if not any(at in chosen for at in node.ancestors())]
    kinds = {dataset.kind(node) for node in outermost}
    if len(outermost) == 1:
        label = delete_value(dataset, outermost[0]).label
    else:
        what = counted_kind(kinds.pop(), len(outermost)) if len(kinds) == 1 else f"{len(outermost)} rows"
        label = f"delete {what}"
    edits: list[Edit] = [*_counted_without(dataset, outermost), *map(Remove, last_first(outermost))]
    return Revision(label, edits)


def _counted_without(dataset: CaseFile, gone: Sequence[Node]) -> list[Edit]:
    """The edits that renumber the remaining turns; they come before the deletions."""
    going: defaultdict[Node, set[Node]] = defaultdict(set)
    for node in gone:
        if node.parent is not None and dataset.kind(node) == "turn":
            going[node.parent].add(node)
    edits: list[Edit] = []
    for turns, left in going.items():
        if not are_counted(turns.items):
            continue
        staying = [turn for turn in turns.items if turn not in left]
        for at, turn in enumerate(staying):
            number = member(turn, "turn_index")
            if number is not None and number.source() != b"%d" % at:
                edits.append(Set(f"{turn.pointer()}/{escape(number.name)}", b"%d" % at))
    return edits


def copy_of(dataset: CaseFile, node: Node) -> Copy | None:
    """A copy of a row; None for the dataset itself and for other values."""
    kind = dataset.kind(node)
    return Copy(kind, node.source(), line_indent(node)) if kind in KINDS else None


def clone_rows(dataset: CaseFile, nodes: Sequence[Node]) -> Revision:
    """Copy rows of one kind, and put the copies after the last of them."""
    copies = [copy for node in nodes if (copy := copy_of(dataset, node)) is not None]
    if not copies:
        raise EditError("the dataset itself cannot be cloned")
    revision = put_copies(dataset, copies, nodes[-1], before=False)
    what = title(dataset, nodes[0]) if len(nodes) == 1 else counted_kind(copies[0].kind, len(copies))
    return Revision(f"clone {what}", revision.edits, revision.remark)


def put_copies(
    dataset: CaseFile, copies: Sequence[Copy], at: Node, before: bool, *, from_elsewhere: bool = False
) -> Revision:
    """Put copies of one kind beside the row `at`, or inside it if that is a row one level up.

    Copies `from_elsewhere` get their keys in the spelling of their neighbours.
    Raises `EditError` if they cannot be there.
    """
    kind = copies[0].kind
    label = f"paste {counted_kind(kind, len(copies))}"
    case, turn = dataset.enclosing(at, "case"), dataset.enclosing(at, "turn")
    if kind == "case":
        edits, remark = _cases(dataset, copies, case, before)
    elif case is None:
        raise EditError(f"select a case first: {kind}s belong in a case")
    elif kind == "turn":
        label += f" into {title(dataset, case)}"
        edits, remark = _turns(copies, case, turn, before)
    else:
        turn = turn or next(reversed(dataset_turns_of(case)), None)
        if turn is None:
            raise EditError("add a turn first: events belong in a turn")
        label += f" into {title(dataset, turn)}"
        edits, remark = _events(copies, turn, dataset.enclosing(at, "event"), before), ""
    if from_elsewhere and (respelt := respelt_rows(edits, next(iter(dataset.cases), at))):
        edits, remark = (
            [*edits, *respelt],
            "; ".join(filter(None, [remark, "keys changed to the spelling of this file"])),
        )
    return Revision(label, edits, remark)


def _cases(dataset: CaseFile, copies: Sequence[Copy], beside: Node | None, before: bool) -> tuple[list[Edit], str]:
    cases = member(dataset.root, "eval_cases")
    if cases is None or cases.kind != "array":
        raise EditError("add a case first: this dataset has no list of cases")
    index = beside.index() + (not before) if beside is not None else len(cases.items)
    taken = dataset.ids.of(cases.items)
    renamings = [_fresh_case(parse_value(copy.source), taken) for copy in copies]
    return inserts_at(cases.pointer(), index, copies, renamings), renaming_remark(renamings)


def _fresh_case(copy: Node, taken: set[str]) -> list[Renaming]:
    """The ids that a copied case must change; its final id is added to `taken`."""
    renamings = fresh_where_taken(member(copy, "eval_case_id"), taken)
    for turn in dataset_turns_of(copy):
        renamings += fresh_again(member(turn, "turn_id"))
    return renamings


def _turns(copies: Sequence[Copy], case: Node, beside: Node | None, before: bool) -> tuple[list[Edit], str]:
    """Copies of turns beside a turn or at the end of the case, numbered with the others."""
    refuse_other_kind(case, "agent_data", "object")
    data = filled(case, "agent_data")
    if data is not None:
        refuse_other_kind(data, "turns", "array")
    turns, there = filled(data, "turns"), dataset_turns_of(case)
    taken = {text_of(turn, "turn_id") for turn in there}
    values = [parse_value(copy.source) for copy in copies]
    renamings = [fresh_where_taken(member(value, "turn_id"), taken) for value in values]
    index = beside.index() + (not before) if beside is not None else len(there)
    edits: list[Edit] = []
    pointer = f"{case.pointer()}/{key_in(case, 'agent_data')}/turns"
    if data is None:
        edits.append(put(case, "agent_data", {"turns": []}))
    elif turns is None:
        edits.append(put(data, "turns", []))
    edits += inserts_at(pointer, index, copies, renamings)
    counted = not there or are_counted(there)
    for number, value in enumerate(values):
        own = member(value, "turn_index")
        if counted and own is not None and own.source() != b"%d" % (index + number):
            edits.append(Set(f"{pointer}/{index + number}/{escape(own.name)}", b"%d" % (index + number)))
    if turns is not None:
        edits += count_turns(turns, [*there[:index], *[None] * len(copies), *there[index:]])
    return edits, renaming_remark(renamings)


def _events(copies: Sequence[Copy], turn: Node, beside: Node | None, before: bool) -> list[Edit]:
    refuse_other_kind(turn, "events", "array")
    there = items_of(turn, "events")
    index = beside.index() + (not before) if beside is not None else len(there)
    edits = [put(turn, "events", [])] if filled(turn, "events") is None else []
    return [*edits, *inserts_at(f"{turn.pointer()}/events", index, copies, [[] for _ in copies])]

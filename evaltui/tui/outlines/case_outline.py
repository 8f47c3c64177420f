"""An eval set as set → cases → turns → tool calls, and a dataset as dataset → cases → turns → events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.call_views import expected_uses, use_of
from evaltui.evalset.case_file import CaseFile, takes_turns
from evaltui.evalset.case_format import CaseFormat
from evaltui.evalset.editing.revision import Copy, Revision
from evaltui.evalset.editing.templates import add_case, add_event, add_turn
from evaltui.evalset.keys import items_of, text_of
from evaltui.evalset.titles import title
from evaltui.tui.forms.form import Form
from evaltui.tui.forms.form_table import FormOwner
from evaltui.tui.forms.json_form import json_form
from evaltui.tui.lines import Line, preview
from evaltui.tui.outlines.row_texts import (
    case_line,
    dataset_case_line,
    dataset_turn_line,
    event_line,
    turn_line,
    use_line,
)

if TYPE_CHECKING:
    from evaltui.tui.outlines.json_outline import JsonOutline

Outline: TypeAlias = "CaseOutline | JsonOutline"
"""A tree of nodes with a form for each. All its methods but `label` and `form` are cheap for a node not parsed yet."""


class CaseOutline:
    """The rows of a file of cases. The prompt of a dataset case is shown in the row of the case."""

    name = "Cases"

    def __init__(self, case_file: CaseFile) -> None:
        self.case_file = case_file
        self.root = case_file.root
        self.format: CaseFormat | None = case_file.format
        """The format of the cases in the first level; None in the outline of any other JSON."""

    def children(self, node: Node) -> list[Node]:
        """Cases of the file, turns of a case, tool calls or events of a turn."""
        match self.case_file.kind(node):
            case "set":
                return self.case_file.cases
            case "case":
                return self.case_file.turns(node)
            case "turn" if self.case_file.is_dataset:
                return items_of(node, "events")
            case "turn":
                return [use.node for use in expected_uses(node)]
        return []

    def has_children(self, node: Node) -> bool:
        """Whether there are rows below `node`."""
        return bool(self.children(node))

    def label(self, node: Node) -> Line:
        """The ids of a case, the user message of a turn, the name and arguments of a call, the text of an event."""
        is_dataset = self.case_file.is_dataset
        match self.case_file.kind(node):
            case "set" if is_dataset:
                candidate = preview(text_of(node, "candidate_name"), 60)
                return [("EvaluationDataset", "heading"), (f"  {candidate}" if candidate else "", "dim")]
            case "set":
                return [(preview(text_of(node, "eval_set_id"), 60) or "eval set without an id", "heading")]
            case "case":
                return dataset_case_line(node) if is_dataset else case_line(node)
            case "turn":
                return dataset_turn_line(node) if is_dataset else turn_line(node)
            case "call":
                use = use_of(self.case_file.enclosing(node, "turn"), node)
                return use_line(use) if use is not None else [(preview(text_of(node, "name"), 40), "name")]
            case "event":
                return event_line(node)
        return [("?", "dim")]

    def holder(self, node: Node) -> Node | None:
        """The event that moves with the row of a call, or its part if the event has several calls; else None."""
        if self.case_file.kind(node) != "call":
            return None
        from evaltui.evalset.editing.call_edits import holder_of

        return holder_of(node)

    def form(self, node: Node) -> Form:
        """The form of a row."""
        return form_at(self.case_file, node, preview(node.name) or f"item {node.index()}")

    def addition(self, node: Node, inside: bool) -> Revision | None:
        """A case after a case, a turn after a turn, a call or event after another; `inside` one level below."""
        kind = self.case_file.kind(node)
        event, turn, case = (self.case_file.enclosing(node, kind) for kind in ("event", "turn", "case"))
        if kind == "set" or (kind == "case" and not inside):
            return add_case(self.case_file, case)
        if case is not None and (kind == "case" or (kind == "turn" and not inside)):
            return add_turn(self.case_file, case, turn)
        if turn is None or (kind == "event" and inside):
            return None
        if self.case_file.is_dataset:
            return add_event(self.case_file, turn, event)
        from evaltui.evalset.editing.call_edits import add_call

        return add_call(self.case_file, turn, use_of(turn, node))

    def adds(self, node: Node, inside: bool) -> str | None:
        """The kind of row that `addition` adds; None inside of an event and of a case with a scenario."""
        is_dataset = self.case_file.is_dataset
        match self.case_file.kind(node):
            case "set":
                return "case"
            case "case" if inside:
                return "turn" if is_dataset or takes_turns(node) else None
            case "case" | "turn" as kind if not inside:
                return kind
            case "event" if inside:
                return None
        return "event" if is_dataset else "tool call"

    def row(self, node: Node) -> None:
        """None: the keys and types of these rows are those of their format."""

    # --- arranging rows: each raises `EditError` with the reason if it cannot ------------------------------

    def deleting(self, nodes: Sequence[Node]) -> Revision:
        """Deletes rows, calls with their responses."""
        from evaltui.evalset.editing.row_moves import delete_rows

        return delete_rows(self.case_file, self._rows(nodes, are_alike=False))

    def cloning(self, nodes: Sequence[Node]) -> Revision:
        """Copies rows of one kind, with fresh ids."""
        from evaltui.evalset.editing.row_copies import clone_rows

        return clone_rows(self.case_file, self._rows(nodes))

    def shifting(self, nodes: Sequence[Node], step: int) -> Revision:
        """Moves rows of one list up (-1) or down (1)."""
        from evaltui.evalset.editing.row_moves import shift_rows

        return shift_rows(self.case_file, self._rows(nodes), step)

    def dragging(self, nodes: Sequence[Node], target: Node) -> Revision:
        """Moves rows of one list to the place of another row."""
        from evaltui.evalset.editing.row_moves import move_rows_to

        return move_rows_to(self.case_file, self._rows(nodes), target)

    def copies(self, nodes: Sequence[Node]) -> list[Copy]:
        """Rows as copies for the clipboard; for the file itself, all its cases."""
        from evaltui.evalset.editing.row_copies import copy_of

        chosen = self.case_file.cases if list(nodes) == [self.root] else self._rows(nodes)
        return [copy_of(self.case_file, node) for node in chosen]

    def pasting(self, text: str, copies: list[Copy] | None, target: Node, before: bool) -> Revision:
        """Pastes rows after (or before) `target`, with fresh ids: the `copies` from here, else those in the text."""
        from evaltui.evalset.editing.pasted_rows import as_one_case, put_copies
        from evaltui.interop.converted_rows import rows_in_text

        is_dataset = self.case_file.is_dataset
        pasted, remark = (copies, "") if copies else rows_in_text(text, of_dataset=is_dataset)
        # Where no case is selected, pasted turns become the conversation of one new case.
        is_bare = not copies and not is_dataset and pasted[0].kind == "turn"
        if is_bare and self.case_file.enclosing(target, "case") is None:
            pasted = [as_one_case(pasted)]
        revision = put_copies(self.case_file, pasted, target, before, from_elsewhere=not copies)
        remarks = "; ".join(filter(None, [remark, revision.remark]))
        return Revision(revision.label, revision.edits, remarks)

    def _rows(self, nodes: Sequence[Node], *, are_alike: bool = True) -> list[Node]:
        rows = [node for node in nodes if self.case_file.kind(node) not in ("set", "value")]
        if not rows:
            lowest = "event" if self.case_file.is_dataset else "tool call"
            noun = self.case_file.format.noun
            raise EditError(f"not possible for the {noun} itself: select a case, turn or {lowest}")
        kinds = {self.case_file.kind(node) for node in rows}
        if are_alike and len(kinds) > 1:
            raise EditError(f"the marked rows are of different kinds: {', '.join(sorted(kinds))}")
        return rows


def form_at(case_file: CaseFile, node: Node, named: str) -> Form:
    """The form for the place of `node`, a value called `named` or a row; for free JSON and wrong types, its JSON."""
    kind = case_file.kind(node)
    name = case_file.place(node) if kind == "value" else kind
    # Imported late: the first frame has the form of a set or a case, of one format.
    if case_file.is_dataset:
        from evaltui.tui.forms.dataset_places import PLACES
    else:
        from evaltui.tui.forms.eval_set_places import PLACES

        if name not in PLACES:
            from evaltui.tui.forms.turn_places import PLACES

    make = PLACES.get(name)
    is_list = name == "response" and not case_file.is_dataset
    if make is None or node.kind != ("array" if is_list else "object"):
        return json_form(node, named)
    return make(FormOwner(case_file, node, name, named if kind == "value" else title(case_file, node)))

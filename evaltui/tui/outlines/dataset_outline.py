"""An EvaluationDataset as dataset → cases → turns → events."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, dataset_turns_of
from evaltui.evalset.editing.revision import Copy, Revision
from evaltui.evalset.editing.templates import add_case, add_event, add_turn
from evaltui.evalset.keys import items_of, text_of
from evaltui.tui.forms.dataset_lines import case_line, conversation_turn_line, event_line
from evaltui.tui.forms.form import Form, Stop
from evaltui.tui.lines import Line, preview
from evaltui.tui.outlines.outline import added_row


class DatasetOutline:
    """The rows of a dataset. The prompt of a case has no row of its own; it is shown in the row of the case."""

    name = "Cases"
    shows_cases = True

    def __init__(self, dataset: CaseFile) -> None:
        self.dataset = dataset

    @property
    def root(self) -> Node:
        """The dataset itself."""
        return self.dataset.root

    def children(self, node: Node) -> list[Node]:
        """Cases of the dataset, turns of a case, events of a turn."""
        match self.dataset.kind(node):
            case "set":
                return self.dataset.cases
            case "case":
                return dataset_turns_of(node)
            case "turn":
                return items_of(node, "events")
        return []

    def has_children(self, node: Node) -> bool:
        """Whether there are rows below `node`."""
        return bool(self.children(node))

    def label(self, node: Node) -> Line:
        """The id and prompt of a case, the user message of a turn, the text or call of an event."""
        match self.dataset.kind(node):
            case "set":
                candidate = preview(text_of(node, "candidate_name"), 60)
                return [("EvaluationDataset", "heading"), (f"  {candidate}" if candidate else "", "dim")]
            case "case":
                return case_line(node)
            case "turn":
                return conversation_turn_line(node)
            case "event":
                return event_line(node)
        return [("?", "dim")]

    def holder(self, node: Node) -> Node | None:
        """None: every row moves alone."""
        return None

    def numbers_its_rows(self, container: Node) -> bool:
        """Whether the rows below show their number: turns do, and cases without an id."""
        owner = container.parent
        if owner is None or container.kind != "array":
            return False
        return owner is self.root or (owner.parent is not None and self.dataset.kind(owner.parent) == "case")

    def form(self, node: Node) -> Form:
        """The form of a dataset, case, turn or event.

        Each form is imported when it is first shown, because the first frame needs only one.
        """
        match self.dataset.kind(node):
            case "set":
                from evaltui.tui.forms.dataset_forms import dataset_form

                return dataset_form(self.dataset)
            case "case" if node.kind == "object":
                from evaltui.tui.forms.dataset_forms import dataset_case_form

                return dataset_case_form(self.dataset, node)
            case "turn" if node.kind == "object":
                from evaltui.tui.forms.dataset_inner_forms import conversation_turn_form

                return conversation_turn_form(self.dataset, node)
            case "event" if node.kind == "object":
                from evaltui.tui.forms.dataset_inner_forms import agent_event_form

                return agent_event_form(self.dataset, node)
        from evaltui.tui.forms.json_form import json_form

        return json_form(node, preview(node.name) or f"item {node.index()}")

    def addition(self, node: Node, inside: bool) -> Revision | None:
        """A case after a case, a turn after a turn, an event after an event; `inside` one level below."""
        kind = self.dataset.kind(node)
        event, turn, case = (self.dataset.enclosing(node, kind) for kind in ("event", "turn", "case"))
        if kind == "set" or (kind == "case" and not inside):
            return add_case(self.dataset, case)
        if case is not None and (kind == "case" or (kind == "turn" and not inside)):
            return add_turn(self.dataset, case, turn)
        if kind == "event" and inside:
            return None
        return add_event(self.dataset, turn, event) if turn is not None else None

    def takes_inside(self, node: Node) -> bool:
        """True for all rows but events."""
        return self.dataset.kind(node) != "event"

    def adds(self, node: Node, inside: bool) -> str:
        """A case, turn or event."""
        return added_row(self.dataset.kind(node), inside) or "event"

    def row(self, node: Node) -> Stop | None:
        """None: the rows of a dataset are not free JSON."""
        return None

    # --- arranging rows ------------------------------------------------------------------------------------

    def deleting(self, nodes: Sequence[Node]) -> Revision:
        """Deletes cases, turns and events."""
        from evaltui.evalset.editing.row_moves import delete_rows

        return delete_rows(self.dataset, self._rows(nodes))

    def cloning(self, nodes: Sequence[Node]) -> Revision:
        """Copies cases, turns or events and gives the copies fresh ids."""
        from evaltui.evalset.editing.row_copies import clone_rows

        return clone_rows(self.dataset, self._alike(nodes))

    def shifting(self, nodes: Sequence[Node], step: int) -> Revision:
        """Moves cases, turns of a case, or events of a turn up or down."""
        from evaltui.evalset.editing.row_moves import shift_rows

        return shift_rows(self.dataset, self._alike(nodes), step)

    def dragging(self, nodes: Sequence[Node], target: Node) -> Revision:
        """Moves cases, turns of a case, or events of a turn to another row."""
        from evaltui.evalset.editing.row_moves import move_rows_to

        return move_rows_to(self.dataset, self._alike(nodes), target)

    def copies(self, nodes: Sequence[Node]) -> list[Copy]:
        """Copies of cases, turns or events; for the dataset itself, of all its cases."""
        from evaltui.evalset.editing.row_copies import copy_of

        chosen = self.dataset.cases if list(nodes) == [self.dataset.root] else self._alike(nodes)
        return [copy for node in chosen if (copy := copy_of(self.dataset, node)) is not None]

    def pasting(self, text: str, copies: list[Copy] | None, at: Node, before: bool) -> Revision:
        """Pastes the rows found in the text near the row `at`, with fresh ids."""
        from evaltui.evalset.editing.pasted_rows import PastedRows, put_copies
        from evaltui.interop.converted_rows import rows_for_dataset

        found = PastedRows(copies) if copies else rows_for_dataset(text)
        revision = put_copies(self.dataset, found.copies, at, before, from_elsewhere=not copies)
        remarks = "; ".join(filter(None, [found.remark, revision.remark]))
        return Revision(revision.label, revision.edits, remarks)

    def _rows(self, nodes: Sequence[Node]) -> list[Node]:
        rows = [node for node in nodes if self.dataset.kind(node) in ("case", "turn", "event")]
        if not rows:
            raise EditError("not possible for the dataset itself: select a case, turn or event")
        return rows

    def _alike(self, nodes: Sequence[Node]) -> list[Node]:
        rows = self._rows(nodes)
        kinds = {self.dataset.kind(node) for node in rows}
        if len(kinds) > 1:
            raise EditError(f"the marked rows are of different kinds: {', '.join(sorted(kinds))}")
        return rows

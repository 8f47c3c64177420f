"""Rows of an eval set as things to delete, clone, move, copy and paste."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.document import EditError, Node
from evaltui.evalset.editing.call_copies import Copy
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.eval_set import EvalSet


class EvalRows:
    """The part of the outline of an eval set that arranges its rows."""

    eval_set: EvalSet

    def deleting(self, nodes: Sequence[Node]) -> Revision:
        """Takes out cases, turns, and calls with their responses."""
        from evaltui.evalset.editing.row_edits import delete_rows

        return delete_rows(self.eval_set, self._rows(nodes))

    def cloning(self, nodes: Sequence[Node]) -> Revision:
        """Copies cases, turns or calls, with ids of their own."""
        from evaltui.evalset.editing.row_copies import clone_rows

        return clone_rows(self.eval_set, self._alike(nodes))

    def shifting(self, nodes: Sequence[Node], step: int) -> Revision:
        """Moves cases, turns of a case, or calls of a turn."""
        from evaltui.evalset.editing.row_edits import shift_rows

        return shift_rows(self.eval_set, self._alike(nodes), step)

    def dragging(self, nodes: Sequence[Node], target: Node) -> Revision:
        """Moves cases, or turns of a case."""
        from evaltui.evalset.editing.row_edits import move_rows_to

        return move_rows_to(self.eval_set, self._alike(nodes), target)

    def copies(self, nodes: Sequence[Node]) -> list[Copy]:
        """Cases, turns or calls; the set itself as its cases."""
        from evaltui.evalset.editing.row_copies import copy_of

        chosen = self.eval_set.cases if list(nodes) == [self.eval_set.root] else self._alike(nodes)
        return [copy for node in chosen if (copy := copy_of(self.eval_set, node)) is not None]

    def pasting(self, text: str, copies: list[Copy] | None, at: Node, before: bool) -> Revision:
        """Puts in what the text was recognised as: where it belongs near the row, with ids of its own."""
        from evaltui.evalset.editing.pasted_values import PastedRows, recognise_rows
        from evaltui.evalset.editing.row_copies import put_copies

        found = PastedRows(copies) if copies else recognise_rows(text)
        revision = put_copies(self.eval_set, found.copies, at, before, from_elsewhere=not copies)
        remarks = "; ".join(filter(None, [found.remark, revision.remark]))
        return Revision(revision.label, revision.edits, remarks)

    def _rows(self, nodes: Sequence[Node]) -> list[Node]:
        rows = [node for node in nodes if self.eval_set.kind(node) in ("case", "turn", "call")]
        if not rows:
            raise EditError("the set itself stays: only cases, turns and tool calls come and go")
        return rows

    def _alike(self, nodes: Sequence[Node]) -> list[Node]:
        rows = self._rows(nodes)
        kinds = {self.eval_set.kind(node) for node in rows}
        if len(kinds) > 1:
            raise EditError(f"the marked rows are of several kinds: {', '.join(sorted(kinds))}")
        return rows

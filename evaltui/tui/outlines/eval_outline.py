"""An eval set as set → cases → turns → tool calls."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.call_views import ToolUse, tool_uses_of
from evaltui.evalset.case_file import CaseFile, scenario_of, turns_of
from evaltui.evalset.editing.call_edits import add_call, holder_of
from evaltui.evalset.editing.revision import Copy, Revision
from evaltui.evalset.editing.templates import add_case, add_turn, takes_turns
from evaltui.evalset.keys import text_of
from evaltui.tui.forms.form import Form, Stop
from evaltui.tui.forms.values import call_line, turn_line
from evaltui.tui.lines import Line, preview
from evaltui.tui.outlines.outline import added_row


class EvalOutline:
    """The rows of an eval set."""

    name = "Cases"
    shows_cases = True

    def __init__(self, eval_set: CaseFile) -> None:
        self.eval_set = eval_set

    @property
    def root(self) -> Node:
        """The set itself."""
        return self.eval_set.root

    def children(self, node: Node) -> list[Node]:
        """Cases of the set, turns of a case, calls of a turn."""
        match self.eval_set.kind(node):
            case "set":
                return self.eval_set.cases
            case "case":
                return turns_of(node)
            case "turn":
                return [use.node for use in tool_uses_of(node).calls]
        return []

    def has_children(self, node: Node) -> bool:
        """Whether there are rows below `node`."""
        return bool(self.children(node))

    def label(self, node: Node) -> Line:
        """The id of a case, the user message of a turn, the name and arguments of a call."""
        match self.eval_set.kind(node):
            case "set":
                return [(preview(text_of(node, "eval_set_id"), 60) or "eval set without an id", "heading")]
            case "case":
                return _case_label(node)
            case "turn":
                return turn_line(node)
            case "call":
                return self._call_label(node)
        return [("?", "dim")]

    def _call_label(self, node: Node) -> Line:
        use = self._use(node)
        return call_line(use) if use is not None else [(preview(text_of(node, "name"), 40), "name")]

    def _use(self, node: Node) -> ToolUse | None:
        turn = self.eval_set.enclosing(node, "turn")
        calls = tool_uses_of(turn).calls if turn is not None else []
        return next((use for use in calls if use.node is node), None)

    def holder(self, node: Node) -> Node | None:
        """The event that holds a call, or the part if the event has several calls."""
        return holder_of(node) if self.eval_set.kind(node) == "call" else None

    def numbers_its_rows(self, container: Node) -> bool:
        """Whether the rows below show their number: turns do, and cases without an id."""
        return container.parent is not None and self.eval_set.kind(container.parent) in ("set", "case")

    def form(self, node: Node) -> Form:
        """The form of a set, case, turn or call.

        Each form is imported when it is first shown, because the first frame needs only one.
        """
        match self.eval_set.kind(node):
            case "set":
                from evaltui.tui.forms.set_and_case_forms import set_form

                return set_form(self.eval_set)
            case "case" if node.kind == "object":
                from evaltui.tui.forms.set_and_case_forms import case_form

                return case_form(self.eval_set, node)
            case "turn" if node.kind == "object":
                from evaltui.tui.forms.turn_form import turn_form

                return turn_form(self.eval_set, node)
            case "call":
                from evaltui.tui.forms.call_form import call_form

                return call_form(self.eval_set, node)
        from evaltui.tui.forms.json_form import json_form

        return json_form(node, preview(node.name) or f"item {node.index()}")

    def addition(self, node: Node, inside: bool) -> Revision | None:
        """A case after a case, a turn after a turn, a call after a call; `inside` one level below."""
        kind = self.eval_set.kind(node)
        turn, case = (self.eval_set.enclosing(node, kind) for kind in ("turn", "case"))
        if kind == "set" or (kind == "case" and not inside):
            return add_case(self.eval_set, case)
        if case is not None and (kind == "case" or (kind == "turn" and not inside)):
            return add_turn(self.eval_set, case, turn)
        return add_call(self.eval_set, turn, self._use(node)) if turn is not None else None

    def takes_inside(self, node: Node) -> bool:
        """True for all rows but cases with a scenario."""
        return self.eval_set.kind(node) != "case" or takes_turns(node)

    def adds(self, node: Node, inside: bool) -> str:
        """A case, turn or tool call."""
        return added_row(self.eval_set.kind(node), inside) or "tool call"

    def row(self, node: Node) -> Stop | None:
        """None: the rows of an eval set are not free JSON."""
        return None

    # --- arranging rows ------------------------------------------------------------------------------------

    def deleting(self, nodes: Sequence[Node]) -> Revision:
        """Deletes cases, turns, and calls with their responses."""
        from evaltui.evalset.editing.row_moves import delete_rows

        return delete_rows(self.eval_set, self._rows(nodes))

    def cloning(self, nodes: Sequence[Node]) -> Revision:
        """Copies cases, turns or calls and gives the copies fresh ids."""
        from evaltui.evalset.editing.row_copies import clone_rows

        return clone_rows(self.eval_set, self._alike(nodes))

    def shifting(self, nodes: Sequence[Node], step: int) -> Revision:
        """Moves cases, turns of a case, or calls of a turn up or down."""
        from evaltui.evalset.editing.row_moves import shift_rows

        return shift_rows(self.eval_set, self._alike(nodes), step)

    def dragging(self, nodes: Sequence[Node], target: Node) -> Revision:
        """Moves cases, or turns of a case, to another row."""
        from evaltui.evalset.editing.row_moves import move_rows_to

        return move_rows_to(self.eval_set, self._alike(nodes), target)

    def copies(self, nodes: Sequence[Node]) -> list[Copy]:
        """Copies of cases, turns or calls; for the set itself, of all its cases."""
        from evaltui.evalset.editing.row_copies import copy_of

        chosen = self.eval_set.cases if list(nodes) == [self.eval_set.root] else self._alike(nodes)
        return [copy for node in chosen if (copy := copy_of(self.eval_set, node)) is not None]

    def pasting(self, text: str, copies: list[Copy] | None, at: Node, before: bool) -> Revision:
        """Pastes the rows found in the text near the row `at`, with fresh ids."""
        from evaltui.evalset.editing.pasted_rows import PastedRows, as_one_case, put_copies
        from evaltui.interop.converted_rows import rows_for_eval_set

        found = PastedRows(copies) if copies else rows_for_eval_set(text)
        if not copies and found.copies[0].kind == "turn" and self.eval_set.enclosing(at, "case") is None:
            found = as_one_case(found)
        revision = put_copies(self.eval_set, found.copies, at, before, from_elsewhere=not copies)
        remarks = "; ".join(filter(None, [found.remark, revision.remark]))
        return Revision(revision.label, revision.edits, remarks)

    def _rows(self, nodes: Sequence[Node]) -> list[Node]:
        rows = [node for node in nodes if self.eval_set.kind(node) in ("case", "turn", "call")]
        if not rows:
            raise EditError("not possible for the eval set itself: select a case, turn or tool call")
        return rows

    def _alike(self, nodes: Sequence[Node]) -> list[Node]:
        rows = self._rows(nodes)
        kinds = {self.eval_set.kind(node) for node in rows}
        if len(kinds) > 1:
            raise EditError(f"the marked rows are of different kinds: {', '.join(sorted(kinds))}")
        return rows


def _case_label(node: Node) -> Line:
    line: Line = [(preview(text_of(node, "eval_id"), 80) or f"case {node.index() + 1} without an id", "")]
    if scenario_of(node) is not None:
        line.append(("  scenario", "dim"))
    return line

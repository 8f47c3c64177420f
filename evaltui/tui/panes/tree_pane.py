"""The tree of cases, turns and calls, or of any JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.content import Content
from textual.message import Message

from evaltui.document.document import Change
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings
from evaltui.tui.forms.form import Choice, Stop
from evaltui.tui.forms.value_text import TypeCycle
from evaltui.tui.lines import (
    DRAFT,
    FILL,
    MARKED,
    NO_MARK,
    NOT_EVALUATED,
    OUTDATED,
    SEVERITY_MARKS,
    STATUS_MARKS,
    UNSAVED,
    Line,
    Run,
    preview,
)
from evaltui.tui.open_file.drafts import AS_JSON
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.outlines.case_outline import Outline
from evaltui.tui.widgets.line_view import LineList
from evaltui.tui.widgets.row_tree import RowTree

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen
    from evaltui.tui.panes.row_drag import RowDrag

_BESIDE_UNDO = 100
"""Width from which the keys line has room for undo and all keys that add something."""
_OPEN_AT_START = 40
"""Most cases of a set whose turns are unfolded at the start."""


class TreePane(LineList):
    """The rows of an outline, with a cursor, and the commands for the selected row."""

    PLACE = "tree"
    BINDINGS = bindings("list", "tree")

    @dataclass
    class NodeSelected(Message):
        """Another row is selected."""

        node: Node

    def __init__(self, file: EditedDocument, outline: Outline, host: EditScreen) -> None:
        super().__init__(id="tree")
        self.file = file
        self.outline = outline
        self._host = host
        self._types = TypeCycle()
        self._begin()
        self.drag: RowDrag | None = None
        """What the mouse drags; None until a button is pressed here."""
        self._remark = self._title_shown = ""

    def take(self, outline: Outline) -> None:
        """Show another outline, from its first row."""
        self.outline = outline
        self.say_in_title("")
        self._begin()

    def _begin(self) -> None:
        self.rows = RowTree(self.outline)
        self._labels: dict[Node, Line] = {}
        """Labels while they are valid."""
        self._folds: dict[Node, bool] = {}
        """Whether a node has rows below it; only a structural change makes it another."""
        if len(self.rows.nodes) <= _OPEN_AT_START:
            self.rows.fold_all(close=False)
        self.set_reactive(TreePane.cursor, min(1, len(self.rows.nodes) - 1))

    @property
    def selected(self) -> Node:
        """The node of the row under the cursor."""
        return self.rows.nodes[self.cursor]

    def on_resize(self) -> None:
        """Draw the title again: Textual adds a space after it only if there is a right border."""
        self.say_in_title(self._remark)
        super().on_resize()

    def say_in_title(self, remark: str) -> None:
        """Show a remark after the name of the rows."""
        self._remark = remark
        title = " · ".join(filter(None, [preview(self.outline.name, 60) or "unnamed", remark]))
        text = f" {title}" if self.styles.border_right[0] else f" {title} "
        if text != self._title_shown:  # setting even the same title makes Textual redraw all rows
            self._title_shown = text
            self.border_title = Content(text)

    def restrict(self, only: list[Node] | None, stay_at: Node) -> None:
        """Show only these first-level rows, a few of them unfolded; None shows all. The cursor stays near `stay_at`."""
        self.rows.restrict(set(only) if only is not None else None, len(only or ()) <= _OPEN_AT_START)
        row = self.rows.row_around(stay_at) or 0
        self.set_reactive(TreePane.cursor, row or min(1, len(self.rows.nodes) - 1))
        self._redraw()
        self.show_cursor()
        self.post_message(self.NodeSelected(self.selected))

    def case_of(self, node: Node) -> Node | None:
        """The first-level row around `node`."""
        rows = ((outer, self.rows.index(outer)) for outer in (node, *node.ancestors()))
        return next((outer for outer, row in rows if row is not None and self.rows.depths[row] == 1), None)

    # --- lines ---------------------------------------------------------------------------------------------

    def line_count(self) -> int:
        """One line for each row."""
        return len(self.rows.nodes)

    def line(self, index: int) -> Line:
        """Fold mark, verdict, label, and the marks at the right end."""
        node, depth, file = self.rows.nodes[index], self.rows.depths[index], self.file
        label = self._labels.get(node)
        if label is None:
            label = self._labels[node] = self.outline.label(node)
        can_fold = self._folds.get(node)
        if can_fold is None:  # to pair the tool calls of a turn takes longer than to draw its row
            can_fold = self._folds[node] = self.outline.has_children(node)
        fold = ("▾ " if node in self.rows.open_nodes else "▸ ") if can_fold else "  "
        marked: Line = [MARKED] if node in file.marked else []
        front, score = self._verdict(node, depth) if self._is_scored(depth) else ([], [])
        marks, remark = list[Run](), list[Run]()
        line: Line = [("  " * max(0, depth - 1), ""), (fold if depth else "", "dim"), *front, *marked, *label]
        if (severity := file.problems.mark(node)) and depth:
            marks.append(SEVERITY_MARKS[severity])
        drafts = file.drafts
        if drafts.kept and (depth or (node, AS_JSON) in drafts.kept) and drafts.has(node):
            draft = next((draft for (_, key), draft in drafts.kept.items() if key is node), None)
            marks.append(DRAFT)
            remark += [(f" {preview(draft.text, 30)}", "warning")] if draft is not None else []
        elif depth and (
            file.document.is_changed(node)
            or ((holder := self.outline.holder(node)) is not None and file.document.is_changed(holder))
        ):
            marks.append(UNSAVED)
        behind = [(f" {text.rstrip()}", role) for text, role in marks]  # no blank before the edge
        return [*line, ("", FILL), *behind, *remark, *score] if behind or score else line

    def _is_scored(self, depth: int) -> bool:
        """Whether the rows at a depth are cases or turns of an outline that was scored."""
        return depth in (1, 2) and self.file.scores.has_any and self.outline.root is self.file.document.root

    def _verdict(self, node: Node, depth: int) -> tuple[Line, Line]:
        """The mark before the label of a scored case or turn, and the score at the right end."""
        verdict = self.file.scores.verdict(node)
        if verdict is not None:
            from evaltui.report.scores_text import score_text  # nothing is scored before the first frame

            front: Line = [OUTDATED if verdict.is_stale else STATUS_MARKS[verdict.status]]
            role = "error" if verdict.status == "failed" and not verdict.is_stale else "dim"
            metric = verdict.metric
            return front, [(f" {score_text(metric.score, metric.threshold)}", role)] if metric is not None else []
        from evaltui.tui.open_file.score_places import unscored_case

        is_new_case = depth == 1 and unscored_case(self.file.scores, node) is node
        return [NOT_EVALUATED if is_new_case else NO_MARK], []

    def score_named(self) -> tuple[str, str]:
        """The metric whose score is beside the selected row: with its threshold, and without; "" for none."""
        is_scored = self._is_scored(self.rows.depths[self.cursor])
        verdict = self.file.scores.verdict(self.selected) if is_scored else None
        if verdict is None or verdict.metric is None:
            return "", ""
        from evaltui.tui.panes.score_lines import metric_name, metric_text

        return metric_text(verdict.metric), f"score: {metric_name(verdict.metric)}"

    def emphasis(self, index: int) -> tuple[str, str]:
        """Style and mark of a row; the target of a drag is highlighted."""
        mark = self.drag.mark_of(index) if self.drag is not None else ""
        return ("drop", mark) if mark else super().emphasis(index)

    # --- changes -------------------------------------------------------------------------------------------

    def refresh_rows(self, change: Change) -> None:
        """Draw the rows of the edited values, and of the values around them, if they look different."""
        nodes = {parent for node in change.nodes for parent in (node, *node.ancestors())}
        for node in nodes:
            self._labels.pop(node, None)
        self.refresh_changed(lambda row: self.rows.nodes[row] in nodes)

    def apply_change(self, change: Change | None, *, goto_new: bool = False) -> None:
        """Update the rows after an edit, which are the only ones that are compared; with None, all rows.

        The cursor stays on its node; if it is gone, on the next one of its depth, else on the previous one. With
        `goto_new`, it goes to an added row.
        """
        selected, depth, below_top = self.selected, self.rows.depths[self.cursor], self.cursor - self.scroll_offset.y
        if self.outline.format is None:  # the root may have another name
            self.say_in_title(self._remark)
        if change is None:
            self._labels.clear()
            self._folds.clear()
            self.rows.sync_all()
        elif change.structural:
            self.rows.sync(change.nodes)
            changed = set(change.nodes)
            around = changed.union(*(node.ancestors() for node in changed))
            self._folds = {node: can_fold for node, can_fold in self._folds.items() if node not in around}
            # Rows after a new or deleted one may show another number.
            labels = self._labels.items()
            self._labels = {node: label for node, label in labels if node not in around and node.parent not in changed}
        else:
            self.refresh_rows(change)
            return
        if (row := self.rows.index(selected)) is None:
            # A row of a lower depth belongs to the next case, but the person works in this one.
            row = min(self.cursor, len(self.rows.nodes) - 1)
            row -= row == self.cursor > 0 and self.rows.depths[row] < depth
        self.cursor = row
        for node in change.added if change is not None and goto_new else ():
            row, holder = self.rows.reveal(node), self.rows.row_around(node)
            if row is None and holder is not None:
                # The added value may contain the new row, as an event contains its tool call.
                children = self.outline.children(self.rows.nodes[holder])
                inside = next((child for child in children if node in child.ancestors()), None)
                row = self.rows.reveal(inside) if inside is not None else None
            if row is not None:
                self.cursor = row
                break
        self._redraw()
        if change is None:  # keep the row at its place on the screen
            self.scroll_to(y=self.cursor - below_top, animate=False, force=True)
        if change is None or goto_new:
            self.show_lines(self.cursor, self.cursor)

    # --- cursor --------------------------------------------------------------------------------------------

    def cursor_moved(self) -> None:
        """Ask the screen to show the form of the row."""
        self.post_message(self.NodeSelected(self.selected))

    def go_to(self, node: Node) -> bool:
        """Select the row of `node`, unfolding its parents; False if it has no row."""
        row = self.rows.reveal(node)
        if row is None:
            return False
        self._redraw()
        self.cursor = row
        self.show_lines(row, row)
        return True

    def go_around(self, node: Node) -> Node:
        """Select the row of a value, or of the nearest ancestor with a row."""
        rows = (ancestor for ancestor in (node, *node.ancestors()) if self.go_to(ancestor))
        return next(rows, self.outline.root)

    def move_to(self, entry: int) -> None:
        """Select a row on request of the user."""
        if max(0, min(self.line_count() - 1, entry)) != self.cursor:
            self._host.status.say("")
            super().move_to(entry)

    def step_case(self, step: int) -> None:
        """Go to the next or previous row of the first level."""
        depths, row = self.rows.depths, self.cursor + step
        while 0 <= row < len(depths) and depths[row] != 1:
            row += step
        if 0 <= row < len(depths):
            self.move_to(row)

    # --- folding -------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Show the rows below, or go to the first one."""
        if not self.rows.open(self.cursor) and self.selected in self.rows.open_nodes:
            self.move(1)
        self._redraw()

    def close(self) -> None:
        """Hide the rows below, or go to the parent row."""
        parent = self.rows.parent(self.cursor)
        if (self.cursor == 0 or not self.rows.close(self.cursor)) and parent is not None:
            self.cursor = parent
        self._redraw()

    def fold(self) -> None:
        """Show or hide the rows below."""
        if self.cursor and not self.rows.close(self.cursor):  # the root stays open
            self.rows.open(self.cursor)
        self._redraw()

    def fold_all(self, close: bool) -> None:
        """Show or hide the rows below all first-level rows. The cursor goes to what still shows of its row."""
        selected = self.selected
        self.rows.fold_all(close)
        row = self.rows.row_around(selected) or 0
        if row != self.cursor:
            self.cursor = row
        elif self.selected is not selected:  # another row took its place: the form has to follow
            self.cursor_moved()
        self._redraw()

    def _redraw(self) -> None:
        self.refresh_size()
        self.refresh()
        self._drawn.clear()  # all lines are drawn now, so none is compared with what it was before

    # --- commands ------------------------------------------------------------------------------------------

    @property
    def stop(self) -> Stop | None:
        """The selected row with its rename, retype and move actions; None if it has none."""
        return self.outline.row(self.selected)

    def offer(self, command: Command) -> str:
        """The title of a command of the tree; "" if it is of no use for this row."""
        is_free = self.outline.format is None  # the keys and types of other rows are those of their format
        stop = self.stop if is_free and command.id in ("tree.rename", "tree.type") else None
        match command.id:
            case "tree.enter":
                return "open" if self.file.readonly else command.title
            case "tree.add" | "tree.add_inside":
                outline, row, inside = self.outline, self.selected, command.id == "tree.add_inside"
                name = outline.adds(row, inside)
                if name is None or (inside and name and name == outline.adds(row, False)):  # the same as after the row
                    return ""
                return f"add {name}" if name else command.title
            case "tree.conversations":
                # 80 columns have room for either this key or undo, and undo is needed more often.
                has_room = self.app.size.width >= _BESIDE_UNDO or self.file.document.history.point() is None
                case_file = self.file.case_file
                is_dataset = case_file is not None and case_file.is_dataset
                return command.title if has_room and not is_dataset and not self.file.readonly else ""
            case "tree.rename":
                return command.title if stop is not None and stop.rename else ""
            case "tree.type":
                return command.title if stop is not None and stop.retype else ""
        return command.title

    def enter(self) -> None:
        """Go to the form of the selected row; edit a single value."""
        self._host.navigator.visit(self.selected, edit=True)

    def add(self, inside: bool, is_before: bool = False, *, if_none: str = "") -> None:
        """Add a row after, inside or before the selected one, and start editing it.

        `if_none` is the message if a name is needed and the user gives none.
        """
        try:
            addition = self.outline.addition(self.selected, inside)
        except EditError as error:
            self._host.say(str(error))
            return
        if addition is None:
            self._host.say("Nothing can be added inside this row.")
        elif isinstance(addition, Choice):
            assert addition.write is not None
            self._host.reviser.ask_name(addition.question, "", addition.write, goto_new=True, if_none=if_none)
        else:
            if is_before:
                from evaltui.evalset.editing.row_moves import put_before

                addition = put_before(addition, self.selected)
            self._host.reviser.apply(addition, goto_new=True, begin=True)

    def rename(self) -> None:
        """Ask for another name of the selected key."""
        self._host.reviser.rename(self.stop, "This row has no name to change; press enter to open it.")

    def retype(self) -> None:
        """Give the selected value the next JSON type."""
        stop = self.stop
        revision = self._types.step(stop) if stop is not None else None
        if stop is None or revision is None:
            self._host.say("This row has no type to change.")
            return
        self._host.reviser.apply(revision, merge_key=("type", stop.node))
        self._types.stepped(stop.node)

    # --- mouse ---------------------------------------------------------------------------------------------

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Remember where a drag may begin."""
        if self.drag is None:
            from evaltui.tui.panes.row_drag import RowDrag

            self.drag = RowDrag(self, self._host)
        self.drag.press(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag the pressed row."""
        if self.drag is not None:
            self.drag.move(event)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Drop the dragged row."""
        if self.drag is not None and (move := self.drag.release(event)) is not None:
            self._host.row_commands.drag(*move)

    def on_click(self, event: events.Click) -> None:
        """Select the row; on the fold mark, fold it; on the selected row, go to its form."""
        if self.drag is not None and self.drag.ends_by_click():
            return
        row = self.entry_under(event)
        if row is None:
            return
        fold_at = 1 + 2 * max(0, self.rows.depths[row] - 1)
        if fold_at <= event.get_content_offset_capture(self).x < fold_at + 2 and row:
            self.cursor = row
            self.fold()
        elif row == self.cursor and event.chain > 1:
            self.enter()
        else:
            self.cursor = row

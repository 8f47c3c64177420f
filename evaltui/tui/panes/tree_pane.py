"""The tree of cases, turns and calls, or of any JSON."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.reactive import reactive

from evaltui.document import Change, Node
from evaltui.tui.commands import bindings
from evaltui.tui.lines import FILL, Line, preview
from evaltui.tui.outlines import Outline
from evaltui.tui.panes.requests import PasteText, Selected, Visit, browsed_now
from evaltui.tui.panes.score_lines import metric_name, metric_text, verdict_runs
from evaltui.tui.panes.tree_drag import TreeDrag
from evaltui.tui.panes.type_cycle import TypeCycle
from evaltui.tui.session.drafts import AS_JSON
from evaltui.tui.session.session import Session
from evaltui.tui.widgets.row_tree import RowTree

_MARKS = {"error": (" ✗", "error"), "warning": (" !", "warning")}
_OPEN_AT_START = 40
"""Sets with up to so many cases show their turns at once."""


class TreePane(TreeDrag):
    """The rows of an outline with one of them selected."""

    PLACE = "tree"
    BINDINGS = bindings("list", "tree")

    cursor: reactive[int] = reactive(0, repaint=False)

    def __init__(self, session: Session, outline: Outline) -> None:
        super().__init__(id="tree")
        self.session = session
        self.outline = outline
        self._begin()
        self.types = TypeCycle()
        self._labels: dict[Node, Line] = {}
        self._drawn: dict[Node, Line] = {}
        self._remark = ""

    def take(self, outline: Outline) -> None:
        """Show another outline, from its first row."""
        self.border_title = Content(f" {preview(outline.name, 60) or 'unnamed'}")
        self.outline = outline
        self._begin()

    def _begin(self) -> None:
        self.rows = RowTree(self.outline)
        if len(self.rows.nodes) <= _OPEN_AT_START:
            for node in self.rows.nodes[1:]:
                self.rows.open(self.rows.nodes.index(node))
        self.set_reactive(TreePane.cursor, min(1, len(self.rows.nodes) - 1))

    @property
    def selected(self) -> Node:
        """The node of the row under the cursor."""
        return self.rows.nodes[self.cursor]

    def on_resize(self) -> None:
        """Textual leaves a blank behind a title only where there is a border at the right."""
        self.say_in_title(self._remark)
        super().on_resize()

    def say_in_title(self, remark: str) -> None:
        """Show a remark behind the name of the rows."""
        self._remark = remark
        title = " · ".join(filter(None, [preview(self.outline.name, 60) or "unnamed", remark]))
        self.border_title = Content(f" {title}" if self.styles.border_right[0] else f" {title} ")

    def restrict(self, only: list[Node] | None, stay_at: Node) -> None:
        """Show of the first level only these, few of them opened; None for all. The cursor stays near `stay_at`."""
        self.rows.restrict(set(only) if only is not None else None, len(only or ()) <= _OPEN_AT_START)
        row = self.rows.row_around(stay_at) or 0
        self.set_reactive(TreePane.cursor, row or min(1, len(self.rows.nodes) - 1))
        self.refresh_size()
        self.show_lines(self.cursor, self.cursor)
        self.refresh()
        self.post_message(Selected(self.selected))

    def case_of(self, node: Node) -> Node | None:
        """The row of the first level in which `node` is."""
        row = self.rows.row_around(node)
        while row and self.rows.depths[row] > 1:
            row = self.rows.parent(row)
        return self.rows.nodes[row] if row else None

    # --- lines ---------------------------------------------------------------------------------------------

    def line_count(self) -> int:
        """One line a row."""
        return len(self.rows.nodes)

    def line(self, index: int) -> Line:
        """The fold mark, the label, and ● where the row has unsaved changes."""
        node = self.rows.nodes[index]
        label = self._labels.get(node)
        if label is None:
            label = self._labels[node] = self.outline.label(node)
        fold = ("▾ " if self.rows.is_open(node) else "▸ ") if self.outline.has_children(node) else "  "
        depth = self.rows.depths[index]
        mark: Line = [("◆ ", "accent")] if node in self.session.marked else []
        before, behind = self._verdict(node, depth)
        line: Line = [("  " * max(0, depth - 1), ""), (fold if depth else "", "dim"), *before, *mark, *label]
        if (severity := self.session.problems.mark(node)) and depth:
            behind.append(_MARKS[severity])
        if (depth or self.session.drafts.get(node, AS_JSON)) and self.session.drafts.has(node):
            draft = self.session.drafts.of_value(node)
            behind.append((f" ✎ {preview(draft.text, 30)}" if draft is not None else " ✎", "warning"))
        elif depth and self._is_changed(node):
            behind.append((" ●", "accent"))
        line += [("", FILL), *behind] if behind else []
        self._drawn[node] = line
        return line

    def _is_changed(self, node: Node) -> bool:
        is_changed, holder = self.session.document.is_changed, self.outline.holder(node)
        return is_changed(node) or (holder is not None and is_changed(holder))

    def _verdict(self, node: Node, depth: int) -> tuple[Line, Line]:
        """What stands before the label of a case or turn that was scored, and at the right end."""
        if not self._is_scored or depth not in (1, 2):
            return [], []
        verdict = self.session.scores.verdict(node)
        return verdict_runs(verdict) if verdict is not None else ([("  ", "")], [])

    def score_named(self, *, short: bool) -> str:
        """The metric whose score stands beside the selected row; unless `short`, with its threshold; "" for none."""
        if not self._is_scored or self.rows.depths[self.cursor] not in (1, 2):
            return ""
        verdict = self.session.scores.verdict(self.selected)
        if verdict is None or verdict.metric is None:
            return ""
        return metric_name(verdict.metric) if short else metric_text(verdict.metric)

    @property
    def _is_scored(self) -> bool:
        """Whether the rows are those of a set that was scored."""
        return self.session.scores.has_any and self.outline.root is self.session.document.root

    def is_selected(self, index: int) -> bool:
        """Whether the cursor is on this row."""
        return index == self.cursor

    # --- changes -------------------------------------------------------------------------------------------

    def apply_change(self, change: Change, *, goto_new: bool = False) -> None:
        """Bring the rows up to date after an edit; only what it concerned is looked at."""
        before, depth = self.selected, self.rows.depths[self.cursor]
        concerned = {at for node in change.nodes for at in (node, *node.ancestors())}
        for at in concerned:
            self._labels.pop(at, None)
        if self.outline.root in concerned:  # whose name may be part of what was edited
            self.say_in_title(self._remark)
        if not change.structural:
            self._refresh_rows_of(concerned)
            return
        for node in change.nodes:
            row = self.rows.row_around(node)
            if row is not None:
                self._sync(row)
        self._labels_of_siblings_moved(change)
        self._keep_cursor(before, depth)
        if goto_new:
            self._go_to_new(change)
        self.refresh_size()
        self.refresh()

    def refresh_marks(self) -> None:
        """There may be other problems or scores: draw the rows in sight whose marks are others."""
        self._refresh_rows_of(None)

    def _refresh_rows_of(self, nodes: set[Node] | None) -> None:
        """Draw the rows in sight that are among `nodes` (None: all), where they have come to look otherwise."""
        top = self.scroll_offset.y
        for row in range(top, min(top + self.size.height, self.line_count())):
            node = self.rows.nodes[row]
            if (nodes is None or node in nodes) and self._drawn.get(node) != self.line(row):
                self.refresh_row(row)

    def rebuild(self) -> None:
        """Anything may have changed: make all labels anew and bring the open rows up to date."""
        before, depth, below_top = self.selected, self.rows.depths[self.cursor], self.cursor - self.scroll_offset.y
        self._labels.clear()
        self.rows.sync_all()
        self._keep_cursor(before, depth)
        self.refresh_size()
        self.scroll_to(y=self.cursor - below_top, animate=False, force=True)  # the row stays where it was on screen
        self.show_lines(self.cursor, self.cursor)
        self.refresh()

    def _sync(self, row: int) -> None:
        if not self.rows.is_open(self.rows.nodes[row]) and self.rows.depths[row] == 0:
            self.rows.open(row)
        self.rows.sync(row)

    def _labels_of_siblings_moved(self, change: Change) -> None:
        """Turn numbers and indexes in labels change when something before them comes or goes."""
        for node in change.nodes:
            if self.outline.numbers_its_rows(node):
                for item in [item for item in self._labels if item.parent is node]:
                    del self._labels[item]

    def _keep_cursor(self, before: Node, depth: int = 0) -> None:
        """Stay on the node; where it is gone, on the one that follows at its depth, else on the one before."""
        row = self.rows.index(before)
        if row is None:
            row = min(self.cursor, len(self.rows.nodes) - 1)
            row -= row > 0 and self.rows.depths[row] < depth
        self.cursor = row

    def _go_to_new(self, change: Change) -> None:
        for node in change.added:
            row = self.rows.reveal(node)
            around = self.rows.row_around(node)
            if row is None and around is not None:
                # What was added holds the new row somewhere inside, as an event holds its call.
                children = self.outline.children(self.rows.nodes[around])
                inside = next((child for child in children if node in child.ancestors()), None)
                row = self.rows.reveal(inside) if inside is not None else None
            if row is not None:
                self.cursor = row
                return

    # --- cursor --------------------------------------------------------------------------------------------

    def watch_cursor(self, before: int, now: int) -> None:
        """Draw the two rows and tell the screen."""
        self.refresh_row(before)
        self.refresh_row(now)
        self.show_lines(now, now)
        self.post_message(Selected(self.selected))

    def go_to(self, node: Node) -> bool:
        """Select the row of `node`, opening what hides it; False where it has none."""
        row = self.rows.reveal(node)
        if row is None:
            return False
        self.refresh_size()
        self.cursor = row
        self.show_lines(row, row)
        self.refresh()
        return True

    def action_move(self, step: int) -> None:
        """Go some rows up or down."""
        self._move_to(max(0, min(self.line_count() - 1, self.cursor + step)))

    def _move_to(self, row: int) -> None:
        if row != self.cursor:
            browsed_now(self)
            self.cursor = row

    def action_move_page(self, direction: int) -> None:
        """Go a page up or down."""
        self.action_move(direction * self.page())

    def action_move_end(self, direction: int) -> None:
        """Go to the first or last row."""
        self._move_to(0 if direction < 0 else self.line_count() - 1)

    def step_case(self, step: int) -> None:
        """Go to the next or previous row of the first level."""
        depths, at = self.rows.depths, self.cursor + step
        while 0 <= at < len(depths) and depths[at] != 1:
            at += step
        if 0 <= at < len(depths):
            self._move_to(at)

    # --- folding -------------------------------------------------------------------------------------------

    def action_open(self) -> None:
        """Show the rows below, or go to the first of them."""
        if not self.rows.open(self.cursor) and self.rows.is_open(self.selected):
            self.action_move(1)
        self._folded()

    def action_close(self) -> None:
        """Hide the rows below, or go to the row around."""
        parent = self.rows.parent(self.cursor)
        if (self.cursor == 0 or not self.rows.close(self.cursor)) and parent is not None:
            self.cursor = parent
        self._folded()

    def action_fold(self) -> None:
        """Show or hide the rows below."""
        if self.cursor and not self.rows.close(self.cursor):
            self.rows.open(self.cursor)
        self._folded()

    def action_fold_all(self, close: bool) -> None:
        """Show or hide what is below all rows of the first level."""
        selected = self.selected
        keep = next(
            (n for n in (selected, *selected.ancestors()) if n.parent is not None and self._depth(n) == 1), None
        )
        self.rows.fold_all(close)
        self._keep_cursor(keep if close and keep is not None else selected)
        self._folded()

    def _depth(self, node: Node) -> int:
        row = self.rows.index(node)
        return self.rows.depths[row] if row is not None else -1

    def _folded(self) -> None:
        self.refresh_size()
        self.refresh()

    # --- commands ------------------------------------------------------------------------------------------

    def action_enter(self) -> None:
        """Go to the form of the selected row."""
        self.post_message(Visit(self.selected))

    def on_paste(self, event: events.Paste) -> None:
        """Paste rows where the terminal pastes a text."""
        event.stop()
        self.post_message(PasteText(event.text))

    def on_click(self, event: events.Click) -> None:
        """Select the row; on its fold mark fold it; on the selected row go to its form."""
        if self.ends_drag():  # which is a click, too
            return
        row = self.line_at(event.get_content_offset_capture(self).y)
        if row is None:
            return
        fold_at = 1 + 2 * max(0, self.rows.depths[row] - 1)
        if fold_at <= event.get_content_offset_capture(self).x < fold_at + 2 and row:
            self.cursor = row
            self.action_fold()
        elif row == self.cursor and event.chain > 1:
            self.action_enter()
        else:
            self.cursor = row

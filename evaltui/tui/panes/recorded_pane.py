"""The third column of a wide editor: the recorded turn, line by line beside the form of the expected turn."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container

from evaltui.document.node import Node
from evaltui.tui.commands import bindings
from evaltui.tui.forms.form import Heading, Item, Note, Stop
from evaltui.tui.lines import Line
from evaltui.tui.panes.form_layout import Placed
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.panes.title_and_status import PaneTitle
from evaltui.tui.widgets.line_view import LineList

if TYPE_CHECKING:
    from evaltui.review.compared_rows import ComparedRow
    from evaltui.tui.comparison.recorded_side import Beside
    from evaltui.tui.comparison.row_drawing import TextSides
    from evaltui.tui.panes.form_pane import FormPane

_SCROLLBAR, _BORDER = 1, 1
"""Cells beside the lines of the form, and beside those of the recording."""


class RecordedPane(Container):
    """Shows the recording of the turn or call whose form is shown; hidden for all other values."""

    def __init__(self, form: FormPane) -> None:
        super().__init__(id="recorded")
        self.display = False
        self.has_room = False
        """Whether the terminal is wide enough; set by the layout of the panes."""
        self._form, self._file = form, form.file
        self._title = PaneTitle()
        self._texts: TextSides | None = None
        self.lines = RecordedLines(self, form)
        self._last: tuple[tuple[Node, int, int], list[Beside] | None] | None = None
        """The last lines, or None without a recording, with their node, version of the scores, and width."""
        self._beside: dict[int, list[Beside]] = {}
        """The lines beside each item of the shown form, by index of the item."""
        self._width = 0
        """The width of a line in cells, also before the layout."""

    def compose(self) -> ComposeResult:
        """The source of the recording above, the lines below."""
        yield self._title
        yield self.lines

    def on_mount(self) -> None:
        """Scroll with the form."""
        self.watch(self._form.lines, "scroll_y", self.follow, init=False)

    def wrap_anew(self) -> None:
        """Wrap the lines for their width, if the form reckoned with another one."""
        # In a terminal that grows, the form has no width yet when it makes room for them.
        if self.display and self.lines.scrollable_content_region.width != self._width:
            self._form.lay_out()

    # --- beside a form ---------------------------------------------------------------------------------------

    def take(self, node: Node, items: Sequence[Item], width: int) -> tuple[int, dict[int, int]]:
        """Show or hide the column for the form of a node with `width` cells.

        Returns the cells that the form has then, and the number of lines beside each item, by index of the item. So the
        first frame lays the form out for its new width, before the column has its place.
        """
        column = self.lines.scrollable_content_region.width
        was_shown, both_widths = self.display, width + _SCROLLBAR
        if was_shown:
            self._width = column or self._width
        else:  # as the stylesheet shares the width out: hidden, the column has no size
            self._width = both_widths - both_widths // 2 - _BORDER
        key = node, self._file.scores.version, self._width
        if self.has_room and (self._last is None or self._last[0] != key):
            self._last = key, self._find(node)
        recorded = self._last[1] if self.has_room and self._last is not None else None
        self._beside = _gathered(items, recorded) if recorded else {}
        is_shown = recorded is not None
        if is_shown != was_shown:
            if self.lines.has_focus:
                self.lines.leave()
            self.display = is_shown
            width = both_widths // 2 - _SCROLLBAR if is_shown else width + column + _BORDER
        return width, {index: _height(stacked) for index, stacked in self._beside.items()}

    def align(self, form_lines: list[Line], placed: Sequence[Placed]) -> None:
        """Put each line beside its item. The form gets empty lines at its end if the recording is longer."""
        if not self.display:
            return
        # Both lists need the same height, or they could not scroll to the same line.
        end = max((placed[index].value_top + _height(stacked) for index, stacked in self._beside.items()), default=0)
        form_lines.extend([] for _ in range(end - len(form_lines)))
        shown: list[Line] = [[] for _ in form_lines]
        rows: list[ComparedRow] = []
        spans: list[range] = []
        for index, stacked in sorted(self._beside.items()):
            first = placed[index].value_top
            for _, lines, row in stacked:
                span = range(first, first + len(lines))
                shown[span.start : span.stop] = lines
                if row is not None:
                    rows.append(row)
                    spans.append(span)
                first = span.stop
        self.lines.show(shown, spans, rows)

    def follow(self, line: float) -> None:
        """Scroll to the same line as the form."""
        if self.display and self.lines.scroll_offset.y != round(line):
            self.lines.scroll_to(y=line, animate=False, force=True)

    def _find(self, node: Node) -> list[Beside] | None:
        """The lines beside the form of a node; None if there is no recording for it."""
        scores, eval_set, width = self._file.scores, self._file.eval_set, self._width
        turn = eval_set.enclosing(node, "turn") if eval_set is not None and scores.has_any else None
        if turn is None:
            return None
        # Loaded with the first recording: no first frame needs it.
        from evaltui.tui.comparison.recorded_side import call_beside, turn_beside
        from evaltui.tui.comparison.row_drawing import TextSides
        from evaltui.tui.panes.why_lines import recording_text, scored_calls

        case, turn_scores = scores.case_around(node), scores.turn(turn)
        item = scores.compared_turns.item(case, turn_scores.number) if turn_scores is not None else None
        if item is None or item.compared is None:
            return None
        calls = scored_calls(turn, item.compared.scores)
        if node is not turn and node not in calls:
            return None
        if self._texts is None:
            self._texts = TextSides()
        title = "Actual ~ outdated · " if case in scores.stale else "Actual · "
        self._title.name_shown = title + recording_text(item.run, width - len(f"─ {title} "))
        if node is turn:
            return [*turn_beside(item.compared, calls, self._texts, width)]
        return [*call_beside(item.compared, calls.index(node), node, self._texts, width)]


def _height(stacked: Sequence[Beside]) -> int:
    return sum(len(beside.lines) for beside in stacked)


def _gathered(items: Sequence[Item], recorded: Sequence[Beside]) -> dict[int, list[Beside]]:
    """The lines beside each item, by its index; lines without an item follow the previous ones."""
    indexes: dict[Hashable, int] = {}
    for index, item in enumerate(items):
        if isinstance(item, Heading):
            indexes.setdefault(("heading", item.text), index)
        elif isinstance(item, Stop):
            for anchor in (item.key, item.node):
                if anchor is not None:
                    indexes.setdefault(anchor, index)
    gathered: dict[int, list[Beside]] = {}
    last = 0
    for beside in recorded:
        if beside.anchor is not None and beside.anchor in indexes:
            last = max(last, indexes[beside.anchor])
        elif isinstance(items[last], Heading) and last + 1 < len(items) and isinstance(items[last + 1], Note):
            last += 1  # the first recorded call takes the place of the line that says that there are none
        gathered.setdefault(last, []).append(beside)
    return gathered


# --- the lines, and the cursor --------------------------------------------------------------------------------------


class RecordedLines(LineList):
    """The recorded lines, as many as the form has, so that both scroll together. The cursor is on a difference."""

    PLACE = "recorded"
    BINDINGS = bindings("list", "recorded")

    DEFAULT_CSS = """
    RecordedLines { scrollbar-size-vertical: 0; }
    """

    spans: Sequence[range] = ()

    def __init__(self, pane: RecordedPane, form: FormPane) -> None:
        super().__init__(id="recorded-lines")
        self._pane, self._form = pane, form
        self._rows: Sequence[ComparedRow] = ()
        """The rows that differ, each with its lines in `spans`."""

    def show(self, lines: Sequence[Line], spans: Sequence[range], rows: Sequence[ComparedRow]) -> None:
        """Show other lines; only changed ones are drawn. Without differences, give the focus back."""
        self._rows = rows
        self.replace_lines(lines, spans, max(0, min(self.cursor, len(rows) - 1)))
        if self.has_focus and not rows:
            self.leave()
        elif self.has_focus:
            self.cursor_moved()

    @property
    def selected_row(self) -> ComparedRow | None:
        """The selected row; None if the focus is elsewhere."""
        return self._rows[self.cursor] if self.has_focus and self.cursor < len(self._rows) else None

    def enter(self, line: int) -> bool:
        """Take the focus, at the first difference from `line` on, else at the last; False if there is none."""
        behind = (index for index, lines in enumerate(self.spans) if lines.stop > line)
        index = next(behind, len(self.spans) - 1)
        if index < 0:
            return False
        self.screen.set_focus(self)
        self.set_reactive(LineList.cursor, index)
        self.refresh_entry(index)
        self.show_cursor()
        return True

    # --- as the list asks for it -------------------------------------------------------------------------------

    def emphasis(self, index: int) -> tuple[str, str]:
        """None unless this list has the focus: otherwise it has no cursor."""
        return super().emphasis(index) if self.has_focus else ("", " ")

    def show_cursor(self) -> None:
        """Scroll the form, which these lines follow."""
        lines = self.lines_of(self.cursor)
        if lines:
            self._form.lines.show_lines(lines.start, lines.stop - 1)

    def cursor_moved(self) -> None:
        """Ask the screen to show what can be accepted."""
        self.post_message(FormLines.CursorMoved())

    def move_page(self, direction: int) -> None:
        """Select a difference about a page further."""
        top = self.lines_of(self.cursor).start + direction * self.page()
        entries = range(len(self.spans))
        self.move_to(min(entries, key=lambda entry: abs(self.lines_of(entry).start - top), default=0))

    def on_resize(self) -> None:
        """Wrap the lines for their width."""
        super().on_resize()
        self._pane.wrap_anew()

    def leave(self) -> None:
        """Give the focus back to the form."""
        self.screen.set_focus(self._form.lines)

    # --- keys and mouse ----------------------------------------------------------------------------------------

    def on_blur(self) -> None:
        """Draw the cursor again: it is shown only with the focus."""
        self.refresh_entry(self.cursor)

    def on_click(self, event: events.Click) -> None:
        """Select the difference under the mouse."""
        entry = self.entry_under(event)
        if entry is not None:
            self.move_to(entry)
        else:
            self.leave()

    @on(events.MouseScrollDown)
    @on(events.MouseScrollUp)
    def _scroll_form(self, event: events.MouseScrollDown | events.MouseScrollUp) -> None:
        event.stop().prevent_default()  # the form scrolls, and these lines follow
        direction = 1 if isinstance(event, events.MouseScrollDown) else -1
        self._form.lines.scroll_relative(y=direction * self.app.scroll_sensitivity_y, animate=False)

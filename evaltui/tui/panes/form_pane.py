"""The form of the selected node: its lines, and one text box over the edited field."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events, getters, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.widget import Widget

from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.tui.base_app import BaseApp
from evaltui.tui.commands import bindings
from evaltui.tui.forms.form import Field, Form, Heading, Link, Stop, WhyLine, for_reading
from evaltui.tui.late_parts import LatePart
from evaltui.tui.lines import Line
from evaltui.tui.messages import undo_said
from evaltui.tui.open_file.drafts import DraftPlace
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.open_file.problem_list import Problem
from evaltui.tui.outlines.case_outline import Outline
from evaltui.tui.panes.form_layout import ProblemsInForm, ValueLines, lay_out_form, problems_in_form
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.panes.title_and_status import PaneTitle
from evaltui.tui.widgets.line_view import WIDEST

if TYPE_CHECKING:
    from textual.widgets import TextArea

    from evaltui.tui.criteria.criteria_screen import CriteriaScreen
    from evaltui.tui.editor.edit_screen import EditScreen
    from evaltui.tui.panes.field_editor import FieldEditor
    from evaltui.tui.panes.line_commands import LineCommands
    from evaltui.tui.panes.recorded_pane import RecordedPane
    from evaltui.tui.widgets.text_field import TextField

_LEAST_OF_WHY = 4
"""Lines of Why, with its heading, that must be visible together with the first field."""


class FormPane(Container):
    """Shows the form of a node, writes typed text at once, and runs commands on the selected line."""

    BINDINGS = bindings("form")

    app = getters.app(BaseApp)
    editor: LatePart[FieldEditor] = LatePart("evaltui.tui.panes.field_editor.FieldEditor")
    commands: LatePart[LineCommands] = LatePart("evaltui.tui.panes.line_commands.LineCommands")
    title_line = getters.query_one(PaneTitle)
    _lines = getters.child_by_id("form-lines", FormLines)

    @dataclass
    class ValueOpened(Message):
        """A line leads to a value: to its form, or to a view of its own if the tree has no row for it."""

        node: Node
        begin: bool = False
        """Whether typing starts in the first field of a new value."""
        edit: bool = False
        """Whether a value is edited that is no object or list."""
        select: Node | None = None
        """The value whose line to select."""

    DEFAULT_CSS = """
    FormPane { layers: below above; }
    FormPane > PaneTitle, FormPane > FormLines { layer: below; }
    """

    def __init__(self, file: EditedDocument, outline: Outline, host: EditScreen | CriteriaScreen) -> None:
        super().__init__(id="form")
        self.display = False  # hidden until the layout of the panes gives it room
        self.file = file
        self.outline = outline
        self.node = outline.root
        self._form = Form("")
        self._is_behind = False
        """Whether the hidden form is outdated; it is rebuilt when it is needed."""
        self.host = host
        self.recorded: RecordedPane | None = None
        """The recording beside the form, if the screen has room for it."""
        self.edited: Field | None = None
        """The field under the text box. Without one, no change asks the editor."""
        self._box: TextField | None = None
        self._problems = ProblemsInForm()
        self._why: tuple[tuple[Node, int, int], tuple[Sequence[Line], Sequence[WhyLine]]] | None = None
        """The last explanation of scores, with its node, version of the scores, and width."""

    def compose(self) -> ComposeResult:
        """The title and the lines; the text box is added later, above them."""
        yield PaneTitle()
        yield FormLines(self)

    def on_mount(self) -> None:
        """Create the text box after the first frame, so that it is ready for the first edit."""
        self.call_after_refresh(self.prepare_box)
        self.watch(self.screen, "focused", self._show_focus, init=False)
        self.watch(self._lines, "scroll_y", self._move_box, init=False)

    def _show_focus(self, focused: Widget | None) -> None:
        self.title_line.set_class(focused is not None and self in focused.ancestors, "-focused")
        self._lines.refresh_entry(self._lines.cursor)  # its mark shows whether keys act here

    def _move_box(self) -> None:
        # The box lies above the lines, so it does not scroll with them.
        if self.edited is not None:
            self.editor.place_box()

    def prepare_box(self) -> None:
        """Create the text box, unless the app was quit before its first frame was finished."""
        if self.is_attached:
            _ = self.box

    @property
    def box(self) -> TextField:
        """The text box, hidden unless a field is edited. Created at the first call, after the first frame."""
        if self._box is None:
            from evaltui.tui.widgets.text_field import TextField

            self._box = TextField(self.editor.leave, self._take_long, self.editor.go_on)
            self.mount(self._box)
            self.watch(self._box, "suggestion", self._show_keys, init=False)
        return self._box

    # --- what is shown -------------------------------------------------------------------------------------

    def show(self, node: Node, *, is_last: bool = True) -> None:
        """Show the form of a node as it is now; in that of another node, the first field is selected.

        Not `is_last` if another may follow at once.
        """
        if node is not self.node:
            if self.edited is not None:
                self.editor.close()
            self.node = node
            self._lines.set_reactive(FormLines.cursor, -1)  # a watcher would scroll in the form that goes
            if self._lines.scroll_offset.y:
                self._lines.scroll_to(y=0, animate=False, force=True)
        self._is_behind = True
        if self.edited is not None or (self.display and is_last):
            self.catch_up()
        elif self.display:
            self.call_later(self.catch_up)
        else:  # in a narrow terminal, a hidden form for each step in the tree would be wasted work
            self.post_message(FormLines.CursorMoved())

    def catch_up(self) -> None:
        """Rebuild the form if that was postponed."""
        if self._is_behind:
            self._is_behind = False
            form = self.outline.form(self.node)
            form = for_reading(form) if self.file.readonly else form
            # With the edited field and all drafts, even those without a field. Otherwise nothing asks for the editor,
            # which no first frame loads.
            if self.edited is not None or self.file.drafts.kept:
                self.editor.complete(form)
            self._form = form
            self.title_line.name_shown = form.title
            self.lay_out()

    @property
    def form(self) -> Form:
        """The form of the node."""
        self.catch_up()
        return self._form

    @property
    def lines(self) -> FormLines:
        """The form at rest."""
        self.catch_up()
        return self._lines

    def lay_out(self) -> None:
        """Place the items; put the box over the field being edited."""
        if self._is_behind:
            return
        form, region, edited = self._form, self._lines.scrollable_content_region, self.edited
        width, heights = region.width, dict[int, int]()
        if self.recorded is not None:
            width, heights = self.recorded.take(self.node, form.items, width)
        width = max(20, min(width, WIDEST))
        self._problems = problems_in_form(self.file, form, self.node)
        scores = self.file.scores
        if has_scores := bool(scores.cases) and scores.has_any:
            from evaltui.tui.panes.why_lines import why

            key = self.node, scores.version, width
            if self._why is None or self._why[0] != key:  # a form is laid out again with each key
                self._why = key, why(scores, self.node, width)
        lines, placed = lay_out_form(
            form,
            width,
            max(4, region.height // 2),
            lambda key: self.file.drafts.kept.get((self.node, key)),
            (edited.key, self.editor.box_height) if edited else None,
            self._problems,
            self._why[1] if has_scores and self._why is not None else ((), ()),
            heights,
        )
        if self.recorded is not None:
            self.recorded.align(lines, placed)
        self._lines.show(lines, placed)
        if edited:
            self._lines.show_cursor()
            self.editor.place_box()

    def wrap_anew(self) -> None:
        """Lay the form out for another width."""
        self.lay_out()
        if (placed := self.lines.selected) is not None and isinstance(placed.item, WhyLine):
            self.lines.show_cursor()

    # --- scores and problems -------------------------------------------------------------------------------

    def refresh_scores(self) -> None:
        """Show the scores again if they changed."""
        if self._why is None or self._why[0][1] != self.file.scores.version:
            self.lay_out()

    def go_to_why(self, *, select: bool = True) -> None:
        """Select the first line of the explanation of the scores, if there is one, and make it visible.

        The first field, such as the user message, stays visible too, if some lines of the explanation fit below it.
        """
        placed = self.lines.placed
        numbers = [number for number, line in enumerate(placed) if isinstance(line.item, WhyLine)]
        if not numbers:
            return
        if select:
            self.lines.cursor = numbers[0]
        first, last = placed[numbers[0]].top, placed[numbers[-1]].top + placed[numbers[-1]].height - 1
        head = next((line.value_top for line in placed if isinstance(line.item, (Heading, Field))), first)
        bottom = head + self.lines.scrollable_content_region.height - 1
        if first + _LEAST_OF_WHY <= bottom:
            first, last = min(head, first), min(last, bottom)
        self.lines.show_lines(first, last)

    def refresh_problems(self) -> None:
        """Show the problems again: they may have changed."""
        if not self._is_behind and problems_in_form(self.file, self._form, self.node) != self._problems:
            self.lay_out()

    @property
    def problem(self) -> Problem | None:
        """The problem of the selected line, else the problem at the head of the form."""
        index, shown = self.lines.cursor, self._problems
        return shown.of_items.get(index) or shown.behind.get(index) or shown.head

    def is_at(self, problem: Problem) -> bool:
        """Whether the cursor is on the line of a problem, or on a line without one in the same form."""
        node, missing = problem.locate()
        if node is None or self.node not in (node, *node.ancestors()):
            return False
        index, _ = ValueLines(self.form.items, self.node).line_of(node, missing)
        return index == self.lines.cursor or self.lines.cursor not in self._problems.of_items

    def shows(self, node: Node) -> bool:
        """Whether a line of the form shows this value itself, and not only a link to it."""
        if self.node not in node.ancestors():
            return False
        index, is_there = ValueLines(self.form.items, self.node).line_of(node, "")
        return index is not None and is_there

    def go_to_place(self, node: Node, missing: str) -> Link | None:
        """Select the line of a value or missing key; returns the link to follow if it is in another form."""
        index, is_there = ValueLines(self.form.items, self.node).line_of(node, missing)
        if index is None:
            return None
        self.lines.cursor = index
        item = self.form.items[index]
        return item if isinstance(item, Link) and not is_there else None

    def looks(self) -> dict[Hashable, object]:
        """The shown value of each line, by key, to find the line that a step changes.

        Without the field of the whole value, which every step changes, and without the values behind links.
        """
        stops = [item for item in self.form.items if isinstance(item, Stop)]
        return {
            stop.key: (stop.text, stop.kind, stop.aside) if isinstance(stop, Field) else type(stop)
            for stop in stops
            if not isinstance(stop, Field) or stop.node is not self.node
        }

    def go_to_only_difference(self, earlier: Mapping[Hashable, object]) -> bool:
        """Select the line that looks different now, if it is the only one; returns whether it is.

        The value may be gone, and the line shows a default.
        """
        differing = [key for key, look in self.looks().items() if key in earlier and earlier[key] != look]
        if len(differing) == 1:
            self.lines.go_to(differing[0])
        return len(differing) == 1

    # --- the selected line ---------------------------------------------------------------------------------

    @property
    def stop(self) -> Stop | None:
        """The line under the cursor; None if it cannot be selected."""
        placed = self.lines.selected
        return placed.item if placed is not None and isinstance(placed.item, Stop) else None

    @on(events.Click, "#form-lines")
    def _clicked(self, event: events.Click) -> None:
        number = self.lines.entry_under(event)
        if number is None or not isinstance(self.lines.placed[number].item, Stop):
            return
        was_selected = number == self.lines.cursor
        self.lines.cursor = number
        if was_selected or isinstance(self.stop, Field):
            self.commands.enter()

    # --- editing -------------------------------------------------------------------------------------------

    def write_typed(self) -> None:
        """Write the text of the box into the document, or keep it as a draft."""
        if self.edited is not None:
            self.editor.write_typed()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Write the typed text, and give it room: space between JSON values changes no value, so nothing else does."""
        event.stop()
        self.editor.write_typed()
        if self.edited is not None and self.editor.height != self.editor.box_height(self.editor.width):
            self.lay_out()

    def on_text_field_one_line(self, event: TextField.OneLine) -> None:
        """Show that the text stays on one line."""
        event.stop()
        self.host.say(event.text)

    def _show_keys(self) -> None:
        # The keys line names the key that takes a suggestion. Posted by the lines, the message would end here: Textual
        # passes none on to the widget whose watcher posts it.
        self.post_message(FormLines.CursorMoved())

    def on_text_field_caret_jumped(self, event: TextField.CaretJumped) -> None:
        """End the undo step; further typing is a new one."""
        event.stop()
        self.file.document.history.seal()

    def _take_long(self, text: str, pasted: int) -> None:
        """Close the box and write a pasted text that is too long for it; the field shows its start."""
        field = self.edited
        if field is None:
            return
        write = self.editor.writer(field)
        self.editor.stop()

        def write_pasted() -> None:
            try:
                refused = self.host.reviser.apply(write(text), instead_of=DraftPlace(self.node, field.key))
            except EditError as error:
                refused = str(error)
            if refused:
                self.host.say(f"nothing was pasted: {refused}")
                return
            self.show(self.node)
            self.host.say(f"pasted {pasted:,} characters · {undo_said()}")
            from evaltui.tui.screens.questions import pasted_question

            self.app.push_screen(pasted_question(pasted))

        self.host.say(f"pasting {pasted:,} characters …")
        self.app.input_order.call_in_next_frame(self.screen, write_pasted)

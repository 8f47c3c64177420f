"""The edit screen: tree, form, problems and scores of one document, or of a value inside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.reactive import reactive
from textual.widget import Widget

from evaltui.document.document import Change
from evaltui.document.node import Node
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings
from evaltui.tui.config.config_door import open_criteria
from evaltui.tui.conversations.conversations_door import ConversationsDoor
from evaltui.tui.conversion.conversion_door import ConversionDoor
from evaltui.tui.editor.acceptor import Acceptor
from evaltui.tui.editor.bar_texts import KeyTitles, StatusHint
from evaltui.tui.editor.change_display import ChangeDisplay, UndoSteps
from evaltui.tui.editor.clipboard import Clipboard
from evaltui.tui.editor.finder import Finder
from evaltui.tui.editor.hit_steps import HitSteps
from evaltui.tui.editor.navigator import Navigator, StartsAt
from evaltui.tui.editor.outside_editor import OutsideEditor
from evaltui.tui.editor.pane_layout import Panes
from evaltui.tui.editor.problem_commands import Fixer, RuleChoice
from evaltui.tui.editor.problem_guide import ProblemGuide
from evaltui.tui.editor.review_door import ReviewDoor
from evaltui.tui.editor.reviser import DialogRequests, DraftDrop, Reviser
from evaltui.tui.editor.row_edits import RowEdits, RowMarks
from evaltui.tui.editor.score_guide import ScoreGuide
from evaltui.tui.editor.view_start import ViewMemory, ViewStart
from evaltui.tui.open_file.drafts import DraftPlace
from evaltui.tui.open_file.problem_list import Problem
from evaltui.tui.outlines.outline import Outline
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.panes.form_pane import FormPane
from evaltui.tui.panes.recorded_lines import RecordedLines
from evaltui.tui.panes.requests import (
    Ask,
    Browsed,
    Choose,
    Decide,
    GoTo,
    GoToCase,
    PasteText,
    Read,
    Revise,
    RowDropped,
    Say,
    Selected,
    Visit,
)
from evaltui.tui.recordings.recordings_door import RecordingsDoor
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.textual_compat import compare_whole_layouts
from evaltui.tui.widgets.pane_borders import Splitter

if TYPE_CHECKING:
    from textual.widgets import Input

    from evaltui.tui.open_file.open_file import OpenFile


class EditScreen(CommandScreen):
    """Creates the controllers of one screen and passes them the requests of the panes.

    Keys: the rows of `editor_commands.py` call a controller. Panes: their messages arrive at
    the handlers below. Changes: `apply_change` passes them on, in order. Controllers never call this screen.
    """

    BINDINGS = bindings("everywhere", "why")
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (140, "-wide")]

    focused: reactive[Widget | None] = reactive(None, repaint=False)
    """Like Textual's, but without a repaint of the whole screen: widgets repaint themselves."""

    def __init__(self, file: OpenFile, outline: Outline, start: StartsAt, *, remembers: bool = False) -> None:
        """With `remembers`, the screen opens as the file was left."""
        super().__init__()
        compare_whole_layouts(self)
        self.file = file
        session = file
        self.panes = panes = Panes(session, outline, self, self.title_of)
        self._hint = hint = StatusHint(session, panes, lambda: start.is_first and file.app.input_order.inputs == 0)
        self.marks = marks = RowMarks(session, panes)
        self.navigator = Navigator(file, panes, hint, marks, self, self._open_view)
        self.finder = Finder(session, panes, self.navigator, self)
        self.problem_guide = ProblemGuide(file, panes, hint, self.navigator, self.finder)
        self.score_guide = ScoreGuide(file, panes, hint, self.navigator, self.finder)
        self._reviser = Reviser(session, panes.status, self)
        self.draft_drop = drafts = DraftDrop(session, panes, self)
        self.row_edits = RowEdits(session, panes, marks, self._reviser)
        self.clipboard = Clipboard(file, panes, marks, self._reviser)
        self.undo_steps = UndoSteps(file, panes, self.navigator, self)
        self._questions = DialogRequests(session, file.app, panes.status, self._reviser, self.navigator.visit)
        self.outside = OutsideEditor(file, panes, self, self._questions.decide)
        self._start = ViewStart(session, panes, self.navigator, start)
        self._memory = ViewMemory(file, panes, start.node) if remembers else None
        self.acceptor = Acceptor(file, panes, self)
        self._titles = KeyTitles(session, panes, lambda: bool(drafts.drafts_here()), self.acceptor.title)
        self._display = ChangeDisplay(file, panes, self.navigator, self)
        self.conversations_door = ConversationsDoor(file, panes, self._reviser, self.score_guide.case_here)
        self.hits = HitSteps(file, panes, self.finder, self.navigator, self._reviser, self.problem_guide.open_place)
        self.fixer = Fixer(file, panes, self.problem_guide, self._reviser)
        self.rule_choice = RuleChoice(file, panes, self.problem_guide)
        self.review_door = ReviewDoor(file, panes, self.navigator)
        self.recordings_door = RecordingsDoor(
            file,
            self.score_guide.case_here,
            self.score_guide.go_to_case,
            panes.status.say,
            self.conversations_door.show_conversation,
        )
        self.conversion_door = ConversionDoor(file, panes, self.problem_guide)

    @property
    def form(self) -> FormPane:
        """The form, whose keys work in the criteria, too."""
        return self.panes.form

    def does(self, command: Command) -> bool:
        """Whether a command acts here: those of Why do only on its lines, and leave their keys to others elsewhere."""
        return command.place != "why" or self.acceptor.is_on_why

    def quit(self) -> None:
        """Quit, after a question if something is unsaved."""
        self.file.leaving.quit()

    def open_criteria(self) -> None:
        """Open the criteria of the set as a form."""
        self.panes.form.write_typed()
        open_criteria(self.file, self.panes.status.say)

    def compose(self) -> ComposeResult:
        """Title, panes, status line and keys line."""
        panes = self.panes
        yield panes.title
        yield panes.upper
        yield panes.problems
        yield panes.run
        yield panes.status
        yield panes.keys

    # --- coming and going ------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Start in the tree, or in the form of a value with a form of its own; or as the file was left."""
        self._start.select()
        self.panes.layout.place()
        self.show_problems()
        self.show_scores()
        self._start.focus()
        if self._memory is not None:
            self._memory.recall()

    def on_unmount(self) -> None:
        """Remember the state of the view."""
        if self._memory is not None:
            self._memory.keep()

    def _open_view(self, outline: Outline, start: StartsAt) -> None:
        view = EditScreen(self.file, outline, start)
        self.app.push_screen(view, lambda said: self.refresh_all(said or ""))

    def back(self) -> None:
        """Clear the filter first; else go back to the previous place."""
        if not self.finder.leave_filter():
            self.navigator.go_back()

    def back_or_quit(self) -> None:
        """Go back; at the root, go to the list of eval sets if the person came from there, else quit."""
        if self.navigator.is_at_root:
            self.file.leaving.leave_or_go_back()
        else:
            self.back()

    # --- what the panes call ---------------------------------------------------------------------------------

    @on(Revise)
    def revise(self, request: Revise) -> str:
        """Do a revision before the next key; returns why it failed, or ""."""
        return self._reviser.revise(request)

    def apply_change(self, change: Change, *, goto_new: bool = False, begin: bool = False) -> None:
        """Tell everyone affected that the document was changed here."""
        self.file.changed(change, [self], goto_new=goto_new, begin=begin)

    def show_change(self, change: Change, *, goto_new: bool, begin: bool) -> None:
        """Show a change of the document."""
        self.finder.note_change(change)  # visible rows
        self._display.show(change, goto_new=goto_new, begin=begin)  # rows, form and bars
        self.problem_guide.show_change()  # drafts in the list of problems

    def edit_outside(self) -> None:
        """Edit the selected field, or the selected value as JSON, in $VISUAL or $EDITOR."""
        self.outside.edit_selected()

    def forget_said(self) -> None:
        """Remove the message, so that the help of the next line has room."""
        self.panes.status.say("")

    def read_words(self) -> None:
        """Read the words of all cases for suggestions, between key presses."""
        self.finder.read_words()

    def title_of(self, command: Command) -> str:
        """The current title of a command in the keys line; "" hides it."""
        return self._titles.title_of(command)

    # --- what others tell this view --------------------------------------------------------------------------

    def show_message(self, said: str | None) -> None:
        """Show a message about the file; None only refreshes its marks."""
        self.panes.show_message(said)

    def refresh_all(self, said: str = "") -> None:
        """Refresh everything after another screen was in front; `said` is that screen's message."""
        self.finder.forget()
        self.panes.refresh_all(said)

    def show_problems(self) -> None:
        """Problems may have changed."""
        self.problem_guide.show()

    def show_scores(self) -> None:
        """Scores may have changed."""
        self.score_guide.show()
        if self._memory is not None:
            self._memory.offer_recordings()

    def open_place(self, at: Node, missing: str, problem: Problem | None) -> None:
        """Open the nearest form at the line of a value in this view."""
        self.problem_guide.open_place_here(at, missing, problem)

    def open_case(self, case: Node, turn: Node | None, *, stay: bool) -> None:
        """Show a turn of a case with its lines of Why."""
        self.score_guide.open_case_here(case, turn, stay=stay)

    def select_changed(self, node: Node, at: DraftPlace | None, change: Change) -> None:
        """Select the row and the line of a value that a step changed."""
        self.undo_steps.select_here(node, at, change)

    # --- messages of the panes -------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Show one pane or several, depending on the width."""
        self.panes.layout.place()

    def on_screen_resume(self) -> None:
        """The front screen has closed: do what waited for that."""
        self.file.disk.look_if_waiting()

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """The focus moved."""
        if not self.panes.form.has_typing_focus:
            self.file.checks.hurry()  # checks without delay, because the field may have been left
        self.finder.focus_moved()
        self.navigator.focus_moved()
        self._line_selected()
        self.file.disk.look_if_waiting()

    @on(Ask)
    def _ask(self, event: Ask) -> None:
        self._questions.ask(event)

    @on(Choose)
    def _choose(self, event: Choose) -> None:
        self._questions.choose(event)

    @on(Decide)
    def _decide(self, event: Decide) -> None:
        self._questions.decide(event)

    @on(Visit)
    def _visit(self, event: Visit) -> None:
        self.navigator.visit(event)

    @on(Selected)
    def _row_selected(self, event: Selected) -> None:
        self.navigator.row_selected(event)

    @on(Browsed)
    def _browsed(self) -> None:
        self.forget_said()
        self._line_selected()

    @on(FormLines.CursorMoved)
    def _line_selected(self) -> None:
        if self.panes.keys.place in ("form", "why"):
            self.panes.keys.show_place(self.acceptor.place)
        self.panes.keys.update()
        if self.panes.recorded.lines.has_focus:
            self.panes.status.hint(self.acceptor.said)
        else:
            self._hint.show()

    @on(RecordedLines.DifferenceSelected)
    def _difference_selected(self) -> None:
        if self.panes.recorded.lines.has_focus:
            self._line_selected()

    @on(Say)
    def _say(self, event: Say) -> None:
        self.panes.status.say(event.text)
        self.panes.keys.update()

    @on(GoTo)
    def _go_to_problem(self, event: GoTo) -> None:
        self.problem_guide.go_to_problem(event.problem)

    @on(GoToCase)
    def _go_to_case(self, event: GoToCase) -> None:
        self.score_guide.go_to_case(event.case)

    @on(Read)
    def _read(self, event: Read) -> None:
        self.score_guide.read(event)

    @on(RowDropped)
    def _row_dragged(self, event: RowDropped) -> None:
        self.row_edits.drag(event)

    @on(PasteText)
    def _text_pasted(self, event: PasteText) -> None:
        self.clipboard.paste_text(event.text)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search while the query of the filter is typed."""
        self.finder.apply_query(event.value)

    @on(Splitter.Dragged)
    def _splitter_dragged(self, event: Splitter.Dragged) -> None:
        self.panes.layout.split_at(event.column)

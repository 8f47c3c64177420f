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
from evaltui.tui.config.config_door import ConfigDoor
from evaltui.tui.conversations.conversations_door import ConversationsDoor
from evaltui.tui.conversion.conversion_door import ConversionDoor
from evaltui.tui.editor.acceptor import Acceptor
from evaltui.tui.editor.bar_texts import KeyTitles, StatusHint
from evaltui.tui.editor.change_display import ChangeDisplay, UndoSteps
from evaltui.tui.editor.clipboard import Clipboard
from evaltui.tui.editor.finder import Finder
from evaltui.tui.editor.hit_steps import HitSteps
from evaltui.tui.editor.navigator import Navigator, StartsAt
from evaltui.tui.editor.open_file import OpenFile
from evaltui.tui.editor.outside_editor import OutsideEditor
from evaltui.tui.editor.pane_layout import Panes
from evaltui.tui.editor.problem_commands import Fixer, RuleChoice
from evaltui.tui.editor.problem_guide import ProblemGuide
from evaltui.tui.editor.review_door import ReviewDoor
from evaltui.tui.editor.reviser import DialogRequests, DraftDrop, Reviser
from evaltui.tui.editor.row_edits import RowEdits, RowMarks
from evaltui.tui.editor.score_guide import ScoreGuide
from evaltui.tui.editor.view_start import ViewMemory, ViewStart
from evaltui.tui.outlines.outline import Outline
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.panes.form_pane import FormPane
from evaltui.tui.panes.problems_pane import ProblemsPane
from evaltui.tui.panes.recorded_lines import RecordedLines
from evaltui.tui.panes.requests import Ask, Choose, Decide, Revise, Say, adopt_actions
from evaltui.tui.panes.run_pane import RunPane
from evaltui.tui.panes.tree_pane import TreePane
from evaltui.tui.recordings.recordings_door import RecordingsDoor
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.session.drafts import DraftPlace
from evaltui.tui.session.problem import Problem
from evaltui.tui.textual_compat import compare_whole_layouts
from evaltui.tui.widgets.line_view import LineList
from evaltui.tui.widgets.pane_borders import Splitter

if TYPE_CHECKING:
    from textual.widgets import Input


class EditScreen(CommandScreen):
    """Creates the controllers of one screen and passes them the requests of the panes.

    Keys: `commands.py` names an action, and the controller with that action does it. Panes: their messages arrive at
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
        session = file.session
        self.panes = panes = Panes(session, outline, self, self.title_of)
        self._hint = hint = StatusHint(session, panes, lambda: start.is_first and file.stage.inputs == 0)
        marks = RowMarks(session, panes)
        self.navigator = Navigator(file, panes, hint, marks, self, self._open_view)
        self._finder = Finder(session, panes, self.navigator, self)
        self._problems = ProblemGuide(file, panes, hint, self.navigator, self._finder)
        self._scores = ScoreGuide(file, panes, hint, self.navigator, self._finder)
        self._reviser = Reviser(session, panes.status, self.apply_change, lambda: panes.form.edited is not None)
        drafts = DraftDrop(session, panes, self.apply_change)
        self._rows = RowEdits(session, panes, marks, self._reviser)
        self._clipboard = Clipboard(file, panes, marks, self._reviser)
        self._undo = UndoSteps(file, panes, self.navigator, self.apply_change)
        self._questions = DialogRequests(session, file.stage, panes.status, self._reviser, self.navigator.visit)
        self._outside = OutsideEditor(file, panes, self.apply_change, lambda: self.is_current, self._questions.decide)
        self._start = ViewStart(session, panes, self.navigator, start)
        self._memory = ViewMemory(file, panes, start.node) if remembers else None
        self._acceptor = Acceptor(file, panes, self.apply_change)
        self._titles = KeyTitles(session, panes, lambda: bool(drafts.drafts_here()), self._acceptor.title)
        self._display = ChangeDisplay(file, panes, self.navigator, self)
        conversations = ConversationsDoor(file, panes, self._reviser, self._scores.case_here)
        adopt_actions(
            self,
            *(file.saver, file.save_as, file.exit, file.disk, file.scorer, file.live, file.sources, file.agent),
            *(panes.layout, marks, self.navigator, self._finder, self._problems, self._scores, drafts),
            *(self._acceptor, self._rows, self._clipboard, self._undo),
            HitSteps(file, panes, self._finder, self.navigator, self._reviser, self._problems.open_place),
            Fixer(file, panes, self._problems, self._reviser),
            RuleChoice(file, panes, self._problems),
            ReviewDoor(file, panes, self.navigator),
            RecordingsDoor(
                file, self._scores.case_here, self._scores.go_to_case, panes.status.say, conversations.show_conversation
            ),
            ConfigDoor(file, panes),
            ConversionDoor(file, panes, self._problems),
            conversations,
        )

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

    def action_back(self) -> None:
        """Clear the filter first; else go back to the previous place."""
        if not self._finder.leave_filter():
            self.navigator.go_back()

    def action_back_or_quit(self) -> None:
        """Go back; at the root, go to the list of eval sets if the person came from there, else quit."""
        if self.navigator.is_at_root:
            self.file.exit.leave_or_go_back()
        else:
            self.action_back()

    # --- what the panes call ---------------------------------------------------------------------------------

    def revise(self, request: Revise) -> str:
        """Do a revision before the next key; returns why it failed, or ""."""
        return self._reviser.revise(request)

    def apply_change(self, change: Change, *, goto_new: bool = False, begin: bool = False) -> None:
        """Pass a change of the document to everyone it affects; the order matters."""
        has_other_scores = self.file.session.scores.changed(change)  # edited cases are outdated
        has_other_scores |= self.file.live.follow()  # unless live scores are on
        self._problems.note_change(change)  # the cases to check again
        self._finder.note_change(change)  # words of changed cases, and visible rows
        if not self._display.follow_typing(change):
            self._display.show(change, goto_new=goto_new, begin=begin)  # rows, form and bars, which use the state above
            self._problems.show_change()  # drafts in the list of problems
        if has_other_scores:
            self._scores.show()

    def action_edit_outside(self) -> None:
        """Edit the selected field, or the selected value as JSON, in $VISUAL or $EDITOR."""
        self._outside.edit_selected()

    def forget_said(self) -> None:
        """Remove the message, so that the help of the next line has room."""
        self.panes.status.say("")

    def read_words(self) -> None:
        """Read the words of all cases for suggestions, between key presses."""
        self._finder.read_words()

    def title_of(self, command: Command) -> str:
        """The current title of a command in the keys line; "" hides it."""
        return self._titles.title_of(command)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key does this action here; if not, the pane gets the key."""
        return self._acceptor.takes(action) and super().check_action(action, parameters)

    # --- what others tell this view --------------------------------------------------------------------------

    def hear(self, said: str | None) -> None:
        """Show a message about the file; None only refreshes its marks."""
        self.panes.hear(said)

    def refresh_all(self, said: str = "") -> None:
        """Refresh everything after another screen was in front; `said` is that screen's message."""
        self._finder.forget()
        self.panes.refresh_all(said)

    def show_problems(self) -> None:
        """Problems may have changed."""
        self._problems.show()

    def show_scores(self) -> None:
        """Scores may have changed."""
        self._scores.show()
        if self._memory is not None:
            self._memory.offer_recordings()

    def open_place(self, at: Node, missing: str, problem: Problem | None) -> None:
        """Open the nearest form at the line of a value in this view."""
        self._problems.open_place_here(at, missing, problem)

    def open_case(self, case: Node, turn: Node | None, *, stay: bool) -> None:
        """Show a turn of a case with its lines of Why."""
        self._scores.open_case_here(case, turn, stay=stay)

    def select_changed(self, node: Node, at: DraftPlace | None, change: Change) -> None:
        """Select the row and the line of a value that a step changed."""
        self._undo.select_here(node, at, change)

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
            self.file.checker.hurry()  # checks without delay, because the field may have been left
        self._finder.focus_moved()
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

    @on(FormPane.ValueOpened)
    def _value_opened(self, event: FormPane.ValueOpened) -> None:
        self.navigator.visit(event.node, begin=event.begin, edit=event.edit, at=event.at)

    @on(TreePane.RowOpened)
    def _row_opened(self, event: TreePane.RowOpened) -> None:
        self.navigator.visit(event.node, edit=True)

    @on(TreePane.NodeSelected)
    def _row_selected(self, event: TreePane.NodeSelected) -> None:
        self.navigator.row_selected(event.node)

    @on(LineList.Browsed)
    def _browsed(self) -> None:
        self.forget_said()
        self._line_selected()

    @on(FormLines.CursorMoved)
    def _line_selected(self) -> None:
        if self.panes.keys.place in ("form", "why"):
            self.panes.keys.show_place(self._acceptor.place)
        self.panes.keys.update()
        if self.panes.recorded.lines.has_focus:
            self.panes.status.hint(self._acceptor.said)
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

    @on(ProblemsPane.Chosen)
    def _problem_chosen(self, event: ProblemsPane.Chosen) -> None:
        self._problems.go_to_problem(event.problem)

    @on(RunPane.CaseChosen)
    def _case_chosen(self, event: RunPane.CaseChosen) -> None:
        self._scores.go_to_case(event.case)

    @on(RunPane.TextWanted)
    def _text_wanted(self, event: RunPane.TextWanted) -> None:
        self._scores.read(event.title, event.text)

    @on(TreePane.RowDropped)
    def _row_dropped(self, event: TreePane.RowDropped) -> None:
        self._rows.drag(event.node, event.target)

    @on(TreePane.RowsPasted)
    @on(FormLines.ValuePasted)
    def _text_pasted(self, event: TreePane.RowsPasted | FormLines.ValuePasted) -> None:
        self._clipboard.paste_text(event.text)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search while the query of the filter is typed."""
        self._finder.apply_query(event.value)

    @on(Splitter.Dragged)
    def _splitter_dragged(self, event: Splitter.Dragged) -> None:
        self.panes.layout.split_at(event.column)

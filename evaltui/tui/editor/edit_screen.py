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
from evaltui.tui.editor.bar_texts import hint_of, key_title
from evaltui.tui.editor.navigator import Navigator, StartsAt
from evaltui.tui.editor.pane_layout import Panes, Splitter
from evaltui.tui.editor.view_start import ViewMemory, focus_start, select_start
from evaltui.tui.forms.form import WhyLine
from evaltui.tui.late_parts import LatePart
from evaltui.tui.open_file.problem_list import NO_PROBLEMS
from evaltui.tui.outlines.case_outline import Outline
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.panes.form_pane import FormPane
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.panes.tree_pane import TreePane
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.textual_compat import compare_whole_layouts
from evaltui.tui.widgets.line_view import LineList

if TYPE_CHECKING:
    from textual.widgets import Input

    from evaltui.document.history import UndoStep
    from evaltui.recordings.conversation import ConversationKey
    from evaltui.tui.conversion.converter import Converter
    from evaltui.tui.editor.clipboard import Clipboard
    from evaltui.tui.editor.outside_editor import OutsideEditor
    from evaltui.tui.editor.problem_commands import ProblemCommands
    from evaltui.tui.editor.reviser import Reviser
    from evaltui.tui.editor.row_commands import RowCommands
    from evaltui.tui.editor.score_steps import ScoreSteps
    from evaltui.tui.editor.tree_filter import TreeFilter
    from evaltui.tui.editor.undo_commands import UndoCommands
    from evaltui.tui.editor.why_keys import WhyKeys
    from evaltui.tui.open_file.open_file import OpenFile
    from evaltui.tui.recordings.add_screen import AddCommands
    from evaltui.tui.recordings.recordings_screen import RecordingsCommands


class EditScreen(CommandScreen):
    """Has the panes and the controllers, which find each other through it.

    Keys: the rows of `editor_commands.py` call a controller. Panes: their messages arrive at the handlers below.
    Changes: `apply_change` passes them on, in order.
    """

    BINDINGS = bindings("everywhere", "why")
    AUTO_FOCUS = ""
    may_move = True
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (140, "-wide")]

    title_of, hint_of = key_title, hint_of

    focused: reactive[Widget | None] = reactive(None, repaint=False)
    """Like Textual's, but without a repaint of the whole screen: widgets repaint themselves."""

    reviser: LatePart[Reviser] = LatePart("evaltui.tui.editor.reviser.Reviser")
    row_commands: LatePart[RowCommands] = LatePart("evaltui.tui.editor.row_commands.RowCommands")
    tree_filter: LatePart[TreeFilter] = LatePart("evaltui.tui.editor.tree_filter.TreeFilter")
    score_steps: LatePart[ScoreSteps] = LatePart("evaltui.tui.editor.score_steps.ScoreSteps")
    undo_commands: LatePart[UndoCommands] = LatePart("evaltui.tui.editor.undo_commands.UndoCommands")
    problem_commands: LatePart[ProblemCommands] = LatePart("evaltui.tui.editor.problem_commands.ProblemCommands")
    clipboard: LatePart[Clipboard] = LatePart("evaltui.tui.editor.clipboard.Clipboard")
    outside_editor: LatePart[OutsideEditor] = LatePart("evaltui.tui.editor.outside_editor.OutsideEditor")
    why_keys: LatePart[WhyKeys] = LatePart("evaltui.tui.editor.why_keys.WhyKeys")
    adding: LatePart[AddCommands] = LatePart("evaltui.tui.recordings.add_screen.AddCommands")
    recordings: LatePart[RecordingsCommands] = LatePart("evaltui.tui.recordings.recordings_screen.RecordingsCommands")
    converter: LatePart[Converter] = LatePart("evaltui.tui.conversion.converter.Converter")

    def __init__(self, file: OpenFile, outline: Outline, start: StartsAt, *, remembers: bool = False) -> None:
        """With `remembers`, the screen opens as the file was left."""
        super().__init__()
        compare_whole_layouts(self)
        self.file = file
        self.panes = Panes(file, outline, self)
        self.form: FormPane = self.panes.form
        self.status: StatusBar = self.panes.status
        self.start = start
        self._memory = ViewMemory(self) if remembers else None
        self.navigator = Navigator(self)
        self.filter_in_use: TreeFilter | None = None
        """The filter; None until its first key, since no change concerns it before."""
        self._step_shown: UndoStep | None = None
        """The last undo step when the last change was shown."""

    @property
    def is_welcome(self) -> bool:
        """Whether the person starts evaltui for the first time and has pressed no key yet."""
        return self.start.is_first and self.app.input_order.inputs == 0

    @property
    def is_typing(self) -> bool:
        """Whether a field is edited, where undo has another key."""
        return self.panes.form.edited is not None

    def does(self, command: Command) -> bool:
        """Whether a command acts here: those of Why do only on its lines, and leave their keys to others elsewhere."""
        panes = self.panes
        if command.place != "why" or panes.current != "form":  # a hidden form must not be made for a key
            return command.place != "why"
        return (panes.are_keys_in_recorded or isinstance(self.form.stop, WhyLine)) and self.why_keys.line is not None

    def open_criteria(self) -> None:
        """Open the criteria of the set as a form."""
        from evaltui.tui.criteria.criteria_screen import open_criteria

        self.panes.form.write_typed()
        open_criteria(self.file, self.panes.status.say)

    def case_here(self) -> Node | None:
        """The selected case, or the case around the selected row or score."""
        if self.panes.current == "run":
            return self.panes.run.case
        case_file = self.file.case_file
        return case_file.enclosing(self.panes.tree.selected, "case") if case_file is not None else None

    def go_to_case(self, case: Node) -> None:
        """Show the first failing turn of a case with its lines of Why."""
        self.score_steps.go_to_case(case)

    def show_conversation(self, key: ConversationKey) -> None:
        """Show a recorded conversation, to add it as a case."""
        self.adding.show_conversation(key)

    def compose(self) -> ComposeResult:
        """Title, panes, status line and keys line."""
        panes = self.panes
        yield from (panes.title, panes.upper, panes.problems, panes.run, panes.status, panes.keys)

    # --- coming and going ------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Start in the tree, or in the form of a value with a form of its own; or as the file was left."""
        select_start(self)
        self.panes.place()
        self.show_problems()
        if self.file.scores.facts is not None:  # before the first run there are none, and no frame needs their code
            self.show_scores()
        focus_start(self)
        if self._memory is not None:
            self._memory.recall()

    def on_unmount(self) -> None:
        """Remember the state of the view."""
        if self._memory is not None:
            self._memory.keep()

    def open_view(self, outline: Outline, start: StartsAt) -> None:
        """Open a view of a value in front of this screen."""
        view = EditScreen(self.file, outline, start)
        self.app.push_screen(view, lambda message: self.refresh_all(message or ""))

    def back(self) -> None:
        """End a drag or clear the filter; else go back to the previous place."""
        if (drag := self.panes.tree.drag) is not None and drag.cancel():
            return
        if self.filter_in_use is None or not self.filter_in_use.leave_filter():
            self.navigator.go_back()

    def back_or_quit(self) -> None:
        """Go back; at the root, go to the list of eval sets if the person came from there, else quit."""
        if self.panes.current == "tree" and self.navigator.is_outermost:
            self.file.leaving.leave_or_go_back()
        else:
            self.back()

    # --- what the panes call ---------------------------------------------------------------------------------

    def apply_change(self, change: Change, *, goto_new: bool = False, begin: bool = False) -> None:
        """Tell everyone affected that the document was changed here."""
        self.file.changed(change, self, goto_new=goto_new, begin=begin)

    def show_change(self, change: Change, has_other_scores: bool, *, goto_new: bool, begin: bool) -> None:
        """Show a change of the document, and of its scores."""
        if self.filter_in_use is not None:
            self.filter_in_use.note_change(change)  # visible rows
        step, self._step_shown = self._step_shown, self.file.document.history.point()
        if self.form.edited is not None and not change.everywhere and self.form.editor.follow_typing(change):
            # One more letter: only its text and its rows may look different.
            self.panes.tree.refresh_rows(change)
            if step is not self._step_shown:  # there is something to save and to undo
                self.panes.title.update()
                self.panes.keys.update()
        else:
            are_listed_anew = self.file.problems.version != self.panes.problems.version_shown
            self._show_rows_and_form(change, goto_new=goto_new, begin=begin, are_bars_updated=are_listed_anew)
            if are_listed_anew and self.panes.tree.is_attached:
                self.file.show_problems()
            elif self.panes.problems.refresh_changed():  # a place has another name, as after an edit of an eval_id
                self.panes.problems.say_in_title()
                self.status.update_hint()
        if has_other_scores:
            self.show_scores()
        else:
            self.panes.run.refresh_changed()  # the id of a case is no score

    def _show_rows_and_form(self, change: Change, *, goto_new: bool, begin: bool, are_bars_updated: bool) -> None:
        """Refresh only the rows and the form that a change affects; with `goto_new`, go to the added value.

        Title and keys are asked here unless they `are_bars_updated` with the problems.
        """
        panes, form, root = self.panes, self.form, self.file.document.root
        if change.everywhere:
            self.file.show_text(panes.status.text)
            return
        if root is None or not panes.outline.root.is_in(root):
            if self.is_current:
                self.dismiss(panes.status.text)
            return
        came_from = form.node
        stays = goto_new and panes.current == "form" and form.editor.has_field_of(change)
        is_in_tree = panes.current == "tree"
        goes = goto_new and not stays and (begin or is_in_tree)
        with panes.tree.prevent(*([TreePane.NodeSelected] if begin and is_in_tree else ())):  # its form comes below
            panes.tree.apply_change(change, goto_new=goes)
        if not are_bars_updated:
            panes.title.update()

        def go_to_new() -> None:
            if begin and is_in_tree:
                selected = panes.tree.selected
                if selected is not came_from:
                    panes.trail.clear()
                form.show(selected)
                panes.current = "form"
                if not form.display:  # the terminal has room for one pane only
                    panes.place()
            form.editor.go_to_new(change, begin=begin)
            if begin and form.edited is None:
                self.navigator.show_pane("form")

        if begin and is_in_tree:  # the keys are those of the form as soon as that has the focus
            # Draw the new row in one frame and its form in the next.
            self.app.input_order.call_in_next_frame(self, go_to_new)
            return
        if not are_bars_updated:
            panes.keys.update()
        form.show(panes.tree.selected, is_last=panes.current == "form")  # undo goes on to what it has changed
        if goto_new and panes.current == "form":
            if form.node is not came_from:
                panes.trail.append(came_from)
            go_to_new()

    def edit_outside(self) -> None:
        """Edit the selected field, or the selected value as JSON, in $VISUAL or $EDITOR."""
        self.outside_editor.edit_selected()

    def say(self, text: str) -> None:
        """Show a message of a pane."""
        self.panes.status.say(text)
        self.panes.keys.update()

    def read_words(self) -> None:
        """Read the words of all cases for suggestions, between key presses."""
        self.tree_filter.read_words()

    # --- what others tell this view --------------------------------------------------------------------------

    def show_message(self, message: str | None) -> None:
        """Show a message about the file; None only refreshes its marks."""
        if message is not None:
            self.status.say(message)
            if self.form.edited is not None:
                self.status.name_keys_of_field()
        self.panes.tree.refresh()
        self.panes.title.update()
        self.panes.keys.update()  # after a save there is nothing to save

    def refresh_all(self, message: str = "") -> None:
        """Refresh everything after another screen was in front; `message` is what that screen says."""
        if self.file.words_in_use is not None:
            self.file.words_in_use.forget()
        if self.filter_in_use is not None:
            self.filter_in_use.texts.forget()
        self.status.say(message)
        self.panes.tree.apply_change(None)
        self.form.show(self.panes.tree.selected)
        self.panes.title.update()

    def show_problems(self) -> None:
        """Show changed problems, or the progress of a check."""
        panes, problems = self.panes, self.panes.problems
        panes.title.update()
        had = problems.had_any, problems.had_faults
        if self.file.problems.rows:
            panes.status.forget(NO_PROBLEMS)
        if problems.refresh_problems():
            panes.form.refresh_problems()
            if (problems.had_any, problems.had_faults) != had:  # then the pane may be another one
                panes.place()
            elif panes.run.display:  # its title counts the problems, too
                panes.run.say_in_title()
            self._show_marks()
            panes.keys.update()
        self.status.update_hint()

    def show_scores(self) -> None:
        """Show changed scores, or the progress of a run."""
        panes = self.panes
        panes.title.update()
        if panes.run.refresh_scores():
            panes.problems.say_in_title()
            panes.form.refresh_scores()
            panes.place()
            self._show_marks()
        panes.keys.update()  # also where no score changed: a run that has ended cannot be cancelled
        self.status.update_hint()
        if self._memory is not None:
            self._memory.offer_recordings()

    def _show_marks(self) -> None:
        self.panes.tree.refresh_changed()
        if self.filter_in_use is not None:
            self.filter_in_use.search_again()

    # --- messages of the panes -------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Show one pane or several, depending on the width."""
        self.panes.place()

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """The focus moved: show the keys of the focused pane."""
        panes, place = self.panes, getattr(self.focused, "PLACE", None)
        if self.file.problems.is_checking and place != "field":
            self.file.checks.hurry()  # checks without delay, because the field may have been left
        if self.filter_in_use is not None:
            self.filter_in_use.focus_moved()
        # Events of two focus changes in a row can arrive in any order.
        if place is not None:
            panes.current = {"field": "form", "filter": "tree", "recorded": "form"}.get(place, place)
            panes.keys.place = place
            if place == "field":
                panes.status.name_keys_of_field()
            panes.tree.refresh_line(panes.tree.cursor)
        self._line_selected()
        if self.file.disk_state.waits:
            self.file.disk.look_if_waiting()

    @on(FormPane.ValueOpened)
    def _value_opened(self, event: FormPane.ValueOpened) -> None:
        self.navigator.visit(event.node, begin=event.begin, edit=event.edit, line_of=event.select)

    @on(TreePane.NodeSelected)
    def _row_selected(self, event: TreePane.NodeSelected) -> None:
        self.status.update_hint()
        if event.node is not self.form.node:
            self.panes.trail.clear()

            def show_selected() -> None:
                # Unless the person left this screen since, or a key has shown the form already.
                if self in self.app.screen_stack and self.form.node is not self.panes.tree.selected:
                    self.form.show(self.panes.tree.selected)

            # Draw the cursor first and the form in the next frame; of a held key, only the last form is drawn.
            self.call_after_refresh(show_selected)

    @on(LineList.Browsed)
    def _browsed(self) -> None:
        self.status.say("")  # it is about the last step
        self._line_selected()

    @on(FormLines.CursorMoved)
    def _line_selected(self) -> None:
        keys = self.panes.keys
        if getattr(self.focused, "PLACE", "") == "field" != keys.place:
            return  # the focus has moved to the text box: its event comes, and the keys with it
        if keys.place in ("form", "why"):
            keys.place = "why" if isinstance(self.form.stop, WhyLine) and self.form.edited is None else "form"
        keys.update()
        self.status.update_hint()

    def on_paste(self, event: events.Paste) -> None:
        """Replace the selected value with a text that the terminal pasted, or paste it as rows."""
        if isinstance(self.focused, (TreePane, FormLines)):  # a text box has pasted it itself
            self.clipboard.paste_text(event.text)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search while the query of the filter is typed."""
        self.tree_filter.apply_query(event.value)

    @on(Splitter.Dragged)
    def _splitter_dragged(self, event: Splitter.Dragged) -> None:
        self.panes.split_at(event.column)

"""The criteria screen: the config of the set as a form. Each change is tried at once; a key writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult

from evaltui.document.document import Change
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.evalset.editing.revision import Revision
from evaltui.printable import printable
from evaltui.runs.config_edits import criterion_nodes, free_rubric_id
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.config.config_fault import ConfigFault
from evaltui.tui.config.config_head import ConfigHead
from evaltui.tui.config.criteria_form import ID_IN_SET, ConfigOutline
from evaltui.tui.config.trial_keys import TrialKeys
from evaltui.tui.dialog_commands import IN_CRITERIA
from evaltui.tui.editor.reviser import Reviser
from evaltui.tui.forms.form import Field
from evaltui.tui.open_file.problem_list import ConfigProblems
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.panes.form_pane import FormPane
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.recorded_pane import RecordedPane
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.screens.command_screen import MOVES_AND_SETTINGS, CommandScreen

if TYPE_CHECKING:
    from evaltui.runs.tried_config import TriedConfig
    from evaltui.tui.open_file.open_file import OpenFile


_ELSEWHERE = ("form.copy", "form.copy_as", "form.paste", "form.recorded")
"""Ids of commands of the form that need an eval set."""
_OF_NO_USE = ("save", "list.quit")
"""Ids of commands that do something here, but are not offered."""


class ConfigScreen(CommandScreen):
    """Shows the tried config. The trial stays when the screen closes."""

    PLACE = "criteria"
    BINDINGS = bindings("everywhere", "criteria")
    OWN_WAYS = IN_CRITERIA
    SHARED = MOVES_AND_SETTINGS
    AUTO_FOCUS = ""

    def __init__(self, file: OpenFile) -> None:
        """The config must be open (`CriteriaTrial.config`)."""
        super().__init__()
        self.file = file
        self._desk = desk = file.trial
        self._head = ConfigHead(desk, file.scores)
        self.status = StatusBar()
        self._keys = KeysBar(self.title_of)
        self._keys.place = "criteria"
        self.form: FormPane | None = None
        """None if the config is not a JSON object."""
        self._config: TriedConfig | None = None
        """The config that the form shows."""
        self._moves = 0
        """The number of undo and other steps of the config when the form was drawn."""
        self._awaited: tuple[str, int] | None = None
        """While the person waits for scores: the sentence that precedes them, and the number of runs before."""
        self.trial_keys = TrialKeys(file, self)

    def compose(self) -> ComposeResult:
        """Head, form, and the bars below."""
        yield self._head
        yield from self._make_form()
        yield self.status
        yield self._keys

    def _make_form(self) -> ComposeResult:
        """The form of the config, or the place of the fault if it is not a JSON object."""
        desk = self._desk
        self._config, self.form = desk.config(), None
        session, document = desk.form, self._config.document
        if session is None or document.root is None or document.root.kind != "object":
            yield ConfigFault(self._config)
            return
        name = printable(document.path.name) if document.path is not None else "config"
        ids = self.file.problems.rubric_ids
        outline = ConfigOutline(document.root, name, self._config.profile, ids)
        self.form = form = FormPane(session, outline, self, RecordedPane(session))
        self.reviser = Reviser(session, self)
        self._look()
        yield form

    def on_mount(self) -> None:
        """Begin at the first threshold."""
        self._desk.is_shown = True
        self._begin()

    def on_unmount(self) -> None:
        """Let a config that changes be taken over at once."""
        self._desk.is_shown = False

    def on_screen_resume(self) -> None:
        """A dialog has closed: show a config that changed meanwhile."""
        self._follow_if_free()

    def _follow_if_free(self) -> None:
        """Show the config that applies now, unless a field is edited or a dialog is open."""
        is_free = self.app.screen is self and (self.form is None or self.form.edited is None)
        if self._desk.waits and is_free:
            self._desk.follow()
            self.show_scores()

    def _begin(self) -> None:
        form = self.form
        if form is not None:
            form.display = True
            form.refresh_form()
            form.lines.PLACE = "criteria"  # for the help and the palette
            form.lines.focus()
            self.call_after_refresh(self._go_to_first)
        else:
            self.query_one(ConfigFault).focus()
        self._keys.update()

    def _go_to_first(self) -> None:
        if self.form is not None and self.form.stop is None:
            self.form.lines.move_end(-1)

    async def _make_anew(self) -> None:
        """Show another config.

        Not in a worker: if one is cancelled while it waits for a removal, Textual cancels the app's own task.
        """
        if self._desk.opened is self._config:
            return
        for old in self.query("#form, #config-fault"):
            await old.remove()
        await self.mount_all([*self._make_form()], after=self._head)
        self._begin()
        self._head.refresh()

    # --- what others tell this screen ------------------------------------------------------------------------

    def wait_for_scores(self, said: str) -> None:
        """Say that the cases are being scored, then the result."""
        self._awaited = said, self.file.scores.runs
        self.status.say(f"{said}Scoring again …")

    def _say_scored(self) -> None:
        """Say the result of the scores that the person waits for."""
        scores = self.file.scores
        if self._awaited is not None and scores.runs > self._awaited[1]:
            (said, _), self._awaited = self._awaited, None
            facts = scores.facts
            trouble = printable(self._desk.without_folder(facts.trouble or facts.outdated)) if facts is not None else ""
            counted = scores.counted() or "no case has a score"
            self.status.say(f"{said}{f'Not scored: {trouble}' if trouble else f'Scored again: {counted}.'}")

    def show_message(self, said: str | None) -> None:
        """Show a sentence about the file or the trial."""
        if said:
            self.status.say(said)

    def show_scores(self) -> None:
        """Show new scores; after a run, the config may have changed, too."""
        self._say_scored()
        if self._desk.waits:
            self.call_later(self._follow_if_free)
            return
        if self._desk.opened is not self._config:
            try:
                self._desk.config()
            except DocumentError as error:
                self.dismiss(f"The config cannot be opened: {error}")
                return
            self.call_later(self._make_anew)
            return
        if self._config is not None and self._config.document.history.moves != self._moves:  # it was reloaded
            self._refresh_form()
        self._head.refresh()
        self._keys.update()

    # --- what the form calls ---------------------------------------------------------------------------------

    @property
    def is_typing(self) -> bool:
        """Whether a field is edited, where undo has another key."""
        return self.form is not None and self.form.edited is not None

    def apply_change(self, change: Change, *, goto_new: bool = False, begin: bool = False) -> None:
        """The config has changed: show it, and try it."""
        self._refresh_form()
        if goto_new and self.form is not None:
            self.form.editor.go_to_new(change, begin=begin)
        self._desk.changed()
        self._head.refresh()
        self._keys.update()

    def _refresh_form(self) -> None:
        """Show and check the config as it is now."""
        form = self.form
        if form is not None:
            self._look()
            if not form.node.is_in(form.outline.root):
                form.show(form.outline.root)
            form.refresh_form()

    def _look(self) -> None:
        """Check the config as it is now."""
        session = self._desk.form
        self._moves = session.document.history.moves if session is not None else 0
        if session is not None and isinstance(session.problems, ConfigProblems):
            session.problems.look()

    def forget_said(self) -> None:
        """Clear the status line, so that it can show the help of the selected line."""
        self.status.say("")

    def show_problems(self) -> None:
        """The form shows its problems itself."""

    def read_words(self) -> None:
        """A config has no words to suggest."""

    @on(FormLines.CursorMoved)
    def _line_selected(self) -> None:
        stop = self.form.stop if self.form is not None else None
        self.status.hint(stop.help if stop is not None else "")
        self._keys.update()

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Show the keys of the form or of the field."""
        is_typing = self.form is not None and self.form.has_typing_focus
        self._keys.show_place("field" if is_typing else "criteria")
        self._line_selected()
        self._follow_if_free()

    def say(self, text: str) -> None:
        """Show a message of the form."""
        self.status.say(text)
        self._keys.update()

    @on(FormPane.ValueOpened)
    def _value_opened(self, event: FormPane.ValueOpened) -> None:
        self.visit(event.node)

    def visit(self, node: Node) -> None:
        """Show a value of the config as JSON; esc comes back."""
        if self.form is not None:
            self.form.show(node)
            self._go_to_first()

    # --- keys ------------------------------------------------------------------------------------------------

    def title_of(self, command: Command) -> str:
        """The title of a command in the keys line; "" if it would do nothing now."""
        form, config = self.form, self._desk.opened
        if command.place in ("form", "field"):
            has_effect = self.does(command) and command.id != "form.more"  # a does the same here
            return form.commands.title(command) if form is not None and has_effect else ""
        if config is None or not self.does(command) or command.does in _OF_NO_USE:
            return ""
        is_useful = {
            "criteria.write": config.is_changed and not config.unwritable and not self._desk.is_readonly,
            "criteria.drop": config.is_changed,
            "list.drop_draft": self.trial_keys.draft_here() is not None,
            "undo": bool(config.document.history.next_undo),
            "redo": bool(config.document.history.next_redo),
            "edit_outside": config.document.base is not None,
        }
        title = "score" if command.id == "run.again" else command.title
        return title if is_useful.get(command.does, True) else ""

    def on_key(self, event: events.Key) -> None:
        """Say that a key of the editor does nothing here, and hold the letters that are typed for what it opens."""
        self.refuse_key_of_editor(event, f"not in the criteria. Press {key_of('criteria.back')} to go back.")

    def does(self, command: Command) -> bool:
        """Whether a command acts here. Letters are left to the field that is edited."""
        if command.place == "criteria":
            return self.form is None or not self.form.has_typing_focus
        return command.id not in _ELSEWHERE and super().does(command)

    def refresh_head(self) -> None:
        """Show whether there are unwritten changes."""
        self._head.refresh()
        self._keys.update()

    def show_stepped(self, said: str) -> None:
        """Show the config after a step that may have changed any part of it."""
        form = self.form
        if form is not None:
            self._look()
            form.show(form.outline.root)
            form.refresh_form()
            form.editor.show_undone()
        self.status.say(said)
        self._head.refresh()
        self._keys.update()

    def fix(self) -> None:
        """Fix the problem of the selected line."""
        problem = self.form.problem if self.form is not None else None
        stop = self.form.stop if self.form is not None else None
        if isinstance(stop, Field) and stop.help == ID_IN_SET:
            root = self._config.document.root if self._config is not None else None
            assert root is not None
            ids = self.file.problems.rubric_ids()
            self.reviser.apply(stop.write(free_rubric_id(criterion_nodes(root), ids)))
        elif problem is None or problem.fix is None:
            self.status.say("This line has nothing to fix.")
        else:
            self.reviser.apply(Revision(problem.fix.title, [*problem.fix.edits]))

    def edit_outside(self) -> None:
        """Open the config in the user's editor, then read it again."""
        self.trial_keys.edit_config()

    def quit(self) -> None:
        """Quit: this screen closes first, also while a field is edited."""
        if self.form is not None:
            self.form.editor.stop()
        self.dismiss("")
        self.file.leaving.quit()

    def back(self) -> None:
        """Go back from a value to the criteria, else to the previous screen. The trial stays."""
        form = self.form
        if form is not None and form.node is not form.outline.root:
            form.show(form.outline.root)
            self._go_to_first()
            return
        if form is not None:
            form.editor.stop()
        self.dismiss("")

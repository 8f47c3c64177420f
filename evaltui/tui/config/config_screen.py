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
from evaltui.tui.config.criteria_form import ConfigOutline
from evaltui.tui.config.metric_words import ID_IN_SET
from evaltui.tui.config.trial_keys import TrialKeys
from evaltui.tui.editor.open_file import OpenFile
from evaltui.tui.editor.reviser import DialogRequests, Reviser
from evaltui.tui.forms.form import Field
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.panes.form_pane import FormPane
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.recorded_pane import RecordedPane
from evaltui.tui.panes.requests import Ask, Choose, Decide, Revise, Say, adopt_actions
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.session.config_problems import ConfigProblems

if TYPE_CHECKING:
    from evaltui.runs.tried_config import TriedConfig


_ACTIONS = {
    *("screen.write_config", "screen.drop_trial", "screen.undo", "screen.redo", "screen.edit_outside", "screen.back"),
    "screen.drop_draft",
    *("screen.fix", "screen.run_again", "screen.palette", "app.help_from_here", "app.quit_from_here"),
    *("app.show_messages", "screen.theme", "screen.settings", "screen.step_problem(1)", "screen.step_problem(-1)"),
}
_MOVES = ("list.down", "list.up", "list.page", "list.top", "list.bottom")
"""The actions of commands that work here, and beginnings of their ids."""


class ConfigScreen(CommandScreen):
    """Shows the tried config. The trial stays when the screen closes."""

    PLACE = "criteria"
    BINDINGS = bindings("everywhere", "criteria")
    AUTO_FOCUS = ""

    def __init__(self, file: OpenFile) -> None:
        """The config must be open (`TrialDesk.config`)."""
        super().__init__()
        self.file = file
        self._desk = desk = file.trial
        self._head = ConfigHead(desk, file.session.scores)
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
        self._trial_keys = TrialKeys(file, self)
        adopt_actions(self, self._trial_keys)

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
        ids = self.file.session.problems.rubric_ids
        outline = ConfigOutline(document.root, name, self._config.profile, ids)
        self.form = form = FormPane(session, outline, self, RecordedPane(session))
        status = self.status
        self._reviser = Reviser(session, status, self.apply_change, lambda: form.edited is not None)
        self._questions = DialogRequests(session, self.file.stage, status, self._reviser, self._visit)
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
            self.form.lines.action_move_end(-1)

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
        self._awaited = said, self.file.session.scores.runs
        self.status.say(f"{said}Scoring again …")

    def _say_scored(self) -> None:
        """Say the result of the scores that the person waits for."""
        scores = self.file.session.scores
        if self._awaited is not None and scores.runs > self._awaited[1]:
            (said, _), self._awaited = self._awaited, None
            facts = scores.facts
            trouble = printable(self._desk.without_folder(facts.trouble or facts.outdated)) if facts is not None else ""
            counted = scores.counted() or "no case has a score"
            self.status.say(f"{said}{f'Not scored: {trouble}' if trouble else f'Scored again: {counted}.'}")

    def hear(self, said: str | None) -> None:
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

    def revise(self, request: Revise) -> str:
        """Edit the tried config. Returns why that failed, or ""."""
        return self._reviser.revise(request)

    def apply_change(self, change: Change, *, goto_new: bool = False, begin: bool = False) -> None:
        """The config has changed: show it, and try it."""
        self._refresh_form()
        if goto_new and self.form is not None:
            self.form.go_to_new(change, begin=begin)
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

    @on(Say)
    def _say(self, event: Say) -> None:
        self.status.say(event.text)
        self._keys.update()

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
        self._visit(event.node)

    def _visit(self, node: Node) -> None:
        """Show a value of the config as JSON; esc comes back."""
        if self.form is not None:
            self.form.show(node)
            self._go_to_first()

    # --- keys ------------------------------------------------------------------------------------------------

    def title_of(self, command: Command) -> str:
        """The title of a command in the keys line; "" if it would do nothing now."""
        form, config = self.form, self._desk.opened
        if command.place in ("form", "field"):
            has_no_effect = command.place == "form" and (
                command.action.startswith("screen.") or command.id == "form.more"  # a does the same here
            )
            return form.offer(command) if form is not None and not has_no_effect else ""
        if config is None or not (command.action in _ACTIONS or command.id.startswith(_MOVES)):
            return ""
        is_useful = {
            "screen.write_config": config.is_changed and not config.unwritable and not self._desk.is_readonly,
            "screen.drop_trial": config.is_changed,
            "screen.drop_draft": self._trial_keys.draft_here() is not None,
            "screen.undo": bool(config.document.history.next_undo),
            "screen.redo": bool(config.document.history.next_redo),
            "screen.edit_outside": config.document.base is not None,
        }
        title = "score" if command.id == "run.again" else command.title
        return title if is_useful.get(command.action, True) else ""

    def on_key(self, event: events.Key) -> None:
        """Say that a key of the editor does nothing here, and hold the letters that are typed for what it opens."""
        self.refuse_key_of_editor(event, f"not in the criteria. Press {key_of('criteria.back')} to go back.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave letters to the field that is edited."""
        is_typing = self.form is not None and self.form.has_typing_focus
        return not (is_typing and action in ("write_config", "drop_trial", "back"))

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
            form.show_undone()
        self.status.say(said)
        self._head.refresh()
        self._keys.update()

    def action_fix(self) -> None:
        """Fix the problem of the selected line."""
        problem = self.form.problem if self.form is not None else None
        stop = self.form.stop if self.form is not None else None
        if isinstance(stop, Field) and stop.help == ID_IN_SET:
            root = self._config.document.root if self._config is not None else None
            assert root is not None
            ids = self.file.session.problems.rubric_ids()
            self.revise(Revise(stop.write(free_rubric_id(criterion_nodes(root), ids))))
        elif problem is None or problem.fix is None:
            self.status.say("This line has nothing to fix.")
        else:
            self.revise(Revise(Revision(problem.fix.title, [*problem.fix.edits])))

    def action_edit_outside(self) -> None:
        """Open the config in the user's editor, then read it again."""
        self._trial_keys.edit_config()

    def action_quit(self) -> None:
        """Quit: this screen closes first, also while a field is edited."""
        if self.form is not None:
            self.form.stop_editing()
        self.dismiss("")
        self.file.exit.action_quit()

    def action_back_or_quit(self) -> None:
        """Go back: the letter does what esc does."""
        self.action_back()

    def action_back(self) -> None:
        """Go back from a value to the criteria, else to the previous screen. The trial stays."""
        form = self.form
        if form is not None and form.node is not form.outline.root:
            form.show(form.outline.root)
            self._go_to_first()
            return
        if form is not None:
            form.stop_editing()
        self.dismiss("")

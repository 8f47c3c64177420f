"""The criteria screen: the config of the set as a form. Each change is tried at once, and written by a key."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult, SuspendNotSupported
from textual.widgets import Static

from evaltui.document.document import Change
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.printable import printable
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.config.config_head import ConfigHead
from evaltui.tui.config.criteria_form import ConfigOutline
from evaltui.tui.editor.open_file import OpenFile
from evaltui.tui.editor.reviser import DialogRequests, Reviser
from evaltui.tui.messages import in_past_tense
from evaltui.tui.panes.bars import KeysBar, StatusBar
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.panes.form_pane import FormPane
from evaltui.tui.panes.recorded_pane import RecordedPane
from evaltui.tui.panes.requests import Ask, Choose, Revise, Say, Visit
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.session.config_problems import ConfigProblems
from evaltui.tui.session.session import Session

if TYPE_CHECKING:
    from evaltui.runs.tried_config import TriedConfig


_ACTIONS = {
    *("screen.write_config", "screen.drop_trial", "screen.undo", "screen.redo", "screen.edit_outside", "screen.back"),
    *("screen.fix", "screen.run_again", "screen.palette", "app.help_from_here", "app.quit_from_here"),
    *("app.show_messages", "screen.theme", "screen.settings"),
}
_MOVES = ("list.down", "list.up", "list.page", "list.top", "list.bottom")
"""The actions and the beginnings of ids of the commands that do something here."""


class ConfigScreen(CommandScreen):
    """Shows the config that is tried. What is tried stays when the screen closes."""

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
        self._form: FormPane | None = None
        """None where the config is not JSON."""
        self._config: TriedConfig | None = None
        """The config that the form shows."""
        self._asked_at = -1
        """The number of keys and clicks when the key to write was pressed first."""

    def compose(self) -> ComposeResult:
        """Head, form, and the bars below."""
        yield self._head
        yield from self._make_form()
        yield self.status
        yield self._keys

    def _make_form(self) -> ComposeResult:
        """The form of the config; of one that is no JSON object, where it is broken."""
        desk = self._desk
        self._config, self._form = desk.config(), None
        session, document = desk.form, self._config.document
        if session is None or document.root is None or document.root.kind != "object":
            yield Static("\n".join(map(printable, _fault(self._config))), id="config-fault", markup=False)
            return
        name = printable(document.path.name) if document.path is not None else "config"
        outline = ConfigOutline(document.root, name, self._config.profile)
        self._form = form = FormPane(session, outline, self, RecordedPane(session))
        status = self.status
        self._reviser = Reviser(session, status, self.apply_change, lambda: form.edited is not None)
        self._questions = DialogRequests(session, self.file.stage, status, self._reviser, self._visit)
        self._look()
        yield form

    def on_mount(self) -> None:
        """Begin at the first threshold."""
        self._begin()

    def _begin(self) -> None:
        form = self._form
        if form is not None:
            form.display = True
            form.refresh_form()
            form.lines.PLACE = "criteria"  # for the help and the palette
            form.lines.focus()
            self.call_after_refresh(self._go_to_first)
        self._keys.update()

    def _go_to_first(self) -> None:
        if self._form is not None and self._form.stop is None:
            self._form.lines.action_move_end(-1)

    async def _make_anew(self) -> None:
        """The config is another: show that."""
        for old in self.query("#form, #config-fault"):
            await old.remove()
        await self.mount_all([*self._make_form()], after=self._head)
        self._begin()
        self._head.refresh()

    # --- what others tell this screen ------------------------------------------------------------------------

    def hear(self, said: str | None) -> None:
        """Show what became of the file, or of the trial."""
        if said:
            self.status.say(said)

    def show_scores(self) -> None:
        """There are other scores than before; after a run, the config may be another."""
        if self._desk.opened is not self._config:
            try:
                self._desk.config()
            except DocumentError as error:
                self.dismiss(f"The config cannot be opened: {error}")
                return
            self.run_worker(self._make_anew(), exclusive=True, group="config")
            return
        self._head.refresh()
        self._keys.update()

    # --- what the form calls ---------------------------------------------------------------------------------

    @on(Revise)
    def revise(self, request: Revise) -> str:
        """Edit the config that is tried; returns why it could not be done, "" where it was."""
        return self._reviser.revise(request)

    def apply_change(self, change: Change, *, goto_new: bool = False, begin: bool = False) -> None:
        """The config has changed: show it, and try it."""
        form = self._form
        if form is None:
            return
        self._look()
        if not form.node.is_in(form.outline.root):
            form.show(form.outline.root)
        form.refresh_form()
        if goto_new:
            form.go_to_new(change, begin=begin)
        self._desk.changed()
        self._head.refresh()
        self._keys.update()

    def _look(self) -> None:
        """Check the config as it is now."""
        session = self._desk.form
        if session is not None and isinstance(session.problems, ConfigProblems):
            session.problems.look()

    def forget_said(self) -> None:
        """The person goes on: there is room for the help of the line that is reached."""
        self.status.say("")

    def show_problems(self) -> None:
        """The form shows its problems itself."""

    def read_words(self) -> None:
        """A config has no words to suggest."""

    @on(FormLines.CursorMoved)
    def _line_selected(self) -> None:
        stop = self._form.stop if self._form is not None else None
        self.status.hint(stop.help if stop is not None else "")
        self._keys.update()

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Show the keys of the form or of the field."""
        is_typing = self._form is not None and self._form.has_typing_focus
        self._keys.show_place("field" if is_typing else "criteria")
        self._line_selected()

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

    @on(Visit)
    def _visit_value(self, event: Visit) -> None:
        self._visit(event)

    def _visit(self, event: Visit) -> None:
        """Show a value of the config as JSON; esc comes back."""
        if self._form is not None:
            self._form.show(event.node)
            self._go_to_first()

    # --- keys ------------------------------------------------------------------------------------------------

    def title_of(self, command: Command) -> str:
        """Title of a command in the keys line at present; "" where it is of no use."""
        form, config = self._form, self._desk.opened
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
            "screen.undo": bool(config.document.history.next_undo),
            "screen.redo": bool(config.document.history.next_redo),
            "screen.edit_outside": config.document.base is not None,
        }
        title = "score" if command.id == "run.again" else command.title
        return title if is_useful.get(command.action, True) else ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave letters to the field that is edited."""
        is_typing = self._form is not None and self._form.has_typing_focus
        return not (is_typing and action in ("write_config", "drop_trial"))

    def action_write_config(self) -> None:
        """Write what is tried into the config, by a second press; then score all cases by it."""
        desk, inputs = self._desk, self.file.stage.inputs
        if why := desk.why_not_written():
            self.status.say(why)
        elif (session := desk.form) is not None and session.drafts.live():
            self.status.say("Not written: a field holds a draft. Correct it, or undo it.")
        elif inputs != self._asked_at + 1:
            self._asked_at = inputs
            self.status.say(f"{key_of('criteria.write')} again writes into {desk.called}: {desk.said()}")
        else:
            self.status.say(desk.write())
            self._head.refresh()
            self._keys.update()

    def action_drop_trial(self) -> None:
        """Go back to the config as it is on disk."""
        if self._desk.drop():
            self._show_stepped("As the config has it again.")
        else:
            self.status.say("Nothing is being tried.")

    def action_undo(self) -> None:
        """Take back the last step of the trial."""
        self._step(lambda session: session.document.undo(), "undone", "Nothing to undo.")

    def action_redo(self) -> None:
        """Do the last undone step of the trial again."""
        self._step(lambda session: session.document.redo(), "redone", "Nothing to redo.")

    def _step(self, step: Callable[[Session], Change | None], done: str, nothing: str) -> None:
        session, form = self._desk.form, self._form
        if session is None or form is None:
            return
        form.write_typed()
        change = step(session)
        if change is None:
            self.status.say(nothing)
            return
        self._desk.changed()
        self._show_stepped(f"{done}: {in_past_tense(change.label)}")
        node = next((each for each in change.nodes if each.is_in(form.outline.root)), None)
        if node is not None and not self._is_at_criterion(node):
            form.go_to_place(node, "")

    def _is_at_criterion(self, node: Node) -> bool:
        """Whether the cursor is on a line of the criterion around a value: it stays there."""
        stop = self._form.stop if self._form is not None else None
        key = stop.key if stop is not None else None
        return isinstance(key, tuple) and any(each.key and each.name == key[0] for each in (node, *node.ancestors()))

    def _show_stepped(self, said: str) -> None:
        """Show the config after a step that may have changed any part of it."""
        form = self._form
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
        problem = self._form.problem if self._form is not None else None
        if problem is None or problem.fix is None:
            self.status.say("This line has no problem that can be fixed.")
            return
        from evaltui.evalset.editing.revision import Revision

        self.revise(Revise(Revision(problem.fix.title, [*problem.fix.edits])))

    def action_back_or_quit(self) -> None:
        """Go back: the letter does what esc does."""
        self.action_back()

    def action_back(self) -> None:
        """Back to the criteria from a value, else to the screen before; the trial stays."""
        form = self._form
        if form is not None and form.node is not form.outline.root:
            form.show(form.outline.root)
            self._go_to_first()
            return
        if form is not None:
            form.stop_editing()
        self.dismiss("")

    def action_save(self) -> None:
        """Say which key writes the criteria: the save key is for the eval set."""
        self.status.say(
            f"{key_of('criteria.write')} writes the criteria into {self._desk.called}. Here ^s saves nothing."
        )

    def action_run_again(self) -> None:
        """Score all cases again, with recordings and config read anew."""
        self.status.say("scoring …")
        self.file.scorer.score(anew=True)

    def action_edit_outside(self) -> None:
        """Open the config in the user's editor, then read it again."""
        from evaltui.tui.terminal.external_editor import EditorError, edit_file

        config = self._desk.opened
        path = config.document.path if config is not None else None
        if config is None or path is None or config.document.base is None:
            self.status.say("There is no file to edit yet.")
            return
        if config.is_changed:
            self.status.say("First write or drop what is tried: the editor gets the file as it is on disk.")
            return
        try:
            with self.app.suspend():
                editor, status = edit_file(path)
        except SuspendNotSupported:
            self.status.say("This terminal cannot be handed to an editor.")
        except (OSError, EditorError) as error:
            self.status.say(printable(f"The config was not opened: {error}"))
        else:
            self.status.say(f"{editor} ended with {status}. Scoring again …" if status else "Scoring again …")
            self._desk.reopen()
            self.show_scores()


def _fault(config: TriedConfig) -> list[str]:
    """Lines that say where a config is broken, and what to do."""
    document = config.document
    name = document.path.name if document.path is not None else "the config"
    key = key_of("list.edit_outside")
    if document.fault is None:
        return [f"{name} is no config: a config is a JSON object with criteria. {key} opens it in $EDITOR."]
    line, column = document.line_and_column(document.fault.offset)
    text = document.body().split(b"\n")[line - 1].decode("utf-8", "replace")
    where = f"{name}:{line}:{column} is not JSON: {document.fault.message}. {key} opens it in $EDITOR."
    return [where, "", f"{line:>5}  {text.rstrip()}"]

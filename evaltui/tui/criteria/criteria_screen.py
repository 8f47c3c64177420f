"""The criteria screen: the config of the set as a form. Each change is tried at once; a key writes them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Literal

from textual import events, on
from textual.app import ComposeResult, SuspendNotSupported

from evaltui.document.document import Change
from evaltui.document.errors import DocumentError
from evaltui.evalset.editing.revision import Revision
from evaltui.printable import printable
from evaltui.runs.config_edits import criterion_nodes, free_rubric_id
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.criteria.criteria_form import ID_IN_SET, ConfigFault, ConfigOutline, criteria_line
from evaltui.tui.dialog_commands import IN_CRITERIA
from evaltui.tui.editor.reviser import Reviser
from evaltui.tui.forms.form import Field
from evaltui.tui.lines import SEVERITY_MARKS
from evaltui.tui.messages import in_past_tense, with_full_stop
from evaltui.tui.open_file.criteria_trial import NO_TRIAL
from evaltui.tui.open_file.drafts import DraftPlace
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.panes.form_pane import FormPane
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.screens.command_screen import MOVES_AND_SETTINGS, CommandScreen
from evaltui.tui.widgets.line_view import LineBar

if TYPE_CHECKING:
    from evaltui.runs.tried_config import TriedConfig
    from evaltui.tui.open_file.open_file import OpenFile


_ELSEWHERE = ("form.copy", "form.copy_as", "form.paste", "form.recorded")
"""Ids of commands of the form that need an eval set."""
_OF_NO_USE = ("save", "list.quit", "form.more")
"""Ids of commands that do something here, but are not offered: the last one does what `a` does."""


def open_criteria(file: OpenFile, say: Callable[[str], object]) -> None:
    """Open the criteria of the set as a form. `say` shows why that is not possible, and later that a trial goes on."""
    if file.case_file is None and not file.said_trial():
        say("Only an eval set has criteria.")
        return
    try:
        file.trial.reopen_unless_tried()
        file.trial.config()
    except DocumentError as error:
        say(f"The config cannot be opened: {error}")
        return

    def left(message: str | None) -> None:
        if file.trial.waits:
            file.trial.follow()
        for view in file.views:
            view.show_scores()
        say(message or file.trial.said_left)

    file.app.push_screen(CriteriaScreen(file), left)


class CriteriaScreen(CommandScreen):
    """Shows the tried config. The trial stays when the screen closes."""

    PLACE = "criteria"
    BINDINGS = bindings("everywhere", "criteria")
    OWN_WAYS = IN_CRITERIA
    SHARED = MOVES_AND_SETTINGS
    AUTO_FOCUS = ""
    may_move = True

    def __init__(self, file: OpenFile) -> None:
        """The config must be open (`CriteriaTrial.config`)."""
        super().__init__()
        self.file = file
        self._trial = file.trial
        self._head = LineBar("config-head", partial(criteria_line, file.trial, file.scores))
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

    def compose(self) -> ComposeResult:
        """Head, form, and the bars below."""
        yield self._head
        yield self._make_form()
        yield self.status
        yield self._keys

    def _make_form(self) -> FormPane | ConfigFault:
        """The form of the config, or the place of the fault if it is not a JSON object."""
        self._config = self._trial.config()
        edited, document = self._trial.form, self._config.document
        if edited is None or document.root is None or document.root.kind != "object":
            return ConfigFault(self._config)
        name = printable(document.path.name) if document.path is not None else "config"
        outline = ConfigOutline(document.root, name, self._config.profile, self.file.problems.rubric_ids)
        self.reviser = Reviser(self, edited)
        return FormPane(edited, outline, self)

    @on(events.ScreenResume)
    def _follow_if_free(self) -> None:
        if self._trial.waits and self.app.screen is self and not self.is_typing:
            self._trial.follow()
            self.show_scores()

    @on(events.Mount)
    def _begin(self) -> None:
        # Set only now: before it is mounted, keys and hints cannot ask its lines.
        self.form = form = self.query_one_optional(FormPane)
        if form is None:
            self.query_one(ConfigFault).focus()
        else:
            form.display = True
            self._refresh_form()
            form.lines.PLACE = "criteria"  # for the help and the palette
            form.lines.focus()
        self._keys.update()

    async def _make_anew(self) -> None:
        # Not in a worker: if one is cancelled while it waits for a removal, Textual cancels the app's own task.
        if self._trial.opened is self._config:
            return
        self.form = None  # without its lines, the old form cannot be asked
        await self.query("#form, #config-fault").remove()
        await self.mount(self._make_form(), after=self._head)
        self._begin()
        self._head.refresh()

    # --- what others tell this screen ------------------------------------------------------------------------

    def _wait_for_scores(self, before: str) -> None:
        """Say that the cases are being scored, `before` the result."""
        self._awaited = before, self.file.scores.runs
        self.status.say(f"{before}Scoring again …")

    def show_scores(self) -> None:
        """Show new scores; after a run, the config may have changed, too."""
        scores = self.file.scores
        if self._awaited is not None and scores.runs > self._awaited[1]:
            (before, _), self._awaited = self._awaited, None
            trouble = (scores.facts.trouble or scores.facts.outdated) if scores.facts is not None else ""
            result = f"Scored again: {scores.counted() or 'no case has a score'}."
            if trouble:
                result = printable(f"Not scored: {self._trial.without_folder(trouble)}")
            self.status.say(f"{before}{result}")
        if self._trial.waits:
            self.call_later(self._follow_if_free)
            return
        if self._trial.opened is not self._config:
            try:
                self._trial.config()
            except DocumentError as error:
                self.dismiss(f"The config cannot be opened: {error}")
                return
            self.call_later(self._make_anew)
            return
        if self._config is not None and self._config.document.history.moves != self._moves:  # it was reloaded
            self._refresh_form()
        self._refresh_bars()

    def _refresh_bars(self) -> None:
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
        self._trial.changed()
        self._refresh_bars()

    def _refresh_form(self, *, anywhere: bool = False) -> None:
        """Check the config as it is now, and show it; all of it, if `anywhere` something may have changed."""
        if (form := self.form) is None:
            return
        self._moves = form.file.document.history.moves
        form.file.problems.arrange()
        stays = not anywhere and form.node.is_in(form.outline.root)
        form.show(form.node if stays else form.outline.root)

    def read_words(self) -> None:
        """A config has no words to suggest."""

    @on(FormLines.CursorMoved)
    def _line_selected(self) -> None:
        stop = self.form.stop if self.form is not None else None
        self.status.hint(stop.help if stop is not None else "")
        self._keys.update()

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Show the keys of the form or of the field."""
        self._keys.show_place("field" if getattr(self.focused, "PLACE", "") == "field" else "criteria")
        self._line_selected()
        # A config that changed on disk may have waited for the end of typing.
        self._follow_if_free()

    def say(self, text: str) -> None:
        """Show a message of the form."""
        self.status.say(text)
        self._keys.update()

    @on(FormPane.ValueOpened)
    def _value_opened(self, event: FormPane.ValueOpened) -> None:
        # As JSON; esc comes back.
        if self.form is not None:
            self.form.show(event.node)

    # --- keys ------------------------------------------------------------------------------------------------

    def title_of(self, command: Command) -> str:
        """The title of a command in the keys line; "" if it would do nothing now."""
        form, config = self.form, self._trial.opened
        if config is None or not self.does(command) or command.does in _OF_NO_USE:
            return ""
        if command.place in ("form", "field"):
            return "" if form is None else (form.commands if command.place == "form" else form.editor).title(command)
        history = config.document.history
        uses: dict[object, object] = {
            "criteria.write": self._trial.can_write,
            "criteria.drop": config.is_changed,
            "list.drop_draft": self._draft_here(),
            "undo": history.point() is not None,
            "redo": history.redo_point() is not None,
            "edit_outside": config.document.base is not None,
        }
        title = "score" if command.id == "run.again" else command.title
        return title if uses.get(command.does, True) else ""

    def on_key(self, event: events.Key) -> None:
        """Say that a key of the editor does nothing here, and hold the letters that are typed for what it opens."""
        self.refuse_key_of_editor(event, f"not in the criteria. Press {key_of('criteria.back')} to go back.")

    def does(self, command: Command) -> bool:
        """Whether a command acts here. Letters are left to the field that is edited."""
        if command.place == "criteria":
            return getattr(self.focused, "PLACE", "") != "field"
        return command.id not in _ELSEWHERE and super().does(command)

    def fix(self) -> None:
        """Fix the problem of the selected line."""
        form = self.form
        if form is not None and isinstance(form.stop, Field) and form.stop.help == ID_IN_SET:
            identifier = free_rubric_id(criterion_nodes(form.outline.root), self.file.problems.rubric_ids())
            self.reviser.apply(form.stop.write(identifier))
        elif form is None or form.problem is None or form.problem.fix is None:
            self.status.say("This line has nothing to fix.")
        else:
            self.reviser.apply(Revision(form.problem.fix.title, [*form.problem.fix.edits]))

    def quit(self) -> None:
        """Quit: this screen closes first, also while a field is edited."""
        if self.form is not None:
            self.form.editor.stop()
        self.dismiss("")
        self.file.leaving.leave()

    def back(self) -> None:
        """Go back from a value to the criteria, else to the previous screen. The trial stays."""
        if (form := self.form) is not None and form.node is not form.outline.root:
            form.show(form.outline.root)
            return
        if form is not None:
            form.editor.stop()
        self.dismiss("")

    # --- the trial as a whole ----------------------------------------------------------------------------------

    def write_config(self) -> None:
        """Write the tried criteria to the config at the second press, then score all cases."""
        if self._trial.has_drafts and not self.file.readonly:
            self.status.say(f"Not written: a field has a draft. {_keys_of_draft()}")
            return
        message, is_written = self._trial.write("criteria.write")
        if is_written:
            self._wait_for_scores(f"{message}. ")
        else:
            self.status.say(message)
        self._refresh_bars()

    def drop_trial(self) -> None:
        """Go back to the config as it is on disk."""
        if dropped := self._trial.drop():
            self._show_step(dropped)
        else:
            self.status.say(f"Only a draft to drop. {_keys_of_draft()}" if self._trial.has_drafts else NO_TRIAL)

    def drop_draft(self) -> None:
        """Drop the draft of the selected line."""
        place = self._draft_here()
        if self.form is None or place is None:
            self.status.say("No draft here.")
            return
        file = self.form.file
        if (change := file.drop_drafts([place], f"draft of {file.drafts.kept[place].where}")) is not None:
            self._show_step(with_full_stop(in_past_tense(change.label)))

    def _draft_here(self) -> DraftPlace | None:
        if (form := self.form) is None or form.stop is None:
            return None
        place = DraftPlace(form.node, form.stop.key)
        return place if place in form.file.drafts.kept else None

    def _show_step(self, message: str) -> None:
        """Show the config after a step that may have changed any part of it."""
        self._refresh_form(anywhere=True)
        if self.form is not None:
            self.form.editor.show_undone()
        self.status.say(message)
        self._refresh_bars()

    def step(self, way: Literal["undo", "redo"]) -> None:
        """Undo the last step of the trial, or redo the one undone last."""
        if (form := self.form) is None:
            return
        was_typing = self.is_typing
        form.write_typed()
        came_from, looks = form.node, form.looks()
        document = form.file.document
        change = document.undo() if way == "undo" else document.redo()
        if change is None:
            self.status.say(f"Nothing to {way}.")
            return
        self._trial.changed()
        self._show_step(f"{'Undone' if way == 'undo' else 'Redone'}: {with_full_stop(change.label)}")
        if was_typing and form.edited is None:
            # The next letters were meant for the text, and would be keys of the form now.
            self.app.opener_guard.hold("undo has left the text box")
        # An undone deletion can bring back a default, which has a line but no node.
        if form.node is came_from and form.go_to_only_difference(looks):
            return
        changed = (node for node in (*change.added, change.beside, *change.nodes) if node is not None)
        node = next((node for node in changed if node.is_in(form.outline.root)), None)
        if node is not None:
            values = (node, *(node.items if node.is_container else ()))
            form.go_to_place(next(filter(form.shows, values), node), "")

    def step_problem(self, step: int) -> None:
        """Go to the next or previous draft or problem of the config; wraps around."""
        if (form := self.form) is None:
            return
        form.editor.stop()
        problems = form.file.problems
        # Drafts come and go without a check.
        problems.choose(problems.least, problems.case)
        if not problems.rows:
            self.status.say("No problems in the criteria.")
            return
        self.app.opener_guard.forget()
        row = problems.next_row(0, step)
        problem = problems.rows[row]
        problems.gone_to = problem, row
        node, missing = problem.locate()
        if problem.draft is not None:
            form.show(problem.draft.node)
            form.lines.go_to(problem.draft.key)
        elif node is not None:
            form.show(form.outline.root)
            form.go_to_place(node, missing)
        mark = SEVERITY_MARKS[problem.severity][0]
        self.status.say(f"{row + 1:,} of {len(problems.rows):,}: {mark}{problem.message}")

    def save(self) -> None:
        """Say which key writes the criteria: the save key is for the eval set."""
        write = f"Press {key_of('criteria.write')} to write the criteria to {self._trial.called}."
        leads = f"A field has a draft. {_keys_of_draft()}" if self._trial.has_drafts else write
        self.status.say(f"^s does nothing here. {leads}")

    def run_again(self) -> None:
        """Read recordings and config again, and score all cases."""
        self._wait_for_scores("")
        self.file.scorer.score(anew=True)

    def edit_outside(self) -> None:
        """Open the config in the user's editor, then read it again."""
        from evaltui.tui.terminal.external_editor import EditorError, edit_file

        config = self._trial.opened
        path = config.document.path if config is not None else None
        if config is None or path is None or config.document.base is None:
            self.status.say("The config has no file yet. Change a criterion, then write the config.")
            return
        if config.is_changed:
            self.status.say("Write or drop the trial criteria first. $EDITOR opens the config on disk.")
            return
        try:
            with self.app.suspend():
                editor, status = edit_file(path)
        except SuspendNotSupported:
            self.status.say("$EDITOR cannot run in this terminal.")
        except (OSError, EditorError) as error:
            self.status.say(printable(f"The config was not opened in $EDITOR: {error}"))
        else:
            # The key has opened something, though not in this app.
            self.app.opener_guard.forget()
            self._wait_for_scores(f"{editor} ended with exit code {status}. " if status else "")
            self._trial.reopen()
            self.show_scores()


def _keys_of_draft() -> str:
    return f"Press {key_of('next_problem')} to go to it, then {key_of('list.drop_draft')} to drop it."

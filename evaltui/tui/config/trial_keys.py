"""Keys of the criteria screen about the trial as a whole: write, drop, undo, redo, $EDITOR, score again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from textual.app import SuspendNotSupported

from evaltui.document.document import Change
from evaltui.printable import printable
from evaltui.tui.commands import key_of
from evaltui.tui.lines import SEVERITY_MARKS
from evaltui.tui.messages import in_past_tense, with_full_stop
from evaltui.tui.open_file.criteria_trial import NO_TRIAL
from evaltui.tui.open_file.drafts import DraftPlace
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.panes.form_pane import FormPane
from evaltui.tui.panes.title_and_status import StatusBar

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile


class TrialHost(Protocol):
    """The part of the criteria screen that these keys use."""

    status: StatusBar
    form: FormPane | None

    def show_stepped(self, said: str) -> None:
        """Show the config after a step that may have changed any part of it."""

    def wait_for_scores(self, said: str) -> None:
        """Say that the cases are being scored, then the result."""

    def refresh_head(self) -> None:
        """Show whether there are unwritten changes."""

    def show_scores(self) -> None:
        """Show new scores; after a run, the config may have changed, too."""


class TrialKeys:
    """Changes the trial, and shows the result on the criteria screen."""

    def __init__(self, file: OpenFile, host: TrialHost) -> None:
        self._file, self._desk, self._host = file, file.trial, host
        self._asked_at = -1
        """The number of keys and clicks when the key to write was pressed first."""

    def write_config(self) -> None:
        """Write the tried criteria to the config at the second press, then score all cases."""
        desk, inputs = self._desk, self._file.app.input_order.inputs
        if desk.has_drafts and not self._file.readonly:
            self._host.status.say(f"Not written: a field has a draft. {self._to_draft()}")
        elif why := desk.why_not_written():
            self._host.status.say(why)
        elif inputs != self._asked_at + 1:
            self._asked_at = inputs
            self._host.status.say(f"Press {key_of('criteria.write')} again to write {desk.called}: {desk.said()}")
        else:
            said, is_done = desk.write()
            if is_done:
                self._host.wait_for_scores(f"{said}. ")
            else:
                self._host.status.say(said)
            self._host.refresh_head()

    def drop_trial(self) -> None:
        """Go back to the config as it is on disk."""
        if self._desk.drop():
            self._host.show_stepped(self._desk.said_dropped)
        else:
            self._host.status.say(f"Only a draft to drop. {self._to_draft()}" if self._desk.has_drafts else NO_TRIAL)

    @staticmethod
    def _to_draft() -> str:
        return f"Press {key_of('next_problem')} to go to it, then {key_of('list.drop_draft')} to drop it."

    def drop_draft(self) -> None:
        """Drop the draft of the selected line."""
        place, session = self.draft_here(), self._desk.form
        if place is None or session is None:
            self._host.status.say("No draft here.")
            return
        change = session.drop_drafts([place], f"draft of {session.drafts.kept[place].where}")
        if change is not None:
            self._host.show_stepped(with_full_stop(in_past_tense(change.label)))

    def draft_here(self) -> DraftPlace | None:
        """The draft of the selected line."""
        session, form = self._desk.form, self._host.form
        stop = form.stop if form is not None else None
        if session is None or form is None or stop is None:
            return None
        place = DraftPlace(form.node, stop.key)
        return place if place in session.drafts.kept else None

    def undo(self) -> None:
        """Undo the last step of the trial."""
        self._step(lambda session: session.document.undo(), "Undone", "Nothing to undo.")

    def redo(self) -> None:
        """Redo the step of the trial that was undone last."""
        self._step(lambda session: session.document.redo(), "Redone", "Nothing to redo.")

    def _step(self, step: Callable[[EditedDocument], Change | None], done: str, nothing: str) -> None:
        session, form = self._desk.form, self._host.form
        if session is None or form is None:
            return
        was_typing = form.edited is not None
        form.write_typed()
        came_from, looks = form.node, form.looks()
        change = step(session)
        if change is None:
            self._host.status.say(nothing)
            return
        self._desk.changed()
        self._host.show_stepped(f"{done}: {with_full_stop(change.label)}")
        if was_typing and form.edited is None:
            self._file.app.opener_guard.hold("undo has left the text box")
        if form.node is came_from and form.go_to_only_difference(looks):
            return
        changed = (each for each in (*change.added, change.beside, *change.nodes) if each is not None)
        node = next((each for each in changed if each.is_in(form.outline.root)), None)
        if node is not None:
            places = (node, *node.items) if node.is_container else (node,)
            shown = next((each for each in places if form.shows(each)), node)
            form.go_to_place(shown, "")

    def step_problem(self, step: int) -> None:
        """Go to the next or previous draft or problem of the config; wraps around."""
        session, form = self._desk.form, self._host.form
        if session is None or form is None:
            return
        form.editor.stop()
        problems = session.problems
        problems.choose(problems.least, problems.case)
        if not problems.rows:
            self._host.status.say("No problems in the criteria.")
            return
        self._file.app.opener_guard.forget()
        row = problems.next_row(0, step)
        problem = problems.rows[row]
        problems.gone_to = problem, row
        at, missing = problem.locate()
        if problem.draft is not None:
            form.show(problem.draft.node)
            form.lines.go_to(problem.draft.key)
        elif at is not None:
            form.show(form.outline.root)
            form.go_to_place(at, missing)
        mark = SEVERITY_MARKS[problem.severity][0]
        self._host.status.say(f"{row + 1:,} of {len(problems.rows):,}: {mark}{problem.message}")

    def save(self) -> None:
        """Say which key writes the criteria: the save key is for the eval set."""
        write = f"Press {key_of('criteria.write')} to write the criteria to {self._desk.called}."
        leads = f"A field has a draft. {self._to_draft()}" if self._desk.has_drafts else write
        self._host.status.say(f"^s does nothing here. {leads}")

    def run_again(self) -> None:
        """Read recordings and config again, and score all cases."""
        self._host.wait_for_scores("")
        self._file.scorer.score(anew=True)

    def edit_config(self) -> None:
        """Open the config in the user's editor, then read it again."""
        from evaltui.tui.terminal.external_editor import EditorError, edit_file

        config = self._desk.opened
        path = config.document.path if config is not None else None
        if config is None or path is None or config.document.base is None:
            self._host.status.say("The config has no file yet. Change a criterion, then write the config.")
            return
        if config.is_changed:
            self._host.status.say("Write or drop the trial criteria first. $EDITOR opens the config on disk.")
            return
        try:
            with self._file.app.suspend():
                editor, status = edit_file(path)
        except SuspendNotSupported:
            self._host.status.say("$EDITOR cannot run in this terminal.")
        except (OSError, EditorError) as error:
            self._host.status.say(printable(f"The config was not opened in $EDITOR: {error}"))
        else:
            self._file.app.opener_guard.forget()
            self._host.wait_for_scores(f"{editor} ended with exit code {status}. " if status else "")
            self._desk.reopen()
            self._host.show_scores()

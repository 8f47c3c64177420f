"""Handles requests of panes: revisions of the document, dropped drafts, and questions before a revision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from evaltui.document.document import Change
from evaltui.document.errors import DocumentError, DuplicateKeyError
from evaltui.document.node import Node
from evaltui.evalset.editing.revision import Revision
from evaltui.files.typed_paths import file_to_write
from evaltui.tui.editor.pane_layout import Panes
from evaltui.tui.editor.stage import Stage
from evaltui.tui.forms.form import Choice
from evaltui.tui.messages import in_past_tense, undo_said
from evaltui.tui.panes.requests import Ask, Choose, Decide, Revise
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.session.drafts import DraftPlace
from evaltui.tui.session.session import Session


class ShowChange(Protocol):
    """Shows a change of the document on screen."""

    def __call__(self, change: Change, *, goto_new: bool = False, begin: bool = False) -> None:
        """With `goto_new` the cursor goes to an added value; with `begin` typing starts there."""


class Reviser:
    """Applies revisions as undo steps."""

    def __init__(self, session: Session, status: StatusBar, show: ShowChange, is_typing: Callable[[], bool]) -> None:
        """`is_typing` tells whether a field is edited, where undo has another key."""
        self._session = session
        self._status = status
        self._show = show
        self._is_typing = is_typing
        self._repeated = ("", "")
        """The label of the last step and its message, which stays the same while a person types on."""

    def revise(self, event: Revise) -> str:
        """Apply the revision of a pane and show its change; returns why it failed, or ""."""
        status = self._status
        try:
            change = self._session.revise(event.revision, event.merge_key, event.instead_of)
        except DocumentError as error:
            status.say(reason := reason_of(error))
            return reason
        if change is None:
            status.say("")
            return ""
        if event.relabel is not None and event.revision.edits:
            change = self._session.document.relabel(change, event.relabel())
        if event.merge_key is None or (change.label, status.text) != self._repeated:
            remark = f" · {event.revision.remark}" if event.revision.remark else ""
            said = (event.said or f"{in_past_tense(change.label)}{remark}") if event.revision.edits else ""
            status.say(said, subject=event.merge_key)
            self._repeated = change.label, status.text
        self._show(change, goto_new=event.goto_new, begin=event.begin)
        if event.merge_key is None:
            status.beside(undo_said(is_typing=self._is_typing()))
        return ""

    def try_to(self, make: Callable[[], Revision], *, goto_new: bool = False) -> bool:
        """Apply the revision of `make`, or say why it failed. Returns whether it was applied."""
        try:
            revision = make()
        except DocumentError as error:
            self._status.say(str(error))
            return False
        return not self.revise(Revise(revision, goto_new=goto_new))


def reason_of(error: DocumentError) -> str:
    """A sentence about a failed edit, with the most important part first."""
    if isinstance(error, DuplicateKeyError):
        return f"{error.reason}: delete the duplicate in a text editor first"
    return str(error)


class DraftDrop:
    """Drops the drafts of the selected line, row or problem."""

    def __init__(self, session: Session, panes: Panes, show: ShowChange) -> None:
        self._session = session
        self._panes = panes
        self._show = show

    def drafts_here(self) -> list[DraftPlace]:
        """The drafts of the selected line or problem; in the tree, of the row and all rows below it."""
        drafts, panes = self._session.drafts, self._panes
        if not drafts.kept:
            return []
        if panes.current == "problems":
            problem = panes.problems.problem
            return [problem.draft] if problem is not None and problem.draft is not None else []
        if panes.current == "form":
            stop = panes.form.edited or panes.form.stop
            at = DraftPlace(panes.form.node, stop.key) if stop is not None else None
            return [at] if at is not None and at in drafts.kept else []
        return drafts.within(panes.tree.selected)

    def action_drop_draft(self) -> None:
        """Drop the current drafts as one step."""
        here = self.drafts_here()
        if not here:
            self._panes.status.say("No draft here.")
            return
        first = self._session.drafts.kept[here[0]]
        others = f" and {len(here) - 1} more" if len(here) > 1 else ""
        change = self._session.drop_drafts(here, f"draft of {first.where}{others}")
        assert change is not None
        self._panes.status.say(in_past_tense(change.label), undo_said())
        self._show(change)
        self._panes.form.show_undone()


class DialogRequests:
    """Shows the dialogs that panes ask for."""

    def __init__(
        self, session: Session, stage: Stage, status: StatusBar, reviser: Reviser, visit: Callable[[Node], object]
    ) -> None:
        """`visit` goes to the target of a choice."""
        self._session = session
        self._stage = stage
        self._status = status
        self._reviser = reviser
        self._visit = visit

    def ask(self, event: Ask) -> None:
        """Ask for a name, and apply the revision that it makes."""
        status = self._status
        if self._session.readonly:
            status.say(self._session.refusal)
            return

        from evaltui.tui.screens.name_dialog import NameDialog

        def answered(name: str | None) -> None:
            if name is None:
                if event.if_none:
                    status.say(event.if_none)
                return
            try:
                revision = event.then(name)
            except DocumentError as error:  # the file may be deleted since the dialog checked it
                status.say(str(error))
            else:
                self._reviser.revise(Revise(revision, goto_new=event.goto_new, begin=event.goto_new))

        dialog = NameDialog(event.question, event.text, event.then, event.suggestions, is_path=event.is_path)
        self._stage.ask(dialog, answered)

    def decide(self, event: Decide) -> None:
        """Ask whether an outdated draft goes on or is dropped."""
        from evaltui.tui.screens.questions import outdated_question

        drafts = self._session.drafts
        draft = drafts.kept.get(event.at)
        if draft is None:
            return
        label = f"drop draft of {draft.where}"

        def answered(answer: str | None) -> None:
            if answer == "draft":
                drafts.begin_again(event.at, event.now)
                event.go_on()
            elif answer == "drop":
                self._reviser.revise(Revise(Revision(label), instead_of=event.at))
                self._status.say(in_past_tense(label), undo_said())

        self._stage.ask(outdated_question(draft.where), answered)

    def choose(self, event: Choose) -> None:
        """Show the choices, and do the chosen one."""
        from evaltui.tui.screens.choice_dialog import ChoiceDialog

        field = event.field

        def chosen(answer: Choice | str | None) -> None:
            if isinstance(answer, Choice) and field is not None and answer.revise is None:
                self._reviser.revise(Revise(field.write(answer.label)))
            elif isinstance(answer, Choice):
                self._do(answer)
            elif answer is not None and field is not None:
                self._reviser.revise(Revise(field.write(answer)))

        text = field.text if field is not None else ""
        check = field.write if field is not None and not field.is_fixed else None
        self._stage.ask(ChoiceDialog(event.question, event.choices, text, check), chosen)

    def _do(self, choice: Choice) -> None:
        """Do a choice."""
        try:
            if choice.revise is not None:
                self._reviser.revise(Revise(choice.revise(), goto_new=True, begin=True))
        except DocumentError as error:
            self._status.say(str(error))
        if choice.write is not None:
            self.ask(Ask(choice.question, choice.suggestion, choice.write, goto_new=True, is_path=choice.is_path))
        if choice.export is not None:
            self._export(choice)
        if choice.target is not None:
            self._visit(choice.target)

    def _export(self, choice: Choice) -> None:
        from evaltui.tui.screens.name_dialog import NameDialog

        export, said = choice.export, ""
        assert export is not None

        def write(path: str) -> None:
            nonlocal said
            said = export(file_to_write(path))

        def written(path: str | None) -> None:
            if path is not None:
                self._status.say(said)

        self._stage.ask(NameDialog(choice.question, choice.suggestion, write, is_path=True), written)

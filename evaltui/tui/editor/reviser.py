"""Handles requests of panes: revisions of the document, dropped drafts, and questions before a revision."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError, DuplicateKeyError
from evaltui.evalset.editing.revision import Revision
from evaltui.files.typed_paths import file_to_write
from evaltui.tui.forms.form import Choice
from evaltui.tui.messages import in_past_tense, undo_said
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.panes.requests import Ask, Choose, Decide, Revise
from evaltui.tui.panes.title_and_status import StatusBar

if TYPE_CHECKING:
    from evaltui.tui.config.config_screen import ConfigScreen
    from evaltui.tui.editor.edit_screen import EditScreen


class Reviser:
    """Applies revisions as undo steps, and asks the questions before them."""

    def __init__(self, edited: EditedDocument, screen: EditScreen | ConfigScreen) -> None:
        """`edited` is the document that changes: the set, or the config of the criteria."""
        self._edited, self._screen = edited, screen
        self._repeated = ("", "")
        """The label of the last step and its message, which stays the same while a person types on."""

    @property
    def _status(self) -> StatusBar:
        return self._screen.status

    def revise(self, event: Revise) -> str:
        """Apply the revision of a pane and show its change; returns why it failed, or ""."""
        status = self._status
        try:
            change = self._edited.apply(event.revision, event.merge_key, event.instead_of)
        except DocumentError as error:
            status.say(reason := reason_of(error))
            return reason
        if change is None:
            status.say("")
            return ""
        if event.relabel is not None and event.revision.edits:
            change = self._edited.document.relabel(change, event.relabel())
        if event.merge_key is None or (change.label, status.text) != self._repeated:
            remark = f" · {event.revision.remark}" if event.revision.remark else ""
            message = (event.said or f"{in_past_tense(change.label)}{remark}") if event.revision.edits else ""
            status.say(message, subject=event.merge_key)  # before the change is shown: the display may add to it
            self._repeated = change.label, status.text
        self._screen.apply_change(change, goto_new=event.goto_new, begin=event.begin)
        if event.merge_key is None:
            status.beside(undo_said(is_typing=self._screen.is_typing))
        return ""

    def try_to(self, make: Callable[[], Revision], *, goto_new: bool = False) -> bool:
        """Apply the revision of `make`, or say why it failed. Returns whether it was applied."""
        try:
            revision = make()
        except DocumentError as error:
            self._status.say(str(error))
            return False
        return not self.revise(Revise(revision, goto_new=goto_new))

    # --- questions -----------------------------------------------------------------------------------------

    def ask(self, event: Ask) -> None:
        """Ask for a name, and apply the revision that it makes."""
        status = self._status
        if self._edited.readonly:
            status.say(self._edited.refusal)
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
                self.revise(Revise(revision, goto_new=event.goto_new, begin=event.goto_new))

        dialog = NameDialog(event.question, event.text, event.then, event.suggestions, is_path=event.is_path)
        self._screen.app.push_screen(dialog, answered)

    def decide(self, event: Decide) -> None:
        """Ask whether an outdated draft goes on or is dropped."""
        from evaltui.tui.screens.questions import outdated_question

        drafts = self._edited.drafts
        draft = drafts.kept.get(event.at)
        if draft is None:
            return
        label = f"drop draft of {draft.where}"

        def answered(answer: str | None) -> None:
            if answer == "draft":
                drafts.begin_again(event.at, event.now)
                event.go_on()
            elif answer == "drop":
                self.revise(Revise(Revision(label), instead_of=event.at))
                self._status.say(in_past_tense(label), undo_said())

        self._screen.app.push_screen(outdated_question(draft.where), answered)

    def choose(self, event: Choose) -> None:
        """Show the choices, and do the chosen one."""
        from evaltui.tui.screens.choice_dialog import ChoiceDialog

        field = event.field

        def chosen(answer: Choice | str | None) -> None:
            if isinstance(answer, Choice) and field is not None and answer.revise is None:
                self.revise(Revise(field.write(answer.label)))
            elif isinstance(answer, Choice):
                self._do(answer)
            elif answer is not None and field is not None:
                self.revise(Revise(field.write(answer)))

        text = field.text if field is not None else ""
        check = field.write if field is not None and not field.is_fixed else None
        self._screen.app.push_screen(ChoiceDialog(event.question, event.choices, text, check), chosen)

    def _do(self, choice: Choice) -> None:
        """Do a choice."""
        try:
            if choice.revise is not None:
                self.revise(Revise(choice.revise(), goto_new=True, begin=True))
        except DocumentError as error:
            self._status.say(str(error))
        if choice.write is not None:
            self.ask(Ask(choice.question, choice.suggestion, choice.write, goto_new=True, is_path=choice.is_path))
        if choice.export is not None:
            self._export(choice)
        if choice.target is not None:
            self._screen.visit(choice.target)

    def _export(self, choice: Choice) -> None:
        from evaltui.tui.screens.name_dialog import NameDialog

        export, message = choice.export, ""
        assert export is not None

        def write(path: str) -> None:
            nonlocal message
            message = export(file_to_write(path))

        def written(path: str | None) -> None:
            if path is not None:
                self._status.say(message)

        self._screen.app.push_screen(NameDialog(choice.question, choice.suggestion, write, is_path=True), written)


def reason_of(error: DocumentError) -> str:
    """A sentence about a failed edit, with the most important part first."""
    if isinstance(error, DuplicateKeyError):
        return f"{error.reason}: delete the duplicate in a text editor first"
    return str(error)

"""Questions that panes ask: a name, or one of several choices; and doing what was answered."""

from __future__ import annotations

from collections.abc import Callable

from evaltui.document.errors import DocumentError
from evaltui.files.typed_paths import file_to_write
from evaltui.tui.editor.open_file import OpenFile
from evaltui.tui.editor.panes import Panes
from evaltui.tui.editor.reviser import Reviser
from evaltui.tui.forms.form import Choice
from evaltui.tui.panes.requests import Ask, Choose, Revise, Visit
from evaltui.tui.session.session import READ_ONLY


class DialogRequests:
    """Shows the dialogs that panes ask for."""

    def __init__(self, file: OpenFile, panes: Panes, reviser: Reviser, visit: Callable[[Visit], object]) -> None:
        """`visit` goes to the value that a choice stands for."""
        self._session = file.session
        self._stage = file.stage
        self._panes = panes
        self._reviser = reviser
        self._visit = visit

    def ask(self, event: Ask) -> None:
        """Ask for a name, and do the revision that is made of it."""
        status = self._panes.status
        if self._session.readonly:
            status.say(READ_ONLY)
            return

        from evaltui.tui.screens.name_dialog import NameDialog

        def answered(name: str | None) -> None:
            if name is None:
                if event.if_none:
                    status.say(event.if_none)
                return
            try:
                revision = event.then(name)
            except DocumentError as error:  # a file may be gone since the dialog looked at it
                status.say(str(error))
            else:
                self._reviser.revise(Revise(revision, goto_new=event.goto_new, begin=event.goto_new))

        dialog = NameDialog(event.question, event.text, event.then, event.suggestions, is_path=event.is_path)
        self._stage.ask(dialog, answered)

    def choose(self, event: Choose) -> None:
        """Show the choices, and do what the chosen one stands for."""
        from evaltui.tui.screens.choice_dialog import ChoiceDialog

        field = event.field

        def chosen(answer: Choice | str | None) -> None:
            if isinstance(answer, Choice):
                self._do(answer)
            elif answer is not None and field is not None:
                self._reviser.revise(Revise(field.write(answer)))

        text, check = (field.text, field.write) if field is not None else ("", None)
        self._stage.ask(ChoiceDialog(event.question, event.choices, text, check), chosen)

    def _do(self, choice: Choice) -> None:
        """Do what a choice stands for."""
        try:
            if choice.revise is not None:
                self._reviser.revise(Revise(choice.revise(), goto_new=True, begin=True))
        except DocumentError as error:
            self._panes.status.say(str(error))
        if choice.write is not None:
            self.ask(Ask(choice.question, choice.suggestion, choice.write, goto_new=True, is_path=choice.is_path))
        if choice.export is not None:
            self._export(choice)
        if choice.target is not None:
            self._visit(Visit(choice.target))

    def _export(self, choice: Choice) -> None:
        from evaltui.tui.screens.name_dialog import NameDialog

        export, said = choice.export, ""
        assert export is not None

        def write(path: str) -> None:
            nonlocal said
            said = export(file_to_write(path))

        def written(path: str | None) -> None:
            if path is not None:
                self._panes.status.say(said)

        self._stage.ask(NameDialog(choice.question, choice.suggestion, write, is_path=True), written)

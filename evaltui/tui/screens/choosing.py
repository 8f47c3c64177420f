"""Choosing among things to do, and doing what was chosen."""

from __future__ import annotations

from textual import on

from evaltui.document import DocumentError
from evaltui.files.typed_paths import file_to_write
from evaltui.tui.forms.form import Choice
from evaltui.tui.panes.requests import Ask, Choose, Revise, Visit
from evaltui.tui.screens.panes_screen import PanesScreen


class Choosing(PanesScreen):
    """The part of the edit screen that asks what to do."""

    @on(Choose)
    def _choose(self, event: Choose) -> None:
        from evaltui.tui.screens.choice_dialog import ChoiceDialog

        field = event.field

        def chosen(answer: Choice | str | None) -> None:
            if isinstance(answer, Choice):
                self.do(answer)
            elif answer is not None and field is not None:
                self.revise(Revise(field.write(answer)))

        text, check = (field.text, field.write) if field is not None else ("", None)
        self.app.push_screen(ChoiceDialog(event.question, event.choices, text, check), chosen)

    def do(self, choice: Choice) -> None:
        """Do what a choice stands for."""
        try:
            if choice.revise is not None:
                self.revise(Revise(choice.revise(), goto_new=True, begin=True))
        except DocumentError as error:
            self.status.say(str(error))
        if choice.write is not None:
            self.post_message(
                Ask(choice.question, choice.suggestion, choice.write, goto_new=True, is_path=choice.is_path)
            )
        if choice.export is not None:
            self._export(choice)
        if choice.target is not None:
            self.post_message(Visit(choice.target))

    def _export(self, choice: Choice) -> None:
        from evaltui.tui.screens.name_dialog import NameDialog

        export, said = choice.export, ""
        assert export is not None

        def write(path: str) -> None:
            nonlocal said
            said = export(file_to_write(path))

        def written(path: str | None) -> None:
            if path is not None:
                self.status.say(said)

        self.app.push_screen(NameDialog(choice.question, choice.suggestion, write, is_path=True), written)

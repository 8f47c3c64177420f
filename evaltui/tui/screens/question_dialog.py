"""The dialog that asks a question: a sentence, and a button for each answer, named by its key."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Button, Static

from evaltui.tui.commands import Command, bindings, commands_at, key_name
from evaltui.tui.textual_compat import add_bindings


class QuestionDialog(ModalScreen[str]):
    """Returns the answer: the argument of `answer` in the command that was chosen."""

    def __init__(
        self,
        place: str,
        question: str | Content,
        *,
        details: Sequence[Content] = (),
        without: Collection[str] = (),
        title_of: Callable[[Command], str] = lambda command: command.title,
        unsaved: Callable[[], Screen[None]] | None = None,
    ) -> None:
        """The answers are the commands at `place`, except those whose id is in `without`.

        `question` is safe to show; `details` are lines that scroll below it. `title_of` gives the words of a button.
        `unsaved` makes the screen for the answer that shows unsaved changes.
        """
        super().__init__()
        self.PLACE = place
        self._question, self._details = Content(question) if isinstance(question, str) else question, details
        self._answers = [command for command in commands_at(place) if command.id not in without]
        self._title_of, self._unsaved = title_of, unsaved
        offered = {command.id for command in self._answers}
        add_bindings(self, [each for each in bindings(place) if isinstance(each, Binding) and each.id in offered])

    def compose(self) -> ComposeResult:
        """The question, its details and the answers."""
        with Vertical(classes="dialog help" if self._details else "dialog"):
            yield Static(self._question, markup=False)
            if self._details:
                with VerticalScroll(id="details"):
                    for line in self._details:
                        yield Static(line, markup=False)
            for command in self._answers:
                label = f"{key_name(command.keys.split(',')[0])}  {self._title_of(command)}"
                yield Button(Content(label), action=f"screen.{command.action}", compact=True)

    def action_answer(self, answer: str) -> None:
        """Close with an answer."""
        self.dismiss(answer)

    def action_show_unsaved(self) -> None:
        """Show the unsaved changes in front of the question."""
        if self._unsaved is not None:
            self.app.push_screen(self._unsaved())

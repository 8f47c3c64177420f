"""Lets the person choose one of some things, or type another."""

from __future__ import annotations

from collections.abc import Callable

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from evaltui.document import DocumentError
from evaltui.printable import printable
from evaltui.tui.forms.form import Choice


class ChoiceDialog(ModalScreen["Choice | str | None"]):
    """Gives the choice, a text that is none of them where `check` is given, or None."""

    BINDINGS = [
        Binding("escape", "cancel", "cancel", show=False),
        Binding("down,ctrl+n", "move(1)", "down", show=False, priority=True),
        Binding("up,ctrl+p", "move(-1)", "up", show=False, priority=True),
    ]

    def __init__(
        self, question: str, choices: tuple[Choice, ...], text: str = "", check: Callable[[str], object] | None = None
    ) -> None:
        """`check` takes a text of the person's own and raises `DocumentError` for one that will not do."""
        super().__init__()
        self._question = question
        self._choices = choices
        self._text = text
        self._check = check
        self._found: list[Choice] = list(choices)

    def compose(self) -> ComposeResult:
        """The question, a field, and what it finds."""
        free = "" if self._check is None else " or type another"
        with Vertical(classes="dialog"):
            yield Static(Content(f"{printable(self._question)} (↑ ↓ choose{free}, enter: done, esc: cancel)"))
            yield Input(self._text, compact=True, select_on_focus=True)
            yield OptionList(*map(_option, self._choices), compact=True, markup=False)
            yield Static(id="objection", markup=False)

    def on_mount(self) -> None:
        """Letters go into the field, the list keeps its cursor."""
        self._options.can_focus = False
        current = [n for n, choice in enumerate(self._choices) if choice.label == self._text]
        self._options.highlighted = current[0] if current else None if self._check else 0

    @property
    def _options(self) -> OptionList:
        return self.query_one(OptionList)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        if event.value == self._text:
            return
        wanted = event.value.casefold()
        self._found = [choice for choice in self._choices if wanted in choice.label.casefold()]
        self._options.clear_options()
        self._options.add_options(map(_option, self._found))
        self._options.highlighted = 0 if self._found and (self._check is None) else None

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        at = self._options.highlighted
        if not self.is_current:
            return
        if at is not None and at < len(self._found):
            self.dismiss(self._found[at])
        elif self._check is None:
            self._object("No such thing here.")
        else:
            try:
                self._check(event.value)
            except DocumentError as error:
                self._object(str(error))
            else:
                self.dismiss(event.value)

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._found[event.option_index])

    def _object(self, why: str) -> None:
        self.query_one("#objection", Static).update(Content(printable(why)))

    def action_move(self, step: int) -> None:
        """Go to the next or previous choice."""
        if step > 0:
            self._options.action_cursor_down()
        else:
            self._options.action_cursor_up()

    def action_cancel(self) -> None:
        """Close without a choice."""
        self.dismiss(None)


def _option(choice: Choice) -> Option:
    label = Content(printable(choice.label))
    return Option(label + Content.styled(f"  {printable(choice.remark)}", "dim") if choice.remark else label)

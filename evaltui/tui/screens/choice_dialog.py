"""A dialog to choose one of several things, or to type another."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import getters, on
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from evaltui.document.errors import DocumentError
from evaltui.printable import printable
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.forms.form import Choice
from evaltui.tui.screens.choice_list import ChoiceList
from evaltui.tui.screens.questions import Objection, Question
from evaltui.tui.widgets.line_input import LineInput

if TYPE_CHECKING:
    from evaltui.tui.base_app import BaseApp

_NONE = "no choice matches; only the choices of this list can be taken"


class ChoiceDialog(ModalScreen["Choice | str | None"]):
    """Returns the choice, with `check` also a typed text, or None if cancelled.

    One choice is always selected, and enter takes it. A valid typed text that differs from all choices is the last
    line of the list.
    """

    PLACE = "choice"
    BINDINGS = bindings("choice")

    choices = getters.query_one(ChoiceList)

    def __init__(
        self, question: str, choices: tuple[Choice, ...], text: str = "", check: Callable[[str], object] | None = None
    ) -> None:
        """`check` allows typed texts; it raises `DocumentError` for an invalid one."""
        super().__init__()
        self._question = question
        self._choices = choices
        self._text = printable(text)
        self._check = check
        self._offered: str | None = None
        """The text whose matches are listed."""
        self._as_typed: Choice | None = None
        """The line of the typed text."""

    def compose(self) -> ComposeResult:
        """The question, a text box, and the matching choices."""
        free = "one of these" if self._check is None else "or type another"
        with Vertical(classes="dialog"):
            keys = f"↑ ↓ choose {free}, {key_of('choice.take')}: done, {key_of('choice.cancel')}: cancel"
            yield Question(Content(f"{printable(self._question)} ({keys})"))
            yield LineInput(self._text, select_on_focus=True)
            yield ChoiceList(self._choices)
            yield Static(id="more", markup=False)
            yield Objection()

    def on_mount(self) -> None:
        """List all choices; the current value is selected, else the first choice."""
        self._offer(self._text)
        self.watch(self.choices, "scroll_y", self._say_more, init=False)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._offer(event.value)

    def _offer(self, text: str) -> None:
        """List the choices that match a text, and the text itself if it can be taken."""
        if text == self._offered:
            return
        wanted = text.casefold() if text != self._text else ""
        found = [choice for choice in self._choices if wanted in choice.label.casefold()]
        same = next((n for n, choice in enumerate(found) if choice.label == text), None)
        why = self._take_as_typed(text, is_needed=same is None)
        if self._as_typed is not None:
            same = len(found) if text == self._text else None
            found.append(self._as_typed)
        self._offered = text
        self.choices.show(found, same or 0)
        self._object("" if found else why)
        self.call_after_refresh(self._say_more)

    def _take_as_typed(self, text: str, *, is_needed: bool) -> str:
        """Make a choice of the typed text if no other has it; else return why it cannot be taken."""
        self._as_typed = None
        if self._check is None or not text or not is_needed:
            return _NONE
        try:
            self._check(text)
        except DocumentError as error:
            return str(error)
        self._as_typed = Choice(text, "as typed" if text != self._text else "current value")
        return ""

    @on(ChoiceList.ChoicesResized)
    def _say_more(self) -> None:
        """Say how many choices are out of sight; each takes one line."""
        above = round(self.choices.scroll_y)
        below = max(0, self.choices.line_count() - above - self.choices.scrollable_content_region.height)
        said = [f"{count} more {where}" for count, where in ((above, "above"), (below, "below")) if count]
        self._show("#more", Content.styled(" · ".join(said), "dim"))

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.take()

    def _take(self, choice: Choice) -> None:
        if not self.is_current:  # a second click can come before the dialog has closed
            return
        if choice is not self._as_typed:
            self.dismiss(choice)
        else:
            self.dismiss(choice.label if choice.label != self._text else None)

    @on(ChoiceList.Clicked)
    def _clicked(self, event: ChoiceList.Clicked) -> None:
        self._take(event.choice)

    def _object(self, why: str) -> None:
        self.query_one(Objection).say(why)

    def _show(self, selector: str, said: Content) -> None:
        """Show a message below the choices; an empty one takes no line."""
        line = self.query_one(selector, Static)
        line.update(said)
        line.display = bool(said.plain)

    def go_to_end(self, step: int) -> None:
        """Go to the first or last choice. If a typed text can be the answer, leave the key to the text box."""
        if self._check is not None:
            raise SkipAction
        self.choices.move_end(step)

    def take(self) -> None:
        """Close with the selected choice; without one, stay."""
        self._offer(self.query_one(LineInput).value)  # the message about the last letter may still be on its way
        if (choice := self.choices.selected) is not None:
            self._take(choice)

    def cancel(self) -> None:
        """Close without a choice."""
        self.dismiss(None)


class ThemeDialog(ChoiceDialog):
    """A list of themes with a preview: the screen behind it shows the selected theme.

    Returns the chosen theme, or None if the dialog is cancelled; the caller then restores the earlier theme.
    """

    if TYPE_CHECKING:  # the app imports this module for its themes
        app = getters.app(BaseApp)

    @on(ChoiceList.ChoiceSelected)
    def _show_theme(self, event: ChoiceList.ChoiceSelected) -> None:
        event.stop()
        name = self.app.theme_of(event.choice.label)
        if name != self.app.theme:
            self.app.theme = name

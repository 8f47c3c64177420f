"""A dialog to choose one of several things, or to type another."""

from __future__ import annotations

from collections.abc import Callable

from textual import getters, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from evaltui.document.errors import DocumentError
from evaltui.printable import printable
from evaltui.tui.base_app import BaseApp
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.forms.form import Choice
from evaltui.tui.screens.choice_list import ChoiceList
from evaltui.tui.widgets.line_input import LineInput
from evaltui.tui.widgets.objection import Objection

_NONE = "no choice matches"


class ChoiceDialog(ModalScreen["Choice | str | None"]):
    """Returns the choice, with `check` also a typed text, or None if cancelled."""

    PLACE = "choice"
    BINDINGS = bindings("choice")

    _list = getters.query_one(ChoiceList)

    def __init__(
        self, question: str, choices: tuple[Choice, ...], text: str = "", check: Callable[[str], object] | None = None
    ) -> None:
        """`check` allows typed texts; it raises `DocumentError` for an invalid one."""
        super().__init__()
        self._question = question
        self._choices = choices
        self._text = printable(text)
        self._check = check

    def compose(self) -> ComposeResult:
        """The question, a text box, and the matching choices."""
        free = "" if self._check is None else " or type another"
        with Vertical(classes="dialog"):
            keys = f"↑ ↓ choose{free}, {key_of('choice.take')}: done, {key_of('choice.cancel')}: cancel"
            yield Static(Content(f"{printable(self._question)} ({keys})"))
            yield LineInput(self._text, select_on_focus=True)
            yield ChoiceList(self._choices)
            yield Static(id="more", markup=False)
            yield Objection()

    def on_mount(self) -> None:
        """Select the current choice, else the first one unless a text can be typed."""
        current = [n for n, choice in enumerate(self._choices) if choice.label == self._text]
        if current or self._check is None:
            self._list.move_to(current[0] if current else 0)
        self.watch(self._list, "scroll_y", self._say_more, init=False)
        self.call_after_refresh(self._list.show_cursor)
        self.call_after_refresh(self._say_more)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        if event.value == self._text:
            return
        wanted = event.value.casefold()
        found = [choice for choice in self._choices if wanted in choice.label.casefold()]
        self._list.show(found, selects_first=self._check is None)
        self._object("" if found or self._check is not None else _NONE)
        self.call_after_refresh(self._say_more)

    def _say_more(self) -> None:
        """Say how many choices are out of sight; each takes one line."""
        above = round(self._list.scroll_y)
        below = max(0, self._list.line_count() - above - self._list.scrollable_content_region.height)
        said = [f"{count} more {where}" for count, where in ((above, "above"), (below, "below")) if count]
        self._show("#more", Content.styled(" · ".join(said), "dim"))

    def on_resize(self) -> None:
        """Count the visible choices again."""
        self.call_after_refresh(self._say_more)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        self._take(event.value)

    def _take(self, text: str) -> None:
        if not self.is_current:
            return
        if (choice := self._list.selected) is not None:
            self.dismiss(choice)
        elif text == self._text and self._check is not None:
            self.dismiss(None)
        elif self._check is None:
            self._object(_NONE)
        else:
            try:
                self._check(text)
            except DocumentError as error:
                self._object(str(error))
            else:
                self.dismiss(text)

    @on(ChoiceList.Clicked)
    def _clicked(self, event: ChoiceList.Clicked) -> None:
        if self.is_current:  # a second click can come before the dialog has closed
            self.dismiss(event.choice)

    def _object(self, why: str) -> None:
        self.query_one(Objection).say(why)

    def _show(self, selector: str, said: Content) -> None:
        """Show a message below the choices; an empty one takes no line."""
        line = self.query_one(selector, Static)
        line.update(said)
        line.display = bool(said.plain)

    def action_move(self, step: int) -> None:
        """Go to the next or previous choice."""
        self._list.action_move(step)

    def action_page(self, step: int) -> None:
        """Go a page down or up."""
        self._list.action_move_page(step)

    def action_end(self, step: int) -> None:
        """Go to the first or last choice."""
        self._list.action_move_end(step)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave home and end to the text box if a typed text can be the answer."""
        return action != "end" or self._check is None

    def action_take(self) -> None:
        """Close with the selected choice or the typed text."""
        self._take(self.query_one(LineInput).value)

    def action_cancel(self) -> None:
        """Close without a choice."""
        self.dismiss(None)


class ThemeDialog(ChoiceDialog):
    """A list of themes with a preview: the screen behind it shows the selected theme.

    Returns the chosen theme, or None if the dialog is cancelled; the caller then restores the earlier theme.
    """

    app = getters.app(BaseApp)

    @on(ChoiceList.ChoiceSelected)
    def _show_theme(self, event: ChoiceList.ChoiceSelected) -> None:
        event.stop()
        name = self.app.theme_of(event.choice.label)
        if name != self.app.theme:
            self.app.theme = name

"""All keys, made from the registry of commands."""

from __future__ import annotations

from textwrap import wrap

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from evaltui.tui.commands import PLACES, bindings, commands_at, key_name, key_of, places_beside

_WIDTH = 92
_COLUMN = 18
"""Cells for the keys."""


class HelpScreen(ModalScreen[None]):
    """A scrolling page of keys."""

    PLACE = "dialog"
    BINDINGS = bindings("dialog")

    def __init__(self, place: str) -> None:
        """`place` is where the person is; its keys come first."""
        super().__init__()
        self._place = place

    def compose(self) -> ComposeResult:
        """One section a place."""
        with VerticalScroll(classes="dialog help") as page:
            page.border_title = "Keys"
            page.border_subtitle = f"↑ ↓ scroll · {key_of('dialog.close')} closes"
            yield Static(help_content(self._place, min(_WIDTH, self.app.size.width * 9 // 10) - 7), markup=False)

    def action_close(self) -> None:
        """Back to where one was."""
        self.dismiss()


def help_content(place: str, width: int) -> Content:
    """The keys of all places with what they do, in lines of up to `width` cells.

    Those of `place` come first, then those that act beside them.
    """
    parts: list[Content] = []
    order = [place, *places_beside(place)]
    for at in sorted(PLACES, key=lambda at: order.index(at) if at in order else len(order)):
        parts.append(Content.styled(f"{PLACES[at]}\n", "bold $text-accent"))
        for command in commands_at(at):
            names = " ".join(key_name(key) for key in command.keys.split(","))
            first, *rest = wrap(command.help, max(20, width - _COLUMN)) or [""]
            parts.append(Content.assemble(f"  {names:<{_COLUMN - 3}} ", (f"{first}\n", "dim")))
            parts += [Content.styled(f"{' ' * _COLUMN}{line}\n", "dim") for line in rest]
        parts.append(Content("\n"))
    return Content.assemble(*parts)

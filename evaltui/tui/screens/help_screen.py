"""All keys, made from the registry of commands."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from evaltui.tui.commands import PLACES, bindings, commands_at, key_name


class HelpScreen(ModalScreen[None]):
    """A scrolling page of keys."""

    BINDINGS = bindings("dialog")

    def compose(self) -> ComposeResult:
        """One section a place."""
        with VerticalScroll(classes="dialog help"):
            yield Static(help_content(), markup=False)

    def action_close(self) -> None:
        """Back to where one was."""
        self.dismiss()


def help_content() -> Content:
    """The keys of all places with what they do."""
    parts: list[Content] = []
    for place, heading in PLACES.items():
        parts.append(Content.styled(f"{heading}\n", "bold $accent"))
        for command in commands_at(place):
            names = " ".join(key_name(key) for key in command.keys.split(","))
            parts.append(Content.assemble(f"  {names:<14} ", (f"{command.help}\n", "dim")))
        parts.append(Content("\n"))
    return Content.assemble(*parts)

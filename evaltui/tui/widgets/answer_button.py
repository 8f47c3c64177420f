"""Button of a dialog that names a key and does the same as the key."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Button

from evaltui.tui.commands import Command, key_name


def answer_button(command: Command, title: str = "") -> Button:
    """A button with the first key of `command` and its title, or another title."""
    label = f"{key_name(command.keys.split(',')[0])}  {title or command.title}"
    return Button(Content(label), action=f"screen.{command.action}", compact=True)

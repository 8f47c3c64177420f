"""Keeps keys from editing or accepting where the terminal has no room for the selected row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events

from evaltui.tui.commands import CHANGING, commands_of, is_harmless
from evaltui.tui.opener_guard import is_letter
from evaltui.tui.widgets.line_view import has_room

if TYPE_CHECKING:
    from evaltui.tui.base_app import BaseApp

_LEAVING = frozenset({"back", "quit", "leave", "close"})
"""Ends of ids of commands that lead elsewhere."""
_ACTING = frozenset({"enter", "delete", "backspace"})


def is_refused(app: BaseApp, event: events.Event) -> bool:
    """Whether a key or paste would act on a row that has no room on the screen."""
    if not isinstance(event, (events.Key, events.Paste)) or event.is_forwarded or has_room(app.screen):
        return False
    if isinstance(event, events.Paste):
        return True
    key, place = event.key, app.place_of(app.screen)
    commands = commands_of(key, place)
    if any(command.id in CHANGING and command.id != "save" for command in commands):
        return True
    leads_elsewhere = is_harmless(key, place) or any(command.id.rpartition(".")[2] in _LEAVING for command in commands)
    return (is_letter(key) or key in _ACTING) and (place == "field" or not leads_elsewhere)

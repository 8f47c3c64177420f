"""Keeps keys from editing or accepting where the terminal has no room for the selected row."""

from __future__ import annotations

from typing import Any

from textual import events
from textual.errors import NoWidget
from textual.screen import Screen

from evaltui.tui.commands import CHANGING
from evaltui.tui.opener_guard import Screens, commands_of, is_harmless, is_letter
from evaltui.tui.widgets.line_view import LineList

TOO_SMALL = "Terminal too small"
"""Fits into 20 columns."""
_LEAVING = frozenset({"back", "quit", "leave", "close"})
"""Ends of ids of commands that lead elsewhere."""
_ACTING = frozenset({"enter", "delete", "backspace"})


def has_room(screen: Screen[Any]) -> bool:
    """Whether the focused pane or text box shows at least one row."""
    focused = screen.focused
    has_row = focused.line_count() > 0 if isinstance(focused, LineList) else getattr(focused, "PLACE", "") == "field"
    if focused is None or not has_row:
        return True
    try:
        seen = screen.find_widget(focused).visible_region
    except NoWidget:  # not laid out yet
        return True
    return min(seen.height - focused.gutter.top, focused.scrollable_content_region.height) > 0


def is_refused(app: Screens, event: events.Event) -> bool:
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

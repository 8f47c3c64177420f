"""Whether the terminal has room for a row of the pane in which keys act."""

from __future__ import annotations

from typing import Any

from textual.errors import NoWidget
from textual.screen import Screen

from evaltui.tui.widgets.line_view import LineList

TOO_SMALL = "Terminal too small"
"""Fits into 20 columns."""


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

"""Keys and clicks in the order in which they came, also where a script or a slow line delivers them in one burst."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from textual import events
from textual.app import App, ReturnType
from textual.widget import Widget

_PATIENCE = 0.5
"""Seconds; a widget that takes longer does not hold up what follows."""


class InputInOrder(App[ReturnType]):
    """An app in which a key after a click goes to what the click has chosen, and a click sees what was typed before.

    Textual puts a key into the queue of the focused widget and a click into that of the one under the mouse, and
    each works off its own.
    """

    _by_mouse = False

    async def on_event(self, event: events.Event) -> None:
        """Between keys and the mouse, let the widgets finish what they were given."""
        is_input = isinstance(event, (events.InputEvent, events.Paste)) and not isinstance(event, events.MouseMove)
        if is_input and not event.is_forwarded:
            by_mouse = isinstance(event, events.MouseEvent)
            if by_mouse != self._by_mouse:
                self._by_mouse = by_mouse
                for widget in (self.focused, self._mouse_down_widget):
                    await self._finished(widget)
        await super().on_event(event)

    async def _finished(self, widget: Widget | None) -> None:
        """Wait until a widget, and then each around it, has worked off its queue: messages go from one to the next."""
        around: list[Any] = list(widget.ancestors_with_self) if widget is not None else []
        for at in around:
            done = asyncio.Event()
            if at is not self and at.is_running and at.call_later(done.set):
                with suppress(TimeoutError):
                    await asyncio.wait_for(done.wait(), _PATIENCE)

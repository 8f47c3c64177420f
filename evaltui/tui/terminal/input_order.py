"""Keys and clicks in the order in which they came, also where a script or a slow line delivers them in one burst."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from textual import events
from textual.app import App
from textual.errors import NoWidget
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.worker import Worker, WorkerError

from evaltui.tui.textual_compat import is_closed, move_mouse_event, pressed_widget

_PATIENCE = 0.5
"""Seconds; what takes longer does not hold up what follows."""
_LONG = 5.0
"""Seconds after which more is read from the terminal, whatever the app is busy with."""
_WRITTEN = 0.001
"""Seconds in which the thread that writes a frame to the terminal gets its turn."""


class InputOrder:
    """Has a key go to what the key or click before it has opened, and a click see what was typed.

    Textual puts a key into the queue of the focused widget, from where it goes up to the app, which does what it is
    bound to; so of two keys that come at once the second is on its way before the first has opened a dialog.
    """

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._may_act = False
        """Whether the last of the input may have done more than put a character into a text."""
        self._released: events.Event | None = None
        self._releasing: asyncio.Task[None] | None = None
        self.held: deque[events.Event] = deque()
        """Input that waits for the effect of what came before it."""
        self.last_input = 0.0
        """When the last key or click came, by `time.monotonic`."""
        self.inputs = 0
        """Number of keys, clicks and pastes so far."""
        self._acts = 0
        """Number of acts that wait for a frame."""
        self._opened = asyncio.Event()
        self._opened.set()
        self._awaited: Worker[None] | None = None
        """A worker that the last key has begun and the next one builds on."""

    def wait_for(self, worker: Worker[None]) -> None:
        """Keys and clicks wait until a worker has ended, which must end by itself in a few seconds."""
        self._awaited = worker

    def call_in_next_frame(self, screen: Screen[Any], act: Callable[[], object]) -> None:
        """Do something once what there is on a screen now has been drawn; keys and clicks wait for it."""
        self._begin_act()
        loop = asyncio.get_running_loop()

        def do() -> None:
            try:
                act()
            finally:
                self._end_act()

        def once_written() -> None:
            if not screen.call_later(do):  # the screen has closed
                self._end_act()

        def once_drawn() -> None:
            loop.call_later(_WRITTEN, once_written)

        def once_told() -> None:
            if not screen.call_after_refresh(once_drawn):
                self._end_act()

        # A widget tells its screen that it is to be drawn in a turn of its own; asked before that, the screen takes it
        # that there is nothing to draw. The second turn is for widgets that change after this call, by the same key.
        loop.call_soon(loop.call_soon, once_told)

    def _begin_act(self) -> None:
        self._acts += 1
        self._opened.clear()

    def _end_act(self) -> None:
        self._acts -= 1
        if not self._acts:
            self._opened.set()

    @property
    def is_acting(self) -> bool:
        """Whether something that a key asked for is still to be done."""
        return bool(self._acts)

    # --- input comes ---------------------------------------------------------------------------------------

    def admits(self, event: events.Event) -> bool:
        """Whether an event goes on now; else it is held until what came before it has had its effect, or dropped.

        Typing in one field never waits.
        """
        is_input = isinstance(event, (events.InputEvent, events.Paste)) and not event.is_forwarded
        if isinstance(event, events.Key) and event.key.startswith(("alt+", "ctrl+", "super+", "meta+")):
            event.character = None  # of alt+j, Textual says that it is the letter, and text boxes take it
        if is_input:
            self.last_input = time.monotonic()
            self.inputs += isinstance(event, (events.Key, events.MouseDown, events.Paste))
        if event is self._released:
            self.held.popleft()
            self._released = None
        elif is_input and self._must_wait(event):
            self._hold(event)
            return False
        if is_input and isinstance(event, events.MouseEvent) and self._is_outside(event):
            return False
        if is_input and not isinstance(event, events.MouseMove):
            self._may_act = not self._is_typing(event)
        return True

    def _is_outside(self, event: events.MouseEvent) -> bool:
        """Whether the mouse is beside everything on screen, for which Textual would take the focus away.

        What belongs to a drag is moved to the edge of the screen instead.
        """
        if self._has_widget_at(event.x, event.y):
            return False
        if isinstance(event, (events.MouseMove, events.MouseUp)) and pressed_widget(self._app) is not None:
            width, height = self._app.screen.size
            move_mouse_event(event, max(0, min(event.x, width - 1)), max(0, min(event.y, height - 1)))
            return not self._has_widget_at(event.x, event.y)
        if isinstance(event, events.MouseDown):
            self._app.screen.suppress_click()
        return True

    def _has_widget_at(self, x: float, y: float) -> bool:
        try:
            widget, _ = self._app.screen.get_widget_at(int(x), int(y))
        except NoWidget:
            return False
        # A widget that was removed keeps its place until the next layout; Textual asks it for its container.
        return isinstance(widget, Screen) or widget.parent is not None

    def _is_typing(self, event: events.Event) -> bool:
        from textual.widgets import Input, TextArea  # long to import, and no first frame needs them

        is_text = isinstance(event, events.Paste) or (isinstance(event, events.Key) and event.is_printable)
        return is_text and isinstance(self._app.focused, (Input, TextArea))

    # --- input waits ---------------------------------------------------------------------------------------

    def _must_wait(self, event: events.Event) -> bool:
        if self.held or isinstance(event, events.MouseMove):
            return bool(self.held)
        if self._awaited is not None and not self._awaited.is_finished:
            return True
        in_one_text = not self._may_act and self._is_typing(event)
        is_busy = not self._opened.is_set() or any(pump.message_queue_size for pump in self._on_the_way())
        return is_busy and not in_one_text

    def _on_the_way(self) -> list[MessagePump]:
        """All that a key or click passes through, from the inside out."""
        app = self._app
        inner = [at for at in (pressed_widget(app), app.focused, app.screen) if at is not None]
        pumps = dict.fromkeys(pump for at in inner for pump in at.ancestors_with_self if pump is not app)
        # A widget that was clicked may be gone by now: what is left in its queue stays there.
        return [*(pump for pump in pumps if not is_closed(pump)), app]

    def _hold(self, event: events.Event) -> None:
        self.held.append(event)
        if self._releasing is None or self._releasing.done():
            self._releasing = asyncio.create_task(self._release())

    async def _release(self) -> None:
        """Send what is held once more, one after the other."""
        while self.held and self._app.is_running:
            await self._had_effect()
            self._released = self.held[0]
            self._app.post_message(self._released)
            await _worked_off(self._app)

    async def _had_effect(self) -> None:
        """Wait for the effect of what came before: not for long, unless it began something to wait for."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._quiet(), _PATIENCE)
        while self._awaited is not None and not self._awaited.is_finished:
            with suppress(WorkerError):
                await self._awaited.wait()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._quiet(), _PATIENCE)

    async def _quiet(self) -> None:
        """Wait until all is worked off: messages go from one to the next, and may bring another screen in front."""
        while True:
            await self._opened.wait()
            pumps = self._on_the_way()
            for pump in pumps:
                await _worked_off(pump)
            is_quiet = not any(pump.message_queue_size for pump in pumps)
            if is_quiet and self._opened.is_set() and pumps == self._on_the_way():
                return
            await asyncio.sleep(0)  # whatever keeps a queue full, time limits hold

    async def caught_up(self) -> None:
        """Wait until the keys and clicks that came so far have had their effect; for a while at most."""
        if self._releasing is not None:
            await asyncio.wait([self._releasing], timeout=_LONG)
        with suppress(TimeoutError):
            async with asyncio.timeout(_LONG):
                await self._opened.wait()
                for pump in self._on_the_way():
                    await _worked_off(pump)


async def _worked_off(pump: MessagePump) -> None:
    """Wait until what is in the queue of a widget, screen or app now has been handled."""
    done = asyncio.Event()
    if pump.call_later(done.set):
        await done.wait()

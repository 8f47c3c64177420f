"""Handling of keys and clicks in order, even if a script or a slow line delivers them in one burst."""

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
"""Seconds that input waits for the effect of earlier input."""
_LONG = 5.0
"""Seconds after which more input is read, even if the app is still busy."""
_WRITTEN = 0.001
"""Seconds for the thread that writes a frame to the terminal to start."""


class InputOrder:
    """Delays input until earlier input has taken effect, so that a key reaches the dialog that the last key opened.

    Textual queues a key for the focused widget; from there it bubbles up to the app, which runs its binding. So if two
    keys come at once, the second is on its way before the first has opened a dialog.
    """

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._may_act = False
        """Whether the last input may have done more than type a character into a text."""
        self._released: events.Event | None = None
        self._releasing: asyncio.Task[None] | None = None
        self.held: deque[events.Event] = deque()
        """Input that waits for the effect of earlier input."""
        self.dropped_before = 0.0
        """Input that came earlier, by `time.monotonic`, is dropped: it was meant for another program."""
        self.last_input = 0.0
        """When the last key or click came, by `time.monotonic`."""
        self.typed_at = 0.0
        """When the last key or click that no longer waits came, by `time.monotonic`."""
        self.inputs = 0
        """Number of keys, clicks and pastes so far, each counted once it no longer waits."""
        self.acts: set[asyncio.Task[None]] = set()
        """The calls of `call_in_next_frame` that are not done yet."""
        self.awaited: Worker[None] | None = None
        """A worker that the last key started. Input waits until it ends, by itself and within a few seconds."""

    def call_in_next_frame(self, screen: Screen[Any], act: Callable[[], object]) -> None:
        """Call `act` after the current state of a screen was drawn; keys and clicks wait for it."""
        drawn, acted = asyncio.Event(), asyncio.Event()

        def do() -> None:
            try:
                act()
            finally:
                acted.set()

        async def act_once_written() -> None:
            # A widget asks its screen for a redraw in the next turn of the loop. Before that, the screen sees nothing
            # to draw. This second turn is for widgets that the same key changes after this call.
            await asyncio.sleep(0)
            if screen.call_after_refresh(drawn.set):
                await drawn.wait()
                await asyncio.sleep(_WRITTEN)
            if screen.call_later(do):  # else the screen has closed
                await acted.wait()

        self.acts.add(task := asyncio.create_task(act_once_written()))
        task.add_done_callback(self.acts.discard)

    # --- input comes ---------------------------------------------------------------------------------------

    def admits(self, event: events.Event) -> bool:
        """Whether an event may be handled now; otherwise it is held until earlier input has taken effect, or dropped.

        Typing in one field never waits.
        """
        is_input = isinstance(event, (events.InputEvent, events.Paste)) and not event.is_forwarded
        if isinstance(event, events.Key) and event.key.startswith(("alt+", "ctrl+", "super+", "meta+")):
            event.character = None  # Textual gives alt+j the character j, which text boxes would insert
        if is_input:
            self.last_input = time.monotonic()
        if event is self._released:
            self.held.popleft()
            self._released = None
        elif is_input and self._must_wait(event):
            self.held.append(event)
            if self._releasing is None or self._releasing.done():
                self._releasing = asyncio.create_task(self._release())
            return False
        if is_input and event.time < self.dropped_before:
            return False
        if is_input and isinstance(event, events.MouseEvent) and self._is_outside(event):
            return False
        if is_input and not isinstance(event, events.MouseMove):
            self._may_act = not self._is_typing(event)
        self.typed_at = event.time if is_input else self.typed_at
        self.inputs += is_input and isinstance(event, (events.Key, events.MouseDown, events.Paste))
        return True

    def _is_outside(self, event: events.MouseEvent) -> bool:
        """Whether the mouse is over no widget; Textual would then remove the focus.

        Events of a drag are moved to the edge of the screen instead.
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
        # A removed widget keeps its place until the next layout, but Textual needs its container.
        return isinstance(widget, Screen) or widget.parent is not None

    def _is_typing(self, event: events.Event) -> bool:
        from textual.widgets import Input, TextArea  # slow imports that the first frame does not need

        is_text = isinstance(event, events.Paste) or (isinstance(event, events.Key) and event.is_printable)
        return is_text and isinstance(self._app.focused, (Input, TextArea))

    # --- input waits ---------------------------------------------------------------------------------------

    def _must_wait(self, event: events.Event) -> bool:
        if self.held or isinstance(event, events.MouseMove):
            return bool(self.held)
        if self.awaited is not None and not self.awaited.is_finished:
            return True
        in_one_text = not self._may_act and self._is_typing(event)
        is_busy = bool(self.acts) or any(pump.message_queue_size for pump in self._on_the_way())
        return is_busy and not in_one_text

    def _on_the_way(self) -> list[MessagePump]:
        """All widgets that a key or click passes through, from the inside out, then the app."""
        app = self._app
        widgets = filter(None, (pressed_widget(app), app.focused, app.screen))
        pumps = dict.fromkeys(pump for widget in widgets for pump in widget.ancestors_with_self if pump is not app)
        # A clicked widget may be closed by now: messages left in its queue stay there.
        return [*(pump for pump in pumps if not is_closed(pump)), app]

    async def _release(self) -> None:
        while self.held and self._app.is_running:
            await self._take_effect()
            self._released = self.held[0]
            self._app.post_message(self._released)
            await _empty_queue(self._app)

    async def _take_effect(self) -> None:
        """Wait for the effect of earlier input, at most `_PATIENCE` seconds, and for an awaited worker."""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._empty_queues(), _PATIENCE)
            if self.awaited is None or self.awaited.is_finished:
                return
            with suppress(WorkerError):
                await self.awaited.wait()

    async def _empty_queues(self) -> None:
        """Wait until all queues are empty. Messages move from one widget to the next and may open another screen."""
        while True:
            pumps = await self._handle_queued()
            is_quiet = not any(pump.message_queue_size for pump in pumps)
            if is_quiet and not self.acts and pumps == self._on_the_way():
                return
            await asyncio.sleep(0)  # yields, so that time limits work even if a queue never empties

    async def _handle_queued(self) -> list[MessagePump]:
        """Wait until all messages now in the queues on the way are handled; returns the widgets, screen and app."""
        while self.acts:
            await asyncio.wait(self.acts)
        pumps = self._on_the_way()
        for pump in pumps:
            await _empty_queue(pump)
        return pumps

    async def caught_up(self) -> None:
        """Wait until earlier keys and clicks have taken effect, at most a few seconds."""
        if self._releasing is not None:
            await asyncio.wait([self._releasing], timeout=_LONG)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._handle_queued(), _LONG)


async def _empty_queue(pump: MessagePump) -> None:
    """Wait until all messages now in the queue of a widget, screen or app are handled."""
    done = asyncio.Event()
    if pump.call_later(done.set):
        await done.wait()

"""What a person does to a running app: keys, pastes, clicks, and another size of the terminal."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from rich.cells import cell_len
from textual import events
from textual.app import App
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.worker import WorkerCancelled, WorkerFailed

from evaltui.document.document import Document
from evaltui.tui.app import EvaltuiApp
from evaltui.tui.base_app import OpenNext
from tests.tui.sight import Sight

_QUIET = 2
"""So many looks at an idle loop in a row, and nothing more is to come."""


async def workers_of(app: App[object]) -> None:
    """Let the workers of an app come to their end.

    A failure that ends the app is raised from there; a screen that closes cancels its workers.
    """
    with suppress(WorkerFailed, WorkerCancelled):
        await app.workers.wait_for_complete()


class Hands(Sight):
    """Acts on `app`, and after each act waits until it is done."""

    def __init__(self, app: EvaltuiApp, pilot: Pilot[OpenNext | None]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def document(self) -> Document:
        """The document that is shown now."""
        return self.app.file.document

    async def press(self, *keys: str) -> None:
        """Press keys, each once the one before has done its work."""
        for key in keys:
            self._send(key)
            await self.settle()

    async def type(self, text: str) -> None:
        """Type a text in one burst, as a slow line or a script delivers it; \\r is the enter key."""
        await self.burst(*text)

    async def burst(self, *keys: str) -> None:
        """Press keys faster than the app works."""
        for key in keys:
            self._send(key)
        await self.settle()

    def _send(self, key: str) -> None:
        last = key.removeprefix("alt+")  # with alt, terminals send the letter, too
        character = last if len(last) == 1 else {"space": " ", "tab": "\t", "enter": "\r"}.get(key)
        name = "enter" if key == "\r" else _character_to_key(key) if len(key) == 1 else key
        self.app.post_message(events.Key(name, character))

    async def paste(self, text: str) -> None:
        """Paste a text as terminals do, in brackets."""
        self.app.post_message(events.Paste(text))
        await self.settle()

    async def click(self, text: str, times: int = 1) -> None:
        """Click on the first character of a text on screen, the topmost where there are several."""
        screen = self.screen()
        line = self.line_with(text)
        await self.click_at(cell_len(line[: line.index(text)]), screen.index(line), times)

    async def click_key(self, text: str) -> None:
        """Click on a key in the last line."""
        await self.click_at(self.keys.index(text), self.app.size.height - 1)

    async def burst_with_click(self, before: str, text: str, after: str) -> None:
        """Type, click on a text on screen and type on, faster than the app works."""
        line = self.line_with(text)
        column, row = cell_len(line[: line.index(text)]), self.screen().index(line)
        for key in before:
            self._send(key)
        self._click(column, row)
        await self.burst(*after)

    async def expect_keys_of_the_filter(self) -> None:
        """While a query is typed, the keys line has its keys only, and a click on each does what it says."""
        asks = self.keys
        await self.press("slash")
        assert self.keys.split()[:4] == ["enter", "keep", "esc", "clear"], self.keys
        await self.click_key("esc clear")
        assert self.keys == asks
        await self.press("slash")
        await self.click_key("enter keep")
        assert self.keys == asks
        assert self.focused != "filter"

    async def click_at(self, column: int, row: int, times: int = 1) -> None:
        """Click on a cell as the terminal reports it."""
        self._click(column, row, times)
        await self.settle()

    def _click(self, column: int, row: int, times: int = 1) -> None:
        self.app._click_chain_last_time = None  # not the second click of the last one
        for kind in (events.MouseDown, events.MouseUp) * times:
            self.app.post_message(kind(None, column, row, 0, 0, 1, False, False, False, column, row))

    async def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Press the button on one cell and let it go on another."""
        self.app._click_chain_last_time = None
        for kind, (column, row) in ((events.MouseDown, start), (events.MouseMove, end), (events.MouseUp, end)):
            self.app.post_message(kind(None, column, row, 0, 0, 1, False, False, False, column, row))
        await self.settle()

    async def hold(self, *cells: tuple[int, int]) -> None:
        """Press the button on the first cell and go over the others, without letting go."""
        self.app._click_chain_last_time = None
        kinds = [events.MouseDown, *[events.MouseMove] * (len(cells) - 1)]
        for kind, (column, row) in zip(kinds, cells, strict=True):
            self.app.post_message(kind(None, column, row, 0, 0, 1, False, False, False, column, row))
        await self.settle()

    async def hover(self, column: int, row: int) -> None:
        """Go over a cell with the mouse, no button pressed."""
        self.app.post_message(events.MouseMove(None, column, row, 0, 0, 0, False, False, False, column, row))
        await self.settle()

    async def let_go(self, column: int, row: int) -> None:
        """Let the button go on a cell."""
        self.app.post_message(events.MouseUp(None, column, row, 0, 0, 1, False, False, False, column, row))
        await self.settle()

    async def scroll(self, column: int, row: int, lines: int) -> None:
        """Turn the wheel over a cell, down or (negative) up."""
        kind = events.MouseScrollDown if lines > 0 else events.MouseScrollUp
        for _ in range(abs(lines)):
            self.app.post_message(kind(None, column, row, 0, lines, 0, False, False, False, column, row))
        await self.settle()

    async def resize(self, width: int, height: int) -> None:
        """Give the terminal another size."""
        await self.pilot.resize_terminal(width, height)
        if timer := self.app._resize_timer:  # Textual takes sizes in a little later
            timer.stop()
            self.app._check_resize()
        await self.settle()

    async def settle(self) -> None:
        """Let everything be done that was asked for, and drawn."""
        ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]  # what runs next; without this task
        quiet = 0
        while quiet < _QUIET and not self.ended:
            await asyncio.sleep(0)
            if self.app._exception is not None:
                raise self.app._exception
            if ready:
                quiet = 0
                continue
            waiting = any(pump._message_queue.qsize() for pump in [self.app, *self.app._registry])
            if waiting or self.app.input_order.held or self.app.input_order.acts:
                quiet = 0
                if not waiting:  # what is held or is to be done may wait for a frame
                    self._draw()
                continue
            quiet += 1
            if quiet == _QUIET and (self._draw() or await self._wait_for_workers()):
                quiet = 0

    def _draw(self) -> bool:
        """What a timer does sixty times a second for a person; whether there was anything to do."""
        screen = self.app.screen
        as_a_whole = screen._layout_required or screen._scroll_required or screen._repaint_required
        if not (as_a_whole or screen._recompose_required or screen._dirty_widgets or screen._callbacks):
            return False
        screen._on_timer_update()
        return True

    async def _wait_for_workers(self) -> bool:
        """Let what runs beside the keys come to its end; whether anything did."""
        if not self.app.workers and self.app.animator._complete_event.is_set():
            return False
        await workers_of(self.app)
        await self.app.animator.wait_until_complete()
        return True

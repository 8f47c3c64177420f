"""A small language for scenarios: open a file, press keys, read the screen, look at the bytes.

    async with scenario(SAMPLES / "trip_planner.evalset.json") as s:
        await s.enter("Great. Can you add")
        await s.edit("Great. Can you add", "Add a bag")
        s.expect("edit user text")
        assert await s.saved() == s.original.replace(b"Great. Can you add one checked bag, 23 kg?", b"Add a bag")

However a scenario ends, the rows and the form must be those of the document, and taking back every step must give
the bytes of the file again.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from rich.cells import cell_len
from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.screen import ModalScreen

from evaltui.document import Document
from evaltui.printable import is_unsafe
from evaltui.tui.app import EvaltuiApp
from evaltui.tui.lines import FILL, text_of
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.screens.edit_screen import EditScreen
from evaltui.tui.session import Session
from evaltui.tui.widgets.line_view import LineView

SAMPLES = Path(__file__).parents[2] / "sample_sets"
NARROW, NORMAL, WIDE = (80, 24), (110, 30), (140, 40)
_QUIET = 4
"""So many looks at empty queues in a row, and nothing more is to come."""


@asynccontextmanager
async def scenario(
    file: Path | bytes | str, size: tuple[int, int] = NARROW, *, name: str = "set.evalset.json", case: str | None = None
) -> AsyncIterator[Scenario]:
    """The app on a copy of a file, or on a file called `name` with these contents."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / (file.name if isinstance(file, Path) else name)
        if isinstance(file, Path):
            shutil.copyfile(file, path)
        else:
            path.write_bytes(file.encode() if isinstance(file, str) else file)
        # A clock that stands still: how fast a test runs must not decide what one undo takes back.
        document = Document(path.read_bytes(), path, clock=lambda: 0.0)
        app = EvaltuiApp(Session(document), case)
        async with app.run_test(size=size) as pilot:
            running = Scenario(app, pilot, path)
            await running.settle()
            yield running
            running.expect_rows_and_form_of_the_document()
        while document.undo():
            pass
        assert document.to_bytes() == running.original, "undoing everything does not give the file's bytes"


def _text(view: LineView, lines: Iterable[int]) -> str:
    runs = ((text if role != FILL else "  " for text, role in view.line(n)) for n in lines)
    return "\n".join("".join(line) for line in runs)


class Scenario:
    """A running app with its file."""

    def __init__(self, app: EvaltuiApp, pilot: Pilot[None], path: Path) -> None:
        self.app, self.pilot, self.path = app, pilot, path
        self.document = app.session.document
        self.original = path.read_bytes()

    # --- what the person does ------------------------------------------------------------------------------

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
        character = key if len(key) == 1 else {"space": " ", "tab": "\t", "enter": "\r"}.get(key)
        name = "enter" if key == "\r" else _character_to_key(key) if len(key) == 1 else key
        self.app.post_message(events.Key(name, character))

    async def paste(self, text: str) -> None:
        """Paste a text as terminals do, in brackets."""
        self.app.post_message(events.Paste(text))
        await self.settle()

    async def to(self, text: str) -> None:
        """Go to the first row that holds a text, from the top down."""
        rows = self.rows()
        found = next((n for n, row in enumerate(rows) if text in row), None)
        assert found is not None, f"no row with {text!r} among:\n" + "\n".join(rows)
        await self.burst("home", *["down"] * found)
        assert self.cursor() == rows[found]

    async def enter(self, *texts: str) -> None:
        """Go to the row with each text in turn and press enter there."""
        for text in texts:
            await self.to(text)
            await self.press("enter")

    async def edit(self, field: str, text: str) -> None:
        """Put another text into the field of the form whose lines hold `field`, and leave it."""
        await self.enter(field)
        assert self.focused == "field", f"{field!r} is no field"
        await self.press("f7")
        await (self.type(text) if text else self.press("delete"))
        await self.press("escape")

    async def click(self, text: str, times: int = 1) -> None:
        """Click on the first character of a text on screen, the topmost where there are several."""
        screen = self.screen()
        line = self.line_with(text)
        await self.click_at(cell_len(line[: line.index(text)]), screen.index(line), times)

    async def click_key(self, text: str) -> None:
        """Click on a key in the last line."""
        await self.click_at(self.keys.index(text), self.app.size.height - 1)

    async def click_at(self, column: int, row: int, times: int = 1) -> None:
        """Click on a cell as the terminal reports it."""
        self.app._click_chain_last_time = None  # not the second click of the last one
        for kind in (events.MouseDown, events.MouseUp) * times:
            self.app.post_message(kind(None, column, row, 0, 0, 1, False, False, False, column, row))
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
        async with asyncio.timeout(10):  # Textual takes sizes in by a timer of its own
            while self.app.screen._compositor.size != (width, height):
                await asyncio.sleep(1 / 500)
        await self.settle()

    async def settle(self) -> None:
        """Let everything be done that was asked for, and drawn."""
        quiet = 0
        while quiet < _QUIET and not self.ended:
            await asyncio.sleep(0)
            if self.app._exception is not None:
                raise self.app._exception
            if any(pump._message_queue.qsize() for pump in [self.app, *self.app._registry]):
                quiet = 0
                continue
            quiet += 1
            self.app.screen._on_timer_update()  # what else a timer does, sixty times a second
            if quiet == _QUIET and (self.app.workers or not self.app.animator._complete_event.is_set()):
                await self.app.workers.wait_for_complete()
                await self.app.animator.wait_until_complete()
                quiet = 0

    # --- what the person sees ------------------------------------------------------------------------------

    def screen(self) -> list[str]:
        """The lines on screen, none of which may act on a terminal."""
        strips = self.app.screen._compositor.render_strips()
        lines = ["".join(segment.text for segment in strip) for strip in strips]
        assert not any(map(is_unsafe, lines)), lines
        assert {cell_len(line) for line in lines} == {self.app.size.width}, lines
        return [line.rstrip() for line in lines]

    def expect(self, *wanted: str | re.Pattern[str]) -> None:
        """Each text or pattern is on screen."""
        for each in wanted:
            assert self.shows(each), f"not on screen: {each!r}\n" + "\n".join(self.screen())

    def shows(self, wanted: str | re.Pattern[str]) -> bool:
        """Whether a text or pattern is on screen."""
        text = "\n".join(self.screen())
        return wanted in text if isinstance(wanted, str) else wanted.search(text) is not None

    def line_with(self, text: str) -> str:
        """The first line on screen that holds a text."""
        self.expect(text)
        return next(line for line in self.screen() if text in line)

    def cursor(self) -> str:
        """The text of the selected row of the pane in which keys act, in sight or not."""
        view = self._view()
        return _text(view, filter(view.is_selected, range(view.line_count()))) if view else ""

    def rows(self) -> list[str]:
        """The texts of all rows of that pane at which the cursor can stop."""
        view = self._view()
        if isinstance(view, FormLines):
            stops = [placed for placed in view.layout_of_form.placed if placed.can_be_selected]
            return [_text(view, range(placed.top, placed.top + placed.height)) for placed in stops]
        return [_text(view, [n]) for n in range(view.line_count())] if view else []

    def _view(self) -> LineView | None:
        focused = self.app.focused
        if self.focused == "field":
            return self.app.screen.query_one(FormLines)
        return focused if isinstance(focused, LineView) else None

    @property
    def title(self) -> str:
        """The first line."""
        return self.screen()[0]

    @property
    def status(self) -> str:
        """The line above the keys."""
        return self.screen()[-2]

    @property
    def keys(self) -> str:
        """The line of keys."""
        return self.screen()[-1]

    @property
    def focused(self) -> str:
        """Where keys go: tree, form, field, problems, or the name of the dialog in front."""
        if isinstance(self.app.screen, ModalScreen):
            return type(self.app.screen).__name__
        return str(getattr(self.app.focused, "PLACE", None))

    @property
    def ended(self) -> bool:
        """Whether the app has quit."""
        return self.app._exit

    def expect_rows_and_form_of_the_document(self) -> None:
        """Nothing drawn is left over from before an edit."""
        if self.ended or not isinstance(screen := self.app.screen, EditScreen):
            return
        tree, outline, form = screen.tree_pane, screen.outline, screen.form_pane
        rows = tree.rows
        for row, (node, depth) in enumerate(zip(rows.nodes, rows.depths, strict=True)):
            below = [at for at in range(row + 1, rows.end(row)) if rows.depths[at] == depth + 1]
            assert [rows.nodes[at] for at in below] == (outline.children(node) if rows.is_open(node) else [])
            shown, wanted = text_of(tree.line(row)), text_of(outline.label(node))
            assert wanted in shown, f"row {row} shows {shown!r} for {wanted!r}"
            assert ("●" in shown) == (depth > 0 and self.document.is_changed(node))
        assert form.node is tree.selected
        fresh = [getattr(item, "text", None) or getattr(item, "line", None) for item in outline.form(form.node).items]
        assert [getattr(item, "text", None) or getattr(item, "line", None) for item in form.form.items] == fresh

    # --- the file ------------------------------------------------------------------------------------------

    def bytes(self) -> bytes:
        """The file as a save would write it now."""
        return self.document.to_bytes()

    def file_bytes(self) -> bytes:
        """The file on disk."""
        return self.path.read_bytes()

    async def saved(self) -> bytes:
        """Save, and give what is on disk then."""
        await self.press("ctrl+s")
        return self.file_bytes()

    @property
    def is_dirty(self) -> bool:
        """Whether the title says that something is unsaved."""
        return "●" in self.title

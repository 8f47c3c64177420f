"""The app looks for garbage when keys rest, and keeps nothing twice."""

import asyncio
import time

import pytest

from evaltui import garbage_collection
from evaltui.tui.widgets.text_field import TextField
from tests.tui.scenario import SAMPLES, scenario


async def test_the_app_looks_for_garbage_and_knows_when_the_last_key_came(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: asyncio.Queue[float] = asyncio.Queue()
    monkeypatch.setattr(garbage_collection, "INTERVAL", 0.001)
    monkeypatch.setattr(garbage_collection, "collect_at_rest", looked.put_nowait)
    before = time.monotonic()
    async with scenario(SAMPLES / "trip_planner.evalset.json") as s:
        assert await looked.get() == 0
        await s.press("down")
        while (last_input := await looked.get()) == 0:
            pass
        assert before < last_input < time.monotonic()


async def test_what_is_typed_is_kept_once() -> None:
    """Undo is the document's: the text box keeps no history of its own."""
    async with scenario(SAMPLES / "trip_planner.evalset.json") as s:
        await s.enter("book_flight")
        await s.edit("eval_id", "typed")
        field = s.app.screen.query_one(TextField)
        assert b'"typed"' in s.bytes()
        assert field.history.undo_stack == []
        await s.press("ctrl+z")
        assert b'"typed"' not in s.bytes()

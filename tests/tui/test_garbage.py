"""Garbage that Python's collector is kept from while keys are pressed goes when they rest."""

import asyncio
import gc
import time
import weakref
from collections.abc import Iterator

import pytest

from evaltui.tui import garbage
from evaltui.tui.widgets.text_field import TextField

from .scenario import SAMPLES, scenario


class Ring:
    """Something that refers to itself, so that only the collector frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _collector() -> Iterator[None]:
    """As it is in the app, and afterwards as it was."""
    threshold, was_on = gc.get_threshold(), gc.isenabled()
    garbage.begin_seldom()
    garbage.begin()
    yield
    gc.set_threshold(*threshold)
    if not was_on:
        gc.disable()


def _old_garbage() -> weakref.ref[Ring]:
    """A ring that outlived a collection of the young and then was let go."""
    ring = Ring()
    gc.collect(1)
    return weakref.ref(ring)


def test_garbage_is_collected_once_keys_rest() -> None:
    gone = _old_garbage()
    garbage.collect_at_rest(time.monotonic() - 10)
    assert gone() is None


def test_no_key_waits_for_a_collection() -> None:
    stays = _old_garbage()
    garbage.collect_at_rest(time.monotonic())
    assert stays() is not None


def test_a_little_garbage_is_left_where_it_is() -> None:
    gc.collect()
    stays = weakref.ref(Ring())
    garbage.collect_at_rest(time.monotonic() - 10)
    assert stays() is not None


def test_nothing_is_collected_while_something_long_goes_on() -> None:
    with garbage.seldom_collected(is_long=True):
        stays = _old_garbage()
        garbage.collect_at_rest(time.monotonic() - 10)
        assert stays() is not None


def test_what_an_app_before_left_is_freed_before_the_next_one() -> None:
    ring = Ring()
    garbage.begin()  # the ring is left out for good while this app runs
    gone = weakref.ref(ring)
    del ring
    gc.collect()
    assert gone() is not None
    garbage.begin_seldom()
    assert gone() is None


async def test_the_app_looks_for_garbage_and_knows_when_the_last_key_came(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: asyncio.Queue[float] = asyncio.Queue()
    monkeypatch.setattr(garbage, "INTERVAL", 0.001)
    monkeypatch.setattr(garbage, "collect_at_rest", looked.put_nowait)
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

"""The garbage collector: off while any caller needs that, on after the last one, and at work when keys rest."""

import gc
import time
import weakref
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from evaltui import garbage_collection
from evaltui.garbage_collection import without_collecting


class Ring:
    """An object that refers to itself, so that only the collector frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _collector() -> Iterator[None]:
    """Sets the collector up as the app does, and restores it afterwards."""
    threshold, was_on = gc.get_threshold(), gc.isenabled()
    gc.disable()  # as in a new process: nothing of an app before is to be freed
    garbage_collection.begin_seldom()
    garbage_collection.begin()
    yield
    gc.set_threshold(*threshold)
    (gc.enable if was_on else gc.disable)()


def test_it_is_off_until_the_last_one_ends() -> None:
    with ExitStack() as first, ExitStack() as second:
        first.enter_context(without_collecting())
        second.enter_context(without_collecting())
        first.close()
        assert not gc.isenabled()
        second.close()
        assert gc.isenabled()


def test_it_is_on_afterwards_where_one_ends_just_as_another_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the app, two threads do this: one reads a case, one checks it. Each key starts both."""
    disable = gc.disable
    with ExitStack() as other:
        other.enter_context(without_collecting())
        monkeypatch.setattr(gc, "disable", lambda: (other.close(), disable()))
        with without_collecting():
            pass
    assert gc.isenabled()


def test_it_stays_off_where_it_was_off() -> None:
    gc.disable()
    with without_collecting():
        pass
    assert not gc.isenabled()


def test_what_begins_meanwhile_begins_at_the_end() -> None:
    gc.disable()
    with without_collecting():
        garbage_collection.begin()
        assert not gc.isenabled()
    assert gc.isenabled()


def _old_garbage() -> weakref.ref[Ring]:
    """A ring that survived a collection of the youngest generation and then lost its last reference."""
    ring = Ring()
    gc.collect(1)
    return weakref.ref(ring)


def test_garbage_is_collected_once_keys_rest() -> None:
    gone = _old_garbage()
    garbage_collection.collect_at_rest(time.monotonic() - 10)
    assert gone() is None


def test_the_youngest_are_looked_at_between_keys_where_there_are_many() -> None:
    gc.collect()
    few = weakref.ref(Ring())
    garbage_collection.collect_young()
    assert few() is not None
    several = [Ring() for _ in range(10_000)]
    many = weakref.ref(several[-1])
    several.clear()
    garbage_collection.collect_young()
    assert many() is None


def test_no_key_waits_for_a_collection() -> None:
    stays = _old_garbage()
    garbage_collection.collect_at_rest(time.monotonic())
    assert stays() is not None


def test_a_little_garbage_is_left_where_it_is() -> None:
    gc.collect()
    stays = weakref.ref(Ring())
    garbage_collection.collect_at_rest(time.monotonic() - 10)
    assert stays() is not None


def test_nothing_is_collected_while_something_long_goes_on() -> None:
    with garbage_collection.seldom_collected(1_000):
        stays = _old_garbage()
        garbage_collection.collect_at_rest(time.monotonic() - 10)
        assert stays() is not None


def test_what_an_app_before_left_is_freed_before_the_next_one() -> None:
    ring = Ring()
    garbage_collection.begin()  # freezes the ring, so it is never collected while this app runs
    gone = weakref.ref(ring)
    del ring
    gc.collect()
    assert gone() is not None
    garbage_collection.begin_seldom()
    assert gone() is None


def test_what_long_work_left_behind_is_freed_in_a_long_rest() -> None:
    """A watch scores all day, so the garbage of its runs must not stay."""
    ring = None
    for _ in range(5):
        with garbage_collection.seldom_collected(1_000):
            ring = Ring()
    gone = weakref.ref(ring)
    del ring
    garbage_collection.collect_at_rest(time.monotonic() - 2)
    assert gone() is not None
    garbage_collection.collect_at_rest(time.monotonic() - 10)
    assert gone() is None

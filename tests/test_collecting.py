"""The collector is kept off by several at a time, and is on again after the last of them."""

import gc
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from evaltui.collecting import begin_collecting, without_collecting


@pytest.fixture(autouse=True)
def _collector() -> Iterator[None]:
    was_on = gc.isenabled()
    gc.enable()
    yield
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
    """Two threads: the one that reads a case and the one that checks it. Each key starts both."""
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
        begin_collecting()
        assert not gc.isenabled()
    assert gc.isenabled()

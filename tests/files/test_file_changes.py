"""A file that cannot be used gets half a second without a change before it counts as broken."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from evaltui.files import file_changes
from evaltui.files.file_changes import REST, WritePause


class Clock:
    """Time that passes when told."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def time(self) -> float:
        return self.now

    monotonic = time


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the module, and the times of files written with it."""
    clock = Clock()
    monkeypatch.setattr(file_changes, "time", SimpleNamespace(time=clock.time, monotonic=clock.monotonic))
    return clock


def write(path: Path, text: str, at: float) -> None:
    path.write_text(text)
    os.utime(path, (at, at))


def test_a_file_written_just_now_is_waited_for(clock: Clock, tmp_path: Path) -> None:
    rest, path = WritePause(), tmp_path / "a.json"
    write(path, "{", clock.now)
    assert not rest.is_at_rest(path)
    assert rest.is_waiting
    clock.now += REST
    rest.begin()
    assert rest.is_at_rest(path)
    assert not rest.is_waiting


def test_each_further_write_begins_the_wait_anew(clock: Clock, tmp_path: Path) -> None:
    rest, path = WritePause(), tmp_path / "a.json"
    for text in ("{", '{"a', '{"a": '):
        write(path, text, clock.now)
        assert not rest.is_at_rest(path)
        clock.now += REST * 0.9
    clock.now += REST * 0.2
    assert rest.is_at_rest(path)


def test_an_old_file_is_at_rest_at_once(clock: Clock, tmp_path: Path) -> None:
    write(tmp_path / "a.json", "{", clock.now - 60)
    assert WritePause().is_at_rest(tmp_path / "a.json")


def test_a_file_that_is_gone_may_come_back_if_it_was_there(clock: Clock, tmp_path: Path) -> None:
    rest = WritePause()
    assert rest.is_at_rest(tmp_path / "never.json")
    assert not rest.is_at_rest(tmp_path / "gone.json", was_good=True)
    clock.now += REST
    assert rest.is_at_rest(tmp_path / "gone.json", was_good=True)


def test_a_file_that_was_well_again_gets_its_time_anew(clock: Clock, tmp_path: Path) -> None:
    rest, path = WritePause(), tmp_path / "gone.json"
    assert not rest.is_at_rest(path, was_good=True)
    clock.now += 60
    rest.forget(path)
    assert not rest.is_at_rest(path, was_good=True)

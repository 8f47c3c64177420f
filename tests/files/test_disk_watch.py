"""The watch of sources, on real files: whatever way a file changes, its path is told."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Queue

import pytest

from evaltui.files.disk_watch import DiskWatch, Signs
from evaltui.files.file_changes import signature

_PATIENCE = 20.0
"""Seconds that a change may take until it is told, on a busy machine."""


class Watched:
    """Files of one folder, watched."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.folder = folder
        self.names = names
        self._told: Queue[frozenset[Path]] = Queue()
        self.watch = DiskWatch(self._look, self._told.put)

    def start(self) -> None:
        """Begin, and wait for the first look."""
        self.watch.start()
        assert self._told.get(timeout=_PATIENCE) == frozenset()

    def _look(self) -> Signs:
        files = {self.folder / name: signature(self.folder / name) for name in self.names}
        return files, frozenset(path.parent for path in files)

    def wait_for(self, name: str) -> None:
        """Wait until a file was told."""
        while self.folder / name not in self._told.get(timeout=_PATIENCE):
            pass

    def is_quiet(self) -> bool:
        """Whether nothing more was told, once a change of another file was."""
        try:
            self._told.get_nowait()
        except Empty:
            return True
        return False


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Callable[..., Watched]]:
    """Starts a watch, which ends with the test."""
    started = []

    def start(*names: str) -> Watched:
        watched = Watched(tmp_path, *names)
        watched.start()
        started.append(watched)
        return watched

    yield start
    for each in started:
        each.watch.stop()


def test_a_file_that_is_written_in_place_is_told(watch: Callable[..., Watched], tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    watched = watch("a.json")
    (tmp_path / "a.json").write_text("[]")
    watched.wait_for("a.json")


def test_each_of_many_atomic_replacements_is_told(watch: Callable[..., Watched], tmp_path: Path) -> None:
    """A watch of the file itself goes deaf after the first."""
    (tmp_path / "a.json").write_text("0")
    watched = watch("a.json")
    for number in range(5):
        (tmp_path / "new").write_text(str(number) * (number + 2))
        (tmp_path / "new").replace(tmp_path / "a.json")
        watched.wait_for("a.json")


def test_a_file_that_goes_and_comes_is_told_twice(watch: Callable[..., Watched], tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    watched = watch("a.json")
    (tmp_path / "a.json").unlink()
    watched.wait_for("a.json")
    (tmp_path / "a.json").write_text("{}")
    watched.wait_for("a.json")


def test_a_folder_that_does_not_exist_yet_is_watched_once_it_does(
    watch: Callable[..., Watched], tmp_path: Path
) -> None:
    watched = watch("history/a.json", "a.json")
    (tmp_path / "history").mkdir()
    (tmp_path / "history/a.json").write_text("{}")
    watched.wait_for("history/a.json")
    (tmp_path / "history/a.json").write_text("[1]")
    watched.wait_for("history/a.json")


def test_a_folder_that_git_takes_away_and_brings_back_is_watched_on(
    watch: Callable[..., Watched], tmp_path: Path
) -> None:
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets/a.json").write_text("{}")
    watched = watch("sets/a.json")
    shutil.rmtree(tmp_path / "sets")
    watched.wait_for("sets/a.json")
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets/a.json").write_text("{}")
    watched.wait_for("sets/a.json")
    (tmp_path / "sets/a.json").write_text("[2]")
    watched.wait_for("sets/a.json")


def test_the_target_of_a_link_is_told(watch: Callable[..., Watched], tmp_path: Path) -> None:
    for name in ("one.json", "other.json"):
        (tmp_path / name).write_text(name)
    (tmp_path / "latest.json").symlink_to("one.json")
    watched = watch("latest.json")
    (tmp_path / "one.json").write_text("changed")
    watched.wait_for("latest.json")
    (tmp_path / "new").symlink_to("other.json")
    (tmp_path / "new").replace(tmp_path / "latest.json")
    watched.wait_for("latest.json")


def test_swap_files_of_editors_are_no_change(watch: Callable[..., Watched], tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    watched = watch("a.json", "last.json")
    for name in (".a.json.swp", "a.json~", "4913", ".#a.json"):
        (tmp_path / name).write_text("x")
        (tmp_path / name).unlink()
    (tmp_path / "last.json").write_text("{}")
    watched.wait_for("last.json")
    assert watched.is_quiet()


def test_two_writes_that_leave_the_same_time_and_size_are_told(watch: Callable[..., Watched], tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("1")
    status = path.stat()
    watched = watch("a.json", "first.json")
    (tmp_path / "first.json").write_text("{}")
    watched.wait_for("first.json")  # the system reports events from now on
    path.write_text("2")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    watched.wait_for("a.json")


def test_without_the_systems_events_the_watch_looks_now_and_then(
    monkeypatch: pytest.MonkeyPatch, watch: Callable[..., Watched], tmp_path: Path
) -> None:
    def refused(*_: object, **__: object) -> Iterator[set[object]]:
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr("watchfiles.watch", refused)
    monkeypatch.setattr("evaltui.files.disk_watch._LOOK", 0.01)
    (tmp_path / "a.json").write_text("{}")
    watched = watch("a.json")
    (tmp_path / "a.json").write_text("[]")
    watched.wait_for("a.json")


def test_a_file_that_only_becomes_a_source_or_is_none_any_more_has_not_changed(
    watch: Callable[..., Watched], tmp_path: Path
) -> None:
    old = tmp_path / "old.json"
    for path in (tmp_path / "a.json", old):
        path.write_text("{}")
    watched = watch("a.json")
    watched.names = ("a.json", "old.json")
    watched.wait_for("old.json")
    assert watched.watch.unchanged == {old}
    old.write_text("[]")
    watched.wait_for("old.json")
    assert watched.watch.unchanged == frozenset()
    watched.names = ("a.json",)
    watched.wait_for("old.json")
    assert watched.watch.unchanged == {old}

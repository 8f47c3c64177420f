"""Recordings kept by content: read again only if the bytes differ, with the last good state of a broken one."""

import os
from pathlib import Path

import pytest

from evaltui.files.file_changes import FileContents, WritePause
from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.recording_cache import KnownItems, RecordingCache
from evaltui.recordings.recording_file import open_recording
from tests.scored_sets import ACTUAL, RECORDING, a_set, turn

SAMPLE = Path(__file__).parents[2] / "sample_sets/recordings/trip_planner_traced.otlp.jsonl"
OTHER = a_set({**ACTUAL, "greeting": [turn(1, "Hello", "Other words")]})


class Opened:
    """A cache that notes which files it reads."""

    def __init__(self) -> None:
        self.read: list[str] = []
        self.cache = RecordingCache(self._open, WritePause(), FileContents())

    def _open(self, path: Path, multi_turn: bool, known: KnownItems) -> Recording:
        self.read.append(path.name)
        return open_recording(path, multi_turn=multi_turn, known_items=known)

    def open(self, path: Path) -> Recording:
        self.cache.begin()
        return self.cache.open(path, True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A recording that was written long ago."""
    path = tmp_path / "run.json"
    write(path, RECORDING)
    return path


def write(path: Path, text: str, at: float = 1_700_000_000.0) -> None:
    path.write_text(text)
    os.utime(path, (at, at))


def test_a_file_with_the_same_bytes_is_read_once(path: Path) -> None:
    opened = Opened()
    first = opened.open(path)
    write(path, RECORDING, 1_700_000_001.0)
    assert opened.open(path) is first
    assert opened.read == ["run.json"]


def test_other_bytes_are_read_and_equal_conversations_stay_the_same_objects(path: Path) -> None:
    opened = Opened()
    first = {each.id: each for each in opened.open(path).conversations}
    write(path, OTHER, 1_700_000_001.0)
    second = {each.id: each for each in opened.open(path).conversations}
    assert {name for name in second if second[name] is not first[name]} == {"greeting"}


def test_a_broken_file_stands_for_its_last_good_state(path: Path) -> None:
    opened = Opened()
    first = opened.open(path)
    write(path, RECORDING[:50], 1_700_000_001.0)
    assert opened.open(path) is first
    assert list(opened.cache.troubles) == [path]
    assert "invalid JSON" in opened.cache.troubles[path]
    write(path, OTHER, 1_700_000_002.0)
    assert opened.open(path) != first
    assert opened.cache.troubles == {}


def test_a_file_that_is_gone_stands_for_its_last_good_state_too(path: Path) -> None:
    opened = Opened()
    first = opened.open(path)
    path.unlink()
    assert opened.open(path) is first
    assert "another program is writing this file" in opened.cache.troubles[path]


def test_a_file_of_lines_whose_last_one_is_cut_off_stands_for_its_last_good_state(tmp_path: Path) -> None:
    lines = SAMPLE.read_text().splitlines(keepends=True)
    path = tmp_path / "run.jsonl"
    write(path, "".join(lines))
    opened = Opened()
    first = opened.open(path)
    write(path, "".join(lines[:-1]) + lines[-1][:50], 1_700_000_001.0)
    assert opened.open(path) is first
    assert opened.cache.troubles == {path: f"{path}: the last line is incomplete"}
    write(path, "".join(lines[:-1]), 1_700_000_002.0)
    opened.open(path)
    assert opened.cache.troubles == {}


def test_a_file_that_was_never_well_is_refused(path: Path) -> None:
    write(path, "{", 1_700_000_001.0)
    with pytest.raises(RecordingError, match=r"run\.json:1:2: invalid JSON"):
        Opened().open(path)


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    opened = Opened()
    opened._open = lambda *_: pytest.fail("read again") if opened.read else _read_pipe(opened)  # type: ignore[method-assign]
    opened.cache = RecordingCache(opened._open, WritePause(), FileContents())
    first = opened.open(tmp_path / "pipe")
    assert opened.open(tmp_path / "pipe") is first


def _read_pipe(opened: Opened) -> Recording:
    opened.read.append("pipe")
    return open_recording(Path("pipe"), multi_turn=True, data=RECORDING.encode())


def test_what_a_round_did_not_open_is_forgotten(path: Path, tmp_path: Path) -> None:
    write(tmp_path / "other.json", OTHER)
    opened = Opened()
    opened.open(path)
    opened.open(tmp_path / "other.json")
    opened.open(tmp_path / "other.json")
    opened.open(path)
    assert opened.read == ["run.json", "other.json", "run.json"]

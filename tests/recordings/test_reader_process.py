"""Recordings read in a process of their own: the same as here, and a process that ends badly is said."""

import json
import subprocess
from pathlib import Path

import pytest

from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.reader_process import is_worth_a_process, open_in_process
from evaltui.recordings.recording_file import open_recording
from tests.recordings.files import write
from tests.recordings.spans import assistant, chat, export, user
from tests.scored_sets import a_set, turn


def many(folder: Path) -> Path:
    path = folder / "many.json"
    path.write_text(a_set({f"case_{n}": [turn(1, f"Say {n}", "é 😅 \ud83d", ("say", {"n": n}))] for n in range(101)}))
    return path


def test_it_is_the_recording_that_is_read_here(tmp_path: Path) -> None:
    path, ticks = many(tmp_path), list[int]()
    assert open_in_process(path, multi_turn=True, progress=ticks.append) == open_recording(path, multi_turn=True)
    assert sum(ticks) == path.stat().st_size


def test_traces_keep_what_a_run_needs_to_join_files(tmp_path: Path) -> None:
    """Without it, a conversation in two large files had another score in the editor than in `evaltui run`."""
    named = {"session.id": "s"}
    spans = [chat([user(f"question {number}")], [assistant("yes")], named, trace=number) for number in range(1, 13)]
    path = write(tmp_path / "t.jsonl", json.dumps(export(spans)).encode() + b'\n{"resourceSpans": [\n')
    recording = open_recording(path)
    assert len(recording.traces) == 12
    assert recording.lost
    assert open_in_process(path) == recording


@pytest.mark.parametrize("content", [b"{", b"[1, 2]", b"", b"\xff\xfe\x00"])
def test_what_is_no_recording_is_said_in_the_same_words(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.json"
    path.write_bytes(content)
    with pytest.raises(RecordingError) as here:
        open_recording(path)
    with pytest.raises(RecordingError) as there:
        open_in_process(path)
    assert str(there.value) == str(here.value)


def test_a_process_that_is_killed_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"many\.json: the reader process stopped"):
        open_in_process(many(tmp_path), began=subprocess.Popen.kill)


def test_the_folder_one_is_in_is_not_searched_for_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = many(tmp_path)
    (tmp_path / "json.py").write_text("raise SystemExit(1)")
    monkeypatch.chdir(tmp_path)
    assert len(open_in_process(path).conversations) == 101


@pytest.mark.parametrize(
    ("head", "size", "is_worth"),
    [
        ('{"eval_set_id": "a", ', 2_000_000, False),
        ('{"resourceSpans": [], ', 2_000_000, True),
        ('{"resourceSpans": [], ', 900_000, False),
        ('{"eval_set_id": "a", ', 51_000_000, True),
    ],
)
def test_a_process_is_for_files_that_would_keep_keys_waiting(
    tmp_path: Path, head: str, size: int, is_worth: bool
) -> None:
    path = tmp_path / "run.json"
    path.write_text(f'{head}"pad": "{"x" * size}"}}')
    assert is_worth_a_process(path) == is_worth


def test_a_file_that_is_gone_is_not_worth_a_process(tmp_path: Path) -> None:
    assert not is_worth_a_process(tmp_path / "gone.json")

"""`evaltui run` on more than memory should hold: several processes, files read piece by piece, results on disk."""

from __future__ import annotations

import errno
import gc
import os
import subprocess
import sys
import tempfile
import tracemalloc
from concurrent.futures import Future
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from evaltui.runs.recording_reader import RecordingReader
from evaltui.runs.result_spool import ResultSpool
from evaltui.scoring.results import CaseResult
from tests.commands.conftest import Evaltui
from tests.commands.runs import case, eval_set, result, turn, write

SET = "large.evalset.json"


def files(cases: int, in_a_file: int = 50) -> None:
    """A set, and a folder with recordings in which each third case fails."""
    expected = [case(f"case_{number}", turn(f"question {number}", "a good answer")) for number in range(cases)]
    actual = [
        case(f"case_{number}", turn(f"question {number}", "a good answer" if number % 3 else "nothing at all"))
        for number in range(cases)
    ]
    write(Path(SET), eval_set(*expected))
    for start in range(0, cases, in_a_file):
        write(Path("runs") / f"{start}.json", result(*actual[start : start + in_a_file]))


@pytest.fixture(autouse=True)
def _in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaltui.document.disk.file_content.LARGE", 0)
    monkeypatch.setattr("evaltui.document.json_stream.WINDOW", 10_000)
    monkeypatch.setattr("evaltui.files.spool.MOST", 0)
    monkeypatch.setattr("evaltui.runs.score_blocks._TOGETHER", 20)
    monkeypatch.setattr("evaltui.runs.recording_reader._MOST", 1)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


def test_several_processes_write_the_same_reports(evaltui: Evaltui, temporary: Path) -> None:
    files(90)
    others = active_children()
    reports = [word for name in ("json", "xml", "md", "txt") for word in ("-o", f"r.{name}")]
    written = []
    for jobs in ("1", "2"):
        done = evaltui("run", SET, "-r", "runs", "--jobs", jobs, "--format", "json", *reports)
        written.append((done, [Path(f"r.{name}").read_bytes() for name in ("json", "xml", "md", "txt")]))
    assert written[0] == written[1]
    assert written[0][0].code == 1
    assert b'"cases": 90, "passed": 60, "failed": 30' in written[0][0].out or b'"passed": 60' in written[0][0].out
    assert set(active_children()) <= set(others)
    assert list(temporary.iterdir()) == []


def test_a_process_that_is_killed_is_said(evaltui: Evaltui, temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files(90)
    following = Future.result

    def killing(future: Future[object], timeout: float | None = None) -> object:
        for child in active_children():
            child.kill()
        return following(future, timeout)

    monkeypatch.setattr(Future, "result", killing)
    done = evaltui("run", SET, "-r", "runs", "--jobs", "2", "-o", "scores.json")
    assert (done.code, done.out) == (2, b"")
    assert done.err == "evaltui: a process of evaltui was ended from outside, perhaps for its memory; try --jobs 1\n"
    assert not Path("scores.json").exists()
    assert list(temporary.iterdir()) == []


def test_ctrl_c_ends_all_processes_at_once_and_leaves_nothing(temporary: Path) -> None:
    """The other processes have a pipe of ours as stderr: when it ends, they have."""
    files(90)
    script = f"""
import os, signal, sys
from concurrent.futures import Future
following = Future.result
def interrupted(self, timeout=None):
    os.kill(os.getpid(), signal.SIGINT)
    return following(self, timeout)
Future.result = interrupted
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.argv[1:] = ["run", "--jobs", "2", "{SET}", "-r", "runs", "-o", "scores.json"]
if __name__ == "__main__":
    from evaltui.runs import recording_reader
    recording_reader._MOST = 1
    from evaltui.__main__ import run
    run()
"""
    Path("script.py").write_text(script)
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
    assert not Path("scores.json").exists()
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_set_that_changes_during_the_run_is_refused(
    evaltui: Evaltui, monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    files(90)
    read = RecordingReader.read

    def changing(*arguments: Any, **options: Any) -> Any:
        Path(SET).write_text(Path(SET).read_text() + " ")
        return read(*arguments, **options)

    monkeypatch.setattr(RecordingReader, "read", changing)
    done = evaltui("run", SET, "-r", "runs", "--jobs", jobs)
    said = f"evaltui: {SET}: the file changed while it was scored; run the command again\n"
    assert (done.code, done.out, done.err) == (2, b"", said)


def test_no_place_for_temporary_files_is_one_sentence(evaltui: Evaltui, monkeypatch: pytest.MonkeyPatch) -> None:
    files(3)

    def full(**_: object) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    done = evaltui("run", SET, "-r", "runs")
    said = "evaltui: the temporary folder cannot be used: no space left on device; set TMPDIR to another folder\n"
    assert (done.code, done.out, done.err) == (2, b"", said)


def test_a_disk_that_is_full_during_the_run_is_one_sentence(evaltui: Evaltui, monkeypatch: pytest.MonkeyPatch) -> None:
    files(200)
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no /dev/full here")
    monkeypatch.setattr("tempfile.TemporaryFile", lambda **_: full.open("w+b"))
    done = evaltui("run", SET, "-r", "runs", "-o", "scores.json")
    said = "evaltui: the temporary folder cannot be used: no space left on device; set TMPDIR to another folder\n"
    assert (done.code, done.out, done.err) == (2, b"", said)
    assert not Path("scores.json").exists()


def test_a_run_puts_no_named_file_into_the_temporary_folder(
    evaltui: Evaltui, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of a process deletes a file without a name, so a killed run leaves nothing behind."""
    files(90)
    seen: list[list[Path]] = []
    prepared_for = ResultSpool.prepared_for

    def looking(self: ResultSpool, case: CaseResult) -> object:
        seen.append(list(temporary.iterdir()))
        return prepared_for(self, case)

    monkeypatch.setattr(ResultSpool, "prepared_for", looking)
    assert evaltui("run", SET, "-r", "runs", "--format", "json").code == 1
    assert seen == [[]] * 90


@pytest.mark.parametrize("lists", ["small", "large"])
def test_a_large_recording_gives_the_same_reports(
    evaltui: Evaltui, monkeypatch: pytest.MonkeyPatch, lists: str
) -> None:
    files(90, in_a_file=45)
    expected = evaltui("run", SET, "-r", "runs", "--format", "json")
    monkeypatch.setattr("evaltui.recordings.recording_bytes.LARGE", 0)
    monkeypatch.setattr("evaltui.files.spool.MOST", 0 if lists == "large" else 1_000_000)
    assert evaltui("run", SET, "-r", "runs", "--format", "json") == expected
    assert evaltui("run", SET, "-r", "runs", "--format", "json", "--jobs", "2") == expected


def test_memory_does_not_grow_with_the_number_of_cases(evaltui: Evaltui) -> None:
    peaks = []
    for cases in (20, 60, 240):
        files(cases, in_a_file=200)
        gc.collect()
        tracemalloc.start()
        done = evaltui("run", SET, "-r", "runs", "-o", "r.json", "-o", "r.xml", "-o", "r.md")
        peaks.append(tracemalloc.get_traced_memory()[1] - len(done.out))
        tracemalloc.stop()
        assert done.code == 1
    assert peaks[2] < 2 * peaks[1]  # the first run imports modules

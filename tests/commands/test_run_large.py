"""`evaltui run` on more than memory should hold: several processes, files read piece by piece, results on disk."""

from __future__ import annotations

import errno
import gc
import os
import shutil
import subprocess
import sys
import tempfile
import tracemalloc
from concurrent.futures import Future
from multiprocessing import active_children
from pathlib import Path

import pytest

from evaltui.document.disk.locks import lock
from evaltui.runs.batch.match_table import MatchTable
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
    monkeypatch.setattr("evaltui.evalset.case_stream.LARGE", 0)
    monkeypatch.setattr("evaltui.evalset.case_stream.WINDOW", 10_000)
    monkeypatch.setattr("evaltui.recordings.large_recording.LARGE", 0)
    monkeypatch.setattr("evaltui.runs.batch.batch_run._TOGETHER", 20)
    monkeypatch.setattr("evaltui.runs.batch.recording_index._MOST", 1)


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
    from evaltui.runs.batch import recording_index
    recording_index._MOST = 1
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
    fill = MatchTable.fill

    def changing(*arguments: object) -> None:
        fill(*arguments)  # type: ignore[arg-type]
        Path(SET).write_text(Path(SET).read_text() + " ")

    monkeypatch.setattr(MatchTable, "fill", changing)
    done = evaltui("run", SET, "-r", "runs", "--jobs", jobs)
    said = f"evaltui: {SET}: the file changed while it was scored; run the command again\n"
    assert (done.code, done.out, done.err) == (2, b"", said)


def test_no_place_for_temporary_files_is_one_sentence(evaltui: Evaltui, monkeypatch: pytest.MonkeyPatch) -> None:
    files(3)

    def full(**_: object) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("evaltui.runs.batch.work_folder.mkdtemp", full)
    done = evaltui("run", SET, "-r", "runs")
    said = "evaltui: the temporary folder cannot be used: no space left on device; set TMPDIR to another folder\n"
    assert (done.code, done.out, done.err) == (2, b"", said)


def test_a_disk_that_is_full_during_the_run_is_one_sentence(evaltui: Evaltui, temporary: Path) -> None:
    files(3)
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no /dev/full here")
    script = f"""
import sys
from evaltui.runs.batch import work_folder
opened = work_folder.Path.open
work_folder.RecordFile.__init__.__globals__["Path"].open = lambda path, mode="r", **more: opened(
    work_folder.Path("/dev/full") if path.name.startswith("results-") else path, mode, **more)
sys.argv[1:] = ["run", "{SET}", "-r", "runs"]
from evaltui.__main__ import run
run()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1
    assert b"no space left on device" in done.stderr
    assert list(temporary.iterdir()) == []


def killed_run(temporary: Path) -> Path:
    """The folder of a run that was killed."""
    before = set(temporary.iterdir())
    script = """
import os, signal
from evaltui.runs.batch.work_folder import work_folder
with work_folder() as folder:
    (folder.path / "results-1").write_text("x")
    os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", script], check=False, timeout=60)
    (folder,) = set(temporary.iterdir()) - before
    return folder


def test_what_a_killed_run_left_behind_is_deleted(evaltui: Evaltui, temporary: Path) -> None:
    files(3)
    killed, running, fresh = (killed_run(temporary) for _ in range(3))
    for folder in (killed, running):
        os.utime(folder, (0, 0))
    handle = os.open(running, os.O_RDONLY)
    try:
        assert lock(handle)
        evaltui("run", SET, "-r", "runs")
    finally:
        os.close(handle)
    assert sorted(temporary.iterdir()) == sorted([running, fresh])
    assert not killed.exists()


def test_no_folder_of_others_is_deleted_whatever_its_name(
    evaltui: Evaltui, temporary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files(3)
    marked = killed_run(temporary)
    elsewhere = tmp_path / "elsewhere"
    marked.rename(elsewhere)
    plain, copied, piped, link = (temporary / f"evaltui-run-{name}" for name in ("plain", "copied", "piped", "link"))
    plain.mkdir()
    shutil.copytree(elsewhere, copied)
    piped.mkdir()
    os.mkfifo(piped / "mark")
    link.symlink_to(elsewhere)
    (temporary / "evaltui-run-file").write_text("x")
    for path in (plain, copied, piped, elsewhere):
        (path / "precious").write_text("x")
        os.utime(path, (0, 0))
    kept = {path: sorted(path.rglob("*")) for path in (*temporary.iterdir(), elsewhere)}
    evaltui("run", SET, "-r", "runs")
    assert {path: sorted(path.rglob("*")) for path in (*temporary.iterdir(), elsewhere)} == kept
    of_somebody = killed_run(temporary)
    os.utime(of_somebody, (0, 0))
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: of_somebody.stat().st_uid + 1)
        evaltui("run", SET, "-r", "runs")
    assert of_somebody.exists()
    evaltui("run", SET, "-r", "runs")
    assert not of_somebody.exists()


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

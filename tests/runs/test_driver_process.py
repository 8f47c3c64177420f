"""The process that talks to Ray, and the command that watches it: exit codes, streams and signals, without Ray."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from evaltui.runs.ray import driver_process
from evaltui.runs.ray.driver_process import allow_silence, note_progress, wait_for, waiting

_PROJECT = Path(__file__).parents[2]
_PROGRAM = """
import os, signal, sys
from evaltui.document.errors import DocumentError
from evaltui.interrupt import end_at_once
from evaltui.runs.ray.driver_process import allow_silence, ray_output, run_in_driver

def work():
    with ray_output():
        allow_silence(int(sys.argv[1]), "Ray was silent")
        exec(sys.argv[2])
        allow_silence(0, "")
    print("the report")
    return 3

end_at_once()
try:
    code = run_in_driver(work, lambda: None)
except DocumentError as error:
    sys.exit(f"said: {error}")
sys.exit(code)
"""
_HANG = "signal.pause()"


def _started(folder: Path, work: str, limit: int = 100, handle: int = 2) -> subprocess.Popen[str]:
    """A program whose driver does `work`. It inherits the handle."""
    return subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, str(limit), work],
        env={**os.environ, "PYTHONPATH": str(_PROJECT), "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=[handle],
        text=True,
    )


def _ended(folder: Path, work: str, limit: int = 100) -> tuple[int, str, str]:
    process = _started(folder, work, limit)
    out, said = process.communicate()
    return process.returncode, out, said


def test_only_the_report_is_on_stdout_and_the_exit_code_is_passed_on(tmp_path: Path) -> None:
    noise = 'print("of Ray"); os.write(1, b"of Ray"); os.write(2, b"of Ray"); os.system("echo of Ray")'
    assert _ended(tmp_path, noise) == (3, "the report\n", "")


@pytest.mark.parametrize(
    ("work", "how"), [("os._exit(1)", "by Ray"), ("os.kill(os.getpid(), signal.SIGKILL)", "by SIGKILL")]
)
def test_a_driver_that_ray_ends_is_said(tmp_path: Path, work: str, how: str) -> None:
    sentence = f"said: the Ray cluster was lost: the run was ended {how}; run it again\n"
    assert _ended(tmp_path, work) == (1, "", sentence)


def test_messages_of_ray_are_named_if_the_cluster_is_lost(tmp_path: Path) -> None:
    _, _, said = _ended(tmp_path, 'os.write(1, b"the raylet died"); os._exit(1)')
    (kept,) = tmp_path.glob("evaltui-ray-*.log")
    assert said.endswith(f"run it again. Messages of Ray are in {kept}\n")
    assert kept.read_text() == "the raylet died"
    assert kept.stat().st_mode & 0o077 == 0


def test_silence_has_a_limit(tmp_path: Path) -> None:
    assert _ended(tmp_path, _HANG, limit=1) == (1, "", "said: Ray was silent\n")


@pytest.mark.parametrize(
    ("number", "code", "work"),
    [
        (signal.SIGINT, 130, _HANG),
        (signal.SIGTERM, -signal.SIGTERM, _HANG),
        pytest.param(
            signal.SIGINT, 130, f"signal.signal(signal.SIGTERM, signal.SIG_IGN); {_HANG}", marks=pytest.mark.thorough
        ),
        pytest.param(signal.SIGKILL, -signal.SIGKILL, _HANG, marks=pytest.mark.thorough),
    ],
    ids=["Ctrl-C", "SIGTERM", "Ctrl-C if Ray hangs", "SIGKILL"],
)
def test_a_signal_ends_command_and_driver(tmp_path: Path, number: int, code: int, work: str) -> None:
    begun, handle = os.pipe()
    process = _started(tmp_path, f"os.write({handle}, b'begun'); {work}", handle=handle)
    os.close(handle)
    assert os.read(begun, 5) == b"begun"
    process.send_signal(number)
    assert process.communicate() == ("", "")
    assert process.returncode == code
    assert os.read(begun, 1) == b""  # the driver has ended, too: nobody can write
    os.close(begun)


def test_progress_is_told_once_a_second_and_never_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    heard, told = os.pipe()
    now = [100.0]
    driver = driver_process._Driver()
    driver.pipe = told
    monkeypatch.setattr(driver_process, "_driver", driver)
    monkeypatch.setattr(driver_process.time, "monotonic", lambda: now[0])
    allow_silence(9, "silent")
    for moment in (100.1, 100.9, 101.5):
        now[0] = moment
        note_progress()
    assert os.read(heard, 1000) == b"9 silent\n" * 2
    while select.select([], [told], [], 0)[1]:
        os.write(told, b"." * 4096)
    now[0] = 110.0
    note_progress()
    assert driver.last == 110.0
    os.close(heard)
    allow_silence(0, "")  # the command has ended
    os.close(told)


def test_after_some_silence_it_is_said_what_ray_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(driver_process, "_driver", driver_process._Driver())
    monkeypatch.setattr(driver_process.time, "monotonic", lambda: now[0])
    note_progress()
    assert waiting() == ""
    now[0] = 130.0
    assert waiting() == "waiting 30 s for the Ray cluster"
    wait_for("a lost machine")
    assert waiting() == "waiting 30 s for a lost machine"
    note_progress()
    assert waiting() == ""

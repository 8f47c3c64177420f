"""A test that hangs ends and is named, whatever it waits for; children obey the signals that tests send."""

import os
import signal
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[1]
DEAF = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); print(flush=True); signal.pause()"
HANGING = f"""
import multiprocessing, os, signal, subprocess, sys
import pytest

@pytest.mark.timeout(0.5)
def test_hangs():
    multiprocessing.get_context("spawn").Lock()
    with subprocess.Popen([sys.executable, "-c", {DEAF!r}], stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        child.send_signal(signal.SIGINT)
        child.wait()

@pytest.fixture
def left_behind():
    yield
    signal.pause()

@pytest.mark.timeout(0.5)
def test_fails(left_behind):
    assert False

@pytest.fixture
def loop():
    yield
    raise SystemExit("the test took more than its 0.5 s")

def test_patches(monkeypatch, loop):
    monkeypatch.setenv("PATCHED", "1")

@pytest.mark.filterwarnings("error")
def test_goes_on():
    multiprocessing.get_context("spawn").Lock()
    assert "PATCHED" not in os.environ
"""
STARTS_A_CHILD = """
import subprocess, sys
from tests.limits import heed_signals

heed_signals()
child = "import os, signal; os.kill(os.getpid(), getattr(signal, sys.argv[1])); signal.pause()"
sys.exit(subprocess.run([sys.executable, "-c", "import sys;" + child, sys.argv[1]]).returncode)
"""


def test_a_test_that_waits_for_a_child_ends_and_the_next_one_runs(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("from tests.limits import *\n")
    (tmp_path / "test_hanging.py").write_text(HANGING)
    words = ["-n", "0", "-p", "no:randomly", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "-c", os.devnull]
    command = [sys.executable, "-m", "pytest", *words, str(tmp_path)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert "2 failed, 2 passed, 2 errors" in done.stdout
    assert done.stdout.count("SystemExit: the test took more than its 0.5 s") >= 3


def test_children_obey_signals_that_the_parent_was_told_to_ignore() -> None:
    script = f"exec {sys.executable} -c '{STARTS_A_CHILD.replace(chr(39), chr(34))}'"
    for name in ("SIGINT", "SIGHUP", "SIGQUIT"):
        ignoring = ["sh", "-c", f"trap '' INT HUP QUIT; {script} {name}"]
        done = subprocess.run(ignoring, cwd=PROJECT, stderr=subprocess.DEVNULL, check=False)
        assert done.returncode == -getattr(signal, name) % 256, name

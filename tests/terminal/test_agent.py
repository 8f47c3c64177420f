"""f6 in a real terminal: a command is trusted once, its result moves the scores, and it ends with the editor."""

import json
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.scored_sets import EXPECTED, SET, history
from tests.terminal.conftest import OpenTerminal
from tests.terminal.terminal import EVALTUI, Terminal

RESULT = next(iter(history(EXPECTED).values()))
GOOD = f"""
import pathlib, sys
print("\\x1b[31masking the model\\x1b[0m about", sys.argv[1])
folder = pathlib.Path(".adk/eval_history")
folder.mkdir(parents=True)
(folder / "app_trips_1760000001.5.evalset_result.json").write_text({RESULT!r})
"""
ENDLESS = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import signal; signal.signal(15, signal.SIG_IGN); signal.pause()"])
open("pids", "w").write(f"{os.getpid()} {child.pid}")
print("up", flush=True)
child.wait()
"""


def begin(terminal: Terminal, script: str) -> None:
    (terminal.work / "set.evalset.json").write_text(SET)
    (terminal.work / "agent.py").write_text(script)
    command = f"{sys.executable} agent.py {{set}}:{{cases}}"
    (terminal.work / "evaltui.toml").write_text(f"run = {json.dumps(command)}\n")
    terminal.start([*EVALTUI, "edit", "set.evalset.json"])
    terminal.until("enter edit")


def is_there(pid: int) -> bool:
    """Whether a process runs and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
def test_the_agent_runs_once_it_is_trusted_and_the_scores_are_those_of_its_result(
    open_terminal: OpenTerminal, size: tuple[int, int]
) -> None:
    terminal = open_terminal(*size)
    begin(terminal, GOOD)
    terminal.keys("F6")
    terminal.until("Trust this command?")
    terminal.keys("Escape")
    terminal.until("The agent was not started.")
    assert not (terminal.work / ".adk").exists()
    terminal.keys("F6")
    terminal.until("Command ")
    terminal.keys("y")
    terminal.until("✓ exit code 0")
    terminal.until("asking the model about")
    terminal.until("1 new recording.")
    terminal.keys("Escape")
    terminal.until("4 ✓")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0
    assert b"\x1b[31masking" not in terminal.raw()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="tells processes by /proc")
@pytest.mark.parametrize("end", ["cancel", "quit", "SIGTERM", "SIGHUP"])
def test_nothing_of_the_agent_outlives_its_cancel_or_the_editor(terminal: Terminal, end: str) -> None:
    begin(terminal, ENDLESS)
    terminal.keys("F6")
    terminal.until("Command ")
    terminal.keys("y")
    terminal.until("up")
    pids = [int(pid) for pid in (terminal.work / "pids").read_text().split()]
    assert all(map(is_there, pids))
    if end == "cancel":
        terminal.keys("x")
        terminal.until("cancelling")
        terminal.keys("x")
        terminal.until("– cancelled")
    elif end == "quit":
        terminal.keys("C-q")
        terminal.until("again to stop it and quit")
        terminal.keys("C-q")
        assert terminal.until_exit() == 0
    else:
        number = getattr(signal, end)
        os.kill(editor_of(pids[0]), number)
        assert terminal.until_exit() in (128 + number, -number)
    terminal.until(lambda _: not any(map(is_there, pids)))


def editor_of(pid: int) -> int:
    """The process that started another one."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])

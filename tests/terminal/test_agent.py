"""f6 in a real terminal: a command is trusted once, its result moves the scores, and it ends with the editor."""

import json
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.sampling import sampled
from tests.scored_sets import EXPECTED, SET, history
from tests.terminal.conftest import OpenTerminal
from tests.terminal.terminal import EVALTUI, Terminal
from tests.terminal.waiting import evaltui_of, is_there, until

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
deaf = [sys.executable, "-c", "import signal; signal.signal(15, signal.SIG_IGN); signal.pause()"]
child = subprocess.Popen(deaf, start_new_session=True)
open("new", "w").write(f"{os.getpid()} {child.pid}")
os.rename("new", "pids")
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


@pytest.mark.parametrize("size", sampled([(80, 24), (140, 40)], 1))
def test_the_agent_runs_once_it_is_trusted_and_nothing_of_it_outlives_its_cancel_or_the_editor(
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
    assert b"\x1b[31masking" not in terminal.raw()
    (terminal.work / "agent.py").write_text(ENDLESS)
    terminal.keys("F6")
    terminal.until("Files    agent.py")  # it changed
    terminal.keys("y")
    pids = of_the_agent(terminal)
    terminal.keys("x")
    terminal.until("cancelling")
    terminal.keys("x")
    terminal.until("– cancelled")
    terminal.until(lambda _: not any(map(is_there, pids)))
    terminal.keys("F6")
    pids = of_the_agent(terminal)
    terminal.keys("C-q")
    terminal.until("again to stop it and quit")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0
    until(lambda: not any(map(is_there, pids)))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="tells processes by /proc")
@pytest.mark.parametrize("number", sampled([signal.SIGTERM, signal.SIGHUP], 1))
def test_nothing_of_the_agent_outlives_an_editor_that_a_signal_ends(terminal: Terminal, number: int) -> None:
    begin(terminal, ENDLESS)
    terminal.keys("F6")
    terminal.until("Command ")
    terminal.keys("y")
    pids = of_the_agent(terminal)
    os.kill(evaltui_of(pids[0]), number)
    assert terminal.until_exit() in (128 + number, -number)
    until(lambda: not any(map(is_there, pids)))


def of_the_agent(terminal: Terminal) -> list[int]:
    """The processes of the endless agent, once it is up."""
    terminal.until(lambda _: (terminal.work / "pids").exists())
    terminal.until("up")
    pids = [int(pid) for pid in (terminal.work / "pids").read_text().split()]
    (terminal.work / "pids").unlink()
    assert all(map(is_there, pids))
    return pids

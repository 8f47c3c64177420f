"""Stopped from outside and continued by the shell, as `kill -TSTP` and `fg` do."""

import os
import re
import shlex
import signal
import subprocess
from pathlib import Path

import pytest

from tests.terminal.terminal import EVALTUI, Terminal

SET = '{"eval_set_id": "desk", "eval_cases": [{"eval_id": "greeting", "conversation": []}]}'


@pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="finds the process by its folder in /proc")
def test_the_screen_is_drawn_anew_once_it_goes_on(terminal: Terminal) -> None:
    (terminal.work / "desk.json").write_text(SET)
    terminal.start(["bash", "--norc", "--noprofile", "-i"], {"PS1": "ready> "})
    terminal.until("ready>")
    terminal.type(shlex.join([*EVALTUI, "edit", "desk.json"]) + "\n")
    terminal.until("enter edit")
    terminal.keys("d")
    terminal.until("0 cases")
    found = subprocess.run(["pgrep", "-f", "evaltui edit desk.json"], capture_output=True, text=True, check=True)
    (process,) = [int(line) for line in found.stdout.split() if Path(f"/proc/{line}/cwd").readlink() == terminal.work]
    os.kill(process, signal.SIGTSTP)
    terminal.until("Stopped")
    terminal.type("fg\n")
    terminal.until("enter edit")
    terminal.keys("u")
    assert not any("Stopped" in line for line in terminal.until(re.compile("1 case.*\n(.*\n)*.*greeting")))

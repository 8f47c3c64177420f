"""The recordings picker in a real terminal: a file is added, dropped and brought back, and another run counts."""

import pytest

from tests.runs.test_run_options import BAD, result_file
from tests.scored_sets import RECORDING, SET
from tests.terminal.conftest import OpenTerminal
from tests.terminal.terminal import EVALTUI, Terminal


def begin(terminal: Terminal, *options: str) -> None:
    (terminal.work / "set.evalset.json").write_text(SET)
    (terminal.work / "actual.json").write_text(RECORDING)
    (terminal.work / "later.json").write_text(result_file(9.0, BAD))
    terminal.start([*EVALTUI, "edit", "set.evalset.json", *options])


@pytest.mark.thorough
def test_a_recording_is_added_dropped_and_brought_back(terminal: Terminal) -> None:
    begin(terminal, "-r", "actual.json")
    terminal.until("1 ✓ 2 ✗ 1 –")
    terminal.keys("H")
    terminal.until("3 of 4 matched")
    terminal.keys("a")
    terminal.until("Path of a recording")
    terminal.type("lat")
    terminal.keys("Tab", "Enter")
    terminal.until("greeting fails now")
    terminal.keys("d")
    terminal.until("greeting passes now")
    terminal.keys("u", "q")
    terminal.until("3 ✗ 1 –")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0
    assert (terminal.work / "later.json").exists()


@pytest.mark.thorough
def test_another_run_counts_and_all_runs_are_scored(open_terminal: OpenTerminal) -> None:
    terminal = open_terminal(140, 40)
    begin(terminal, "-r", "actual.json", "-r", "later.json", "--runs", "all")
    terminal.until("1/2")
    terminal.keys("4", "n")
    terminal.until("3 ✗ 1 –")
    terminal.keys("B")
    terminal.until("run 2 of 2 is used")
    terminal.keys("Home", "Enter")
    terminal.until("run 1 of 2 is used (l: latest run). · greeting passes now")
    terminal.keys("Escape")
    terminal.until("run 1 of 2 actual.json")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0

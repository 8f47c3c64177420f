"""Scores in a real terminal: opened with a recording, edited, saved, run again, and gone to."""

import re

import pytest

from tests.scored_sets import ACTUAL, RECORDING, SET, history, recording_with, turn
from tests.terminal.conftest import OpenTerminal
from tests.terminal.terminal import EVALTUI, Terminal

OTHER_WORDS = recording_with("greeting", turn(1, "Hello", "Other words"))


def begin(terminal: Terminal, *options: str) -> None:
    (terminal.work / "set.evalset.json").write_text(SET)
    (terminal.work / "actual.json").write_text(RECORDING)
    terminal.start([*EVALTUI, "edit", "set.evalset.json", *options])


@pytest.mark.thorough
def test_a_case_is_edited_until_it_passes(terminal: Terminal) -> None:
    begin(terminal, "-r", "actual.json")
    terminal.until("1 ✓ 2 ✗ 1 –")
    terminal.keys("4")
    terminal.until("✗ 0.50 < 1.00")
    terminal.keys("Enter")
    terminal.until("▌Why")
    terminal.until(re.compile(r"flight_id  \"1\" \(string\) → 1 \(number\)"))
    terminal.keys("Escape")
    terminal.until("─ Cases")
    terminal.keys("]")
    terminal.until("Failing case 2 of 2: too_long")
    terminal.keys("Down", "Down", "d")
    terminal.until("1 ✓ 1 ✗ 1 – 1 outdated")
    terminal.keys("C-s")
    terminal.until("2 ✓ 1 ✗ 1 –")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


@pytest.mark.thorough
def test_results_of_google_adk_are_found_beside_the_set(terminal: Terminal) -> None:
    for name, content in history({"greeting": ACTUAL["greeting"]}).items():
        (terminal.work / name).parent.mkdir(parents=True)
        (terminal.work / name).write_text(content)
    begin(terminal)
    terminal.until("1 ✓ 3 –")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


@pytest.mark.thorough
def test_what_is_named_and_not_there_is_refused(terminal: Terminal) -> None:
    for options in (("-r", "gone.json"), ("--config", "gone.json"), ("-r", "-")):
        begin(terminal, *options)
        assert terminal.until_exit() == 2
        terminal.until(re.compile(r"evaltui: (gone\.json: there is no such file|-: standard input)"))


@pytest.mark.thorough
def test_live_mode_scores_while_one_types_and_without_it_a_save_does(open_terminal: OpenTerminal) -> None:
    terminal = open_terminal(140, 40)
    begin(terminal, "-r", "actual.json")
    terminal.until("Scores 1 ✓ 2 ✗ 1 –")
    terminal.keys("L")
    terminal.until("each edit is scored at once")
    terminal.keys("Home", "Down", "Down", "Enter", "Down", "Enter", "F7")
    terminal.type("No")
    terminal.until("Scores 3 ✗ 1 – · live")
    terminal.until(re.compile(r"▼ -0.92 fails now, case changed(?s:.*)esc done"))  # in a burst, the keys are drawn last
    terminal.keys("Escape")
    terminal.until("enter edit")
    terminal.keys("u")
    terminal.until("Scores 1 ✓ 2 ✗ 1 – · live")
    (terminal.work / "actual.json").write_text(OTHER_WORDS)
    terminal.keys("F5")
    terminal.until("▼ -0.92 fails now, text changed")
    terminal.keys("L")
    terminal.until(lambda lines: not any("· live" in line for line in lines))
    terminal.keys("1", "Home", "Down", "Down", "Enter", "Enter")
    terminal.type("Well, ")
    terminal.until("1 outdated")
    terminal.keys("C-s")  # leaves the field for a moment
    terminal.until(re.compile(r"Scored again: 0 of 4(?s:.*)esc done"))
    terminal.keys("Escape")
    terminal.until("enter edit")
    terminal.keys("4", "p")
    terminal.until("Paused: ")
    (terminal.work / "actual.json").write_text(RECORDING)
    terminal.keys("F5")
    terminal.until("scored: 1 passed, 2 failed, 1 not evaluated")
    terminal.keys("o")
    terminal.until("only changed")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0

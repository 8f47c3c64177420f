"""The editor in a real terminal while config and recordings change on disk: scores move, and old ones are marked."""

import json
import re

import pytest

from tests.scored_sets import ACTUAL, EXPECTED, RECORDING, SET, a_set, history, recording_with, turn
from tests.terminal.conftest import OpenTerminal
from tests.terminal.terminal import EVALTUI, Terminal

CONFIG = json.dumps({"criteria": {"response_match_score": 0.1}})


def begin(terminal: Terminal, *options: str) -> None:
    (terminal.work / "set.evalset.json").write_text(SET)
    (terminal.work / "actual.json").write_text(RECORDING)
    terminal.start([*EVALTUI, "edit", "set.evalset.json", *options])


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
def test_a_recording_that_another_program_writes_moves_the_scores(
    open_terminal: OpenTerminal, size: tuple[int, int]
) -> None:
    terminal = open_terminal(*size)
    begin(terminal, "-r", "actual.json")
    terminal.until("1 ✓ 2 ✗ 1 –")
    (terminal.work / "actual.json").write_text(recording_with("greeting", turn(1, "Hello", "Other words")))
    terminal.until("actual.json changed on disk · greeting fails now")
    terminal.until("3 ✗ 1 –")
    (terminal.work / "actual.json").write_text(RECORDING)
    terminal.until("1 ✓ 2 ✗ 1 –")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


def test_a_broken_config_is_said_and_marks_all_scores_until_it_is_repaired(terminal: Terminal) -> None:
    begin(terminal, "-r", "actual.json")
    terminal.until("1 ✓ 2 ✗ 1 –")
    (terminal.work / "test_config.json").write_text(CONFIG)
    terminal.until("test_config.json changed on disk · book_flight passes now")
    (terminal.work / "test_config.json").write_text(CONFIG[:20])
    terminal.until("4 outdated")
    terminal.until(re.compile(r"The scores are outdated: test_config\.json:1:\d+: invalid JSON"))
    (terminal.work / "test_config.json").write_text(CONFIG)
    terminal.until("2 ✓ 1 ✗ 1 –")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


def test_a_broken_recording_marks_the_cases_that_it_scored(terminal: Terminal) -> None:
    begin(terminal, "-r", "actual.json")
    terminal.until("1 ✓ 2 ✗ 1 –")
    (terminal.work / "actual.json").write_text(RECORDING[:200])
    terminal.until("3 outdated")
    (terminal.work / "actual.json").write_text(RECORDING)
    terminal.until("1 ✓ 2 ✗ 1 –")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


def test_a_result_that_google_adk_writes_is_picked_up_where_there_was_no_folder(terminal: Terminal) -> None:
    begin(terminal)
    terminal.until("trips")
    for name, content in history({"greeting": ACTUAL["greeting"]}).items():
        (terminal.work / name).parent.mkdir(parents=True)
        (terminal.work / name).write_text(content)
    terminal.until("1 ✓ 3 –")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


def test_each_change_says_only_what_it_changed(open_terminal: OpenTerminal) -> None:
    """A verdict that a reload of the set changed was told again with the next recording."""
    terminal = open_terminal(140, 40)
    begin(terminal, "-r", "actual.json")
    terminal.until("1 ✓ 2 ✗ 1 –")
    (terminal.work / "set.evalset.json").write_text(a_set({**EXPECTED, "greeting": [turn(1, "Hello", "Go away")]}))
    terminal.until("reloaded: 1 case changed")
    terminal.until("greeting fails now")
    (terminal.work / "actual.json").write_text(recording_with("book_flight", *EXPECTED["book_flight"]))
    terminal.until("actual.json changed on disk · book_flight passes now")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


def test_a_paused_watch_scores_once_it_goes_on(terminal: Terminal) -> None:
    begin(terminal, "-r", "actual.json")
    terminal.until("1 ✓ 2 ✗ 1 –")
    terminal.keys("4")
    terminal.until("p pause")
    terminal.keys("p")
    terminal.until("Paused: saves, edits and changes on disk are not scored. Press p to resume.")
    (terminal.work / "actual.json").write_text(recording_with("greeting", turn(1, "Hello", "Other words")))
    terminal.until("outdated: actual.json changed while scoring was paused")
    terminal.until("4 outdated")
    terminal.keys("p")
    terminal.until("3 ✗ 1 –")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0

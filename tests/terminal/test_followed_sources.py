"""The editor in a real terminal while config and recordings change on disk: scores move, and old ones are marked."""

import json
import re

import pytest

from tests.scored_sets import ACTUAL, EXPECTED, RECORDING, SET, a_set, history, recording_with, turn
from tests.terminal.conftest import OpenTerminal
from tests.terminal.terminal import EVALTUI, Terminal

OTHER_WORDS = recording_with("greeting", turn(1, "Hello", "Other words"))
CONFIG = json.dumps({"criteria": {"response_match_score": 0.1}})


def begin(terminal: Terminal, *options: str) -> None:
    (terminal.work / "set.evalset.json").write_text(SET)
    (terminal.work / "actual.json").write_text(RECORDING)
    terminal.start([*EVALTUI, "edit", "set.evalset.json", *options])


def test_scores_follow_recordings_and_config_and_are_marked_while_these_cannot_be_read(terminal: Terminal) -> None:
    begin(terminal, "-r", "actual.json")
    terminal.until("1 ✓ 2 ✗ 1 –")
    recording, config = terminal.work / "actual.json", terminal.work / "test_config.json"
    recording.write_text(OTHER_WORDS)
    terminal.until("actual.json changed on disk · greeting fails now")
    terminal.until("3 ✗ 1 –")
    recording.write_text(RECORDING[:200])
    terminal.until("3 outdated")
    recording.write_text(RECORDING)
    terminal.until("1 ✓ 2 ✗ 1 –")
    config.write_text(CONFIG)
    terminal.until("test_config.json changed on disk · book_flight passes now")
    config.write_text(CONFIG[:20])
    terminal.until("4 outdated")
    terminal.until(re.compile(r"The scores are outdated: test_config\.json:1:\d+: invalid JSON"))
    config.write_text(CONFIG)
    terminal.until("2 ✓ 1 ✗ 1 –")
    config.unlink()
    terminal.until("1 ✓ 2 ✗ 1 –")
    terminal.keys("4")
    terminal.until("p pause")
    terminal.keys("p")
    terminal.until("Paused: saves, edits and changes on disk are not scored. Press p to resume.")
    recording.write_text(OTHER_WORDS)
    terminal.until("outdated: actual.json changed while scoring was paused")
    terminal.until("4 outdated")
    terminal.keys("p")
    terminal.until("3 ✗ 1 –")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


@pytest.mark.thorough
def test_a_result_that_google_adk_writes_is_picked_up_where_there_was_no_folder(terminal: Terminal) -> None:
    begin(terminal)
    terminal.until("trips")
    for name, content in history({"greeting": ACTUAL["greeting"]}).items():
        (terminal.work / name).parent.mkdir(parents=True)
        (terminal.work / name).write_text(content)
    terminal.until("1 ✓ 3 –")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


@pytest.mark.thorough
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

"""The review in a real terminal: walked through by keys, killed in the middle, resized, and left."""

import json
import os
import signal
from pathlib import Path

import pytest

from tests.sampling import sampled
from tests.scored_sets import RECORDING, SET
from tests.terminal.conftest import OpenTerminal
from tests.terminal.terminal import EVALTUI, Terminal


def begin(terminal: Terminal, *options: str) -> Path:
    """The path of the set, once the review shows its first turn."""
    path = terminal.work / "set.evalset.json"
    path.write_text(SET)
    (terminal.work / "actual.json").write_text(RECORDING)
    (terminal.work / "pid").touch()
    command = [*EVALTUI, "review", "set.evalset.json", "-r", "actual.json", *options]
    terminal.start(["sh", "-c", 'echo $$ > pid; exec "$@"', "sh", *command])
    terminal.until("Review [1/")
    return path


def decisions(terminal: Terminal) -> list[dict[str, object]]:
    text = (terminal.work / "set.evalset.json.review.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("size", sampled([(80, 24), (140, 40)], 1))
def test_all_turns_are_reviewed_and_saved_by_keys(open_terminal: OpenTerminal, size: tuple[int, int]) -> None:
    terminal = open_terminal(*size)
    path = begin(terminal)
    terminal.until("book_flight › turn 2")
    terminal.keys("a")
    terminal.until('Accepted: flight_id: "1" → 1 (type differs)')
    terminal.keys("S", "a")
    terminal.until("too_long › turn 2")
    terminal.keys("S")
    terminal.until("all turns decided")
    terminal.keys("s")
    terminal.until("Summary")
    terminal.keys("C-s")
    terminal.until("Saved set.evalset.json")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0
    saved = json.loads(path.read_text())
    assert [len(case["conversation"]) for case in saved["eval_cases"]] == [1, 2, 1, 1]
    assert [each["decision"] for each in decisions(terminal)] == ["accepted"] * 4


def test_a_kill_in_the_middle_loses_neither_edits_nor_decisions(terminal: Terminal) -> None:
    path = begin(terminal)
    terminal.keys("a")
    terminal.until("Accepted")
    terminal.keys("J", "r")
    terminal.until("1 done")
    state = terminal.home / "state"
    terminal.until(lambda _: any(b'"do"' in file.read_bytes() for file in state.rglob("*.journal") if file.is_file()))
    os.kill(int((terminal.work / "pid").read_text()), signal.SIGKILL)
    assert terminal.until_exit() == -signal.SIGKILL
    assert path.read_text() == SET
    assert [each["decision"] for each in decisions(terminal)] == ["accepted", "agent is wrong"]
    terminal.start([*EVALTUI, "review", "set.evalset.json", "-r", "actual.json"])
    terminal.until("r restore")
    terminal.keys("r")
    terminal.until("Review [")
    terminal.until("send_email")
    terminal.keys("E")
    terminal.until("●")


@pytest.mark.thorough
def test_small_and_large_terminals_show_the_same_turn(terminal: Terminal) -> None:
    begin(terminal)
    for size in ((20, 6), (200, 60), (99, 12), (100, 24)):
        terminal.resize(*size)
        terminal.until("Review")
    terminal.until("send_email")
    terminal.keys("Escape")
    terminal.until("Press E to open the editor, or ^q to quit")
    terminal.keys("E")
    terminal.until("enter edit")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


@pytest.mark.thorough
def test_keys_in_a_burst_do_not_decide_about_what_was_not_seen(terminal: Terminal) -> None:
    path = begin(terminal)
    terminal.keys("a", "a", "a", "a", "u", "u", "u", "u", "u", "u")
    terminal.until("Nothing to undo")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0
    assert path.read_text() == SET


@pytest.mark.thorough
def test_a_file_that_changes_on_disk_is_read_again(terminal: Terminal) -> None:
    path = begin(terminal)
    terminal.until("Booking confirmed, your code is ABC.")
    path.write_text(SET.replace("your code is ABC", "your code is XYZ"))
    terminal.until("Booking confirmed, your code is XYZ.")
    terminal.keys("a")
    terminal.until("Accepted")
    terminal.keys("C-s")
    terminal.until("Saved set.evalset.json")
    assert path.read_text() == SET.replace("your code is ABC", "your code is XYZ").replace(
        '"flight_id": "1"', '"flight_id": 1'
    )


@pytest.mark.thorough
def test_a_review_that_is_opened_again_begins_at_a_turn_that_is_open(terminal: Terminal) -> None:
    begin(terminal)
    terminal.keys("r")
    terminal.until("1 done")
    terminal.keys("q")
    assert terminal.until_exit() == 0
    terminal.start([*EVALTUI, "review", "set.evalset.json", "-r", "actual.json"])
    terminal.until("Review [2/2]")
    terminal.until("too_long")

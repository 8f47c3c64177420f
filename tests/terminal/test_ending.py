"""However the editor is ended, the terminal is sane and the unsaved work comes back."""

import os
import re
import signal
from pathlib import Path

import pytest

from tests.sampling import sampled
from tests.terminal.terminal import EVALTUI, Terminal

HUNG_DISK = Path(__file__).parent / "hung_disk"
SET = """{"eval_set_id": "desk", "eval_cases": [
  {"eval_id": "greeting", "conversation": []},
  {"eval_id": "farewell", "conversation": []}]}
"""
WITHOUT_FAREWELL = SET.replace(',\n  {"eval_id": "farewell", "conversation": []}', "")
ONE_CASE = re.compile(r" 1 case(  1 warning)?$", re.MULTILINE)


def journal(terminal: Terminal) -> Path | None:
    return next((terminal.home / "state").rglob("*.journal"), None)


def process(terminal: Terminal) -> int:
    file = journal(terminal)
    assert file is not None
    return int(file.name.split("-")[1])


def edited(terminal: Terminal) -> None:
    """One case deleted, and the journal has heard of it."""
    (terminal.work / "desk.evalset.json").write_text(SET)
    terminal.start([*EVALTUI, "edit", "desk.evalset.json"])
    terminal.until("enter edit")
    terminal.keys("End")
    terminal.until("▌  farewell")
    terminal.keys("d")
    terminal.until(ONE_CASE)


def recovered(terminal: Terminal) -> None:
    """Opened again, the step is offered, restored, and saved when that is asked for."""
    terminal.start([*EVALTUI, "edit", "desk.evalset.json"])
    terminal.until("1 unsaved change, the last at")
    terminal.until("farewell")
    terminal.keys("r")
    terminal.until("restored 1 unsaved change")
    assert (terminal.work / "desk.evalset.json").read_text() == SET
    terminal.keys("C-s")
    terminal.until("Saved desk.evalset.json")
    assert (terminal.work / "desk.evalset.json").read_text() == WITHOUT_FAREWELL
    terminal.keys("q")
    assert terminal.until_exit() == 0
    assert journal(terminal) is None


@pytest.mark.parametrize("number", sampled([signal.SIGTERM, signal.SIGHUP, signal.SIGINT], 1))
def test_a_signal_keeps_the_work_and_leaves_the_terminal_sane(terminal: Terminal, number: signal.Signals) -> None:
    edited(terminal)
    os.kill(process(terminal), number)
    assert terminal.until_exit() == -number
    terminal.until(f"ended by {number.name}")
    terminal.until("Open the file again to restore the unsaved changes.")
    written = terminal.raw()
    for mode in (b"1049", b"1000", b"2004", b"25"):
        switched = [written.rfind(b"\x1b[?" + mode + end) for end in (b"h", b"l")]
        assert (switched[0] > switched[1]) == (mode == b"25"), mode
    recovered(terminal)


@pytest.mark.thorough
def test_a_signal_with_nothing_unsaved_leaves_nothing(terminal: Terminal) -> None:
    edited(terminal)
    terminal.keys("u")
    terminal.until("2 cases")
    os.kill(process(terminal), signal.SIGTERM)
    assert terminal.until_exit() == -signal.SIGTERM
    assert journal(terminal) is None
    assert not any(terminal.screen())


def test_a_kill_loses_nothing_that_was_a_second_old(terminal: Terminal) -> None:
    edited(terminal)
    terminal.until(lambda _: (file := journal(terminal)) is not None and b'"do"' in file.read_bytes())
    os.kill(process(terminal), signal.SIGKILL)
    assert terminal.until_exit() == -signal.SIGKILL
    assert (file := journal(terminal)) is not None
    assert b'"do"' in file.read_bytes()


@pytest.mark.thorough
def test_discarding_on_quitting_is_not_offered_again(terminal: Terminal) -> None:
    edited(terminal)
    terminal.keys("C-q")
    terminal.until("unsaved changes")
    terminal.keys("d")
    assert terminal.until_exit() == 0
    assert journal(terminal) is None
    terminal.start([*EVALTUI, "edit", "desk.evalset.json"])
    terminal.until("2 cases")


def test_a_signal_ends_the_list_of_sets_too(terminal: Terminal) -> None:
    (terminal.work / "desk.evalset.json").write_text(SET)
    (terminal.work / "pid").touch()
    terminal.start(["sh", "-c", 'echo $$ > pid; exec "$@"', "sh", *EVALTUI, "edit"])
    terminal.until("desk.evalset.json")
    os.kill(int((terminal.work / "pid").read_text()), signal.SIGTERM)
    assert terminal.until_exit() == -signal.SIGTERM
    assert terminal.raw().rfind(b"\x1b[?1049l") > terminal.raw().rfind(b"\x1b[?1049h")


def test_quitting_does_not_wait_for_a_disk_that_hangs(terminal: Terminal) -> None:
    """The file is being saved to a mount that is gone; who leaves without saving gets the terminal back."""
    (terminal.work / "desk.evalset.json").write_text(SET)
    hung = {"PYTHONPATH": str(HUNG_DISK), "EVALTUI_HUNG": str(terminal.work)}
    terminal.start([*EVALTUI, "edit", "desk.evalset.json"], hung)
    terminal.until("enter edit")
    terminal.keys("End")
    terminal.until("▌  farewell")
    terminal.keys("d")
    terminal.until(ONE_CASE)
    terminal.keys("C-s")
    terminal.until("saving")
    terminal.keys("C-q")
    terminal.keys("C-q")
    terminal.until("without saving")
    terminal.keys("d")
    assert terminal.until_exit() == 0
    assert (terminal.work / "desk.evalset.json").read_text() == SET

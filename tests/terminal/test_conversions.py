"""Files of other formats in a real terminal: shown as an eval set, opened as JSON, converted."""

import json
import os
import signal
from pathlib import Path

import pytest

from tests.terminal.terminal import EVALTUI, Terminal
from tests.terminal.test_ending import process
from tests.tui.conversion.samples import CXAS, LEGACY, text_of


def opened_list(terminal: Terminal) -> Path:
    path = terminal.work / "talks.json"
    path.write_text(text_of(LEGACY))
    terminal.start([*EVALTUI, "edit", path])
    terminal.until("shown as an eval set")
    return path


@pytest.mark.thorough
def test_a_list_is_shown_edited_as_json_and_converted(terminal: Terminal) -> None:
    path = opened_list(terminal)
    terminal.until("E: convert · 6: open the JSON")
    terminal.keys("6")
    terminal.until("6 as eval set")
    terminal.keys("j", "d")
    terminal.until("deleted")
    terminal.keys("C-s")
    terminal.until("Saved talks.json")
    assert json.loads(path.read_text()) == LEGACY[:1]
    terminal.keys("6")
    terminal.until("shown as an eval set")
    terminal.keys("E", "Enter")
    terminal.until("1 added: eval_set_id")
    terminal.keys("w")
    terminal.until("talks.evalset.json")
    terminal.keys("Enter")
    terminal.until("Open it?")
    terminal.keys("o")
    terminal.until("enter edit")
    made = json.loads((terminal.work / "talks.evalset.json").read_text())
    assert [case["eval_id"] for case in made["eval_cases"]] == ["refund"]
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


@pytest.mark.thorough
def test_what_was_edited_as_json_when_the_process_died_is_offered_first(terminal: Terminal) -> None:
    path = opened_list(terminal)
    terminal.keys("6")
    terminal.until("6 as eval set")
    terminal.keys("j", "d")
    terminal.until("deleted")
    os.kill(process(terminal), signal.SIGTERM)
    terminal.until_exit()
    terminal.start([*EVALTUI, "edit", path])
    terminal.until("unsaved")
    terminal.keys("r")
    terminal.until("restored")
    assert not any("shown as an eval set" in line for line in terminal.screen())
    terminal.keys("C-s")
    terminal.until("Saved talks.json")
    assert json.loads(path.read_text()) == LEGACY[:1]
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


@pytest.mark.thorough
def test_yaml_of_cxas_is_shown_and_other_yaml_is_refused(terminal: Terminal) -> None:
    path = terminal.work / "phone.yaml"
    path.write_text(CXAS)
    terminal.start([*EVALTUI, "edit", path])
    terminal.until("refund by phone")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0
    path.write_text("a: [1]\n")
    terminal.start([*EVALTUI, "edit", path.name])
    terminal.until("this is YAML, not JSON")
    assert terminal.until_exit() == 2

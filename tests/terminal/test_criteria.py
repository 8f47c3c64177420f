"""The criteria in a real terminal: tried, written, and a broken config repaired in $EDITOR."""

import json

import pytest

from tests.scored_sets import RECORDING, SET
from tests.terminal.conftest import OpenTerminal
from tests.terminal.terminal import EVALTUI, Terminal


def begin(terminal: Terminal, config: str, editor: str = "true") -> None:
    program = terminal.home / "vim"
    program.write_text(f"#!/bin/sh\n{editor}\n")
    program.chmod(0o755)
    (terminal.work / "set.evalset.json").write_text(SET)
    (terminal.work / "actual.json").write_text(RECORDING)
    (terminal.work / "test_config.json").write_text(config)
    terminal.start([*EVALTUI, "edit", "set.evalset.json", "-r", "actual.json"], {"VISUAL": str(program)})
    terminal.until("enter edit")
    terminal.keys("4")


def test_criteria_are_tried_shown_in_the_scores_and_written(open_terminal: OpenTerminal) -> None:
    terminal = open_terminal(80, 24)
    begin(terminal, '{"criteria": {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.8}}')
    terminal.until("✗ 0.50 < 1.00")
    terminal.keys("c")
    terminal.until("Criteria · test_config.json")
    terminal.keys("Enter")
    terminal.until("esc done")
    terminal.type("0.5")
    terminal.keys("Escape")
    terminal.until("trial, not written")
    terminal.keys("Escape")
    terminal.until("· alt+c: write or drop ─")
    terminal.until("✓ 0.50 ≥ 0.50")
    terminal.keys("c")
    terminal.until("w write")
    terminal.keys("w")
    terminal.until("Press w again to write test_config.json: tool_trajectory ≥ 0.5")
    terminal.keys("w")
    terminal.until("Wrote into test_config.json: tool_trajectory ≥ 0.5")
    terminal.until("with test_config.json")
    text = (terminal.work / "test_config.json").read_text()
    assert text == '{"criteria": {"tool_trajectory_avg_score": 0.5, "response_match_score": 0.8}}'
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


@pytest.mark.thorough
def test_a_broken_config_is_repaired_in_the_editor(terminal: Terminal) -> None:
    begin(terminal, '{"criteria": {"response_match_score": 0.8,,}}', """sed -i 's/,,//' "$1" """)
    terminal.until("invalid JSON")
    terminal.keys("c")
    terminal.until("test_config.json:1:43: invalid JSON")
    terminal.keys("e")
    terminal.until("responses · computed here")
    terminal.until("1 ✓ 2 ✗ 1 –  with test_config.json")
    assert json.loads((terminal.work / "test_config.json").read_text()) == {"criteria": {"response_match_score": 0.8}}
    terminal.keys("C-q")
    assert terminal.until_exit() == 0

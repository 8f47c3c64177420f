"""`evaltui watch` in a real terminal: files change outside, the table follows, and its end leaves nothing behind."""

import json
import os
import re
import signal

import pytest

from tests.sampling import sampled
from tests.scored_sets import ACTUAL, RECORDING, SET, history, recording_with, turn
from tests.terminal.conftest import OpenTerminal
from tests.terminal.terminal import EVALTUI, Terminal
from tests.terminal.waiting import evaltui_of, is_there, until

CONFIG = json.dumps({"criteria": {"response_match_score": 0.1}})
OTHER_WORDS = recording_with("greeting", turn(1, "Hello", "Other words"))
RUN = "exec sh run.sh"


def begin(terminal: Terminal, *options: str) -> None:
    (terminal.work / "set.evalset.json").write_text(SET)
    (terminal.work / "actual.json").write_text(RECORDING)
    terminal.start([*EVALTUI, "watch", "set.evalset.json", "-r", "actual.json", *options])
    terminal.until("1 of 4 pass (25 %)")


def begin_with_command(terminal: Terminal, script: str) -> None:
    (terminal.work / "run.sh").write_text(script)
    (terminal.work / "agent.py").write_text("one")
    begin(terminal, "--exec", RUN, "--on", "*.py")


@pytest.mark.parametrize("size", sampled([(80, 24), (140, 40)], 1))
def test_the_table_follows_the_files_and_gives_the_last_exit_code(
    open_terminal: OpenTerminal, size: tuple[int, int]
) -> None:
    terminal = open_terminal(*size)
    begin(terminal)
    (terminal.work / "actual.json").write_text(OTHER_WORDS)
    terminal.until("actual.json changed: 1 case fails now.")
    terminal.until(re.compile(r"✗ greeting .*▼"))
    (terminal.work / "test_config.json").write_text(CONFIG)
    terminal.until("test_config.json changed: 1 case passes now.")
    (terminal.work / "test_config.json").write_text(CONFIG[:20])
    terminal.until(re.compile(r"outdated: test_config\.json:1:\d+: invalid JSON"))
    terminal.until("~ greeting")
    (terminal.work / "test_config.json").write_text(CONFIG)
    terminal.until(lambda lines: not any("~ " in line for line in lines) and any("of 4 pass" in line for line in lines))
    terminal.keys("p")
    terminal.until("Paused: changes on disk are not scored. Press p to resume.")
    (terminal.work / "actual.json").write_text(RECORDING)
    terminal.keys("p")
    terminal.until("actual.json changed")
    terminal.keys("q")
    assert terminal.until_exit() == 1
    assert b"\x1b[?1049l" in terminal.raw()


@pytest.mark.thorough
def test_a_recording_that_is_gone_is_said_and_counts_no_longer(terminal: Terminal) -> None:
    (terminal.work / "runs").mkdir()
    (result,) = history(ACTUAL).values()
    (terminal.work / "runs/one.json").write_text(result)
    (terminal.work / "set.evalset.json").write_text(SET)
    terminal.start([*EVALTUI, "watch", "set.evalset.json", "-r", "runs"])
    terminal.until("1 of 4 pass")
    (terminal.work / "runs/one.json").unlink()
    terminal.until("! runs/one.json: this file is gone")
    terminal.until("0 of 4 pass")
    terminal.keys("C-c")
    assert terminal.until_exit() == 3


def test_a_command_that_runs_is_shown_and_its_last_lines_if_it_fails(terminal: Terminal) -> None:
    begin_with_command(terminal, "echo 'no such \033[31mmodule'; while [ ! -e go ]; do sleep 0.05; done; exit 3\n")
    (terminal.work / "agent.py").write_text("other")
    terminal.until(re.compile(r"running: exec sh run\.sh · \d+\.\d s"))
    (terminal.work / "go").touch()
    terminal.until("✗ the command failed (exit code 3); its last lines:")
    terminal.until("no such module")
    (terminal.work / "run.sh").write_text("cp other.json actual.json\n")
    (terminal.work / "other.json").write_text(OTHER_WORDS)
    (terminal.work / "agent.py").write_text("a third")
    terminal.until("actual.json changed: 1 case fails now.")
    terminal.until(lambda lines: not any("no such module" in line for line in lines))
    terminal.keys("q")
    assert terminal.until_exit() == 1


@pytest.mark.parametrize(("end", "code"), sampled([(signal.SIGTERM, -15), ("q", 1), (signal.SIGINT, 1)], 1))
def test_the_end_of_the_watch_is_the_end_of_its_command(
    terminal: Terminal, end: str | signal.Signals, code: int
) -> None:
    begin_with_command(terminal, "trap '' TERM; echo $$ > own; sleep 1000 & wait; sleep 1000\n")
    (terminal.work / "agent.py").write_text("other")
    terminal.until("running: exec sh run.sh")
    own = terminal.work / "own"
    terminal.until(lambda _: own.exists() and own.read_text().endswith("\n"))
    if isinstance(end, str):
        terminal.keys(end)
    else:
        os.kill(evaltui_of(int(own.read_text())), end)
    assert terminal.until_exit() == code
    until(lambda: not is_there(int(own.read_text())))
    assert b"\x1b[?1049l" in terminal.raw()


@pytest.mark.thorough
def test_an_input_that_is_refused_is_a_sentence_without_a_screen(terminal: Terminal) -> None:
    (terminal.work / "set.evalset.json").write_text(SET[:100])
    terminal.start([*EVALTUI, "watch", "set.evalset.json"])
    assert terminal.until_exit() == 2
    terminal.until("evaltui: set.evalset.json:")
    assert b"\x1b[?1049h" not in terminal.raw()


@pytest.mark.thorough
def test_standard_input_is_the_keyboard(terminal: Terminal) -> None:
    (terminal.work / "set.evalset.json").write_text(SET)
    terminal.start([*EVALTUI, "watch", "set.evalset.json", "-r", "-"])
    assert terminal.until_exit() == 2
    terminal.until("the table uses standard input for the keyboard: give a file name")


@pytest.mark.thorough
def test_lines_can_be_had_on_a_terminal_too(terminal: Terminal) -> None:
    (terminal.work / "set.evalset.json").write_text(SET)
    (terminal.work / "actual.json").write_text(RECORDING)
    terminal.start([*EVALTUI, "watch", "set.evalset.json", "-r", "actual.json", "--format", "jsonl"])
    terminal.until(lambda lines: '"trigger":[]' in "".join(lines).replace(" ", ""))  # the terminal folds the line
    terminal.keys("C-c")
    assert terminal.until_exit() == 1


@pytest.mark.thorough
def test_reports_and_a_baseline_follow_each_run(terminal: Terminal) -> None:
    (terminal.work / "set.evalset.json").write_text(SET)
    (terminal.work / "actual.json").write_text(RECORDING)
    named = ["set.evalset.json", "-r", "actual.json"]
    terminal.start([*EVALTUI, "run", *named, "--save-baseline", "base.json"])
    assert terminal.until_exit() == 1
    options = ["--baseline", "base.json", "--fail-on", "regression", "-o", "report.json"]
    terminal.start([*EVALTUI, "watch", *named, *options])
    terminal.until("against base.json")
    (terminal.work / "actual.json").write_text(OTHER_WORDS)
    terminal.until(re.compile(r"▼1 against base\.json"))
    terminal.until(re.compile(r"✗ greeting .*▼"))
    report = json.loads((terminal.work / "report.json").read_text())
    assert report["baseline"]["counts"]["regressed"] == 1
    (terminal.work / "actual.json").write_text(RECORDING)
    terminal.until(lambda lines: not any("▼" in line for line in lines))
    terminal.keys("q")
    assert terminal.until_exit() == 0

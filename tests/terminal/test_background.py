"""The theme goes with the background of a real terminal; its answers are no keys, whenever they come."""

import os
import re
import signal
import sys
from pathlib import Path

import pytest

from evaltui.tui.terminal.background import QUESTION
from tests.terminal.desk import opened, written
from tests.terminal.pseudo_terminal import PseudoTerminal
from tests.terminal.server import environment
from tests.terminal.terminal import EVALTUI, Terminal
from tests.tui.sets import SNAKE

WAITING = """
import select, sys
from evaltui.cli import main
from evaltui.commands import edit
begin = edit.import_asyncio_without_tls
def wait():
    print("ready", flush=True)
    while not select.select([0], [], [], 0.05)[0]:
        pass  # a signal that comes just before `select` does not end it
    begin()
edit.import_asyncio_without_tls = wait
raise SystemExit(main(sys.argv[1:]))
"""
"""The program, but once it has read the command line it waits for a key."""
LIGHT_GROUND, DARK_GROUND = b"48;2;250;250;250", b"48;2;18;18;18"
ANSWER = b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62c"


def test_the_theme_goes_with_the_background_and_keys_typed_meanwhile_arrive(terminal: Terminal) -> None:
    terminal.colour("bg=#ffffff")
    path = written(terminal)
    terminal.start([*EVALTUI, "edit", path.name])
    terminal.keys("Down", "Down")
    terminal.until("▌  farewell")
    terminal.keys("T")
    terminal.until(re.compile("auto +evaltui-light"))


@pytest.mark.thorough
@pytest.mark.parametrize(("style", "given"), [("bg=#202020", {}), ("", {}), ("", {"TEXTUAL_THEME": "nope"})])
def test_the_theme_of_a_dark_or_unknown_background_is_dark(
    terminal: Terminal, style: str, given: dict[str, str]
) -> None:
    terminal.colour(style)
    opened(terminal, **given)
    terminal.keys("T")
    terminal.until(re.compile("auto +evaltui-dark"))


@pytest.mark.thorough
def test_a_theme_of_the_settings_wins(terminal: Terminal) -> None:
    settings = terminal.home / "config" / "evaltui" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('theme = "nord"\n')
    terminal.colour("bg=#ffffff")
    opened(terminal)
    terminal.keys("T")
    terminal.until(re.compile(r"^│ nord", re.MULTILINE))


@pytest.mark.parametrize("term", ["xterm-256color", "linux"], ids=["asked", "not asked"])
def test_ctrl_q_typed_before_the_app_is_imported_quits_it(tmp_path: Path, term: str) -> None:
    (tmp_path / "set.evalset.json").write_text(SNAKE)
    argv = [sys.executable, "-c", WAITING, "edit", "set.evalset.json"]
    with PseudoTerminal(argv, environment(tmp_path) | {"TERM": term}, tmp_path, with_flow_control=True) as terminal:
        terminal.until(lambda: b"ready" in terminal.last)
        terminal.send(b"\x11")
        assert terminal.ends_within(60)
        assert terminal.process.returncode == 0
        assert terminal.settings() == terminal.settings_before


def test_the_question_is_put_before_the_app_is_imported(tmp_path: Path) -> None:
    (tmp_path / "set.evalset.json").write_text(SNAKE)
    script = (
        "import sys; from evaltui.tui.terminal.background import TerminalBackground; from evaltui.cli import main\n"
        "TerminalBackground.ask = lambda terminal: sys.exit(f'textual: {\"textual\" in sys.modules}')\n"
        "main(['edit', 'set.evalset.json'])"
    )
    with PseudoTerminal([sys.executable, "-c", script], environment(tmp_path), tmp_path) as terminal:
        assert terminal.ends_within(60)
        assert b"textual: False" in terminal.last
        assert terminal.settings() == terminal.settings_before


def test_an_answer_before_the_first_frame_is_not_echoed(untold: PseudoTerminal) -> None:
    with untold as terminal:
        terminal.until(lambda: QUESTION in terminal.last)
        terminal.send(ANSWER)
        terminal.until(lambda: LIGHT_GROUND in terminal.last)
        assert b"rgb" not in terminal.last.rpartition(QUESTION)[2]


def test_keys_typed_before_a_refusal_are_left_for_the_shell(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", WAITING, "edit", "not/there.json"]
    with PseudoTerminal(argv, environment(tmp_path), tmp_path) as terminal:
        terminal.until(lambda: b"ready" in terminal.last)
        terminal.send(b"ls")
        assert terminal.ends_within(60)
        assert terminal.process.returncode == 2
        assert terminal.settings() == terminal.settings_before
        assert terminal.unread() == b"ls"


@pytest.fixture
def untold(tmp_path: Path) -> PseudoTerminal:
    """The editor in a terminal that answers nothing of its own accord."""
    (tmp_path / "set.evalset.json").write_text(SNAKE)
    env = environment(tmp_path) | {"COLORTERM": "truecolor"}
    return PseudoTerminal([*EVALTUI, "edit", "set.evalset.json"], env, tmp_path)


def test_late_answers_cut_anywhere_change_the_theme_and_type_nothing(untold: PseudoTerminal) -> None:
    with untold as terminal:
        terminal.until(lambda: DARK_GROUND in terminal.last)
        assert QUESTION in terminal.last
        for part in (ANSWER[:1], ANSWER[1:], ANSWER):
            terminal.send(part)
        terminal.until(lambda: LIGHT_GROUND in terminal.last)
        terminal.send(b"\x11")
        assert terminal.ends_within(60)
        assert terminal.process.returncode == 0
        assert terminal.settings() == terminal.settings_before
        assert b"rgb" not in terminal.last.rpartition(QUESTION)[2]


def test_without_an_answer_it_goes_on_after_a_stop_and_an_answer_at_its_end_is_not_left_for_the_shell(
    untold: PseudoTerminal,
) -> None:
    with untold as terminal:
        terminal.until(lambda: DARK_GROUND in terminal.last)
        for stops in (True, False):  # nobody can catch this stop
            terminal.last = b""
            if stops:
                os.kill(terminal.process.pid, signal.SIGSTOP)
            os.kill(terminal.process.pid, signal.SIGCONT)
            terminal.until(lambda: DARK_GROUND in terminal.last.partition(b"\x1b[?1049h")[2])
        terminal.send(b"\x11")
        terminal.until(lambda: terminal.last.rfind(b"\x1b[?1049l") > terminal.last.rfind(b"\x1b[?1049h"))
        terminal.send(ANSWER)
        assert terminal.ends_within(60)
        assert terminal.process.returncode == 0
        assert terminal.settings() == terminal.settings_before
        assert terminal.unread() == b""


NUMBERS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.mark.parametrize(("number", "answer"), [*zip(NUMBERS, (ANSWER, b"", ANSWER), strict=True)])
def test_a_signal_while_the_question_stands_leaves_the_terminal_sane(
    untold: PseudoTerminal, number: signal.Signals, answer: bytes
) -> None:
    with untold as terminal:
        terminal.until(lambda: QUESTION in terminal.last)
        os.kill(terminal.process.pid, number)
        terminal.send(answer)
        assert terminal.ends_within(60)
        assert terminal.process.returncode != 0
        assert terminal.settings() == terminal.settings_before
        assert terminal.unread() == b""


@pytest.mark.parametrize("number", NUMBERS)
def test_a_signal_before_the_app_is_imported_leaves_the_terminal_as_it_was(
    tmp_path: Path, number: signal.Signals
) -> None:
    argv = [sys.executable, "-c", WAITING, "review", "set.evalset.json"]
    (tmp_path / "set.evalset.json").write_text(SNAKE)
    with PseudoTerminal(argv, environment(tmp_path), tmp_path) as terminal:
        terminal.until(lambda: b"ready" in terminal.last)
        assert terminal.settings() != terminal.settings_before
        os.kill(terminal.process.pid, number)
        assert terminal.ends_within(60)
        assert terminal.process.returncode != 0
        assert QUESTION not in terminal.last
        assert terminal.settings() == terminal.settings_before


IMPORTING = """
import os, re, signal, sys
from evaltui.__main__ import run
compile, number = re.compile, int(sys.argv.pop(1))
def end(*given):
    if "evaltui.tui.terminal.background" in sys.modules:
        os.kill(os.getpid(), number)
    return compile(*given)
re.compile = end
run()
"""
"""The program, with a signal while it imports the module that restores the terminal."""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -15), (signal.SIGHUP, -1)])
def test_a_signal_while_the_terminal_is_imported_is_no_error(tmp_path: Path, number: int, code: int) -> None:
    (tmp_path / "set.evalset.json").write_text(SNAKE)
    argv = [sys.executable, "-c", IMPORTING, str(int(number)), "edit", "set.evalset.json"]
    with PseudoTerminal(argv, environment(tmp_path), tmp_path) as terminal:
        assert terminal.ends_within(60)
        assert terminal.process.returncode == code
        assert b"error" not in terminal.last
        assert terminal.settings() == terminal.settings_before


@pytest.mark.parametrize(
    "arguments", [["not/there.json"], ["."], ["set.evalset.json", "-r", "nope"]], ids=["file", "folder", "recording"]
)
def test_nothing_is_asked_where_nothing_opens(tmp_path: Path, arguments: list[str]) -> None:
    work = tmp_path / "work"
    work.mkdir()
    if arguments[0] != ".":
        (work / "set.evalset.json").write_text(SNAKE)
    with PseudoTerminal([*EVALTUI, "edit", *arguments], environment(tmp_path), work) as terminal:
        assert terminal.ends_within(60)
        assert terminal.process.returncode == 2
        assert QUESTION not in terminal.last
        assert terminal.settings() == terminal.settings_before

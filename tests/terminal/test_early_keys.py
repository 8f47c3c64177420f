"""Keys typed while the app starts are for the app, and every end leaves a real terminal as it was found."""

import os
import re
import signal
import sys
from pathlib import Path

import pytest

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


def test_the_theme_goes_with_the_background_and_keys_typed_meanwhile_arrive(terminal: Terminal) -> None:
    path = written(terminal)
    terminal.start([*EVALTUI, "edit", path.name], env={"COLORFGBG": "0;15"})
    terminal.keys("Down", "Down")
    terminal.until("▌  farewell")
    terminal.keys("T")
    terminal.until(re.compile("auto +evaltui-light"))


@pytest.mark.thorough
def test_a_theme_of_the_settings_wins(terminal: Terminal) -> None:
    settings = terminal.home / "config" / "evaltui" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('theme = "nord"\n')
    opened(terminal, COLORFGBG="0;15")
    terminal.keys("T")
    terminal.until(re.compile(r"^│ nord", re.MULTILINE))


def test_ctrl_q_typed_before_the_app_is_imported_quits_it(tmp_path: Path) -> None:
    (tmp_path / "set.evalset.json").write_text(SNAKE)
    argv = [sys.executable, "-c", WAITING, "edit", "set.evalset.json"]
    with PseudoTerminal(argv, environment(tmp_path), tmp_path, with_flow_control=True) as terminal:
        terminal.until(lambda: b"ready" in terminal.last)
        terminal.send(b"\x11")
        assert terminal.ends_within(60)
        assert terminal.process.returncode == 0
        assert terminal.settings() == terminal.settings_before


def test_enter_pressed_before_python_runs_is_the_enter_key(tmp_path: Path) -> None:
    (tmp_path / "set.evalset.json").write_text(SNAKE)
    with PseudoTerminal([*EVALTUI, "edit", "set.evalset.json"], environment(tmp_path), tmp_path) as terminal:
        terminal.send(b"T\r")  # opens the list of themes, and takes the first one
        terminal.until(lambda: b"theme auto" in terminal.last)


@pytest.mark.thorough
def test_keys_act_again_after_the_end_of_a_paste_was_lost(tmp_path: Path) -> None:
    (tmp_path / "set.evalset.json").write_text(SNAKE)
    with PseudoTerminal([*EVALTUI, "edit", "set.evalset.json"], environment(tmp_path), tmp_path) as terminal:
        terminal.until(lambda: b"enter" in terminal.last)
        terminal.send(b"\x1b[200~half of a paste")
        assert not terminal.ends_within(2.5)  # a paste goes on for 2 s without input before its end counts as lost
        terminal.send(b"\x11")
        assert terminal.ends_within(15)


def test_keys_typed_before_a_refusal_are_left_for_the_shell(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", WAITING, "edit", "not/there.json"]
    with PseudoTerminal(argv, environment(tmp_path), tmp_path) as terminal:
        terminal.until(lambda: b"ready" in terminal.last)
        terminal.send(b"ls")
        assert terminal.ends_within(60)
        assert terminal.process.returncode == 2
        assert terminal.settings() == terminal.settings_before
        assert terminal.unread() == b"ls"


def test_it_goes_on_after_a_stop_and_asks_the_terminal_for_no_colour(tmp_path: Path) -> None:
    (tmp_path / "set.evalset.json").write_text(SNAKE)
    with PseudoTerminal([*EVALTUI, "edit", "set.evalset.json"], environment(tmp_path), tmp_path) as terminal:
        terminal.until(lambda: b"enter" in terminal.last)
        assert b"\x1b]11;?" not in terminal.last
        for stops in (True, False):  # nobody can catch this stop
            terminal.last = b""
            if stops:
                os.kill(terminal.process.pid, signal.SIGSTOP)
            os.kill(terminal.process.pid, signal.SIGCONT)
            terminal.until(lambda: b"enter" in terminal.last.partition(b"\x1b[?1049h")[2])
        terminal.send(b"\x11")
        assert terminal.ends_within(60)
        assert terminal.process.returncode == 0
        assert terminal.settings() == terminal.settings_before


NUMBERS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


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
        assert terminal.settings() == terminal.settings_before


IMPORTING = """
import os, re, signal, sys
from evaltui.__main__ import run
compile, number = re.compile, int(sys.argv.pop(1))
def end(*given):
    if "evaltui.tui.terminal.early_keys" in sys.modules:
        os.kill(os.getpid(), number)
    return compile(*given)
re.compile = end
run()
"""
"""The program, with a signal while it imports the app."""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -15), (signal.SIGHUP, -1)])
def test_a_signal_while_the_app_is_imported_is_no_error(tmp_path: Path, number: int, code: int) -> None:
    (tmp_path / "set.evalset.json").write_text(SNAKE)
    argv = [sys.executable, "-c", IMPORTING, str(int(number)), "edit", "set.evalset.json"]
    with PseudoTerminal(argv, environment(tmp_path), tmp_path) as terminal:
        assert terminal.ends_within(60)
        assert terminal.process.returncode == code
        assert b"error" not in terminal.last
        assert terminal.settings() == terminal.settings_before

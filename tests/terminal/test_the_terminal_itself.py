"""Requests of the editor to a terminal, which it leaves as it was."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.sampling import sampled
from tests.terminal.conftest import OpenTerminal
from tests.terminal.desk import assert_f1_ends_it_with_a_sentence, opened, written
from tests.terminal.terminal import EVALTUI, Terminal

CRASHING = """
import sys
from evaltui.tui.base_app import BaseApp
def help_from_here(self): raise RuntimeError("secret " + self.file.document.body().decode())
BaseApp.show_help = help_from_here
from evaltui.cli import run
sys.argv[1:] = ["edit", "desk.evalset.json"]
run()
"""


def test_mouse_and_keys_that_end_other_programs_do_what_they_say_and_leaving_gives_all_modes_back(
    terminal: Terminal,
) -> None:
    opened(terminal, "--case", "farewell")
    assert not any("▌desk" in line for line in terminal.until("▌  farewell"))
    terminal.keys("C-z")
    terminal.until("Nothing to undo.")
    terminal.keys("C-c")
    terminal.until("Press ^q to quit.")
    terminal.keys("C-\\", "C-d")
    terminal.keys("?")
    terminal.until("─ Keys")
    assert terminal.exit_status is None
    terminal.keys("Escape")
    column = terminal.until("d delete")[-1].index("d delete") + 1
    terminal.type(f"\x1b[<0;{column};24M\x1b[<0;{column};24m")
    terminal.until("1 case")
    terminal.keys("u")
    terminal.until("2 cases")
    row = next(n for n, line in enumerate(terminal.screen(), 1) if "greeting" in line)
    terminal.type(f"\x1b[<0;8;{row}M\x1b[<0;8;{row}m")
    terminal.until(re.compile("▌. greeting"))
    terminal.keys("q")
    assert terminal.until_exit() == 0
    written = terminal.raw()
    for mode in (b"1049", b"1000", b"2004", b"25"):
        switched = [written.rfind(b"\x1b[?" + mode + end) for end in (b"h", b"l")]
        assert (switched[0] > switched[1]) == (mode == b"25"), mode
    assert not any(terminal.screen())


def test_the_size_is_that_of_the_terminal_whatever_the_shell_exports(terminal: Terminal) -> None:
    opened(terminal, COLUMNS="60", LINES="20")
    assert "^q quit" in terminal.screen()[-1]


def test_messages_can_go_to_a_file_while_the_screen_is_drawn(terminal: Terminal) -> None:
    written(terminal)
    terminal.start(["sh", "-c", f"{shlex.join(EVALTUI)} edit desk.evalset.json 2>messages"])
    terminal.until("farewell")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0
    assert (terminal.work / "messages").read_bytes() == b""


@pytest.mark.thorough
@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "xterm"}, {"COLORTERM": "truecolor"}, {"TERM": "dumb"}])
def test_every_kind_of_terminal_shows_where_the_cursor_is(terminal: Terminal, env: dict[str, str]) -> None:
    opened(terminal, **env)
    terminal.keys("End")
    terminal.until("▌  farewell")
    terminal.keys("d")
    terminal.until("●")
    terminal.keys("u", "C-q")
    assert terminal.until_exit() == 0


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(30, 8), (60, 15), (200, 50)])
def test_it_opens_at_any_size(open_terminal: OpenTerminal, size: tuple[int, int]) -> None:
    terminal = open_terminal(*size)
    opened(terminal)
    terminal.until("farewell")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


def test_an_error_of_its_own_ends_it_with_a_sentence_and_saves_the_work(terminal: Terminal) -> None:
    crashes = assert_f1_ends_it_with_a_sentence(terminal, CRASHING)
    assert "greeting" not in crashes[".json"]
    assert "farewell" in crashes[".json"]
    assert "RuntimeError" in crashes[".txt"]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((".",), b"folder"),
        (("nowhere/set.json",), b"nowhere"),
        (("/dev/null",), b"not a file"),
        ((), b"no eval set in this folder"),
        (("a.json", "b.json"), b"b.json"),
    ],
)
def test_what_cannot_be_opened_is_said_in_one_line(terminal: Terminal, arguments: tuple[str, ...], said: bytes) -> None:
    terminal.start([*EVALTUI, "edit", *arguments])
    assert terminal.until_exit() == 2
    written = terminal.raw().strip()
    assert written.startswith(b"evaltui: ")
    assert said in written
    assert b"\x1b" not in written
    assert len(written.splitlines()) == 1


@pytest.mark.parametrize("file", sampled(["set.json", "no/set.json", "."], 1))
def test_without_a_terminal_it_names_its_twin_whatever_the_file(tmp_path: Path, file: str) -> None:
    command = [*EVALTUI, "edit", file]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"evaltui: ")
    assert b"evaltui patch" in done.stderr
    assert len(done.stderr.splitlines()) == 1

"""The terminal that the other tests here rely on does what it says."""

import os
import re
import signal
import sys
from pathlib import Path

import pytest

from tests.terminal.conftest import OpenTerminal
from tests.terminal.server import Server, environment
from tests.terminal.terminal import Terminal

SIZE_ON_SIGNAL = "trap 'stty size' WINCH; stty size; while :; do read line; done"
ASK_FOR_BRACKETS = r"printf '\033[?2004h'; stty -echo raw; echo ready; exec cat -v"


def test_shows_what_a_program_writes(terminal: Terminal) -> None:
    terminal.start(["sh", "-c", "echo first; echo '  second  '; exec cat"])
    screen = terminal.until("second")
    assert screen == ["first", "  second", *[""] * 22]


def test_keys_and_text_reach_the_program(terminal: Terminal) -> None:
    terminal.start(["sh", "-c", "stty -echo raw; echo ready; exec cat -v"])
    terminal.until("ready")
    terminal.type("C-s; é 'q' -l;")
    terminal.keys("C-s", "F5", "-", ";", "M-e")
    assert any("C-s; M-CM-) 'q' -l;^S^[[15~-;^[e" in line for line in terminal.until("^[e"))


def test_waits_for_patterns_and_conditions(terminal: Terminal) -> None:
    terminal.start(["sh", "-c", "echo case 12; exec cat"])
    assert terminal.until(re.compile(r"^case \d+$", re.MULTILINE))[0] == "case 12"
    terminal.type("done\n")
    screen = terminal.until(lambda screen: screen.count("done") == 2)  # the echo and cat's answer
    assert screen[:3] == ["case 12", "done", "done"]


def test_says_what_was_waited_for_and_what_was_there(terminal: Terminal) -> None:
    terminal.start(["sh", "-c", "echo something else; exit 4"])
    terminal.until_exit()
    with pytest.raises(AssertionError, match=r"'the thing' \(the program ended with 4\)\W+something else"):
        terminal.until("the thing", timeout=0.1)
    with pytest.raises(AssertionError, match="never there"):
        terminal.until(lambda screen: "never there" in screen, timeout=0)


def test_knows_how_a_program_ended(terminal: Terminal) -> None:
    terminal.start(["cat"])
    assert terminal.exit_status is None
    terminal.keys("C-d")
    assert terminal.until_exit() == 0
    terminal.start(["sh", "-c", "kill -9 $$"])
    assert terminal.until_exit() == -signal.SIGKILL
    assert terminal.screen() == [""] * 24
    terminal.start(["sh", "-c", "trap 'exit 3' INT; echo ready; while :; do read line; done"])
    terminal.until("ready")
    terminal.keys("C-c")
    assert terminal.until_exit() == 3


def test_starts_again_with_an_empty_screen_and_its_own_environment(terminal: Terminal) -> None:
    terminal.start(["sh", "-c", "echo first $WORD; exec cat"], {"WORD": "a b;"})
    terminal.until("first a b;")
    terminal.start(["sh", "-c", "echo second ${WORD-none}"])
    assert not any("first" in line for line in terminal.until("second none"))
    terminal.until(lambda _: terminal.raw() == b"second none\r\n")


def test_resizes(open_terminal: OpenTerminal) -> None:
    terminal = open_terminal(140, 40)
    terminal.start(["sh", "-c", SIZE_ON_SIGNAL])
    assert len(terminal.until("40 140")) == 40
    terminal.resize(60, 10)
    assert len(terminal.until("10 60")) == 10


def test_keeps_the_bytes_the_screen_swallows(terminal: Terminal) -> None:
    written = b"a\x1b]0;title\x07b\x1b[31mc"
    terminal.start([sys.executable, "-c", f"import os; os.write(1, {written!r})"])
    assert terminal.until("abc")[0] == "abc"
    terminal.until(lambda _: terminal.raw() == written)


def test_pastes_in_brackets_when_asked(terminal: Terminal) -> None:
    terminal.start(["sh", "-c", ASK_FOR_BRACKETS])
    terminal.until("ready")
    terminal.paste("one\ntwo;")
    terminal.until(lambda _: b"^[[201~" in terminal.raw())
    assert b"^[[200~one\ntwo;^[[201~" in terminal.raw().replace(b"\r", b"")


def test_reads_what_was_copied(terminal: Terminal) -> None:
    terminal.start(["sh", "-c", "printf 'a copy' | tmux load-buffer -; exec cat"])
    terminal.until(lambda _: terminal.copied() != "")
    assert terminal.copied() == "a copy"


def test_a_program_sees_its_own_home_and_no_one_elses_settings(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TEXTUAL_THEME", "nord")
    seen = environment(Path("/there"))
    assert not {"NO_COLOR", "TEXTUAL_THEME"} & seen.keys()
    assert seen["XDG_STATE_HOME"] == "/there/state"
    terminal.start(["sh", "-c", 'echo "$HOME" > said; pwd >> said; echo "$TERM $LANG" >> said'])
    assert terminal.until_exit() == 0
    assert (terminal.work / "said").read_text().splitlines() == [
        str(terminal.home),
        str(terminal.work),
        "tmux-256color C.UTF-8",
    ]


def test_leaves_nothing_behind(open_terminal: OpenTerminal) -> None:
    server = Server(environment(Path.home()))
    open_terminal(80, 24)  # skips where tmux is absent
    server.open(80, 24)
    socket, pid = server.ask("#{socket_path} #{pane_pid}").split()
    server.close()
    assert not Path(socket).exists()
    assert int(pid) != os.getpid()
    server.close()

"""The terminal that the other tests here rely on does what it says."""

import re
import signal
from pathlib import Path

import pytest

from tests.terminal.conftest import OpenTerminal
from tests.terminal.server import Server, environment
from tests.terminal.terminal import Terminal
from tests.terminal.waiting import holds, is_there, until

SIZE_ON_SIGNAL = "trap 'stty size' WINCH; stty size; while :; do read line; done"
ASK_FOR_BRACKETS = r"printf '\033[?2004h'; stty -echo raw; echo ready; exec cat -v"


def test_what_is_typed_pasted_and_written_goes_through_whole(terminal: Terminal) -> None:
    terminal.start(["sh", "-c", ASK_FOR_BRACKETS])
    terminal.until("ready")
    terminal.type("C-s; é 'q' \"$HOME\" \\101 -l;")
    terminal.keys("C-s", "F5", "-", ";", "M-e")
    typed = "C-s; M-CM-) 'q' \"$HOME\" \\101 -l;^S^[[15~-;^[e"
    assert any(typed in line for line in terminal.until("^[e"))
    terminal.paste("one\ntwo;")
    terminal.send(b"\xff")
    terminal.until(lambda _: b"^[[201~M-^?" in terminal.raw())
    assert b"^[[200~one\ntwo;^[[201~" in terminal.raw().replace(b"\r", b"")
    terminal.start(["printf", r"  a\033]0;title\007b\033[31m\\c "])
    assert terminal.until_exit() == 0
    assert terminal.screen() == ["  ab\\c", *[""] * 23]
    assert terminal.raw() == b"  a\x1b]0;title\x07b\x1b[31m\\c "


def test_a_program_that_starts_has_an_empty_screen_its_own_folders_and_no_one_elses_settings(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TEXTUAL_THEME", "nord")
    assert not {"NO_COLOR", "TEXTUAL_THEME"} & environment(Path("/there")).keys()
    terminal.start(["sh", "-c", "echo first $WORD; exec cat"], {"WORD": "a b;"})
    terminal.until("first a b;")
    terminal.start(["sh", "-c", 'echo "$XDG_STATE_HOME" > said; pwd >> said; echo "$TERM $LANG ${WORD-none}"'])
    assert terminal.until_exit() == 0
    assert terminal.screen()[:2] == ["tmux-256color C.UTF-8 none", ""]
    assert (terminal.work / "said").read_text().splitlines() == [str(terminal.home / "state"), str(terminal.work)]


def test_it_knows_how_a_program_ended_and_what_was_missed(terminal: Terminal) -> None:
    terminal.start(["cat"])
    assert terminal.exit_status is None
    terminal.keys("C-d")
    assert terminal.until_exit() == 0
    terminal.start(["sh", "-c", "kill -9 $$"])
    assert terminal.until_exit() == -signal.SIGKILL
    assert terminal.screen() == [""] * 24
    terminal.start(["sh", "-c", "trap 'echo something else; exit 3' INT; echo ready; while :; do read line; done"])
    terminal.until("ready")
    terminal.keys("C-c")
    assert terminal.until_exit() == 3
    with pytest.raises(AssertionError, match=r"'the thing' \(the program ended with 3\)\W+ready\n.*something else"):
        terminal.until("the thing", timeout=0)
    with pytest.raises(AssertionError, match="never there"):
        terminal.until(lambda screen: "never there" in screen, timeout=0)


def test_terminals_of_one_server_have_their_own_sizes_and_words(open_terminal: OpenTerminal) -> None:
    large, small = open_terminal(140, 40), open_terminal(60, 10)
    for terminal in (large, small):
        terminal.start(["sh", "-c", SIZE_ON_SIGNAL])
    assert len(large.until("40 140")) == 40
    small.until("10 60")
    large.resize(61, 11)
    assert len(large.until("11 61")) == 11
    assert "11 61" not in small.raw().decode()


def test_a_screen_has_a_substring_a_pattern_or_a_condition() -> None:
    lines = ["case 12", "done"]
    assert holds("se 12\ndo", lines)
    assert holds(re.compile(r"^case \d+$", re.MULTILINE), lines)
    assert holds(lambda screen: screen.count("done") == 1, lines)
    assert not any(holds(wanted, lines) for wanted in ("12 d", re.compile("^d"), lambda _: False))


def test_a_server_that_ends_leaves_nothing_behind(open_terminal: OpenTerminal) -> None:
    open_terminal(80, 24)  # skips where tmux is absent
    server = Server(environment(Path("/there")))
    process = int(server.ask("#{pid}"))
    assert server.socket.exists()
    server.close()
    assert not server.socket.exists()
    assert not server.is_open
    until(lambda: not is_there(process))

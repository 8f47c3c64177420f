"""What no keyboard sends: bytes that are no text, sizes that are not the terminal's, and errors of the input itself."""

import signal
from pathlib import Path

import pytest

from tests.terminal.desk import SET, assert_f1_ends_it_with_a_sentence, opened
from tests.terminal.pseudo_terminal import PseudoTerminal
from tests.terminal.server import environment
from tests.terminal.terminal import EVALTUI, Terminal

FAILING = """
import sys, threading
from textual.driver import Driver
from textual.events import Key
passed_on, where = Driver.process_message, sys.argv.pop()
def fail(): raise RuntimeError("secret")
def process_message(driver, message):
    if not isinstance(message, Key) or message.key != "f1":
        passed_on(driver, message)
    elif where == "input":
        fail()
    else:
        threading.Thread(target=fail).start()
Driver.process_message = process_message
from evaltui.cli import run
sys.argv[1:] = ["edit", "desk.evalset.json"]
run()
"""


ODD = (
    b"\xff",
    b"\xe9\xe8",
    b"\x1b[99999999999u",
    b"\x1b[1114112u",
    b"\x1b[M \xff\xff",
    b"\x1b[48;99999;99999;1;1t",
    b"\x1b[200~\x1b[48;99999;99999;1;1t\x1b[201~",
    b"\x1b[48;0;0;0;0t\x1b[<0;5;5M\x1b[<0;5;5m",
)


def test_it_goes_on(terminal: Terminal) -> None:
    opened(terminal)
    for data in ODD:
        terminal.send(data)
        terminal.send(b"\x1b[F")
        screen = terminal.until("▌  farewell")
        assert "enter edit" in screen[-1]
        terminal.send(b"\x1b[H")
        terminal.until("▌desk")
    terminal.keys("q")
    assert terminal.until_exit() == 0


@pytest.mark.parametrize("thread", ["input", "another"])
def test_an_error_in_a_thread_ends_it_with_a_sentence_and_keeps_the_work(terminal: Terminal, thread: str) -> None:
    kept = assert_f1_ends_it_with_a_sentence(terminal, FAILING, thread)
    assert "RuntimeError: secret" in kept[".txt"]
    assert '"do"' in kept[".journal"]


def test_when_the_terminal_is_gone_it_ends_and_the_journal_keeps_the_work(tmp_path: Path) -> None:
    (tmp_path / "desk.evalset.json").write_text(SET)
    # SIGHUP is ignored, as nohup has it: what is left to notice is that nothing can be read.
    argv = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *EVALTUI, "edit", "desk.evalset.json"]
    with PseudoTerminal(argv, environment(tmp_path / "home"), tmp_path) as terminal:
        terminal.until(lambda: b"farewell" in terminal.last)
        terminal.send(b"\x1b[Fd")
        terminal.until(lambda: journalled(tmp_path))
        terminal.hang_up()
        assert terminal.process.wait(30) == 128 + signal.SIGHUP
    assert journalled(tmp_path)


def journalled(folder: Path) -> bool:
    """Whether a step is in a journal."""
    return any('"do"' in path.read_text() for path in (folder / "home" / "state").rglob("*.journal"))

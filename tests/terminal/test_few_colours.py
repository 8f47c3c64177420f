"""A terminal of sixteen colours, and a person who wants none."""

import re

import pytest

from tests.terminal.desk import opened
from tests.terminal.terminal import Terminal

_COLOUR = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;\d+)*m")


@pytest.mark.thorough
@pytest.mark.parametrize("term", ["linux", "xterm", "screen"])
def test_what_is_behind_a_dialog_stays_in_sight(terminal: Terminal, term: str) -> None:
    opened(terminal, TERM=term)
    terminal.keys("C-p")
    terminal.until("Commands")
    terminal.until(re.compile(r"desk\.evalset\.json.*\n(.*\n)*.*╭─ Commands"))
    terminal.keys("Escape")
    terminal.until(lambda lines: not any("Commands" in line for line in lines))
    terminal.keys("d", "C-q")
    terminal.until("save and quit")
    assert any("save and quit" in line for line in terminal.until("deleted case greeting"))


@pytest.mark.thorough
@pytest.mark.parametrize("term", ["xterm", "xterm-256color"])
def test_who_wants_no_colour_gets_none(terminal: Terminal, term: str) -> None:
    opened(terminal, TERM=term, NO_COLOR="1")
    terminal.keys("Enter", "Enter")
    terminal.until("esc done")
    terminal.keys("C-p")
    terminal.until("Commands")
    assert _COLOUR.findall(terminal.raw()) == []

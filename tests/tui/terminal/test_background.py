"""What the terminal answers about its background, and that no answer becomes a key."""

import pytest

from evaltui.tui.terminal.background import TerminalAnswer, TerminalBackground

WHITE, BLACK = b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\", b"\x1b]11;rgb:00/00/00\x07"
ATTRIBUTES = b"\x1b[?62;22c"


@pytest.mark.parametrize(
    ("data", "is_light"),
    [
        (WHITE, True),
        (BLACK, False),
        (b"\x1b]11;rgba:fafa/fafa/fafa/ffff\x07", True),
        (b"\x1b]11;rgb:f/f/f\x07", True),
        (b"\x1b]11;rgb:2828/2c2c/3434\x1b\\", False),
        (b"\x1b]11;something else\x07", None),
        (b"", None),
    ],
)
def test_an_answer_says_whether_the_background_is_light(data: bytes, is_light: bool | None) -> None:
    answer = TerminalAnswer()
    assert answer.feed(data + ATTRIBUTES) == b""
    assert (answer.is_light, answer.is_complete) == (is_light, True)


TYPED = b"ab" + WHITE + b"c" + ATTRIBUTES + b"d"
CUTS = [cut for cut in range(len(TYPED)) if TYPED[cut - 1] != 0x1B]
"""Nowhere behind an escape: alone it is the escape key."""


@pytest.mark.parametrize("cut", CUTS)
def test_what_is_typed_meanwhile_stays_wherever_the_answer_is_cut(cut: int) -> None:
    answer = TerminalAnswer()
    assert answer.feed(TYPED[:cut]) + answer.feed(TYPED[cut:]) == b"abcd"
    assert answer.is_light is True


def test_the_beginning_of_no_answer_is_given_after_a_pause() -> None:
    answer = TerminalAnswer()
    assert answer.feed(b"\x1b]") == b""
    assert answer.tick() == b"\x1b]"
    assert answer.feed(b"\x1b") == b"\x1b"


def test_once_complete_nothing_is_cut_any_more() -> None:
    answer = TerminalAnswer()
    answer.feed(ATTRIBUTES)
    assert answer.feed(WHITE) == WHITE


@pytest.mark.parametrize(
    ("value", "is_light"), [("0;15", True), ("15;0", False), ("0;default;7", True), ("", False), ("15;default", False)]
)
def test_without_an_answer_a_variable_of_the_terminal_counts(value: str, is_light: bool) -> None:
    assert TerminalBackground().is_light({"COLORFGBG": value}) is is_light


def test_without_a_terminal_nothing_is_asked(capfd: pytest.CaptureFixture[str]) -> None:
    background = TerminalBackground()
    background.ask({"TERM": "xterm"})
    background.settle()
    assert not background.awaits_answer
    assert capfd.readouterr().out == ""

"""What the terminal answers about its background, and that no answer becomes a key."""

from contextlib import nullcontext

import pytest

from evaltui.tui.terminal import background, kept_terminal
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


@pytest.mark.parametrize("cut", range(len(TYPED)))
def test_what_is_typed_meanwhile_stays_wherever_the_answer_is_cut(cut: int) -> None:
    answer = TerminalAnswer()
    parts = [answer.feed(part, holds_escape=True) for part in (TYPED[:cut], TYPED[cut:])]
    assert b"".join(parts) == b"abcd"
    assert answer.is_light is True


def test_the_beginning_of_no_answer_is_given_after_a_pause() -> None:
    answer = TerminalAnswer()
    assert answer.feed(b"\x1b]") == b""
    assert answer.tick() == b"\x1b]"


def test_an_escape_waits_for_a_pause_only_while_an_answer_is_awaited() -> None:
    answer = TerminalAnswer()
    assert answer.feed(b"\x1b") == b"\x1b"
    assert answer.feed(b"\x1b", holds_escape=True) == b""
    assert answer.tick() == b"\x1b"


@pytest.mark.parametrize(
    "also",
    [
        WHITE,
        ATTRIBUTES,
        WHITE + WHITE + ATTRIBUTES,
        b"\x9d11;rgb:ffff/ffff/ffff\x9c\x9b?62c",
        b"\xc2\x9d11;rgb:ffff/ffff/ffff\xc2\x9c\xc2\x9b?62c",
    ],
)
def test_what_comes_after_the_last_answer_or_with_other_controls_is_no_key(also: bytes) -> None:
    answer = TerminalAnswer()
    assert answer.feed(ATTRIBUTES) == b""
    assert answer.feed(b"a" + also + b"b") == b"ab"
    assert answer.feed(also) == b""


@pytest.mark.parametrize("text", ["\u011b?62c", "\u201d11;a\x07", "\u011b?1;2c\u201d"])
def test_letters_that_end_in_the_byte_of_a_control_stay(text: str) -> None:
    data = text.encode()
    assert TerminalAnswer().feed(data) == data
    for cut in range(len(data)):
        answer = TerminalAnswer()
        assert answer.feed(data[:cut]) + answer.feed(data[cut:]) + answer.tick() == data


def test_an_answer_without_end_is_let_through_before_it_grows_long() -> None:
    answer = TerminalAnswer()
    begun = b"\x1b]11;" + 200 * b"x"
    given, held = b"", 0
    for count, byte in enumerate(begun, 1):
        given += answer.feed(bytes([byte]))
        held = max(held, count - len(given))
    assert given == begun
    assert held < 128


@pytest.mark.parametrize("cut", [5, 12, len(WHITE) - 1, len(WHITE) + 3])
def test_an_answer_that_pauses_in_its_middle_becomes_no_key(cut: int, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = TerminalBackground()
    terminal._asked = now = 100.0
    monkeypatch.setattr(background.time, "monotonic", lambda: now)
    data = WHITE + ATTRIBUTES
    assert terminal.feed(data[:cut]) + terminal.tick() + terminal.feed(data[cut:]) == b""
    assert terminal.answer.is_light is True


def test_an_answer_that_never_ends_is_given_once_nothing_is_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = TerminalBackground()
    terminal._asked = now = 100.0
    monkeypatch.setattr(background.time, "monotonic", lambda: now)
    assert terminal.feed(b"\x1b]11;rgb") + terminal.tick() == b""
    now += background._LATEST
    assert terminal.tick() == b"\x1b]11;rgb"


class EndlessInput:
    """A terminal in which input never ends."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(background.time, "monotonic", lambda: self.now)
        monkeypatch.setattr(background.select, "select", lambda reads, *_: (reads, [], []))
        monkeypatch.setattr(background.os, "read", self._read)

    def _read(self, _fd: int, _size: int) -> bytes:
        self.now += 0.01
        return b"x"


def test_input_without_end_does_not_hold_up_the_first_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = EndlessInput(monkeypatch)
    read = b"".join(TerminalBackground()._input_until(0, background.PATIENCE))
    assert set(read) == {ord("x")}
    assert terminal.now < 2 * background.PATIENCE


@pytest.mark.parametrize(
    ("value", "is_light"), [("0;15", True), ("15;0", False), ("0;default;7", True), ("", False), ("15;default", False)]
)
def test_without_an_answer_a_variable_of_the_terminal_counts(value: str, is_light: bool) -> None:
    assert TerminalBackground().is_light({"COLORFGBG": value}) is is_light


def test_without_a_terminal_nothing_is_asked(capfd: pytest.CaptureFixture[str]) -> None:
    terminal = TerminalBackground()
    terminal.ask({"TERM": "xterm"})
    terminal.settle()
    terminal.leave()
    assert not terminal.awaits_answer
    assert capfd.readouterr().out == ""


def test_the_terminal_is_imported_before_a_signal_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    monkeypatch.setattr(kept_terminal, "_terminal", lambda: steps.append("imported"))
    monkeypatch.setattr(kept_terminal, "leaving_on_signals", lambda: nullcontext(steps.append("heeds signals")))
    with kept_terminal.kept_terminal():
        assert steps == ["imported", "heeds signals"]

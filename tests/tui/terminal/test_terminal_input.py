"""What the terminal sends is text, keys and clicks, whatever bytes it is made of."""

import gc
import weakref
from collections.abc import Sequence
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.message import Message

from evaltui.tui.terminal.driver import InputDecoder


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def read(*pieces: bytes) -> list[Message]:
    terminal = InputDecoder(Clock())
    return [message for piece in pieces for message in terminal.feed(piece)]


def keys(messages: Sequence[Message]) -> str:
    return " ".join(message.key for message in messages if isinstance(message, events.Key))


def pastes(messages: Sequence[Message]) -> list[str]:
    return [message.text for message in messages if isinstance(message, events.Paste)]


@pytest.mark.parametrize(
    ("data", "typed"),
    [
        (b"a\xffb", "a�b"),
        (b"caf\xe9 ", "caf� "),
        (b"\xc3", ""),
        (b"a\xc3b", "a�b"),
        (b"a\x1b[99999999999ub", "ab"),
        (b"a\x1b[1114112ub", "ab"),
        (b"a\x1b[97;1;99999999999ub", "ab"),
        (b"a\x1b[55357ub", "ab"),
        (b"a\x1b[97;1;56832ub", "ab"),
        (b"a\x1b[1:2;3ub", "ab"),
    ],
)
def test_what_cannot_be_read_is_marked_or_dropped_and_the_rest_is_kept(data: bytes, typed: str) -> None:
    messages = read(data)
    assert "".join(each.character or "" for each in messages if isinstance(each, events.Key)) == typed


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"\x1b1", "alt+1"),
        (b"\x1b0", "alt+0"),
        (b"\x1b-", "alt+minus"),
        (b"\x1b.", "alt+full_stop"),
        (b"\x1b[", "alt+left_square_bracket"),
        (b"\x1b ", "alt+space"),
        ("\x1b\u00e9".encode(), "alt+\u00e9"),
        ("\x1b\u20ac".encode(), "alt+euro_sign"),
        (b"\x1bj", "alt+j"),
        (b"\x1bN", "alt+shift+n"),
        (b"\x1b[49;3u", "alt+1"),
        (b"\x1b[27;3;49~", "alt+1"),
        (b"\x1b\r", "enter"),
        (b"\x1b[27;2;65~", "A"),
        ("\u00a1".encode(), "inverted_exclamation_mark"),
    ],
)
def test_a_character_with_alt_is_a_key_with_alt_and_no_other_character(data: bytes, key: str) -> None:
    terminal = InputDecoder(Clock())
    messages = list(terminal.feed(data))
    if terminal._parser._timeout_time is not None:  # a longer sequence could follow
        terminal._parser._timeout_time = 0.0
        messages += terminal.tick()
    assert keys(messages) == key


def test_a_key_with_alt_that_is_held_is_that_key_again_and_again() -> None:
    assert keys(read(b"\x1bj\x1bj\x1b1\x1b.\x1b.x")) == "alt+j alt+j alt+1 alt+full_stop alt+full_stop x"


def test_a_character_may_come_in_pieces() -> None:
    assert keys(read(b"\xe6", b"\xbc", b"\xa2")) == "漢"


@pytest.mark.parametrize(
    "report", [b"\x1b[48;99999;99999;1;1t", b"\x1b[48;0;0;0;0t", b"\x1b[?2048;1$y", b"\x1b[?2048;2$y"]
)
def test_what_a_report_says_of_the_size_is_not_believed(report: bytes) -> None:
    messages = read(b"a" + report + b"\x1b[<0;5;7Mb")
    assert not [each for each in messages if not isinstance(each, (events.Key, events.MouseDown))]
    assert keys(messages) == "a b"
    assert [(each.x, each.y) for each in messages if isinstance(each, events.MouseDown)] == [(4, 6)]


def test_between_its_marks_a_paste_is_text() -> None:
    pasted = "\x1b[31mred\x1b[0m \x1b[48;99999;99999;1;1t\x1b]0;title\x07\x1b[A\x1b\r\n\x1b[200~é"
    messages = read(b"a\x1b[200~" + pasted.encode() + b"\xff\x1b[201~b")
    assert pastes(messages) == [pasted + "�"]
    assert keys(messages) == "a b"
    assert len(messages) == 3


def test_an_empty_paste_is_nothing() -> None:
    assert read(b"\x1b[200~\x1b[201~") == []


def test_pastes_and_keys_are_the_same_wherever_they_are_cut() -> None:
    whole = b"\x1b[A\x1b\x1b[200~one\x1b[20\xc3\xa9\x1b[201~x\x1b[200~two\x1b[201~\x1b[200~\x1b[201~\x1b[<0;3;4m"
    expected = [repr(each) for each in read(whole)]
    assert len(expected) == 6
    for cut in range(len(whole)):
        assert [repr(each) for each in read(whole[:cut], whole[cut:])] == expected, cut
    assert [repr(each) for each in read(*(whole[n : n + 1] for n in range(len(whole))))] == expected


def test_a_paste_takes_linear_time() -> None:
    """A million times the end of a paste in pieces, but not its last byte, is looked through once."""
    piece = b"\x1b[201" * 700
    assert len(pastes(read(b"\x1b[200~", *[piece] * 1000, b"\x1b[201~"))[0]) == len(piece) * 1000


def test_a_paste_whose_end_is_lost_ends_with_the_next_key() -> None:
    clock = Clock()
    terminal = InputDecoder(clock)
    assert list(terminal.feed(b"\x1b[200~half of it")) == []
    clock.now += 5
    assert list(terminal.feed(b", and after a pause of the line the rest" * 10)) == []
    clock.now += 5
    messages = list(terminal.feed(b"x"))
    assert pastes(messages)[0].startswith("half of it, and after")
    assert keys(messages) == "x"


def test_the_end_of_a_paste_may_come_late() -> None:
    clock = Clock()
    terminal = InputDecoder(clock)
    assert list(terminal.feed(b"\x1b[200~half\x1b[2")) == []
    clock.now += 5
    assert pastes(list(terminal.feed(b"01~"))) == ["half"]


def test_an_escape_that_nothing_followed_begins_no_paste() -> None:
    clock = Clock()
    terminal = InputDecoder(clock)
    list(terminal.feed(b"\x1b"))
    clock.now += 1
    list(terminal.tick())
    list(terminal.feed(b"[200~"))
    clock.now += 1
    list(terminal.tick())
    assert keys(list(terminal.feed(b"x"))).endswith("x")


_PIECES = st.one_of(
    st.binary(max_size=20),
    st.sampled_from([b"\x1b", b"\x1b[", b"\x1b[200~", b"\x1b[201~", b"\x1b[<", b"\x1b]", b"\x1b[48;1;1;1;1t"]),
    st.from_regex(rb"\x1b\[[<?>]?[0-9;:-]{0,40}[A-Za-z~]", fullmatch=True),
)


@given(st.lists(_PIECES, max_size=12))
def test_nothing_raises_an_error_and_the_next_key_is_read(pieces: list[bytes]) -> None:
    clock = Clock()
    terminal = InputDecoder(clock)
    for piece in pieces:
        list(terminal.feed(piece))
        list(terminal.tick())
    list(terminal.feed(b"\x1b[201~"))
    list(terminal.feed(b"\x1b[0;0;0~" * 2))
    assert keys(list(terminal.feed(b"z"))).endswith("z")


def test_nothing_of_it_stays_when_it_is_closed() -> None:
    """Textual keeps a parser that met a key of kitty's in a cache, and with it the last key and its app."""
    terminal = InputDecoder(Clock())
    parsers = [weakref.ref(terminal._parser)]
    assert keys(list(terminal.feed(b"\x1b[97;5u"))) == "ctrl+a"
    with closing(terminal):
        assert parsers[0]() is not None
    gc.collect()
    assert parsers[0]() is None

"""Output of a command: lines of any bytes, bounded, safe to show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.printable import is_unsafe
from evaltui.runs import command_output
from evaltui.runs.command_output import LONGEST, CommandOutput, OutputTail


def written(*pieces: bytes, most: int = 5_000) -> CommandOutput:
    output = CommandOutput(most)
    for piece in pieces:
        output.feed(piece)
    output.close()
    return output


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"one\ntwo\n", ["one", "two"]),
        (b"one\r\ntwo\r\n", ["one", "two"]),
        (b"no newline", ["no newline"]),
        (b"\n\n", ["", ""]),
        (b"a\tb", ["a       b"]),
        (b"bad \xff byte", ["bad \ufffd byte"]),
        (b"10 %\r20 %\r100 %\ndone", ["100 %", "done"]),
        (b"10 %\r20 %\r", ["20 %"]),
        (b"\x1b[1;31mred\x1b[0m text", ["red text"]),
        (b"\x1b]0;title\x07after", ["after"]),
        (b"\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", ["link"]),
        (b"bell \x07 and \x9b", ["bell ␇ and \ufffd"]),
        ("form\x0cfeed\u2028line".encode(), ["form␌feed⁞line"]),
    ],
)
def test_lines_are_those_that_a_terminal_would_leave(data: bytes, lines: list[str]) -> None:
    assert written(data).tail().lines == lines


def test_a_line_may_grow() -> None:
    output = CommandOutput()
    output.feed(b"Continue")
    assert output.tail() == OutputTail(0, ["Continue"])
    output.feed("? é".encode()[:-1])
    assert output.tail().lines == ["Continue? "]
    output.feed(b"\xa9\nyes")
    assert output.tail().lines == ["Continue? é", "yes"]
    assert output.count == 2


def test_only_the_last_lines_are_kept_and_all_are_counted() -> None:
    output = written(b"".join(b"%d\n" % number for number in range(100)), most=10)
    assert output.count == 100
    assert output.tail() == OutputTail(90, [str(number) for number in range(90, 100)])
    assert output.tail(3) == OutputTail(97, ["97", "98", "99"])


def test_the_last_lines_count_the_one_that_is_open() -> None:
    output = CommandOutput()
    output.feed(b"1\n2\n3")
    assert output.tail(2) == OutputTail(1, ["2", "3"])


def test_an_endless_line_is_cut_and_what_is_cut_is_counted() -> None:
    output = CommandOutput()
    for _ in range(1_000):
        output.feed(b"x" * 1_000)
    assert output.tail().lines == ["x" * LONGEST + f" … {1_000_000 - LONGEST:,} more characters"]
    output.feed(b"\rshort\n")
    assert output.tail().lines == ["short"]


@given(st.lists(st.binary(max_size=40), max_size=20))
def test_no_bytes_act_on_a_terminal_and_pieces_do_not_matter(pieces: list[bytes]) -> None:
    in_pieces, at_once = written(*pieces), written(b"".join(pieces))
    assert in_pieces.tail() == at_once.tail()
    assert not any(is_unsafe(line) for line in in_pieces.tail().lines)
    assert in_pieces.count == len(in_pieces.tail().lines)


@given(st.lists(st.text("a\r\n\t\x1b", max_size=60), max_size=8), st.integers(1, 5))
def test_the_last_lines_do_not_depend_on_the_pieces(pieces: list[str], most: int) -> None:
    at_once = written("".join(pieces).encode(), most=most)
    for some in (pieces, "".join(pieces)):
        in_pieces = written(*(piece.encode() for piece in some), most=most)
        assert in_pieces.tail() == at_once.tail()
        assert in_pieces.count == at_once.count


@pytest.mark.parametrize("piece", [b"\n" * 65_536, b"\r\n" * 30_000, b"10 %\r\xff\n" * 10_000])
def test_lines_that_leave_the_memory_at_once_are_only_counted(monkeypatch: pytest.MonkeyPatch, piece: bytes) -> None:
    """A command that writes 100 MB of line breaks would wait for evaltui for minutes."""
    shown: list[str] = []
    show = command_output._shown
    monkeypatch.setattr(command_output, "_shown", lambda line, cut: shown.append(line) or show(line, cut))
    output = CommandOutput(most=100)
    output.feed(b"begun")
    for _ in range(3):
        output.feed(piece)
    assert output.count == 3 * piece.count(b"\n")
    assert output.tail().first == output.count - 100
    assert len(shown) == 300


def test_many_carriage_returns_leave_the_last_text() -> None:
    output = CommandOutput()
    output.feed(b"10 %" + b"\r" * 60_000 + b"20 %" + b"\r" * 60_000)
    assert output.tail().lines == ["20 %"]
    output.feed(b"30")
    assert output.tail().lines == ["30"]

"""Text of unknown origin, made safe to show."""

import io
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.printable import one_line, printable, write_line

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=20)
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é😀 text", "plain é😀 text"),
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x1b]0;title\x07\x00\r", "␛]0;title␇␀␍"),
        ("\x7f\x80\x9b31m", "␡��31m"),
        ("a\nb\tc", "a␊b␉c"),
        ("user\u202egnp.exe\u2066", "user⁞gnp.exe⁞"),
        ("\u2028\u2029\ufeff\u200b", "⁞⁞⁞⁞"),
        ("\ud800x\udfff", "�x�"),
        ("👩\u200d💻 ❤\ufe0f می\u200cخواهم", "👩\u200d💻 ❤\ufe0f می\u200cخواهم"),
        ("go\U000e0067\U000e0000\U000e007f", "go⁞⁞⁞"),
        ("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u2061\u206a\u206f\u3164\uffa0\ufff9\ufffb", "⁞" * 14),
        ("\U0001d173\U0001d17a", "⁞⁞"),
    ],
)
def test_what_could_act_becomes_visible(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_lines_and_tabs_can_stay() -> None:
    assert printable("a\n\tb\r\x1b", keep_lines=True) == "a\n\tb␍␛"


@given(ANY_TEXT, st.booleans())
def test_nothing_that_acts_is_left_and_every_character_keeps_its_place(text: str, keep_lines: bool) -> None:
    shown = printable(text, keep_lines=keep_lines)
    assert len(shown) == len(text)
    left = {character for character in shown if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")}
    assert left <= ({"\n", "\t"} if keep_lines else set())
    assert not set(shown) & set(BIDI)
    assert printable(shown, keep_lines=keep_lines) == shown


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("one\n  two\tthree", 0, "one two three"),
        ("one two three", 7, "one tw…"),
        ("one two three", 5, "one…"),
        ("exactly", 7, "exactly"),
        ("\x1b\n\u202e", 0, "␛ ⁞"),
        ("  ", 3, ""),
        ("x" * 1_000_000, 3, "xx…"),
    ],
)
def test_a_text_on_one_line(text: str, width: int, shown: str) -> None:
    assert one_line(text, width) == shown


@pytest.mark.parametrize(
    ("encoding", "written"), [("utf-8", "é␛�\n".encode()), ("ascii", b"???\n"), ("latin-1", b"\xe9??\n")]
)
def test_a_line_is_written_in_any_encoding(monkeypatch: pytest.MonkeyPatch, encoding: str, written: bytes) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    write_line("stdout", "é\x1b\ud800")
    stream.flush()
    assert stream.buffer.getvalue() == written  # type: ignore[attr-defined]

"""Long texts of a chat: the beginning is shown, what is left out is counted, and nothing acts on a terminal."""

import pytest

from evaltui.printable import is_unsafe
from evaltui.tui.conversations.folded_text import beginning_of, folded_value, text_lines
from evaltui.tui.lines import text_of


def shown(text: str, most: int | None = 6, width: int = 20) -> list[str]:
    return [text_of(line) for line in text_lines(text, width, most).lines]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("short", ["short"]),
        ("", [""]),
        ("\n".join("abcdefg"), [*"abcdefg"]),  # a line about one more would take its room
        ("\n".join("abcdefgh"), [*"abcdef", "… 2 more lines"]),
        ("x\n" * 1_000, [*"xxxxxx", "… 995 more lines"]),
        ("word " * 10, ["word word word word ", "word word word word ", "word word "]),
    ],
)
def test_the_beginning_and_what_is_left_out(text: str, lines: list[str]) -> None:
    assert [line.rstrip() for line in shown(text)] == [line.rstrip() for line in lines]


def test_of_a_huge_text_characters_are_counted() -> None:
    assert shown("word " * 100_000)[-1].endswith("more characters")
    assert len(shown("word " * 100_000)) == 7
    assert shown("word " * 100_000, None)[-1] == "… 440,000 more characters"
    assert len(shown("x\n" * 100_000, None)) == 2_001


def test_what_can_be_unfolded_is_known() -> None:
    assert text_lines("x\n" * 20, 20, 6).is_cut
    assert not text_lines("x\n" * 20, 20, None).is_cut
    assert not text_lines("x", 20, 6).is_cut


@pytest.mark.parametrize("most", [6, None])
def test_nothing_acts_on_a_terminal(most: int | None) -> None:
    for text in ("\x1b[31m[/x]\u202e", "\x1b]0;x\x07\n" * 300, "日本語\x9b" * 5_000, "\ud800"):
        assert not any(map(is_unsafe, shown(text, most)))


def test_a_line_shows_the_beginning_of_a_large_value() -> None:
    value = {"text": "x" * 10_000, "rows": [{"n": n} for n in range(1_000)]}
    brief = beginning_of(value)
    assert len(brief["text"]) < 1_000
    assert len(brief["rows"]) < 100
    deep: object = 1
    for _ in range(5_000):
        deep = [deep]
    assert folded_value(beginning_of(deep))

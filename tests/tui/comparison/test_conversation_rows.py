"""Long texts of a chat: the beginning is shown, what is left out is counted, and nothing acts on a terminal."""

import pytest

from evaltui.printable import is_unsafe
from evaltui.tui.comparison.conversation_rows import beginning_of, folded_lines, indented_json, unfolded_lines
from evaltui.tui.lines import text_of


def shown(text: str, *, is_open: bool = False, width: int = 20) -> list[str]:
    return [text_of(line) for line in (unfolded_lines(text, width) if is_open else folded_lines(text, width)[0])]


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
    assert shown("word " * 100_000, is_open=True)[-1] == "… 440,000 more characters"
    assert len(shown("x\n" * 100_000, is_open=True)) == 2_001


def test_what_can_be_unfolded_is_known() -> None:
    assert folded_lines("x\n" * 20, 20)[1]
    assert not folded_lines("x", 20)[1]


@pytest.mark.parametrize("is_open", [False, True])
def test_nothing_acts_on_a_terminal(*, is_open: bool) -> None:
    for text in ("\x1b[31m[/x]\u202e", "\x1b]0;x\x07\n" * 300, "日本語\x9b" * 5_000, "\ud800"):
        assert not any(map(is_unsafe, shown(text, is_open=is_open)))


def test_a_line_shows_the_beginning_of_a_large_value() -> None:
    value = {"text": "x" * 10_000, "rows": [{"n": n} for n in range(1_000)]}
    brief = beginning_of(value)
    assert len(brief["text"]) < 1_000
    assert len(brief["rows"]) < 100
    deep: object = 1
    for _ in range(5_000):
        deep = [deep]
    assert indented_json(beginning_of(deep))

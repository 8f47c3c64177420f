"""A file that is not JSON is shown with the place where it stops being so, and is never changed."""

import pytest

from .scenario import NARROW, WIDE, scenario
from .sets import SNAKE

UNCLOSED = SNAKE.replace('"Weather",', '"Weather"')


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_the_place_is_named_by_line_and_column_and_marked_in_the_text(size: tuple[int, int]) -> None:
    async with scenario(UNCLOSED, size) as s:
        assert "set.evalset.json:4:3: not JSON" in s.title
        lines = s.screen()
        at = next(n for n, line in enumerate(lines) if "▲ here" in line)
        assert '"description": "Two short talks"' in lines[at - 1]
        assert lines[at].index("▲") == lines[at - 1].index('"description"')
        assert "e opens the file in $EDITOR" in s.keys


async def test_a_place_far_down_is_in_sight_at_once() -> None:
    text = "[\n" + "".join(f"  {n},\n" for n in range(500)) + "  oops\n]"
    async with scenario(text) as s:
        assert "set.evalset.json:502:3" in s.title
        s.expect("oops", "▲ here", "497")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "1:1"),
        ("{", "1:2"),
        ("[1,]", "1:4"),
        ("{'a': 1}", "1:2"),
        ("[1]\n]", "2:1"),
        ('["é", x]', "1:7"),
        ("nope", "1:1"),
    ],
)
async def test_common_slips_are_placed(text: str, place: str) -> None:
    async with scenario(text) as s:
        assert f"set.evalset.json:{place}: not JSON" in s.title
        s.expect("▲ here")


async def test_the_text_scrolls() -> None:
    async with scenario("nope\n" + "line\n" * 100 + "end") as s:
        await s.press("end")
        s.expect("end")
        assert not s.shows("nope")
        await s.press("home")
        s.expect("nope")
        await s.press("pagedown", "down", "j", "k", "up", "pageup", "G")
        s.expect("end")


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_it_is_left_without_a_question(key: str) -> None:
    async with scenario(UNCLOSED) as s:
        await s.press(key)
        assert s.ended


async def test_no_key_changes_the_file_or_ends_in_an_error() -> None:
    async with scenario(UNCLOSED) as s:
        for key in [
            "a",
            "d",
            "u",
            "U",
            "ctrl+z",
            "ctrl+y",
            "ctrl+s",
            "enter",
            "tab",
            "1",
            "2",
            "3",
            "ctrl+down",
            "escape",
        ]:
            await s.press(key)
        await s.press("ctrl+c", "f1", "escape", "question_mark", "escape")
        assert not s.ended
        assert s.file_bytes() == UNCLOSED.encode()


async def test_bytes_that_are_no_text_are_shown_without_acting() -> None:
    async with scenario(b'{"a": "\xff\xfe\x1b]0;title\x07\x1b[2J\xc2\x9b31m' + "\u202e[/nope]".encode()) as s:
        s.expect("▲ here", "[/nope]")


async def test_the_help_tells_the_keys() -> None:
    async with scenario(UNCLOSED) as s:
        await s.press("f1")
        assert s.focused == "HelpScreen"

"""Messages of the status line that are too long for it, or gone by now."""

import re

import pytest

from evaltui.tui.lines import folded
from evaltui.tui.messages import MessageLog
from tests.tui.scenario import NARROW, WIDE, Scenario, scenario
from tests.tui.sets import SNAKE

LONG = "Nothing was saved: " + ", ".join(f"reason {number}" for number in range(40)) + "; press S."


def status_line(s: Scenario) -> str:
    return s.screen()[-2]


def messages(s: Scenario) -> list[str]:
    """The messages in the dialog, in the order in which they stand there."""
    lines = [line.split("│")[1].strip() for line in s.screen() if line.count("│") == 2]
    return " ".join(lines).strip("• ").split(" • ")


@pytest.mark.thorough
async def test_a_message_that_is_too_long_ends_with_the_key_that_shows_all_of_it() -> None:
    for size in (NARROW, WIDE):
        async with scenario(SNAKE, size) as s:
            s.app.screen.panes.status.say(LONG, "u undoes it")  # type: ignore[attr-defined]
            await s.settle()
            assert re.search("… f2 more +u undoes it$", status_line(s))
            await s.press("f2")
            assert messages(s) == [LONG], "what a key would do now is no part of what was said"
            await s.press("escape")
            assert s.focused == "tree"


@pytest.mark.thorough
async def test_lines_of_wide_characters_are_indented_as_others_are() -> None:
    wide = "漢字が書かれた長い名前" * 12
    async with scenario(SNAKE) as s:
        s.app.screen.panes.status.say(wide)  # type: ignore[attr-defined]
        await s.press("f2")
        first, *rest = [line.split("│")[1].rstrip() for line in s.screen() if line.count("│") == 2]
        text = first.index("•") + 2
        assert len(rest) > 1
        assert not any(line[:text].strip() for line in rest)
        assert "".join(line[text:] for line in (first, *rest)) == wide


async def test_a_message_that_fits_names_no_key() -> None:
    async with scenario(SNAKE) as s:
        await s.press("ctrl+c")
        assert status_line(s).strip() == "Press ^q to quit."


@pytest.mark.thorough
async def test_a_hint_that_is_too_long_is_shown_whole_as_well() -> None:
    async with scenario(SNAKE) as s:
        s.app.screen.panes.status.hint(LONG)  # type: ignore[attr-defined]
        await s.settle()
        assert status_line(s).endswith("… f2 more")
        await s.press("alt+m")
        assert messages(s) == [LONG]
        await s.press("escape")


async def test_messages_are_listed_newest_first_and_stay_when_the_line_is_empty() -> None:
    async with scenario("[1, 2]", name="x.json") as s:
        await s.press("f2")
        s.expect("No messages yet.")
        await s.press("f2", "ctrl+c", "n")
        s.app.screen.panes.status.say("")  # type: ignore[attr-defined]
        await s.settle()
        assert not status_line(s)
        await s.press("f2")
        assert messages(s)[-2:] == ["No filter. Press / to filter the cases.", "Press ^q to quit."]
        await s.press("q")
        assert s.focused == "tree"


@pytest.mark.thorough
async def test_the_palette_finds_them() -> None:
    async with scenario(SNAKE) as s:
        await s.press("ctrl+c", "colon")
        await s.type("messages\r")
        s.expect("Messages, newest first", "Press ^q to quit.")
        await s.press("escape")


def test_a_message_that_goes_on_replaces_the_one_that_it_continues() -> None:
    log = MessageLog()
    for message in ("read again", "saved x", "saved x", "saved x · refund passes now", ""):
        log.add(message)
    assert log.newest_first() == ["saved x · refund passes now", "read again"]


def test_old_messages_are_forgotten() -> None:
    log = MessageLog()
    for number in range(1000):
        log.add(f"{number} saved")
    assert log.newest_first()[0] == "999 saved"
    assert 10 < len(log.newest_first()) < 1000


@pytest.mark.thorough
async def test_help_and_messages_take_each_others_place() -> None:
    async with scenario(SNAKE) as s:
        before = len(s.app.screen_stack)
        await s.press("f1", "f2", "f1", "f2", "f1")
        s.expect("Keys")
        assert len(s.app.screen_stack) == before + 1
        await s.press("escape")
        assert s.focused == "tree"


def test_a_message_replaces_the_last_one_only_where_it_goes_on() -> None:
    log = MessageLog()
    for message in ("undone: add c1", "undone: add c10", "undone: add c10", "undone: add c10 · 2 cases pass now"):
        log.add(message)
    assert log.newest_first() == ["undone: add c10 · 2 cases pass now", "undone: add c1"]


def test_a_text_of_many_pages_keeps_its_lines_when_it_is_folded() -> None:
    lines = folded("one\ntwo\tthree\n\n" + "漢" * 20_000, 10)
    assert lines[:4] == ["one", "two three", "", "漢" * 5]
    assert "".join(lines[-2:]) == "漢" * 10

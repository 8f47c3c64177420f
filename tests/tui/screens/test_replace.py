"""Find and replace in the app."""

import asyncio
import subprocess

import pytest
from textual.widgets import Input

from evaltui.evalset.search import replacement
from evaltui.tui.commands import use_keys
from tests.tui.scenario import NARROW, NORMAL, SAMPLES, WIDE, scenario
from tests.tui.sets import SNAKE, SNAKE_EVENTS


@pytest.mark.thorough
async def test_all_hits_are_replaced_as_one_step() -> None:
    async with scenario(SNAKE) as s:
        await s.press("ctrl+r")
        assert s.focused == "ReplaceScreen"
        await s.type("bergen")
        await s.press("tab")
        await s.type("Oslo")
        s.expect("3 hits in 1 case", "rain_in_bergen → rain_in_Oslo", "raining in [Bergen → Oslo]?")
        assert s.keys.split("  ")[0].strip() == "tab next"
        assert "save" not in s.keys
        await s.press("ctrl+r")
        assert s.focused == "tree"
        assert "replaced bergen with Oslo in 3 places" in s.status
        assert s.bytes() == s.original.replace(b"Bergen", b"Oslo").replace(b"bergen", b"Oslo")
        s.expect("rain_in_Oslo")
        await s.press("u")
        assert s.bytes() == s.original


async def test_a_hit_can_be_left_out_and_kinds_chosen() -> None:
    async with scenario(SNAKE) as s:
        await s.press("ctrl+r")
        await s.type("bergen")
        await s.press("tab")
        await s.type("Oslo")
        await s.press("tab", "space")
        s.expect("1 left out")
        await s.press("enter")
        assert s.bytes() == s.original.replace(b"Bergen", b"Oslo")
        assert "1 left out" in s.status
        await s.press("u", "ctrl+r")
        await s.type("bergen")
        await s.press("tab", "tab", "1", "5")
        s.expect("1 hit in 1 case", "1 [ ] messages", "5 [ ] ids", "∅")
        await s.press("enter")
        assert s.bytes() == s.original.replace(b'"city": "Bergen"', b'"city": ""')


@pytest.mark.thorough
async def test_keys_in_one_burst_go_where_they_were_meant_to() -> None:
    async with scenario(SNAKE) as s:
        await s.press("ctrl+r")
        await s.burst(*"bergen", "tab", *"Oslo", "enter")
        s.expect("3 hits in 1 case")
        await s.press("shift+tab")
        await s.burst("X", "tab", "j")
        s.expect("3 hits in 1 case", "OsloX")
        await s.burst("space", "space")
        s.expect("2 left out")
        await s.press("enter")
        assert s.bytes() == s.original.replace(b"rain_in_bergen", b"rain_in_OsloX")


async def test_case_and_expressions() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.press("ctrl+r")
        await s.type("bergen")
        await s.press("alt+c")
        s.expect("match case", "1 hit in 1 case")
        await s.press("alt+x", "ctrl+u")
        await s.type("(")
        s.expect("invalid regular expression: missing ), unterminated subpattern at character 1")
        await s.press("ctrl+r")
        assert s.focused == "ReplaceScreen"
        await s.press("ctrl+u")
        await s.type("call-([0-9])")
        await s.press("tab")
        await s.type(r"c\1")
        s.expect("2 hits in 1 case", "expression")
        await s.press("ctrl+r")
        assert s.bytes() == s.original.replace(b'"call-', b'"c')


@pytest.mark.thorough
async def test_pairs_in_events_keep_in_step_and_esc_changes_nothing() -> None:
    async with scenario(SNAKE_EVENTS) as s:
        await s.press("ctrl+r")
        await s.type("call-1")
        s.expect("1 hit in 1 case")
        await s.press("escape")
        assert s.bytes() == s.original
        await s.press("ctrl+r")
        await s.type("call-1")
        await s.press("tab")
        await s.type("[one]")
        await s.press("ctrl+r")
        assert s.bytes() == s.original.replace(b'"call-1"', b'"[one]"')


async def test_only_what_the_filter_shows_is_searched_unless_asked() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.type("/greeting\r")
        await s.press("ctrl+r")
        s.expect("in 1 filtered cases")
        await s.type("morning")
        s.expect("2 hits in 1 case")
        await s.press("ctrl+u")
        await s.type("bergen")
        s.expect("0 hits")
        await s.press("alt+s")
        s.expect("in 2 cases", "3 hits in 1 case")
        await s.press("escape", "escape")


async def test_a_json_file_says_that_it_has_no_cases() -> None:
    async with scenario("[1]", name="x.json") as s:
        await s.press("ctrl+r")
        assert "works on the cases of an eval set" in s.status


async def test_numbers_words_and_keys_are_found_and_named_by_case_turn_and_field() -> None:
    async with scenario(SNAKE) as s:
        await s.press("ctrl+r")
        await s.type("days")
        await s.press("tab")
        await s.type("nights")
        s.expect("2 hits in 1 case", "rain_in_bergen › turn 1 › tool call 1 › args.days", "days → nights")
        s.expect("rain_in_bergen › session_input.state.days", "9 [x] keys")
        await s.press("ctrl+r")
        assert s.bytes() == s.original.replace(b'"days"', b'"nights"')
        await s.press("u", "ctrl+r")
        await s.type("12")
        await s.press("tab")
        await s.type("24")
        s.expect("args.hours[1]", "12 → 24", "response.rain_mm", "12.50 → 24.50")
        await s.press("ctrl+r")
        assert s.bytes() == s.original.replace(b"12]", b"24]").replace(b"12.50", b"24.50")


@pytest.mark.thorough
async def test_a_value_that_becomes_a_text_says_so_and_can_be_left_out() -> None:
    async with scenario(SNAKE) as s:
        await s.press("ctrl+r")
        await s.burst(*"true", "tab", *"yes")
        s.expect('boolean true → text "yes"', "1 boolean becomes text")
        await s.press("tab", "space")
        assert not s.shows("becomes text")
        await s.press("shift+tab", "ctrl+u")
        await s.type("false")
        s.expect("true → false")
        assert not s.shows("boolean true")
        await s.press("ctrl+r")
        assert s.bytes() == s.original.replace(b"true", b"false")


async def test_keys_that_would_stand_twice_are_refused_with_a_sentence() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await s.press("ctrl+r")
        await s.burst(*"city", "tab", *"note")
        await s.press("ctrl+r")
        assert s.focused == "ReplaceScreen"
        s.expect(
            'The key "note" would be a duplicate: rain_in_bergen › turn 1 › tool call 1 › args.city. Leave one hit out.'
        )
        await s.press("escape")


@pytest.mark.thorough
async def test_long_texts_are_cut_around_what_changes_and_never_in_it() -> None:
    words = " ".join(f"w{n}" for n in range(40))
    old, new = "a_rather_long_word_that_changes", "another_word_that_is_just_as_long"
    text = f"{words} {old} {words} {old}"
    source = SNAKE.replace("Thanks", text)
    async with scenario(source) as s:
        await s.press("ctrl+r")
        await s.paste(old)
        await s.press("tab")
        await s.paste(new)
        for size in ((80, 24), (140, 40)):
            await s.resize(*size)
            shown = " ".join(" ".join(line.strip("▏▌ ") for line in s.screen()).split())
            assert shown.count(f"[{old} → {new}]") == 2
            assert "…" in shown
        await s.press("escape")


async def test_the_cursor_goes_from_hit_to_hit_whatever_lines_they_take() -> None:
    async with scenario(SNAKE.replace("Thanks", "e " * 60)) as s:
        await s.press("ctrl+r")
        await s.burst(*"e", "tab", *"é", "tab")
        count = int(next(line for line in s.screen() if " hits in " in line).split()[0])
        seen = set()
        for _ in range(count):
            seen.add(s.cursor().strip())
            await s.press("down")
        assert len(seen) > count / 2
        await s.press("end", "pageup", "pagedown", "home", "G", "g")
        assert "eval_id" in s.cursor()
        await s.resize(140, 40)
        assert "eval_id" in s.cursor()
        await s.press("escape")


@pytest.mark.thorough
async def test_the_switches_and_their_keys_are_on_screen_at_80_columns() -> None:
    async with scenario(SNAKE) as s:
        await s.type("/greeting\r")
        await s.press("ctrl+r")
        s.expect("alt+x plain text · alt+c ignore case · alt+s in 1 filtered cases")
        s.expect("Searched fields: 1 to 9 turn each on or off, from the list below (tab)")
        for key in ("tab next", "^r replace", "esc close", "alt+x regex", "alt+c case", "alt+s scope"):
            assert key in s.keys
        await s.press("alt+x", "alt+c")
        s.expect("alt+x regular expression · alt+c match case")
        await s.press("tab", "tab")
        s.expect("Searched fields: 1 to 9 turn each on or off\n")
        for key in ("space leave out", "enter replace", "esc close"):
            assert key in s.keys
        assert s.keys.count("replace") == 1
        await s.press("escape", "escape")


@pytest.mark.thorough
async def test_all_lines_above_the_hits_begin_in_one_column() -> None:
    async with scenario(SNAKE, NARROW) as s:
        await s.press("ctrl+r")
        rule = next(n for n, line in enumerate(s.screen()) if line.startswith("───"))
        assert all(line[0] == " " != line[1] for line in s.screen()[:rule])


@pytest.mark.thorough
async def test_other_keys_for_the_switches_are_shown_as_they_are() -> None:
    async with scenario(SNAKE) as s:
        use_keys({"hits.kind_1": "u", "replace.regex": "f10"})
        try:
            await s.press("ctrl+r")
            s.expect("u [x] messages", "f10 plain text", "Searched fields: u to 9")
            await s.press("escape")
        finally:
            use_keys({})


@pytest.mark.thorough
async def test_an_invalid_expression_stays_said_when_it_is_applied() -> None:
    async with scenario(SNAKE) as s:
        await s.press("ctrl+r", "(", "alt+x")
        s.expect("invalid regular expression")
        await s.press("ctrl+r")
        s.expect("invalid regular expression")


@pytest.mark.thorough
async def test_a_search_is_ended_when_another_begins_and_when_it_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replacement, "SECONDS", 60)
    begun: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *args: object, **named: object) -> None:
            super().__init__(*args, **named)  # type: ignore[call-overload]
            begun.append(self)

    async def begins(count: int) -> None:
        async with asyncio.timeout(20):
            while True:
                if len(begun) == count:
                    return
                await asyncio.sleep(0)

    async with scenario(SNAKE.replace("rain_in_bergen", "a" * 60 + "b")) as s:
        await s.press("ctrl+r", "alt+x")
        monkeypatch.setattr(subprocess, "Popen", Noted)
        for count, never_ending in enumerate(("(a+)+§", "(a+)+§§", "(a+)+§§§"), 1):
            s.app.screen.query_one("#find", Input).value = never_ending
            await begins(count)
        await s.press("escape")
        for process in begun:
            assert await asyncio.to_thread(process.wait, 20) != 0, "it came to its own end"
        await s.to("greeting")
        await s.press("d")
        assert "greeting" not in (await s.saved()).decode()


async def test_hits_count_and_keys_stay_visible_in_a_small_terminal() -> None:
    async with scenario(SAMPLES / "trip_planner.evalset.json", (80, 24)) as s:
        await s.press("ctrl+r")
        await s.type("flight")
        await s.press("tab")
        await s.type("train")
        for size in ((80, 24), (79, 12), (60, 12), (40, 10), (20, 5)):
            await s.resize(*size)
            head, *_, summary, keys = s.screen()
            assert "Find" in head, size
            assert any("eval_id" in line or "book…re" in line for line in s.screen()[2:-2]), size
            assert "13 hits" in summary, size
            assert "tab next" in keys, size
        await s.resize(80, 24)
        s.expect("Searched fields: 1 to 9", "Not searched: rubrics")  # the explanations come back
        await s.press("escape")


async def test_nothing_is_searched_for_without_a_text_to_find() -> None:
    async with scenario(SNAKE) as s:
        await s.burst("ctrl+r", "ctrl+r")
        s.expect("Type what to find.")
        await s.press("ctrl+r")
        s.expect("Type what to find.")
        assert not s.shows("Still searching")
        await s.press("escape")

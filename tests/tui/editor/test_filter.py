"""The filter over the rows of the tree."""

import json
from typing import Any

import pytest

from evaltui.document.node import Node
from evaltui.evalset.keys import text_of
from tests.tui.scenario import NORMAL, SAMPLES, Scenario, scenario
from tests.tui.sets import SNAKE

TRIPS = SAMPLES / "trip_planner.evalset.json"


def many(count: int) -> str:
    cases: list[Any] = []
    for number in range(count):
        texts = [f"Hello {number}", f"To Oslo on day {number}" if number % 10 == 3 else "Thanks"]
        turns = [{"user_content": {"parts": [{"text": text}]}} for text in texts]
        cases.append({"eval_id": f"case_{number:04d}", "conversation": turns})
    return json.dumps({"eval_set_id": "many", "eval_cases": cases}, indent=1)


def cases_shown(s: Scenario) -> list[str]:
    rows = s.app.screen.panes.tree.rows  # type: ignore[attr-defined]
    nodes: list[Node] = [node for node, depth in zip(rows.nodes, rows.depths, strict=True) if depth == 1]
    return [text_of(node, "eval_id") for node in nodes]


@pytest.mark.thorough
async def test_the_filter_shows_only_what_it_finds_and_how_many() -> None:
    async with scenario(many(30), NORMAL) as s:
        before = s.rows()
        await s.press("/")
        assert s.focused == "filter"
        await s.type("oslo")
        assert cases_shown(s) == ["case_0003", "case_0013", "case_0023"]
        s.expect("3 of 30 cases")
        assert "/ oslo" in s.status
        await s.press("escape")
        assert s.focused == "tree"
        assert s.rows() == before
        assert "3 of 30" not in "\n".join(s.screen())
        await s.press("/")
        await s.type("_000")
        assert len(cases_shown(s)) == 10
        await s.type("1")
        assert cases_shown(s) == ["case_0001"]
        await s.press("backspace")
        assert len(cases_shown(s)) == 10
        await s.press("alt+backspace")
        assert len(cases_shown(s)) == 30
        await s.type("_000")
        await s.press("ctrl+u")
        assert len(cases_shown(s)) == 30


@pytest.mark.thorough
async def test_enter_goes_to_the_turn_that_was_found_and_n_to_the_next() -> None:
    async with scenario(many(30)) as s:
        await s.press("/")
        await s.type("oslo\r")
        assert s.focused == "tree"
        assert "To Oslo on day 3" in s.cursor()
        await s.press("n")
        assert s.cursor().endswith("To Oslo on day 13")
        assert "case 2 of 3 found: case_0013 › turn 2" in s.status
        await s.press("N", "N")
        assert s.cursor().endswith("To Oslo on day 23"), "round at the ends"
        await s.press("n")
        assert s.cursor().endswith("To Oslo on day 3")
        assert cases_shown(s) == [f"case_{number:04d}" for number in range(3, 30, 10)]
        await s.press("escape")
        assert len(cases_shown(s)) == 30
        assert s.cursor().endswith("To Oslo on day 3"), "the cursor stays where it was led"


async def test_n_says_which_case_and_which_of_the_turns_found_in_it() -> None:
    source = many(2).replace("Thanks", "Hello again")
    async with scenario(source) as s:
        await s.type("/hello\r")
        said = []
        for _ in range(4):
            await s.press("n")
            said.append(s.status.strip())
        assert said == [
            "case 1 of 2 found, turn 2 of 2 found: case_0000 › turn 2",
            "case 2 of 2 found, turn 1 of 2 found: case_0001 › turn 1",
            "case 2 of 2 found, turn 2 of 2 found: case_0001 › turn 2",
            "case 1 of 2 found, turn 1 of 2 found: case_0000 › turn 1",
        ]


async def test_the_prompt_of_the_filter_is_cut_between_its_clauses() -> None:
    async with scenario(SNAKE, (80, 24)) as s:
        await s.press("slash")
        for width, end in ((120, "· text:word"), (80, "· tool:name …"), (60, "· has:rubric …"), (40, '· "a phrase" …')):
            await s.resize(width, 24)
            assert s.line_with(" / words").split("  ")[0].rstrip().endswith(end), (width, s.line_with(" / words"))
        await s.press("escape")


async def test_an_unknown_word_of_the_filter_gets_a_hint() -> None:
    async with scenario(SNAKE.replace("Thanks", "see note:foo")) as s:
        for typed, hint in [
            ("bogus:foo", "bogus:? Options: is: has: tool: id: text:"),
            ("tol:book", "tol:? Did you mean tool:? Options: is:"),
            ("is:failng", "is:failng? Did you mean is:failing? Options"),
            ("is:fail", "is:fail? Options: dirty, marked, invalid, warning…"),
            ("has:rubrics", "has:rubrics? Did you mean has:rubric?"),
        ]:
            await s.press("/")
            await s.paste(typed)
            s.expect(hint)
            await s.press("escape")
        for typed in ("https://no.where", "10:25"):
            await s.press("/")
            await s.paste(typed)
            assert not s.shows("Options: is:")
            await s.press("escape")
        await s.type("/note:foo")
        s.expect("1 of 2 cases")
        assert not s.shows("Options: is:")
        await s.press("escape")


@pytest.mark.thorough
async def test_folds_and_cursor_are_what_they_were_after_the_filter() -> None:
    async with scenario(many(30), NORMAL) as s:
        await s.press("down", "right", "down", "down", "down", "right", "down")
        rows, cursor = s.rows(), s.cursor()
        await s.press("/")
        await s.type("_0022")
        assert cases_shown(s) == ["case_0022"]
        await s.press("escape")
        assert s.rows() == rows
        assert s.cursor() == cursor


@pytest.mark.thorough
async def test_letters_in_one_burst_with_the_slash_are_the_query() -> None:
    async with scenario(many(20)) as s:
        await s.type("/a oslo\r")
        assert cases_shown(s) == ["case_0003", "case_0013"]
        assert s.bytes() == s.original


@pytest.mark.thorough
async def test_marks_are_asked_for_by_name() -> None:
    async with scenario(TRIPS, NORMAL) as s:
        await s.press("/")
        await s.type("has:rubric\r")
        assert cases_shown(s)[0] == "book_flight_lisbon_montreal"
        await s.press("/")
        await s.type(" is:dirt")
        s.expect("is:dirt? Options: dirty, marked, invalid, warning, failing")
        await s.type("y")
        assert cases_shown(s) == []
        s.expect("0 of 6 cases")
        await s.press("escape")
        await s.press("d", "/")
        await s.type("is:dirty\r")
        s.expect("0 of 5 cases")


@pytest.mark.thorough
async def test_what_is_edited_or_added_while_filtered_stays_in_sight() -> None:
    async with scenario(many(20)) as s:
        await s.type("/oslo\r")
        await s.enter("To Oslo on day 3")
        await s.edit("To Oslo on day 3", "Elsewhere")
        await s.press("escape")
        assert s.focused == "tree"
        assert cases_shown(s) == ["case_0003", "case_0013"]
        await s.press("K", "a")
        assert cases_shown(s) == ["case_0003", "case_0020", "case_0013"]
        await s.press("escape", "escape")
        assert s.focused == "tree"
        await s.press("d", "u", "escape")
        assert len(cases_shown(s)) == 21
        await s.type("/elsewhere")
        assert cases_shown(s) == ["case_0003"]
        await s.press("escape")


async def test_a_case_outside_the_filter_is_shown_when_one_goes_there() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.type("/greeting\r")
        assert cases_shown(s) == ["greeting"]
        await s.press("home", "2")
        await s.enter("rain_in_bergen")
        assert s.focused == "form"
        assert cases_shown(s) == ["rain_in_bergen", "greeting"]


async def test_any_json_is_filtered_by_its_keys_and_values() -> None:
    async with scenario('{"one": {"deep": "Needle"}, "two": [1, 2], "three": null}', name="x.json") as s:
        await s.type("/needle")
        s.expect("1 of 3 rows")
        assert "deep" in "\n".join(s.screen()) or "one" in "\n".join(s.screen())
        await s.press("ctrl+u")
        await s.type("deep=")
        s.expect("1 of 3 rows")
        await s.press("escape")
        s.expect("three")


@pytest.mark.thorough
async def test_n_without_a_filter_says_so() -> None:
    async with scenario(SNAKE) as s:
        await s.press("n")
        assert "No filter. Press / to filter the cases." in s.status
        await s.type("/nowhere\r")
        await s.press("n")
        assert "The filter finds nothing. Press esc to clear the filter." in s.status


async def test_who_leaves_the_line_for_a_row_keeps_the_filter_and_acts_on_the_row() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        for way in ("click", "jump"):
            await s.press("slash")
            await s.type("bergen")
            if way == "click":
                await s.click("2 Thanks")
            else:
                await s.press("ctrl+g")
                await s.type("rain_in")
                await s.press("enter")
            assert s.focused == "tree"
            s.expect("1 of 2 cases")
            await s.press("d")
            assert s.is_dirty
            await s.press("u", "enter")
            assert s.focused == "form"
            assert s.bytes() == s.original
            await s.press("escape", "escape")
            s.expect("greeting")

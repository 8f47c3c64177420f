"""Datasets in the editor: rows and their keys, filter, jump, replace, and what needs an eval set."""

import json
from pathlib import Path

import pytest

from evaltui.evalset.set_files import look_into
from tests.evalset.travel import CAMEL_TRAVEL, LUNCH, TRAVEL, dataset_of
from tests.tui.scenario import NARROW, SAMPLES, WIDE, scenario

ROWS = ["book_flight", "museum_day  scenario", "refund  2 responses  I want my money back", "lunch_1  Where is lunch?"]


@pytest.mark.parametrize("source", [TRAVEL, CAMEL_TRAVEL], ids=["snake", "camel"])
async def test_a_dataset_opens_as_cases_turns_and_events(source: str) -> None:
    async with scenario(source, WIDE, name="travel.json") as s:
        assert "travel.json · EvaluationDataset" in s.title
        assert "4 cases" in s.title
        await s.to("A flight to Oslo")
        await s.press("right")
        rows = [row.strip() for row in s.rows()]
        assert rows[2:7] == [
            "▾   1 A flight to Oslo  4 events",
            "user  A flight to Oslo",
            'planner  search_flights  to="OSL"',
            'planner  ← search_flights  flight="SK 12" · state {last_search}',
            "planner  SK 12 leaves at nine.",
        ]
        assert all(any(wanted in row for row in rows) for wanted in ROWS)
        assert s.bytes() == s.original


async def test_a_letter_of_a_message_shows_in_the_line_of_its_event() -> None:
    async with scenario(TRAVEL) as s:
        await s.enter("Book it")
        await s.press("enter", "end")
        for letter in "now":
            await s.press(letter)
            s.expect_rows_and_form_of_the_document()
        s.expect("user  Book itnow")


async def test_rows_come_and_go_with_the_usual_keys() -> None:
    async with scenario(TRAVEL) as s:
        await s.to("lunch_1")
        await s.press("c")
        assert "lunch_2" in s.cursor()
        await s.press("alt+up")
        assert [row for row in s.rows() if "lunch" in row] == [s.cursor(), s.rows()[-1]]
        await s.press("d")
        assert "deleted case lunch_2" in s.status
        await s.to("Book it")
        await s.press("c")
        indexes = [turn["turn_index"] for turn in json.loads(s.bytes())["eval_cases"][0]["agent_data"]["turns"]]
        assert indexes == [0, 1, 2]
        await s.press("u", "u", "u", "u")
        assert s.bytes() == s.original


async def test_a_new_case_is_typed_at_once() -> None:
    async with scenario(TRAVEL) as s:
        await s.to("lunch_1")
        await s.press("a")
        assert s.focused == "field"
        await s.type("dinner")
        await s.press("tab")
        await s.type("Where is dinner?")
        await s.press("escape")
        case = json.loads(await s.saved())["eval_cases"][4]
        assert case["eval_case_id"] == "dinner"
        assert case["prompt"]["parts"] == [{"text": "Where is dinner?"}]


async def test_a_turn_and_an_event_are_added_below_their_rows() -> None:
    async with scenario(TRAVEL, WIDE) as s:
        await s.to("lunch_1")
        await s.press("A")
        assert "added turn to lunch_1" in s.status
        await s.type("Is there soup?")
        await s.press("escape", "escape", "A")
        await s.type("There is.")
        await s.press("escape", "escape")
        events = json.loads(s.bytes())["eval_cases"][3]["agent_data"]["turns"][0]["events"]
        assert [(event["author"], event["content"]["parts"]) for event in events] == [
            ("user", [{"text": "Is there soup?"}]),
            ("agent", [{"text": "There is."}]),
        ]


async def test_rows_are_copied_and_pasted_between_cases() -> None:
    async with scenario(TRAVEL) as s:
        await s.to("Book it")
        await s.press("y")
        await s.to("lunch_1")
        await s.press("p")
        turns = json.loads(s.bytes())["eval_cases"][3]["agent_data"]["turns"]
        assert [turn["turn_id"] for turn in turns] == ["turn_1"]
        assert "Book it" in s.cursor()


async def test_the_last_case_that_goes_leaves_a_dataset() -> None:
    async with scenario(dataset_of(LUNCH)) as s:
        await s.to("lunch_1")
        await s.press("d")
        assert "0 cases" in s.title
        assert "EvaluationDataset" in s.title
        await s.press("a", "escape", "escape")
        assert "prompt" in json.loads(s.bytes())["eval_cases"][0]


async def test_the_filter_finds_cases_by_their_words_and_parts() -> None:
    async with scenario(TRAVEL) as s:
        for query, count in [
            ("oslo", 1), ("tool:search_flights", 1), ("id:museum", 1), ("has:scenario", 1), ("has:response", 1),
            ("has:reference", 1), ("has:rubric", 1), ("has:call", 2), ("kind", 1), ("is:empty", 0), ("user", 0),
        ]:  # fmt: skip
            await s.press("/", "ctrl+u")
            await s.paste(query)
            s.expect(f"{count} of 4 cases")
            await s.press("escape")


@pytest.mark.thorough
async def test_jumps_name_cases_by_their_id() -> None:
    async with scenario(TRAVEL) as s:
        await s.press("ctrl+g")
        await s.type("museum")
        s.expect("museum_day")
        await s.press("enter")
        assert "museum_day" in s.cursor()


async def test_find_and_replace_reaches_all_texts() -> None:
    async with scenario(TRAVEL, WIDE) as s:
        await s.press("ctrl+r")
        await s.type("search_flights")
        await s.press("tab")
        await s.type("find_flights")
        s.expect("1 hit in 1 case", "book_flight › turn 1 › event 2", "search_flights → find_flights")
        await s.press("ctrl+r")
        assert s.bytes() == s.original.replace(b"search_flights", b"find_flights")


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_what_needs_an_eval_set_says_the_next_step(size: tuple[int, int]) -> None:
    async with scenario(TRAVEL, size, name="travel.json") as s:
        for key, named in (("plus", "travel.json"), ("f6", "--dataset {set}")):
            await s.press(key)
            said = s.status
            assert named in said, (key, said)
            assert "evaltui" in said or "agents-cli" in said, (key, said)
        assert "+ chats" not in s.screen()[-1]


@pytest.mark.thorough
async def test_help_speaks_of_events_and_of_the_turn() -> None:
    async with scenario(TRAVEL, WIDE) as s:
        await s.press("question_mark")
        s.expect("Add a case, turn, tool call, event or value after the selected one.")
        await s.press("escape")
        await s.enter("book_flight")
        await s.to("A flight to Oslo")
        s.expect("User messages and agent events.")
        await s.press("A")
        assert "▌no tool calls " in s.line_with("expects that no tool is called")
        assert " turn " in s.line_with("starts with a user message")


async def test_a_case_goes_back_to_the_file_on_disk() -> None:
    async with scenario(TRAVEL) as s:
        await s.enter("lunch_1")
        await s.edit("Where is lunch?", "Tea?")
        await s.press("escape", "V")
        assert "reverted lunch_1 to its text on disk" in s.status
        assert s.bytes() == s.original


async def test_the_case_of_the_command_line_is_selected() -> None:
    async with scenario(TRAVEL, case="refund") as s:
        assert "refund" in s.cursor()


def test_a_folder_lists_its_datasets(tmp_path: Path) -> None:
    (tmp_path / "travel.json").write_text(dataset_of(LUNCH, candidate_name="mine"))
    found = look_into(tmp_path / "travel.json")
    assert found is not None
    assert (found.cases, found.name, found.is_dataset) == (1, "mine", True)
    sample = look_into(SAMPLES / "trip_planner.evalset.json")
    assert sample is not None
    assert not sample.is_dataset

"""Converting what is open: the format, the losses, the name, the file."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaltui.tui.base_app import OpenNext
from tests.sampling import sampled
from tests.tui.conversion.samples import LEGACY, LEGACY_TURNS, text_of
from tests.tui.conversion.test_reading_view import HOSTILE, following
from tests.tui.scenario import NARROW, NORMAL, WIDE, Scenario, scenario
from tests.tui.sets import SNAKE

RICH = {
    "eval_set_id": "rich",
    "eval_cases": [
        {
            "eval_id": "judged",
            "conversation": [
                {
                    "invocation_id": "i1",
                    "user_content": {"role": "user", "parts": [{"text": "Book it"}]},
                    "final_response": {"role": "model", "parts": [{"text": "Booked."}]},
                    "rubrics": [{"rubric_id": "polite", "rubric_content": {"text_property": "It is polite."}}],
                }
            ],
        }
    ],
}


async def choose(s: Scenario, target: str) -> None:
    await s.press("E")
    await s.type(target)
    await s.press("enter")


async def to_entry(s: Scenario, text: str) -> None:
    """Go down to the entry that holds a text."""
    await s.press("home")
    for _ in s.rows():
        if text in s.cursor():
            return
        await s.press("down")
    raise AssertionError(f"no entry with {text!r}:\n" + "\n".join(s.rows()))


def written(s: Scenario, name: str) -> Any:
    return json.loads((s.path.parent / name).read_bytes())


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([NARROW, WIDE], 1))
async def test_a_legacy_list_becomes_an_eval_set_in_a_few_keys(size: tuple[int, int]) -> None:
    async with scenario(text_of(LEGACY), size, name="talks.json") as s:
        await s.press("E", "enter")
        s.expect("talks.json → google-adk's EvalSet", "session_id", "evaltui does not know this field")
        s.expect("refund › session_id  s1", "refund › turn 2 › mark  a member that nobody knows")
        assert "Nothing is written yet" in s.status
        await s.press("w")
        s.expect("File name for", "talks.evalset.json")
        await s.press("enter")
        s.expect("Wrote talks.evalset.json. Open it?")
        made = written(s, "talks.evalset.json")
        assert [case["eval_id"] for case in made["eval_cases"]] == ["refund", "greeting"]
        assert s.file_bytes() == s.original
        await s.press("o")
        assert following(s) == OpenNext(s.path.parent / "talks.evalset.json")


@pytest.mark.thorough
async def test_who_stays_is_told_what_was_written_and_lost() -> None:
    async with scenario(text_of(LEGACY), WIDE, name="talks.json") as s:
        await s.press("5", "w", "enter", "escape")
        assert "wrote talks.evalset.json · 2 lost: mark, session_id" in s.status
        assert s.focused == "tree"


@pytest.mark.thorough
async def test_nothing_is_written_by_looking() -> None:
    async with scenario(text_of(LEGACY), name="talks.json") as s:
        await s.press("5", "escape", "E", "escape", "E", "enter", "w", "escape")
        assert [each.name for each in s.path.parent.iterdir()] == ["talks.json"]


async def test_an_eval_set_becomes_a_dataset_in_the_official_place() -> None:
    async with scenario(SNAKE, NORMAL, name="tests/eval/evalsets/trips.evalset.json") as s:
        (s.path.parent.parent / "datasets").mkdir()
        await choose(s, "EvaluationDataset")
        await s.press("w")
        s.expect("../datasets/trips-dataset.json")
        await s.press("enter")
        s.expect("Wrote trips-dataset.json")
        made = written(s, "../datasets/trips-dataset.json")
        assert [case["eval_case_id"] for case in made["eval_cases"]] == ["rain_in_bergen", "greeting"]
        await s.press("escape")


async def test_unsaved_edits_are_converted_as_they_are_on_screen() -> None:
    async with scenario(SNAKE, NORMAL, name="trips.evalset.json") as s:
        await s.edit_id("greeting", "hello")
        await choose(s, "EvaluationDataset")
        s.expect("includes unsaved changes")
        await s.press("w", "enter", "escape")
        assert [case["eval_case_id"] for case in written(s, "trips-dataset.json")["eval_cases"]][1] == "hello"
        assert s.file_bytes() == s.original
        assert s.is_dirty
        await choose(s, "EvaluationDataset")
        await s.press("w", "enter", "y", "o")
        s.expect("set", "save and open trips-dataset.json", "open trips-dataset.json without saving")
        await s.press("d")
        assert following(s).path == s.path.parent / "trips-dataset.json"


async def test_a_dataset_is_converted_back() -> None:
    case = {"eval_case_id": "d", "prompt": {"parts": [{"text": "hi"}]}, "responses": [{"response": {"parts": []}}]}
    async with scenario(text_of({"eval_cases": [case]}), NORMAL, name="basic-dataset.json") as s:
        await choose(s, "google-adk")
        if s.shows("Nothing is written yet"):
            await s.press("w")
        s.expect("basic.evalset.json")
        await s.press("enter", "escape")
        assert written(s, "basic.evalset.json")["eval_cases"][0]["eval_id"] == "d"


async def test_enter_on_a_place_goes_to_it_in_the_open_file() -> None:
    async with scenario(text_of(RICH), WIDE, name="rich.evalset.json") as s:
        await choose(s, "legacy")
        s.expect("rubrics of a turn", "a legacy list has no rubrics", "convert it to evalset")
        await to_entry(s, "judged › turn 1 › rubrics")
        await s.press("enter")
        assert s.focused == "form"
        s.expect("1 Book it")
        assert "It is polite." in s.cursor()


async def test_enter_on_a_place_of_a_reading_view_goes_to_its_turn() -> None:
    async with scenario(text_of(LEGACY), WIDE, name="talks.json") as s:
        await s.press("5")
        await to_entry(s, "turn 2 › mark")
        await s.press("enter")
        assert s.focused == "form"
        s.expect("The blue one")
        assert "/0/data/1/mark in talks.json" in s.status
    async with scenario(text_of(LEGACY_TURNS), WIDE, name="talks.json") as s:
        await s.press("5")
        await to_entry(s, "turn 2 › x")
        await s.press("enter")
        assert "Two" in s.cursor()
        assert s.focused == "form"


async def test_more_places_than_a_few_are_shown_when_asked_for() -> None:
    value = [{"name": f"c{n}", "data": [{"query": "q", "odd": n}]} for n in range(9)]
    async with scenario(text_of(value), WIDE, name="talks.json") as s:
        await s.press("5")
        s.expect("9 lost: odd", "c3 › turn 1 › odd  3", "… 5 more places")
        assert not s.shows("c4 › turn 1")
        await to_entry(s, "5 more places")
        await s.press("enter")
        s.expect("c8 › turn 1 › odd  8")
        await s.press("escape")


async def test_a_file_that_is_there_is_replaced_only_after_a_question() -> None:
    async with scenario(text_of(LEGACY), NORMAL, name="talks.json", beside={"talks.evalset.json": "mine"}) as s:
        target = s.path.parent / "talks.evalset.json"
        await s.press("5", "w", "enter")
        s.expect("talks.evalset.json already exists. Replace it?")
        await s.press("escape")
        assert target.read_text() == "mine"
        await s.press("5", "w", "enter", "n")
        s.expect("File name for")
        await s.press("f7")
        await s.type("other.evalset.json")
        await s.press("enter", "escape")
        assert target.read_text() == "mine"
        assert written(s, "other.evalset.json")["eval_set_id"] == "talks"
        await s.press("5", "w", "enter", "y", "escape")
        assert written(s, "talks.evalset.json")["eval_set_id"] == "talks"


async def test_the_source_itself_is_never_written() -> None:
    async with scenario(text_of(LEGACY), NORMAL, name="talks.evalset.json") as s:
        await s.press("5", "w")
        s.expect("talks.converted.evalset.json")
        await s.press("f7")
        await s.type(str(s.path))
        await s.press("enter")
        s.expect("this is the file that you convert")
        await s.press("escape")
        assert s.file_bytes() == s.original


@pytest.mark.thorough
async def test_a_folder_that_is_missing_is_said_in_the_dialog() -> None:
    async with scenario(text_of(LEGACY), NORMAL, name="talks.json") as s:
        await s.press("5", "w", "f7")
        await s.type("/nowhere/at/all.json")
        await s.press("enter")
        s.expect("does not exist")
        await s.press("escape")


async def test_a_bare_list_of_cases_becomes_a_set() -> None:
    async with scenario(text_of(RICH["eval_cases"]), NORMAL, name="list.json") as s:
        assert "JSON" in s.title
        await choose(s, "EvalSet")
        await s.press("w")
        s.expect("list.evalset.json")
        await s.press("enter", "escape")
        assert written(s, "list.evalset.json") == {"eval_set_id": "list", "eval_cases": RICH["eval_cases"]}


async def test_yaml_is_written_and_opens_in_a_reading_view() -> None:
    async with scenario(SNAKE, NORMAL, name="desk.evalset.json") as s:
        await choose(s, "cxas")
        await s.press("w", "enter")
        s.expect("Wrote desk.cxas.yaml")
        text = (s.path.parent / "desk.cxas.yaml").read_text()
        assert "conversations:" in text
        await s.press("o")
        assert following(s).path == s.path.parent / "desk.cxas.yaml"
    async with scenario(text, NORMAL, name="desk.cxas.yaml") as s:
        s.expect("cxas YAML, shown as an eval set", "rain_in_bergen", "Is it raining in Bergen?")


@pytest.mark.parametrize("text", sampled(['{"criteria": {}}', "[1, 2]", '"text"'], 1))
async def test_other_json_is_not_converted(text: str) -> None:
    async with scenario(text, name="some.json") as s:
        await s.press("E")
        assert "has no known format" in s.status


@pytest.mark.thorough
async def test_the_palette_has_the_command_everywhere() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.press("ctrl+p")
        await s.type("convert")
        s.expect("Convert to another format")
        await s.press("enter")
        s.expect("Convert set.evalset.json to")
        await s.press("escape")


async def test_hostile_text_in_losses_and_names_does_nothing() -> None:
    value: Any = json.loads(json.dumps(RICH))
    case = value["eval_cases"][0]
    case["eval_id"], case[HOSTILE], case["conversation"][0]["rubrics"][0]["rubric_id"] = HOSTILE, HOSTILE, HOSTILE
    async with scenario(json.dumps(value), WIDE, name="[x].evalset.json") as s:
        await choose(s, "legacy")
        s.expect("[red]x[/x] ␛]0;owned")
        s.expect_harmless()
        for _ in range(12):
            await s.press("j")
            s.expect_harmless()
        await s.press("w")
        s.expect_harmless()
        await s.press("enter")
        s.expect("Wrote [x].legacy.json")
        await s.press("escape")
        s.expect_harmless()


async def test_a_case_of_another_format_is_pasted_with_a_word_on_what_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    case = {
        "eval_case_id": "pasted",
        "prompt": {"role": "user", "parts": [{"text": "hi"}]},
        "responses": [{"response": {"parts": [{"text": "recorded"}]}}],
    }
    async with scenario(SNAKE, WIDE) as s:
        await s.to("rain_in_bergen")
        await s.paste(json.dumps(case))
        assert [each["eval_id"] for each in json.loads(s.bytes())["eval_cases"]] == [
            "rain_in_bergen",
            "pasted",
            "greeting",
        ]
        assert "1 lost: recorded responses · 1 case states no tool calls for the last turn" in s.status
        assert "u: undo" in s.status
        await s.press("u")
        assert s.bytes() == s.original


async def test_notes_are_shown_where_nothing_is_lost() -> None:
    turns = [
        {"invocation_id": f"i{n}", "user_content": {"role": "user", "parts": [{"text": "Book it"}]}} for n in range(3)
    ]
    async with scenario(text_of([{"eval_id": "a", "conversation": turns}]), WIDE, name="talks.json") as s:
        await choose(s, "EvaluationDataset")
        s.expect("nothing is lost, 1 note", "2 earlier turns in 1 case give only context")
        await s.press("w")
        s.expect("File name for EvaluationDataset (nothing is lost, 1 note)")
        await s.press("enter", "escape")
        assert "2 earlier turns in 1 case give only context" in s.status


async def test_a_legacy_list_of_turns_is_a_case_on_the_line_of_the_set_and_turns_in_a_case() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await s.press("home")
        await s.paste(text_of(LEGACY_TURNS))
        added = json.loads(s.bytes())["eval_cases"][-1]
        assert added["eval_id"] == "pasted"
        assert [turn["user_content"]["parts"] for turn in added["conversation"]] == [
            [{"text": "One"}],
            [{"text": "Two"}],
        ]
        assert "pasted 1 case" in s.status
        assert "converted from the legacy list of turns" in s.status
        await s.press("u")
        assert s.bytes() == s.original
        await s.to("greeting")
        await s.paste(text_of(LEGACY_TURNS))
        cases = json.loads(s.bytes())["eval_cases"]
        assert [len(case["conversation"]) for case in cases] == [2, 3]


async def test_a_dataset_whose_cases_have_an_eval_id_is_converted_as_one() -> None:
    case = {"eval_id": "a", "prompt": {"role": "user", "parts": [{"text": "Book a table"}]}}
    async with scenario(json.dumps({"eval_cases": [case]}), WIDE, name="table.json") as s:
        await choose(s, "google-adk")
        await s.press("w", "enter")
        [written] = [file for file in s.path.parent.iterdir() if file.name.endswith(".evalset.json")]
        [found] = json.loads(written.read_text())["eval_cases"]
        assert found["conversation"][0]["user_content"] == case["prompt"]

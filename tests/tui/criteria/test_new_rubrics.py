"""A new rubric asks for its text first; its id differs from those of config, case and turn; f9 mends a clash."""

import json
from typing import Any

from evaltui.scoring.eval_config import config_of
from evaltui.validation.case_checks import check_case
from evaltui.validation.rules.with_config import under
from tests.tui.every_field import choose
from tests.tui.scenario import SAMPLES, scenario

METRIC = "rubric_based_final_response_quality_v1"


def rubric(identifier: str) -> dict[str, Any]:
    text = {"text_property": "It is polite."}
    return {"rubric_id": identifier, "type": "FINAL_RESPONSE_QUALITY", "rubric_content": text}


def set_with(of_case: list[str], of_turn: list[str]) -> str:
    """An eval set of one case with these rubric ids."""
    said = {"parts": [{"text": "Hi"}]}
    turn = {"user_content": said, "final_response": said, "rubrics": [rubric(each) for each in of_turn]}
    case = {"eval_id": "a", "conversation": [turn], "rubrics": [rubric(each) for each in of_case]}
    return json.dumps({"eval_set_id": "s", "eval_cases": [case]}, indent=1)


def config_with(*ids: str) -> str:
    return json.dumps({"criteria": {METRIC: {"threshold": 0.8, "rubrics": [rubric(each) for each in ids]}}})


async def test_a_new_rubric_of_a_metric_asks_for_its_text() -> None:
    for criterion in (0.8, {"threshold": 0.8}, {"threshold": 0.8, "rubrics": [rubric("asks")]}):
        config = json.dumps({"criteria": {METRIC: criterion}})
        async with scenario(set_with(["rubric_1"], ["rubric_2"]), beside={"test_config.json": config}) as s:
            await s.press("alt+c", "a")
            await s.type("rubric of\r")
            assert s.focused == "field"
            await s.type("It names a price.")
            await s.press("escape")
            rows = [row for row in s.screen() if "text_property" in row or "rubric_id" in row]
            assert "It names a price." in rows[-2]
            assert "rubric_3" in rows[-1]  # no id of the set
            await s.press("escape")


async def test_an_id_that_a_rubric_of_the_set_has_is_said_on_its_line() -> None:
    beside = {"test_config.json": config_with("rubric_1", "asks")}
    async with scenario(set_with(["rubric_1"], []), beside=beside) as s:
        await s.press("alt+c")
        for identifier, said in (("rubric_1", "A rubric of the set has this id"), ("asks", "Unique among the rubrics")):
            await s.to(f"rubric_id  {identifier}")
            assert said in s.status
        await s.press("enter", "f7")
        await s.type("rubric_1\r")
        await s.to("rubric_id  rubric_1")
        assert "A rubric of the set has this id" in s.status
        await s.press("f9")
        assert "rubric_2" in s.cursor()
        assert "edited rubric_id rubric_2" in s.status
        await s.press("u")
        assert "rubric_1" in s.cursor()


async def test_a_new_rubric_of_a_case_asks_for_its_text_and_has_no_id_of_the_config() -> None:
    beside = {"test_config.json": config_with("rubric_1", "rubric_3")}
    async with scenario(set_with([], ["rubric_2"]), beside=beside) as s:
        await s.enter("▾ a")
        await choose(s, "rubric")
        await s.type("It is short.")
        assert s.screen().index(s.line_with("It is short.")) < s.screen().index(s.line_with("rubric_id"))
        case = json.loads(s.bytes())["eval_cases"][0]
        assert case["rubrics"][0]["rubric_id"] == "rubric_4"
        assert case["rubrics"][0]["rubric_content"]["text_property"] == "It is short."


async def test_a_new_rubric_of_a_dataset_shows_its_text_first() -> None:
    case = {"eval_case_id": "a", "prompt": {"parts": [{"text": "Hi"}]}, "rubric_groups": {"tone": {"rubrics": []}}}
    async with scenario(json.dumps({"eval_cases": [case]}), name="dataset.json") as s:
        await s.enter("a  ", "group  ")
        await s.press("a")
        await s.type("It is short.")
        assert s.screen().index(s.line_with("It is short.")) < s.screen().index(s.line_with("rubric_id"))


async def test_f9_renames_a_rubric_with_an_id_of_the_config() -> None:
    beside = {"test_config.json": config_with("polite", "polite_2")}
    async with scenario(set_with(["polite_3"], ["polite"]), beside=beside) as s:
        s.expect("1 warning")
        await s.press("f8")
        s.expect("also in the config")
        await s.press("f9")
        ids = [each["rubric_id"] for each in json.loads(s.bytes())["eval_cases"][0]["conversation"][0]["rubrics"]]
        assert ids == ["polite_4"]
        assert not s.shows("also in the config")


def test_the_fix_of_a_duplicate_takes_no_id_of_the_config() -> None:
    config = config_of(json.loads(config_with("polite_2", "polite_4")), SAMPLES)
    case = json.loads(set_with(["polite", "polite", "polite_3"], []))["eval_cases"][0]
    diagnostics, facts = check_case(json.dumps(case).encode())
    (found,) = (each for each in diagnostics if each.code == "duplicate-rubric-id")
    fix = under(config, found, facts).fix
    assert fix is not None
    assert fix.title == "Rename it to polite_5"


async def test_a_new_metric_of_rubrics_asks_for_the_text_of_its_first_rubric() -> None:
    async with scenario(set_with([], []), beside={"test_config.json": '{"criteria": {}}'}) as s:
        await s.press("alt+c", "a")
        await s.type(METRIC + "\r")
        await s.type("It names a price.")
        await s.press("escape", "w", "w")
        config = json.loads(s.path.with_name("test_config.json").read_text())
        (rubric,) = config["criteria"][METRIC]["rubrics"]
        assert rubric["rubric_content"]["text_property"] == "It names a price."
        await s.press("escape")

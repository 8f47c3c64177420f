"""The criteria screen: each kind of field by keyboard, tried at once, written by a key, shared with the review."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from evaltui.document.edits import Insert
from evaltui.document.node import Node
from evaltui.runs.run_options import RunOptions
from evaltui.tui.commands import commands_at
from evaltui.tui.criteria.criteria_form import ConfigOutline
from evaltui.tui.criteria.criteria_screen import CriteriaScreen
from evaltui.tui.forms.form import Field, Heading, Link, Offer
from tests.read_sets import run_set
from tests.sampling import sampled
from tests.scored_sets import RECORDING, SET
from tests.tui.scenario import NARROW, WIDE, Scenario, scenario

TRAJECTORY, RESPONSE = "tool_trajectory_avg_score", "response_match_score"
PLAIN = '{"criteria": {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.80}}'
JUDGED = """{
  "criteria": {
    "rubric_based_tool_use_quality_v1": {
      "threshold": 0.8,
      "judgeModelOptions": { "numSamples": 1 },
      "rubrics": [
        { "rubricId": "asks", "rubricContent": { "textProperty": "It asks first." } }
      ]
    },
    "hallucinations_v1": {"threshold": 0.5, "note": "kept"}
  },
  "more": [1.0,  2]
}
"""
SIZES = pytest.mark.parametrize("size", sampled([NARROW, WIDE], 1), ids="{0[0]}x{0[1]}".format)


@asynccontextmanager
async def criteria(
    config: str | None = PLAIN, size: tuple[int, int] = NARROW, *, given: str | None = None
) -> AsyncIterator[Scenario]:
    """The criteria of a set that was scored, opened from the scores."""
    beside = {"actual.json": RECORDING} | ({given or "test_config.json": config} if config is not None else {})
    async with scenario(SET, size, beside=beside, recordings=["actual.json"], config=given) as s:
        await s.press("4", "c")
        yield s
        for _ in range(3):
            if not s.ended and s.screen()[0].lstrip().startswith("Criteria"):
                await s.press("escape")


def line(s: Scenario, text: str) -> str:
    return " ".join(s.line_with(text).split())


async def go(s: Scenario, text: str) -> None:
    """Select the first line that holds a text."""
    await s.press("home")
    for _ in range(40):
        if text in s.cursor():
            return
        await s.press("down")
    raise AssertionError(f"no line with {text!r}:\n" + "\n".join(s.screen()))


async def put(s: Scenario, field: str, text: str) -> None:
    """Type another value into a field."""
    await go(s, field)
    await s.press("enter", "f7")
    await s.type(text)
    await s.press("escape")


async def written(s: Scenario) -> str:
    """Write the trial; returns the text of the config then."""
    await s.press("w", "w")
    return s.path.with_name("test_config.json").read_text()


# --- fields ----------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@SIZES
async def test_a_threshold_is_tried_then_written_as_typed(size: tuple[int, int]) -> None:
    async with criteria(size=size) as s:
        s.expect("Criteria · test_config.json", "1 ✓ 2 ✗ 1 –  with test_config.json", "tool calls · computed here")
        await go(s, "0.80")
        await put_here(s, "0.10")
        s.expect("trial, not written", "1 ✓ 2 ✗ 1 – trial")
        await s.press("home")
        await put_here(s, "0.5")
        s.expect("2 ✓ 1 ✗ 1 – trial", "test_config.json: 1 ✓ 2 ✗ 1 –")
        expected = PLAIN.replace("0.80", "0.10").replace("1.0", "0.5")
        assert await written(s) == expected
        s.expect("2 ✓ 1 ✗ 1 –  with test_config.json")
        assert not s.shows("trial, not written")


@pytest.mark.thorough
async def test_a_second_press_counts_although_it_waits_until_the_app_is_ready() -> None:
    async with criteria() as s:
        await go(s, "0.80")
        await put_here(s, "0.10")
        await s.press("w")
        s.app.input_order.call_in_next_frame(s.app.screen, lambda: None)
        await s.press("w")
        assert s.path.with_name("test_config.json").read_text() == PLAIN.replace("0.80", "0.10")


async def put_here(s: Scenario, text: str) -> None:
    await s.press("enter", "f7")
    await s.type(text)
    await s.press("escape")


@pytest.mark.thorough
async def test_a_value_outside_of_its_range_is_said_and_not_written() -> None:
    async with criteria() as s:
        for typed, why in (
            ("80", "scores are 0 to 1: with 80, no case passes"),
            ("-1", "with -1, every case passes"),
            ("NaN", "a threshold is a number"),
            ("much", "a threshold is a number, such as 0.8"),
        ):
            await s.press("home")
            await put_here(s, typed)
            s.expect("draft, not in the file", why)
            assert not s.shows("trial, not written")
            await s.press("w")
            s.expect("a field has a draft. Press f8")
            assert s.path.with_name("test_config.json").read_text() == PLAIN
            await s.press("u")
            assert not s.shows("✎")


@pytest.mark.thorough
@SIZES
async def test_a_match_type_is_chosen_and_arguments_are_toggled(size: tuple[int, int]) -> None:
    async with criteria(size=size) as s:
        assert line(s, "match_type").endswith("EXACT default")
        await go(s, "match_type")
        await s.press("enter", "down", "down", "enter")
        assert "ANY_ORDER" in line(s, "match_type")
        await go(s, "ignore_args")
        s.expect("If true, arguments are not compared, only tool names")
        await s.press("space")
        assert "true" in line(s, "ignore_args")
        assert json.loads(await written(s))["criteria"][TRAJECTORY] == {
            "threshold": 1.0,
            "match_type": "ANY_ORDER",
            "ignore_args": True,
        }


async def test_trials_are_refused_dropped_brought_back_and_offered() -> None:
    async with criteria() as s:
        # A match type that does not exist is refused.
        await go(s, "match_type")
        await s.press("enter")
        await s.type("SOME")
        await s.press("enter")
        s.expect("choose one of these", "no choice matches; only the choices of this list can be taken")
        await s.press("escape")
        assert not s.shows("trial, not written")
        await s.press("home")

        # A dropped trial comes back by undo.
        await put_here(s, "0.5")
        await s.press("x")
        assert "1.0" in line(s, "threshold")
        await s.press("u")
        assert "0.5" in line(s, "threshold")
        s.expect("trial, not written")
        await s.press("x", "x")
        s.expect("Nothing to drop")
        await s.press("home")

        # The keys of the screen are offered where they act.
        assert "w write" not in s.keys
        await put_here(s, "0.5")
        assert "w write  x drop" in s.keys
        await s.press("enter")
        assert "w write" not in s.keys
        await s.type("w")
        assert s.focused == "field"
        await s.press("escape", "u", "ctrl+s")
        s.expect("Press w to write the criteria to test_config.json.")
        await s.press("x", "home")

        # A criterion is deleted with its threshold and undo brings it back.
        await s.press("d")
        assert not s.shows("tool calls · computed here")
        s.expect("trial, not written", "1 ✓ 2 ✗ 1 – trial")
        await s.press("u")
        s.expect("tool calls · computed here", "1 ✓ 2 ✗ 1 –  with test_config.json")
        await s.press("U")
        assert await written(s) == '{"criteria": {"response_match_score": 0.80}}'


@SIZES
async def test_options_of_the_judge_are_edited_in_the_spelling_of_the_file(size: tuple[int, int]) -> None:
    async with criteria(JUDGED, size) as s:
        s.expect("rubrics · adk eval (judge)")
        await put(s, "num_samples", "3")
        await put(s, "judge_model", "gemini-2.5-pro")
        await put(s, "parallelism_limit", "0")
        s.expect("enter a whole number, 1 or more")
        await s.press("u")
        await go(s, "parallelism_limit")
        await s.press("enter", "f7")
        await s.paste("9" * 5000)
        await s.press("escape")
        s.expect("enter a whole number, 1 or more")
        await s.press("u")
        wanted = JUDGED.replace('"numSamples": 1', '"numSamples": 3, "judgeModel": "gemini-2.5-pro"')
        assert await written(s) == wanted


@SIZES
async def test_rubrics_are_edited_added_and_deleted(size: tuple[int, int]) -> None:
    async with criteria(JUDGED, size) as s:
        await put(s, "text_property", "It asks before it books.")
        await s.press("a", "enter")
        assert s.focused == "field", "the new rubric is typed into at once"
        await s.type("It pays\r")
        await s.press("f7")
        await s.type("asks")
        s.expect("another rubric of this criterion has this id")
        await s.press("f7")
        await s.type("pays")
        await s.press("escape")
        data = json.loads(await written(s))["criteria"]["rubric_based_tool_use_quality_v1"]
        assert [each["rubricId"] for each in data["rubrics"]] == ["asks", "pays"]
        assert data["rubrics"][0]["rubricContent"] == {"textProperty": "It asks before it books."}
        assert data["rubrics"][1]["rubricContent"]["textProperty"].startswith("It pays")
        await go(s, "pays")
        await s.press("d")
        assert not s.shows("It pays")
        data = json.loads(await written(s))["criteria"]["rubric_based_tool_use_quality_v1"]
        assert [each["rubricId"] for each in data["rubrics"]] == ["asks"]


async def test_other_options_and_unknown_keys_have_a_line() -> None:
    async with criteria(JUDGED) as s:
        await go(s, "evaluate_intermediate_n")
        s.expect("evaluate_intermediate_nl_responses  ")
        await s.press("space")
        await go(s, "note")
        s.expect("google-adk ignores this key.")
        await go(s, "more")
        await s.press("enter")
        s.expect("test_config.json › more")
        await s.press("escape")
        s.expect("hallucinations_v1")
        wanted = JUDGED.replace('"note": "kept"', '"note": "kept", "evaluate_intermediate_nl_responses": true')
        assert await written(s) == wanted


@pytest.mark.thorough
@SIZES
async def test_a_metric_is_added_from_a_list_that_says_who_computes_it(size: tuple[int, int]) -> None:
    async with criteria('{"criteria": {"response_match_score": 0.8}}', size) as s:
        await s.press("a")
        s.expect("│ Add a metric or rubric. Recordings have the scores of adk eval")
        assert s.line_with("tool_trajectory_avg_score").rstrip(" │").endswith("  tool calls · computed here")
        assert s.line_with("final_response_match_v2").rstrip(" │").endswith("  responses · adk eval (judge)")
        assert s.line_with("safety_v1").rstrip(" │").endswith("  adk eval (Vertex AI)")
        assert not s.shows("token_usage_v1")
        await s.type("trajectory_avg")
        await s.press("enter")
        assert s.focused == "field"
        await s.press("escape")
        s.expect("trial, not written")
        await s.press("escape")
        assert "tool_trajectory" in s.line_with("response_match")
        await s.press("c")
        text = await written(s)
        assert text == '{"criteria": {"response_match_score": 0.8, "tool_trajectory_avg_score": 1.0}}'


@pytest.mark.thorough
def test_a_metric_of_the_author_has_a_threshold_and_can_be_added() -> None:
    customs = {name: {"code_config": {"name": f"metrics.{name}"}} for name in ("polite", "short")}
    config = {"criteria": {"polite": {"threshold": 0.5, "tone": "warm"}, "unknown": 1}, "custom_metrics": customs}
    root = Node(json.dumps(config).encode())
    form = ConfigOutline(root, "config", "adk", set).form(root)
    headings = {item.text: item.remark for item in form.items if isinstance(item, Heading)}
    assert headings["polite"] == "adk eval (custom code)"
    assert headings["unknown"] == "google-adk has no such metric"
    threshold, other, *_ = (item for item in form.items if isinstance(item, Field | Link))
    assert threshold.help == "The lowest score that passes. The recording has the score."
    assert (other.label, other.help) == ("tone", "google-adk ignores this key.")
    offer = next(item for item in form.items if isinstance(item, Offer))
    choices = {choice.label: choice for choice in offer.choices}
    assert choices["short"].remark == "adk eval (custom code)"
    assert "polite" not in choices
    assert choices["short"].revise is not None
    assert choices["short"].revise().edits == [Insert("/criteria/short", b"0.8")]


async def test_without_a_recording_the_head_says_which_keys_add_one() -> None:
    async with scenario(SET) as s:
        await s.press("4", "c")
        s.expect("Criteria · google-adk's defaults.", "No recording, so no scores. Press esc, then H to add one.")
        await s.press("escape", "H")
        s.expect("No recordings. Press a to add a file or a folder.")
        await s.press("escape")


@pytest.mark.thorough
async def test_without_a_recording_the_sentences_name_the_criteria_and_no_scores() -> None:
    async with scenario(SET) as s:
        await s.press("alt+c", "a")
        s.expect("│ Add a metric or rubric. Recordings have the scores of adk eval")
        await s.press("escape")
        await put_here(s, "0.5")
        await s.press("escape", "escape")
        assert s.status.strip() == "These are trial criteria. Press alt+c, then w to write or x to drop the trial."
        await s.press("ctrl+q")
        s.expect("tool_trajectory ≥ 0.5")
        await s.press("escape", "alt+c", "w")
        assert s.status.strip() == "Press w again to write a new test_config.json: tool_trajectory ≥ 0.5"
        await s.press("w")
        assert s.status.startswith(" Wrote into test_config.json: tool_trajectory ≥ 0.5.")
        await s.press("escape")


# --- the trial -------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@SIZES
async def test_the_scores_of_all_panes_are_those_that_are_tried_and_say_so(size: tuple[int, int]) -> None:
    async with criteria(size=size) as s:
        await put_here(s, "0.5")
        await s.press("escape")
        s.expect("Trial scores 1 ✓ 2 ✗ 1 – · alt+c: write or drop ─", "✓ 0.50 ≥ 0.50")
        assert s.status.strip() == "These are trial scores. Press alt+c, then w to write or x to drop the trial."
        assert s.title.rstrip().endswith("1 ✓ 2 ✗ 1 – trial")
        await s.press("down", "ctrl+s")
        assert s.path.with_name("test_config.json").read_text() == PLAIN, "saving the set writes no config"
        await s.press("c", "x")
        s.expect("Trial dropped: scores use test_config.json again. Your edits stay.")
        await s.press("escape")
        s.expect("Scores 1 ✓ 2 ✗ 1 – · test_config.json", "✗ 0.50 < 1.00")


@pytest.mark.thorough
async def test_a_trial_of_the_review_stands_in_the_editor_and_the_other_way_round() -> None:
    async with criteria() as s:
        await s.press("escape", "O", "i")
        s.expect("trial scores", "ignoring args")
        await s.press("E", "4")
        s.expect("alt+c: write or drop")
        await s.press("c")
        assert "true" in line(s, "ignore_args")
        await put(s, "threshold", "0.25")
        await s.press("escape", "O")
        s.expect("trial scores", "< 0.25 ignoring args")
        await s.press("x")
        s.expect("Trial dropped: scores use test_config.json again. Your edits stay.")
        await s.press("C")
        assert "false" in line(s, "ignore_args")
        await s.press("escape", "escape")


@pytest.mark.thorough
async def test_cases_that_are_edited_under_a_trial_are_scored_by_it() -> None:
    async with criteria() as s:
        await put_here(s, "0.5")
        await s.press("escape", "1", "home")
        await s.edit_id("greeting", "hello")
        await s.press("ctrl+s", "4")
        s.expect("alt+c: write or drop", "✓ 0.50 ≥ 0.50")
        await s.press("ctrl+z")


@pytest.mark.parametrize("size", [NARROW])
async def test_scores_under_a_trial_are_those_of_a_run_with_the_written_config(size: tuple[int, int]) -> None:
    async with criteria(size=size) as s:
        await put_here(s, "0.5")
        await go(s, "match_type")
        await s.press("enter", "down", "enter")
        await s.press("a")
        await s.type("safety")
        await s.press("enter", "escape")
        scores = s.app.file.scores
        tried = {case: scores.of(case) for case in scores.rows}
        await written(s)
        run = run_set(s.path, RunOptions((str(s.path.with_name("actual.json")),)))
        results = {each.eval_id: verdict(each) for each in run.cases}
        assert {each.eval_id: verdict(each) for each in tried.values() if each} == results
        shown = (scores.of(case) for case in scores.rows)
        assert {each.eval_id: verdict(each) for each in shown if each} == results


def verdict(result: Any) -> Any:
    return result.status, result.metrics, [turn.metrics for turn in result.run.turns] if result.run else None


# --- what others change ----------------------------------------------------------------------------------------------


async def test_a_trial_stays_where_the_config_changes_on_disk() -> None:
    async with criteria() as s:
        await put(s, "0.80", "0.5")
        config = s.path.with_name("test_config.json")
        config.write_text('{"criteria": {"response_match_score": 0.3}, "more": 1}')
        await s.press("f5")
        s.expect("The config changed on disk. Your trial stays: response_match ≥ 0.5.", "trial, not written", "0.5")
        assert not s.shows(TRAJECTORY)
        assert await written(s) == '{"criteria": {"response_match_score": 0.5}, "more": 1}'


@pytest.mark.thorough
async def test_typing_goes_on_where_the_config_changes_on_disk() -> None:
    other = JUDGED.replace('"threshold": 0.5', '"threshold": 0.6')
    async with criteria(JUDGED) as s:
        await go(s, "It asks first.")
        await s.press("enter", "f7")
        await s.type("Ask")
        config = s.path.with_name("test_config.json")
        config.write_text(other)
        await s.press("f5")
        await s.type(" ddww")
        assert s.focused == "field"
        s.expect("Ask ddww", "0.5")
        assert config.read_text() == other
        await s.press("escape")
        s.expect("The config changed on disk. Your trial stays:", "0.6")
        assert await written(s) == other.replace("It asks first.", "Ask ddww")


async def test_a_field_without_an_edit_stays_open_where_the_config_changes_on_disk() -> None:
    async with criteria() as s:
        await go(s, "0.80")
        await s.press("enter", "f7")
        s.path.with_name("test_config.json").write_text(PLAIN.replace("1.0", "0.9"))
        await s.press("f5")
        assert s.focused == "field"
        s.expect("The config changed on disk. evaltui reads it again when you leave the field.")
        await s.press("escape")
        s.expect("0.9")


async def test_neither_a_field_nor_a_list_ends_where_the_config_is_deleted() -> None:
    async with criteria() as s:
        config = s.path.with_name("test_config.json")
        await go(s, "0.80")
        await s.press("enter", "f7")
        config.unlink()
        await s.press("f5")
        await s.type("0.7")
        await s.press("escape")
        s.expect("The config changed on disk. Your trial stays: response_match ≥ 0.7.")
        await s.press("x", "a")
        config.write_text('{"criteria": {"response_match_score": 0.3}}')
        s.app.file.scorer.score(anew=True)
        await s.type("safety")
        await s.press("enter", "escape")
        s.expect("0.3", "safety_v1", "trial, not written")


async def test_the_app_goes_on_if_scores_come_while_the_form_is_made_anew() -> None:
    async with criteria() as s:
        screen = s.app.screen
        assert isinstance(screen, CriteriaScreen)
        s.path.with_name("test_config.json").unlink()
        s.app.file.trial.reopen()
        (enter,) = (command for command in commands_at("form") if command.id == "form.enter")
        for _ in range(100):
            screen.show_scores()
            screen.title_of(enter)  # as the keys line does when it is drawn
            await asyncio.sleep(0)
        await s.press("down")
        s.expect("google-adk's defaults. Edit, then press w to write test_config.json")
        assert len(screen.query("#form")) == 1


async def test_a_draft_stays_where_the_config_changes_on_disk() -> None:
    async with criteria() as s:
        await put(s, "0.80", "0.8x")
        s.path.with_name("test_config.json").write_text(PLAIN.replace("1.0", "0.9"))
        await s.press("f5")
        s.expect("The config changed on disk. Your draft stays.", "0.8x", "0.9")


@pytest.mark.thorough
async def test_a_trial_stays_where_the_config_is_deleted_or_made() -> None:
    async with criteria() as s:
        await put(s, "0.80", "0.5")
        config = s.path.with_name("test_config.json")
        config.unlink()
        await s.press("f5")
        s.expect("The config changed on disk. Your trial stays: response_match ≥ 0.5.")
        assert json.loads(await written(s))["criteria"][RESPONSE] == 0.5
    async with criteria(None) as s:
        await put(s, "0.8", "0.5")
        s.path.with_name("test_config.json").write_text('{"criteria": {"tool_trajectory_avg_score": 0.9}}')
        await s.press("f5")
        s.expect("The config changed on disk. Your trial stays: + response_match ≥ 0.5")
        assert json.loads(await written(s)) == {"criteria": {TRAJECTORY: 0.9, RESPONSE: 0.5}}


async def test_what_an_undo_takes_back_of_another_program_is_not_written() -> None:
    async with criteria() as s:
        await put(s, "0.80", "0.5")
        other = PLAIN.replace("1.0", "0.9")
        s.path.with_name("test_config.json").write_text(other)
        await s.press("f5", "u")
        assert await written(s) == other
        s.expect("Not written: the undo took back what another program wrote. Press U first.")
        await s.press("U")
        assert await written(s) == other.replace("0.80", "0.5")


async def test_a_config_that_changed_is_not_written_over() -> None:
    async with criteria() as s:
        await put_here(s, "0.5")
        other = '{"criteria": {"response_match_score": 0.3}}'
        s.path.with_name("test_config.json").write_text(other)
        assert await written(s) == other
        s.expect("Not written")


async def test_a_config_that_is_not_json_says_where_and_is_shown_once_it_is_repaired() -> None:
    async with criteria('{"criteria": {\n  "a": 1,,\n}}') as s:
        s.expect("test_config.json:2:", "invalid JSON", "Press e to edit the config", '"a": 1,,')
        await s.press("w")
        s.expect("there are no trial criteria")
        s.path.with_name("test_config.json").write_text(PLAIN)
        await s.press("f5")
        s.expect("tool calls · computed here", "1 ✓ 2 ✗ 1 –  with test_config.json")


async def test_what_google_adk_rejects_is_said_at_its_line_and_a_fix_is_offered() -> None:
    config = '{"criteria": {"safety_v1": {"x": 1}, "response_match": 0.5}}'
    async with criteria(config) as s:
        s.expect(
            "✗ threshold is required", 'google-adk has no metric "response_match"', "google-adk rejects this config"
        )
        await s.press("home")
        await put_here(s, "0.5")
        assert not s.shows("✗ threshold is required")
        await s.press("end", "up", "f9")
        assert not s.shows("google-adk has no metric")
        data = json.loads(await written(s))
        assert data == {"criteria": {"safety_v1": {"x": 1, "threshold": 0.5}, "response_match_score": 0.5}}


@pytest.mark.thorough
async def test_a_new_config_is_made_where_there_is_none() -> None:
    async with criteria(None) as s:
        s.expect("Criteria · google-adk's defaults. Edit, then press w to write test_config.json.")
        await put_here(s, "0.5")
        s.expect("Criteria · new: test_config.json", "trial, not written")
        await s.press("w")
        s.expect("Press w again to write a new test_config.json: tool_trajectory ≥ 0.5")
        await s.press("w")
        s.expect("Criteria · test_config.json")
        config = json.loads(s.path.with_name("test_config.json").read_text())
        assert config == {"criteria": {TRAJECTORY: 0.5, RESPONSE: 0.8}}


async def test_a_config_in_yaml_is_tried_and_never_written() -> None:
    config = f"evaluators: [{{name: {TRAJECTORY}, type: builtin, threshold: 1.0}}]\n"
    async with criteria(config, given="eval.yaml") as s:
        s.expect("cannot be written: eval.yaml is YAML")
        await put_here(s, "0.5")
        s.expect("trial, not written", "2 ✓ 1 ✗ 1 – trial")
        await s.press("w")
        s.expect("Not written: eval.yaml is YAML, and evaltui does not write YAML")
        assert s.path.with_name("eval.yaml").read_text() == config


async def test_texts_of_a_config_never_act_on_the_terminal() -> None:
    config = json.dumps({"criteria": {"\x1b[31mred[bold]": {"threshold": 1, "\x07k": "\x1b]0;t\x07"}}})
    async with criteria(config) as s:
        assert "\x1b" not in "\n".join(s.screen())
        s.expect("red[bold]")


@pytest.mark.thorough
async def test_remarks_about_metrics_are_those_of_the_trial() -> None:
    async with criteria('{"criteria": {"response_match_score": 0.8, "safety_v1": 0.5}}', WIDE) as s:
        await go(s, "0.5")
        await s.press("d", "escape")
        s.expect("alt+c: write or drop")
        assert not s.shows("safety_v1 is not evaluated")
        await s.press("c", "a")
        await s.type("hallucinations")
        await s.press("enter", "escape", "escape")
        s.expect("hallucinations_v1 is not evaluated for 2 cases: it needs a judge model")


async def test_read_only_criteria_are_tried_and_not_written() -> None:
    async with criteria() as s:
        s.app.file.readonly = True
        await put_here(s, "0.5")
        s.expect("read-only", "trial, not written")
        assert "w write" not in s.keys
        await s.press("w")
        s.expect("Read-only: evaltui was started with --readonly")
        assert s.path.with_name("test_config.json").read_text() == PLAIN


@pytest.mark.thorough
async def test_the_app_quits_from_the_criteria_also_while_typing() -> None:
    async with criteria() as s:
        await s.press("enter", "ctrl+q")
        assert s.ended
    async with criteria(JUDGED) as s:
        await go(s, "more")
        await s.press("enter", "ctrl+q")
        assert s.ended


async def test_an_unsaved_eval_set_is_asked_about_in_front_of_the_editor() -> None:
    beside = {"actual.json": RECORDING, "test_config.json": PLAIN}
    async with scenario(SET, beside=beside, recordings=["actual.json"]) as s:
        await s.press("end", "d", "4", "c")
        s.expect("Criteria")
        await s.press("ctrl+q")
        assert s.focused == "quit question"
        await s.press("escape")
        assert s.focused == "run"


@pytest.mark.thorough
@pytest.mark.parametrize("config", [PLAIN, PLAIN.replace("1.0", '{"threshold": 1.0, "match_type": "EXACT"}')])
async def test_undo_and_redo_select_an_option_that_is_absent_afterwards(config: str) -> None:
    async with criteria(config) as s:
        for option, keys in {"ignore_args": ("space",), "match_type": ("enter", "down", "enter")}.items():
            await go(s, option)
            await s.press(*keys)
            for step in "uUu":
                await s.press("home", step)
                assert s.cursor().lstrip("▌ ").startswith(option), (option, step)

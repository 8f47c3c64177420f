"""A dataset in the app: scored against its own responses, explained, reviewed and accepted into."""

import json

import pytest

from evaltui.tui.review.review_queue import ReviewStart
from tests.answered_dataset import ANSWERED, DATASET
from tests.sampling import sampled
from tests.tui.review.reviewed import head, sidecar
from tests.tui.scenario import NARROW, WIDE, Scenario, scenario

NAME = "desk.json"
SIZES = (NARROW, WIDE)


def case(s: Scenario, number: int) -> dict[str, object]:
    found: dict[str, object] = json.loads(s.bytes())["eval_cases"][number]
    return found


@pytest.mark.parametrize("size", sampled(SIZES, 1))
async def test_a_dataset_is_scored_when_it_opens_and_reviewed_turn_by_turn(size: tuple[int, int]) -> None:
    async with scenario(ANSWERED, size, name=NAME) as s:
        s.expect("1 ✗ 2 –")
        await s.press("4")
        s.expect("refund", "open", "nobody", "the case states no expectation")
        await s.press("2", "o")
        assert "[1/2] refund › turn 1" in head(s)
        s.expect("Refund order 7", 'order="7"', "order=7", "type differs")
        await s.press("a", "S", "a")
        assert "[2/2] open › turn 1" in head(s)
        assert "Accepted. Turn 1 of refund passes now (was: fails)." in s.status
        s.expect("no expected value yet")
        await s.press("a")
        await s.press("escape", "escape")
        s.expect("2 ✓ 1 –")
        decisions, saved = sidecar(s), json.loads(await s.saved())["eval_cases"]
    before = json.loads(ANSWERED)["eval_cases"]
    assert saved[0]["reference"]["response"]["parts"] == [{"text": "Refunded in full."}]
    assert [each["content"]["parts"][0]["function_call"] for each in saved[0]["intermediate_events"]] == [
        {"name": "refund", "args": {"order": 7}},
        {"name": "mail", "args": {"to": "a@b.c"}},
    ]
    assert saved[1] == before[1] | {
        "reference": {"response": {"role": "model", "parts": [{"text": "Yes, until six."}]}}
    }
    assert [each["decision"] for each in decisions] == ["accepted"] * 4


@pytest.mark.thorough
async def test_the_form_of_a_case_says_why_and_accepts_on_its_lines() -> None:
    async with scenario(ANSWERED, WIDE, name=NAME) as s:
        await s.to("refund")
        await s.press("w")
        s.expect("tool_trajectory_avg_score 0.00 < 1.00", "mail  to=")
        await s.to("order  ")
        await s.press("a")
        assert s.bytes() == s.original.replace(b'"order": "7"', b'"order": 7')
        await s.press("u")
        assert s.bytes() == s.original


@pytest.mark.thorough
async def test_only_what_the_dataset_lacks_is_filled() -> None:
    async with scenario(DATASET, NARROW, name=NAME, beside={"trace.json": ANSWERED}, recordings=["trace.json"]) as s:
        await s.press("o")
        await s.press("J", "a")
        assert case(s, 1)["reference"] == {"response": {"role": "model", "parts": [{"text": "Yes, until six."}]}}
        assert case(s, 0) == json.loads(DATASET)["eval_cases"][0]
        await s.press("u")
        assert s.bytes() == s.original
        await s.press("escape")


@pytest.mark.thorough
async def test_a_dataset_without_responses_says_what_is_missing() -> None:
    async with scenario(DATASET, NARROW, name=NAME) as s:
        await s.press("f5")
        s.expect("No responses to score. Press H to add a recording.")
        await s.press("o")
        s.expect("No responses to score")


@pytest.mark.thorough
async def test_the_command_begins_in_the_review_of_a_dataset() -> None:
    async with scenario(ANSWERED, NARROW, name=NAME, starts_with=ReviewStart(is_first=True)) as s:
        assert "[1/2] refund › turn 1" in head(s)
        s.expect("Expected (desk.json) and actual (desk.json)")
        await s.press("c", "q")
        assert "[1/2] refund › turn 1" in head(s)
        assert "The review is the first screen" not in " ".join(s.screen())


@pytest.mark.thorough
async def test_a_response_that_changed_on_disk_counts_at_the_next_run() -> None:
    async with scenario(ANSWERED, NARROW, name=NAME) as s:
        await s.press("o", "J", "a", "escape")
        s.expect("1 ✓ 1 ✗ 1 –")
        before, _, behind = (await s.saved()).decode().rpartition("Yes, until six.")
        s.path.write_text(f"{before}No.{behind}")
        await s.press("f5")
        s.expect("2 ✗ 1 –")


async def test_live_mode_scores_an_edited_reference_at_once() -> None:
    async with scenario(ANSWERED, WIDE, name=NAME) as s:
        await s.press("L")
        await s.enter("refund")
        s.expect("✗ response_match 0.00 < 0.80")
        await s.edit("Your money is on its way.", "Refunded in full.")
        s.expect("✓ response_match 1.00 ≥ 0.80")


@pytest.mark.thorough
async def test_the_keys_of_failing_turns_name_the_case() -> None:
    dataset = json.loads(ANSWERED)
    dataset["eval_cases"][1]["intermediate_events"] = dataset["eval_cases"][0]["intermediate_events"]
    dataset["eval_cases"][1]["reference"] = dataset["eval_cases"][0]["reference"]
    async with scenario(json.dumps(dataset), NARROW, name=NAME) as s:
        await s.press("right_square_bracket")
        assert "Failing case 2 of 2: open" in s.status
        await s.press("left_square_bracket")
        assert "Failing case 1 of 2: refund" in s.status


async def test_a_remark_counts_the_cases_that_still_lack_an_expectation() -> None:
    remark = "tool_trajectory_avg_score is not evaluated for {}: "
    dataset = json.loads(ANSWERED)
    del dataset["eval_cases"][0]["intermediate_events"]
    dataset["eval_cases"][1]["reference"] = {"response": "No."}
    async with scenario(json.dumps(dataset), WIDE, name=NAME) as s:
        await s.press("4")
        s.expect(remark.format("2 cases"))
        await s.press("2", "o", "F", "F", "escape", "4")
        s.expect(remark.format("1 case"))
        await s.press("u")
        s.expect(remark.format("2 cases"))

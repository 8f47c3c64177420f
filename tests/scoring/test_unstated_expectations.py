"""Cases of a dataset that state no calls or no response: nothing is compared with what nobody stated."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.document.node import root_of_file
from evaltui.evalset.keys import camel
from evaltui.recordings.recording_file import open_recording
from evaltui.report.run_table import table_lines
from evaltui.report.why_text import why_lines
from evaltui.review.review_items import items_of_case
from evaltui.runs.set_reader import set_of
from evaltui.scoring.criteria import criteria_of
from evaltui.scoring.explained_case import explained_case
from evaltui.scoring.metrics.metric import NOTHING_STATED
from evaltui.scoring.results import exit_code, totals_of
from evaltui.scoring.scored_set import ScoredSet
from tests.read_sets import score_set

NAME = "desk.json"
NO_CALLS = "the case states no expected tool calls: it has no intermediate_events"
NO_RESPONSE = "the case states no expected response: it has no text in reference"
SAYS = {"response": {"role": "model", "parts": [{"text": "Fog."}]}}
CALL = {"author": "desk", "content": {"role": "model", "parts": [{"function_call": {"name": "look", "args": {}}}]}}
DID = [CALL, {"author": "desk", "content": SAYS["response"]}]
TRAJECTORY, RESPONSE = "tool_trajectory_avg_score", "response_match_score"


def scored(*, events: Any = DID, is_camel: bool = False, criteria: Any = None, **members: Any) -> ScoredSet:
    """A case of one prompt, with a recording in which the agent did `events`; None is no recording."""
    case = {"eval_case_id": "a", "prompt": {"role": "user", "parts": [{"text": "Weather?"}]}}
    own = {camel(name) if is_camel else name: value for name, value in members.items()}
    data = json.dumps({"eval_cases": [{**case, **own}]}).encode()
    did = {**case, "responses": [SAYS], "agent_data": {"turns": [{"events": events}]}}
    recordings = (
        [open_recording(Path("r.json"), multi_turn=False, data=json.dumps({"eval_cases": [did]}).encode())]
        if events is not None
        else []
    )
    return score_set(set_of(root_of_file(data), data, Path(NAME), NAME), criteria or criteria_of(None), recordings)


def verdicts(run: ScoredSet) -> dict[str, tuple[str, str | None]]:
    return {each.name: (each.status, each.reason) for each in run.cases[0].metrics if each.status != "informational"}


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"intermediate_events": None, "reference": None},
        {"reference": {}},
        {"reference": {"response": None}},
        {"reference": {"response": {"parts": []}}},
        {"reference": {"response": {"parts": [{"text": ""}]}}},
    ],
)
@pytest.mark.parametrize("events", [DID, [DID[1]], None], ids=["calls", "no calls", "no recording"])
def test_a_case_without_an_expectation_is_not_evaluated_with_that_reason(members: Any, events: Any) -> None:
    run = scored(events=events, **members)
    (case,) = run.cases
    assert (case.status, case.reason) == ("not_evaluated", NOTHING_STATED)
    assert verdicts(run) == dict.fromkeys((TRAJECTORY, RESPONSE), ("not_evaluated", NOTHING_STATED))
    assert exit_code(totals_of(run.cases)) == 3


@pytest.mark.parametrize("is_camel", [False, True])
def test_an_empty_list_states_that_no_tool_is_called(is_camel: bool) -> None:
    called = scored(intermediate_events=[], is_camel=is_camel)
    assert verdicts(called) == {TRAJECTORY: ("failed", None), RESPONSE: ("not_evaluated", NO_RESPONSE)}
    silent = scored(intermediate_events=[], events=[DID[1]], is_camel=is_camel)
    assert verdicts(silent)[TRAJECTORY] == ("passed", None)


def test_a_reference_alone_states_nothing_about_calls() -> None:
    run = scored(reference=SAYS)
    assert run.cases[0].status == "passed"
    assert verdicts(run) == {TRAJECTORY: ("not_evaluated", NO_CALLS), RESPONSE: ("passed", None)}
    assert exit_code(totals_of(run.cases)) == 3


def test_a_stated_part_still_fails_the_case() -> None:
    other = {"response": {"parts": [{"text": "Sun."}]}}
    assert scored(reference=other).cases[0].status == "failed"


def test_the_table_shows_a_metric_that_is_evaluated_for_no_case() -> None:
    lines = [line.plain for line in table_lines(scored(reference=SAYS), 80)]
    words = [line.split() for line in lines]
    assert ["tool_trajectory", "response_match"] in words
    assert ["✓", "a", "–", "1.00", "✓"] in words
    assert f"    {TRAJECTORY}: mean –, 1 case not evaluated" in lines
    assert all("tool_trajectory  " not in line.plain for line in table_lines(scored(), 80))


def test_failing_metrics_are_named_before_those_that_are_not_evaluated() -> None:
    run = scored(reference={"response": {"parts": [{"text": "Sun."}]}})
    failing, unstated = why_lines(run.cases[0], run.criteria)
    assert failing.startswith("turn 1 · response_match 0.00 < 0.80")
    assert unstated == f"{TRAJECTORY}: {NO_CALLS}"


@pytest.mark.parametrize("threshold", ["0.0", "2.0"])
def test_no_threshold_gives_a_verdict(threshold: str) -> None:
    names = [f"{name}={threshold}" for name in (TRAJECTORY, RESPONSE)]
    assert scored(criteria=criteria_of(None, metrics=names)).cases[0].status == "not_evaluated"


def test_adk_rs_compares_nothing_either() -> None:
    run = scored(criteria=criteria_of(None, profile="adk-rs"))
    assert run.cases[0].reason == NOTHING_STATED
    assert {status for status, _ in verdicts(run).values()} == {"not_evaluated"}


def test_a_recording_with_other_turns_fails_no_case_without_an_expectation() -> None:
    asks = {"author": "user", "content": {"role": "user", "parts": [{"text": "And then?"}]}}
    three = [*DID, asks, *DID, asks, *DID]
    assert scored(events=three).cases[0].reason == NOTHING_STATED
    assert scored(events=three, reference=SAYS).cases[0].status == "failed"


def test_the_review_offers_what_the_case_lacks_and_nothing_once_it_is_stated() -> None:
    def offered(**members: Any) -> list[str]:
        run = scored(**members)
        items = items_of_case(run.subject.cases[0], run.cases[0], run.criteria)
        return [change.summary for item in items for change in item.changes]

    assert offered() == ["add call look()", 'response: nothing → "Fog."']
    assert offered(events=[DID[1]]) == ["no tool calls", 'response: nothing → "Fog."']
    assert offered(events=[DID[1]], reference=SAYS) == ["no tool calls"]
    assert offered(intermediate_events=[CALL], reference=SAYS) == []
    unknown = {"content": {"parts": [{"function_call": {"name": "look", "arguments": "{}"}}]}}
    assert offered(events=[unknown, DID[1]], reference=SAYS) == []
    only_texts = criteria_of(None, metrics=[RESPONSE])
    assert offered(reference=SAYS, criteria=only_texts) == []


def test_both_sides_of_a_turn_say_what_is_not_stated() -> None:
    run = scored()
    (turn,) = explained_case(run.cases[0], run.criteria).turns
    assert turn.expected.as_dict() == {"calls": [], "response": "", "unstated": ["calls", "response"]}
    assert "unstated" not in turn.actual.as_dict()

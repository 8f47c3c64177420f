"""Results under other criteria are those of scoring from scratch with them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.document.node import root_of_file
from evaltui.evalset.expected_set import ExpectedCase
from evaltui.evalset.turn import Turn
from evaltui.recordings.conversation import Conversation, StoredScore
from evaltui.recordings.matching import Match
from evaltui.recordings.recording_file import open_recording
from evaltui.runs.set_reader import set_of
from evaltui.scoring.case_scores import score_expected
from evaltui.scoring.criteria import Criteria, CriteriaError, criteria_of
from evaltui.scoring.eval_config import config_in
from evaltui.scoring.metrics import tool_trajectory
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES
from evaltui.scoring.results import CaseResult
from evaltui.scoring.scored_set import ScoredSet
from evaltui.scoring.trial_scores import criteria_on_trial, score_on_trial
from tests.read_sets import score_set
from tests.runs.config_steps import try_steps
from tests.scored_sets import RECORDING, SET
from tests.scoring.helpers import call, call_lists, conversation, criteria, turn

PATH = Path("test_config.json")
BASE = b'{"criteria": {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.8, "safety_v1": 0.5}}'
TRAJECTORY, RESPONSE, JUDGED = "tool_trajectory_avg_score", "response_match_score", "final_response_match_v2"

thresholds = st.sampled_from([0.0, 0.3, 0.5, 1, 1.0, 2.0])
trajectory_criteria = thresholds | st.fixed_dictionaries(
    {"threshold": thresholds},
    optional={
        "match_type": st.sampled_from(["EXACT", "in order", "SOME"]),
        "matchType": st.sampled_from(["any-order", 1]),
        "ignore_args": st.sampled_from([True, False, "perhaps"]),
        "ignoreArgs": st.booleans(),
    },
)
given_criteria = st.fixed_dictionaries(
    {TRAJECTORY: trajectory_criteria},
    optional={RESPONSE: thresholds, JUDGED: st.just({"threshold": 0.5}), "unknown": thresholds},
)
options = st.fixed_dictionaries(
    {
        "match_type": st.none() | st.sampled_from(MATCH_TYPES),
        "ignore_args": st.none() | st.booleans(),
        "thresholds": st.dictionaries(st.just(TRAJECTORY), thresholds),
    }
)
responses = st.lists(st.sampled_from(["booked", "the", "flight", "not"]), max_size=4).map(" ".join)
turns = st.builds(lambda calls, response: turn(*calls, response=response), call_lists, responses)
turn_lists = st.lists(turns, max_size=3)
conversations = st.builds(
    lambda turns, members, grades: conversation(*turns, grades=grades, **members),
    turn_lists,
    st.sampled_from([{}, {}, {}, {"failure": "it crashed"}, {"unread": "half of it"}]),
    st.sampled_from([(), (), (StoredScore("polite", 0.5, 4),)]),
)


def scored(
    expected: list[Turn], recorded: list[Conversation], asked: Criteria, *, all_runs: bool, is_scenario: bool = False
) -> CaseResult:
    case = ExpectedCase("trip", 3, tuple(expected), b"{}", is_scenario)
    return score_expected(case, [Match(each, "only_one") for each in recorded], asked, None, all_runs=all_runs)


def rescored(result: CaseResult, before: Criteria, after: Criteria) -> CaseResult:
    """The result under `after`, of a case whose text must not be parsed again."""
    return score_on_trial(result, before, after)


@given(turn_lists, st.lists(conversations, max_size=2), given_criteria, options, st.booleans())
def test_results_are_those_of_scoring_from_scratch(
    expected: list[Turn], recorded: list[Conversation], given: dict[str, Any], tried: dict[str, Any], all_runs: bool
) -> None:
    before = criteria(given)
    after = criteria_on_trial(before, **tried)
    found = rescored(scored(expected, recorded, before, all_runs=all_runs), before, after)
    assert found == scored(expected, recorded, after, all_runs=all_runs)


@given(st.lists(st.tuples(turns, turns), min_size=1, max_size=3), given_criteria, options, thresholds)
def test_turns_are_scored_as_from_scratch(
    pairs: list[tuple[Turn, Turn]], given: dict[str, Any], tried: dict[str, Any], threshold: float
) -> None:
    before = criteria({RESPONSE: 0.8, **given})
    after = criteria_on_trial(before, **{**tried, "thresholds": {**tried["thresholds"], RESPONSE: threshold}})
    expected, recorded = [one for one, _ in pairs], [conversation(*(other for _, other in pairs))]
    found = rescored(scored(expected, recorded, before, all_runs=False), before, after)
    assert found == scored(expected, recorded, after, all_runs=False)


@given(st.lists(st.tuples(turns, turns), min_size=1, max_size=3), thresholds)
def test_thresholds_of_adk_rs_hold_for_every_turn(pairs: list[tuple[Turn, Turn]], threshold: float) -> None:
    before = criteria(profile="adk-rs")
    after = criteria_on_trial(before, thresholds={TRAJECTORY: threshold})
    expected, recorded = [one for one, _ in pairs], [conversation(*(other for _, other in pairs))]
    found = rescored(scored(expected, recorded, before, all_runs=False), before, after)
    assert found == scored(expected, recorded, after, all_runs=False)


def test_grades_of_an_agent_that_failed_stay() -> None:
    before = criteria()
    after = criteria_on_trial(before, thresholds={TRAJECTORY: 0.5})
    crashed = conversation(turn(), failure="it crashed", grades=(StoredScore("polite", 0.5, 4),))
    result = scored([turn()], [crashed], before, all_runs=False)
    assert rescored(result, before, after).metrics == result.metrics


def test_a_case_with_another_number_of_turns_is_another_result_under_other_criteria() -> None:
    # What a screen keeps about its turns is made anew, although no turn of it was scored.
    before = criteria()
    result = scored([turn(), turn()], [conversation(turn())], before, all_runs=False)
    rejudged = rescored(result, before, criteria_on_trial(before, ignore_args=True))
    assert rejudged == result
    assert rejudged is not result


def test_a_scenario_is_told_the_other_threshold() -> None:
    before = criteria()
    after = criteria_on_trial(before, thresholds={TRAJECTORY: 0.5})
    result = scored([], [], before, all_runs=False, is_scenario=True)
    assert rescored(result, before, after) == scored([], [], after, all_runs=False, is_scenario=True)


def test_a_result_that_stays_is_the_same_object() -> None:
    before = criteria()
    passing = scored([turn(call("find"))], [conversation(turn(call("find")))], before, all_runs=False)
    failing = scored([turn(call("find"))], [conversation(turn(call("find", x=1)))], before, all_runs=False)
    after = criteria_on_trial(before, ignore_args=True)
    assert rescored(passing, before, after) is passing
    assert rescored(failing, before, after).status == "passed"


@pytest.mark.parametrize("all_runs", [False, True])
def test_the_time_of_the_agent_stays(all_runs: bool) -> None:
    before = criteria()
    timed = conversation(replace(turn(call("book")), seconds=2.5))
    result = scored([turn(call("find"))], [timed], before, all_runs=all_runs)
    lower = rescored(result, before, criteria_on_trial(before, thresholds={TRAJECTORY: 0.0}))
    assert (result.status, lower.status, result.seconds, lower.seconds) == ("failed", "passed", 2.5, 2.5)


def test_only_the_metric_that_differs_is_computed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    before = criteria()
    result = scored([turn(call("find"))], [conversation(turn(call("book")))], before, all_runs=False)

    def refuse(*_: object) -> None:
        raise AssertionError("the words of a response were compared again")

    monkeypatch.setattr("evaltui.scoring.metrics.response_match.response_match", refuse)
    monkeypatch.setattr(tool_trajectory, "trajectory_matches", lambda *_, **__: True)
    found = rescored(result, before, criteria_on_trial(before, match_type="ANY_ORDER"))
    assert found.status == "passed"
    lower = criteria_on_trial(before, thresholds={RESPONSE: 0.2})
    assert [each.threshold for each in rescored(result, before, lower).metrics[:2]] == [1.0, 0.2]


@pytest.mark.parametrize(
    "given",
    [1.0, {"threshold": 1}, {"threshold": 1.0, "matchType": "exact", "ignoreArgs": "no"}],
)
def test_options_in_force_change_nothing(given: Any) -> None:
    before = criteria({TRAJECTORY: given})
    assert criteria_on_trial(before, match_type="EXACT", ignore_args=False, thresholds={TRAJECTORY: 1.0}) is before


def test_another_threshold_leaves_a_number_a_number_and_an_object_an_object() -> None:
    before = criteria({TRAJECTORY: {"threshold": 1, "matchType": 2}, RESPONSE: 1})
    after = criteria_on_trial(before, thresholds={TRAJECTORY: 0.5, RESPONSE: 0.5})
    assert [each.raw for each in after.judged] == [{"threshold": 0.5, "matchType": 2}, 0.5]
    assert [each.threshold for each in after.judged] == [0.5, 0.5]


def test_another_match_type_makes_a_number_an_object() -> None:
    after = criteria_on_trial(criteria({TRAJECTORY: 1}), match_type="IN_ORDER", thresholds={TRAJECTORY: 0.5})
    assert after.judged[0].raw == {"threshold": 0.5, "match_type": "IN_ORDER"}


@pytest.mark.parametrize(
    ("given", "tried", "why"),
    [
        ({RESPONSE: 1}, {"match_type": "EXACT"}, "tool_trajectory_avg_score is not among the criteria"),
        ({JUDGED: 1}, {"thresholds": {JUDGED: 0.5}}, "final_response_match_v2 is not computed by evaltui"),
        ({"mine": 1}, {"thresholds": {"mine": 0.5}}, "mine is not computed by evaltui"),
        ({RESPONSE: 1}, {"thresholds": {RESPONSE: float("nan")}}, "must be a finite number"),
    ],
)
def test_options_that_cannot_be_tried_are_refused(given: dict[str, Any], tried: dict[str, Any], why: str) -> None:
    with pytest.raises(CriteriaError, match=why):
        criteria_on_trial(criteria(given), **tried)


def test_adk_rs_has_no_match_types() -> None:
    with pytest.raises(CriteriaError, match="adk-rs has no match types"):
        criteria_on_trial(criteria(profile="adk-rs"), match_type="ANY_ORDER")


# --- any other criteria ---


@pytest.fixture(scope="module")
def run() -> ScoredSet:
    path, recording = Path("a.evalset.json"), Path("actual.json")
    subject = set_of(root_of_file(SET.encode()), SET.encode(), path, path.name)
    return score_set(subject, criteria(), [open_recording(recording, multi_turn=True, data=RECORDING.encode())])


def some_criteria(random: Random) -> Criteria:
    document = Document(BASE, PATH)
    try_steps(document, random, random.randint(0, 8))
    return criteria_in(document.to_bytes())


def criteria_in(config: bytes) -> Criteria:
    return criteria_of(config_in(config, PATH))


@pytest.mark.parametrize("all_runs", [False, True])
@given(st.randoms(use_true_random=False))
def test_a_result_under_other_criteria_is_that_of_a_run_by_them(run: ScoredSet, all_runs: bool, random: Random) -> None:
    before, after = some_criteria(random), some_criteria(random)
    by_before = score_set(run.subject, before, run.recordings, all_runs=all_runs).cases
    by_after = score_set(run.subject, after, run.recordings, all_runs=all_runs).cases
    made = [score_on_trial(result, before, after) for result in by_before]
    assert made == [*by_after]


@pytest.mark.parametrize(("all_runs", "counts"), [(True, 0), (False, 1)])
def test_under_other_criteria_the_run_that_counts_stays(run: ScoredSet, all_runs: bool, counts: int) -> None:
    before, after = criteria_in(BASE), criteria_in(b'{"criteria": {"response_match_score": 0.8}}')
    case, counting = run.subject.cases[0], run.cases[0].run
    assert counting is not None
    latest = replace(counting.conversation, turns=())
    matches = [Match(conversation, counting.matched_by) for conversation in (counting.conversation, latest)]
    by_before, by_after = (
        score_expected(case, matches, criteria, None, all_runs=all_runs, counts=counts) for criteria in (before, after)
    )
    assert score_on_trial(by_before, before, after) == by_after

"""Results under other criteria are those of scoring from scratch with them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.evalset.expected_set import ExpectedCase
from evaltui.evalset.turn import Turn
from evaltui.recordings.conversation import Conversation
from evaltui.recordings.matching import CaseMatch
from evaltui.scoring.criteria import Criteria, CriteriaError
from evaltui.scoring.metrics import tool_trajectory
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES
from evaltui.scoring.results import CaseResult
from evaltui.scoring.scored_set import score_expected
from evaltui.scoring.what_if import WhatIf, criteria_if, rescored
from tests.scoring.helpers import call, call_lists, conversation, criteria, turn

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
options = st.builds(
    WhatIf,
    st.none() | st.sampled_from(MATCH_TYPES),
    st.none() | st.booleans(),
    st.dictionaries(st.just(TRAJECTORY), thresholds),
)
responses = st.lists(st.sampled_from(["booked", "the", "flight", "not"]), max_size=4).map(" ".join)
turns = st.builds(lambda calls, response: turn(*calls, response=response), call_lists, responses)
turn_lists = st.lists(turns, max_size=3)
conversations = st.builds(
    lambda turns, members: conversation(*turns, **members),
    turn_lists,
    st.sampled_from([{}, {}, {}, {"failure": "it crashed"}, {"unread": "half of it"}]),
)


def scored(
    expected: list[Turn], recorded: list[Conversation], asked: Criteria, *, all_runs: bool, is_scenario: bool = False
) -> CaseResult:
    case = ExpectedCase("trip", 3, tuple(expected), b"{}", is_scenario)
    return score_expected(case, [CaseMatch(each, "only_one") for each in recorded], asked, None, all_runs=all_runs)


@given(turn_lists, st.lists(conversations, max_size=2), given_criteria, options, st.booleans())
def test_results_are_those_of_scoring_from_scratch(
    expected: list[Turn], recorded: list[Conversation], given: dict[str, Any], tried: WhatIf, all_runs: bool
) -> None:
    before = criteria(given)
    after = criteria_if(before, tried)
    found = list(rescored([scored(expected, recorded, before, all_runs=all_runs)], before, after))
    assert found == [scored(expected, recorded, after, all_runs=all_runs)]


@given(st.lists(st.tuples(turns, turns), min_size=1, max_size=3), given_criteria, options, thresholds)
def test_turns_are_scored_as_from_scratch(
    pairs: list[tuple[Turn, Turn]], given: dict[str, Any], tried: WhatIf, threshold: float
) -> None:
    before = criteria({RESPONSE: 0.8, **given})
    after = criteria_if(before, tried._replace(thresholds={**tried.thresholds, RESPONSE: threshold}))
    expected, recorded = [one for one, _ in pairs], [conversation(*(other for _, other in pairs))]
    found = list(rescored([scored(expected, recorded, before, all_runs=False)], before, after))
    assert found == [scored(expected, recorded, after, all_runs=False)]


@given(st.lists(st.tuples(turns, turns), min_size=1, max_size=3), thresholds)
def test_thresholds_of_adk_rs_hold_for_every_turn(pairs: list[tuple[Turn, Turn]], threshold: float) -> None:
    before = criteria(profile="adk-rs")
    after = criteria_if(before, WhatIf(thresholds={TRAJECTORY: threshold}))
    expected, recorded = [one for one, _ in pairs], [conversation(*(other for _, other in pairs))]
    found = list(rescored([scored(expected, recorded, before, all_runs=False)], before, after))
    assert found == [scored(expected, recorded, after, all_runs=False)]


def test_a_scenario_is_told_the_other_threshold() -> None:
    before = criteria()
    after = criteria_if(before, WhatIf(thresholds={TRAJECTORY: 0.5}))
    result = scored([], [], before, all_runs=False, is_scenario=True)
    assert list(rescored([result], before, after)) == [scored([], [], after, all_runs=False, is_scenario=True)]


def test_a_result_that_stays_is_the_same_object() -> None:
    before = criteria()
    passing = scored([turn(call("find"))], [conversation(turn(call("find")))], before, all_runs=False)
    failing = scored([turn(call("find"))], [conversation(turn(call("find", x=1)))], before, all_runs=False)
    found = list(rescored([passing, failing], before, criteria_if(before, WhatIf(ignore_args=True))))
    assert found[0] is passing
    assert [each.status for each in found] == ["passed", "passed"]


def test_only_the_metric_that_differs_is_computed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    before = criteria()
    result = scored([turn(call("find"))], [conversation(turn(call("book")))], before, all_runs=False)

    def refuse(*_: object) -> None:
        raise AssertionError("the words of a response were compared again")

    monkeypatch.setattr("evaltui.scoring.metrics.response_match.response_match", refuse)
    monkeypatch.setattr(tool_trajectory, "trajectory_matches", lambda *_, **__: True)
    found = next(rescored([result], before, criteria_if(before, WhatIf("ANY_ORDER"))))
    assert found.status == "passed"
    lower = criteria_if(before, WhatIf(thresholds={RESPONSE: 0.2}))
    assert [each.threshold for each in next(rescored([result], before, lower)).metrics[:2]] == [1.0, 0.2]


@pytest.mark.parametrize(
    "given",
    [1.0, {"threshold": 1}, {"threshold": 1.0, "matchType": "exact", "ignoreArgs": "no"}],
)
def test_options_in_force_change_nothing(given: Any) -> None:
    before = criteria({TRAJECTORY: given})
    assert criteria_if(before, WhatIf("EXACT", ignore_args=False, thresholds={TRAJECTORY: 1.0})) is before


def test_another_threshold_leaves_a_number_a_number_and_an_object_an_object() -> None:
    before = criteria({TRAJECTORY: {"threshold": 1, "matchType": 2}, RESPONSE: 1})
    after = criteria_if(before, WhatIf(thresholds={TRAJECTORY: 0.5, RESPONSE: 0.5}))
    assert [each.raw for each in after.judged] == [{"threshold": 0.5, "matchType": 2}, 0.5]
    assert [each.threshold for each in after.judged] == [0.5, 0.5]


def test_another_match_type_makes_a_number_an_object() -> None:
    after = criteria_if(criteria({TRAJECTORY: 1}), WhatIf("IN_ORDER", thresholds={TRAJECTORY: 0.5}))
    assert after.judged[0].raw == {"threshold": 0.5, "match_type": "IN_ORDER"}


@pytest.mark.parametrize(
    ("given", "tried", "why"),
    [
        ({RESPONSE: 1}, WhatIf("EXACT"), "tool_trajectory_avg_score is not among the criteria"),
        ({JUDGED: 1}, WhatIf(thresholds={JUDGED: 0.5}), "final_response_match_v2 is not computed by evaltui"),
        ({"mine": 1}, WhatIf(thresholds={"mine": 0.5}), "mine is not computed by evaltui"),
        ({RESPONSE: 1}, WhatIf(thresholds={RESPONSE: float("nan")}), "must be a finite number"),
    ],
)
def test_options_that_cannot_be_tried_are_refused(given: dict[str, Any], tried: WhatIf, why: str) -> None:
    with pytest.raises(CriteriaError, match=why):
        criteria_if(criteria(given), tried)


def test_adk_rs_has_no_match_types() -> None:
    with pytest.raises(CriteriaError, match="adk-rs has no match types"):
        criteria_if(criteria(profile="adk-rs"), WhatIf("ANY_ORDER"))

"""A review offers no change for what the recording does not hold, and says beforehand what no change can make pass."""

import json
from typing import Any

import pytest

from evaltui.evalset.expected_set import read_case
from evaltui.evalset.turn import ALL_PARTS, Turn, TurnCall, UnrecordedArguments
from evaltui.report.review_reports import diff_of_item
from evaltui.review.compared_rows import ComparedRow, rows_of_conversation, rows_of_item
from evaltui.review.review_changes import ReviewChange
from evaltui.review.review_items import ComparedTurn, ReviewItem, items_of_case
from evaltui.scoring.call_equality import ABSENT
from evaltui.scoring.case_scores import score_case
from evaltui.scoring.criteria import Criteria, criteria_of
from evaltui.scoring.results import CaseResult, MetricScore, TurnScores
from tests.scoring.helpers import call, conversation, criteria

EXPECTED = Turn("Price?", (call("a", x=1), call("b")), "It costs 500.")


_LACKS = "Nothing to accept: the recording does not hold all of this turn."


def named(name: str) -> TurnCall:
    return TurnCall(name, UnrecordedArguments())


def changes(expected: Turn, actual: Turn, metrics: tuple[str, ...] = ()) -> list[ReviewChange]:
    scores = TurnScores(1, expected, actual, tuple(MetricScore(name, "failed", None, None) for name in metrics))
    return list(ComparedTurn(scores, 0, "e", Criteria(()), has_calls=True).changes)


def offered(expected: Turn, actual: Turn) -> list[str]:
    return [change.summary for change in changes(expected, actual)]


def items(expected: list[Turn], actual: list[Turn], *, lacks_turns: bool = False) -> list[ReviewItem]:
    turns = [
        {
            "user_content": {"parts": [{"text": each.user_text}]},
            "final_response": {"parts": [{"text": each.response}]},
            "intermediate_data": {"tool_uses": [{"name": one.name, "args": one.args} for one in each.calls]},
        }
        for each in expected
    ]
    case = read_case(json.dumps({"eval_id": "e", "conversation": turns}).encode(), 0)
    run = score_case(expected, conversation(*actual, lacks_turns=lacks_turns), "only_one", criteria())
    result = CaseResult("e", 0, run.status, run.metrics, run, run.reason)
    return items_of_case(case, result, criteria_of(None), "all")


def whole(item: ReviewItem) -> list[ComparedRow]:
    return [*rows_of_conversation(item.case.turns, item.run.conversation.turns)]


def lost(*calls: TurnCall, user: str = "", **members: Any) -> Turn:
    return Turn(user, calls, "", unrecorded=frozenset({"user_text", "arguments", "response"}), **members)


def test_nothing_that_is_not_recorded_is_offered() -> None:
    assert offered(EXPECTED, Turn("", unrecorded=ALL_PARTS)) == []
    assert offered(EXPECTED, lost(named("a"), named("b"))) == []
    assert offered(EXPECTED, Turn("", EXPECTED.calls, "Yes.", unrecorded=frozenset({"calls"}))) == [
        'response: "It costs 500." → "Yes."'
    ]


def test_of_a_recording_that_lacks_turns_no_turn_with_another_user_message_is_offered() -> None:
    expected = [Turn("Price?", (), "500."), Turn("And the red one?", (call("a"),), "600.")]
    recorded = [Turn("price?", (), "400."), Turn("And the blue one?", (call("b"),), "700.")]
    whole, lacking = (
        [[change.summary for change in item.changes] for item in items(expected, recorded, lacks_turns=lacks)]
        for lacks in (False, True)
    )
    assert [len(summaries) for summaries in whole] == [1, 3]
    assert lacking == [['response: "500." → "400."'], []]
    why = "Nothing to accept: this turn has another user message, and turns of the recording are missing."
    assert items(expected, recorded, lacks_turns=True)[1].why_no_change("") == why


def test_calls_that_are_recorded_are_offered_beside_those_that_are_not() -> None:
    assert offered(EXPECTED, lost(named("a"))) == ["delete call b() (not in the recording)"]
    assert offered(EXPECTED, lost(named("b"), call("c"), named("a"), named("d"))) == [
        "move call a to the end",
        "add call c() after b",
    ]
    assert offered(EXPECTED, lost(named("c"))) == [], "c cannot be added, so a and b stay"
    several = Turn("", (call("a", x=1), call("a", x=2), call("b")), "")
    assert offered(several, lost(named("a"), call("b"))) == [], "nobody knows which of the two calls was made"


def test_turns_are_added_and_deleted_only_where_they_are_recorded() -> None:
    one, two = Turn("Price?", (), "500"), Turn("Thanks", (), "Bye")
    assert [each.summary for item in items([one], [one, two]) for each in item.changes] == [
        'add turn 2 of the recording: "Thanks"'
    ]
    for expected, actual in (([one], [one, lost(user="Thanks")]), ([one, two], [lost()]), ([one], [lost(), lost()])):
        found = items(expected, actual)
        assert [item for item in found if item.added or item.deleted]
        assert not [change for item in found for change in item.changes]
        assert {item.why_no_change("") for item in found if item.added} <= {_LACKS}
        for item in found:
            assert "not recorded" in {row.note for row in (*rows_of_item(item), *whole(item))}


def test_a_recording_without_turns_deletes_none() -> None:
    assert items([EXPECTED], []) == []


def test_reports_and_screens_say_what_is_not_recorded() -> None:
    (item,) = items([EXPECTED], [lost(named("a"), named("b"))])
    assert [*diff_of_item(item)] == [
        ("-", "a(x=1)"),
        ("-", "b()"),
        ("-", "response: It costs 500."),
        ("+", "a: arguments not recorded"),
        ("+", "b: arguments not recorded"),
        ("+", "response: not recorded"),
    ]
    (blank,) = items([EXPECTED], [Turn("", unrecorded=ALL_PARTS)])
    assert blank.why_no_change("No difference.") == _LACKS
    assert items([EXPECTED], [EXPECTED])[0].why_no_change("No difference.") == "No difference."
    for reviewed in (item, blank):
        for rows in (rows_of_item(reviewed), whole(reviewed)):
            assert not any(row.changes for row in rows)
            assert all(row.actual is ABSENT for row in rows if row.note == "not recorded")
            assert "not recorded" in {row.note for row in rows}


@pytest.mark.parametrize(
    ("actual", "remark"),
    [
        (Turn("", EXPECTED.calls, "ok \ud83d"), "the case is rejected then, because a text has half a surrogate pair"),
        (Turn("", EXPECTED.calls, "👍 !"), "response_match_score stays 0.0, because the response has no words"),
        (Turn("", EXPECTED.calls, ""), "response_match_score stays 0.0, because the response has no words"),
        (Turn("", EXPECTED.calls, "好"), ""),
        (
            Turn("", (call("a", x="\ude00"), call("b")), EXPECTED.response),
            "the case is rejected then, because a text has half a surrogate pair",
        ),
        (
            Turn("", (*EXPECTED.calls, call("\ude00")), EXPECTED.response),
            "the case is rejected then, because a text has half a surrogate pair",
        ),
        (
            Turn("", (call("a", x=[float("nan")]), call("b")), EXPECTED.response),
            "tool_trajectory_avg_score still fails, because NaN equals nothing",
        ),
    ],
)
def test_a_change_that_leaves_its_turn_failing_says_so_before_it_is_accepted(actual: Turn, remark: str) -> None:
    (change,) = changes(EXPECTED, actual, ("tool_trajectory_avg_score", "response_match_score"))
    assert change.remark == remark
    assert change.sentence == (f"{change.summary} ({remark})" if remark else change.summary)
    (unasked,) = changes(EXPECTED, actual)
    assert unasked.remark == (remark if "surrogate" in remark else "")


def test_only_a_change_that_writes_half_a_surrogate_pair_says_so() -> None:
    expected = Turn("", (call("order", item="lamp", count=1),), "ok")
    actual = Turn("", (TurnCall("order", {"item\ud83d": "lamp", "count": 2, "size": "big \ude00"}),), "ok")
    remarks = {change.place.pointer: bool(change.remark) for change in changes(expected, actual)}
    assert remarks == {"/item": False, "/count": False, "/item\ud83d": True, "/size": True}


def test_a_whole_turn_that_cannot_pass_says_so() -> None:
    one = Turn("Price?", (), "500")
    (added,) = [each for item in items([one], [one, Turn("Thanks", (), "…")]) for each in item.changes]
    assert added.remark == "response_match_score stays 0.0, because the response has no words"


def test_a_turn_in_which_the_agent_failed_offers_no_change() -> None:
    failed = Turn("Price?", (call("a", x=1),), failure="500: boom")
    assert offered(EXPECTED, failed) == []
    (item,) = items([EXPECTED], [failed])
    assert item.why_no_change("") == "Nothing to accept: the agent failed with 500: boom."
    assert not any(item.changes for item in items([EXPECTED], [EXPECTED, failed]))

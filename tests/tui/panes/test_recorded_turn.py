"""The recorded turn as lines beside a form, where the recording does not hold all of it."""

from collections.abc import Sequence

from evaltui.document.node import Node
from evaltui.evalset.turn import ALL_PARTS, Turn, TurnCall, UnrecordedArguments
from evaltui.scoring.results import TurnScores
from evaltui.tui.lines import text_of
from evaltui.tui.panes.recorded_turn import Beside, call_beside, turn_beside
from tests.scoring.helpers import call

EXPECTED = Turn("Price?", (call("get_price", item="phone"),), "It costs 500.")
NAMED = TurnCall("get_price", UnrecordedArguments())
CALL = Node(b'{"name": "get_price", "args": {"item": "phone"}}')


def told(found: Sequence[Beside]) -> list[str]:
    return [" ".join(text_of(line).split()) for each in found for line in each.lines]


def test_a_part_that_is_not_recorded_is_no_difference_to_accept() -> None:
    actual = Turn("", (NAMED,), "", unrecorded=frozenset({"user_text", "arguments", "response"}))
    scores = TurnScores(1, EXPECTED, actual, ())
    found = turn_beside(scores, [CALL], 60)
    assert told(found) == [
        *("User", "not recorded", "Tool calls 1", "~ get_price arguments not recorded"),
        *("Actual response", "not recorded"),
    ]
    assert [each.subject for each in found] == [None] * len(found)
    inside = call_beside(scores, 0, CALL, 60)
    assert told(inside) == ["~ get_price", "Arguments not recorded"]
    assert [each.subject for each in inside] == [None, None]


def test_a_turn_of_which_nothing_is_recorded_claims_nothing() -> None:
    scores = TurnScores(1, EXPECTED, Turn("", unrecorded=ALL_PARTS), ())
    found = turn_beside(scores, [CALL], 60)
    assert told(found) == ["User", "not recorded", "Tool calls not recorded", "Actual response", "not recorded"]
    assert [each.subject for each in found] == [None] * len(found)
    assert told(call_beside(scores, 0, CALL, 60)) == ["not recorded"]

"""The recorded turn as lines beside a form, where the recording does not hold all of it."""

from collections.abc import Iterable

from evaltui.document.node import Node
from evaltui.evalset.turn import ALL_PARTS, Turn, TurnCall, UnrecordedArguments
from evaltui.review.review_items import ComparedTurn
from evaltui.scoring.criteria import criteria_of
from evaltui.scoring.results import TurnScores
from evaltui.tui.comparison.recorded_side import Beside, call_beside, turn_beside
from evaltui.tui.comparison.row_drawing import TextSides
from evaltui.tui.lines import text_of
from tests.scoring.helpers import call

EXPECTED = Turn("Price?", (call("get_price", item="phone"),), "It costs 500.")
NAMED = TurnCall("get_price", UnrecordedArguments())
CALL = Node(b'{"name": "get_price", "args": {"item": "phone"}}')
TEXTS = TextSides()


def compared(actual: Turn) -> ComparedTurn:
    scores = TurnScores(1, EXPECTED, actual, ())
    return ComparedTurn(scores, 0, "trip", criteria_of(None), has_calls=True)


def texts_of(recorded: Iterable[Beside]) -> list[str]:
    return [" ".join(text_of(line).split()) for beside in recorded for line in beside.lines]


def test_a_part_that_is_not_recorded_is_no_difference_to_accept() -> None:
    turn = compared(Turn("", (NAMED,), "", unrecorded=frozenset({"user_text", "arguments", "response"})))
    recorded = [*turn_beside(turn, [CALL], TEXTS, 60)]
    assert texts_of(recorded) == [
        *("User", "not recorded", "Tool calls 1", "~ get_price arguments not recorded"),
        *("Actual response", "not recorded"),
    ]
    assert [beside.row for beside in recorded] == [None] * len(recorded)
    recorded = [*call_beside(turn, 0, CALL, TEXTS, 60)]
    assert texts_of(recorded) == ["~ get_price", "Arguments not recorded"]
    assert [beside.row for beside in recorded] == [None, None]


def test_a_turn_of_which_nothing_is_recorded_claims_nothing() -> None:
    turn = compared(Turn("", unrecorded=ALL_PARTS))
    recorded = [*turn_beside(turn, [CALL], TEXTS, 60)]
    assert texts_of(recorded) == ["User", "not recorded", "Tool calls not recorded", "Actual response", "not recorded"]
    assert [beside.row for beside in recorded] == [None] * len(recorded)
    assert texts_of(call_beside(turn, 0, CALL, TEXTS, 60)) == ["not recorded"]

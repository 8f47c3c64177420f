"""How cases, turns and calls are called in sentences."""

import pytest

from evaltui.document.document import Document
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.titles import case_title, title
from tests.evalset.helpers import node_of, set_of
from tests.evalset.sets import EVENTS, LISTED

LISTED_TURN = "/eval_cases/0/conversation/0"
IN_EVENTS = f"{LISTED_TURN}/intermediateData/invocationEvents"


@pytest.mark.parametrize(
    ("source", "pointer", "words"),
    [
        (LISTED, "", "trips"),
        (LISTED, "/eval_set_id", "trips"),
        (LISTED, "/eval_cases/0", "paris-1"),
        (LISTED, "/eval_cases/0/session_input/state", "paris-1"),
        (LISTED, LISTED_TURN, "paris-1 › turn 1"),
        (LISTED, f"{LISTED_TURN}/user_content/parts/0", "paris-1 › turn 1"),
        (LISTED, f"{LISTED_TURN}/intermediate_data/tool_uses/1", "paris-1 › turn 1 › tool call 2"),
        (LISTED, f"{LISTED_TURN}/intermediate_data/tool_uses/1/args/flight", "paris-1 › turn 1 › tool call 2"),
        (LISTED, f"{LISTED_TURN}/intermediate_data/tool_responses/0", "paris-1 › turn 1"),
        (EVENTS, f"{IN_EVENTS}/0/content/parts/1/functionCall", "refund › turn 1 › tool call 1"),
        (EVENTS, f"{IN_EVENTS}/2/content/parts/0/functionCall/args", "refund › turn 1 › tool call 2"),
        (EVENTS, f"{IN_EVENTS}/0/content/parts/0/text", "refund › turn 1"),
    ],
)
def test_a_node_is_called_by_its_case_its_turn_and_its_call(source: str, pointer: str, words: str) -> None:
    root = Document(source.encode()).root
    assert root is not None
    assert title(CaseFile(root, EVAL_SET), root.at(pointer)) == words


def test_a_case_without_an_id_is_called_by_its_number() -> None:
    cases = set_of({"eval_id": "a"}, {}, {"eval_id": None}, {"eval_id": " \n"}, "broken").cases
    assert [case_title(case) for case in cases] == ["a", "case 2", "case 3", "case 4", "case 5"]


@pytest.mark.parametrize("value", [{"eval_cases": []}, {"eval_set_id": ""}, {"eval_set_id": 5}])
def test_a_set_without_an_id_is_the_eval_set(value: object) -> None:
    root = node_of(value)
    assert title(CaseFile(root, EVAL_SET), root) == "the eval set"


def test_a_call_that_is_no_object_has_the_title_of_its_turn() -> None:
    eval_set = set_of({"eval_id": "a", "conversation": [{"intermediate_data": {"tool_uses": ["x", {"name": "f"}]}}]})
    calls = eval_set.root.at(f"{LISTED_TURN}/intermediate_data/tool_uses").items
    assert [title(eval_set, call) for call in calls] == ["a › turn 1", "a › turn 1 › tool call 1"]


@pytest.mark.parametrize(
    ("identifier", "shown"),
    [
        ("two\nlines\tand  blanks", "two lines and blanks"),
        ("red \x1b[31m", "red ␛[31m"),
        ("right \u202eto left", "right ⁞to left"),
        ("x" * 61, "x" * 59 + "…"),
        ("[bold]é[/bold]", "[bold]é[/bold]"),
    ],
)
def test_an_id_is_shown_on_one_line_and_acts_on_no_terminal(identifier: str, shown: str) -> None:
    eval_set = set_of({"eval_id": identifier})
    assert title(eval_set, eval_set.cases[0]) == shown
    named = node_of({"eval_set_id": identifier, "eval_cases": []})
    assert title(CaseFile(named, EVAL_SET), named) == shown

"""The last line of a form: what it names, and the choices behind it."""

import pytest

from evaltui.document.edits import json_text
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.case_format import EVAL_SET
from evaltui.tui.forms.form import Offer
from evaltui.tui.forms.form_table import FormOwner
from evaltui.tui.forms.turn_places import PLACES


@pytest.mark.parametrize(
    ("turn", "absent", "first"),
    [
        ({}, "rubrics", ["rubric", "app details", "duration"]),
        ({"rubrics": [{"rubric_id": "r"}]}, "app details", ["app details", "duration"]),
    ],
)
def test_the_choices_of_a_turn_begin_with_what_its_last_line_names(
    turn: dict[str, object], absent: str, first: list[str]
) -> None:
    root = Node(json_text({"eval_cases": [{"eval_id": "a", "conversation": [turn]}]}))
    owner = FormOwner(CaseFile(root, EVAL_SET), root.at("/eval_cases/0/conversation/0"), "turn", "turn 1")
    (offer,) = [item for item in PLACES["turn"](owner).items if isinstance(item, Offer)]
    assert offer.absent[0] == absent
    assert [choice.label for choice in offer.choices[: len(first)]] == first

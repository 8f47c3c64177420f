"""What is added to a set stands where google-adk writes it, and no other byte changes."""

import json

import pytest

from evaltui.document.document import Document
from evaltui.evalset.editing.member_edits import fill_member, write_member
from evaltui.evalset.editing.templates import new_eval_set
from evaltui.evalset.set_views import EvalSetView

ORDER = ["eval_set_id", "name", "description", "eval_cases", "creation_timestamp"]


@pytest.mark.parametrize("added", [["name", "description"], ["description", "name"]])
def test_name_and_description_of_a_new_set_go_before_its_cases(added: list[str]) -> None:
    document = Document(before := new_eval_set("desk"))
    assert document.root is not None
    for name in added:
        document.apply(write_member(EvalSetView(document.root), document.root, name, f"The {name}").edits, "add")
    document.apply(fill_member(EvalSetView(document.root), document.root, "creation_timestamp", 1.5).edits, "add")
    assert list(json.loads(document.to_bytes())) == ORDER
    lines = document.to_bytes().splitlines()
    assert lines[1:4] == [b'  "eval_set_id": "desk",', b'  "name": "The name",', b'  "description": "The description",']
    assert lines[4:-3] == before.splitlines()[2:-2]


def test_members_stand_relative_to_those_that_are_there() -> None:
    document = Document(b'{"eval_cases": [], "extra": 1, "eval_set_id": "x"}')
    assert document.root is not None
    document.apply(write_member(EvalSetView(document.root), document.root, "description", "d").edits, "add")
    assert document.to_bytes() == b'{"description": "d", "eval_cases": [], "extra": 1, "eval_set_id": "x"}'

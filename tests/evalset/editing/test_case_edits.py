"""Changes of sets, cases and turns: the text afterwards, the bytes they touch, and their labels."""

import json
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.document.errors import EditError
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.editing.field_edits import write_first_text
from evaltui.evalset.editing.revision import Revision, put
from evaltui.evalset.editing.row_moves import delete_rows
from evaltui.evalset.editing.templates import add_turn, new_eval_set
from evaltui.tui.forms.form_table import FormOwner
from tests.evalset.helpers import difference, first_turn, revised
from tests.evalset.sets import EVENTS, LISTED


@pytest.mark.parametrize(
    ("source", "pointer", "name", "text", "change", "label"),
    [
        (LISTED, "", "eval_set_id", "tours", ("rip", "our"), "edit eval_set_id of trips"),
        (LISTED, "/eval_cases/0", "eval_id", "paris-2", ("1", "2"), "edit eval_id of paris-1"),
        (EVENTS, "/eval_cases/0", "eval_id", "refund é", ("", " é"), "edit eval_id of refund"),
        (LISTED, "", "name", "Trips", ("", 'name": "Trips",\n  "'), "edit name of trips"),
        (
            EVENTS,
            "/eval_cases/0/conversation/0",
            "invocation_id",
            "e-2",
            ("1", "2"),
            "edit invocation_id of refund › turn 1",
        ),
    ],
)
def test_a_member_gets_another_text_and_nothing_else_changes(
    source: str, pointer: str, name: str, text: str, change: tuple[str, str], label: str
) -> None:
    result = revised(source, lambda s: FormOwner(s, s.root.at(pointer), "", "").write(name, text))
    assert difference(source, result.text) == change
    assert result.revision.label == label


def test_a_set_of_camel_case_cases_keeps_its_own_keys_in_snake_case() -> None:
    source = '{"eval_cases": [{"evalId": "a"}]}'
    result = revised(source, lambda s: FormOwner(s, s.root, "", "").write("eval_set_id", "new"))
    assert result.text == '{"eval_set_id": "new", "eval_cases": [{"evalId": "a"}]}'
    assert result.revision.label == "edit eval_set_id of the eval set"


def test_a_new_member_stands_where_the_neighbours_have_it() -> None:
    source = """[
    {"invocationId": "i", "userContent": {}},
    {"userContent": {}, "rubrics": []}
]"""
    source = f'{{"eval_cases": [{{"conversation": {source}}}]}}'
    pointer = "/eval_cases/0/conversation/1"
    result = revised(source, lambda s: FormOwner(s, s.root.at(pointer), "", "").write("invocation_id", "j"))
    assert difference(source, result.text) == ("", 'invocationId": "j", "')


FIRST_TEXTS = {
    "absent": ('"a": 1', '"a": 1, "user_content": {"parts": [{"text": "Hi"}], "role": "user"}'),
    "null": ('"user_content": null', '"user_content": {"parts": [{"text": "Hi"}], "role": "user"}'),
    "camel null": ('"userContent": null', '"userContent": {"parts": [{"text": "Hi"}], "role": "user"}'),
    "empty": ('"userContent": {}', '"userContent": {"parts": [{"text": "Hi"}]}'),
    "without parts": ('"userContent": {"role": "user"}', '"userContent": {"role": "user", "parts": [{"text": "Hi"}]}'),
    "null parts": ('"user_content": {"parts": null}', '"user_content": {"parts": [{"text": "Hi"}]}'),
    "no parts": ('"user_content": {"parts": [ ]}', '"user_content": {"parts": [{"text": "Hi"}]}'),
    "no text": (
        '"user_content": {"parts": [{"file_data": 1}]}',
        '"user_content": {"parts": [{"file_data": 1}, {"text": "Hi"}]}',
    ),
    "no list": ('"user_content": {"parts": "x"}', '"user_content": {"parts": [{"text": "Hi"}]}'),
    "no object": ('"user_content": "x"', '"user_content": {"parts": [{"text": "Hi"}], "role": "user"}'),
}


@pytest.mark.parametrize(("before", "after"), FIRST_TEXTS.values(), ids=FIRST_TEXTS)
def test_the_first_text_of_a_content_brings_along_what_is_missing_around_it(before: str, after: str) -> None:
    source = '{"eval_cases": [{"eval_id": "a", "conversation": [{%s}]}]}'
    result = revised(
        source % before, lambda s: write_first_text(s, first_turn(s), "user_content", "Hi", "user message")
    )
    assert result.text == source % after
    assert result.revision.label == "edit user message of a › turn 1"


def test_a_first_response_is_laid_out_and_placed_as_in_the_turns_nearby() -> None:
    neighbour = '{"finalResponse": { "role": "agent", "parts": [ {"text":"x"} ] }, "rubrics": []}'
    source = f'{{"eval_cases": [{{"conversation": [\n{neighbour},\n{{"userContent": {{}}, "rubrics": []}}\n]}}]}}'
    result = revised(
        source,
        lambda s: write_first_text(s, s.root.at("/eval_cases/0/conversation/1"), "final_response", "Hi", "response"),
    )
    added = '"finalResponse": { "role": "agent", "parts": [ {"text":"Hi"} ] }, '
    assert result.text == source.replace('"rubrics": []}\n', f'{added}"rubrics": []}}\n')


def test_a_first_response_where_there_is_none_nearby_is_that_of_a_model() -> None:
    source = '{"eval_cases": [{"conversation": [{"user_content": {}}]}]}'
    result = revised(source, lambda s: write_first_text(s, first_turn(s), "final_response", "Hi", "response"))
    added = ', "final_response": {"parts": [{"text": "Hi"}], "role": "model"}'
    assert result.text == source.replace("{}", "{}" + added)


@pytest.mark.parametrize(
    ("pointer", "label"),
    [
        ("/eval_cases/1", "delete case b"),
        ("/eval_cases/2", "delete case 3"),
        ("/eval_cases/0/conversation/0", "delete a › turn 1"),
    ],
)
def test_a_deleted_row_is_gone_and_nothing_else(pointer: str, label: str) -> None:
    value: Any = {"eval_id": "a", "conversation": [{"user_content": {}}]}
    source = json.dumps({"eval_cases": [value, {"eval_id": "b"}, {}]}, indent=2)

    def make(eval_set: CaseFile) -> Revision:
        return delete_rows(eval_set, [eval_set.root.at(pointer)])

    result = revised(source, make)
    holder, last = json.loads(source), pointer.rpartition("/")[2]
    expected = holder
    for token in pointer.split("/")[1:-1]:
        holder = holder[int(token) if isinstance(holder, list) else token]
    del holder[int(last) if isinstance(holder, list) else last]
    assert result.text == json.dumps(expected, indent=2)
    assert result.revision.label == label


def test_a_case_with_a_scenario_takes_no_turns() -> None:
    document = Document(b'{"eval_cases": [{"eval_id": "a", "conversation_scenario": {"starting_prompt": "Hi"}}]}')
    assert document.root is not None
    eval_set = CaseFile(document.root, EVAL_SET)
    with pytest.raises(EditError, match="both a scenario and turns"):
        add_turn(eval_set, eval_set.cases[0], None)


ORDER = ["eval_set_id", "name", "description", "eval_cases", "creation_timestamp"]


@pytest.mark.parametrize("added", [["name", "description"], ["description", "name"]])
def test_name_and_description_of_a_new_set_go_before_its_cases(added: list[str]) -> None:
    document = Document(before := new_eval_set("desk"))
    assert document.root is not None
    for name in added:
        document.apply([put(document.root, name, f"The {name}")], "add")
    document.apply([put(document.root, "creation_timestamp", 1.5)], "add")
    assert list(json.loads(document.to_bytes())) == ORDER
    lines = document.to_bytes().splitlines()
    assert lines[1:4] == [b'  "eval_set_id": "desk",', b'  "name": "The name",', b'  "description": "The description",']
    assert lines[4:-3] == before.splitlines()[2:-2]


def test_members_stand_relative_to_those_that_are_there() -> None:
    document = Document(b'{"eval_cases": [], "extra": 1, "eval_set_id": "x"}')
    assert document.root is not None
    document.apply([put(document.root, "description", "d")], "add")
    assert document.to_bytes() == b'{"description": "d", "eval_cases": [], "extra": 1, "eval_set_id": "x"}'

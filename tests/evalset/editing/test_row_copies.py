"""Clones and copies: where they go, which ids they get, and that nothing else changes."""

import json

import pytest

from evaltui.document.document import Document
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.call_views import expected_uses
from evaltui.evalset.case_file import CaseFile, turns_of
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.editing.pasted_rows import put_copies
from evaltui.evalset.editing.revision import Copy, Revision
from evaltui.evalset.editing.row_copies import clone_rows, copy_of
from tests.evalset.helpers import Revised, revised
from tests.tui.sets import SETS

TURN = {"invocation_id": "inv-1", "user_content": {"parts": [{"text": "hi"}]}}
UUID = "0b9e1b1c-63e3-4c44-a2d3-8a0d8f9ec1a7"


def cases(*values: object) -> str:
    return json.dumps({"eval_set_id": "s", "eval_cases": values}, indent=2)


def first_case(eval_set: CaseFile) -> Node:
    return eval_set.cases[0]


def turns(eval_set: CaseFile) -> list[Node]:
    return turns_of(eval_set.cases[0])


def calls(turn: Node) -> list[Node]:
    return [use.node for use in expected_uses(turn)]


@pytest.mark.parametrize("name", SETS)
def test_a_cloned_case_is_the_same_text_but_for_its_id(name: str) -> None:
    after = revised(SETS[name], lambda s: clone_rows(s, [first_case(s)]))
    before = SETS[name]
    root = Document(before.encode()).root
    assert root is not None
    source = CaseFile(root, EVAL_SET).cases[0].source().decode()
    copied = source.replace("rain_in_bergen", "rain_in_bergen_2")
    assert after.text == before.replace(source, f"{source},\n    {copied}")
    assert after.revision.label == "clone rain_in_bergen"
    assert "rain_in_bergen_2" in after.revision.remark


def test_ids_go_on_counting_and_skip_those_that_are_taken() -> None:
    source = cases({"eval_id": "c_1"}, {"eval_id": "c_2"}, {"eval_id": "c_4"})
    after = revised(source, lambda s: clone_rows(s, s.cases[:2]))
    assert [case["eval_id"] for case in after.value["eval_cases"]] == ["c_1", "c_2", "c_3", "c_5", "c_4"]


def test_ids_that_are_alone_in_the_world_are_made_anew() -> None:
    after = revised(
        cases({"eval_id": "a", "conversation": [{**TURN, "invocation_id": UUID}]}), lambda s: clone_rows(s, s.cases)
    )
    ids = [case["conversation"][0]["invocation_id"] for case in after.value["eval_cases"]]
    assert ids[0] == UUID
    assert ids[1] != UUID
    assert len(ids[1]) == len(UUID)


def test_the_turns_of_a_cloned_case_get_ids_that_are_unique_in_the_set() -> None:
    other = {**TURN, "invocation_id": "inv-2"}
    source = cases({"eval_id": "a", "conversation": [TURN, other]}, {"eval_id": "b", "conversation": []})
    after = revised(source, lambda s: clone_rows(s, s.cases[:1]))
    ids = [[turn["invocation_id"] for turn in case["conversation"]] for case in after.value["eval_cases"]]
    assert ids == [["inv-1", "inv-2"], ["inv-3", "inv-4"], []]
    assert after.revision.remark == "duplicate id a renamed to a_2 and 2 more"


def test_cloned_turns_keep_their_ids_where_the_cases_of_the_set_share_ids() -> None:
    source = cases({"eval_id": "a", "conversation": [TURN]}, {"eval_id": "b", "conversation": [TURN]})
    after = revised(source, lambda s: clone_rows(s, s.cases[:1]))
    assert [case["conversation"][0]["invocation_id"] for case in after.value["eval_cases"]] == ["inv-1"] * 3


def test_a_pasted_turn_gets_another_id_if_another_case_has_its_id() -> None:
    other = {**TURN, "invocation_id": "inv-2"}
    source = cases({"eval_id": "a", "conversation": [TURN]}, {"eval_id": "b", "conversation": [other]})
    after = placed(source, "turn", json.dumps(other), "/eval_cases/0")
    assert [turn["invocation_id"] for turn in after.value["eval_cases"][0]["conversation"]] == ["inv-1", "inv-3"]
    assert after.revision.remark == "duplicate id inv-2 renamed to inv-3"


def test_a_cloned_turn_has_ids_of_its_own_and_its_calls_stay_paired() -> None:
    after = revised(SETS["snake"], lambda s: clone_rows(s, turns(s)[:1]))
    first, copied, _ = after.value["eval_cases"][0]["conversation"]
    assert copied["invocation_id"] == "turn-3"
    data = copied["intermediate_data"]
    ids = [call["id"] for call in data["tool_uses"]]
    assert set(ids).isdisjoint(call["id"] for call in first["intermediate_data"]["tool_uses"])
    assert len(set(ids)) == 2
    assert [answer["id"] for answer in data["tool_responses"]] == ids[:1]


@pytest.mark.parametrize("name", SETS)
def test_a_cloned_call_takes_its_response_along_in_either_shape(name: str) -> None:
    root = Document(SETS[name].encode()).root
    assert root is not None
    after = revised(SETS[name], lambda s: clone_rows(s, calls(turns(s)[0])[:1]))
    again = CaseFile(Document(after.text.encode()).root, EVAL_SET)  # type: ignore[arg-type]
    uses = expected_uses(turns(again)[0])
    assert [use.name for use in uses] == ["get_weather", "get_weather", "find_umbrella"]
    assert [use.id for use in uses] == ["call-1", "call-3", "call-2"]
    assert [use.response is not None for use in uses] == [True, True, False]
    assert b"12.50" in uses[1].response.source()  # type: ignore[union-attr]


# --- placing -------------------------------------------------------------------------------------------------


def placed(source: str, kind: str, value: str, at: str, before: bool = False, response: str | None = None) -> Revised:
    copy = Copy(kind, value.encode(), response=response.encode() if response else None)
    return revised(source, lambda s: put_copies(s, [copy], s.root.at(at), before))


def test_a_case_goes_behind_or_before_the_case_one_is_in() -> None:
    source = cases({"eval_id": "a", "conversation": [TURN]}, {"eval_id": "b"})
    for before, ids in [(False, ["a", "new", "b"]), (True, ["new", "a", "b"])]:
        after = placed(source, "case", '{"eval_id": "new"}', "/eval_cases/0/conversation/0", before)
        assert [case["eval_id"] for case in after.value["eval_cases"]] == ids


def test_a_turn_goes_to_the_end_of_a_selected_case_and_behind_a_selected_turn() -> None:
    source = cases({"eval_id": "a", "conversation": [TURN, {**TURN, "invocation_id": "inv-2"}]})
    for at, place_of_new in [("/eval_cases/0", 2), ("/eval_cases/0/conversation/0", 1)]:
        after = placed(source, "turn", '{"invocation_id": "x"}', at)
        ids = [turn["invocation_id"] for turn in after.value["eval_cases"][0]["conversation"]]
        assert ids[place_of_new] == "x"


def test_a_turn_makes_the_list_of_turns_where_there_is_none() -> None:
    for case in ({"eval_id": "a"}, {"eval_id": "a", "conversation": None}):
        after = placed(cases(case), "turn", '{"invocation_id": "x"}', "/eval_cases/0")
        assert after.value["eval_cases"][0]["conversation"] == [{"invocation_id": "x"}]


def test_a_case_with_a_scenario_takes_no_turn() -> None:
    case = {"eval_id": "a", "conversation_scenario": {"starting_prompt": "hi"}}
    with pytest.raises(EditError, match="both a scenario and turns"):
        placed(cases(case), "turn", '{"invocation_id": "x"}', "/eval_cases/0")


def test_a_call_makes_the_lists_it_needs() -> None:
    for data in ({}, {"intermediate_data": None}, {"intermediate_data": {"tool_uses": None}}):
        source = cases({"eval_id": "a", "conversation": [{**TURN, **data}]})
        after = placed(
            source,
            "call",
            '{"name": "f", "args": {"n": 1e3}}',
            "/eval_cases/0/conversation/0",
            response='{"name": "f"}',
        )
        turn = after.value["eval_cases"][0]["conversation"][0]
        assert turn["intermediate_data"] == {
            "tool_uses": [{"name": "f", "args": {"n": 1000.0}}],
            "tool_responses": [{"name": "f"}],
        }
        assert "1e3" in after.text


def test_a_call_without_a_case_or_a_turn_to_go_to_is_refused() -> None:
    with pytest.raises(EditError, match="belong in a case"):
        placed(cases({"eval_id": "a"}), "call", '{"name": "f"}', "")
    with pytest.raises(EditError, match="belong in a turn"):
        placed(cases({"eval_id": "a"}), "call", '{"name": "f"}', "/eval_cases/0")


def test_copies_know_what_they_are() -> None:
    root = Document(SETS["snake_events"].encode()).root
    assert root is not None
    eval_set = CaseFile(root, EVAL_SET)
    assert copy_of(eval_set, eval_set.cases[0]).kind == "case"
    call = copy_of(eval_set, calls(turns(eval_set)[0])[0])
    assert (call.kind, call.author, call.response is not None) == ("call", "agent", True)


@pytest.mark.parametrize("name", SETS)
def test_what_comes_from_elsewhere_gets_its_keys_spelt_as_those_around_it(name: str) -> None:
    others = {"snake": "camel", "camel": "snake"}
    spelt = {
        "snake": {"eval_id": "new", "conversation": [{"user_content": {"parts": []}, "final_response": None}]},
        "camel": {"evalId": "new", "conversation": [{"userContent": {"parts": []}, "finalResponse": None}]},
    }
    free = {"session_input": {"app_name": "a", "state": {"user_id": 1, "fileUri": 2}}}
    here = "camel" if '"evalId"' in SETS[name] else "snake"
    copy = Copy("case", json.dumps({**spelt[others[here]], **free}).encode())
    after = revised(SETS[name], lambda s: put_copies(s, [copy], first_case(s), is_before=False, from_elsewhere=True))
    case = json.loads(after.text)["eval_cases"][1]
    assert {key: case[key] for key in spelt[here]} == spelt[here]
    state = (case.get("sessionInput") or case["session_input"])["state"]
    assert state == {"user_id": 1, "fileUri": 2}


def test_a_call_pasted_before_the_first_event_is_laid_out_like_the_calls_beside_it() -> None:
    call = '{"function_call": {"id": "c1", "name": "search", "args": {}}}'
    event = (
        '{\n      "author": "agent",\n      "content": {\n'
        f'        "parts": [\n          {{"text": "Looking."}},\n          {call}\n        ],\n'
        '        "role": "model"\n      }\n    }'
    )
    spread = call.replace("c1", "c3").replace('{"id"', '{\n      "id"').replace("}}}", "}\n    }\n  }")
    later = event.replace('{"text": "Looking."},\n          ', "").replace(call, spread)
    event = f"{event},\n    {later}"
    turn = '{"user_content": {"parts": [{"text": "hi"}]}, "intermediate_data": {"invocation_events": [\n    %s\n  ]}}'
    source = '{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [\n  %s\n]}]}\n' % (turn % event)

    def paste(eval_set: CaseFile) -> Revision:
        node, _ = calls(turns(eval_set)[0])
        copy = copy_of(eval_set, node)
        return put_copies(eval_set, [copy], node, is_before=True)

    lines = [line.strip() for line in revised(source, paste).text.splitlines()]
    assert call.replace("c1", "c2") in lines


def test_a_pasted_case_with_an_empty_id_keeps_it() -> None:
    source = cases({"eval_id": "", "conversation": [TURN]})
    copies = [Copy("case", b'{"eval_id": "", "conversation": []}')]
    after = revised(source, lambda s: put_copies(s, copies, first_case(s), is_before=False))
    assert [case["eval_id"] for case in after.value["eval_cases"]] == ["", ""]

"""The patches of a review do what accepting does, alone and together in any order."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.document.errors import EditError
from evaltui.document.patch import apply_patch, read_patch
from evaltui.review.acceptance import Accepted
from evaltui.review.set_review import Operations, SetPatches, SetReview
from tests.review.reviews import accepted, calls, eval_set, items, items_of, scored, turns
from tests.review.test_acceptance_properties import styles

sets = st.lists(st.lists(turns, min_size=1, max_size=3), min_size=1, max_size=3)


def patched(data: bytes, *patches: Operations | None) -> bytes:
    document = Document(data)
    for patch in patches:
        assert patch is not None
        apply_patch(document, read_patch(json.dumps(patch).encode()))
    return document.to_bytes()


def accepted_apart(data: bytes, chosen: list[Accepted]) -> bytes:
    """The set once the edits of `SetPatches`, which the command does, are done."""
    document = Document(data)
    edits = SetPatches(document).edits(chosen)
    assert document.to_bytes() == data
    document.apply(edits, "accept")
    return document.to_bytes()


@given(sets, sets, styles, styles, st.randoms())
def test_patches_of_items_compose_in_any_order_to_what_accepting_all_gives(
    expected: list[Any], actual: list[Any], style: dict[str, Any], other: dict[str, Any], random: Any
) -> None:
    ours, theirs = eval_set(expected, **style), eval_set(actual, **other)
    found = items(ours, theirs, passing=True)
    patches = SetPatches(Document(ours))
    shuffled = random.sample(found, len(found))
    after = patched(ours, *(patches.of_item(item)[0] for item in shuffled))
    in_one_step = accepted_apart(ours, [(item, item.changes) for item in found])
    assert json.loads(after) == json.loads(in_one_step)


@given(st.lists(turns, min_size=1, max_size=3), st.lists(turns, min_size=1, max_size=3), styles, styles)
def test_the_patch_of_a_change_does_what_accepting_it_alone_does(
    expected: list[Any], actual: list[Any], style: dict[str, Any], other: dict[str, Any]
) -> None:
    ours, theirs = eval_set([expected], **style), eval_set([actual], **other)
    patches = SetPatches(Document(ours))
    for item in items(ours, theirs, passing=True):
        alone = patches.of_item(item)[1]
        for change in item.changes:
            assert json.loads(patched(ours, alone[change.id])) == json.loads(accepted(ours, [(item, [change])]))


@given(sets, sets)
def test_every_id_leads_to_its_change_and_none_stands_twice(expected: list[Any], actual: list[Any]) -> None:
    ours, theirs = eval_set(expected), eval_set(actual)
    review = SetReview(scored(ours, theirs), passing=True)
    every = [(item, change) for item in review.items for change in item.changes]
    ids = [review.id_of(item, change) for item, change in every]
    assert len(set(ids)) == len(ids)
    for identifier, (item, change) in zip(ids, every, strict=True):
        found = review.change(identifier)
        assert found is not None
        assert (found[0].case.number, found[0].turn, found[1]) == (item.case.number, item.turn, change)


def turn(*made: dict[str, Any], response: str = "Done") -> dict[str, Any]:
    return {"user": "Hello", "calls": list(made), "response": response}


def call(name: str = "search", args: Any = None) -> dict[str, Any]:
    return {"name": name, "args": args, "response": None}


def test_cases_of_one_eval_id_have_ids_of_their_own() -> None:
    users = ("Hello", "Book it", "And back")
    ours, theirs = (eval_set([[{**turn(call(args={"n": n})), "user": user}] for user in users]) for n in (1, 2))
    ours, theirs = re.sub(rb"case_\d", b"same", ours), theirs.replace(b"case_", b"recorded_")
    review = SetReview(scored(ours, theirs))
    ids = [review.id_of(item, change) for item in review.items for change in item.changes]
    assert [each.partition("~")[2] for each in ids] == ["1", "2", "3"]
    assert len({each.partition("~")[0] for each in ids}) == 1
    assert [found[0].case.number for each in ids if (found := review.change(each))] == [0, 1, 2]
    after = SetReview(scored(accepted(ours, [(review.items[0], review.items[0].changes)]), theirs))
    assert after.change(ids[0]) is None, "what was accepted is nothing that another case could accept"


def test_values_that_json_patch_cannot_hold_have_no_patch_and_are_accepted_all_the_same() -> None:
    ours = eval_set([[turn(call(args={"n": 1, "m": 1}))]])
    theirs = eval_set([[turn(call(args={"n": float("nan"), "m": 2}))]])
    (item,) = items(ours, theirs)
    together, alone = SetPatches(Document(ours)).of_item(item)
    assert together is None
    assert [patch is None for patch in alone.values()] == [True, False]
    assert b"NaN" in accepted(ours, [(item, item.changes)])


def test_hundreds_of_calls_that_move_in_one_turn_have_no_patch_and_are_accepted_one_by_one_only() -> None:
    made = [call(args={"n": number}) for number in range(600)]
    ours, theirs = eval_set([[turn(*made)]]), eval_set([[turn(*reversed(made))]])
    (item,) = items(ours, theirs)
    together, alone = SetPatches(Document(ours)).of_item(item)
    assert together is None
    assert set(alone.values()) == {None}
    for accept in (accepted, accepted_apart):
        with pytest.raises(EditError, match="too many tool calls of one case are added, deleted or moved at once"):
            accept(ours, [(item, item.changes)])
        assert accept(ours, [(item, item.changes[:1])]) != ours


def test_a_call_that_gets_a_random_id_gets_the_same_one_each_time() -> None:
    identifier = b"adk-6f0d4f0e-6c5c-4c07-9d70-3c1f9d5b8a11"
    ours = eval_set([[turn(call())]]).replace(b"c0", identifier)
    theirs = eval_set([[turn(call(), call("book"), call("book"))]])
    (item,) = items(ours, theirs)
    made = [SetPatches(Document(ours)).of_item(item)[0] for _ in range(2)]
    assert made[0] == made[1]
    added = re.findall(r"adk-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}", json.dumps(made[0]))
    assert len(set(added)) == 2


def test_calls_that_come_in_two_turns_get_ids_of_their_own_whichever_is_accepted() -> None:
    ours = eval_set([[turn(call("search")), turn(call("search"))]])
    theirs = eval_set([[turn(call("search"), call("book"), call("mail")), turn(call("search"), call("book"))]])
    found = items(ours, theirs)
    after = json.loads(accepted_apart(ours, [(item, item.changes) for item in found]))
    uses = [use for each in after["eval_cases"][0]["conversation"] for use in each["intermediate_data"]["tool_uses"]]
    assert [(use["name"], use["id"]) for use in uses if use["name"] != "search"] == [
        ("book", "c1"),
        ("mail", "c2"),
        ("book", "c3"),
    ]


@given(st.text(min_size=1, max_size=8), calls)
def test_ids_are_words_that_no_terminal_acts_on(eval_id: str, made: dict[str, Any]) -> None:
    name = json.dumps(eval_id).encode()
    ours = eval_set([[turn()]]).replace(b'"case_1"', name)
    theirs = eval_set([[turn({**made, "name": eval_id})]]).replace(b'"case_1"', name)
    run = scored(ours, theirs)
    for change in (change for item in items_of(run, "differing") for change in item.changes):
        assert change.id.isprintable()
        assert not re.search(r"\s|^-|['\"\\]", change.id)


def test_the_patch_of_a_move_out_of_an_event_leaves_the_arguments_to_their_own_change() -> None:
    def event(*calls: tuple[str, dict[str, int]]) -> dict[str, Any]:
        parts = [{"function_call": {"id": f"c{n}", "name": name, "args": args}} for n, (name, args) in enumerate(calls)]
        return {"author": "root", "content": {"parts": parts, "role": "model"}}

    def set_of_events(*events: dict[str, Any]) -> bytes:
        said = {"parts": [{"text": "hi"}], "role": "user"}
        turn = {"user_content": said, "final_response": said, "intermediate_data": {"invocation_events": events}}
        return json.dumps({"eval_set_id": "s", "eval_cases": [{"eval_id": "c", "conversation": [turn]}]}).encode()

    ours = set_of_events(event(("f", {"a": 1}), ("g", {})))
    theirs = set_of_events(event(("g", {})), event(("f", {"a": 2})))
    (item,) = items(ours, theirs)
    alone = SetPatches(Document(ours)).of_item(item)[1]
    for change in item.changes:
        patched, patch = Document(ours), alone[change.id]
        assert patch is not None
        apply_patch(patched, read_patch(json.dumps(patch).encode()))
        assert json.loads(patched.to_bytes()) == json.loads(accepted(ours, [(item, [change])]))

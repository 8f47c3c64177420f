"""The three-way merge: what only one side changed is kept, what both changed is asked."""

import json
from typing import Any

import pytest

from evaltui.document import Document, DocumentError
from evaltui.evalset.merging import Merge, merge

Json = Any


def turn(name: str | None, text: str) -> Json:
    found: Json = {"invocation_id": name} if name is not None else {}
    return found | {"user_content": {"parts": [{"text": text}]}, "creation_timestamp": 1.50}


def case(name: str | None, *turns: Json, **more: Json) -> Json:
    found: Json = {"eval_id": name} if name is not None else {}
    return found | {"conversation": list(turns) or [turn("t1", f"hello {name}")], **more}


def written(*cases: Json, indent: int = 2, **more: Json) -> bytes:
    return json.dumps({"eval_set_id": "set", **more, "eval_cases": list(cases)}, indent=indent).encode()


def value(merged: Merge) -> Json:
    return json.loads(merged.document().to_bytes())


def cases(merged: Merge) -> list[str]:
    return [item["eval_id"] for item in value(merged)["eval_cases"]]


def whys(merged: Merge) -> list[tuple[str, str]]:
    return [(conflict.where, conflict.why) for conflict in merged.conflicts]


A, B, C = case("a"), case("b"), case("c")
BASE = written(A, B, C)
TEXT = "/eval_cases/0/conversation/0/user_content/parts/0/text"


def said(name: str, text: str) -> Json:
    return case(name, turn("t1", text))


def test_without_changes_of_mine_theirs_is_left_as_it_is() -> None:
    theirs = written(A, indent=7)
    assert merge(BASE, BASE, theirs).document().to_bytes() == theirs


def test_only_the_bytes_that_i_changed_differ_from_theirs() -> None:
    theirs = json.dumps({"eval_set_id": "set", "eval_cases": [A, B, said("c", "theirs")]}, indent="\t").encode()
    merged = merge(BASE, written(said("a", "mine"), B, C), theirs)
    assert merged.document().to_bytes() == theirs.replace(b"hello a", b"mine")
    assert not merged.conflicts


def test_two_fields_of_one_turn_are_merged() -> None:
    mine = written(case("a", turn("t1", "mine")), B, C)
    theirs = written(case("a", turn("t1", "hello a") | {"creation_timestamp": 2}), B, C)
    assert value(merge(BASE, mine, theirs))["eval_cases"][0] == case(
        "a", turn("t1", "mine") | {"creation_timestamp": 2}
    )


def test_added_deleted_and_moved_cases_of_both_sides_come_together() -> None:
    mine, theirs = written(A, C, case("mine"), B), written(case("theirs"), A, B, said("c", "new"))
    merged = merge(BASE, mine, theirs)
    assert cases(merged) == ["theirs", "a", "c", "mine", "b"]
    assert not merged.conflicts
    assert cases(merge(BASE, written(B, C), written(A, B))) == ["b"]


@pytest.mark.parametrize("choice", ["mine", "theirs", "base", "both", b'"by hand"'])
def test_a_text_that_both_changed_is_asked(choice: Any) -> None:
    mine, theirs = written(said("a", "mine"), B, C), written(said("a", "theirs"), B, C)
    merged = merge(BASE, mine, theirs)
    assert whys(merged) == [("a › turn 1 › user_content › parts › 0 › text", "changed on both sides")]
    assert merged.document().to_bytes() == theirs
    decided = merge(BASE, mine, theirs, {merged.conflicts[0].place: choice})
    expected = {"mine": "mine", "theirs": "theirs", "base": "hello a", "both": "theirs\nmine"}
    text = expected.get(choice, "by hand") if isinstance(choice, str) else "by hand"
    assert decided.document().to_bytes() == theirs.replace(b'"theirs"', json.dumps(text).encode())
    assert not decided.conflicts


def test_the_same_change_on_both_sides_is_no_conflict() -> None:
    both = written(said("a", "same"), B)
    assert merge(BASE, both, both).document().to_bytes() == both


def test_deleted_here_and_changed_there_is_asked() -> None:
    mine, theirs = written(A, C), written(A, said("b", "theirs"), C)
    merged = merge(BASE, mine, theirs)
    assert whys(merged) == [("b", "deleted or renamed here, changed on disk")]
    assert cases(merge(BASE, mine, theirs, {merged.conflicts[0].place: "mine"})) == ["a", "c"]


def test_changed_here_and_deleted_there_is_asked() -> None:
    mine, theirs = written(A, said("b", "mine"), C), written(A, C)
    merged = merge(BASE, mine, theirs)
    assert whys(merged) == [("b", "changed here, deleted or renamed on disk")]
    decided = merge(BASE, mine, theirs, {merged.conflicts[0].place: "mine"})
    assert decided.document().to_bytes() == mine


def test_one_id_added_on_both_sides_is_asked_as_a_whole() -> None:
    merged = merge(BASE, written(A, B, C, said("d", "1")), written(A, B, C, said("d", "2")))
    assert whys(merged) == [("d", "added on both sides, with different content")]


def test_a_case_renamed_here_keeps_its_place_and_layout() -> None:
    theirs = written(A, B, said("c", "theirs"), indent=4)
    merged = merge(BASE, BASE.replace(b'"b"', b'"renamed"'), theirs)
    assert merged.document().to_bytes() == theirs.replace(b'"b"', b'"renamed"')


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [((said("new", "x"),), (said("a", "y"),)), ((said("a", "x"),), (said("new", "y"),))],
    ids=["here", "there"],
)
def test_a_case_renamed_on_one_side_and_changed_on_the_other_is_asked(mine: Any, theirs: Any) -> None:
    assert len(merge(BASE, written(*mine, B, C), written(*theirs, B, C)).conflicts) == 1


@pytest.mark.parametrize("name", [None, "twice"], ids=["absent", "repeated"])
def test_cases_that_cannot_be_told_apart_are_asked(name: str | None) -> None:
    one, other = case(name, turn("t1", "one")), case(name, turn("t1", "other"))
    base = written(one, other)
    mine, theirs = written(case(name, turn("t1", "mine")), other), written(one, case(name, turn("t1", "theirs")))
    merged = merge(base, mine, theirs)
    (conflict,) = merged.conflicts
    assert "cannot be told apart by their eval_id" in conflict.why
    assert conflict.both is not None
    decided = merge(base, mine, theirs, {conflict.place: "mine"})
    assert json.loads(decided.document().to_bytes()) == json.loads(mine)


def test_turns_without_ids_are_asked_and_their_cases_are_not() -> None:
    base = written(case("a", turn(None, "1"), turn(None, "2")), B)
    mine = written(case("a", turn(None, "1"), turn(None, "mine")), B)
    theirs = written(case("a", turn(None, "theirs"), turn(None, "2")), said("b", "theirs"))
    assert [conflict.where for conflict in merge(base, mine, theirs).conflicts] == ["a › conversation"]


def test_cases_that_one_side_left_alone_need_no_ids() -> None:
    base = written(case(None, turn("t1", "one")), case(None, turn("t1", "two")), C)
    mine = base.replace(b"one", b"mine")
    theirs = base.replace(b"hello c", b"theirs")
    assert merge(base, mine, theirs).document().to_bytes() == theirs.replace(b"one", b"mine")


def test_two_other_orders_are_asked() -> None:
    mine, theirs = written(C, B, A), written(B, A, C)
    merged = merge(BASE, mine, theirs)
    assert [conflict.is_order for conflict in merged.conflicts] == [True]
    assert cases(merge(BASE, mine, theirs, {merged.conflicts[0].place: "mine"})) == ["c", "b", "a"]


def test_without_a_common_version_what_both_have_is_compared() -> None:
    merged = merge(None, written(A, B), written(A, C))
    assert sorted(cases(merged)) == ["a", "b", "c"]
    assert not merged.conflicts
    assert whys(merge(None, written(A), written(said("a", "x"))))


def test_a_root_of_another_kind_is_asked() -> None:
    merged = merge(BASE, written(said("a", "mine"), B, C), b"[1]")
    assert whys(merged) == [("the whole file", "changed on both sides")]
    mine = merge(BASE, BASE.replace(b"hello a", b"mine"), b"[1]", {"": "mine"})
    assert json.loads(mine.document().to_bytes()) == json.loads(BASE.replace(b"hello a", b"mine"))


def test_double_keys_are_taken_as_a_whole() -> None:
    base, mine, theirs = b'{"a": 1, "a": 2, "b": 3}', b'{"a": 1, "a": 5, "b": 3}', b'{"a": 1, "a": 2, "b": 4}'
    assert len(merge(base, mine, theirs).conflicts) == 1
    assert json.loads(merge(base, mine, base).document().to_bytes()) == {"a": 5, "b": 3}


def test_what_is_not_json_cannot_be_merged() -> None:
    with pytest.raises(DocumentError, match="the disk is not JSON"):
        merge(BASE, BASE, b"<<<<<<< HEAD\n{}")


def test_deep_values_need_no_recursion() -> None:
    deep = b"[" * 5_000 + b"%d" + b"]" * 5_000
    base, mine, theirs = ((b'{"x": 1, "y": ' + deep + b"}") % n for n in (1, 2, 1))
    assert merge(base, mine, theirs.replace(b'"x": 1', b'"x": 3')).document().to_bytes() == mine.replace(
        b'"x": 1', b'"x": 3'
    )


def test_a_merge_tells_git_marks_from_other_faults() -> None:
    fault = Document(b'{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> x\n}').fault
    assert fault is not None
    assert "git has left conflict marks" in fault.message

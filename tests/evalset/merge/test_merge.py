"""The three-way merge: what only one side changed is kept, what both changed is asked."""

import json
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.evalset.merge.three_way import Conflict, reread
from tests.evalset.merge.merged import Merge, merge

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
    assert whys(merged) == [("a › turn 1 › user message", "changed on both sides")]
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
    assert "some eval_id values are missing or duplicate" in conflict.why
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


def test_what_is_not_json_is_a_fault_and_no_merge() -> None:
    assert str(reread(BASE, BASE, b"<<<<<<< HEAD\n{}", merging=True)).startswith("line 1: ")


def test_deep_values_need_no_recursion() -> None:
    deep = b"[" * 1_500 + b"%d" + b"]" * 1_500
    base, mine, theirs = ((b'{"x": 1, "y": ' + deep + b"}") % n for n in (1, 2, 1))
    assert merge(base, mine, theirs.replace(b'"x": 1', b'"x": 3')).document().to_bytes() == mine.replace(
        b'"x": 1', b'"x": 3'
    )


def test_a_merge_tells_git_marks_from_other_faults() -> None:
    fault = Document(b'{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> x\n}').fault
    assert fault is not None
    assert "git merge conflict" in fault.message


# --- what was renamed ------------------------------------------------------------------------------------------

A2 = case("a", turn("i1", "one two three"), turn("i2", "four five six"))
I1, I2 = A2["conversation"]


def named(item: Json, name: str | None) -> Json:
    """The item with another id, or with none."""
    key = "eval_id" if "eval_id" in item else "invocation_id"
    rest = {member: own for member, own in item.items() if member != key}
    return rest if name is None else {key: name, **rest}


def in_a(*turns: Json) -> tuple[Json, ...]:
    return case("a", *turns), B, C


def texts(merged: Merge) -> list[str]:
    """What all turns say, sorted: each stands in the set as often as here."""
    turns = [item for one in value(merged)["eval_cases"] for item in one["conversation"]]
    return sorted(item["user_content"]["parts"][0]["text"] for item in turns)


ONCE = sorted(["one two three", "four five six", "hello b", "hello c"])
RENAMED_TWICE = "id changed on both sides"


@pytest.mark.parametrize(
    ("mine", "theirs", "why"),
    [
        ((B, C), (named(A2, "new"), B, C), "deleted here, renamed on disk"),
        ((B, C), (B, named(A2, "new"), C), "deleted here, renamed on disk"),
        ((named(A2, "new"), B, C), (B, C), "changed here, deleted or renamed on disk"),
        ((B, C, named(A2, "new")), (B, C), "changed here, deleted or renamed on disk"),
        (in_a(I2), in_a(named(I1, "z"), I2), "deleted here, renamed on disk"),
        (in_a(I2), in_a(named(turn("i1", "else"), "z"), I2), "deleted here, renamed on disk"),
        (in_a(I2), in_a(named(I1, None), I2), "deleted here, renamed on disk"),
        ((named(A2, "x"), B, C), (named(A2, "y"), B, C), RENAMED_TWICE),
        ((B, C, named(A2, "x")), (named(A2, "y"), B, C), RENAMED_TWICE),
        ((named(A2, "x"), B, C), (B, C, named(A2, "y")), RENAMED_TWICE),
        (in_a(named(I1, None), I2), in_a(named(I1, "z"), I2), RENAMED_TWICE),
        (in_a(named(turn("i1", "mine"), None), I2), in_a(named(I1, "z"), I2), RENAMED_TWICE),
        (in_a(named(I1, "z"), I2), in_a(named(I1, None), I2), RENAMED_TWICE),
        (in_a(named(I1, None), I2), in_a(turn("i1", "theirs"), I2), "renamed here, changed on disk"),
        (in_a(turn("i1", "mine"), I2), in_a(named(I1, None), I2), "changed here, renamed on disk"),
        (in_a(turn("i1", "mine"), I2), in_a(I2, named(I1, "z")), "changed here, renamed on disk"),
    ],
)
def test_a_rename_against_something_else_is_asked_once(mine: Any, theirs: Any, why: str) -> None:
    base = written(A2, B, C)
    merged = merge(base, written(*mine), written(*theirs))
    assert [conflict.why for conflict in merged.conflicts] == [why]
    assert json.loads(merged.document().to_bytes())["eval_cases"][-1]["conversation"]
    place = merged.conflicts[0].place
    for choice, side in (("mine", mine), ("theirs", theirs)):
        decided = merge(base, written(*mine), written(*theirs), {place: choice})  # type: ignore[dict-item]
        assert not decided.conflicts
        assert texts(decided) == texts(merge(None, written(*side), written(*side)))
    assert texts(merged) == texts(merge(None, written(*theirs), written(*theirs)))


@pytest.mark.parametrize("name", ["new", None])
def test_the_same_rename_on_both_sides_is_no_conflict(name: str | None) -> None:
    both = written(*in_a(named(I1, name), I2))
    merged = merge(written(A2, B, C), both, both.replace(b"hello b", b"hi"))
    assert not merged.conflicts
    assert merged.document().to_bytes() == both.replace(b"hello b", b"hi")


def test_an_id_given_on_both_sides_is_asked() -> None:
    base = written(*in_a(named(I1, None), I2))
    merged = merge(base, written(*in_a(named(I1, "x"), I2)), written(*in_a(named(I1, "y"), I2)))
    assert [conflict.why for conflict in merged.conflicts] == [RENAMED_TWICE]
    assert texts(merged) == ONCE


def test_another_case_in_the_place_of_one_that_was_left_alone_is_no_question() -> None:
    theirs = written(said("x", "something else"), B, C)
    merged = merge(written(A2, B, C), written(A2, B, said("c", "mine")), theirs)
    assert merged.document().to_bytes() == theirs.replace(b"hello c", b"mine")
    assert not merged.conflicts


def test_what_all_cases_have_in_common_makes_none_of_them_a_renamed_one() -> None:
    def with_state(one: Json) -> Json:
        return one | {"session_input": {"app_name": "a long name of an agent", "user_id": "the same everywhere"}}

    a, b, c, new = (with_state(one) for one in (A, B, C, said("new", "nothing of the sort")))
    merged = merge(written(a, b, c), written(b, c, new), written(b, c))
    assert cases(merged) == ["b", "c", "new"]
    assert not merged.conflicts


# --- what was moved to another case ----------------------------------------------------------------------------


def spread(**turns: Json) -> bytes:
    """The cases a, b and c with the turns given for each."""
    start = {"a": [I2], "b": B["conversation"], "c": C["conversation"]}
    return written(*[case(name, *own, *turns.get(name, [])) for name, own in start.items()])


MOVED = "both sides deleted a turn; a new turn in another case may be the deleted turn"


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (spread(b=[I1]), spread(c=[I1])),
        (spread(b=[I1]), spread(c=[named(I1, "z")])),
        (spread(b=[I1]), spread()),
        (spread(), spread(c=[I1])),
        (spread(c=[named(I1, "y")]), spread(c=[named(I1, "z")])),
        (spread(c=[turn("y", "one two three") | {"note": "changed"}]), spread(b=[I1])),
        (written(case("a", I2), case("b", named(I1, "z")), C), written(case("a", I2), B, C)),
        (
            written(case("a", I2), B, C, case("x", I1, turn("n", "1"))),
            written(case("a", I2), B, case("y", I1)),
        ),
    ],
)
def test_a_turn_moved_to_another_case_against_something_else_is_asked(mine: bytes, theirs: bytes) -> None:
    base = written(A2, B, C)
    merged = merge(base, mine, theirs)
    assert whys(merged) == [("set › eval_cases", MOVED)]
    assert json.loads(merged.document().to_bytes()) == json.loads(theirs)
    place = merged.conflicts[0].place
    assert json.loads(merge(base, mine, theirs, {place: "mine"}).document().to_bytes()) == json.loads(mine)
    assert json.loads(merge(base, mine, theirs, {place: "theirs"}).document().to_bytes()) == json.loads(theirs)


def test_a_case_that_both_sides_renamed_edited_and_moved_is_asked() -> None:
    mine, theirs = (said(name, "hello a") | {"note": name} for name in "xy")
    merged = merge(BASE, written(B, C, mine), written(B, theirs, C))
    assert whys(merged) == [
        ("set › eval_cases", "both sides deleted an item; a new item may be the deleted item with a new eval_id")
    ]


def test_a_turn_moved_to_one_place_on_both_sides_or_on_one_side_is_no_conflict() -> None:
    moved = spread(b=[I1])
    base = written(A2, B, C)
    for mine, theirs in ((moved, moved), (moved, base), (base, moved)):
        merged = merge(base, mine, theirs)
        assert not merged.conflicts
        assert json.loads(merged.document().to_bytes()) == json.loads(moved)


@pytest.mark.parametrize("is_deleted_here", [True, False])
def test_the_summary_of_a_merge_counts_what_changed_in_the_open_text(is_deleted_here: bool) -> None:
    edited, deleted = written(said("a", "new"), B, C), written(B, C)
    mine, theirs = (deleted, edited) if is_deleted_here else (edited, deleted)
    (conflict,) = reread(BASE, mine, theirs, merging=True)
    assert isinstance(conflict, Conflict)
    summaries = [reread(BASE, mine, theirs, {conflict.place: choice}, merging=True)[1] for choice in ("mine", "theirs")]
    assert summaries == ["no cases changed", "1 case added" if is_deleted_here else "1 case deleted"]
    assert reread(BASE, mine, written(A, B, C, case("d")), merging=True)[1] == "1 case added"

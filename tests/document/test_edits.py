"""Edits: all or none, with the reason when none."""

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Edit, Insert, Move, Remove, Rename, Set, json_text
from evaltui.document.errors import EditError, PointerError
from tests.document.helpers import edited, labels_of, pointers_of, root_of

SOURCE = b'{"a": [1, 2], "b": {"c": null}, "d": 1, "d": 2}\n'

REFUSED: list[tuple[Edit, type[Exception], str]] = [
    (Set("/x", b"1"), PointerError, 'there is no "x"'),
    (Set("x", b"1"), PointerError, "does not begin with /"),
    (Set("/d", b"1"), PointerError, 'the key "d" 2 times'),
    (Set("/a", b"[1,]"), EditError, "invalid JSON: extra comma"),
    (Set("/a", b""), EditError, "invalid JSON"),
    (Set("/a", b"1 2"), EditError, "unexpected text after the end of the JSON"),
    (Insert("", b"1"), PointerError, "no container"),
    (Insert("/a/3", b"1"), EditError, "the list has only 2 items"),
    (Insert("/a/x", b"1"), PointerError, '"x" is not a list index'),
    (Insert("/a/0/0", b"1"), EditError, "a number cannot contain other values"),
    (Insert("/b/c", b"1"), EditError, 'the key "c" already exists'),
    (Insert("/d", b"1"), EditError, 'the key "d" already exists'),
    (Remove(""), EditError, "the whole document cannot be deleted"),
    (Remove("/a/-"), PointerError, '"-" is not a list index'),
    (Remove("/a/2"), PointerError, "there is no item 2; the list has length 2"),
    (Move("/a", "/a/0"), EditError, "/a cannot move into itself"),
    (Move("", "/a"), EditError, "the whole document cannot move into itself"),
    (Move("/a/0", ""), PointerError, "no container"),
    (Move("/a/0", "/a/2"), EditError, "the list has only 1 item"),
    (Move("/a/0", "/a/1/x"), PointerError, "there is no item 1"),
    (Rename("/a/0", "x"), EditError, "only a value in an object has a key"),
    (Rename("", "x"), EditError, "only a value in an object has a key"),
    (Rename("/a", "b"), EditError, 'the key "b" already exists'),
]


@pytest.mark.parametrize(("edit", "kind", "sentence"), REFUSED, ids=[repr(edit) for edit, _, _ in REFUSED])
def test_an_edit_that_cannot_be_done_says_why_and_leaves_everything(
    edit: Edit, kind: type[Exception], sentence: str
) -> None:
    document = Document(SOURCE)
    with pytest.raises(kind, match=sentence):
        document.apply([Set("/b/c", b"5"), Remove("/a/0"), Insert("/a/0", b"0"), edit], "several")
    assert document.to_bytes() == SOURCE
    assert (document.is_dirty, document.undo(), document.history.point()) == (False, None, None)


def test_a_refused_step_leaves_what_undo_and_redo_know() -> None:
    document = Document(b"[1]")
    document.apply([Set("/0", b"2")], "two")
    document.apply([Set("/0", b"3")], "three")
    document.undo()
    with pytest.raises(PointerError):
        document.apply([Set("/0", b"4"), Set("/9", b"4")], "nine")
    assert labels_of(document.history) == ("two", "three")
    document.redo()
    assert document.to_bytes() == b"[3]"


def test_a_file_that_is_not_json_is_not_edited() -> None:
    with pytest.raises(EditError, match="not valid JSON"):
        Document(b"{").apply([Set("", b"1")], "set")


@pytest.mark.parametrize(
    ("edits", "result"),
    [
        ([Set("/a/1", b"2.50")], b'{"a": [1, 2.50], "b": {"c": null}, "d": 1, "d": 2}\n'),
        ([Set("/b/c", b' "x" ')], b'{"a": [1, 2], "b": {"c": "x"}, "d": 1, "d": 2}\n'),
        ([Insert("/a/0", b"0")], b'{"a": [0, 1, 2], "b": {"c": null}, "d": 1, "d": 2}\n'),
        ([Insert("/a/2", b"3")], b'{"a": [1, 2, 3], "b": {"c": null}, "d": 1, "d": 2}\n'),
        ([Insert("/b/", b"0")], b'{"a": [1, 2], "b": {"c": null, "": 0}, "d": 1, "d": 2}\n'),
        ([Remove("/b")], b'{"a": [1, 2], "d": 1, "d": 2}\n'),
        ([Move("/a/0", "/a/1")], b'{"a": [2, 1], "b": {"c": null}, "d": 1, "d": 2}\n'),
        ([Move("/a/0", "/a/0")], SOURCE),
        ([Move("/a", "/b/c")], b'{"b": {"c": [1, 2]}, "d": 1, "d": 2}\n'),
        ([Rename("/b", "B/")], b'{"a": [1, 2], "B/": {"c": null}, "d": 1, "d": 2}\n'),
        ([Rename("/b", "b")], SOURCE),
        ([Remove("/a/0"), Remove("/a/0"), Insert("/a/-", b"9")], b'{"a": [9], "b": {"c": null}, "d": 1, "d": 2}\n'),
        ([], SOURCE),
    ],
)
def test_edits_are_done_in_order(edits: list[Edit], result: bytes) -> None:
    assert edited(SOURCE, *edits) == result


def test_a_renamed_key_keeps_the_spelling_of_what_it_shares() -> None:
    assert edited(rb'{"caf\u00e9s" :1}', Rename("/cafés", "café")) == rb'{"caf\u00e9" :1}'


def test_a_change_says_what_to_show_anew() -> None:
    document = Document(b'{"a": [1, 2], "b": 3}')
    root = root_of(document)
    number, array = root.at("/b"), root.at("/a")
    change = document.apply([Set("/b", b"4"), Insert("/a/0", b"0")], "both")
    assert (change.label, change.nodes, change.structural) == ("both", (number, array), True)
    assert pointers_of(change) == ("/b", "/a")
    assert not document.apply([Set("/b", b"5")], "one").structural
    undone = document.undo()
    assert undone is not None
    assert (undone.label, pointers_of(undone), undone.structural) == ("one", ("/b",), False)


def test_a_change_knows_what_came() -> None:
    document = Document(b"[[], 1]")
    change = document.apply([Insert("/0/0", b'"a"'), Insert("/0/0", b'"b"'), Insert("/2", b"2"), Remove("/1")], "many")
    assert [node.source() for node in change.added] == [b'"a"', b'"b"', b"2"]
    undone = document.undo()
    assert undone is not None
    assert [node.source() for node in undone.added] == [b"1"]


@pytest.mark.parametrize("source", [b"[[ ], 1]", b"[[\n\n  ], 1]", b"[[], 1]"])
def test_what_comes_into_an_empty_container_and_goes_again_leaves_its_blanks(source: bytes) -> None:
    there_and_back = [Insert("/0/0", b"1"), Insert("/0/0", b"2"), Remove("/0/1"), Remove("/0/0")]
    assert edited(source, *there_and_back) == source
    assert edited(source, Insert("/0/0", b"1"), Move("/0/0", "/1"), Remove("/1")) == source


def test_what_comes_into_an_empty_container_does_not_stand_among_its_blanks() -> None:
    assert edited(b"[[ ], 1]", Insert("/0/0", b"1")) == b"[[1], 1]"


def test_an_empty_step_is_no_step() -> None:
    document = Document(b"[]")
    document.apply([], "nothing")
    assert (document.is_dirty, document.history.point()) == (False, None)


@pytest.mark.parametrize(
    ("value", "text"),
    [("é\ud800", '"é\\ud800"'), ({"a": [1, None, True]}, '{"a": [1, null, true]}'), (1.5, "1.5"), ("", '""')],
)
def test_python_values_become_json_text(value: object, text: str) -> None:
    assert json_text(value) == text.encode()

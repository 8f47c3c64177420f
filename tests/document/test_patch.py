"""JSON Patch: RFC 6902's own examples, the well-known edge cases, the bytes that stay, and one step of undo."""

import json
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Set
from evaltui.document.patch import PatchError, apply_patch, read_patch
from tests.document.helpers import labels_of, patched, pointers_of, undo_all
from tests.document.operations import add, copy, holds, move, remove, replace

RFC = {
    "A.1 adding a member": ('{"foo": "bar"}', [add("/baz", "qux")], '{"foo": "bar", "baz": "qux"}'),
    "A.2 adding an item": ('{"foo": ["bar", "baz"]}', [add("/foo/1", "qux")], '{"foo": ["bar", "qux", "baz"]}'),
    "A.3 removing a member": ('{"baz": "qux", "foo": "bar"}', [remove("/baz")], '{"foo": "bar"}'),
    "A.4 removing an item": ('{"foo": ["bar", "qux", "baz"]}', [remove("/foo/1")], '{"foo": ["bar", "baz"]}'),
    "A.5 replacing a value": ('{"baz": "qux", "foo": "bar"}', [replace("/baz", "boo")], '{"baz": "boo", "foo": "bar"}'),
    "A.6 moving a value": (
        '{"foo": {"bar": "baz", "waldo": "fred"}, "qux": {"corge": "grault"}}',
        [move("/foo/waldo", "/qux/thud")],
        '{"foo": {"bar": "baz"}, "qux": {"corge": "grault", "thud": "fred"}}',
    ),
    "A.7 moving an item": (
        '{"foo": ["all", "grass", "cows", "eat"]}',
        [move("/foo/1", "/foo/3")],
        '{"foo": ["all", "cows", "eat", "grass"]}',
    ),
    "A.8 testing": ('{"baz": "qux", "foo": ["a", 2, "c"]}', [holds("/baz", "qux"), holds("/foo/1", 2)], None),
    "A.10 adding nested": ('{"foo": "bar"}', [add("/child", {"g": {}})], '{"foo": "bar", "child": {"g": {}}}'),
    "A.11 unknown members": ('{"foo": "bar"}', [{**add("/baz", "q"), "xyz": 123}], '{"foo": "bar", "baz": "q"}'),
    "A.14 escapes": ('{"/": 9, "~1": 10}', [holds("/~01", 10)], None),
    "A.16 adding an array": ('{"foo": ["bar"]}', [add("/foo/-", ["abc", "def"])], '{"foo": ["bar", ["abc", "def"]]}'),
}
EDGES = {
    "add replaces a member": ('{"a": 1, "b": 2}', [add("/a", 3)], '{"a": 3, "b": 2}'),
    "add replaces the whole": ('{"a": 1}', [add("", [1])], "[1]"),
    "add null": ('{"a": 1}', [add("/b", None)], '{"a": 1, "b": null}'),
    "add under an empty name": ('{"a": 1}', [add("/", 2)], '{"a": 1, "": 2}'),
    "add at the end by number": ("[1]", [add("/1", 2)], "[1, 2]"),
    "a name that looks like an index": ('{"0": 1, "-": 2}', [replace("/0", 3), remove("/-")], '{"0": 3}'),
    "replace the whole": ("[1]", [replace("", {"a": []})], '{"a": []}'),
    "replace by an equal value": ('{"a": 1.0, "b": "\\u0061"}', [replace("/a", 1), replace("/b", "a")], None),
    "replace a container": (
        '{"a": {"x" :1e0, "y": [1 , 2], "z": 0}}',
        [replace("/a", {"x": 1, "y": [1, 3], "n": 4})],
        '{"a": {"x" :1e0, "y": [1 , 3], "n" :4}}',
    ),
    "move renames in place": ('{"a": 1.0, "b": 2}', [move("/a", "/c")], '{"c": 1.0, "b": 2}'),
    "move to itself": ('{"a": 1}', [move("/a", "/a")], None),
    "move over a member": ('{"a": {"x":1.0}, "b": 2}', [move("/a", "/b")], '{"b": {"x":1.0}}'),
    "move to the top": ('{"a": [1.0 ,"\\u00e9"], "b": "é"}', [move("/a", "")], '[1.0 ,"\\u00e9"]'),
    "move to the end": ("[1, 2, 3]", [move("/0", "/-")], "[2, 3, 1]"),
    "move an item into another": ("[[1], [2]]", [move("/1", "/0/0")], "[[[2], 1]]"),
    "copy keeps the spelling": ('{"a": [1e0 ,"\\/"]}', [copy("/a", "/b")], '{"a": [1e0 ,"\\/"], "b": [1e0 ,"\\/"]}'),
    "copy over a member": ('{"a": "\\u00e9", "b": "é"}', [copy("/a", "/b")], None),
    "copy over another": ('{"a": ["\\/"], "b": "/"}', [copy("/a", "/b")], '{"a": ["\\/"], "b": ["\\/"]}'),
    "copy into itself": ('{"a": {"x": 1}}', [copy("/a", "/a/y")], '{"a": {"x": 1, "y": {"x": 1}}}'),
    "copy to the top": ('{"a": {"x":1}}', [copy("/a", "")], '{"x":1}'),
    "remove and add the whole": ('{"a": 1}', [remove(""), add("", {"b": 1})], '{"b": 1}'),
    "test the whole": ('{"a": 1}', [holds("", {"a": 1.0})], None),
    "test whatever the order": ('{"a": {"x": 1, "y": [null]}}', [holds("/a", {"y": [None], "x": 1})], None),
    "no operation": ("[ 1 ,2]\n", [], None),
    "beside a duplicate": ('{"d": 1, "d": 2, "a": 0}', [replace("/a", 1)], '{"d": 1, "d": 2, "a": 1}'),
    "a test, then a change": ("[1]", [holds("/0", 1), add("/-", 2), holds("/1", 2)], "[1, 2]"),
    "raw and escaped pointers": ('{"é": 1, "a\\/b": 2}', [remove("/é"), replace("/a~1b", 4)], '{"a\\/b": 4}'),
    "constants beside": ('{"a": NaN, "b": 1}', [replace("/b", 2), copy("/a", "/c")], '{"a": NaN, "b": 2, "c": NaN}'),
}  # fmt: skip


@pytest.mark.parametrize(("source", "operations", "result"), [*RFC.values(), *EDGES.values()], ids=[*RFC, *EDGES])
def test_a_patch_is_applied(source: str, operations: list[Any], result: str | None) -> None:
    assert patched(source.encode(), *operations).decode() == (source if result is None else result)


def test_texts_that_only_look_like_constants_are_texts() -> None:
    assert patched(b'{"a": 1}', replace("/a", "NaN"), add("/Infinity", [])) == b'{"a": "NaN", "Infinity": []}'


def test_numbers_keep_the_spelling_of_the_patch() -> None:
    document = Document(b'{"a": 1}')
    digits = b"9" * 5000
    apply_patch(document, read_patch(b'[{"op": "add", "path": "/b", "value": [1.50, 1E2, -0, ' + digits + b"]}]"))
    assert document.to_bytes() == b'{"a": 1, "b": [1.50, 1E2, -0, ' + digits + b"]}"


@pytest.mark.parametrize("levels", [500, 1_500])
def test_what_is_deep_is_patched_like_any_other(levels: int) -> None:
    deep = '{"a": [0, ' * levels + "{}" + "]}" * levels
    path = "/a/1" * levels
    result = patched(deep.encode(), add(path + "/x", 1), move(path, "/b"))
    assert (
        result == ('{"a": [0, ' * levels + "0" + "]}" * levels).replace(", 0]", "]")[:-1].encode() + b', "b": {"x": 1}}'
    )
    document = Document(deep.encode())
    apply_patch(document, read_patch(f'[{{"op": "replace", "path": "", "value": {deep.replace("{}", "7")}}}]'.encode()))
    assert document.to_bytes() == deep.replace("{}", "7").encode()
    apply_patch(document, read_patch(f'[{{"op": "test", "path": "", "value": {deep.replace("{}", "7.0")}}}]'.encode()))


SOURCE = b'{"a": [1, 2], "b": {"c": "\\u00e9"}, "d": { }}'
CHANGES = [replace("/a/0", 5), move("/b/c", "/d/c"), copy("/d", "/b/e"), remove("/a/1"), add("/a/-", 7)]
RESULT = b'{"a": [5, 7], "b": {"e": {"c": "\\u00e9"}}, "d": {"c": "\\u00e9"}}'
FAILURES = {
    "a test": holds("/a/0", 1),
    "a place that is none": remove("/x"),
    "an index past the end": add("/a/9", 1),
    "into itself": move("/b", "/b/e/f"),
    "nothing is left": remove(""),
}


def operations(*given: dict[str, Any]) -> Any:
    return read_patch(json.dumps(given).encode())


def state_of(document: Document) -> tuple[object, ...]:
    """All that a step leaves behind."""
    history, root = document.history, document.root
    changed = {node.pointer() for node in history.differences.changed_nodes() if root and node.is_in(root)}
    return document.to_bytes(), document.is_dirty, labels_of(history), changed


def with_history() -> Document:
    """A document with a step done and one undone."""
    document = Document(SOURCE)
    document.apply([Set("/a/0", b"3")], "first")
    document.apply([Set("/a/0", b"4")], "second")
    document.undo()
    return document


def test_a_patch_is_one_step() -> None:
    document = Document(SOURCE)
    change = apply_patch(document, operations(*CHANGES))
    assert (document.to_bytes(), labels_of(document.history)[0], change.label) == (
        RESULT,
        "apply a patch",
        "apply a patch",
    )
    assert change.structural
    assert {"/a/0", "/d", "/b"} <= set(pointers_of(change))
    assert undo_all(document) == 1
    assert (document.to_bytes(), document.is_dirty) == (SOURCE, False)
    assert document.redo()
    assert (document.to_bytes(), document.redo()) == (RESULT, None)


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_a_patch_that_fails_leaves_no_trace(failure: dict[str, Any]) -> None:
    document = with_history()
    before = state_of(document)
    with pytest.raises(PatchError, match=r"operation 6 \("):
        apply_patch(document, operations(*CHANGES, failure))
    assert state_of(document) == before
    document.redo()
    assert document.to_bytes() == SOURCE.replace(b"1", b"4")
    assert undo_all(document) == 2
    assert (document.to_bytes(), document.is_dirty) == (SOURCE, False)


def test_a_patch_that_changes_nothing_is_no_step() -> None:
    document = with_history()
    before = state_of(document)
    assert apply_patch(document, operations(holds("/a/1", 2), replace("/a/1", 2.0))).nodes == ()
    assert state_of(document) == before


def test_edits_that_break_off_are_taken_back() -> None:
    document = with_history()
    before = state_of(document)
    with pytest.raises(ZeroDivisionError):
        document.apply((Set("/a/0", b"%d" % (1 // number)) for number in (1, 0)), "break off")
    assert state_of(document) == before

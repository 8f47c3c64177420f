"""JSON Patch: RFC 6902's own examples, the well-known edge cases, and the bytes that stay."""

import json
from typing import Any

import pytest

from evaltui.document import Document
from evaltui.document.patch import FailedTestError, PatchError, apply_patch, read_patch

from .helpers import patched


def add(path: str, value: Any) -> dict[str, Any]:
    return {"op": "add", "path": path, "value": value}


def replace(path: str, value: Any) -> dict[str, Any]:
    return {"op": "replace", "path": path, "value": value}


def test_that(path: str, value: Any) -> dict[str, Any]:
    return {"op": "test", "path": path, "value": value}


test_that.__test__ = False  # type: ignore[attr-defined]


def remove(path: str) -> dict[str, Any]:
    return {"op": "remove", "path": path}


def move(origin: str, path: str) -> dict[str, Any]:
    return {"op": "move", "from": origin, "path": path}


def copy(origin: str, path: str) -> dict[str, Any]:
    return {"op": "copy", "from": origin, "path": path}


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
    "A.8 testing": ('{"baz": "qux", "foo": ["a", 2, "c"]}', [test_that("/baz", "qux"), test_that("/foo/1", 2)], None),
    "A.10 adding nested": ('{"foo": "bar"}', [add("/child", {"g": {}})], '{"foo": "bar", "child": {"g": {}}}'),
    "A.11 unknown members": ('{"foo": "bar"}', [{**add("/baz", "q"), "xyz": 123}], '{"foo": "bar", "baz": "q"}'),
    "A.14 escapes": ('{"/": 9, "~1": 10}', [test_that("/~01", 10)], None),
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
    "test the whole": ('{"a": 1}', [test_that("", {"a": 1.0})], None),
    "test whatever the order": ('{"a": {"x": 1, "y": [null]}}', [test_that("/a", {"y": [None], "x": 1})], None),
    "no operation": ("[ 1 ,2]\n", [], None),
    "beside a duplicate": ('{"d": 1, "d": 2, "a": 0}', [replace("/a", 1)], '{"d": 1, "d": 2, "a": 1}'),
    "a test, then a change": ("[1]", [test_that("/0", 1), add("/-", 2), test_that("/1", 2)], "[1, 2]"),
    "raw and escaped pointers": ('{"é": 1, "a\\/b": 2}', [remove("/é"), replace("/a~1b", 4)], '{"a\\/b": 4}'),
    "constants beside": ('{"a": NaN, "b": 1}', [replace("/b", 2), copy("/a", "/c")], '{"a": NaN, "b": 2, "c": NaN}'),
}  # fmt: skip


@pytest.mark.parametrize(("source", "operations", "result"), [*RFC.values(), *EDGES.values()], ids=[*RFC, *EDGES])
def test_a_patch_is_applied(source: str, operations: list[Any], result: str | None) -> None:
    assert patched(source.encode(), *operations).decode() == (source if result is None else result)


DOES_NOT_FIT = {
    "A.12 adding to what is not there": ('{"foo": "bar"}', [add("/baz/bat", "qux")], "there is no 'baz'"),
    "an index past the end": ("[1]", [add("/2", 3)], "the list has only 1 items"),
    "removing past the end": ("[1]", [remove("/1")], "there is no item 1, the list has 1"),
    "removing -": ("[1]", [remove("/-")], "'-' is no index"),
    "a leading zero": ("[1]", [add("/00", 3)], "'00' is no index"),
    "a name for an index": ("[1]", [add("/x", 3)], "'x' is no index"),
    "into a scalar": ('{"a": "b"}', [add("/a/b", 1)], "a string holds no other values"),
    "replacing nothing": ('{"a": 1}', [replace("/b", 1)], "there is no 'b'"),
    "moving nothing": ('{"a": 1}', [move("/b", "/c")], "there is no 'b'"),
    "moving nothing to itself": ('{"a": 1}', [move("/b", "/b")], "there is no 'b'"),
    "moving into itself": ('{"a": {}}', [move("/a", "/a/b")], "/a cannot move into itself"),
    "moving the whole": ('{"a": {}}', [move("", "/a")], "the whole document cannot move into itself"),
    "moving past the end": ("[1, 2]", [move("/0", "/2")], "the list has only 1 items"),
    "copying nothing": ('{"a": 1}', [copy("/b", "/c")], "there is no 'b'"),
    "a duplicate key on the way": ('{"d": {}, "d": {"x": 1}}', [add("/d/y", 1)], "the key 'd' stands 2 times"),
    "a duplicate key at the end": ('{"d": 1, "d": 2}', [add("/d", 1)], "the key 'd' stands 2 times"),
    "testing a duplicate key": ('{"d": 1, "d": 2}', [test_that("/d", 2)], "the key 'd' stands 2 times"),
    "moving onto a duplicate key": ('{"d": 1, "d": 2, "a": 1}', [move("/a", "/d")], "'d' already|stands 2 times"),
    "removing the whole": ("[1]", [remove("")], "the patch removes the whole document"),
    "after the whole is removed": ("[1]", [remove(""), test_that("", None)], "has been removed before"),
    "not JSON": ("[1", [add("/-", 1)], "the file is not JSON"),
}
FAILED_TESTS = {
    "A.9 another value": ('{"baz": "qux"}', test_that("/baz", "bar")),
    "A.15 a number is no text": ('{"/": 9, "~1": 10}', test_that("/~01", "10")),
    "true is not 1": ("[true]", test_that("/0", 1)),
    "null is not nothing": ('{"a": 1}', test_that("/b", None)),
    "an item past the end": ("[1]", test_that("/1", 1)),
    "an item called -": ("[1]", test_that("/-", 1)),
    "below a scalar": ("[1]", test_that("/0/a", 1)),
    "another order of items": ("[[1, 2]]", test_that("/0", [2, 1])),
}


@pytest.mark.parametrize(("source", "operations", "sentence"), DOES_NOT_FIT.values(), ids=DOES_NOT_FIT)
def test_a_patch_that_does_not_fit_says_why_and_changes_nothing(
    source: str, operations: list[Any], sentence: str
) -> None:
    document = Document(source.encode())
    with pytest.raises(PatchError, match=sentence) as caught:
        apply_patch(document, read_patch(json.dumps(operations).encode()))
    assert type(caught.value) is PatchError
    assert document.to_bytes() == source.encode()


@pytest.mark.parametrize(("source", "operation"), FAILED_TESTS.values(), ids=FAILED_TESTS)
def test_a_test_that_does_not_hold_fails_and_changes_nothing(source: str, operation: dict[str, Any]) -> None:
    document = Document(source.encode())
    with pytest.raises(FailedTestError, match=r"operation 2 \(test"):
        apply_patch(document, read_patch(json.dumps([replace("", {"x": 1}), operation]).encode()))
    with pytest.raises(FailedTestError, match=r"operation 1 \(test"):
        apply_patch(document, read_patch(json.dumps([operation]).encode()))
    assert (document.to_bytes(), document.is_dirty) == (source.encode(), False)


@pytest.mark.parametrize(
    ("patch", "sentence"),
    [
        (b"", "1:1: the patch is not JSON: the file is empty"),
        (b"[\n {]", "2:3: the patch is not JSON"),
        (b"{}", "a patch is a list of operations"),
        (b"null", "a patch is a list of operations"),
        (b'["add"]', "operation 1 is no object"),
        (b"[{}]", "operation 1 has no 'op'"),
        (b'[{"op": 1, "path": ""}]', "operation 1 has no 'op', or one that is no text"),
        (b'[{"op": "spam", "path": ""}]', "there is no operation 'spam'"),
        (b'[{"op": "ADD", "path": "", "value": 1}]', "there is no operation 'ADD'"),
        (b'[{"op": "remove"}]', "operation 1 has no 'path'"),
        (b'[{"op": "remove", "path": null}]', "has no 'path', or one that is no text"),
        (b'[{"op": "remove", "path": "a"}]', "operation 1: the pointer 'a' does not begin with /"),
        (b'[{"op": "remove", "path": "/~"}]', "has a ~"),
        (b'[{"op": "add", "path": "/a"}]', r"operation 1 \(add\) has no value"),
        (b'[{"op": "move", "path": "/a"}]', "operation 1 has no 'from'"),
        (b'[{"op": "copy", "from": 1, "path": "/a"}]', "operation 1 has no 'from'"),
        (b'[{"op": "add", "op": "remove", "path": ""}]', "operation 1 has the key 'op' twice"),
        (b'[{"op": "add", "path": "", "value": 1, "value": 2}]', "operation 1 has the key 'value' twice"),
        (b'[{"op": "add", "path": "", "value": [{"a": NaN}]}]', "operation 1: NaN is not JSON"),
        (b'[{"op": "test", "path": "", "value": -Infinity}]', "operation 1: -Infinity is not JSON"),
        (b'[{"op": "remove", "path": "/a", "note": Infinity}]', "operation 1: Infinity is not JSON"),
    ],
)
def test_a_patch_that_is_no_patch_is_refused(patch: bytes, sentence: str) -> None:
    with pytest.raises(PatchError, match=sentence):
        read_patch(patch)


def test_texts_that_only_look_like_constants_are_texts() -> None:
    assert patched(b'{"a": 1}', replace("/a", "NaN"), add("/Infinity", [])) == b'{"a": "NaN", "Infinity": []}'


def test_numbers_keep_the_spelling_of_the_patch() -> None:
    document = Document(b'{"a": 1}')
    digits = b"9" * 5000
    apply_patch(document, read_patch(b'[{"op": "add", "path": "/b", "value": [1.50, 1E2, -0, ' + digits + b"]}]"))
    assert document.to_bytes() == b'{"a": 1, "b": [1.50, 1E2, -0, ' + digits + b"]}"


@pytest.mark.parametrize("levels", [500, 1_000, 5_000])
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

"""Patches that do not fit, tests that do not hold, and patches that are none: nothing changes."""

import json
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.document.patch import FailedTestError, PatchError, apply_patch, read_patch
from tests.document.operations import add, copy, holds, move, remove, replace

DOES_NOT_FIT = {
    "A.12 adding to what is not there": ('{"foo": "bar"}', [add("/baz/bat", "qux")], 'there is no "baz"'),
    "an index past the end": ("[1]", [add("/2", 3)], "the list has only 1 item"),
    "removing past the end": ("[1]", [remove("/1")], "there is no item 1; the list has length 1"),
    "removing -": ("[1]", [remove("/-")], '"-" is not a list index'),
    "a leading zero": ("[1]", [add("/00", 3)], '"00" is not a list index'),
    "a name for an index": ("[1]", [add("/x", 3)], '"x" is not a list index'),
    "into a scalar": ('{"a": "b"}', [add("/a/b", 1)], "a string cannot contain other values"),
    "replacing nothing": ('{"a": 1}', [replace("/b", 1)], 'there is no "b"'),
    "moving nothing": ('{"a": 1}', [move("/b", "/c")], 'there is no "b"'),
    "moving nothing to itself": ('{"a": 1}', [move("/b", "/b")], 'there is no "b"'),
    "moving into itself": ('{"a": {}}', [move("/a", "/a/b")], "/a cannot move into itself"),
    "moving the whole": ('{"a": {}}', [move("", "/a")], "the whole document cannot move into itself"),
    "moving past the end": ("[1, 2]", [move("/0", "/2")], "the list has only 1 item"),
    "copying nothing": ('{"a": 1}', [copy("/b", "/c")], 'there is no "b"'),
    "a duplicate key on the way": ('{"d": {}, "d": {"x": 1}}', [add("/d/y", 1)], 'the object has the key "d" 2 times'),
    "a duplicate key at the end": ('{"d": 1, "d": 2}', [add("/d", 1)], 'the object has the key "d" 2 times'),
    "testing a duplicate key": ('{"d": 1, "d": 2}', [holds("/d", 2)], 'the object has the key "d" 2 times'),
    "moving onto a duplicate key": ('{"d": 1, "d": 2, "a": 1}', [move("/a", "/d")], '"d" already|the key "d" 2 times'),
    "removing the whole": ("[1]", [remove("")], "the patch removes the whole document"),
    "after the whole is removed": ("[1]", [remove(""), holds("", None)], "an earlier operation removed the document"),
    "invalid JSON": ("[1", [add("/-", 1)], "the file is not valid JSON"),
}
FAILED_TESTS = {
    "A.9 another value": ('{"baz": "qux"}', holds("/baz", "bar")),
    "A.15 a number is no text": ('{"/": 9, "~1": 10}', holds("/~01", "10")),
    "true is not 1": ("[true]", holds("/0", 1)),
    "null is not nothing": ('{"a": 1}', holds("/b", None)),
    "an item past the end": ("[1]", holds("/1", 1)),
    "an item called -": ("[1]", holds("/-", 1)),
    "below a scalar": ("[1]", holds("/0/a", 1)),
    "another order of items": ("[[1, 2]]", holds("/0", [2, 1])),
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
        (b"", "1:1: the patch is not valid JSON: the file is empty"),
        (b"[\n {]", "2:3: the patch is not valid JSON"),
        (b"{}", "a patch is a list of operations"),
        (b"null", "a patch is a list of operations"),
        (b'["add"]', "operation 1 is not an object"),
        (b"[{}]", 'operation 1 has no string in "op"'),
        (b'[{"op": 1, "path": ""}]', 'operation 1 has no string in "op"'),
        (b'[{"op": "spam", "path": ""}]', 'unknown operation "spam"'),
        (b'[{"op": "ADD", "path": "", "value": 1}]', 'unknown operation "ADD"'),
        (b'[{"op": "remove"}]', 'operation 1 has no string in "path"'),
        (b'[{"op": "remove", "path": null}]', 'has no string in "path"'),
        (b'[{"op": "remove", "path": "a"}]', 'operation 1: the pointer "a" does not begin with /'),
        (b'[{"op": "remove", "path": "/~"}]', "has a ~"),
        (b'[{"op": "add", "path": "/a"}]', r"operation 1 \(add\) has no value"),
        (b'[{"op": "move", "path": "/a"}]', 'operation 1 has no string in "from"'),
        (b'[{"op": "copy", "from": 1, "path": "/a"}]', 'operation 1 has no string in "from"'),
        (b'[{"op": "add", "op": "remove", "path": ""}]', 'operation 1 has the key "op" twice'),
        (b'[{"op": "add", "path": "", "value": 1, "value": 2}]', 'operation 1 has the key "value" twice'),
        (b'[{"op": "add", "path": "", "value": [{"a": NaN}]}]', "operation 1: NaN is not valid JSON"),
        (b'[{"op": "test", "path": "", "value": -Infinity}]', "operation 1: -Infinity is not valid JSON"),
        (b'[{"op": "remove", "path": "/a", "note": Infinity}]', "operation 1: Infinity is not valid JSON"),
    ],
)
def test_a_patch_that_is_no_patch_is_refused(patch: bytes, sentence: str) -> None:
    with pytest.raises(PatchError, match=sentence):
        read_patch(patch)

"""Patches of all kinds, by value against the `jsonpatch` package; where they differ, RFC 6902 decides."""

import copy
import json
import random
from typing import Any

import jsonpatch
import pytest

from evaltui.document import pointer as pointers
from evaltui.document.document import Document
from evaltui.document.patch import PatchError, apply_patch, read_patch
from tests.document.plain import all_pointers, value_at

SOURCES = [
    b'{"a":[1,2,{"b":null}],"c":{"d":1.5}}',
    b"[]",
    b'{ "a" : [ ] , "b":{"x":[[1],[2]]}, "t": true }',
    b'{"a":\n\t[1,\n\t 2],\r\n"b": {}, "~": {"/": ["\\u00e9", false]}}\n',
    b'{"cases": [{"id": "one", "turns": [{"q": "x"}]}, {"id": "two", "turns": []}], "name": "set"}',
    b'[[[[]]], {"": {"": 0}}, "text"]',
]
VALUES: list[Any] = [1, "x", None, True, [], {}, {"k": [1, {"z": "é"}]}, [1, 2, [3]], "a/b\n", 1.5, 10**25]
PATCHES = 150


def operation(draw: random.Random, value: Any) -> dict[str, Any]:
    """An operation that mostly can be done to `value`; whole documents are not removed, where the package is lax."""
    kind = draw.choice(["add", "remove", "replace", "move", "copy", "test"])
    path = draw.choice(all_pointers(value)[1:] or [""])
    if kind == "add" or not path:
        return {"op": "add", "path": goal(draw, value), "value": draw.choice(VALUES)}
    if kind == "remove":
        return {"op": kind, "path": path}
    if kind == "replace":
        return {"op": kind, "path": path, "value": altered(draw, value_at(value, path))}
    if kind == "test":
        return {"op": kind, "path": path, "value": value_at(value, path)}
    return {"op": kind, "from": path, "path": goal(draw, value)}


def goal(draw: random.Random, value: Any) -> str:
    path = draw.choice(all_pointers(value))
    here = value_at(value, path)
    if isinstance(here, dict):
        return f"{path}/{draw.choice(['new', 'a', 'b', 'id', ''])}"
    if isinstance(here, list):
        return f"{path}/{draw.choice(['-', *range(len(here) + 2)])}"
    return path


def altered(draw: random.Random, value: Any) -> Any:
    value = copy.deepcopy(value)
    if isinstance(value, list) and value:
        draw.choice([value.pop, lambda: value.insert(0, draw.choice(VALUES)), lambda: draw.shuffle(value)])()
        return value
    if isinstance(value, dict) and value and draw.random() < 0.8:
        value[draw.choice(list(value))] = draw.choice(VALUES)
        value["added"] = 1
        return value
    return draw.choice(VALUES)


def expected(value: Any, operations: list[dict[str, Any]]) -> Any:
    """What the package makes of it, or None where it refuses."""
    try:
        return [jsonpatch.apply_patch(value, operations)]
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException):
        return None


@pytest.mark.parametrize("source", SOURCES, ids=range(len(SOURCES)))
def test_patches_give_the_values_that_the_package_gives(source: bytes) -> None:
    applied = 0
    for seed in range(PATCHES):
        draw = random.Random(f"{seed} {source!r}")
        operations, value = [], json.loads(source)
        for _ in range(draw.randint(1, 4)):
            operations.append(operation(draw, value))
            after = expected(value, [operations[-1]])
            if after is None:
                break
            value = after[0]
        applied += check(source, operations)
    assert applied > PATCHES / 3


def check(source: bytes, operations: list[dict[str, Any]]) -> bool:
    wanted = expected(json.loads(source), operations)
    document = Document(source)
    try:
        apply_patch(document, read_patch(json.dumps(operations).encode()))
    except PatchError:
        assert wanted is None, operations
        assert document.to_bytes() == source
        return False
    assert wanted is not None, operations
    assert typed(json.loads(document.to_bytes())) == typed(wanted[0]), operations
    while document.undo():
        pass
    assert document.to_bytes() == source
    return True


def typed(value: Any) -> str:
    """A text in which true is not 1, the order of members does not matter, and 1 is 1.0."""
    return json.dumps(value, sort_keys=True).replace(".0,", ",")


def test_pointers_into_nothing_are_refused_by_both() -> None:
    assert pointers.parse_pointer("/a~1b") == ["a/b"]
    assert not check(b'{"a": {}}', [{"op": "add", "path": "/b/c", "value": 1}])

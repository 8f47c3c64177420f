"""The message tree of CX Agent Studio's Evaluation (tests/data/evaluation_tree.json), and what breaks it."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_TREE = json.loads((Path(__file__).parents[1] / "data" / "evaluation_tree.json").read_text())
_oneof = re.compile(r"^(\w+)(?:  /\*oneof (\w+)\*/)?$")


def faults(evaluation: Any) -> list[str]:
    """The places of an evaluation that the tree does not have, with what is wrong there."""
    return list(_faults(evaluation, _TREE, ""))


def _faults(value: Any, tree: Any, place: str) -> Iterator[str]:
    if isinstance(tree, dict):
        if not isinstance(value, dict):
            yield f"{place}: no object"
            return
        members = {name: (group, below) for name, group, below in _members(tree)}
        groups = Counter(members[name][0] for name in value if name in members and members[name][0])
        yield from (f"{place}: {count} of the oneof {group}" for group, count in groups.items() if count > 1)
        for name, item in value.items():
            if name in members:
                yield from _faults(item, members[name][1], f"{place}/{name}")
            else:
                yield f"{place}/{name}: unknown"
    elif isinstance(tree, list):
        if not isinstance(value, list):
            yield f"{place}: no list"
            return
        for index, item in enumerate(value):
            yield from _faults(item, tree[0], f"{place}/{index}")
    elif not _fits(value, tree):
        yield f"{place}: {value!r} is no {tree}"


def _members(tree: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    for key, below in tree.items():
        found = _oneof.match(key)
        assert found, key
        yield found[1], found[2] or "", below


def _fits(value: Any, kind: str) -> bool:
    if kind.startswith("enum: "):
        return value in kind.removeprefix("enum: ").split(" | ")
    match kind:
        case "string":
            return isinstance(value, str)
        case "string(base64)":
            return isinstance(value, str) and _is_base64(value)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "<Struct: any JSON object>":
            return isinstance(value, dict)
    return False


def _is_base64(text: str) -> bool:
    try:
        base64.b64decode(text, altchars=b"-_" if "-" in text or "_" in text else None, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True

"""Checks that a conversion is complete: all of the source is in the target, or at or under a reported loss."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any

from evaltui.document import pointer as pointers
from evaltui.document.node import read_document
from evaltui.interop.conversion import Conversion, convert
from evaltui.interop.fields import SetField
from evaltui.interop.format_type import FormatType, WriteOptions
from evaltui.recordings.json_members import moment

_ROLES = ("user", "model", "agent", "assistant", "")


def converted(document: bytes | Any, source: FormatType, target: FormatType, name: str = "the_set") -> Conversion:
    """A document (its bytes, or plain data) in another format."""
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return convert(read_document(body), source, target, WriteOptions(name=name))


def assert_complete(document: bytes | Any, conversion: Conversion) -> None:
    """All leaves of the source are in the target, or lie at or under a loss; no loss is a blanket one."""
    value = json.loads(document) if isinstance(document, bytes) else document
    assert not {"", "/eval_cases", "/evalCases"} & {loss.pointer for loss in conversion.losses}
    missing = missing_leaves(value, conversion)
    assert not missing, missing


def missing_leaves(value: Any, conversion: Conversion) -> list[tuple[str, Any]]:
    """Leaves of the source with their pointers that are neither in the target nor reported."""
    lost = {loss.pointer for loss in conversion.losses if loss.kind != "invented"}
    kept = Kept([document.value for document in conversion.documents])
    return [
        (pointer, leaf)
        for pointer, leaf in leaves(value)
        if not is_under(pointer, lost) and not is_conventional(pointer, leaf) and leaf not in kept
    ]


def assert_holdings(conversion: Conversion, *, but: Collection[SetField] = ()) -> None:
    """The losses are those that the target's holdings announce: no value of a held field is among them."""
    held = {field for field in SetField if conversion.target.holdings[field].extent == "held"}
    broken = [
        loss for loss in conversion.losses if loss.kind != "invented" and loss.field in held and loss.field not in but
    ]
    assert not broken, [(loss.pointer, loss.field, loss.reason) for loss in broken]


class Kept:
    """All scalar values of written documents; a text counts where it is part of another one, too."""

    def __init__(self, documents: list[Any]) -> None:
        found = [leaf for document in documents for _, leaf in leaves(document)]
        self._scalars = {json.dumps(leaf) for leaf in found}
        self._texts = "\0".join(leaf for leaf in found if isinstance(leaf, str))
        self._keys = {key for document in documents for key in keys(document)}

    def __contains__(self, leaf: Any) -> bool:
        """Names may become keys: the name of an argument, of an agent. A time may have another spelling."""
        if isinstance(leaf, str):
            is_time = leaf[:2] in ("19", "20") and json.dumps(moment(leaf)) in self._scalars
            return leaf in self._texts or leaf in self._keys or is_time
        return json.dumps(leaf) in self._scalars


def leaves(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """All scalar values that say something, with their pointers."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, f"{pointer}/{pointers.escape(key)}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, f"{pointer}/{index}")
    elif value is not None and value != "":
        yield pointer, value


def keys(value: Any) -> Iterator[str]:
    """The keys of all objects."""
    if isinstance(value, dict):
        yield from value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from keys(item)


def is_under(pointer: str, lost: Collection[str]) -> bool:
    """Whether a pointer, or one above it, is among the lost ones."""
    tokens = pointer.split("/")
    return any("/".join(tokens[:end]) in lost for end in range(1, len(tokens) + 1))


def is_conventional(pointer: str, leaf: Any) -> bool:
    """Roles, numbers and shapes of turns, default times and the author that names nobody need no report."""
    name = pointer.rsplit("/", 1)[-1].replace("_", "").lower()
    return (
        (name in ("role", "author") and leaf in _ROLES)
        or (name == "turnindex" and isinstance(leaf, int))
        or (name in ("expectsnocalls", "hasfinalresponse") and isinstance(leaf, bool))
        or (name == "shape" and leaf in ("tool_uses", "events"))
        or (name == "agentid" and leaf == "agent")
        or name == "rubricgroup"
        or "/rubric_order/" in pointer
        or (name == "creationtimestamp" and leaf == 0)
    )

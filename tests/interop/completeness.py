"""Checks that a conversion is complete: all of the source is in the target, or at or under a reported loss."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from typing import Any

from evaltui.document import pointer as pointers
from evaltui.document.node import read_document
from evaltui.evalset.case_data import moment
from evaltui.interop.conversion import Conversion, convert
from evaltui.interop.conversion_formats import FORMATS
from evaltui.interop.fields import SetField
from evaltui.interop.portable_set import FormatType

_told_once = re.compile(
    r"/(turn_?id|name|tool|toolid|author|agent_?id)$|/app_?details/|^/eval_?cases/\d+/(prompt|responses)/",
    re.IGNORECASE,
).search
_ROLES = ("user", "model", "agent", "assistant", "")


def converted(document: bytes | Any, source: FormatType, target: FormatType, name: str = "the_set") -> Conversion:
    """A document (its bytes, or plain data) in another format."""
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return convert(read_document(body), source, target, name)


def format_called(source_word: str) -> FormatType:
    """The format with this word in reports."""
    return next(form for form in FORMATS if form.source_word == source_word)


def assert_complete(document: bytes | Any, conversion: Conversion) -> None:
    """All leaves of the source are in the target, or lie at or under a loss; no loss is a blanket one."""
    value = json.loads(document) if isinstance(document, bytes) else document
    assert not {"", "/eval_cases", "/evalCases"} & {loss.pointer for loss in conversion.losses}
    missing = missing_leaves(value, conversion)
    assert not missing, missing


def missing_leaves(value: Any, conversion: Conversion) -> list[tuple[str, Any]]:
    """Leaves of the source with their pointers that are neither in the target nor reported."""
    kept = Kept(list(conversion.documents))
    alike: dict[str, list[tuple[str, Any]]] = defaultdict(list)
    for pointer, leaf in unreported_leaves(value, conversion):
        alike[json.dumps(leaf)].append((pointer, leaf))
    missing = []
    for same in alike.values():
        # Names of tools and authors, agents and the id of a turn are equal in many places, and may be told once.
        # So may a prompt or response that stands in the events, too.
        repeated = [each for each in same if not _told_once(each[0])]
        wanted = max(len(repeated), 1)
        missing += (repeated or same)[kept.count(same[0][1], wanted) : wanted]
    return missing


def unreported_leaves(value: Any, conversion: Conversion) -> Iterator[tuple[str, Any]]:
    """Leaves of the source that no loss names and that no convention lets go."""
    lost = {loss.pointer for loss in conversion.losses if loss.kind != "invented"}
    for pointer, leaf in leaves(value):
        if not is_under(pointer, lost) and not is_conventional(pointer, leaf):
            yield pointer, leaf


def assert_holdings(conversion: Conversion, *, but: Collection[SetField] = ()) -> None:
    """The losses are those that the target's holdings announce: no value of a held field is among them."""
    held = {field for field in SetField if conversion.target.holdings[field].kind is None}
    broken = [
        loss for loss in conversion.losses if loss.kind != "invented" and loss.field in held and loss.field not in but
    ]
    assert not broken, [(loss.pointer, loss.field, loss.reason) for loss in broken]


class Kept:
    """All scalar values of written documents; a text counts where it is whole words of another one, too."""

    def __init__(self, documents: list[Any]) -> None:
        found = [leaf for document in documents for _, leaf in leaves(document)]
        self._scalars = Counter(json.dumps(leaf) for leaf in found)
        self._texts = "\0".join(leaf for leaf in found if isinstance(leaf, str))
        self._keys = Counter(key for document in documents for key in keys(document))

    def count(self, leaf: Any, wanted: int = 1) -> int:
        """How often a value is there, at least `wanted` times or all in all.

        Names may become keys: the name of an argument, of an agent. A time may have another spelling.
        """
        count = self._scalars[json.dumps(leaf)]
        if isinstance(leaf, str) and count < wanted:
            is_time = leaf[:2] in ("19", "20")
            count += self._keys[leaf] + (self._scalars[json.dumps(moment(leaf))] if is_time else 0)
            if count < wanted:
                count = max(count, len(re.findall(rf"(?<!\w){re.escape(leaf)}(?!\w)", self._texts)))
        return count


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
        or (name == "shape" and leaf in ("tool_uses", "events", "absent"))
        or (name == "agentid" and leaf == "agent")
        or name == "rubricgroup"
        or (name == "notoolcalls" and leaf is True)  # an empty list of calls says the same: test_no_calls.py
        or "/rubric_order/" in pointer
        or (name == "creationtimestamp" and leaf == 0)
    )

"""Values as text for editing: texts as they are, all others as JSON; and the edits that typed texts make."""

from __future__ import annotations

from collections.abc import Collection
from itertools import accumulate

from evaltui.document.edits import Edit, Set, json_text
from evaltui.document.errors import EditError
from evaltui.document.layout import line_indent, shifted
from evaltui.document.node import Node, parse_value
from evaltui.document.strings import encode, json_bytes
from evaltui.tui.forms.form import type_of
from evaltui.tui.forms.line_texts import is_base64

_TOO_LONG = 200_000
"""The most bytes of a value that is edited in a text box."""
_BEGINNINGS = (*"-0123456789tfn[{",)
"""The first characters of JSON values other than strings."""
_MANY = 1000
"""The most single edits; so many take a tenth of a second."""


def editable(node: Node) -> bool:
    """Whether the value can be edited in a text box: not too long, and not base64."""
    return fits(node) and not is_base64(node)


def fits(node: Node) -> bool:
    """Whether the value is short enough for a text box."""
    return not is_longer(node, _TOO_LONG)


def is_longer(node: Node, limit: int) -> bool:
    """Whether the JSON of a value has more than `limit` bytes; stops reading at the limit."""
    return any(length > limit for length in accumulate(map(len, node.pieces())))


def shown_text(node: Node) -> str:
    """A value for editing: a text without quotes, all others as JSON from the file, without indent."""
    if node.kind == "string":
        return node.text()
    source = shifted(node.source(), line_indent(node), b"")
    return source.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def value_edits(node: Node, text: str, bare: bool = False) -> list[Edit]:
    """The edits that set `node` to a typed text: as text (`bare`) or as JSON. Raises `EditError` for invalid JSON."""
    from evaltui.document.value_comparison import edits_between

    if bare:
        return [Set(node.pointer(), json_text(text))]
    new = _read(text.strip(), node)
    if is_longer(new, _TOO_LONG):
        return [Set(node.pointer(), new.source(), origin_indent=b"")]  # in its own layout: a new one takes seconds
    edits = edits_between(node, new, node.pointer(), spelling=True)
    # Each new item of a list is an edit of its own, so that the old items keep their layout.
    return edits if len(edits) < _MANY + len(node.items) else [Set(node.pointer(), new.source())]


def _read(text: str, node: Node) -> Node:
    """The JSON value typed for `node`. Raises `EditError`; for a number or boolean without the word JSON."""
    try:
        return parse_value(json_bytes(text))
    except EditError:
        if node.kind not in ("number", "boolean") or text.startswith(("[", "{", '"')):
            raise
        raise EditError(f"not a {node.kind}") from None


def converted(node: Node, kind: str) -> bytes:
    """The value of `node` converted to another type as far as possible: "12" ⇄ 12, "true" ⇄ true, x ⇄ [x]."""
    if type_of(node) == kind:
        return node.source()
    text = shown_text(node)
    if kind == "string":
        return encode(text, raw_bytes=True)
    try:
        value = parse_value(json_bytes(text.strip()))
    except EditError:
        value = None
    if value is not None and type_of(value) == kind:
        return value.source()
    item = b"" if node.kind == "null" or (node.kind == "string" and not text) else node.source()
    return {"number": b"0", "boolean": b"false", "null": b"null", "list": b"[" + item + b"]", "object": b"{}"}[kind]


def read_as_json(text: str) -> Node | None:
    """The value of a text that is JSON but not a JSON string; None for any other text."""
    if not text.strip().startswith(_BEGINNINGS):
        return None
    try:
        return parse_value(json_bytes(text.strip()))
    except EditError:
        return None


def type_read(text: str) -> str:
    """The type of a text that is JSON, other than string; "" if there is none."""
    value = read_as_json(text)
    return type_of(value) if value is not None else ""


def new_value_edits(node: Node, text: str, kinds: Collection[str]) -> list[Edit]:
    """The edits that set a new value to a typed text: as text, or as JSON of one of the `kinds` that it has elsewhere.

    It stays a text if it is one elsewhere, or if it has spaces around it, which JSON would lose.
    """
    value = read_as_json(text) if text == text.strip() and "string" not in kinds else None
    return value_edits(node, text, bare=value is None or value.kind not in kinds)

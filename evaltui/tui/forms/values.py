"""Fields for JSON values of any type: texts as they are, everything else as JSON with a check."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import replace

from evaltui.document import Edit, EditError, Insert, Node, Remove, Rename, Set, json_text
from evaltui.document.difference import difference
from evaltui.document.layout import shifted
from evaltui.document.pointer import escape
from evaltui.document.reading import parse
from evaltui.document.strings import encode, json_bytes
from evaltui.document.style import line_indent
from evaltui.evalset.content import sized
from evaltui.evalset.revision import Revision
from evaltui.printable import printable
from evaltui.tui.forms.form import Field, Link, Write
from evaltui.tui.lines import Line, preview

TYPES = ("text", "number", "boolean", "null", "list", "object")
_KINDS = {"string": "text", "array": "list"}
_TOO_LONG = 200_000
"""Bytes from which on a value is shown but not put into a text box."""
_SHORT = 400
_BASE64 = re.compile(rb'"[A-Za-z0-9+/_-]+={0,2}"')


def type_of(node: Node) -> str:
    """The JSON type of a node in the words of the interface."""
    return _KINDS.get(node.kind, node.kind)


def editable(node: Node) -> bool:
    """Whether the value belongs into a text box: not too long, and no base64."""
    return fits(node) and not is_base64(node)


def fits(node: Node) -> bool:
    """Whether the value is short enough for a text box."""
    return sum(map(len, node.pieces())) <= _TOO_LONG


def is_base64(node: Node) -> bool:
    """Whether a text is long and of the alphabet of base64 alone, as images and signatures are."""
    return node.kind == "string" and len(node.source()) > _SHORT and _BASE64.fullmatch(node.source()) is not None


def shown_text(node: Node) -> str:
    """A value as it is edited: a text bare, anything else as the JSON it is in the file, moved to the left."""
    if node.kind == "string":
        return node.text()
    source = shifted(node.source(), line_indent(node), b"")
    return source.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def value_edits(node: Node, text: str, bare: bool = False) -> list[Edit]:
    """The edits that give `node` what its field says: a `bare` text, or JSON. Raises `EditError` where it is none."""
    if bare:
        return [Set(node.pointer(), json_text(text))]
    return difference(node, parse(json_bytes(text.strip())), node.pointer(), spelling=True)


def value_field(node: Node, key: Hashable, label: str, of: str, block: bool = False) -> Field | Link:
    """A field for the value of `node`; `of` ends the labels of its undo steps: *argument date of book_flight*."""
    if not editable(node):
        return Link(key, [(f"{label}  ", "name"), *summary(node)], node)
    return _value_field(node, key, label, of, block)


def _value_field(node: Node, key: Hashable, label: str, of: str, block: bool) -> Field:
    # What is typed as JSON into a field stays JSON also once it is a text: the quotes are still in the box.
    bare = node.kind == "string"
    return Field(
        key,
        label,
        shown_text(node),
        lambda text: Revision(f"edit {of}", value_edits(node, text, bare)),
        kind=type_of(node),
        block=block,
        node=node,
        again=lambda: _value_field(node, key, label, of, block),
    )


def member_field(node: Node, what: str, of: str) -> Field | Link:
    """A field for a named value that can also be renamed, deleted and given another type."""
    name = node.name
    field = value_field(node, node, printable(name), f"{what} {preview(name, 40)} of {of}")
    if isinstance(field, Link):
        return field
    labelled = f"{what} {preview(name, 40)} of {of}"
    return replace(
        field,
        delete=lambda: Revision(f"delete {labelled}", [Remove(node.pointer())]),
        rename=lambda text: renaming(node, text, labelled),
        retype=lambda kind, origin: retyping(node, kind, origin, labelled),
    )


def renaming(node: Node, name: str, labelled: str) -> Revision:
    """A revision that gives the member `node` another name. Raises `EditError` for one that will not do."""
    if name == node.name:
        return Revision("")
    _check_name(node.parent, name)
    return Revision(f"rename {labelled}", [Rename(node.pointer(), name)])


def _check_name(container: Node | None, name: str) -> None:
    if not name:
        raise EditError("it needs a name")
    if container is not None and container.member(name) is not None:
        raise EditError(f"there is a {printable(name)!r} already")


def retyping(node: Node, kind: str, origin: Node, labelled: str) -> Revision:
    """A revision that makes `node` a `kind`, converted from `origin`."""
    return Revision(f"change type of {labelled} to {kind}", [Set(node.pointer(), converted(origin, kind))])


def add_member(container: Callable[[], Node | None], what: str, of: str, absent: Callable[[bytes], Edit]) -> Write:
    """What adds a named empty text to an object, or makes the object where it is absent."""

    def add(name: str) -> Revision:
        node = container()
        _check_name(node, name)
        label = f"add {what} {preview(name, 40)} to {of}"
        if node is None or node.kind != "object":
            return Revision(label, [absent(json_text({name: ""}))])
        return Revision(label, [Insert(f"{node.pointer()}/{escape(name)}", b'""')])

    return add


def converted(node: Node, kind: str) -> bytes:
    """The value of `node` as another type, kept as far as it goes: "12" ⇄ 12, "true" ⇄ true, x ⇄ [x]."""
    if type_of(node) == kind:
        return node.source()
    text = shown_text(node)
    if kind == "text":
        return encode(text, raw_bytes=True)
    try:
        value = parse(json_bytes(text.strip()))
    except EditError:
        value = None
    if value is not None and type_of(value) == kind:
        return value.source()
    item = b"" if node.kind == "null" else node.source()
    return {"number": b"0", "boolean": b"false", "null": b"null", "list": b"[" + item + b"]", "object": b"{}"}[kind]


def summary(node: Node, width: int = 60) -> Line:
    """A value in few words: the start of a text, a scalar, or what a container holds."""
    if is_base64(node):
        return [(f"base64 of {sized((len(node.source()) - 2) * 3 // 4)}", "dim")]
    if node.kind == "string":
        return [(f'"{preview(node.text(), width)}"', "")]
    if not node.is_container:
        return [(preview(node.source().decode("utf-8", "replace"), width), "")]
    count = len(node.items)
    if node.kind == "array":
        return [(f"[{count} item{'s' * (count != 1)}]" if count else "[]", "dim")]
    names = ", ".join(preview(item.name, 20) for item in node.items[:4])
    return [(f"{{{names}{', …' if count > 4 else ''}}}", "dim")]

"""RFC 6902 JSON Patch: applied to a document without changing another byte, and made of edits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from evaltui.document import pointer as pointers
from evaltui.document.document import Change, Document
from evaltui.document.edits import Edit, Insert, Move, Remove, Rename, Set
from evaltui.document.errors import DocumentError, PointerError
from evaltui.document.layout import line_indent
from evaltui.document.node import Node
from evaltui.document.scanner import read_json
from evaltui.document.strings import invalid_utf8
from evaltui.document.value_comparison import edits_between, same_value
from evaltui.printable import quoted


class PatchError(DocumentError):
    """The patch is invalid, or it does not fit this document."""


class FailedTestError(PatchError):
    """A `test` operation failed: the value differs, or its target does not exist."""


_NEEDS_VALUE = ("add", "replace", "test")
_NEEDS_ORIGIN = ("move", "copy")
_OPERATIONS = (*_NEEDS_VALUE, "remove", *_NEEDS_ORIGIN)


def read_patch(data: bytes) -> list[Node]:
    """The operations in the JSON text `data`, with the members that RFC 6902 requires.

    Raises `PatchError` if it is not a patch.
    """
    document = Document(data)
    if document.fault is not None:
        line, column = document.line_and_column(document.fault.offset)
        raise PatchError(f"{line}:{column}: the patch is not valid JSON: {document.fault.message}")
    invalid = invalid_utf8(document.body())
    if invalid is not None:
        line, column = document.line_and_column(invalid[0])
        raise PatchError(f"{line}:{column}: the patch is not valid UTF-8")
    root = document.root
    if root is None or root.kind != "array":
        raise PatchError("a patch is a list of operations")
    for number, operation in enumerate(root.items, 1):
        _check_operation(operation, f"operation {number}")
    return root.items


def _check_operation(node: Node, where: str) -> None:
    if node.kind != "object":
        raise PatchError(f"{where} is not an object")
    op = _text(node, "op", where)
    if op not in _OPERATIONS:
        raise PatchError(f"{where}: unknown operation {quoted(op)}; use {', '.join(_OPERATIONS)}")
    _check_pointer(node, "path", where)
    if op in _NEEDS_VALUE and _only(node, "value", where) is None:
        raise PatchError(f"{where} ({op}) has no value")
    source = node.source()
    pending = [node] if b"NaN" in source or b"Infinity" in source else []
    while pending:
        inner = pending.pop()
        pending += inner.items
        if inner.kind == "number" and inner.source()[-1:] in b"Ny":
            raise PatchError(f"{where}: {inner.source().decode()} is not valid JSON")
    if op in _NEEDS_ORIGIN:
        _check_pointer(node, "from", where)


def _only(node: Node, name: str, where: str) -> Node | None:
    members = [item for item in node.items if item.name == name]
    if len(members) > 1:
        raise PatchError(f"{where} has the key {quoted(name)} twice")
    return members[0] if members else None


def _text(node: Node, name: str, where: str = "") -> str:
    member = _only(node, name, where)
    if member is None or member.kind != "string":
        raise PatchError(f"{where} has no string in {quoted(name)}")
    return member.text()


def _check_pointer(node: Node, name: str, where: str) -> None:
    pointer = _text(node, name, where)
    try:
        pointers.parse_pointer(pointer)
    except PointerError as error:
        raise PatchError(f"{where}: {error}") from error


def apply_patch(document: Document, operations: Sequence[Node]) -> Change:
    """Do the operations of `read_patch` as one undo step. If one of them fails, nothing changes.

    Raises `FailedTestError` for a test that does not hold, `PatchError` for anything else.
    """
    if document.root is None:
        raise PatchError("the file is not valid JSON")
    begun: list[Node] = []
    try:
        return document.apply(_edits(document.root, operations, begun), "apply a patch")
    except DocumentError as error:
        op, path = _op_and_path(begun[-1])
        leads_nowhere = isinstance(error, PointerError) and not error.duplicate
        failed = isinstance(error, FailedTestError) or (op == "test" and leads_nowhere)
        kind = FailedTestError if failed else PatchError
        reason = str(error).removeprefix(f"{path}: ")
        raise kind(f"operation {len(begun)} ({op} {quoted(path)}): {reason}") from error


def _op_and_path(operation: Node) -> tuple[str, str]:
    return _text(operation, "op"), _text(operation, "path")


def _edits(root: Node, operations: Sequence[Node], begun: list[Node]) -> Iterator[Edit]:
    """The edits of each operation in order. Each operation sees the document after the operations before it.

    `begun` collects the operations; the last one in it is the one that failed. Removing the whole document is legal
    only if the next operation adds a new one.
    """
    removed = False
    for operation in operations:
        begun.append(operation)
        if removed and _op_and_path(operation) != ("add", ""):
            raise PatchError("an earlier operation removed the document")
        removed = _op_and_path(operation) == ("remove", "")
        yield from _edits_of(root, operation)
    if removed:
        raise PatchError("the patch removes the whole document")


def _edits_of(root: Node, operation: Node) -> list[Edit]:
    op, path = _op_and_path(operation)
    match op, operation.member("value"):
        case "add", Node() as value:
            existing = _existing_member(root, path)
            return [Insert(path, value.source())] if existing is None else edits_between(existing, value, path)
        case "replace", Node() as value:
            return edits_between(root.at(path), value, path)
        case "test", Node() as value:
            if not same_value(root.at(path), value):
                raise FailedTestError("the value is different")
            return []
        case "remove", _:
            return [Remove(path)] if path else []
    origin = _text(operation, "from")
    node = root.at(origin)
    if op == "copy":
        existing = _existing_member(root, path)
        if existing is None:
            return [Insert(path, node.source(), origin_indent=line_indent(node))]
        return [] if same_value(existing, node) else [Set(path, node.source(), line_indent(node))]
    if path == origin:
        return []
    if path == "":
        return [Set("", node.source(), line_indent(node))]
    place, last = pointers.parent_and_last(path)
    if node.key and place == pointers.parent_and_last(origin)[0] and root.at(place).member(last) is None:
        return [Rename(origin, last)]
    return [Move(origin, path)]


def _existing_member(root: Node, path: str) -> Node | None:
    """The value that an `add` at `path` replaces: the whole document, or a member of that name."""
    if path == "":
        return root
    place, last = pointers.parent_and_last(path)
    container = root.at(place)
    if container.kind != "object" or container.member(last) is None:
        return None
    return root.at(path)


def operations_of(edits: Iterable[Edit]) -> list[dict[str, Any]] | None:
    """The patch with the effect of `edits`; None if a duplicate key leaves a value without a pointer."""
    operations: list[dict[str, Any]] = []
    for edit in edits:
        match edit:
            case Set():
                operations.append({"op": "replace", "path": edit.pointer, "value": read_json(edit.source)})
            case Insert():
                operations.append({"op": "add", "path": edit.pointer, "value": read_json(edit.source)})
            case Remove(occurrence=None):
                operations.append({"op": "remove", "path": edit.pointer})
            case Remove():
                return None
            case Move():
                operations.append({"op": "move", "from": edit.origin, "path": edit.pointer})
            case Rename():
                path = f"{pointers.parent_and_last(edit.pointer)[0]}/{pointers.escape(edit.name)}"
                operations.append({"op": "move", "from": edit.pointer, "path": path})
    return operations

"""What edits would do, on one line: the text before and after."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.document.edits import Edit, Insert, Move, Remove, Rename, Set
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.document.pointer import parse_pointer
from evaltui.printable import one_line

_LONG = 50


def before_and_after(root: Node, edits: Sequence[Edit]) -> str:
    """The edits of what `root` holds, in words; of several at most three."""
    said = [_one(root, edit) for edit in edits[:3]]
    more = [f"and {len(edits) - 3} more"] if len(edits) > 3 else []
    return "; ".join([*said, *more])


def _one(root: Node, edit: Edit) -> str:
    name = one_line(parse_pointer(edit.pointer)[-1], 40) if edit.pointer else "the value"
    match edit:
        case Set():
            return f"{_source(root, edit.pointer)} → {_short(edit.source)}"
        case Insert():
            return f"+ {name}: {_short(edit.source)}"
        case Remove():
            return f"− {name}: {_source(root, edit.pointer, edit.occurrence)}"
        case Rename():
            return f"{name} → {one_line(edit.name, 40)}"
        case Move():
            return f"{one_line(edit.origin, _LONG)} → {one_line(edit.pointer, _LONG)}"
    return name


def _source(root: Node, pointer: str, occurrence: int | None = None) -> str:
    try:
        if occurrence is None:
            return _short(root.at(pointer).source())
        above, _, _ = pointer.rpartition("/")
        named = [item for item in root.at(above).items if item.name == parse_pointer(pointer)[-1]]
        return _short(named[occurrence].source())
    except (DocumentError, IndexError):
        return "…"


def _short(source: bytes) -> str:
    return one_line(source.decode("utf-8", "replace"), _LONG)

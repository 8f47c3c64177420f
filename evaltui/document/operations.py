"""Edits as the operations of an RFC 6902 patch."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from evaltui.document import pointer as pointers
from evaltui.document.edits import Edit, Insert, Move, Remove, Rename, Set

Operations = list[dict[str, Any]]


def operations_of(edits: Iterable[Edit]) -> Operations | None:
    """What `evaltui patch` takes to do the same; None where no pointer reaches what an edit is about."""
    operations: Operations = []
    for edit in edits:
        match edit:
            case Set():
                operations.append({"op": "replace", "path": edit.pointer, "value": json.loads(edit.source)})
            case Insert():
                operations.append({"op": "add", "path": edit.pointer, "value": json.loads(edit.source)})
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

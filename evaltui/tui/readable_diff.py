"""What differs between two JSON files, as lines that a person can read; for threads, since it takes a while."""

from __future__ import annotations

import json

from evaltui.document import Document
from evaltui.document.unified_diff import unified_diff
from evaltui.tui.widgets.diff_view import LONGEST

MOST_LINES = 10_000
"""Lines shown of a diff."""


def readable_diff(before: bytes, after: bytes) -> list[str]:
    """The lines of the diff, without its head; files that have everything in one line are compared value by value."""
    old, new = Document(before), Document(after)
    diff = list(unified_diff(old.body(), new.body(), ""))[2:]
    if any(len(line) > LONGEST for line in diff) and old.root is not None and new.root is not None:
        diff = list(unified_diff(_spread(old), _spread(new), ""))[2:]
    if len(diff) > MOST_LINES:
        diff[MOST_LINES:] = [f"… and {len(diff) - MOST_LINES:,} more lines"]
    return diff


def _spread(document: Document) -> bytes:
    """The text with a value a line."""
    assert document.root is not None
    try:
        text = json.dumps(document.root.value(), indent=2, ensure_ascii=False)
    except RecursionError:
        return document.body()
    return text.encode("utf-8", "surrogateescape")

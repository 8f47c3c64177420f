"""Diff of two JSON files in lines that a person can read. It is slow: call it in a thread."""

from __future__ import annotations

import json

from evaltui.document.diff.unified_diff import unified_diff
from evaltui.document.document import Document
from evaltui.tui.widgets.diff_view import LONGEST

MOST_LINES = 10_000
"""The most lines shown of a diff."""


def readable_diff(before: bytes, after: bytes) -> list[str]:
    """Lines of the diff without its head. Files with very long lines are compared with one value a line."""
    old, new = Document(before), Document(after)
    diff = list(unified_diff(old.body(), new.body(), ""))[2:]
    if any(len(line) > LONGEST for line in diff) and old.root is not None and new.root is not None:
        diff = list(unified_diff(_spread(old), _spread(new), ""))[2:]
    if len(diff) > MOST_LINES:
        diff[MOST_LINES:] = [f"… and {len(diff) - MOST_LINES:,} more lines"]
    return diff


def _spread(document: Document) -> bytes:
    """The text with one value a line; unchanged if its values nest too deep."""
    assert document.root is not None
    try:
        text = json.dumps(document.root.value(), indent=2, ensure_ascii=False)
    except RecursionError:
        return document.body()
    return text.encode("utf-8", "surrogateescape")

"""A unified diff in colour, its long lines folded, and the diff of two JSON files in lines that a person can read."""

from __future__ import annotations

import json
from collections.abc import Sequence

from evaltui.document.diff.unified_diff import unified_diff
from evaltui.document.document import Document
from evaltui.printable import printable
from evaltui.tui.lines import Line
from evaltui.tui.widgets.line_view import LineView

_ROLES = {"+": "ok", "-": "error", "@": "accent"}
LONGEST = 4000
"""Characters shown of one line."""


class DiffView(LineView):
    """The lines of a diff, or a sentence in their place."""

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self._unfolded: Sequence[str] = ()
        self._lines: Sequence[str] = ()

    def show(self, lines: Sequence[str]) -> None:
        """Show other lines from their start; long ones are folded."""
        self._unfolded = lines
        self.on_resize()
        self.scroll_to(y=0, animate=False)
        self.refresh()

    def on_resize(self) -> None:
        """Fold anew."""
        width = max(20, self.scrollable_content_region.width - 2)
        self._lines = [part for line in self._unfolded for part in _folded(printable(line[:LONGEST]), width)]
        super().on_resize()

    def line_count(self) -> int:
        """Number of lines of the diff, folded."""
        return len(self._lines)

    def line(self, index: int) -> Line:
        """A line in the colour of its mark; the mark itself stays, for those who see no colour."""
        text = self._lines[index]
        return [(text, _ROLES.get(text[:1], ""))]


def _folded(line: str, width: int) -> list[str]:
    """A line in pieces that fit, each with the mark of the diff; those behind the first are set in."""
    mark, first, rest = line[:1], line[1:width], line[width:]
    room = width - 5
    return [mark + first, *(f"{mark}    {rest[at : at + room]}" for at in range(0, len(rest), room))]


MOST_LINES = 10_000
"""The most lines shown of a diff."""


def readable_diff(before: bytes, after: bytes) -> list[str]:
    """Lines of the diff without its head. Files with very long lines are compared with one value a line."""
    old, new = Document(before), Document(after)
    diff = list(unified_diff(old.body(), new.body(), ""))[2:]
    if any(len(line) > LONGEST for line in diff) and old.root is not None and new.root is not None:
        diff = list(unified_diff(_spread(old), _spread(new), ""))[2:]
    return shortened(diff)


def shortened(diff: Sequence[str]) -> list[str]:
    """The first lines of a diff, and how many more there are."""
    more = [f"… and {len(diff) - MOST_LINES:,} more lines"] if len(diff) > MOST_LINES else []
    return [*diff[:MOST_LINES], *more]


def _spread(document: Document) -> bytes:
    """The text with one value a line; unchanged if its values nest too deep."""
    assert document.root is not None
    try:
        text = json.dumps(document.root.value(), indent=2, ensure_ascii=False)
    except RecursionError:
        return document.body()
    return text.encode("utf-8", "surrogateescape")

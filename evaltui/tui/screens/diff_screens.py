"""Screens with a diff: the unsaved changes, and the preview of all safe fixes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial

from rich.cells import cell_len, chop_cells
from textual import getters
from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen, ScreenResultType
from textual.widgets import Static

from evaltui.document.document import Document
from evaltui.document.sequence_diff import unified_diff
from evaltui.printable import printable
from evaltui.tui.commands import bindings
from evaltui.tui.lines import preview
from evaltui.tui.open_file.drafts import FieldDraft
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.process_end import result_of
from evaltui.tui.widgets.line_view import LineView

_ROLES = {"+": "ok", "-": "error", "@": "accent"}
LONGEST = 4000
"""Characters shown of one line."""
MOST_LINES = 10_000
"""The most lines shown of a diff."""


class DiffView(LineView):
    """The lines of a diff, or a sentence instead."""

    def __init__(self) -> None:
        super().__init__(id="diff")
        self._unfolded: Sequence[str] = ()

    def show(self, lines: Sequence[str]) -> None:
        """Show other lines from their start; long ones are folded."""
        self._unfolded = lines
        self.on_resize()
        self.scroll_to(y=0, animate=False)

    def on_resize(self) -> None:
        """Fold the lines for another width."""
        width = max(20, self.scrollable_content_region.width - 2)
        pieces = (piece for line in self._unfolded for piece in _folded(printable(line[:LONGEST]), width))
        # The mark stays, because colours may be off or not seen.
        self.all_lines = [[(piece, _ROLES.get(piece[:1], ""))] for piece in pieces]
        super().on_resize()
        # As many lines as before need no other size, so nothing else would draw them.
        self.refresh()


def _folded(line: str, width: int) -> list[str]:
    """A line in pieces of at most `width` cells, broken at spaces, each with the mark; later ones are indented."""
    if line.isascii() and len(line) <= width:
        return [line]
    mark, rest = line[:1], line[1:]
    indent = " " * (min(len(rest) - len(rest.lstrip(" ")), width // 3) + 4)
    pieces, room = [], width - 1
    while cell_len(rest) > room:
        fitting = len(chop_cells(rest[:room], room)[0])
        end = rest.rfind(" ", 0, fitting) + 1
        # A word longer than half of the line is divided: else one piece would be almost empty.
        if end <= fitting // 2 or not rest[:end].strip():
            end = fitting
        pieces.append(rest[:end])
        rest, room = rest[end:], width - 1 - len(indent)
    first, *rest_pieces = [*pieces, rest]
    return [mark + first, *(mark + indent + piece for piece in rest_pieces)]


def readable_diff(old_bytes: bytes, new_bytes: bytes) -> list[str]:
    """The lines of the diff without its header. Files with very long lines are compared with one value per line."""
    old, new = Document(old_bytes), Document(new_bytes)
    diff = list(unified_diff(old.body(), new.body(), ""))[2:]
    if any(len(line) > LONGEST for line in diff) and old.root is not None and new.root is not None:
        diff = list(unified_diff(_spread(old), _spread(new), ""))[2:]
    return shortened(diff)


def shortened(diff: Sequence[str]) -> list[str]:
    """The first lines of a diff, and the number of further lines."""
    more = [f"… and {len(diff) - MOST_LINES:,} more lines"] if len(diff) > MOST_LINES else []
    return [*diff[:MOST_LINES], *more]


def _spread(document: Document) -> bytes:
    """The text with one value per line; unchanged if its values nest too deep."""
    assert document.root is not None
    try:
        text = json.dumps(document.root.value(), indent=2, ensure_ascii=False)
    except RecursionError:
        return document.body()
    return text.encode("utf-8", "surrogateescape")


class DiffScreen(Screen[ScreenResultType]):
    """A screen with a diff, which its keys scroll wherever the focus is."""

    PLACE: str
    diff = getters.query_one(DiffView)
    status = getters.query_one(StatusBar)
    heading: str
    """The title, safe to show."""

    def compose(self) -> ComposeResult:
        """Title and diff, and the bars below."""
        yield Static(Content.styled(self.heading, "bold"), markup=False, id="title")
        yield DiffView()
        yield StatusBar()
        yield KeysBar(place=self.PLACE)

    def leave(self) -> None:
        """Close without a decision."""
        self.dismiss(None)


class UnsavedScreen(DiffScreen[None]):
    """The unsaved changes: shows drafts at once, and the diff when a thread has computed it."""

    PLACE = "unsaved"
    BINDINGS = bindings("unsaved")

    def __init__(
        self, name: str, old_text: bytes | None, new_text: bytes, drafts: Sequence[FieldDraft], trial: str = ""
    ) -> None:
        """`old_text` is None if the file does not exist yet. `trial` is a clause about unwritten criteria."""
        super().__init__()
        self.heading = f" {name} · unsaved changes"
        self._old_text, self._new_text = old_text, new_text
        self._draft_count = len(drafts)
        self._beside = [f"✎ {draft.where}: {preview(draft.text, 200)} ({printable(draft.problem)})" for draft in drafts]
        if trial:
            self._beside.append(f"✎ {printable(trial)}")

    def on_mount(self) -> None:
        """Show the drafts and start the comparison."""
        if self._old_text == self._new_text:
            self._show(["The text is the same as in the file."])
            return
        self._show(["comparing …"])
        self.run_worker(self._compare())

    async def _compare(self) -> None:
        is_new = self._old_text is None
        try:
            diff = await result_of(partial(readable_diff, self._old_text or b"", self._new_text))
        except Exception:
            self._show(["The texts cannot be compared."])
        else:
            self._show(["The file is not on disk yet.", "", *diff] if is_new else diff or ["No differences."])

    def _show(self, diff: list[str]) -> None:
        self.diff.show([*self._beside, *([""] if self._beside else []), *diff])
        added, removed = (sum(line[:1] == mark for line in diff) for mark in "+-")
        counts = [f"{added:,} line{'s' * (added != 1)} added, {removed:,} removed"] if added or removed else diff[:1]
        if count := self._draft_count:
            counts.append(f"{count:,} draft{'s' * (count != 1)}, not in the file")
        self.status.say(" · ".join(counts))


class FixesPreview(DiffScreen[bool]):
    """The preview of all safe fixes; returns whether to apply them."""

    PLACE = "repairs"
    BINDINGS = bindings("repairs")

    def __init__(self, name: str, fixed: Mapping[str, int], remaining: int, diff: Sequence[str]) -> None:
        """`fixed` counts the fixes by rule; `remaining` is the number of problems that stay."""
        super().__init__()
        count = sum(fixed.values())
        self.heading = printable(f" {name}: {count:,} safe fix{'es' * (count != 1)}, not applied yet")
        self._fixed, self._remaining, self._lines = fixed, remaining, shortened(diff)

    def on_mount(self) -> None:
        """Show the diff and the numbers by rule."""
        by_count = sorted(self._fixed.items(), key=lambda item: -item[1])
        counts = ", ".join(f"{count:,} {code}" for code, count in by_count)
        problems = f"{self._remaining} problem{'s' * (self._remaining != 1)} left"
        self.status.say(f"Fixes {counts} · {problems if self._remaining else 'the text is then valid JSON'}")
        self.diff.show(self._lines)

    def apply(self) -> None:
        """Apply the fixes."""
        self.dismiss(True)

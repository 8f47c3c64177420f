"""What all safe fixes would change, as a diff, to apply them or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from evaltui.printable import printable
from evaltui.tui.commands import bindings
from evaltui.tui.panes.bars import KeysBar, StatusBar
from evaltui.tui.widgets.diff_view import DiffView

MOST_LINES = 10_000
"""Lines shown of a diff."""


class FixesPreview(Screen[bool]):
    """Gives whether to apply them."""

    BINDINGS = bindings("repairs")

    def __init__(self, name: str, fixed: Mapping[str, int], left: int, diff: Sequence[str]) -> None:
        """`fixed` counts the fixes by rule, `left` is the number of problems that stay."""
        super().__init__()
        self._name, self._fixed, self._left = name, fixed, left
        self._diff = list(diff[:MOST_LINES])
        if len(diff) > MOST_LINES:
            self._diff.append(f"… and {len(diff) - MOST_LINES:,} more lines")

    def compose(self) -> ComposeResult:
        """The number of fixes, the diff, the numbers by rule, and the keys."""
        count = sum(self._fixed.values())
        title = f" {self._name}: {count:,} safe fix{'es' * (count != 1)}, not applied yet"
        yield Static(Content(printable(title)), markup=False, id="title")
        yield DiffView("fixes-diff")
        yield StatusBar()
        yield KeysBar(lambda command: command.title)

    def on_mount(self) -> None:
        """Show it all."""
        by_count = sorted(self._fixed.items(), key=lambda item: -item[1])
        counts = ", ".join(f"{count:,} {code}" for code, count in by_count)
        left = f"{self._left} problem{'s' * (self._left != 1)} left" if self._left else "JSON then"
        self.query_one(StatusBar).say(f"{left}; {counts}")
        self.query_one(KeysBar).show_place("repairs")
        view = self.query_one(DiffView)
        view.focus()
        view.show(self._diff)

    def action_apply(self) -> None:
        """Yes."""
        self.dismiss(True)

    def action_leave(self) -> None:
        """No."""
        self.dismiss(False)

    def action_move(self, step: int) -> None:
        """Scroll."""
        self.query_one(DiffView).scroll_relative(y=step, animate=False)

    def action_move_page(self, direction: int) -> None:
        """Scroll a page."""
        view = self.query_one(DiffView)
        view.scroll_relative(y=direction * view.page(), animate=False)

    def action_move_end(self, direction: int) -> None:
        """Scroll to the first or last line."""
        view = self.query_one(DiffView)
        view.scroll_to(y=0 if direction < 0 else view.line_count(), animate=False)

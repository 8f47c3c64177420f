"""The diff that all safe fixes would make, to apply them or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from evaltui.printable import printable
from evaltui.tui.commands import bindings
from evaltui.tui.panes.bars import KeysBar, StatusBar
from evaltui.tui.screens.diff_screen import DiffScreen
from evaltui.tui.widgets.diff_view import DiffView, shortened


class FixesPreview(DiffScreen[bool]):
    """Gives whether to apply them."""

    BINDINGS = bindings("repairs")

    def __init__(self, name: str, fixed: Mapping[str, int], left: int, diff: Sequence[str]) -> None:
        """`fixed` counts the fixes by rule, `left` is the number of problems that stay."""
        super().__init__()
        self._name, self._fixed, self._left = name, fixed, left
        self._lines = shortened(diff)

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
        self.status.say(f"{left}; {counts}")
        self.query_one(KeysBar).show_place("repairs")
        self.diff.focus()
        self.diff.show(self._lines)

    def action_apply(self) -> None:
        """Apply the fixes."""
        self.dismiss(True)

    def action_leave(self) -> None:
        """Close without the fixes."""
        self.dismiss(False)

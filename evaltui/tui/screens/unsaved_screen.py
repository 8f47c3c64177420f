"""Screen of unsaved edits: the diff between the file and the text in the editor, and the drafts."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from evaltui.printable import printable
from evaltui.tui.commands import bindings
from evaltui.tui.lines import preview
from evaltui.tui.panes.bars import KeysBar, StatusBar
from evaltui.tui.screens.diff_screen import DiffScreen
from evaltui.tui.session.drafts import FieldDraft
from evaltui.tui.widgets.diff_view import DiffView, readable_diff


class UnsavedScreen(DiffScreen[None]):
    """Shows the drafts at once, and the diff when a thread has computed it."""

    BINDINGS = bindings("unsaved")

    def __init__(self, name: str, before: bytes | None, after: bytes, drafts: Sequence[FieldDraft]) -> None:
        """`before` is the content of the file `name`; None if the file does not exist yet."""
        super().__init__()
        self._name, self._before, self._after = name, before, after
        self._drafts = [_said(draft) for draft in drafts]

    def compose(self) -> ComposeResult:
        """Title, drafts and diff, and the bars below."""
        yield Static(Content(f" {self._name} · unsaved changes"), markup=False, id="title")
        yield DiffView("unsaved-diff")
        yield StatusBar()
        yield KeysBar(lambda command: command.title)

    def on_mount(self) -> None:
        """Show the drafts and start the comparison."""
        self.query_one(KeysBar).show_place("unsaved")
        self.diff.focus()
        if self._before == self._after:
            self._show(["The text is the same as in the file."])
            return
        self._show(["comparing …"])
        self.run_worker(self._compare, thread=True, exclusive=True, group="diff", exit_on_error=False)

    def _compare(self) -> list[str]:
        if self._before is None:
            return ["The file is not on disk yet.", "", *readable_diff(b"", self._after)]
        return readable_diff(self._before, self._after) or ["No line differs."]

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Show the diff once the comparison ends."""
        if event.state in (WorkerState.SUCCESS, WorkerState.ERROR):
            event.stop()
            self._show(event.worker.result or ["The texts cannot be compared."])

    def _show(self, diff: list[str]) -> None:
        self.diff.show([*self._drafts, *([""] if self._drafts else []), *diff])
        added, removed = (sum(line[:1] == mark for line in diff) for mark in "+-")
        plural = "s" * (added != 1)
        counts = [f"{added:,} line{plural} added, {removed:,} removed"] if added or removed else diff[:1]
        if self._drafts:
            counts.append(f"{len(self._drafts):,} draft{'s' * (len(self._drafts) != 1)}, not in the file")
        self.status.say(" · ".join(counts))

    def action_leave(self) -> None:
        """Close the screen."""
        self.dismiss()


def _said(draft: FieldDraft) -> str:
    return f"✎ {draft.where}: {preview(draft.text, 200)} ({printable(draft.problem)})"

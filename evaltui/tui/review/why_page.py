"""The page that says in full why a turn fails. Keys that decide or try criteria close it and act."""

from __future__ import annotations

from dataclasses import replace

from textual.binding import Binding

from evaltui.tui.commands import bindings
from evaltui.tui.screens.text_pages import TextScreen

_DECIDING = {
    *("review.accept", "review.accept_turn", "review.accept_sequence", "review.reject", "review.skip"),
    *("review.note", "review.undo", "review.redo", "review.match_type", "review.ignore_args", "review.threshold"),
}
"""The commands of the review that decide, undo, or try other criteria."""


class WhyPage(TextScreen):
    """Shows the sentences. Once it has closed, `wanted` is the action of the key that closed it, or ""."""

    BINDINGS = [
        replace(each, action=f"decide('{each.action}')")
        for each in bindings("review")
        if isinstance(each, Binding) and each.id in _DECIDING
    ]

    wanted = ""

    def action_decide(self, action: str) -> None:
        """Close, to have the review do this."""
        self.wanted = action
        self.dismiss()

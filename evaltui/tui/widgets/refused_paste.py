"""Message about a paste that is too long for a box."""

from __future__ import annotations

from textual.widget import Widget


def refusal(pasted: str, most: int) -> str:
    """A message that nothing was pasted, with both numbers of characters."""
    return f"{len(pasted):,} characters are too many here; the most is {most:,}. Nothing was pasted."


def refuse_paste(box: Widget, pasted: str, most: int) -> None:
    """Show the message as a notification above the screen."""
    box.app.notify(refusal(pasted, most), severity="warning", markup=False)

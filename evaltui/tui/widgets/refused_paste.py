"""What is said of a paste that is too long for a box."""

from __future__ import annotations

from textual.widget import Widget


def refusal(pasted: str, most: int) -> str:
    """That nothing was pasted, and why."""
    return f"{len(pasted):,} characters are too many here; the most is {most:,}. Nothing was pasted."


def refuse_paste(box: Widget, pasted: str, most: int) -> None:
    """Say it above all that is on screen."""
    box.app.notify(refusal(pasted, most), severity="warning", markup=False)

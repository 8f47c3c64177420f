"""One line for all that a form has not got: it says what, and offers it."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.tui.forms.form import Choice, Item, Offer


def offer_of(absent: Sequence[str], choices: Sequence[Choice], to: str) -> list[Item]:
    """A compact last line: `session input · rubrics: absent, enter adds`."""
    if not choices:
        return []
    line = [(f"{' · '.join(absent)}: absent, enter adds", "dim")] if absent else [("enter adds more", "dim")]
    return [Offer("more", line, f"Add to {to}", tuple(choices))]

"""All keys, made from the registry of commands."""

from __future__ import annotations

from textwrap import wrap

from textual.content import Content

from evaltui.tui.commands import PLACES, commands_at, key_name, places_beside
from evaltui.tui.screens.page_screen import PageScreen

_COLUMN = 18
"""Cells for the keys."""


class HelpScreen(PageScreen):
    """All keys; those of the place where the person is come first."""

    def __init__(self, place: str) -> None:
        super().__init__("Keys")
        self._place = place

    def content(self, width: int) -> Content:
        """One section a place."""
        return help_content(self._place, width)


def help_content(place: str, width: int) -> Content:
    """The keys of all places with what they do, in lines of up to `width` cells.

    Those of `place` come first, then those that act beside them.
    """
    parts: list[Content] = []
    order = [place, *places_beside(place)]
    for at in sorted(PLACES, key=lambda at: order.index(at) if at in order else len(order)):
        parts.append(Content.styled(f"{PLACES[at]}\n", "bold $text-accent"))
        for command in commands_at(at):
            names = " ".join(key_name(key) for key in command.keys.split(","))
            first, *rest = wrap(command.help, max(20, width - _COLUMN)) or [""]
            parts.append(Content.assemble(f"  {names:<{_COLUMN - 3}} ", (f"{first}\n", "dim")))
            parts += [Content.styled(f"{' ' * _COLUMN}{line}\n", "dim") for line in rest]
        parts.append(Content("\n"))
    return Content.assemble(*parts)

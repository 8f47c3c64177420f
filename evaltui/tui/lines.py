"""One line of a pane as runs of text with a role; what a role looks like is the stylesheet's business."""

from __future__ import annotations

from rich.cells import chop_cells
from textual.content import Content

from evaltui.printable import one_line, printable

Run = tuple[str, str]
"""A text and its role: "" (plain), dim, name, accent, ok, warning, error, heading, differs, key, hovered."""

Line = list[Run]

_MANY_PAGES = 20_000
"""Characters."""

FILL = "fill"
"""The role of a run that takes all room left in its line, to push what follows to the right edge."""

ROLES = ("dim", "name", "accent", "ok", "warning", "error", "heading", "differs", "key", "hovered")


def dim(text: str) -> Line:
    """A line of one dim run."""
    return [(printable(text), "dim")]


def text_of(line: Line) -> str:
    """The text of a line without its roles."""
    return "".join(text for text, _ in line)


def preview(text: str, width: int = 200) -> str:
    """The start of a text of unknown origin on one safe line."""
    return one_line(text, width)


def folded(text: str, width: int) -> list[str]:
    """A text of unknown origin in lines of at most `width` cells, of which wide characters take two.

    A text of many pages is cut anywhere, which takes a tenth of the time that looking for blanks does.
    """
    shown = printable(text, keep_lines=True).expandtabs(4)
    if len(shown) > _MANY_PAGES:
        return [part for line in shown.split("\n") for part in chop_cells(line, width) or [""]]
    return [line.plain for line in Content(shown).wrap(width)]

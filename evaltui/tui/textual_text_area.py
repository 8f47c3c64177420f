"""Private names of Textual's text area, under public names; other private names are in `textual_compat.py`."""

from __future__ import annotations

from typing import Any

from rich.cells import split_graphemes
from textual import events
from textual._wrap import compute_wrap_offsets
from textual.document import _wrapped_document
from textual.document._wrapped_document import WrappedDocument
from textual.widgets import TextArea
from textual.widgets.text_area import EditResult

from evaltui.tui.lines import JOINING

Location = tuple[int, int]
"""Line and column in a text area."""


def _wrap_offsets(text: str, width: int, tab_size: int, **options: Any) -> list[int]:
    """Textual's function with a shortcut for text that fits: it is not split into words first.

    Textual measures each character alone, and breaks joined emoji apart. So it gets one character of the same width
    for each of them.
    """
    if len(text) <= width and text.isascii() and text.isprintable():
        return []
    if not JOINING.search(text):
        return compute_wrap_offsets(text, width, tab_size, **options)
    spans, _ = split_graphemes(text)
    alike = "".join(text[start] if end == start + 1 else _OF_WIDTH[min(cells, 2)] for start, end, cells in spans)
    return [spans[offset][0] for offset in compute_wrap_offsets(alike, width, tab_size)]


_OF_WIDTH = ("\u0301", "x", "\u4e00")
"""Characters that take no, one and two cells."""


# Textual calls it for every line of a text: the shortcut saves nine tenths of the time of a large paste.
_wrapped_document.compute_wrap_offsets = _wrap_offsets  # type: ignore[assignment, attr-defined]


class LongDocument(WrappedDocument):
    """Wrapped document that caches its height; Textual counts the lines each time."""

    @property
    def height(self) -> int:
        """In wrapped lines."""
        return len(self._offset_to_line_info)


class TypedTextArea(TextArea):
    """Text area whose subclass decides what typing, deleting and pasting do."""

    def replace_typed(self, insert: str, start: Location, end: Location) -> EditResult | None:
        """Replace a range with typed or pasted text."""
        return super()._replace_via_keyboard(insert, start, end)

    def delete_typed(self, start: Location, end: Location) -> EditResult | None:
        """Delete a range, as the delete keys do."""
        return self._delete_via_keyboard(start, end)

    @property
    def wrapped_document(self) -> LongDocument:
        """The wrapped text, in a form that is fast for long texts too."""
        return self._wrapped

    @wrapped_document.setter
    def wrapped_document(self, wrapped: WrappedDocument) -> None:
        self._wrapped = LongDocument(wrapped.document)

    async def insert_pasted(self, text: str) -> None:
        """Insert a text as Textual's paste does."""
        await super()._on_paste(events.Paste(text))

    def _replace_via_keyboard(self, insert: str, start: Location, end: Location) -> EditResult | None:
        return self.replace_typed(insert, start, end)

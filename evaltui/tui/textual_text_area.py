"""Private names of Textual's text area, under public names; the others are in `textual_compat.py`."""

from __future__ import annotations

from typing import Any

from textual import events
from textual._wrap import compute_wrap_offsets
from textual.document import _wrapped_document
from textual.document._wrapped_document import WrappedDocument
from textual.widgets import TextArea
from textual.widgets.text_area import EditResult

Location = tuple[int, int]
"""Line and column in a text area."""


def _wrap_offsets(text: str, width: int, *more: Any, **options: Any) -> list[int]:
    """Textual's function, but short text is not taken apart into words to find out that it needs no cut."""
    if len(text) <= width and text.isascii() and text.isprintable():
        return []
    return compute_wrap_offsets(text, width, *more, **options)


# Textual calls it for every line of a text: this saves nine tenths of the time that a large paste takes.
_wrapped_document.compute_wrap_offsets = _wrap_offsets  # type: ignore[attr-defined]


class LongDocument(WrappedDocument):
    """A wrapped document that knows its height; Textual counts the lines anew each time."""

    @property
    def height(self) -> int:
        """In wrapped lines."""
        return len(self._offset_to_line_info)


class TypedTextArea(TextArea):
    """A text area in which a subclass decides what typing, deleting and pasting do."""

    def replace_typed(self, insert: str, start: Location, end: Location) -> EditResult | None:
        """Put what is typed or pasted in the place of a range."""
        return super()._replace_via_keyboard(insert, start, end)

    def delete_typed(self, start: Location, end: Location) -> EditResult | None:
        """Delete a range as a key does."""
        return self._delete_via_keyboard(start, end)

    @property
    def wrapped_document(self) -> LongDocument:
        """The text as it is wrapped, in a form that is fast also for long texts."""
        return self._wrapped

    @wrapped_document.setter
    def wrapped_document(self, wrapped: WrappedDocument) -> None:
        self._wrapped = LongDocument(wrapped.document)

    async def insert_pasted(self, text: str) -> None:
        """Take in a text as Textual does when it is pasted."""
        await super()._on_paste(events.Paste(text))

    def _replace_via_keyboard(self, insert: str, start: Location, end: Location) -> EditResult | None:
        return self.replace_typed(insert, start, end)

"""The one text box of the editor, shown over the edited field.

Of Textual's private names, those of text areas are here, each with a contract test; all others are in `textual_compat`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from types import SimpleNamespace
from typing import Any

from rich.cells import split_graphemes
from rich.text import Span, Text
from textual import events
from textual._wrap import compute_wrap_offsets
from textual.document import _wrapped_document
from textual.document._document import Location
from textual.document._wrapped_document import WrappedDocument
from textual.message import Message
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult

from evaltui.printable import UNSAFE_IN_LINES, is_unsafe, printable
from evaltui.tui.commands import bindings
from evaltui.tui.lines import JOINING
from evaltui.tui.textual_compat import bindings_of_key, forget_cut_lines, obey_keymap
from evaltui.tui.widgets.line_input import on_one_line, refusal

_PRIVATE = "\U000f0000-\U000ffffd\U00100000-\U0010fffd"
_covered = re.compile(f"[{UNSAFE_IN_LINES}{_PRIVATE}]")
_private = re.compile(f"[{_PRIVATE}]")
LARGEST = 200_000
"""Size, in bytes, from which a text is not put into the box: each key would take longer than a frame."""


def unix_breaks(text: str) -> str:
    """The text with a line feed for each carriage return or CR LF; terminals paste carriage returns."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


class Veil:
    """Replaces each unsafe character of the text in a box by a private-use character, and restores it unchanged.

    All text of the box must pass through `over`: then the meaning of every private-use character in it is known, even
    of those that stand for themselves.
    """

    # Textual's TextArea turns every exotic line separator into a newline and lets control characters through.

    def __init__(self) -> None:
        self._stand_ins: dict[str, str] = {}
        self._originals: dict[str, str] = {}
        self._free = map(chr, chain(range(0x10FFFD, 0xFFFFF, -1), range(0xFFFFD, 0xEFFFF, -1)))

    def over(self, text: str) -> str:
        """The text with unsafe characters replaced by private-use ones; newline and tab stay."""
        return _covered.sub(lambda match: self._stand_in(match[0]), text)

    def _stand_in(self, original: str) -> str:
        """The private-use character for `original`; a free private-use character stands for itself."""
        if original not in self._stand_ins:
            is_free = _private.match(original) and original not in self._originals
            stand_in = original if is_free else next(c for c in self._free if c not in self._originals)
            self._stand_ins[original], self._originals[stand_in] = stand_in, original
        return self._stand_ins[original]

    def off(self, text: str) -> str:
        """The original of a text that `over` returned."""
        if text.isascii():
            return text
        return _private.sub(lambda match: self._originals.get(match[0], match[0]), text)

    def shown(self, line: str) -> str:
        """A line of the text box as it is drawn, with visible marks for veiled characters; tabs stay."""
        return printable(self.off(line), keep_lines=True)


# In a line of 190,000 characters, a letter takes 50 ms with it, and 180 ms without it.
class LongLine(Text):
    """A line for `TextArea.get_line` that is cheap to divide."""

    def divide(self, offsets: Iterable[int]) -> Any:
        """The sections between `offsets`, made on demand: TextArea divides the line again for each visible section."""
        return _Sections(self, [0, *offsets, len(self)])


class _Sections:
    """The sections of a line. TextArea draws the first one it takes, and only counts tabs in the others."""

    def __init__(self, line: Text, bounds: list[int]) -> None:
        self._line, self._plain, self._bounds = line, line.plain, bounds
        self._taken = False
        self._has_tabs = "\t" in self._plain

    def __getitem__(self, number: int) -> Text | SimpleNamespace:
        start, stop = self._bounds[number], self._bounds[number + 1]
        if self._taken:
            return SimpleNamespace(plain=self._plain[start:stop]) if self._has_tabs else _NO_TABS
        self._taken = True
        line = self._line
        spans = [
            Span(max(0, span.start - start), min(stop, span.end) - start, span.style)
            for span in line.spans
            if span.start < stop and span.end > start
        ]
        return Text(self._plain[start:stop], line.style, no_wrap=True, end="", tab_size=line.tab_size, spans=spans)


_NO_TABS = SimpleNamespace(plain="")


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
# It counts the wrapped lines each time, although it has a list of them.
WrappedDocument.height = property(lambda wrapped: len(wrapped._offset_to_line_info))  # type: ignore[assignment]


class TextField(TextArea):
    """Text area that grows with its text, leaves undo to the document, and reports the user's actions."""

    PLACE = "field"
    BINDINGS = bindings("field")

    DEFAULT_CSS = """
    TextField {
        layer: above;
        position: absolute;
        display: none;
        border: none;
        padding: 0;
        background: $surface;
        background-tint: $foreground 5%;
        scrollbar-size-vertical: 1;
        &:focus { border: none; }
        & .text-area--cursor-line { background: transparent; }
    }
    """

    @dataclass
    class OneLine(Message):
        """A line break was typed or pasted into a one-line text; `text` is the message for the status line."""

        text: str

    class CaretJumped(Message):
        """The cursor moved, but not by typing."""

    def __init__(
        self,
        leave: Callable[[int], None],
        take_long: Callable[[str, int], None] | None = None,
        go_on: Callable[[int], None] | None = None,
    ) -> None:
        """`leave` is called when editing ends: with 1 for the next line, 0 for none.

        `go_on` is called to edit the next (1) or previous (-1) field, or to end a list (0); without it, `leave`.

        `take_long` gets a text that a paste made too long for the box, and the number of pasted characters. Without
        it, such a paste is refused. In both cases the box does not change.
        """
        super().__init__(soft_wrap=True, compact=True, id="field", max_checkpoints=0)  # the document has the undo steps
        self._leave = leave
        self._take_long = take_long
        self._go_on = go_on or leave
        self.single_line = True
        """Whether enter leaves the field instead of beginning a new line, unless the text has several lines."""
        self.one_line = False
        """Whether the text never has line breaks."""
        self.is_boolean = False
        """Whether space toggles true and false."""
        self.cursor_blink = False
        self._caret = (0, 0)
        self._veil = Veil()
        self.suggest: Callable[[str], str] | None = None
        """Gives the completion of a text; shown dim after the cursor and inserted with the right arrow."""

    @property
    def leaves_by_enter(self) -> bool:
        """Whether enter leaves the field: in a text that has several lines, it begins another one."""
        return self.single_line and self.document.line_count == 1

    def update_suggestion(self) -> None:
        """Show the completion while the cursor is at the end of a single line."""
        rest = ""
        if self.suggest is not None and self.leaves_by_enter and self.cursor_location == self.document.end:
            rest = self.suggest(self.value)
        self.suggestion = self._veil.shown(rest) if rest and not is_unsafe(rest) else ""

    @property
    def completed(self) -> str:
        """The whole text that the right arrow makes of the typed one; "" without a suggestion."""
        return self._veil.off(self.text + self.suggestion) if self.suggestion else ""

    def action_cursor_right(self, select: bool = False) -> None:
        """Insert the suggestion at the end of the text; elsewhere, move the cursor."""
        if select or self.cursor_location != self.document.end:
            self.suggestion = ""
        super().action_cursor_right(select)

    def on_mount(self) -> None:
        """Apply the keys of the settings to the keys that this box handles before Textual's bindings."""
        obey_keymap(self)

    @property
    def value(self) -> str:
        """The text for the document, without the veil."""
        return self._veil.off(self.text)

    def show(self, text: str) -> None:
        """Show another text without reporting it as typed; the cursor goes to its end."""
        with self.prevent(TextArea.Changed, TextArea.SelectionChanged):
            self._veil = Veil()
            self.load_text(self._veil.over(text))
            self.move_cursor(self.document.end)
        self._caret = self.cursor_location

    def get_line(self, line_index: int) -> Text:
        """Draw veiled characters as visible marks."""
        return LongLine(self._veil.shown(self.document.get_line(line_index)), end="", no_wrap=True)

    async def on_key(self, event: events.Key) -> None:
        """Run the binding of a key at once: in a burst of keys, letters would overtake a key that bubbles first."""
        bound, character = bindings_of_key(self, event.key), event.character or ""
        if action := bound[0].action if bound else "":
            event.stop()
            event.prevent_default()
            await self.run_action(action)
        elif not event.is_printable and len(character) == 1 and unicodedata.category(character) != "Cc":
            # TextArea accepts only characters that Python calls printable: no spaces of input methods, no joiners.
            event.stop()
            event.prevent_default()
            self._replace_via_keyboard(character, *self.selection)

    async def on_paste(self, event: events.Paste) -> None:
        """Insert a pasted text unchanged, except for line ends: terminals send carriage returns."""
        event.prevent_default()
        text = unix_breaks(event.text)
        if self._is_too_long(text):
            event.stop()
        else:
            await super()._on_paste(events.Paste(text))

    def action_paste(self) -> None:
        """Paste the text that was cut or copied here."""
        if not self._is_too_long(self.app.clipboard):
            super().action_paste()

    def _is_too_long(self, pasted: str) -> bool:
        """Whether a paste makes the text too long for the box; then `take_long` gets it, or it is refused."""
        if len(self.text) + len(pasted) <= LARGEST // 4:  # a character has four bytes at most
            return False
        start, end = sorted(self.selection)
        head, tail = self.get_text_range((0, 0), start), self.get_text_range(end, self.document.end)
        text = self._veil.off(head) + pasted + self._veil.off(tail)
        if len(text.encode("utf-8", "surrogatepass")) <= LARGEST:
            return False
        if self._take_long is not None:
            self._take_long(text, len(pasted))
        else:
            self.app.notify(refusal(pasted, LARGEST), severity="warning", markup=False)
        return True

    def _replace_via_keyboard(self, insert: str, start: Location, end: Location) -> EditResult | None:
        """Veil typed or pasted text; a one-line text stays on one line."""
        flat = on_one_line(insert) if self.one_line else insert
        result = super()._replace_via_keyboard(self._veil.over(flat), start, end)
        if flat != insert:
            # After the message about the change, which has another sentence in the status line.
            self.call_later(self.post_message, self.OneLine("Line breaks became spaces: this field has one line."))
        return result

    def clear_text(self) -> None:
        """Delete the text; in a text of several lines, the line, and with a second press the line break before it."""
        row = self.cursor_location[0]
        length = len(self.document.get_line(row))
        if self.single_line:
            self._delete_via_keyboard(self.document.start, self.document.end)
        elif length:
            self._delete_via_keyboard((row, 0), (row, length))
        else:
            self.action_delete_left()

    @property
    def toggled(self) -> str:
        """The other value of a boolean; "" for any other text."""
        return {"true": "false", "false": "true"}.get(self.value.strip(), "") if self.is_boolean else ""

    def toggle_value(self) -> None:
        """Switch true and false; in any other text, type a space."""
        if not self.toggled:
            self._replace_via_keyboard(" ", *self.selection)
        else:
            self._replace_via_keyboard(self.toggled, self.document.start, self.document.end)
            self.select_all()

    def enter(self) -> None:
        """Begin a new line, edit the next field, or end editing."""
        if self.leaves_by_enter:
            self._leave(1)
        else:
            self._replace_via_keyboard("\n", *self.selection)

    def action_delete_to_end_of_line(self) -> None:
        """Delete the selection, else to the end of the whole line, even if it is wrapped."""
        row, column = self.cursor_location
        if self.selection.is_empty:
            self._delete_via_keyboard((row, column), (row, len(self.document.get_line(row))))
        else:
            super().action_delete_right()

    @property
    def selected_text(self) -> str:
        """The selected text without the veil, for the clipboard."""
        return self._veil.off(super().selected_text)

    def action_cut(self) -> None:
        """Cut to the clipboard, without the veil."""
        super().action_cut()
        veiled = self.app.clipboard
        if self._veil.off(veiled) != veiled:
            self.app.copy_to_clipboard(self._veil.off(veiled))

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Typing is no jump of the cursor."""
        forget_cut_lines(self.text)
        self._caret = self.cursor_location

    def on_text_area_selection_changed(self, event: TextArea.SelectionChanged) -> None:
        """Report jumps of the cursor, which end an undo step."""
        event.stop()
        if self.cursor_location != self._caret:
            self._caret = self.cursor_location
            self.update_suggestion()
            self.post_message(self.CaretJumped())

    def edit(self, edit: Edit) -> EditResult:
        """Remember where an edit leaves the cursor: that is no jump."""
        result = super().edit(edit)
        self._caret = self.cursor_location
        return result

    def leave(self, step: int) -> None:
        """Leave the field, for the next (1) or previous (-1) one if there is any."""
        (self._go_on if step else self._leave)(step)

    def new_line(self) -> None:
        """Begin a new line, even if enter goes to the next field."""
        if self.one_line:
            self.post_message(self.OneLine("This field has one line."))
        else:
            self.insert("\n")

    def go_to_end(self, direction: int) -> None:
        """Go to the start (-1) or end (1) of the text."""
        self.move_cursor(self.document.end if direction > 0 else (0, 0))

"""Text in text boxes: line breaks of pasted text, refusal of long pastes, and a veil for unsafe characters.

Textual's TextArea turns every exotic line separator into a newline and lets control characters through. The veil
replaces each with a private-use character of the same length, and restores it unchanged.
"""

from __future__ import annotations

import re
from itertools import chain

from textual.widget import Widget

from evaltui.printable import UNSAFE_IN_LINES, printable

_BREAK = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")
_PRIVATE = "\U000f0000-\U000ffffd\U00100000-\U0010fffd"
_covered = re.compile(f"[{UNSAFE_IN_LINES}{_PRIVATE}]")
_private = re.compile(f"[{_PRIVATE}]")


def unix_breaks(text: str) -> str:
    """The text with a line feed for each carriage return or CR LF; terminals paste carriage returns."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def on_one_line(text: str) -> str:
    """The text with a space for each line break. Breaks at the end are dropped: copied lines often have one."""
    end = len(text)
    while end and _BREAK.match(text, end - 1):
        end -= 1
    return _BREAK.sub(" ", text[:end])


def refusal(pasted: str, most: int) -> str:
    """The message that nothing was pasted, with the number of characters and the limit."""
    return f"{len(pasted):,} characters are too many: the limit is {most:,}. Nothing was pasted."


def refuse_paste(box: Widget, pasted: str, most: int) -> None:
    """Show the message as a notification above the screen."""
    box.app.notify(refusal(pasted, most), severity="warning", markup=False)


class Veil:
    """Maps each unsafe character of the text in a box to a private-use character.

    All text of the box must pass through `over`: then the meaning of every private-use character in it is known, even
    of those that stand for themselves.
    """

    def __init__(self) -> None:
        self._stand_ins: dict[str, str] = {}
        self._originals: dict[str, str] = {}
        self._free = map(chr, chain(range(0x10FFFD, 0xFFFFF, -1), range(0xFFFFD, 0xEFFFF, -1)))

    def over(self, text: str) -> str:
        """`text` with unsafe characters replaced by private-use ones; newline and tab stay."""
        return _covered.sub(lambda found: self._stand_in(found[0]), text)

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
        return _private.sub(lambda found: self._originals.get(found[0], found[0]), text)

    def shown(self, line: str) -> str:
        """A line of the text box as it is drawn, with visible marks for veiled characters; tabs stay."""
        return printable(self.off(line), keep_lines=True)

"""Text for boxes: line breaks of what is pasted, the refusal of what is too long, and unsafe characters under a veil.

Textual's TextArea makes a newline of every exotic line separator and lets control characters through. Under a
veil each stands as a private character, so that nothing shifts, and comes back unchanged.
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
    """A message that nothing was pasted, with both numbers of characters."""
    return f"Nothing was pasted: {len(pasted):,} characters are over the limit of {most:,}."


def refuse_paste(box: Widget, pasted: str, most: int) -> None:
    """Show the message as a notification above the screen."""
    box.app.notify(refusal(pasted, most), severity="warning", markup=False)


class Veil:
    """Gives each unsafe character a private one that stands for it, as long as one text is in the box.

    All that comes into the box must pass through `over`: then every private character in there is known, whether it
    stands for another or for itself.
    """

    def __init__(self) -> None:
        self._stand_ins: dict[str, str] = {}
        self._originals: dict[str, str] = {}
        self._free = map(chr, chain(range(0x10FFFD, 0xFFFFF, -1), range(0xFFFFD, 0xEFFFF, -1)))

    def over(self, text: str) -> str:
        """`text` with its unsafe characters made private; newline and tab stay."""
        return _covered.sub(lambda found: self._stand_in(found[0]), text)

    def _stand_in(self, original: str) -> str:
        """The private character for `original`: itself where it is private already and stands for no other."""
        if original not in self._stand_ins:
            is_free = _private.match(original) and original not in self._originals
            stand_in = original if is_free else next(c for c in self._free if c not in self._originals)
            self._stand_ins[original], self._originals[stand_in] = stand_in, original
        return self._stand_ins[original]

    def off(self, text: str) -> str:
        """The text that `over` was given."""
        if text.isascii():
            return text
        return _private.sub(lambda found: self._originals.get(found[0], found[0]), text)

    def shown(self, line: str) -> str:
        """A line of the text box as it is drawn: visible marks in the place of what is veiled; tabs stay."""
        return printable(self.off(line), keep_lines=True)

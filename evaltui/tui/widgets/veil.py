"""Characters that a text box would change or pass on to the terminal, replaced while they are edited.

Textual's TextArea makes a newline of every exotic line separator and lets control characters through. Under a
veil each stands for one private character of the same place, so that nothing shifts, and comes back unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass

from evaltui.printable import is_unsafe, printable

_PLANES = (0x100000, 0xF0000)
"""The two planes of private characters; each has room for the whole basic plane."""
_LAYOUT = "\n\t"


@dataclass(frozen=True, slots=True)
class Veil:
    """Maps unsafe characters of the basic plane into the private plane that begins at `plane`, and back."""

    plane: int = _PLANES[0]

    @classmethod
    def for_text(cls, text: str) -> Veil:
        """A veil that cannot be confused with characters of `text` itself."""
        free = (plane for plane in _PLANES if not any(plane <= ord(c) <= plane + 0xFFFF for c in text))
        return cls(next(free, _PLANES[0]))

    def over(self, text: str) -> str:
        """`text` with its unsafe characters made private; newline and tab stay."""
        if not is_unsafe(text):
            return text
        return "".join(chr(self.plane + ord(c)) if c not in _LAYOUT and is_unsafe(c) else c for c in text)

    def off(self, text: str) -> str:
        """What `over` was given."""
        if not any(ord(c) >= self.plane for c in text):
            return text
        return "".join(self._original(c) for c in text)

    def _original(self, character: str) -> str:
        code = ord(character) - self.plane
        return chr(code) if 0 <= code <= 0xFFFF and is_unsafe(chr(code)) else character

    def shown(self, line: str) -> str:
        """A line of the text box as it is drawn: visible marks in the place of what is veiled; tabs stay."""
        return printable(self.off(line), keep_lines=True)

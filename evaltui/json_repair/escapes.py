"""Escapes of other languages as JSON writes them. Texts are decoded as latin-1, a character a byte."""

from __future__ import annotations

import re

_SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
_HEXADECIMAL = re.compile(r"\\x([0-9a-fA-F]{2})").match
_control = re.compile(r"[\x00-\x1f]")
_inside = re.compile(r"\\x([0-9a-fA-F]{2})|\\([\s\S])|\"|[\x00-\x1f]")


def escaped(characters: str) -> str:
    """Control characters as JSON writes them."""
    return "".join(_SHORT.get(character, f"\\u{ord(character):04x}") for character in characters)


def with_escapes(text: str) -> str:
    """A text with its control characters as JSON writes them."""
    return _control.sub(lambda found: escaped(found[0]), text)


def escape_meant(text: str, at: int) -> tuple[int, str, bool]:
    """How long the escape at `at` is that JSON does not know, what is meant ("": unknown), and if that is certain."""
    if found := _HEXADECIMAL(text, at):
        return 4, f"\\u00{found[1]}", True
    following = text[at + 1 : at + 2]
    if following == "'":
        return 2, "'", True
    if following == "v":
        return 2, "\\u000b", False
    if following in ("\n", "\r", ""):  # in other languages, the text goes on in the next line
        return 1, "\\\\", False
    return (2, f"\\\\{following}", False) if following.isascii() and following.isprintable() else (1, "\\\\", False)


def in_double_quotes(inside: str) -> str:
    """The inside of a text in other quotes as a text in double quotes; invalid escapes stay."""

    def spelt(found: re.Match[str]) -> str:
        if found[1]:
            return f"\\u00{found[1]}"
        if found[2]:
            return found[2] if found[2] in "'`" else found[0]
        return '\\"' if found[0] == '"' else escaped(found[0])

    return f'"{_inside.sub(spelt, inside)}"'

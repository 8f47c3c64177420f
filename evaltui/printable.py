"""Text of unknown origin made safe to show: nothing in it may act on a terminal.

Eval sets hold model and tool output, which is full of escape sequences. Every control character,
bidi control and other invisible mark becomes a visible one; the length in code points stays the same, so
that cursor positions and widths computed from the original still hold.
"""

from __future__ import annotations

import re
import sys

_NEWLINES = "\n\t"
_BIDI_AND_INVISIBLE = (
    "\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)


def _control_pictures() -> dict[int, str]:
    """C0 as U+2400 pictures, DEL as U+2421, C1 and line separators as U+FFFD, bidi controls as ⁞."""
    table = {code: chr(0x2400 + code) for code in range(0x20)}
    table[0x7F] = "\u2421"
    table.update(dict.fromkeys(range(128, 160), "�"))
    table.update({ord(mark): "\u205e" for mark in _BIDI_AND_INVISIBLE})
    return table


_ALL = _control_pictures()
_KEEPING_LINES = {code: mark for code, mark in _ALL.items() if chr(code) not in _NEWLINES}
# Lone surrogates stand outside the tables: 2,048 entries would cost more than this search.
_UNSAFE = re.compile(f"[\x00-\x1f\x7f-\x9f{_BIDI_AND_INVISIBLE}\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def printable(text: str, *, keep_lines: bool = False) -> str:
    """`text` with each character that could act on a terminal replaced by one that is only seen.

    The result has as many code points as `text`. With `keep_lines`, newline and tab stay.
    """
    if not _UNSAFE.search(text):
        return text
    return _SURROGATE.sub("\ufffd", text.translate(_KEEPING_LINES if keep_lines else _ALL))


def is_unsafe(text: str) -> bool:
    """Whether `text` holds any character that `printable` replaces."""
    return _UNSAFE.search(text) is not None


def one_line(text: str, width: int = 0) -> str:
    """`text` on one safe line: runs of blanks and newlines become one blank; cut to `width` with … if > 0."""
    shown = printable(" ".join(text[: 4 * width or None].split()))
    if width and len(shown) > width:
        return shown[: width - 1].rstrip() + "…"
    return shown


def write_line(stream_name: str, text: str) -> None:
    """Write `text` safely to `sys.stdout` or `sys.stderr` (by name), replacing what its encoding lacks."""
    stream = getattr(sys, stream_name)
    encoding = getattr(stream, "encoding", None) or "utf-8"
    safe = printable(text, keep_lines=True).encode(encoding, "replace").decode(encoding)
    print(safe, file=stream)

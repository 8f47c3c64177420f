"""Text of unknown origin made safe to show: nothing in it may act on a terminal.

Eval sets hold model and tool output, which is full of escape sequences. Every control character,
bidi control and other invisible mark becomes a visible one; the length in code points stays the same, so
that cursor positions and widths computed from the original still hold.
"""

from __future__ import annotations

import os
import re
import sys

_NEWLINES = "\n\t"
_BIDI_AND_INVISIBLE = (
    *((code, code) for code in (0xAD, 0x34F, 0x61C, 0x180E, 0x3164, 0xFEFF, 0xFFA0)),
    *((0x115F, 0x1160), (0x17B4, 0x17B5), (0x200B, 0x200B), (0x200E, 0x200F)),
    (0x2028, 0x202E),  # line separators, embeddings and overrides
    (0x2060, 0x206F),  # joiners, invisible operators, isolates, deprecated format characters
    (0xFFF9, 0xFFFB),  # interlinear annotation
    (0x1D173, 0x1D17A),  # beams and slurs of musical notation
    (0xE0000, 0xE007F),  # tags, which can carry a whole hidden text
)
"""First and last of the code points that are not seen or change the order of what is.

Joiners and variation selectors pass: emoji and many scripts are made of them.
"""


def _control_pictures() -> dict[int, str]:
    """C0 as U+2400 pictures, DEL as U+2421, C1 and line separators as U+FFFD, bidi controls as ⁞."""
    table = {code: chr(0x2400 + code) for code in range(0x20)}
    table[0x7F] = "\u2421"
    table.update(dict.fromkeys(range(128, 160), "�"))
    for first, last in _BIDI_AND_INVISIBLE:
        table.update(dict.fromkeys(range(first, last + 1), "\u205e"))
    return table


_ALL = _control_pictures()
_KEEPING_LINES = {code: mark for code, mark in _ALL.items() if chr(code) not in _NEWLINES}
# As ranges: searching for single characters beyond the basic plane takes thirty times as long.
_RANGES = "".join(f"{chr(first)}-{chr(last)}" for first, last in _BIDI_AND_INVISIBLE)
UNSAFE_IN_LINES = f"\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff{_RANGES}"
"""All that `printable` replaces but newline and tab, as the inside of a character class."""
_UNSAFE = re.compile(f"[{_NEWLINES}{UNSAFE_IN_LINES}]")
# Lone surrogates stand outside the tables: 2,048 entries would cost more than this search.
_SURROGATE = re.compile("[\ud800-\udfff]")


def printable(text: str, *, keep_lines: bool = False) -> str:
    """`text` with each character that could act on a terminal replaced by one that is only seen.

    The result has as many code points as `text`. With `keep_lines`, newline and tab stay.
    """
    if not is_unsafe(text):
        return text
    return _SURROGATE.sub("\ufffd", text.translate(_KEEPING_LINES if keep_lines else _ALL))


def is_unsafe(text: str) -> bool:
    """Whether `text` holds any character that `printable` replaces."""
    return not text.isprintable() if text.isascii() else _UNSAFE.search(text) is not None


def one_line(text: str, width: int = 0) -> str:
    """`text` on one safe line: runs of blanks and newlines become one blank; cut to `width` with … if > 0."""
    shown = printable(" ".join(text[: 4 * width or None].split()))
    if width and len(shown) > width:
        return shown[: width - 1].rstrip() + "…"
    return shown


def write_line(stream_name: str, text: str, *, is_safe: bool = False) -> None:
    """Write `text` safely to `sys.stdout` or `sys.stderr` (by name), replacing what its encoding lacks.

    Text that `is_safe` holds nothing of unknown origin that was not made printable before; it may have colours.

    A message for a stderr that cannot be written is lost; raises OSError for stdout only.
    """
    stream = getattr(sys, stream_name)
    encoding = getattr(stream, "encoding", None) or "utf-8"
    shown = text if is_safe else printable(text, keep_lines=True)
    safe = shown.encode(encoding, "replace").decode(encoding)
    try:
        print(safe, file=stream, flush=stream_name == "stderr")
    except OSError:
        if stream_name != "stderr":
            raise
        # Nobody reads messages; the exit code still tells. What is left must not be tried again at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def say(message: object) -> None:
    """Write a message of the program to stderr; of an error with several `sentences`, each on a line."""
    for sentence in getattr(message, "sentences", None) or [str(message)]:
        write_line("stderr", printable(f"evaltui: {sentence}"))

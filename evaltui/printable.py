"""Text of unknown origin made safe to show: no character of it may control the terminal.

Eval sets have model and tool output, which is full of escape sequences. Every control character, bidi control and
other invisible mark becomes a visible character. The length in code points stays the same, so cursor positions and
widths computed from the original stay valid.
"""

from __future__ import annotations

import os
import re
import sys

from evaltui.workflow_commands import without_runner_words

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
"""Ranges of code points that are invisible, or that change the order of visible text.

Joiners and variation selectors pass: emoji and many scripts are made of them.
"""
_JOINER = "\u200d"
_GOES_ON = re.compile("[\u0300-\u036f\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]")
"""Code points that belong to the one before: accents, the joiner, variation selectors, skin tones."""


# C0 as U+2400 pictures, DEL as U+2421, C1 as U+FFFD, line separators and bidi controls as ⁞.
_ALL = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "\u2421"} | dict.fromkeys(range(128, 160), "�")
_ALL |= {code: "\u205e" for first, last in _BIDI_AND_INVISIBLE for code in range(first, last + 1)}
_KEEPING_LINES = {code: mark for code, mark in _ALL.items() if chr(code) not in _NEWLINES}
# As ranges: searching for single characters beyond the basic plane takes thirty times as long.
_RANGES = "".join(f"{chr(first)}-{chr(last)}" for first, last in _BIDI_AND_INVISIBLE)
UNSAFE_IN_LINES = f"\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff{_RANGES}"
"""All characters that `printable` replaces, except newline and tab, as the inside of a character class."""
_UNSAFE = re.compile(f"[{_NEWLINES}{UNSAFE_IN_LINES}]")
_UNSAFE_IN_LINES = re.compile(f"[{UNSAFE_IN_LINES}]")
# Lone surrogates are not in the tables: 2,048 entries would cost more than this search.
_SURROGATE = re.compile("[\ud800-\udfff]")


def printable(text: str, *, keep_lines: bool = False) -> str:
    """`text` with a visible replacement for each character that could control a terminal.

    The result has as many code points as `text`. With `keep_lines`, newline and tab stay.
    """
    if not is_unsafe(text):
        return text
    return _SURROGATE.sub("\ufffd", text.translate(_KEEPING_LINES if keep_lines else _ALL))


def is_unsafe(text: str) -> bool:
    """Whether `text` has a character that `printable` replaces."""
    return not text.isprintable() if text.isascii() else _UNSAFE.search(text) is not None


def json_escaped(text: str) -> str:
    """JSON text with the same values, and with `\\u…` for what could control a terminal or a CI runner.

    Outside of its strings, JSON has none of these. In quoted texts of YAML, the escapes mean the same.
    """
    if not text.isascii() or "\x7f" in text:
        text = _UNSAFE_IN_LINES.sub(lambda unsafe: _json_escape(unsafe[0]), text)
    return without_runner_words(text, _json_escape)


def _json_escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))


def without_controls(text: str) -> tuple[str, str]:
    """`text` for a clipboard: only with unsafe characters that end lines or are tabs; and the number of others."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    safe, count = _UNSAFE_IN_LINES.subn("", lines)
    return safe, f"{count:,} control character{'s' * (count != 1)}" if count else ""


def as_argument(text: str) -> str:
    """A path or a selector as one word of a command line that people copy: quoted for a shell, and no option."""
    from shlex import quote  # noqa: PLC0415 - few messages have a command

    return quote(f"./{text}" if text.startswith("-") else text)


def one_line(text: str, width: int = 0) -> str:
    """`text` on one safe line: runs of spaces and newlines become one space. A `width` > 0 cuts it with …."""
    # A text may have megabytes, and blanks in it shrink, so four times the width is enough to look at.
    line = printable(" ".join(text[: 4 * width or None].split()))
    if width and len(line) > width:
        return line[: _start_of_character(line, width - 1)].rstrip() + "…"
    return line


def _start_of_character(text: str, index: int) -> int:
    """The last index up to `index` that is not inside a character of several code points, such as a joined emoji."""
    start = index
    while start and (_GOES_ON.match(text, start) or text[start - 1] == _JOINER):
        start -= 1
    return start or index


def quoted(text: str, width: int = 0) -> str:
    """`text` as messages show an id, name or key: safe, in double quotes. A `width` > 0 cuts it with …."""
    return f'"{one_line(text, width) if width else printable(text)}"'


def write_line(stream_name: str, text: str, *, is_safe: bool = False) -> None:
    """Write `text` safely to `sys.stdout` or `sys.stderr` (by name), replacing what its encoding lacks.

    `is_safe` means that all text of unknown origin was made printable before. Such text may have colours.

    A message for a stderr that cannot be written is lost; raises OSError for stdout only.
    """
    stream = getattr(sys, stream_name)
    encoding = getattr(stream, "encoding", None) or "utf-8"
    printed = text if is_safe else printable(text, keep_lines=True)
    safe = printed.encode(encoding, "replace").decode(encoding)
    try:
        print(safe, file=stream, flush=stream_name == "stderr")
    except OSError:
        if stream_name != "stderr":
            raise
        # Nobody reads messages, but the exit code still tells. Python must not flush the rest again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def say(message: object) -> None:
    """Write a message of the program to stderr; of an error with several `sentences`, each on a line."""
    for sentence in getattr(message, "sentences", None) or [str(message)]:
        write_line("stderr", printable(f"evaltui: {sentence}"))

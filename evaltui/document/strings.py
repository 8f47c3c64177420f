"""JSON strings between their spelling in the file (bytes with quotes) and their text, and the encoding of a file.

A string can be spelt in many ways: raw UTF-8 or escapes, upper or lower hex digits, an escaped slash.
Changing a text re-spells only the characters that changed, in the way the rest is spelt.
"""

from __future__ import annotations

import codecs
import json
import re
from contextlib import suppress
from json.decoder import scanstring  # type: ignore[attr-defined]

_escape = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_non_ascii_escape = re.compile(rb"\\u(?!00[0-7])[0-9a-fA-F]{4}").search
_upper_hex = re.compile(rb"\\u[0-9a-fA-F]{0,3}[A-F]").search
_lower_hex = re.compile(rb"\\u[0-9a-fA-F]{0,3}[a-f]").search
_surrogate = re.compile("[\ud800-\udfff]")
_escaped_character = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u.{4}|.)", re.DOTALL
).match
_half = re.compile("[\ud800-\udc7f\udd00-\udfff]")
_escaped_byte = re.compile(rb"\\u[dD][cC][89a-fA-F]").search


Spelling = tuple[bool, bool, bool]
"""The spelling of strings in a file: whether characters beyond ASCII are \\u escapes, whether hex digits of escapes are
upper case, and whether a slash is written as \\/."""
PLAIN: Spelling = (False, False, False)
"""Shortest escapes, and all characters that need none as they are."""


def decode(raw: bytes) -> str:
    """The text of the string literal `raw`; bytes that are not UTF-8 become surrogates U+DC80…U+DCFF."""
    return str(scanstring(raw.decode("utf-8", "surrogateescape"), 1, False)[0])


def encode(text: str, spelling: Spelling = PLAIN, *, raw_bytes: bool = False) -> bytes:
    """`text` as a string literal; lone surrogates are escaped, for UTF-8 has no place for them.

    With `raw_bytes`, U+DC80…U+DCFF are bytes that are not UTF-8, as `decode` gives them, and become these again.
    """
    ascii_only, upper_hex, escaped_slash = spelling
    literal = json.dumps(text, ensure_ascii=ascii_only and not raw_bytes)
    raw = json_bytes(literal) if raw_bytes else escaped(literal, _surrogate).encode("utf-8")
    if upper_hex:
        raw = _escape.sub(lambda escape: b"\\u" + escape[1].upper() if escape[1] else escape[0], raw)
    return raw.replace(b"/", b"\\/") if escaped_slash else raw


def escaped(text: str, halves: re.Pattern[str]) -> str:
    """JSON text in which the surrogates that `halves` finds are escapes. They occur in strings only."""
    return halves.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def json_bytes(text: str) -> bytes:
    """JSON text, decoded with `surrogateescape` or typed, as bytes. Bytes that were not UTF-8 are restored."""
    return escaped(text, _half).encode("utf-8", "surrogateescape")


def spelling_of_body(body: bytes) -> Spelling:
    """As `spelling_of`, for all strings of a file."""
    # The beginning is enough for hex digits and slashes. But raw UTF-8 anywhere means that the file is not ASCII only.
    _, upper_hex, escaped_slash = spelling_of(body[:65536], PLAIN)
    ascii_only = body.isascii() and b"\\u" in body and _non_ascii_escape(body.replace(rb"\\", b"")) is not None
    return ascii_only, upper_hex, escaped_slash


def spelling_of(raw: bytes, default: Spelling) -> Spelling:
    """The spelling of the literal `raw`; where it shows nothing, the spelling of `default`."""
    ascii_only, upper_hex, escaped_slash = default
    raw = raw.replace(rb"\\", b"")  # without escaped backslashes, each that is left begins another escape
    ascii_only = bool(_non_ascii_escape(raw)) or (ascii_only and raw.isascii())
    upper_hex = bool(_upper_hex(raw)) or (upper_hex and not _lower_hex(raw))
    return ascii_only, upper_hex, raw.count(b"\\/") == raw.count(b"/") if b"/" in raw else escaped_slash


def respell(old: bytes, text: str, default: Spelling) -> bytes:
    """The literal for `text` in place of `old`. The parts that both share at start and end keep their spelling."""
    old_text = decode(old)
    if old_text == text:
        return old
    spelling = spelling_of(old, default)
    if encode(old_text, spelling) == old:  # spelt the same throughout, which is nearly always so and found fast
        return encode(text, spelling)
    from evaltui.document.sequence_diff import shared_length  # noqa: PLC0415 - difflib takes 3 ms; who reads needs none

    head = shared_length(old_text, text)
    tail = shared_length(old_text[head:][::-1], text[head:][::-1])
    start, end = _offset(old, head), _offset(old, len(old_text) - tail)
    raw_bytes = invalid_utf8(old) is not None and not _escaped_byte(old)
    middle = encode(text[head : len(text) - tail], spelling, raw_bytes=raw_bytes)[1:-1]
    joined = old[:start] + middle + old[end:]
    # The halves of a cut surrogate pair can join with a neighbour; then the plain spelling is right.
    return joined if decode(joined) == text else encode(text, spelling)


def _offset(raw: bytes, characters: int) -> int:
    """The byte offset in the literal `raw` behind its first `characters` characters."""
    offset = 1
    while characters:
        following = raw.find(b"\\", offset)
        plain = raw[offset : following if following >= 0 else len(raw) - 1]
        text = plain.decode("utf-8", "surrogateescape")
        if len(text) >= characters:
            return offset + len(text[:characters].encode("utf-8", "surrogateescape"))
        characters -= len(text)
        offset += len(plain)
        escape = _escaped_character(raw, offset)
        offset += len(escape[0]) if escape else 0
        characters -= 1
    return offset


WIDE_ENCODINGS = (  # the mark of UTF-32 begins with that of UTF-16, so it is tried first
    (codecs.BOM_UTF32_LE, "utf-32-le", (1, 2, 3)),
    (codecs.BOM_UTF32_BE, "utf-32-be", (0, 1, 2)),
    (codecs.BOM_UTF16_LE, "utf-16-le", (1, 3)),
    (codecs.BOM_UTF16_BE, "utf-16-be", (0, 2)),
)
"""The byte order mark of each encoding, and where a JSON text in it has zeros among its first four bytes."""
_SLICE = 1 << 16  # bytes decoded at a time: a decoder's error holds a copy of all its input
_HALVES_PASS = "evaltui.halves"


_MARKS = {"utf-8": b"", "utf-8-sig": codecs.BOM_UTF8, **{codec: mark for mark, codec, _ in WIDE_ENCODINGS}}
"""The first bytes of a file by its encoding."""


def encode_file(body: bytes, encoding: str) -> bytes:
    """The bytes of a file with this UTF-8 body, in an encoding that `read_encoding` gave."""
    is_wide = not encoding.startswith("utf-8")
    text = body.decode("utf-8", _HALVES_PASS).encode(encoding, "surrogatepass") if is_wide else body
    return _MARKS[encoding] + text


def _pass_halves(error: UnicodeError) -> tuple[str | bytes, int]:
    """Half a surrogate pair of a UTF-16 file stays; half a pair that an edit left behind becomes �."""
    try:
        return codecs.lookup_error("surrogatepass")(error)
    except UnicodeError:
        return codecs.replace_errors(error)


codecs.register_error(_HALVES_PASS, _pass_halves)


def read_encoding(data: bytes) -> tuple[str, bytes]:
    """The encoding that `data` announces, `utf-8-sig` for UTF-8 with a byte order mark, and its UTF-8 body."""
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8-sig", data[len(codecs.BOM_UTF8) :]
    for mark, codec, _ in WIDE_ENCODINGS:
        if data.startswith(mark):
            with suppress(UnicodeDecodeError):
                body = data[len(mark) :].decode(codec, "surrogatepass").encode("utf-8", "surrogatepass")
                if encode_file(body, codec) == data:
                    return codec, body
    # Also a UTF-16 or UTF-32 text that cannot be decoded exactly: it fails as JSON, with a place.
    return "utf-8", data


def invalid_utf8(body: bytes, start: int = 0) -> tuple[int, int] | None:
    """The place of the first bytes from `start` on that are not UTF-8; None if all are UTF-8."""
    if not start and body.isascii():  # only once: a repair asks again behind each of thousands of places
        return None
    while start < len(body):
        stop = min(len(body), start + _SLICE)
        try:
            body[start:stop].decode("utf-8")
        except UnicodeDecodeError as error:
            if error.end < stop - start or stop == len(body) or error.reason != "unexpected end of data":
                return start + error.start, start + error.end
            start += error.start  # a character that continues in the next slice
        else:
            start = stop
    return None

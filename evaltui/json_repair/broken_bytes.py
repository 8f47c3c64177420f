"""Bytes that are not UTF-8: single bytes, and texts in another encoding."""

from __future__ import annotations

import codecs

from evaltui.document.text_encoding import invalid_utf8
from evaltui.json_repair.faults import MOST_FAULTS, FaultKind, Splice, SyntaxFault

_SHAPES = (
    (codecs.BOM_UTF32_LE, "utf-32-le", (1, 2, 3)),
    (codecs.BOM_UTF32_BE, "utf-32-be", (0, 1, 2)),
    (codecs.BOM_UTF16_LE, "utf-16-le", (1, 3)),
    (codecs.BOM_UTF16_BE, "utf-16-be", (0, 2)),
)
"""The byte order mark of each encoding, and where a JSON text in it has zeros among its first four bytes."""


def other_encoding(body: bytes) -> SyntaxFault | None:
    """The fault of a text in UTF-16 or UTF-32, found by its byte order mark or its zero bytes."""
    for mark, codec, zeros in _SHAPES:
        if body.startswith(mark):
            said = f"the file begins like {codec[:6].upper()}, but it is not valid {codec[:6].upper()}"
            return SyntaxFault(FaultKind.WRONG_ENCODING, said, 0, len(mark))
        if tuple(at for at, byte in enumerate(body[:4]) if byte == 0) == zeros:
            said = f"the file is {codec[:6].upper()}, but google-adk reads only UTF-8"
            return SyntaxFault(FaultKind.WRONG_ENCODING, said, 0, len(body), _as_utf_8(body, codec))
    return None


def _as_utf_8(body: bytes, codec: str) -> Splice | None:
    try:
        text = body.decode(codec)
    except UnicodeDecodeError:
        return None
    return Splice(0, len(body), text.encode(), "Write the file as UTF-8", True)


def not_utf_8(body: bytes, limit: int | None = MOST_FAULTS) -> list[SyntaxFault]:
    """The bytes that are not UTF-8, each with its place, also inside strings (which `Document` accepts)."""
    found: list[SyntaxFault] = []
    start = 0
    while limit is None or len(found) < limit:
        bad = invalid_utf8(body, start)
        if bad is None:
            break
        found.append(_fault(body, *bad))
        start = bad[1]
    return found


def _fault(body: bytes, start: int, end: int) -> SyntaxFault:
    shown = " ".join(f"0x{byte:02X}" for byte in body[start:end])
    said = f"{shown} is not UTF-8"
    try:
        meant = body[start:end].decode("cp1252")
    except UnicodeDecodeError:
        return SyntaxFault(FaultKind.NOT_UTF_8, said, start, end)
    splice = Splice(start, end, meant.encode(), f"Replace it with {meant}", False)
    return SyntaxFault(FaultKind.NOT_UTF_8, f"{said}; in Windows-1252 it is {meant}", start, end, splice)

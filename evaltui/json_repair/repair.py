"""The faults of invalid JSON, and the text with fixes applied."""

from __future__ import annotations

from collections.abc import Container, Iterable
from contextlib import suppress

from evaltui.document.errors import JsonSyntaxError
from evaltui.document.node import read_document
from evaltui.document.strings import WIDE_ENCODINGS, invalid_utf8
from evaltui.json_repair.faults import MOST_FAULTS, EnoughError, FaultLog, Splice, SyntaxFault
from evaltui.json_repair.recovering_parser import RecoveringParser

_ROUNDS = 20  # of safe fixes: each round checks the whole text again


def syntax_faults(body: bytes, limit: int | None = MOST_FAULTS) -> list[SyntaxFault]:
    """The faults of a text in order, up to `limit`; empty if and only if a `Document` reads the text.

    `body` is UTF-8, as from `Document.body`. A byte order mark at its beginning is a fault. The time is about linear in
    the length of any text.
    """
    try:
        read_document(body)
    except JsonSyntaxError as error:
        faults = [] if error.may_be_json else _faults(body, limit)
        return faults or [SyntaxFault("not-json", error.message, error.offset, error.offset + 1)]
    return []


def _faults(body: bytes, limit: int | None) -> list[SyntaxFault]:
    if (encoding_fault := other_encoding(body)) is not None:
        return [encoding_fault]
    text = body.decode("latin-1")
    faults = FaultLog(text, limit)
    with suppress(EnoughError):
        RecoveringParser(text, faults).read()
    bad_bytes = not_utf_8(body, limit)
    # A broken byte outside strings is a fault for the parser, too; the fault about the byte says more.
    starts = {fault.start for fault in bad_bytes}
    structure = [fault for fault in faults.entries if fault.code != "not-json" or fault.start not in starts]
    return sorted([*structure, *bad_bytes], key=lambda fault: (fault.start, fault.end))[:limit]


def spliced(body: bytes, splices: Iterable[Splice]) -> bytes:
    """The text with splices applied, without splices that overlap an earlier one."""
    pieces: list[bytes] = []
    done = 0
    for splice in sorted(splices, key=lambda splice: (splice.start, splice.end)):
        if splice.start >= done:
            pieces += [body[done : splice.start], splice.replacement]
            done = splice.end
    return b"".join([*pieces, body[done:]])


def safe_fixes(faults: Iterable[SyntaxFault]) -> list[SyntaxFault]:
    """The faults whose fix is safe."""
    return [fault for fault in faults if fault.splice is not None and fault.splice.safe]


def apply_safe_fixes(
    body: bytes, faults: list[SyntaxFault] | None = None, codes: Container[str] | None = None
) -> tuple[bytes, list[str]]:
    """The text with all safe fixes applied, and the code of each fixed fault.

    `faults` are the known faults of the text; `codes` restricts the fixes to some rules.
    """
    fixed: list[str] = []
    if faults is None or len(faults) >= MOST_FAULTS:  # the list was cut at the limit
        faults = syntax_faults(body, None)
    for _ in range(_ROUNDS):
        safe = [fault for fault in safe_fixes(faults) if codes is None or fault.code in codes]
        if not safe:
            break
        fixed += [fault.code for fault in safe]
        body = spliced(body, (fault.splice for fault in safe if fault.splice is not None))
        faults = syntax_faults(body, None)  # a fix may uncover further faults
    return body, fixed


def other_encoding(body: bytes) -> SyntaxFault | None:
    """The fault of a text in UTF-16 or UTF-32, found by its byte order mark or its zero bytes."""
    for mark, codec, zeros in WIDE_ENCODINGS:
        if body.startswith(mark):
            message = f"the file begins like {codec[:6].upper()}, but it is not valid {codec[:6].upper()}"
            return SyntaxFault("wrong-encoding", message, 0, len(mark))
        if tuple(place for place, byte in enumerate(body[:4]) if byte == 0) == zeros:
            message = f"the file is {codec[:6].upper()}, but google-adk reads only UTF-8"
            splice = None
            with suppress(UnicodeDecodeError):
                splice = Splice(0, len(body), body.decode(codec).encode(), "Write the file as UTF-8", True)
            return SyntaxFault("wrong-encoding", message, 0, len(body), splice)
    return None


def not_utf_8(body: bytes, limit: int | None = MOST_FAULTS) -> list[SyntaxFault]:
    """The bytes that are not UTF-8, each with its place, also inside strings (which `Document` accepts)."""
    faults: list[SyntaxFault] = []
    start = 0
    while (limit is None or len(faults) < limit) and (place := invalid_utf8(body, start)) is not None:
        start, end = place
        codes = " ".join(f"0x{byte:02X}" for byte in body[start:end])
        message = f"{codes} is not UTF-8"
        splice = None
        # Most such bytes come from programs that write the code page of Windows, which has no sign for some of them.
        with suppress(UnicodeDecodeError):
            character = body[start:end].decode("cp1252")
            splice = Splice(start, end, character.encode(), f"Replace it with {character}", False)
            message += f"; in Windows-1252 it is {character}"
        faults.append(SyntaxFault("not-utf-8", message, start, end, splice))
        start = end
    return faults

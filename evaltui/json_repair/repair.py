"""All that keeps a text from being JSON, with the fixes that are known for it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from evaltui.document.errors import JsonSyntaxError
from evaltui.document.reading import read_document
from evaltui.json_repair.broken_bytes import not_utf_8, other_encoding
from evaltui.json_repair.faults import MOST_FAULTS, EnoughError, FaultLog, Splice, SyntaxFault
from evaltui.json_repair.recovering_parser import RecoveringParser
from evaltui.validation.rules import syntax as rules

_ROUNDS = 20
"""So often is a text looked at again after its safe fixes."""


def syntax_faults(body: bytes, limit: int | None = MOST_FAULTS) -> list[SyntaxFault]:
    """The faults of a text in their order, up to a limit; none if and only if a `Document` reads it.

    `body` is what `Document.body` gives, in UTF-8 and without a byte order mark; one at its beginning is a fault.
    Takes about linear time, whatever the text.
    """
    try:
        read_document(body)
    except JsonSyntaxError as error:
        return _faults(body, limit) or [SyntaxFault(rules.NOT_JSON.code, error.message, error.offset, error.offset + 1)]
    return []


def _faults(body: bytes, limit: int | None) -> list[SyntaxFault]:
    other = other_encoding(body)
    if other is not None:
        return [other]
    text = body.decode("latin-1")
    faults = FaultLog(text, limit)
    with suppress(EnoughError):
        RecoveringParser(text, faults).read()
    bad_bytes = not_utf_8(body, limit)
    starts = {fault.start for fault in bad_bytes}
    structure = [fault for fault in faults.found if fault.code != rules.NOT_JSON.code or fault.start not in starts]
    found = sorted([*structure, *bad_bytes], key=lambda fault: (fault.start, fault.end))
    return found[:limit]


def spliced(body: bytes, splices: Iterable[Splice]) -> bytes:
    """A text with splices done, but for those that reach into one before."""
    pieces: list[bytes] = []
    done = 0
    for splice in sorted(splices, key=lambda splice: (splice.start, splice.end)):
        if splice.start >= done:
            pieces += [body[done : splice.start], splice.replacement]
            done = splice.end
    return b"".join([*pieces, body[done:]])


def safe_fixes(faults: Iterable[SyntaxFault]) -> list[SyntaxFault]:
    """The faults with a splice that gives what was certainly meant."""
    return [fault for fault in faults if fault.splice is not None and fault.splice.safe]


def repaired(body: bytes, faults: list[SyntaxFault]) -> bytes:
    """A text with all safe fixes done, those too that come to light by others; `faults` are those of the text."""
    return repaired_with_count(body, faults)[0]


def repaired_with_count(body: bytes, faults: list[SyntaxFault]) -> tuple[bytes, dict[str, int]]:
    """As `repaired`, with how many faults of each rule are fixed, by code."""
    fixed: dict[str, int] = {}
    if len(faults) >= MOST_FAULTS:  # there may be more
        faults = syntax_faults(body, None)
    for _ in range(_ROUNDS):
        safe = safe_fixes(faults)
        if not safe:
            break
        for fault in safe:
            fixed[fault.code] = fixed.get(fault.code, 0) + 1
        body = spliced(body, (fault.splice for fault in safe if fault.splice is not None))
        faults = syntax_faults(body, None)
    return body, fixed

"""The faults of invalid JSON, and the text with fixes applied."""

from __future__ import annotations

from collections.abc import Container, Iterable
from contextlib import suppress

from evaltui.document.errors import JsonSyntaxError, TooDeepError
from evaltui.document.node import read_document
from evaltui.json_repair.broken_bytes import not_utf_8, other_encoding
from evaltui.json_repair.faults import MOST_FAULTS, EnoughError, FaultKind, FaultLog, Splice, SyntaxFault
from evaltui.json_repair.recovering_parser import RecoveringParser

_ROUNDS = 20
"""The largest number of rounds of safe fixes: a fix may uncover further faults."""


def syntax_faults(body: bytes, limit: int | None = MOST_FAULTS) -> list[SyntaxFault]:
    """The faults of a text in order, up to `limit`; empty if and only if a `Document` reads the text.

    `body` is UTF-8, as from `Document.body`. A byte order mark at its beginning is a fault. The time is about linear in
    the length of any text.
    """
    try:
        read_document(body)
    except TooDeepError as error:
        return [SyntaxFault(FaultKind.NOT_JSON, error.message, error.offset, error.offset + 1)]
    except JsonSyntaxError as error:
        return _faults(body, limit) or [SyntaxFault(FaultKind.NOT_JSON, error.message, error.offset, error.offset + 1)]
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
    # A broken byte outside strings is a fault for the parser, too; the fault about the byte says more.
    starts = {fault.start for fault in bad_bytes}
    structure = [fault for fault in faults.found if fault.code != FaultKind.NOT_JSON or fault.start not in starts]
    found = sorted([*structure, *bad_bytes], key=lambda fault: (fault.start, fault.end))
    return found[:limit]


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
    body: bytes, faults: list[SyntaxFault] | None = None, wanted: Container[str] | None = None
) -> tuple[bytes, list[FaultKind]]:
    """The text with all safe fixes applied, and the kind of each fixed fault.

    A fix may uncover further faults, so the text is checked again after each round. `faults` are the known faults of
    the text; `wanted` restricts the fixes to some kinds.
    """
    fixed: list[FaultKind] = []
    if faults is None or len(faults) >= MOST_FAULTS:  # the list was cut at the limit
        faults = syntax_faults(body, None)
    for _ in range(_ROUNDS):
        safe = [fault for fault in safe_fixes(faults) if wanted is None or fault.code in wanted]
        if not safe:
            break
        fixed += [fault.code for fault in safe]
        body = spliced(body, (fault.splice for fault in safe if fault.splice is not None))
        faults = syntax_faults(body, None)
    return body, fixed

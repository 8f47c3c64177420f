"""Text that is no JSON: what is wrong with it as diagnostics, and the safe repairs."""

from __future__ import annotations

from collections.abc import Container

from evaltui.document import Document
from evaltui.document.spans import places_of
from evaltui.validation.diagnostic import Diagnostic, Fix
from evaltui.validation.locations import Located
from evaltui.validation.rules.registry import RULES
from evaltui.validation.rules.syntax import BYTE_ORDER_MARK
from evaltui.validation.syntax import safe_fixes, spliced, syntax_faults
from evaltui.validation.syntax_fault import SyntaxFault
from evaltui.validation.unreadable_json import of_encoding

_ROUNDS = 20


def faults_of(document: Document) -> list[Located]:
    """The faults of a document that is no JSON, in the order of the text."""
    body = document.body()
    faults = syntax_faults(body)
    places = places_of(body, {(fault.start, fault.end) for fault in faults} | {(0, 0)})
    of_file = [Located(each, places[0, 0]) for each in of_encoding(document)]
    return [*of_file, *(Located(_diagnostic(fault), places[fault.start, fault.end]) for fault in faults)]


def _diagnostic(fault: SyntaxFault) -> Diagnostic:
    fix = Fix(fault.splice.title, fault.splice.safe, ()) if fault.splice is not None else None
    return Diagnostic(fault.code, RULES[fault.code].severity, fault.message, "", fix=fix)


def repair(document: Document, wanted: Container[str]) -> tuple[Document, list[str]]:
    """A document with the safe repairs of wanted rules done, and the codes of these; the same one where there are none.

    A byte order mark goes as well.
    """
    body, fixed = document.body(), []
    for _ in range(_ROUNDS if document.root is None else 0):
        safe = [fault for fault in safe_fixes(syntax_faults(body, None)) if fault.code in wanted]
        if not safe:
            break
        body = spliced(body, (fault.splice for fault in safe if fault.splice is not None))
        fixed += [fault.code for fault in safe]
    encoding = document.encoding
    if encoding.mark and encoding.codec == "utf-8" and BYTE_ORDER_MARK.code in wanted:
        return Document(body, document.path), [BYTE_ORDER_MARK.code, *fixed]
    return (Document(encoding.to_file(body), document.path), fixed) if fixed else (document, [])

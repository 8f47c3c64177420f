"""All diagnostics of an eval set, a part at a time."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.document import Document, Node
from evaltui.validation import schema
from evaltui.validation.diagnostic import Diagnostic
from evaltui.validation.unreadable import of_encoding


def diagnostics(document: Document) -> Iterator[Diagnostic]:
    """What google-adk's model has against a document that is JSON: nothing if and only if it accepts the bytes."""
    root = document.root
    assert root is not None
    yield from of_encoding(document)
    yield from schema.of_set_without_cases(root)
    for number, case in enumerate(cases_of(root)):
        yield from (each.below(f"/eval_cases/{number}") for each in schema.of_case(case.source()))


def cases_of(root: Node) -> list[Node]:
    """The cases as google-adk finds them: in `eval_cases`, spelt so."""
    cases = root.member("eval_cases") if root.kind == "object" else None
    return cases.items if cases is not None and cases.kind == "array" else []

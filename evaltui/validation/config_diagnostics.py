"""All diagnostics of a config: what google-adk rejects of it, and what it accepts and then does not evaluate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.validation.diagnostic import Diagnostic
from evaltui.validation.json_syntax import encoding_diagnostics
from evaltui.validation.model_errors import errors_by_model
from evaltui.validation.rules.config import check_config
from evaltui.validation.rules.values import read_data, with_reachable_fixes


def config_diagnostics(document: Document) -> Iterator[Diagnostic]:
    """All findings in a document that is JSON and a config.

    There is an error among them if and only if google-adk's model rejects the bytes.
    """
    root = document.root
    assert root is not None
    yield from encoding_diagnostics(document)
    rejected = errors_in_config(source := root.source())
    try:
        data, odd = read_data(source)
    except (ValueError, RecursionError):  # said by the schema: half characters, too many levels
        yield from rejected
        return
    for each in with_reachable_fixes((*rejected, *odd, *check_config(data))):
        yield each if each in rejected or each in odd else _with_harmless_fix(each, source, len(rejected))


def _with_harmless_fix(found: Diagnostic, source: bytes, rejected: int) -> Diagnostic:
    """The finding without its fix where that would have google-adk read what it rejects: a key with a wrong value."""
    if found.fix is None:
        return found
    document = Document(source)
    document.apply(found.fix.edits, found.fix.title)
    return replace(found, fix=None) if len(errors_in_config(document.to_bytes())) > rejected else found


def errors_in_config(source: bytes) -> list[Diagnostic]:
    """The errors of a config whose text is JSON; none if and only if google-adk accepts it.

    google-adk reads configs with `EvalConfig.model_validate_json`.
    """
    from evaltui.evalset.schema.eval_config import EvalConfig  # sets are checked without it

    return errors_by_model(source, Node(source), EvalConfig, ())

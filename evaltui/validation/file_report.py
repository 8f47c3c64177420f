"""The check of a file, with its fixes on request."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass

from evaltui.document.document import Document
from evaltui.document.positions import TextRange
from evaltui.evalset.case_file import list_of_cases
from evaltui.garbage_collection import without_collecting
from evaltui.interop.file_kinds import kind_of
from evaltui.scoring.eval_config import LoadedConfig
from evaltui.validation.diagnostics import config_diagnostics, diagnostics, in_command
from evaltui.validation.fixes import fix_in_rounds
from evaltui.validation.locations import Located, located
from evaltui.validation.rule import Diagnostic
from evaltui.validation.rules.formats import YAML_FILE, check_as_set, check_name_of_dataset, readers_of_list
from evaltui.validation.rules.json_syntax import BYTE_ORDER_MARK, repair, syntax_diagnostics

Tick = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class FileReport:
    """The result of checking a file."""

    path: str
    """The path as the user gave it."""
    format: str
    """A word of the contract: eval_set, eval_config, legacy_cases, …, json, not_json."""
    accepted_by_adk: bool
    cases: int | None
    """The number of cases; None if the format has none."""
    diagnostics: Iterable[Located] = ()
    """In the order of the text. Those of a large file can be read only once."""
    fixed: tuple[str, ...] | None = None
    """The codes of the fixed problems, in order; None if no fix was requested."""


def check_file(
    document: Document, name: str, config: LoadedConfig | None = None, tick: Tick | None = None
) -> FileReport:
    """Check a document from `name`, a path or `-`.

    `config` is the loaded config. `tick` gets the number of bytes of each case after its check.
    """
    with without_collecting():
        kind = kind_of(document.root, name)
        if document.root is None:
            said = check_yaml(document, name) or syntax_diagnostics(document)
            return FileReport(name, kind, accepted_by_adk=False, cases=None, diagnostics=said)
        found = findings(document, kind, config, tick)
        refused = any(each.severity == "error" for each in found)
        accepted = kind in ("eval_set", "eval_config") and not refused
        has_cases = kind in ("eval_set", "evaluation_dataset")
        cases = list_of_cases(document.root) if document.root is not None and has_cases else None
        count = len(cases.items) if cases is not None else None
        return FileReport(name, kind, accepted, count, located(document, found))


def check_yaml(document: Document, name: str) -> list[Located]:
    """The diagnostic of a file in YAML, in which nothing is a fault of JSON; empty for any other text."""
    if document.root is not None:
        return []
    from evaltui.interop.source_documents import what_yaml  # nearly all files are JSON

    said = what_yaml(document, name)
    return (
        [Located(YAML_FILE.at("", f"google-adk rejects this: the file is {said}"), TextRange(1, 1, 1, 1))]
        if said
        else []
    )


def findings(
    document: Document, kind: str, config: LoadedConfig | None = None, tick: Tick | None = None
) -> list[Diagnostic]:
    """All diagnostics of a document of the given format."""
    if kind == "eval_set":
        return list(diagnostics(document, config, tick))
    if kind == "eval_config":
        return list(config_diagnostics(document))
    if kind == "evaluation_dataset":
        from evaltui.validation.dataset_diagnostics import dataset_diagnostics

        name = document.path.name if document.path is not None else ""
        return [*check_name_of_dataset(name), *dataset_diagnostics(document, tick)]
    readers = readers_of_list(kind, document.root, config) if document.root is not None else ""
    return check_as_set(kind, readers, in_command(document))


def fix_file(
    document: Document, name: str, wanted: Container[str], config: LoadedConfig | None = None
) -> tuple[Document, list[str]]:
    """Apply all safe fixes of the wanted rules until none is left; returns the document and the codes of the fixes.

    The result is a new document if the text was invalid JSON or began with a byte order mark.
    """
    with without_collecting():
        if check_yaml(document, name):
            return document, []

        def found() -> list[Diagnostic]:
            return findings(document, kind_of(document.root, name), config)

        fixed: list[str] = []
        # Of files in other formats, the report lists no byte order mark, so they keep it.
        has_mark = bool(document.encoding.mark)
        if document.root is None or (has_mark and any(each.code == BYTE_ORDER_MARK.code for each in found())):
            document, fixed = repair(document, wanted)
        if document.root is None:
            return document, fixed
        for chosen in fix_in_rounds(document, found, wanted):
            fixed += [each.code for each in chosen]
    return document, fixed

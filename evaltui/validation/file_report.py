"""A file checked, and fixed where that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from pathlib import Path

from evaltui.document.document import Document
from evaltui.evalset.formats import format_of_document
from evaltui.evalset.set_views import list_of_cases
from evaltui.garbage import without_collecting
from evaltui.scoring.eval_config import LoadedConfig
from evaltui.validation.diagnostics import config_diagnostics, diagnostics
from evaltui.validation.fixes import fix_in_rounds
from evaltui.validation.locations import Located, located
from evaltui.validation.rule import Diagnostic
from evaltui.validation.rules.formats import check_as_set
from evaltui.validation.rules.json_syntax import repair, syntax_diagnostics

Tick = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class FileReport:
    """The outcome of checking a file."""

    path: str
    """The path as it was given."""
    format: str
    """A word of the contract: eval_set, eval_config, legacy_cases, …, json, not_json."""
    accepted_by_adk: bool
    cases: int | None
    """The number of cases; None where there are none to count."""
    diagnostics: list[Located] = field(default_factory=list)
    fixed: tuple[str, ...] | None = None
    """The codes of what was fixed, in that order; None where nothing was to be fixed."""

    def count(self, severity: str) -> int:
        """The number of diagnostics with this severity."""
        return sum(each.diagnostic.severity == severity for each in self.diagnostics)


def check_file(
    document: Document, name: str, config: LoadedConfig | None = None, tick: Tick | None = None
) -> FileReport:
    """Check a document that came from `name`, a path or `-`.

    `config` is what goes with it; `tick` is told the bytes of each case once it is checked.
    """
    with without_collecting():
        kind = kind_of(document, name)
        if kind == "not_json":
            return FileReport(name, kind, accepted_by_adk=False, cases=None, diagnostics=syntax_diagnostics(document))
        found = findings(document, kind, config, tick)
        refused = any(each.severity == "error" for each in found)
        accepted = kind in ("eval_set", "eval_config") and not refused
        cases = list_of_cases(document.root) if document.root is not None and kind == "eval_set" else None
        count = len(cases.items) if cases is not None else None
        return FileReport(name, kind, accepted, count, located(document, found))


def kind_of(document: Document, name: str) -> str:
    """The format of a document, as the command line names it."""
    return "not_json" if document.root is None else format_of_document(document.root, Path(name).name)


def findings(
    document: Document, kind: str, config: LoadedConfig | None = None, tick: Tick | None = None
) -> list[Diagnostic]:
    """All that is wrong with a document of a kind."""
    if kind == "eval_set":
        return list(diagnostics(document, config, tick))
    if kind == "eval_config":
        return list(config_diagnostics(document))
    refused = check_as_set(kind)
    if kind == "evaluation_dataset":
        from evaltui.validation.dataset_diagnostics import dataset_diagnostics

        return [*refused, *dataset_diagnostics(document, tick)]
    return refused


def fix_file(
    document: Document, name: str, wanted: Container[str], config: LoadedConfig | None = None
) -> tuple[Document, list[str]]:
    """Apply all safe fixes of the wanted rules, until none is left; the document and the codes of what was fixed.

    The document is another one where the text was no JSON before, or began with a byte order mark.
    """
    with without_collecting():
        document, fixed = repair(document, wanted)
        if document.root is None:
            return document, fixed
        for chosen in fix_in_rounds(document, lambda: findings(document, kind_of(document, name), config), wanted):
            fixed += [each.code for each in chosen]
    return document, fixed

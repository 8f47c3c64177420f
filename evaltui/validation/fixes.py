"""Applying fixes: as many at once as do not conflict, and all safe fixes of an eval set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaltui.document.document import Document
from evaltui.document.edits import Edit, Move, Rename
from evaltui.document.pointer import parse_pointer
from evaltui.garbage_collection import without_collecting
from evaltui.scoring.eval_config import LoadedConfig
from evaltui.validation.diagnostics import CaseFindings
from evaltui.validation.format_checks import CHECKS_OF_SETS, FormatChecks
from evaltui.validation.rule import Diagnostic

_ROUNDS = 50
"""The largest number of rounds: a fix may uncover further problems."""

_Path = tuple[tuple[int, str], ...]


def compatible(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics whose fixes can be applied together; of two fixes at one place, the first."""
    chosen: list[Diagnostic] = []
    touched: set[str] = set()
    for each in diagnostics:
        places = {place for edit in (each.fix.edits if each.fix else ()) for place in _places(edit)}
        if places and touched.isdisjoint(places):
            touched |= places
            chosen.append(each)
    return chosen


def edits_of(diagnostics: Sequence[Diagnostic]) -> list[Edit]:
    """The edits of compatible fixes, from the end of the document to its beginning, so that pointers stay valid."""
    ordered = sorted(diagnostics, key=lambda each: _path(_first_place(each)), reverse=True)
    return [edit for each in ordered for edit in (each.fix.edits if each.fix else ())]


def fix_in_rounds(
    document: Document, find: Callable[[], Iterable[Diagnostic]], wanted: Container[str]
) -> Iterator[list[Diagnostic]]:
    """Apply the safe fixes of the wanted rules until `find` returns none; yields the problems fixed in each round."""
    for _ in range(_ROUNDS):
        chosen = compatible(each for each in find() if each.fix and each.fix.safe and each.code in wanted)
        if not chosen:
            return
        document.apply(edits_of(chosen), "fix")
        yield chosen


def _first_place(diagnostic: Diagnostic) -> str:
    assert diagnostic.fix is not None
    return min((place for edit in diagnostic.fix.edits for place in _places(edit)), key=_path)


def _places(edit: Edit) -> Iterator[str]:
    yield edit.pointer
    if isinstance(edit, Move):
        yield edit.origin
    if isinstance(edit, Rename):  # two renames to one key conflict, too
        yield f"{edit.pointer.rpartition('/')[0]}/{edit.name}"


def _path(pointer: str) -> _Path:
    """A sort key that orders pointers as in the document: indexes count as numbers."""
    return tuple((int(token), "") if token.isdecimal() else (-1, token) for token in parse_pointer(pointer))


@dataclass(frozen=True, slots=True)
class SafeFixes:
    """Edits to apply in this order, and the number of problems that they fix, by rule code."""

    edits: tuple[Edit, ...]
    counts: dict[str, int]


def safe_fixes(
    body: bytes,
    path: Path | None,
    config: LoadedConfig | None,
    wanted: Container[str],
    known: Mapping[bytes, CaseFindings] | None = None,
    checks: FormatChecks = CHECKS_OF_SETS,
) -> SafeFixes:
    """The safe fixes of the eval set `body`, round after round until none is left; may run in a thread.

    `path` is the path of the file, and `config` its config. Only problems of the `wanted` rules are fixed. `known`
    caches the findings of cases by their text. `checks` are the checks of the file's format.
    """
    document = Document(body, path)
    found = dict(known or {})

    def check(source: bytes) -> CaseFindings:
        if source not in found:
            found[source] = checks.check_case(source)
        return found[source]

    def find() -> Iterable[Diagnostic]:
        return checks.check_document(document, config, check) if document.root is not None else ()

    edits: list[Edit] = []
    counts: Counter[str] = Counter()
    with without_collecting():
        for chosen in fix_in_rounds(document, find, wanted):
            edits += edits_of(chosen)
            counts.update(each.code for each in chosen)
    return SafeFixes(tuple(edits), dict(counts.most_common()))

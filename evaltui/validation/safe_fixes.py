"""All safe fixes of an eval set, found out on a copy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evaltui.document import Document, Edit
from evaltui.evalset.configs import LoadedConfig
from evaltui.garbage import without_collecting
from evaltui.validation.checks.with_config import under
from evaltui.validation.diagnostic import Diagnostic
from evaltui.validation.fixes import edits_of, fix_in_rounds
from evaltui.validation.set_diagnostics import (
    CaseFindings,
    cases_of,
    pointer_of_case,
    validate_case,
    validate_rest,
    without_cases,
)


@dataclass(frozen=True, slots=True)
class SafeFixes:
    """Edits to be done in this order, and how many problems they fix, by the code of the rule."""

    edits: tuple[Edit, ...]
    counts: dict[str, int]


def safe_fixes(
    body: bytes,
    path: Path | None,
    config: LoadedConfig | None,
    wanted: Container[str],
    known: Mapping[bytes, CaseFindings] | None = None,
) -> SafeFixes:
    """The safe fixes of the eval set `body`, round after round until none is left; for a thread.

    Its file is at `path`, and `config` goes with it. Only what the `wanted` rules find is fixed. What is `known` of
    cases, by their text, is not found out again.
    """
    document = Document(body, path)
    known = dict(known or {})
    edits: list[Edit] = []
    counts: Counter[str] = Counter()
    with without_collecting():
        for chosen in fix_in_rounds(document, lambda: _findings(document, known, config), wanted):
            edits += edits_of(chosen)
            counts.update(each.code for each in chosen)
    return SafeFixes(tuple(edits), dict(counts.most_common()))


def _findings(
    document: Document, known: dict[bytes, CaseFindings], config: LoadedConfig | None
) -> Iterator[Diagnostic]:
    """What is wrong; cases that are `known` by their text are not checked again."""
    root = document.root
    if root is None:
        return
    sources = [case.source() for case in cases_of(root)]
    for source in sources:
        if source not in known:
            known[source] = validate_case(source)
    for number, source in enumerate(sources):
        prefix = pointer_of_case(root, number)
        found_here = (each if config is None else under(config, each) for each in known[source].diagnostics)
        yield from (each.below(prefix) for each in found_here)
    facts = [known[source].facts for source in sources]
    for number_or_none, found in validate_rest(without_cases(root), facts, config, document.path):
        yield found if number_or_none is None else found.below(pointer_of_case(root, number_or_none))

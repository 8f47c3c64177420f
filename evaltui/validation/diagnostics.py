"""All diagnostics of a document.

Of an eval set: each case alone, then the set by what is known of its cases. Of a config: what google-adk rejects of it,
and what it accepts and then does not evaluate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.evalset.set_views import cases_of, pointer_of_case, without_cases
from evaltui.scoring.eval_config import LoadedConfig
from evaltui.validation.case_facts import CaseFacts, NumberedDiagnostic, facts_of
from evaltui.validation.model_errors import errors_by_model, errors_in_case, errors_in_set_without_cases
from evaltui.validation.pointed_values import PointedCase, PointedValue
from evaltui.validation.rule import Diagnostic
from evaltui.validation.rules import calls, conversations, ids, keys, rubrics, secrets, sessions, timestamps
from evaltui.validation.rules.config import check_config
from evaltui.validation.rules.json_syntax import encoding_diagnostics
from evaltui.validation.rules.values import read_data, with_reachable_fixes
from evaltui.validation.rules.with_config import check_with_config, under

_CHECKS_OF_CASES = (
    keys.check_case,
    ids.check_case,
    timestamps.check_case,
    conversations.check_case,
    calls.check_case,
    rubrics.check_case,
)


@dataclass(frozen=True, slots=True)
class CaseFindings:
    """The diagnostics of a case alone, and the facts of it for the checks of the set."""

    diagnostics: tuple[Diagnostic, ...]
    facts: CaseFacts


def validate_case(source: bytes) -> CaseFindings:
    """Check one case, given as its JSON text. Touches nothing else, so any thread may do it."""
    rejected = errors_in_case(source)
    try:
        data, odd = read_data(source)
        case = PointedCase(data)
    except (ValueError, RecursionError):  # said by the model: half characters, too many levels
        return CaseFindings(tuple(rejected), CaseFacts())
    every = with_reachable_fixes((*rejected, *odd, *certain(_check_case(case, source), rejected)))
    return CaseFindings(tuple(every), facts_of(case, is_accepted=not rejected))


def _check_case(case: PointedCase, source: bytes) -> Iterator[Diagnostic]:
    """The findings of group `meaning` in a case; `source` is its JSON text."""
    for check in _CHECKS_OF_CASES:
        yield from check(case)
    yield from secrets.check_texts(case.root, source)


def certain(further: Iterable[Diagnostic], found: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """The `further` findings without doubtful ones: a misspelt key may be the one that seems to be missing."""
    doubtful = {_around(each.pointer) for each in found if each.at_key}
    for each in further:
        if not (found and each.severity == "info") and _around(each.pointer) not in doubtful:
            yield each


def _around(pointer: str) -> str:
    return pointer.rpartition("/")[0]


def validate_rest(
    rest: bytes, cases: Sequence[CaseFacts], config: LoadedConfig | None = None, path: Path | None = None
) -> list[NumberedDiagnostic]:
    """Check a set apart from its cases: `rest` is its text with an empty list for them.

    `config` is what goes with it, and `path` is where its file is.
    """
    root = Node(rest)
    found: list[NumberedDiagnostic] = [(None, each) for each in errors_in_set_without_cases(root)]
    try:
        data, odd = read_data(rest)
        found += [(None, each) for each in odd]
    except (ValueError, RecursionError):
        data = None
    found += _check_set(PointedValue(data), cases, path, rest)
    if config is None:
        return found
    return [*((number, under(config, each)) for number, each in found), *check_with_config(config, cases)]


def _check_set(
    rest: PointedValue, cases: Sequence[CaseFacts], path: Path | None, source: bytes
) -> Iterator[NumberedDiagnostic]:
    """The findings of group `meaning` in a set: `rest` is the set without its cases, `source` the text of that."""
    of_rest = chain(
        ids.check_set(rest),
        keys.check_set(rest),
        timestamps.check_set(rest),
        secrets.check_texts(rest, source),
        conversations.check_set(rest, cases),
    )
    yield from ((None, each) for each in of_rest)
    yield from ids.check_eval_ids(cases)
    yield from conversations.check_expectations(cases)
    yield from sessions.check_state(cases)
    yield from sessions.check_app_names(cases, path)


def diagnostics(
    document: Document,
    config: LoadedConfig | None = None,
    tick: Callable[[int], None] | None = None,
    check: Callable[[bytes], CaseFindings] = validate_case,
) -> Iterator[Diagnostic]:
    """All findings in a document that is JSON and an eval set, each below its pointer in the whole.

    `config` is the one that is loaded with it; `tick` is told the bytes of each case once it is checked; `check` may
    remember the findings of a case.

    There is an error among them if and only if google-adk's model rejects the bytes.
    """
    yield from with_reachable_fixes(_all_findings(document, config, tick, check))


def _all_findings(
    document: Document,
    config: LoadedConfig | None,
    tick: Callable[[int], None] | None,
    check: Callable[[bytes], CaseFindings],
) -> Iterator[Diagnostic]:
    root = document.root
    assert root is not None
    yield from encoding_diagnostics(document)
    cases = cases_of(root)
    facts: list[CaseFacts] = []
    for number, case in enumerate(cases):
        findings = check(source := case.source())
        if tick is not None:
            tick(len(source))
        facts.append(findings.facts)
        for each in findings.diagnostics:
            yield (each if config is None else under(config, each)).below(pointer_of_case(root, number))
    for number_or_none, found in validate_rest(without_cases(root), facts, config, document.path):
        yield found if number_or_none is None else found.below(pointer_of_case(root, number_or_none))


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
    from evaltui.evalset.schema.eval_config import EvalConfig  # noqa: PLC0415 - sets are checked without it

    return errors_by_model(source, Node(source), EvalConfig, ())

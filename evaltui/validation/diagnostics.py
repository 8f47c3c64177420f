"""All diagnostics of a document.

For an eval set: each case alone, then the whole set by the facts of its cases. For a config: what google-adk rejects,
then what it accepts but does not evaluate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.evalset.case_file import cases_of, pointer_of_case, without_cases
from evaltui.evalset.file_formats import has_ids_of_adk_rs, is_of_dialect
from evaltui.printable import as_argument
from evaltui.scoring.eval_config import LoadedConfig
from evaltui.validation.case_facts import CaseFacts, NumberedDiagnostic, facts_of
from evaltui.validation.model_errors import errors_by_model, errors_in_case, errors_in_set_without_cases
from evaltui.validation.pointed_values import PointedCase, PointedValue
from evaltui.validation.rule import Diagnostic
from evaltui.validation.rules import calls, conversations, ids, keys, rubrics, secrets, sessions, timestamps
from evaltui.validation.rules.config import check_config
from evaltui.validation.rules.json_syntax import encoding_diagnostics
from evaltui.validation.rules.schema import MISSPELT_KEY
from evaltui.validation.rules.values import read_data, with_reachable_fixes
from evaltui.validation.rules.with_config import checks_with_config, under
from evaltui.validation.set_check import FirstNumbers, SetCheck, check_across

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
    """The diagnostics of one case, and its facts for the checks of the whole set."""

    diagnostics: tuple[Diagnostic, ...]
    facts: CaseFacts


def validate_case(source: bytes) -> CaseFindings:
    """Check one case, given as its JSON text. Uses no shared state, so any thread may call it."""
    rejected = errors_in_case(source)
    try:
        data, odd = read_data(source)
        case = PointedCase(data)
    except (ValueError, RecursionError):  # the model reports these: half surrogate pairs, too many levels
        return CaseFindings(tuple(rejected), CaseFacts())
    every = with_reachable_fixes((*rejected, *odd, *certain(_check_case(case, source), rejected)))
    return CaseFindings(tuple(every), facts_of(case, is_accepted=not rejected))


def _check_case(case: PointedCase, source: bytes) -> Iterator[Diagnostic]:
    """The diagnostics of group `meaning` in a case; `source` is its JSON text."""
    for check in _CHECKS_OF_CASES:
        yield from check(case)
    yield from secrets.check_texts(case.root, source)


def certain(further: Iterable[Diagnostic], found: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """The `further` diagnostics without doubtful ones: a misspelled key may be the one that seems to be missing."""
    doubtful = {_around(each.pointer) for each in found if each.at_key}
    for each in further:
        if not (found and each.severity == "info") and _around(each.pointer) not in doubtful:
            yield each


def _around(pointer: str) -> str:
    return pointer.rpartition("/")[0]


def validate_rest(
    rest: bytes, cases: Sequence[CaseFacts], config: LoadedConfig | None = None, path: Path | None = None
) -> list[NumberedDiagnostic]:
    """Check an eval set apart from its cases: `rest` is its text with an empty list of cases.

    `config` is the loaded config, and `path` is the path of the file.
    """
    found = [
        *((None, each) for each in check_rest(rest, len(cases))),
        *check_across(set_checks(config, path, {}), cases),
    ]
    return found if config is None else [(number, under(config, each)) for number, each in found]


def check_rest(rest: bytes, count: int) -> list[Diagnostic]:
    """The diagnostics of an eval set without its cases, whose number is `count`."""
    root = Node(rest)
    found = errors_in_set_without_cases(root)
    try:
        data, odd = read_data(rest)
        found += odd
    except (ValueError, RecursionError):
        data = None
    top = PointedValue(data)
    found = as_of_dialect(found, root)
    return [
        *found,
        *ids.check_set(top),
        *keys.check_set(top),
        *timestamps.check_set(top),
        *secrets.check_texts(top, rest),
        *conversations.check_set(top, count),
    ]


def set_checks(config: LoadedConfig | None, path: Path | None, first: FirstNumbers) -> list[SetCheck]:
    """The checks across the cases of an eval set; `first` is empty, and gets the ids of the cases."""
    return [
        ids.EvalIds(first),
        conversations.Expectations(),
        sessions.StateTypes(),
        sessions.AppNames(path),
        *(checks_with_config(config) if config is not None else ()),
    ]


def diagnostics(
    document: Document,
    config: LoadedConfig | None = None,
    tick: Callable[[int], None] | None = None,
    check: Callable[[bytes], CaseFindings] = validate_case,
) -> Iterator[Diagnostic]:
    """All diagnostics of a document that is an eval set, with pointers relative to the file.

    `config` is the loaded config. `tick` gets the number of bytes of each case after its check. `check` may cache the
    diagnostics of a case.

    There is an error among them if and only if google-adk's model rejects the bytes.
    """
    found = with_reachable_fixes(_all_findings(document, config, tick, check))
    yield from as_of_dialect(found, document.root, in_command(document)) if document.root is not None else found


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
            own = each if config is None else under(config, each, findings.facts)
            yield own.below(pointer_of_case(root, number))
    for number_or_none, found in validate_rest(without_cases(root), facts, config, document.path):
        yield found if number_or_none is None else found.below(pointer_of_case(root, number_or_none))


def in_command(document: Document) -> str:
    """The file of a document as a word of a command line."""
    return as_argument(str(document.path)) if document.path is not None else "FILE"


def as_of_dialect(found: Iterable[Diagnostic], root: Node, file: str = "FILE") -> list[Diagnostic]:
    """The diagnostics of a set, without safe edits if it is one of another program, which reads the set as it is.

    `file` is the name of the set in commands.
    """
    if not is_of_dialect(root):
        return list(found)
    command = f"`evaltui convert {file} --to evalset`"
    said = f"adk-rs reads id, too. {command} makes a set of google-adk" if has_ids_of_adk_rs(root) else ""
    return [
        replace(each, fix=replace(each.fix, safe=False), message=_said(each, said))
        if each.fix is not None and each.fix.edits
        else each
        for each in found
    ]


def _said(found: Diagnostic, about_id: str) -> str:
    """The message of a diagnostic; that of an `id` in the place of eval_id has a clause more."""
    is_about_id = found.code == MISSPELT_KEY.code and found.message == "id should be eval_id"
    return f"{found.message}; {about_id}" if about_id and is_about_id else found.message


def config_diagnostics(document: Document) -> Iterator[Diagnostic]:
    """All diagnostics of a document that is a config.

    There is an error among them if and only if google-adk's model rejects the bytes.
    """
    root = document.root
    assert root is not None
    yield from encoding_diagnostics(document)
    rejected = errors_in_config(source := root.source())
    try:
        data, odd = read_data(source)
    except (ValueError, RecursionError):  # the schema reports these: half surrogate pairs, too many levels
        yield from rejected
        return
    for each in with_reachable_fixes((*rejected, *odd, *check_config(data))):
        yield each if each in rejected or each in odd else _with_harmless_fix(each, source, len(rejected))


def _with_harmless_fix(found: Diagnostic, source: bytes, rejected: int) -> Diagnostic:
    """The diagnostic without its fix, if the fix would make google-adk reject the config.

    This happens when the misspelled key has a wrong value: nothing reads the value until the key is renamed.
    """
    if found.fix is None:
        return found
    document = Document(source)
    document.apply(found.fix.edits, found.fix.title)
    return replace(found, fix=None) if len(errors_in_config(document.to_bytes())) > rejected else found


def errors_in_config(source: bytes) -> list[Diagnostic]:
    """The errors of a config whose text is JSON; none if and only if google-adk accepts it.

    google-adk reads configs with `EvalConfig.model_validate_json`.
    """
    from evaltui.evalset.schema.config_models import EvalConfig  # noqa: PLC0415 - checks of eval sets do not need it

    return errors_by_model(source, Node(source), EvalConfig, ())

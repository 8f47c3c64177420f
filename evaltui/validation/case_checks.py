"""The checks of each format: eval sets and EvaluationDatasets case by case and then as a whole, and configs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path

from evaltui.document.document import Document
from evaltui.document.edits import Rename, Set
from evaltui.document.node import Node
from evaltui.evalset.case_format import DATASET, EVAL_SET
from evaltui.evalset.file_formats import has_ids_of_adk_rs, is_of_dialect
from evaltui.evalset.keys import items_of, pointer_of_case, without_cases
from evaltui.printable import as_argument
from evaltui.scoring.eval_config import LoadedConfig
from evaltui.validation.checked_case import CaseFacts, CheckedCase, PointedValue
from evaltui.validation.model_errors import errors_by_model, errors_in_case, errors_in_set_without_cases
from evaltui.validation.rule_types import Diagnostic, Fix, NumberedDiagnostic, SetCheck
from evaltui.validation.rules import (
    calls,
    config_rules,
    conversations,
    dataset_cases,
    dataset_events,
    ids,
    json_syntax,
    model_rules,
    odd_values,
    rubrics,
    sessions,
    unread_keys,
    with_config,
)

CaseFindings = tuple[tuple[Diagnostic, ...], CaseFacts]
"""The diagnostics of one case, and its facts for the checks of the whole set."""
_DATASET = "evaluation_dataset"
"""The format with checks of its own. Files of any other format are checked as eval sets."""


def reader_of(kind: str) -> str:
    """The program that reads the files of a format."""
    return "agents-cli" if kind == _DATASET else "google-adk"


def check_document(
    document: Document,
    config: LoadedConfig | None = None,
    *,
    kind: str = "eval_set",
    tick: Callable[[int], None] | None = None,
    cache: dict[bytes, CaseFindings] | None = None,
) -> list[Diagnostic]:
    """All diagnostics of an eval set, or of a dataset (which has no config), with pointers relative to the file.

    `tick` gets the number of bytes of each case after its check. `cache` has findings of cases by their text, and gets
    more.

    There is an error among them if and only if the model of the reader rejects the bytes.
    """
    root = document.root
    assert root is not None
    diagnostics, all_facts = json_syntax.encoding_diagnostics(document, reader_of(kind)), list[CaseFacts]()
    for number, case in enumerate(items_of(root, "eval_cases")):
        source = case.source()
        of_case, facts = findings = (cache or {}).get(source) or check_case(source, kind)
        if cache is not None:
            cache[source] = findings
        if tick is not None:
            tick(len(source))
        all_facts.append(facts)
        for diagnostic in of_case:
            own = diagnostic if config is None else with_config.under(config, diagnostic, facts)
            diagnostics.append(own.below(pointer_of_case(root, number)))
    for place, diagnostic in check_set(without_cases(root), all_facts, kind, config, document.path):
        diagnostics.append(diagnostic if place is None else diagnostic.below(pointer_of_case(root, place)))
    # Once more for the whole file: a duplicate key outside the cases blocks the fixes in them.
    reachable = odd_values.with_reachable_fixes(diagnostics)
    return [*reachable] if kind != "eval_set" else as_of_dialect(reachable, root, in_command(document))


def check_set(
    rest: bytes, cases: Sequence[CaseFacts], kind: str, config: LoadedConfig | None = None, path: Path | None = None
) -> list[NumberedDiagnostic]:
    """Check a file apart from its cases: `rest` is its text with an empty list of cases, `path` its path."""
    numbered: list[NumberedDiagnostic] = [(None, diagnostic) for diagnostic in check_rest(rest, len(cases), kind)]
    for check in set_checks(rest, kind, config, path, {}):
        suspects = check.note(enumerate(cases))
        numbered += ((None, diagnostic) for diagnostic in check.of_set())
        numbered += ((number, own) for number in suspects for own in check.of_case(number, cases[number]))
    if config is None:
        return numbered
    return [(number, with_config.under(config, diagnostic)) for number, diagnostic in numbered]


def set_checks(
    rest: bytes, kind: str, config: LoadedConfig | None, path: Path | None, numbers: ids.FirstNumbers
) -> list[SetCheck]:
    """The checks across the cases of a file, given as its text with an empty list of cases. `numbers` gets the ids."""
    if kind == _DATASET:
        with suppress(ValueError):
            data, _ = odd_values.read_data(rest, reader_of(kind))
            return [ids.DatasetIds(PointedValue(data), numbers)] if isinstance(data, dict) else []
        return []
    checks = [ids.EvalIds(numbers), conversations.Expectations(), sessions.StateTypes(), sessions.AppNames(path)]
    if config is not None:
        checks.append(with_config.MetricsOfConfig(config))
    return checks


def _certain(further: Iterable[Diagnostic], errors: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    # A misspelled key may be the one that seems to be missing from the object around it.
    doubtful = {diagnostic.pointer.rpartition("/")[0] for diagnostic in errors if diagnostic.at_key}
    for diagnostic in further:
        # An info is noise beside the errors of a case that google-adk rejects.
        if not (errors and diagnostic.severity == "info") and diagnostic.pointer.rpartition("/")[0] not in doubtful:
            yield diagnostic


_CASE_CHECKS = (
    unread_keys.check_case,
    ids.check_case,
    odd_values.check_times,
    conversations.check_case,
    calls.check_case,
    rubrics.check_case,
)


_DATASET_CASE_CHECKS = (
    unread_keys.check_dataset_case,
    dataset_cases.check_case,
    dataset_events.check_case,
    rubrics.check_dataset_case,
)
_CODES_OF_MISSING = (dataset_cases.EMPTY_DATASET_CASE.code, dataset_cases.CASE_NOT_GENERATED.code)


def check_case(source: bytes, kind: str = "eval_set") -> CaseFindings:
    """Check one case, given as its JSON text. Uses no shared state, so any thread may call it."""
    is_of_dataset = kind == _DATASET
    errors = errors_in_case(source, reader_of(kind))
    try:
        data, odd = odd_values.read_data(source, reader_of(kind))
    except ValueError:  # the model reports these: half surrogate pairs, too many levels
        return tuple(errors), CaseFacts()
    case = CheckedCase(data, DATASET if is_of_dataset else EVAL_SET)
    shaped = dataset_cases.with_shapes(errors, case) if is_of_dataset else errors
    checks = _CASE_CHECKS if not is_of_dataset else _DATASET_CASE_CHECKS if isinstance(data, dict) else ()
    further = chain(chain.from_iterable(check(case) for check in checks), odd_values.check_texts(case.root, source))
    certain = [*_certain(further, shaped)]
    edits = chain.from_iterable(diagnostic.fix.edits for diagnostic in certain if diagnostic.fix is not None)
    renamed = {edit.name for edit in edits if isinstance(edit, Rename) and edit.pointer.count("/") == 1}
    # The renamed field of a dataset case may be the one that seems to be missing.
    if renamed & {"prompt", "agent_data"}:
        certain = [diagnostic for diagnostic in certain if diagnostic.code not in _CODES_OF_MISSING]
    every = odd_values.with_reachable_fixes((*shaped, *odd, *certain))
    return tuple(every), case.facts(is_accepted=not errors and "eval_case_id" not in renamed)


def check_rest(rest: bytes, count: int, kind: str = "eval_set") -> list[Diagnostic]:
    """The diagnostics of a file without its cases: its text has an empty list in place of these `count` cases."""
    root = Node(rest)
    if kind == _DATASET and root.kind != "object":
        # A bare list of cases is a dataset that lost the object around it.
        edit = Set("", b'{"eval_cases": %s}' % root.source())
        fix = Fix("Put it into eval_cases", False, (edit,)) if root.kind == "array" else None
        return [model_rules.wrong_root(root, "an EvaluationDataset", fix)]
    errors = errors_in_set_without_cases(root, reader_of(kind))
    data, odd = None, list[Diagnostic]()
    with suppress(ValueError):  # the model reports these: half surrogate pairs, too many levels
        data, odd = odd_values.read_data(rest, reader_of(kind))
    top = PointedValue(data)
    texts = odd_values.check_texts(top, rest)
    if kind == _DATASET:
        further = () if errors else dataset_cases.check_set(top, count)
        return [*errors, *odd, *unread_keys.check_dataset(top), *texts, *further]
    return [
        *as_of_dialect([*errors, *odd], root),
        *ids.check_set(top),
        *unread_keys.check_set(top),
        *odd_values.check_time_of_set(top),
        *texts,
        *conversations.check_set(top, count),
    ]


def in_command(document: Document) -> str:
    """The file of a document as a word of a command line."""
    return as_argument(str(document.path)) if document.path is not None else "FILE"


def as_of_dialect(diagnostics: Iterable[Diagnostic], root: Node, file: str = "FILE") -> list[Diagnostic]:
    """The diagnostics of a set, without safe fixes if it is one of another program.

    `file` is the name of the set in commands.
    """
    # The other program reads the set as it is, and would not read its keys after the fixes.
    if not is_of_dialect(root):
        return list(diagnostics)
    command = f"`evaltui convert {file} --to evalset`"
    clause = f"; adk-rs reads id, too. {command} makes a set of google-adk" if has_ids_of_adk_rs(root) else ""
    changed = []
    for diagnostic in diagnostics:
        if (fix := diagnostic.fix) is not None and fix.edits:
            rule, message = model_rules.MISSPELT_KEY, diagnostic.message
            message += clause if diagnostic.code == rule.code and message == "id should be eval_id" else ""
            diagnostic = replace(diagnostic, fix=replace(fix, safe=False), message=message)  # noqa: PLW2901
        changed.append(diagnostic)
    return changed


# --- configs ---------------------------------------------------------------------------------------------------------


def config_diagnostics(document: Document) -> Iterator[Diagnostic]:
    """All diagnostics of a document that is a config.

    There is an error among them if and only if google-adk's model rejects the bytes.
    """
    root = document.root
    assert root is not None
    yield from json_syntax.encoding_diagnostics(document)
    errors = errors_in_config(source := root.source())
    try:
        data, odd = odd_values.read_data(source)
    except ValueError:  # the schema reports these: half surrogate pairs, too many levels
        yield from errors
        return

    def is_harmful(fix: Fix) -> bool:
        # A misspelled key may have a wrong value, which nothing reads until the key is renamed.
        tried = Document(source)
        tried.apply(fix.edits, fix.title)
        return len(errors_in_config(tried.to_bytes())) > len(errors)

    for diagnostic in odd_values.with_reachable_fixes((*errors, *odd, *config_rules.check_config(data))):
        is_further = diagnostic not in errors and diagnostic not in odd
        is_unfixable = is_further and diagnostic.fix is not None and is_harmful(diagnostic.fix)
        yield replace(diagnostic, fix=None) if is_unfixable else diagnostic


def errors_in_config(source: bytes) -> list[Diagnostic]:
    """The errors of a config whose text is JSON; none if and only if google-adk accepts it.

    google-adk reads configs with `EvalConfig.model_validate_json`.
    """
    from evaltui.evalset.schema.config_models import EvalConfig  # noqa: PLC0415 - checks of eval sets do not need it

    return errors_by_model(source, Node(source), EvalConfig, ())

"""All diagnostics of an EvaluationDataset: each case alone, then the dataset by the facts of its cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from evaltui.document.document import Document
from evaltui.document.edits import Rename, Set
from evaltui.document.node import Node
from evaltui.evalset.case_file import cases_of, pointer_of_case, without_cases
from evaltui.evalset.schema.genai_models import EvaluationDataset
from evaltui.validation.case_facts import CaseFacts, NumberedDiagnostic
from evaltui.validation.dataset_case import PointedDatasetCase
from evaltui.validation.diagnostics import CaseFindings, certain
from evaltui.validation.model_errors import errors_by_model
from evaltui.validation.pointed_values import PointedValue
from evaltui.validation.rule import Diagnostic, Fix
from evaltui.validation.rules import dataset_events, dataset_keys, dataset_rubrics, datasets, secrets
from evaltui.validation.rules.dataset_shapes import with_shapes
from evaltui.validation.rules.json_syntax import encoding_diagnostics
from evaltui.validation.rules.schema import wrong_root
from evaltui.validation.rules.values import read_data, with_reachable_fixes
from evaltui.validation.set_check import FirstNumbers, SetCheck, check_across

_READER = "agents-cli"
_OF_MISSING = (datasets.EMPTY_DATASET_CASE.code, datasets.CASE_NOT_GENERATED.code)
_CHECKS_OF_CASES = (dataset_keys.check_case, datasets.check_case, dataset_events.check_case, dataset_rubrics.check_case)


def validate_dataset_case(source: bytes) -> CaseFindings:
    """Check one case of a dataset, given as its JSON text. Uses no shared state, so any thread may call it."""
    rejected = errors_by_model(
        b'{"eval_cases":[%s]}' % source, Node(source), EvaluationDataset, ("eval_cases", 0), _READER
    )
    try:
        data, odd = read_data(source, _READER)
    except (ValueError, RecursionError):  # the model reports these: half surrogate pairs, too many levels
        return CaseFindings(tuple(rejected), CaseFacts())
    case = PointedDatasetCase(data)
    errors = with_shapes(rejected, case)
    further = [*certain(_check_case(case, source), errors)]
    renamed = {name for each in further for name in _new_names(each)}
    if renamed & {"prompt", "agent_data"}:  # the renamed field may be the one that seems to be missing
        further = [each for each in further if each.code not in _OF_MISSING]
    every = with_reachable_fixes((*errors, *odd, *further))
    return CaseFindings(tuple(every), case.facts(is_accepted=not rejected and "eval_case_id" not in renamed))


def _new_names(found: Diagnostic) -> Iterator[str]:
    """The names that the fix of a diagnostic gives to fields of the case."""
    for edit in found.fix.edits if found.fix is not None else ():
        if isinstance(edit, Rename) and edit.pointer.count("/") == 1:
            yield edit.name


def _check_case(case: PointedDatasetCase, source: bytes) -> Iterator[Diagnostic]:
    """The diagnostics of group `meaning` in a case; `source` is its JSON text."""
    for check in _CHECKS_OF_CASES if isinstance(case.root.data, dict) else ():
        yield from check(case)
    yield from secrets.check_texts(case.root, source)


def validate_dataset_rest(rest: bytes, cases: Sequence[CaseFacts]) -> list[NumberedDiagnostic]:
    """Check a dataset apart from its cases: `rest` is its text with an empty list of cases."""
    of_rest = ((None, each) for each in check_dataset_rest(rest, len(cases)))
    return [*of_rest, *check_across(dataset_checks(rest, {}), cases)]


def check_dataset_rest(rest: bytes, count: int) -> list[Diagnostic]:
    """The diagnostics of a dataset without its cases, whose number is `count`."""
    root = Node(rest)
    if root.kind != "object":
        return [wrong_root(root, "an EvaluationDataset", _as_cases(root))]
    found = errors_by_model(rest, root, EvaluationDataset, (), _READER)
    try:
        data, odd = read_data(rest, _READER)
    except (ValueError, RecursionError):
        return found
    top = PointedValue(data)
    further = [*odd, *dataset_keys.check_set(top), *secrets.check_texts(top, rest)]
    return [*found, *further, *(() if found else datasets.check_set(top, count))]


def dataset_checks(rest: bytes, first: FirstNumbers) -> list[SetCheck]:
    """The checks across the cases of a dataset; `first` is empty, and gets the ids of the cases."""
    try:
        data, _ = read_data(rest, _READER)
    except (ValueError, RecursionError):
        return []
    return [dataset_keys.DatasetIds(PointedValue(data), first)] if isinstance(data, dict) else []


def _as_cases(root: Node) -> Fix | None:
    """The fix that puts a bare list of cases into a dataset."""
    if root.kind != "array":
        return None
    return Fix("Put it into eval_cases", False, (Set("", b'{"eval_cases": %s}' % root.source()),))


def dataset_diagnostics(
    document: Document,
    tick: Callable[[int], None] | None = None,
    check: Callable[[bytes], CaseFindings] = validate_dataset_case,
) -> Iterator[Diagnostic]:
    """All diagnostics of a document that is an EvaluationDataset, with pointers relative to the file.

    `tick` gets the number of bytes of each case after its check. `check` may cache the diagnostics of a case.

    There is an error among them if and only if agentplatform's model rejects the bytes.
    """
    yield from with_reachable_fixes(_all_findings(document, tick, check))


def _all_findings(
    document: Document, tick: Callable[[int], None] | None, check: Callable[[bytes], CaseFindings]
) -> Iterator[Diagnostic]:
    root = document.root
    assert root is not None
    yield from encoding_diagnostics(document, _READER)
    facts: list[CaseFacts] = []
    for number, case in enumerate(cases_of(root)):
        findings = check(source := case.source())
        if tick is not None:
            tick(len(source))
        facts.append(findings.facts)
        yield from (each.below(pointer_of_case(root, number)) for each in findings.diagnostics)
    for at, found in validate_dataset_rest(without_cases(root), facts):
        yield found if at is None else found.below(pointer_of_case(root, at))

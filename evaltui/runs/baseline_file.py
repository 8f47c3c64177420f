"""Files of baselines: read, and compared with a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.disk.file_content import read_file
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError, MissingFileError
from evaltui.evalset.expected_set import ExpectedCase, ExpectedSet
from evaltui.interop.source_documents import what_yaml
from evaltui.printable import as_argument
from evaltui.scoring.baseline import Baseline, BaselineError, read_baseline
from evaltui.scoring.baseline_changes import changes_since
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult
from evaltui.scoring.scored_set import ScoredSet

if TYPE_CHECKING:  # the command line scores a set once, and does not need the import
    from evaltui.runs.editor_run import Snapshot


def open_baseline(name: str, data: bytes | None = None) -> Baseline:
    """The baseline in the file `name`, or in `data` if that is given. Raises `DocumentError`."""
    try:
        content = read_file(Path(name)) if data is None else data
    except MissingFileError:
        command = f"evaltui run --save-baseline {as_argument(name)}"
        raise MissingFileError(f"{name}: there is no such file; {command} writes it") from None
    try:
        return read_baseline(content)
    except BaselineError as error:
        yaml = what_yaml(Document(content), name)
        raise DocumentError(f"{name}: {f'this is {yaml}' if yaml else error}") from error


def with_changes(run: ScoredSet, baseline: Baseline, name: str, *, only_regressions: bool = False) -> ScoredSet:
    """The run with its changes since a baseline. Raises `DocumentError` if the baseline is of another set."""
    try:
        changes = changes_since(baseline, run, name)
        return replace(run, changes=changes._replace(only_regressions=only_regressions))
    except BaselineError as error:
        raise DocumentError(f"{name}: {error}") from error


def run_of_results(snapshot: Snapshot, criteria: Criteria, results: Iterable[CaseResult]) -> ScoredSet:
    """A run made of the results of a snapshot, with what baselines need. `results` has all cases, in any order.

    For sets that are scored case by case: the editor and `evaltui watch`.
    """
    ordered = tuple(sorted(results, key=lambda result: result.number))
    cases = tuple(
        ExpectedCase(result.eval_id, result.number, (), snapshot.sources[result.number]) for result in ordered
    )
    subject = ExpectedSet(snapshot.name, snapshot.path, snapshot.eval_set_id, cases, is_dataset=snapshot.is_dataset)
    return ScoredSet(subject, criteria, (), ordered, ())

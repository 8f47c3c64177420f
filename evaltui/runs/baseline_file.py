"""Files of baselines: read, compared with a run, and written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from evaltui.document.disk.file_content import read_file
from evaltui.document.disk.file_replacement import write_file
from evaltui.document.errors import DocumentError, MissingFileError
from evaltui.interrupt import deferred
from evaltui.scoring.baseline import Baseline, BaselineError, baseline_of, baseline_text, read_baseline
from evaltui.scoring.baseline_comparison import changes_since
from evaltui.scoring.scored_set import ScoredSet


def open_baseline(name: str, data: bytes | None = None) -> Baseline:
    """The baseline in the file `name`, or in `data` if that is given. Raises `DocumentError`."""
    try:
        return read_baseline(read_file(Path(name)) if data is None else data)
    except MissingFileError:
        raise MissingFileError(f"{name}: there is no such file; evaltui run --save-baseline {name} makes it") from None
    except BaselineError as error:
        raise DocumentError(f"{name}: {error}") from error


def with_changes(run: ScoredSet, baseline: Baseline, name: str) -> ScoredSet:
    """The run with its changes since a baseline. Raises `DocumentError` if the baseline is of another set."""
    try:
        return replace(run, changes=changes_since(baseline, run, name))
    except BaselineError as error:
        raise DocumentError(f"{name}: {error}") from error


def save_baseline(path: Path, run: ScoredSet) -> Baseline:
    """Write the baseline that a run makes, whole or not at all. Raises `DocumentError`."""
    baseline = baseline_of(run)
    with deferred():
        write_file(path, baseline_text(baseline).encode())
    return baseline

"""Files of cases, eval sets and EvaluationDatasets: their names, and the search in folders."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evaltui.document.node import root_of_file
from evaltui.evalset.file_formats import ENDINGS_OF_SETS, is_dataset, is_eval_set
from evaltui.evalset.keys import items_of, text_of
from evaltui.file_access import open_regular, read_regular, why_unreadable
from evaltui.files.folder_search import Bounds, walk
from evaltui.files.gitignore import Complain

LARGEST = 200_000_000
"""The most bytes of a file that the list of sets reads."""
TRACES = Path("artifacts") / "traces"
GRADES = Path("artifacts") / "grade_results"
"""The folders of agents-cli in its project (`google.agents.cli.eval._paths`), in which it writes recordings."""
_WORD = b"eval_cases"
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class FoundSet:
    """An eval set or dataset on disk; `cases` is None if the file only has the name of one."""

    path: Path
    cases: int | None
    name: str = ""
    is_json: bool = True
    is_dataset: bool = False


def candidates(folder: Path, complain: Complain) -> Iterator[Path]:
    """Files below `folder` with the name of an eval set, and JSON files that contain `eval_cases`, sorted by path.

    Recordings of agents-cli are left out, unless `folder` is within their folder.
    Raises `SearchLimitError` and `SearchCancelledError`.
    """
    is_named = is_generated(folder / "_")
    for path in walk(folder, Bounds(), complain, by_git=True):
        try:
            if (is_named or not is_generated(path)) and _is_candidate(path):
                yield path
        except OSError as error:
            complain(path, why_unreadable(error))


def is_generated(path: Path) -> bool:
    """Whether a file is in a folder in which agents-cli writes recordings."""
    # They have the shape of datasets, and nobody wrote their cases.
    return any(f"/{folder.as_posix()}/" in path.absolute().as_posix() for folder in (TRACES, GRADES))


def _is_candidate(path: Path) -> bool:
    """Whether a file may be an eval set, judged by its name and words. Raises `OSError`."""
    # A pipe with this name would be waited for until somebody writes.
    if path.suffix != ".json" or not stat.S_ISREG(path.stat().st_mode):
        return False
    if path.name.endswith(ENDINGS_OF_SETS):
        return True
    # In pieces, because the file may be larger than memory; the word may lie across two of them.
    end = b""
    with open_regular(path) as file:
        while piece := file.read(_PIECE):
            if _WORD in end + piece:
                return True
            end = piece[1 - len(_WORD) :]
    return False


def find_sets(folder: Path, bounds: Bounds | None = None) -> Iterator[FoundSet | None]:
    """The eval sets and datasets below `folder`, upper folders first; yields None, a pause, for any other JSON file.

    Recordings of agents-cli are left out, as in `candidates`. Raises `SearchLimitError` and `SearchCancelledError`.
    """
    is_named = is_generated(folder / "_")
    for path in walk(folder, bounds or Bounds(), by_git=True, by_level=True):
        if path.suffix == ".json" and (is_named or not is_generated(path)):
            yield look_into(path)


def look_into(path: Path) -> FoundSet | None:
    """An eval set or dataset, judged by its content (`format_of_document`); None for other and unreadable files."""
    try:
        if not _is_candidate(path):
            return None
        root = root_of_file(read_regular(path, LARGEST))
    except (OSError, ValueError):
        return None
    count = len(items_of(root, "eval_cases"))
    if is_eval_set(root):
        return FoundSet(path, count, text_of(root, "name") or text_of(root, "eval_set_id"))
    if is_dataset(root):
        return FoundSet(path, count, text_of(root, "candidate_name"), is_dataset=True)
    # A broken file with the name of a set is listed: whoever looks for it wants to mend it.
    return FoundSet(path, None, is_json=root is not None) if path.name.endswith(ENDINGS_OF_SETS) else None

"""Files of cases, eval sets and EvaluationDatasets: how they are named, and the search for them in a folder."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evaltui.document.document import Document
from evaltui.evalset.formats import ENDINGS_OF_SETS, is_dataset, is_eval_set
from evaltui.evalset.keys import items_of, text_of
from evaltui.evalset.set_views import EvalSetView
from evaltui.file_access import why_unreadable
from evaltui.files.folder_search import Bounds, Walk
from evaltui.files.gitignore import Complain

LARGEST = 200_000_000
"""The most bytes of a file that the list of sets looks into."""
_WORD = b"eval_cases"
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class FoundSet:
    """An eval set or dataset on disk; `cases` is None for a file that is named like a set and is none."""

    path: Path
    cases: int | None
    name: str = ""
    is_json: bool = True
    is_dataset: bool = False


def candidates(folder: Path, complain: Complain) -> Iterator[Path]:
    """Files below `folder` named like eval sets, and JSON files that speak of `eval_cases`, in the order of paths.

    Raises `SearchLimitError` and `SearchCancelledError`.
    """
    for path in Walk(folder, Bounds(), complain, by_git=True):
        try:
            if _is_candidate(path):
                yield path
        except OSError as error:
            complain(path, why_unreadable(error))


def _is_candidate(path: Path) -> bool:
    """Whether a file may be an eval set, by its name and the words in it. Raises `OSError`."""
    if path.suffix != ".json" or not stat.S_ISREG(path.stat().st_mode):
        return False
    return path.name.endswith(ENDINGS_OF_SETS) or _has_word(path)


def _has_word(path: Path) -> bool:
    """Whether a file speaks of `eval_cases`; a piece at a time, for it may be larger than memory."""
    end = b""
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            if _WORD in end + piece:
                return True
            end = piece[1 - len(_WORD) :]
    return False


def find_sets(folder: Path, bounds: Bounds | None = None) -> Iterator[FoundSet | None]:
    """The eval sets and datasets below `folder`, those further up first; None, a rest, for each other JSON file.

    Raises `SearchLimitError` and `SearchCancelledError`.
    """
    for path in Walk(folder, bounds or Bounds(), by_git=True, by_level=True):
        if path.suffix == ".json":
            yield look_into(path)


def look_into(path: Path) -> FoundSet | None:
    """An eval set or dataset told by its content (`format_of_document`); None for other files and unreadable ones."""
    try:
        if not _is_candidate(path) or path.stat().st_size > LARGEST:
            return None
        root = Document(path.read_bytes()).root
    except OSError:
        return None
    if is_eval_set(root):
        assert root is not None
        return FoundSet(path, len(EvalSetView(root).cases), text_of(root, "name") or text_of(root, "eval_set_id"))
    if is_dataset(root):
        return FoundSet(path, len(items_of(root, "eval_cases")), text_of(root, "candidate_name"), is_dataset=True)
    return FoundSet(path, None, is_json=root is not None) if path.name.endswith(ENDINGS_OF_SETS) else None

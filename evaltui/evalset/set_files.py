"""Finding the eval sets of a folder: by name or content, within bounds, one after another."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evaltui.document import Document
from evaltui.evalset.eval_set import EvalSet
from evaltui.evalset.formats import is_eval_set
from evaltui.evalset.keys import text_of
from evaltui.files.folder_walk import Walk
from evaltui.files.gitignore import Complain
from evaltui.files.search_bounds import Bounds
from evaltui.refusal import why_unreadable

ENDINGS_OF_SETS = (".evalset.json", ".test.json")
"""How google-adk's tools name eval sets; such files are listed whatever they hold."""

LARGEST = 200_000_000
"""Bytes of a file that the list of sets looks into."""
_WORD = b"eval_cases"
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class FoundSet:
    """An eval set on disk; `cases` is None where the file is none in google-adk's present form."""

    path: Path
    cases: int | None
    name: str = ""
    is_json: bool = True


def candidates(folder: Path, complain: Complain, bounds: Bounds | None = None) -> Iterator[Path]:
    """Files below `folder` named like eval sets, and JSON files that speak of `eval_cases`, in the order of paths.

    Raises `SearchLimitError` and `SearchCancelledError`.
    """
    for path in Walk(folder, bounds or Bounds(), complain, by_git=True):
        if path.suffix == ".json" and _is_candidate(path, complain):
            yield path


def _is_candidate(path: Path, complain: Complain) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode) and (path.name.endswith(ENDINGS_OF_SETS) or _has_word(path))
    except OSError as error:
        complain(path, why_unreadable(error))
        return False


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
    """The eval sets below `folder`, those further up first; None after each other JSON file, to breathe.

    Raises `SearchLimitError` and `SearchCancelledError`.
    """
    for path in Walk(folder, bounds or Bounds(), by_git=True, by_level=True):
        if path.name.endswith(".json"):
            yield look_into(path)


def look_into(path: Path) -> FoundSet | None:
    """What a file is, told by its content; None where it is no eval set or cannot be read."""
    named = path.name.endswith(ENDINGS_OF_SETS)
    try:
        if not path.is_file() or path.stat().st_size > LARGEST:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    if not named and _WORD not in data:
        return None
    root = Document(data).root
    if root is None:
        return FoundSet(path, None, is_json=False) if named else None
    if not is_eval_set(root):
        return FoundSet(path, None) if named else None
    return FoundSet(path, len(EvalSet(root).cases), text_of(root, "name") or text_of(root, "eval_set_id"))

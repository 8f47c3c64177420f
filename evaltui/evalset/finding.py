"""Finding the eval sets of a folder: by content, within limits, one after another."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evaltui.document import Document
from evaltui.evalset.eval_set import EvalSet, is_eval_set
from evaltui.evalset.keys import text_of

NAMED = (".evalset.json", ".test.json")
"""How google-adk's tools name eval sets; such files are listed whatever they hold."""

DEEPEST = 8
"""Levels of folders that are looked into."""
MOST_ENTRIES = 50_000
"""Files and folders that are looked at."""
LARGEST = 200_000_000
"""Bytes of a file that is looked into."""

_NOT_OURS = {"node_modules", "venv", "env", "site-packages", "__pycache__", "dist", "build", "target"}


@dataclass(frozen=True, slots=True)
class FoundSet:
    """An eval set on disk; `cases` is None where the file is none in google-adk's present form."""

    path: Path
    cases: int | None
    name: str = ""
    is_json: bool = True


def find_sets(folder: Path) -> Iterator[FoundSet | None]:
    """The eval sets below `folder`, those further up first; None after each other file, to stop at or breathe."""
    left = MOST_ENTRIES
    level = [folder]
    for _ in range(DEEPEST):
        below: list[Path] = []
        for at in level:
            for entry in _entries(at):
                left -= 1
                if left < 0:
                    return
                if entry.is_dir(follow_symlinks=False):
                    if not (entry.name.startswith(".") or entry.name in _NOT_OURS):
                        below.append(Path(entry.path))
                elif entry.name.endswith(".json"):
                    yield look_into(Path(entry.path))
        level = below


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def look_into(path: Path) -> FoundSet | None:
    """What a file is, told by its content; None where it is no eval set or cannot be read."""
    named = path.name.endswith(NAMED)
    try:
        if not path.is_file() or path.stat().st_size > LARGEST:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    if not named and b'"eval_cases"' not in data:
        return None
    root = Document(data).root
    if root is None:
        return FoundSet(path, None, is_json=False) if named else None
    if not is_eval_set(root):
        return FoundSet(path, None) if named else None
    return FoundSet(path, len(EvalSet(root).cases), text_of(root, "name") or text_of(root, "eval_set_id"))

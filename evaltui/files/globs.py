"""Paths that match a glob, found in linear time: no folder is searched twice for the same part of the glob."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from fnmatch import translate
from itertools import groupby
from pathlib import Path

from evaltui.files.search_bounds import Bounds

_MAGIC = re.compile(r"[*?\[]")
_ANY_FOLDERS = "**"


def matching(folder: Path, pattern: str, bounds: Bounds) -> list[Path]:
    """Files and folders that match `pattern`, sorted. A pattern that is not absolute starts at `folder`.

    The rules are those of Python's `glob` with `recursive`: `**` is any number of folders, and only a pattern with a
    leading dot matches a name with a leading dot. `**` enters no links to folders; as the last part it is the folder
    itself. Raises `SearchLimitError` and `SearchCancelledError`.
    """
    steps = [*_without_repeats(Path(pattern).parts)]
    found: dict[Path, None] = {}
    seen: set[tuple[Path, int]] = set()
    pending = [(folder, 0)]
    while pending:
        at, step = pending.pop()
        if (at, step) in seen:
            continue
        seen.add((at, step))
        if step == len(steps):
            found[at] = None
        else:
            pending += _following(at, steps, step, bounds)
    return sorted(found)


def _without_repeats(parts: tuple[str, ...]) -> Iterator[str]:
    """The parts of a pattern with `**/**` as `**`, which means the same."""
    for part, same in groupby(parts):
        yield from [part] if part == _ANY_FOLDERS else same


def _following(at: Path, steps: list[str], step: int, bounds: Bounds) -> Iterator[tuple[Path, int]]:
    """The paths that match one part of the pattern at `at`, each with the number of the part to match next."""
    part = steps[step]
    if part == _ANY_FOLDERS:
        yield at, step + 1
        for entry in bounds.entries(at) if step + 1 < len(steps) else []:
            if not entry.name.startswith(".") and _is_folder(entry):
                yield at / entry.name, step
    elif _MAGIC.search(part) is None:
        if os.path.lexists(at / part):
            yield at / part, step + 1
    else:
        fits = re.compile(translate(part)).match  # atomic groups: it takes linear time for each piece
        for entry in bounds.entries(at):
            if fits(entry.name) and (part.startswith(".") or not entry.name.startswith(".")):
                yield at / entry.name, step + 1


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:  # some disks give no kind with the name; asking for it can fail
        return False

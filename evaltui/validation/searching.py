"""The files of a folder that may be eval sets: by name or by what is in them; ignored and hidden ones left out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from pathspec import GitIgnoreSpec

from evaltui.evalset.finding import NAMED

_NOT_OURS = {"node_modules", "site-packages", "__pycache__"}

_Ignores = tuple["tuple[Path, GitIgnoreSpec]", ...]
"""The rules in force, each with the folder that they are relative to."""


def candidates(folder: Path) -> Iterator[Path]:
    """Files below `folder` named like eval sets, and JSON files that speak of `eval_cases`, in the order of paths."""
    yield from _below(folder, _ignores_above(folder.absolute()))


def _below(folder: Path, ignores: _Ignores) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
    here = (*ignores, *_ignores_of(folder.absolute()))
    for entry in found:
        path = folder / entry.name
        if entry.name.startswith(".") or _is_ignored(path.absolute(), entry.is_dir(follow_symlinks=False), here):
            continue
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in _NOT_OURS:
                yield from _below(path, here)
        elif entry.is_file() and (entry.name.endswith(NAMED) or _speaks_of_cases(path)):
            yield path


def _speaks_of_cases(path: Path) -> bool:
    if path.suffix != ".json":
        return False
    try:
        return b"eval_cases" in path.read_bytes()
    except OSError:
        return False


def _ignores_above(folder: Path) -> _Ignores:
    """The rules of the folders above, up to the root of the repository."""
    found: list[tuple[Path, GitIgnoreSpec]] = []
    at = folder
    while not (at / ".git").exists() and at.parent != at:
        at = at.parent
        found = [*_ignores_of(at), *found]
    return tuple(found) if (at / ".git").exists() else ()


def _ignores_of(folder: Path) -> _Ignores:
    try:
        lines = (folder / ".gitignore").read_text("utf-8", "replace").splitlines()
    except OSError:
        return ()
    return ((folder, GitIgnoreSpec.from_lines(lines)),)


def _is_ignored(path: Path, is_folder: bool, ignores: _Ignores) -> bool:
    """What git says: of all rules that match the last one decides."""
    verdict = False
    for base, spec in ignores:
        found = spec.check_file(path.relative_to(base).as_posix() + ("/" if is_folder else ""))
        verdict = found.include if found.include is not None else verdict
    return verdict

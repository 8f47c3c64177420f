"""The files of a folder that may be eval sets: by name or by what is in them; ignored and hidden ones left out."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from pathspec import GitIgnoreSpec

from evaltui.evalset.finding import NAMED
from evaltui.existence import exists

_NOT_OURS = {"node_modules", "site-packages", "__pycache__"}

_Ignores = tuple["tuple[Path, GitIgnoreSpec]", ...]
"""The rules in force, each with the folder that they are relative to."""


Complain = Callable[[Path, str], None]
"""Hears of a file or folder that cannot be read, and why."""


def candidates(folder: Path, complain: Complain) -> Iterator[Path]:
    """Files below `folder` named like eval sets, and JSON files that speak of `eval_cases`, in the order of paths."""
    yield from _below(folder, _ignores_above(folder.absolute()), complain)


def _below(folder: Path, ignores: _Ignores, complain: Complain) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        complain(folder, _reason(error))
        return
    here = (*ignores, *_ignores_of(folder.absolute()))
    for entry in found:
        path = folder / entry.name
        if entry.name.startswith(".") or _is_ignored(path.absolute(), entry.is_dir(follow_symlinks=False), here):
            continue
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in _NOT_OURS:
                yield from _below(path, here, complain)
        elif path.suffix == ".json" and _is_candidate(path, complain):
            yield path


def _is_candidate(path: Path, complain: Complain) -> bool:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return False
        return path.name.endswith(NAMED) or b"eval_cases" in path.read_bytes()
    except OSError as error:
        complain(path, _reason(error))
        return False


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _ignores_above(folder: Path) -> _Ignores:
    """The rules of the folders above, up to the root of the repository."""
    found: list[tuple[Path, GitIgnoreSpec]] = []
    at = folder
    while not exists(at / ".git") and at.parent != at:
        at = at.parent
        found = [*_ignores_of(at), *found]
    return tuple(found) if exists(at / ".git") else ()


def _ignores_of(folder: Path) -> _Ignores:
    path = folder / ".gitignore"
    try:
        lines = path.read_text("utf-8-sig", "replace").splitlines() if path.is_file() else []
    except OSError:
        return ()
    return ((folder, GitIgnoreSpec.from_lines(filter(_is_pattern, lines))),) if lines else ()


def _is_pattern(line: str) -> bool:
    """Whether a line means something; git passes over the others."""
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def _is_ignored(path: Path, is_folder: bool, ignores: _Ignores) -> bool:
    """What git says: of all rules that match the last one decides."""
    verdict = False
    for base, spec in ignores:
        found = spec.check_file(path.relative_to(base).as_posix() + ("/" if is_folder else ""))
        verdict = found.include if found.include is not None else verdict
    return verdict

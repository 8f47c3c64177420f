"""Paths of recordings that a person types, and the question that asks for one."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.files.session_source import session_source
from evaltui.files.typed_paths import PathError, expanded, file_to_read
from evaltui.recordings.recording_copies import copies_among
from evaltui.tui.commands import key_of
from evaltui.tui.screens.text_dialogs import NameDialog

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile


def path_to_add(file: OpenFile, text: str, folder: Path | None) -> Path:
    """The file or folder that a text names, to be scored with. Raises `PathError` if it cannot be added."""
    path = Path(os.path.abspath(named_path(text, folder)))  # noqa: PTH100 - a link keeps its name
    real, facts = os.path.realpath(path), file.scores.facts
    files = [source.path for source in facts.files] if facts is not None else []
    is_loaded = real in map(os.path.realpath, files)
    if is_loaded and real not in file.scorer.choices.dropped:
        raise PathError(f"{path.name} is loaded already; press {key_of('picker.run_again')} to read the file again")
    # Results and their traces are often the same run twice; both would count as runs of a case.
    original = copies_among([*files, path]).get(len(files)) if not is_loaded else None
    if original is not None:
        raise PathError(f"{path.name} is a copy of {files[original].name}, which is loaded already")
    return path


def ask_for_path(
    file: OpenFile,
    question: str,
    check: Callable[[str, Path | None], Path],
    chosen: Callable[[Path], None],
    proposed: str = "",
) -> None:
    """Ask for a path; `chosen` gets it. Typed paths are relative to the folder of the set.

    `check` gives the path that a text names in a folder, and raises `PathError`.
    """
    folder = folder_of(file)

    def answered(path: Path | None) -> None:
        if path is not None:
            chosen(path)

    dialog = NameDialog(question, proposed, lambda text: check(text, folder), is_path=True, folder=folder)
    file.app.push_screen(dialog, answered)


def folder_of(file: OpenFile) -> Path | None:
    """The folder of the open set; None if it has no path yet."""
    path = file.document.path
    return path.absolute().parent if path is not None else None


def named_path(text: str, folder: Path | None) -> Path:
    """The file or folder that a text names; a session of a database as `session.db#ID`. Raises `PathError`."""
    # A database may have thousands of sessions, of which one is meant.
    if "#" in text and session_source(path := expanded(text, folder))[1] is not None:
        return path
    return file_to_read(text, folder, or_folder=True)

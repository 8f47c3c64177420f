"""The name of the file of a conversion: asks for it, and asks before a file is replaced."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from evaltui.document.disk.file_content import Fingerprint
from evaltui.document.disk.file_replacement import fingerprint_on_disk
from evaltui.file_access import exists
from evaltui.files.typed_paths import PathError, file_to_write
from evaltui.tui.base_app import BaseApp

if TYPE_CHECKING:
    from evaltui.interop.format_type import FormatType


class WriteFile(Protocol):
    """Writes the file at a path."""

    def __call__(self, path: Path, found: Fingerprint | None) -> None:
        """`found` is the fingerprint of the file that is replaced; None for no file."""


def ask_for_name(app: BaseApp, question: str, source: Path, target: FormatType, write: WriteFile) -> None:
    """Ask for the path, then `write` the file. Asks again if an existing file must not be replaced.

    Paths are relative to the folder of the source, so that the proposed one is short.
    """
    from evaltui.interop.conversion import file_beside

    proposed = os.path.relpath(file_beside(source, target), source.parent)
    _ask(app, question, proposed, source, write)


def _ask(app: BaseApp, question: str, proposed: str, source: Path, write: WriteFile) -> None:
    from evaltui.tui.screens.name_dialog import NameDialog

    path = Path()
    found: Fingerprint | None = None

    def check(name: str) -> None:
        nonlocal path, found
        path = _path_to_write(name, source)
        found = fingerprint_on_disk(path)

    def answered(name: str | None) -> None:
        if name is None:
            return
        if found is not None:
            _ask_to_replace(app, path.name, lambda: write(path, found), lambda: again(name))
        else:
            write(path, None)

    def again(name: str) -> None:
        _ask(app, question, name, source, write)

    app.push_screen(NameDialog(question, proposed, check, is_path=True, folder=source.parent), answered)


def _path_to_write(name: str, source: Path) -> Path:
    path = file_to_write(name, source.parent, replaces=True)
    if exists(path) and exists(source) and path.samefile(source):
        raise PathError("this is the file that you convert; type another name")
    return path


def _ask_to_replace(app: BaseApp, name: str, replace: Callable[[], None], again: Callable[[], None]) -> None:
    from evaltui.tui.screens.questions import replacement_question

    def answered(answer: str | None) -> None:
        if answer == "replace":
            replace()
        elif answer == "rename":
            again()

    app.push_screen(replacement_question(name), answered)

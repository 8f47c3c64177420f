"""Starting the app from the command line."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

from evaltui.document import Document, DocumentError, MissingFileError
from evaltui.printable import write_line


def launch(file: str, case: str | None = None) -> int:
    """Open `file` in the editor and return the exit code; 2 with a sentence where that cannot be."""
    path = Path(file)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        write_line("stderr", "evaltui: edit needs a terminal; without one, use: evaltui patch FILE PATCH")
        return 2
    try:
        document = _open(path)
    except DocumentError as error:
        write_line("stderr", f"evaltui: {error}")
        return 2
    return _run(document, case)


def _open(path: Path) -> Document:
    """The document in the file at `path`, or a new one; its own path no longer depends on the working directory."""
    document = _read_or_new(path)
    try:
        document.path = path.absolute()
    except OSError as error:
        raise DocumentError(f"{path}: the working directory is gone; go to another and try again") from error
    return document


def _read_or_new(path: Path) -> Document:
    if os.path.isdir(path):  # noqa: PTH112 - a name that is too long is no folder, and no error yet
        raise DocumentError(f"{path}: this is a folder; name an eval set in it")
    try:
        return Document.open(path)
    except MissingFileError:
        if not path.parent.is_dir():
            raise DocumentError(f"{path}: the folder {path.parent} does not exist") from None
    from evaltui.evalset.templates import new_eval_set

    return Document.new(path, new_eval_set(path.name.split(".")[0]))


def _run(document: Document, case: str | None) -> int:
    os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    from evaltui.tui.app import EvaltuiApp
    from evaltui.tui.session import Session

    # What is loaded by now stays to the end; the collector need not walk over it again.
    gc.freeze()
    # Of the young objects a frame makes thousands that die with it: seldom collections cost no key its frame.
    gc.set_threshold(20_000, 20, 50)
    app = EvaltuiApp(Session(document), case)
    app.run()
    return app.return_code or 0

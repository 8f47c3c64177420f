"""Starting the app from the command line."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document import Document, DocumentError
from evaltui.printable import write_line

if TYPE_CHECKING:
    from evaltui.document.recovery import OtherProcess
    from evaltui.tui.journalling import Journalling
    from evaltui.tui.session import Session


def launch(file: str, case: str | None = None, *, readonly: bool = False) -> int:
    """Open `file` in the editor and return the exit code; 2 with a sentence where that cannot be."""
    path = Path(file)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        write_line("stderr", "evaltui: edit needs a terminal; without one, use: evaltui patch FILE PATCH")
        return 2
    try:
        document = Document.open(path) if readonly else _open(path)
    except DocumentError as error:
        write_line("stderr", f"evaltui: {error}")
        return 2
    return _run(document, case, readonly)


def _open(path: Path) -> Document:
    if path.is_dir():
        raise DocumentError(f"{path}: this is a folder; name an eval set in it")
    if path.exists():
        return Document.open(path)
    if not path.parent.is_dir():
        raise DocumentError(f"{path}: the folder {path.parent} does not exist")
    from evaltui.evalset.templates import new_eval_set

    return Document.new(path, new_eval_set(path.name.split(".")[0]))


def _run(document: Document, case: str | None, readonly: bool) -> int:
    os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    from evaltui.tui.app import EvaltuiApp
    from evaltui.tui.session import Session

    session = Session(document, readonly=readonly)
    journalling, notice = (None, "") if readonly else _journalling(session)
    # What is loaded by now stays to the end; the collector need not walk over it again.
    gc.freeze()
    # Of the young objects a frame makes thousands that die with it: seldom collections cost no key its frame.
    gc.set_threshold(20_000, 20, 50)
    app = EvaltuiApp(session, case, journalling, notice, watches=True)
    try:
        app.run()
    finally:
        code = app.return_code if app.return_code is not None else 1
        kept = journalling is not None and journalling.end(wanted=code != 0)
    if code >= 128 and kept:
        _say_kept(session.file_name)
    return code


def _journalling(session: Session) -> tuple[Journalling | None, str]:
    """The journal of a session, and what there is to say of other processes or where it cannot be kept."""
    from evaltui.document.journal import Journal
    from evaltui.document.recovery import journals_of
    from evaltui.tui.journalling import Journalling
    from evaltui.tui.restoring import left_work

    document = session.document
    assert document.path is not None
    journal = Journal(document.path)
    try:
        others, journals = journals_of(document.path)
        journal.start()
    except DocumentError as error:
        return None, f"unsaved changes are not journalled: {error}"
    return Journalling(session, journal, left_work(journals, document)), _also_open_in(others)


def _also_open_in(others: Sequence[OtherProcess]) -> str:
    said = []
    for other in others:
        started = datetime.fromtimestamp(other.started)
        day = "" if started.date() == datetime.now().date() else f"{started:%Y-%m-%d} "
        said.append(f"process {other.process} since {day}{started:%H:%M}")
    return f"also open in evaltui, {', '.join(said)}" if said else ""


def _say_kept(name: str) -> None:
    """Where there is still somebody to say it to."""
    with contextlib.suppress(OSError):
        write_line(
            "stderr", f"evaltui: ended by a signal; what was unsaved of {name} is offered when it is opened again"
        )

"""The journal with which a session begins, and what is said where others keep one of the same file."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError
from evaltui.document.journals.journal import Journal
from evaltui.document.journals.recovery import OtherProcess, journals_of
from evaltui.printable import write_line
from evaltui.tui.journalling import Journalling, journal_folder
from evaltui.tui.session import Session

if TYPE_CHECKING:
    from evaltui.tui.restoring import LeftWork


def journal_of(session: Session) -> tuple[Journalling, str]:
    """The journal of a session, and what there is to say of other processes or where it cannot be kept."""
    document = session.document
    assert document.path is not None
    journal = Journal(document.path, journal_folder())
    try:
        others, journals = journals_of(document.path, journal_folder())
        journal.start()
    except DocumentError as error:
        return Journalling(session, journal, problem=str(error)), f"unsaved changes are not journalled: {error}"
    left: Sequence[LeftWork] = ()
    if journals:
        from evaltui.tui.restoring import left_work

        left = left_work(journals, document)
    return Journalling(session, journal, left), _also_open_in(others)


def _also_open_in(others: Sequence[OtherProcess]) -> str:
    said = []
    for other in others:
        started = datetime.fromtimestamp(other.started)
        day = "" if started.date() == datetime.now().date() else f"{started:%Y-%m-%d} "
        said.append(f"process {other.process} since {day}{started:%H:%M}")
    return f"also open in another evaltui: {', '.join(said)}" if said else ""


def say_kept(number: int, name: str) -> None:
    """Signal `number` ended the session and what was unsaved is kept; nobody may be there to hear it."""
    with contextlib.suppress(OSError):
        write_line("stderr", f"evaltui: ended by {signal.Signals(number).name}; {name} is as it was last saved.")
        write_line("stderr", "evaltui offers the unsaved changes when you open the file again.")

"""The journal with which a session begins, and what is said where others keep one of the same file."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from datetime import datetime

from evaltui.document import DocumentError
from evaltui.document.journal import Journal
from evaltui.document.recovery import OtherProcess, journals_of
from evaltui.printable import write_line
from evaltui.tui.journalling import Journalling
from evaltui.tui.restoring import left_work
from evaltui.tui.session import Session


def journal_of(session: Session) -> tuple[Journalling | None, str]:
    """The journal of a session, and what there is to say of other processes or where it cannot be kept."""
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


def say_kept(name: str) -> None:
    """Where there is still somebody to say it to."""
    with contextlib.suppress(OSError):
        write_line(
            "stderr", f"evaltui: ended by a signal; what was unsaved of {name} is offered when it is opened again"
        )

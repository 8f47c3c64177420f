"""The session of an opened document: an eval set, other JSON, or a file of another format shown as an eval set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaltui.document.document import Document
from evaltui.evalset.file_formats import ENDING_OF_DATASETS
from evaltui.tui.commands import key_of
from evaltui.tui.session.reading_view import Reading, reading_of
from evaltui.tui.session.session import Session

if TYPE_CHECKING:
    from evaltui.interop.losses import Loss


def open_session(document: Document, *, readonly: bool = False, as_json: bool = False) -> tuple[Session, str]:
    """The session of a document, and a notice for the status line ("" for none).

    A document of another format is shown as an eval set, unless `as_json`. A small one is converted here.
    """
    reading = reading_of(document)
    plain = Session(document, readonly=readonly, is_json_of_reading=reading is not None)
    if reading is None or as_json:
        return plain, ""
    session = Session(document, readonly=True, refusal=_read_only(reading), reading=reading)
    if reading.is_small:
        from evaltui.interop.format_type import ConversionError

        try:
            show_converted(session, reading.converted())
        except ConversionError as error:
            return plain, not_shown(reading, error)
    return session, ""


def not_shown(reading: Reading, error: Exception) -> str:
    """The notice for a file that is shown as JSON because its conversion failed."""
    return f"Shown as JSON, because {reading.format.title} cannot be read here: {error}."


def show_converted(session: Session, result: tuple[Document, Sequence[Loss]]) -> None:
    """Make the converted set the document of a reading view."""
    assert session.reading is not None
    session.document, session.reading.losses = result
    session.reading.is_done = True


def _read_only(reading: Reading) -> str:
    """The sentence that refuses changes in a reading view."""
    opens = f" or {key_of('list.source')} to open the JSON" if reading.is_json else ""
    return f"Read-only view as an eval set: press {key_of('list.convert')} to convert{opens}."


def new_set_text(name: str) -> bytes:
    """The text of a new dataset if the name has the ending of agents-cli datasets, else of a new eval set."""
    if name.endswith(ENDING_OF_DATASETS):
        from evaltui.evalset.editing.templates import new_dataset

        return new_dataset()
    from evaltui.evalset.editing.templates import new_eval_set

    return new_eval_set(name.split(".", maxsplit=1)[0])

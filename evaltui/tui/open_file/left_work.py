"""Unsaved work of killed sessions: reading and restoring it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.document.journals.recovery import LeftJournal, Unsaved
from evaltui.document.node import Node
from evaltui.evalset.case_file import case_file_of
from evaltui.printable import printable
from evaltui.tui.lines import counted
from evaltui.tui.open_file.drafts import bring_back_drafts

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile


@dataclass(slots=True)
class LeftWork:
    """The journal of a killed process and its unsaved work, or why it cannot be read."""

    journal: LeftJournal
    unsaved: Unsaved | None
    problem: str = ""


def left_work(journals: list[LeftJournal], document: Document) -> list[LeftWork]:
    """The unsaved work to offer; journals without any are deleted."""
    works = []
    for journal in journals:
        try:
            unsaved = journal.read(document.on_disk)
        except DocumentError as error:
            works.append(LeftWork(journal, None, str(error)))
            continue
        if unsaved is None:
            journal.remove()
        else:
            works.append(LeftWork(journal, unsaved))
    return works


def unsaved_said(unsaved: Unsaved) -> str:
    """The steps and drafts of a journal, for people: `2 unsaved changes and 1 draft`."""
    parts = [
        counted(unsaved.steps, "unsaved change") if unsaved.entries else "",
        counted(len(unsaved.drafts), "draft") if unsaved.drafts else "",
        "trial criteria" * bool(unsaved.trial),
    ]
    return " and ".join(filter(None, parts))


def restore(file: OpenFile, unsaved: Unsaved) -> str:
    """Restore unsaved work as one unsaved step. This may replace the document of the file.

    The file is not written. Returns a message. If it raises `DocumentError`, nothing has changed.
    """
    message, trouble = f"restored {unsaved_said(unsaved)}", ""
    label = f"restore {counted(unsaved.steps, 'unsaved change')}"
    if unsaved.trial:
        try:
            file.trial.restore(unsaved.trial)
        except DocumentError as error:
            if not (unsaved.entries or unsaved.drafts):
                raise
            trouble = str(error)
    if not (unsaved.entries or unsaved.drafts):
        return message
    if unsaved.fits(file.document.on_disk) and not file.document.is_dirty:
        file.document.replay(unsaved.entries, label)
    else:
        # The file has changed: the steps apply to the bytes that they started from. evaltui then sees a file that
        # another program changed, and merges before it saves.
        if file.document.is_dirty:
            raise DocumentError(
                "the changes of another session are restored already; to restore these, open the file again"
            )
        path = file.document.path
        assert path is not None
        document = Document.new(path, unsaved.base) if unsaved.is_new else Document(unsaved.base, path)
        document.keep_log()
        document.replay(unsaved.entries, label)
        file.document = document
        message += " · the file has changed since then"
        message += "; the next save merges both" if unsaved.entries else ""
    if unsaved.entries and (step := file.document.history.point()) is not None:
        step.left_out = unsaved.left_out
    bring_back_drafts(file.drafts, unsaved.drafts)
    return " · ".join(filter(None, [message, trouble]))


def changed_cases(unsaved: Unsaved) -> list[str]:
    """The ids of the cases that were changed, added or (with a minus) deleted; those without an id as `?`."""
    document = Document(unsaved.base)
    old_ids = _ids(document)
    document.replay(unsaved.entries, "")
    root = document.root
    case_file = case_file_of(root)
    if root is None or case_file is None:
        return []
    changed = [node for node in document.history.differences.changed_nodes() if case_file.kind(node) == "case"]
    present = [printable(case_file.case_id(node)) or "?" for node in changed if node.is_in(root)]
    new_ids = set(_ids(document).values())
    gone = [eval_id for node, eval_id in old_ids.items() if eval_id not in new_ids and not node.is_in(root)]
    return [*present, *(f"−{printable(eval_id)}" for eval_id in gone)]


def _ids(document: Document) -> dict[Node, str]:
    case_file = case_file_of(document.root)
    return {node: case_file.case_id(node) for node in case_file.cases} if case_file is not None else {}

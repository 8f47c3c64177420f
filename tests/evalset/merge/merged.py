"""A merge of three files, as the tests look at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaltui.document.document import Document
from evaltui.document.edits import Edit
from evaltui.evalset.merge.three_way import Conflict, ConflictChoice, apply_merge, merge_documents


@dataclass(frozen=True, slots=True)
class Merge:
    """Edits for theirs, and the conflicts not decided yet; without any it is complete."""

    theirs: bytes
    edits: list[Edit]
    conflicts: list[Conflict]

    def document(self) -> Document:
        document = Document(self.theirs)
        apply_merge(document, self.edits)
        return document


def merge(
    base: bytes | None, mine: bytes, theirs: bytes, decisions: Mapping[str, ConflictChoice] | None = None
) -> Merge:
    documents = [Document(data) for data in (mine, theirs)]
    edits, asked = merge_documents(Document(base) if base is not None else None, *documents, decisions)
    return Merge(theirs, edits, asked.open)

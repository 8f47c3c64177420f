"""The three-way merge of two versions of a file, by case and turn identity, field by field.

    merge(base: bytes | None, mine: bytes, theirs: bytes, decisions: Mapping[str, Choice] = {}) -> Merge

`base` is the file both sides began with (None where there is none), `mine` the text with the edits made here,
`theirs` what is on disk now; all are whole files. The `Merge` that comes back holds `edits` to apply to a document
of `theirs`, so that only what was changed here differs from it, and `conflicts` that a person must decide: each has
a `place`, under which a `Choice` is put into `decisions` for another call. Undecided conflicts leave what is on
disk. `Merge.document()` is theirs with the edits applied; its `to_bytes()` the merged file. Raises `DocumentError`
where one of the three is not JSON. Touches nothing that it is given, so that it may run in a thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaltui.document import Document, DocumentError, Edit
from evaltui.evalset.merge.conflicts import Conflict, ConflictChoice, Decisions
from evaltui.evalset.merge.value_merge import ThreeWay

LABEL = "merge with the file on disk"
"""What the step of a merge is called."""


@dataclass(frozen=True, slots=True)
class Merge:
    """What came of a merge; without `conflicts` it is complete."""

    theirs: bytes
    edits: list[Edit]
    conflicts: list[Conflict]
    """Those not decided yet, in the order of the file."""
    decided: int = 0
    """How many were decided."""

    def document(self) -> Document:
        """Theirs with the edits applied as one step."""
        document = Document(self.theirs)
        apply_merge(document, self.edits)
        return document


def apply_merge(theirs: Document, edits: list[Edit]) -> None:
    """Do the edits of a merge as one step, and log them for the journal."""
    if edits:
        theirs.keep_log()
        theirs.apply(edits, LABEL)


def merge(
    base: bytes | None, mine: bytes, theirs: bytes, decisions: Mapping[str, ConflictChoice] | None = None
) -> Merge:
    """Merge two versions of a file; see the module. Raises `DocumentError` where one is not JSON."""
    before = None if base is None else _read(base, "the common version")
    edits, asked = merge_documents(before, _read(mine, "mine"), _read(theirs, "the disk"), decisions)
    return Merge(theirs, edits, asked.open, asked.decided)


def merge_documents(
    base: Document | None, mine: Document, theirs: Document, decisions: Mapping[str, ConflictChoice] | None = None
) -> tuple[list[Edit], Decisions]:
    """The same for texts that were read already and are JSON; the edits are for `theirs`, which they leave alone."""
    asked = Decisions(dict(decisions or {}))
    way = ThreeWay(asked, mine.style == theirs.style)
    return way.values("", base.root if base else None, mine.root, theirs.root), asked


def _read(data: bytes, name: str) -> Document:
    document = Document(data)
    if document.fault is not None:
        raise DocumentError(f"{name} is not JSON: {document.fault.message}")
    return document

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
from evaltui.evalset.conflicts import Choice, Conflict, Decisions
from evaltui.evalset.three_way import ThreeWay

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
        if self.edits:
            document.keep_log()
            document.apply(self.edits, LABEL)
        return document


def merge(base: bytes | None, mine: bytes, theirs: bytes, decisions: Mapping[str, Choice] | None = None) -> Merge:
    """Merge two versions of a file; see the module. Raises `DocumentError` where one is not JSON."""
    roots = [_read(data, name) for data, name in ((base, "the common version"), (mine, "mine"), (theirs, "the disk"))]
    _, mine_document, theirs_document = roots
    assert mine_document is not None
    assert theirs_document is not None
    same_layout = mine_document.style == theirs_document.style
    asked = Decisions(dict(decisions or {}))
    way = ThreeWay(asked, same_layout)
    base_root, mine_root, theirs_root = (document.root if document else None for document in roots)
    edits = way.values("", base_root, mine_root, theirs_root)
    return Merge(theirs, edits, asked.open, asked.decided)


def _read(data: bytes | None, name: str) -> Document | None:
    if data is None:
        return None
    document = Document(data)
    if document.fault is not None:
        raise DocumentError(f"{name} is not JSON: {document.fault.message}")
    return document

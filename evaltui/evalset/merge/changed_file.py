"""A file that changed on disk, compared and merged with the open text. Runs in a thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaltui.document.document import Document
from evaltui.document.edits import Edit
from evaltui.document.node import Node
from evaltui.document.value_comparison import same_value
from evaltui.evalset.case_file import case_file_of
from evaltui.evalset.file_formats import is_eval_set
from evaltui.evalset.keys import items_of, member
from evaltui.evalset.merge.paired_items import id_name, pair_items, paired
from evaltui.evalset.merge.three_way import Conflict, ConflictChoice, Decisions, ThreeWay

_COMPARED = 200
"""The most changed cases that are compared to see whether only their layout changed."""


@dataclass(frozen=True, slots=True)
class Reread:
    """The file read again: a new text, conflicts to decide, or a fault."""

    data: bytes
    """The bytes of the file."""
    summary: str
    """The differences, as a clause: `2 cases changed, 1 added`."""
    target: Document | None = None
    """The new text, with the edits of a merge applied; None with conflicts or a fault."""
    conflicts: tuple[Conflict, ...] = ()
    fault: str = ""
    """A sentence about why the file cannot be read, with the line."""
    _cases: tuple[Node | None, tuple[int | None, ...]] = (None, ())

    def pair(self, live: Node, target: Node) -> list[int | None]:
        """For each item of `target` the index of its twin in `live`, for `Document.become`."""
        cases, indexes = self._cases
        known = target is cases and all(index is None or index < len(live.items) for index in indexes)
        return list(indexes) if known else paired(live, target)


def reread(
    base: bytes | None,
    mine: bytes,
    data: bytes,
    decisions: Mapping[str, ConflictChoice] | None = None,
    *,
    merging: bool,
    cases: Sequence[bytes] | None = None,
) -> Reread:
    """Compare the file, which now holds `data`, with `base` and `mine`; with `merging`, apply my changes to it.

    `cases` are the JSON texts of the cases of `mine`; if they are given, `mine` is not parsed.
    """
    theirs = Document(data)
    if theirs.fault is not None:
        line, _ = theirs.line_and_column(theirs.fault.offset)
        return Reread(data, "", fault=f"line {line}: {theirs.fault.message}")
    if cases is not None and base == mine and not merging and is_eval_set(theirs.root):
        return _reloaded([Node(source) for source in cases], theirs, data)
    before = Document(base) if base is not None else None
    own = before if before is not None and base == mine else Document(mine)
    summary = _summary(before.root if before else None, theirs.root)
    if merging:
        edits, asked = merge_documents(before, own, theirs, decisions)
        if asked.open:
            return Reread(data, summary, conflicts=tuple(asked.open))
        apply_merge(theirs, edits)
    listed = member(theirs.root, "eval_cases") if is_eval_set(theirs.root) else None
    return Reread(data, summary, theirs, _cases=(listed, tuple(_pairs(own.root, theirs.root))))


def _reloaded(before: Sequence[Node], theirs: Document, data: bytes) -> Reread:
    """Reload the file in place of an unchanged text with the cases `before`."""
    listed = member(theirs.root, "eval_cases")
    after = items_of(theirs.root, "eval_cases")
    pairs = pair_items(before, after, "eval_id")
    return Reread(data, _summary_of_cases(before, after, pairs), theirs, _cases=(listed, tuple(pairs)))


def merge_documents(
    base: Document | None, mine: Document, theirs: Document, decisions: Mapping[str, ConflictChoice] | None = None
) -> tuple[list[Edit], Decisions]:
    """Three-way merge of whole files, by case and turn identity, field by field.

    `base` is the common version of both sides, if there is one. The edits are for `theirs`, so that only changes made
    here differ from it. Each conflict has a place: a choice is stored under it in `decisions` for the next call.
    At an open conflict the edits keep the version on disk. No document changes, so any thread may call this.
    """
    asked = Decisions(dict(decisions or {}))
    way = ThreeWay(asked, mine.style == theirs.style)
    return way.values("", base.root if base else None, mine.root, theirs.root), asked


def apply_merge(theirs: Document, edits: list[Edit]) -> None:
    """Apply the edits of a merge as one step, and log them for the journal."""
    if edits:
        theirs.keep_log()
        theirs.apply(edits, "merge with the file on disk")


def _pairs(old: Node | None, new: Node | None) -> list[int | None]:
    """For each case of `new` the index of the same case in `old`; None for a new case."""
    cases = member(new, "eval_cases")
    name = id_name(cases) if cases is not None else None
    return pair_items(items_of(old, "eval_cases"), items_of(new, "eval_cases"), name)


def _summary(old: Node | None, new: Node | None) -> str:
    if case_file_of(old) is None or case_file_of(new) is None:
        return ""
    return _summary_of_cases(items_of(old, "eval_cases"), items_of(new, "eval_cases"), _pairs(old, new))


def _summary_of_cases(before: Sequence[Node], after: Sequence[Node], pairs: Sequence[int | None]) -> str:
    kept = [index for index in pairs if index is not None]
    differing = [
        (before[index], item)
        for index, item in zip(pairs, after, strict=True)
        if index is not None and before[index].source() != item.source()
    ]
    changed = len(differing)
    if changed <= _COMPARED:
        changed = sum(not same_value(was, item, spelling=True) for was, item in differing)
    counts = [(changed, "changed"), (len(after) - len(kept), "added"), (len(before) - len(kept), "deleted")]
    said = [f"{count:,} {what}" for count, what in counts if count]
    if said:
        first = next(count for count, _ in counts if count)
        count, what = said[0].split(" ")
        return ", ".join([f"{count} case{'s' * (first != 1)} {what}", *said[1:]])
    if kept != sorted(kept):
        return "cases reordered"
    return "no cases changed"

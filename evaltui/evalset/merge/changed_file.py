"""A file that changed on disk, compared and merged with the open text. Runs in a thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evaltui.document.document import Document
from evaltui.document.edits import Edit
from evaltui.document.node import Node
from evaltui.document.swaps import ItemPairing
from evaltui.document.value_comparison import same_value
from evaltui.evalset.case_file import case_file_of
from evaltui.evalset.file_formats import is_eval_set
from evaltui.evalset.keys import items_of, member
from evaltui.evalset.merge.paired_items import id_name, pair_items, paired
from evaltui.evalset.merge.three_way import Conflict, ConflictChoice, ThreeWay

_COMPARED = 200
"""The most changed cases that are compared to see whether only their layout changed."""


Reread = tuple[Document, str, ItemPairing]
"""The new text, with the edits of a merge applied; the changes of the open text, as a clause (`2 cases changed`); and
the pairing of both for `Document.become`."""


def reread(
    base: bytes | None,
    mine: bytes,
    data: bytes,
    decisions: Mapping[str, ConflictChoice] | None = None,
    *,
    merging: bool,
    cases: Sequence[bytes] | None = None,
) -> Reread | list[Conflict] | str:
    """Compare the file, which now holds `data`, with `base` and `mine`; with `merging`, apply my changes to it.

    Returns the conflicts if a person must decide, or a sentence about why the file cannot be read, with the line.
    `cases` are the JSON texts of the cases of `mine`; if they are given, `mine` is not parsed.
    """
    theirs = Document(data)
    if theirs.fault is not None:
        line, _ = theirs.line_and_column(theirs.fault.offset)
        return f"line {line}: {theirs.fault.message}"
    if cases is not None and base == mine and not merging and is_eval_set(theirs.root):
        old_cases, new_cases = [Node(source) for source in cases], items_of(theirs.root, "eval_cases")
        pairs = pair_items(old_cases, new_cases, "eval_id")
        return theirs, _summary(old_cases, new_cases, pairs), _pairing(theirs, pairs)
    old = Document(base) if base is not None else None
    own = old if old is not None and base == mine else Document(mine)
    if merging:
        edits, way = merge_documents(old, own, theirs, decisions)
        if way.open:
            return way.open
        apply_merge(theirs, edits)
    listed = member(theirs.root, "eval_cases")
    old_cases, new_cases = items_of(own.root, "eval_cases"), items_of(theirs.root, "eval_cases")
    pairs = pair_items(old_cases, new_cases, id_name(listed) if listed is not None else None)
    are_case_files = case_file_of(own.root) is not None and case_file_of(theirs.root) is not None
    # Not what changed on disk: a conflict may keep the text here.
    summary = _summary(old_cases, new_cases, pairs) if are_case_files else ""
    return theirs, summary, _pairing(theirs, pairs)


def _pairing(theirs: Document, indexes: list[int | None]) -> ItemPairing:
    """Pairs the cases of an eval set by these indexes, and all other items by their ids."""
    cases = member(theirs.root, "eval_cases") if is_eval_set(theirs.root) else None

    def pair(live: Node, target: Node) -> list[int | None]:
        # Edits since the file was read may have deleted cases.
        is_current = target is cases and all(index is None or index < len(live.items) for index in indexes)
        return indexes if is_current else paired(live, target)

    return pair


def merge_documents(
    base: Document | None, mine: Document, theirs: Document, decisions: Mapping[str, ConflictChoice] | None = None
) -> tuple[list[Edit], ThreeWay]:
    """Three-way merge of whole files, by case and turn identity, field by field.

    `base` is the common version of both sides, if there is one. The edits are for `theirs`, so that only changes made
    here differ from it. Each conflict has a place: a choice is stored under it in `decisions` for the next call.
    The second value has the open conflicts, at which the edits keep the version on disk. No document changes, so any
    thread may call this.
    """
    way = ThreeWay(decisions or {}, mine.style == theirs.style)
    return way.values("", base.root if base else None, mine.root, theirs.root), way


def apply_merge(theirs: Document, edits: list[Edit]) -> None:
    """Apply the edits of a merge as one step, and log them for the journal."""
    if edits:
        theirs.keep_log()
        theirs.apply(edits, "merge with the file on disk")


def _summary(old: Sequence[Node], new: Sequence[Node], pairs: Sequence[int | None]) -> str:
    staying = [index for index in pairs if index is not None]
    differing = [
        (old[index], case)
        for index, case in zip(pairs, new, strict=True)
        if index is not None and old[index].source() != case.source()
    ]
    changed = len(differing)
    if changed <= _COMPARED:  # else the time of a look at each case would be felt
        changed = sum(not same_value(version, case, spelling=True) for version, case in differing)
    counts = {"changed": changed, "added": len(new) - len(staying), "deleted": len(old) - len(staying)}
    clauses = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)
    if clauses:
        number, _, rest = clauses.partition(" ")
        return f"{number} case{'s' * (number != '1')} {rest}"
    return "cases reordered" if staying != sorted(staying) else "no cases changed"

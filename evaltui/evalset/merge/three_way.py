"""A file that changed on disk, compared and merged with the open text; runs in a thread.

Of three versions of a value, edits apply what one side changed. What both changed is a conflict for a person.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evaltui.document.document import Document
from evaltui.document.edits import Edit, Insert, Remove, Set, json_text
from evaltui.document.layout import line_indent
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.document.swaps import ItemPairing
from evaltui.document.value_comparison import edits_between, names_are_unique, same_value
from evaltui.evalset.case_file import case_file_of
from evaltui.evalset.editing.row_moves import moves
from evaltui.evalset.file_formats import is_eval_set
from evaltui.evalset.keys import items_of, member
from evaltui.evalset.merge.paired_items import KeyedLists, id_name, key_items, pair_items, paired, why_unknown
from evaltui.evalset.titles import place_title, row_name

ConflictChoice = Literal["base", "mine", "theirs", "both"] | bytes
"""One of the versions, or JSON text that the person wrote."""
_COMPARED = 200
"""The most changed cases that are compared to see whether only their layout changed."""
_DEEPEST = 150
"""Below this many levels a value is merged as a whole; nothing written by people nests deeper."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A place that differs on both sides; a version is None if the value is absent there."""

    place: str
    """Key of the decision; not always a pointer."""
    where: str
    """The place for people: `book_flight › turn 2 › user message`."""
    why: str
    """Reason for the conflict, as a clause."""
    base: bytes | None
    mine: bytes | None
    theirs: bytes | None
    both: bytes | None = None
    """Both versions in one value; None if they cannot be combined."""
    is_order: bool = False
    """Whether only the order of items differs; the versions are then lists of item names."""

    def version(self, choice: ConflictChoice) -> bytes | None:
        """The value of a choice; None for no value."""
        if isinstance(choice, bytes):
            return choice
        version: bytes | None = getattr(self, choice)
        return version


# --- the file --------------------------------------------------------------------------------------------------------

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


# --- values ----------------------------------------------------------------------------------------------------------


def both_of(base: Node | None, mine: Node | None, theirs: Node | None) -> bytes | None:
    """Both versions in one value: texts joined by a newline, lists with my items after theirs; None for other types."""
    if mine is None or theirs is None or mine.kind != theirs.kind:
        return None
    if mine.kind == "string":
        return json_text(f"{theirs.text()}\n{mine.text()}")
    if mine.kind == "array":
        old_items = {item.source() for item in (*theirs.items, *(base.items if base is not None else ()))}
        items = [item.source() for item in theirs.items]
        items += [item.source() for item in mine.items if item.source() not in old_items]
        return b"[" + b",".join(items) + b"]"
    return None


def is_same(node: Node | None, twin: Node | None) -> bool:
    """Whether both are absent, or equal including the spelling of numbers."""
    if node is None or twin is None:
        return node is twin
    return same_value(node, twin, spelling=True)


class ThreeWay:
    """Collects the edits that apply my changes to theirs. Each pointer holds after the edits that precede it."""

    def __init__(self, decisions: Mapping[str, ConflictChoice], same_layout: bool) -> None:
        """`decisions` are by place. With `same_layout` a new value keeps its layout; else it gets that of its place."""
        self.open: list[Conflict] = []
        """The conflicts without a decision."""
        self._decisions = decisions
        self._same_layout = same_layout

    def values(self, pointer: str, base: Node | None, mine: Node | None, theirs: Node | None) -> list[Edit]:
        """The edits for the value at `pointer` in theirs."""
        # Equal texts need no parsing: nearly all cases of a large set stop here.
        if any(mine and twin and mine.source() == twin.source() for twin in (base, theirs)):
            return []
        if (inner := self._inside(pointer, base, mine, theirs)) is not None:
            return inner
        if is_same(base, mine) or is_same(mine, theirs):
            return []
        if is_same(base, theirs):
            return self.put(pointer, theirs, mine)
        why = "changed on both sides"
        if mine is None or theirs is None:
            why = "deleted here, changed on disk" if mine is None else "changed here, deleted on disk"
        return self._ask(pointer, why, base, mine, theirs)

    def _inside(self, pointer: str, base: Node | None, mine: Node | None, theirs: Node | None) -> list[Edit] | None:
        """The edits if the value can be merged item by item; None if it is merged as a whole."""
        if mine is None or theirs is None or mine.kind != theirs.kind or pointer.count("/") >= _DEEPEST:
            return None
        old = base if base is not None and base.kind == mine.kind else None
        versions = [node for node in (old, mine, theirs) if node is not None]
        if mine.kind == "object" and all(names_are_unique(node) for node in versions):
            return self._members(pointer, old, mine, theirs)
        if mine.kind != "array":
            return None
        old_items, name = old.items if old else [], id_name(theirs)
        if name is None:
            # Without ids, items are the same only if none was added or deleted.
            lists = (old_items, mine.items, theirs.items)
            if old is None or len({len(items) for items in lists}) > 1:
                return None
            rows = enumerate(zip(*lists, strict=True))
            return [edit for index, items in rows for edit in self.values(f"{pointer}/{index}", *items)]
        keyed = key_items(old_items, mine.items, theirs.items, name)
        why = why_unknown(keyed, old_items, name)
        if keyed is None or why:
            is_whole = is_same(base, mine) or is_same(mine, theirs) or is_same(base, theirs)
            return None if is_whole else self._ask(pointer, why, base, mine, theirs)
        return self._keyed(pointer, keyed, theirs)

    def _members(self, pointer: str, base: Node | None, mine: Node, theirs: Node) -> list[Edit]:
        edits: list[Edit] = []
        old, own, rival = ({item.name: item for item in node.items} if node else {} for node in (base, mine, theirs))
        names = list(own)
        for name in dict.fromkeys([*rival, *own]):
            place = f"{pointer}/{escape(name)}"
            changes = self.values(place, old.get(name), own.get(name), rival.get(name))
            if name in own and name not in rival:
                # A key of mine stands before the key that it precedes here.
                following = names[names.index(name) + 1 :]
                follower = next((name for name in following if name in rival), None)
                changes = [
                    edit._replace(before_key=follower) if isinstance(edit, Insert) and edit.pointer == place else edit
                    for edit in changes
                ]
            edits += changes
        return edits

    # --- lists whose items have names ----------------------------------------------------------------------

    def _keyed(self, pointer: str, lists: KeyedLists, container: Node) -> list[Edit]:
        edits: list[Edit] = []
        deleted: set[object] = set()
        added: dict[object, Node] = {}
        for index, (key, rival) in enumerate(lists.theirs.items(), lists.head):
            changes = self._item(f"{pointer}/{index}", key, lists, rival)
            if changes == [Remove(f"{pointer}/{index}")]:
                deleted.add(key)
            else:
                edits += changes
        for key, own in lists.mine.items():
            if key not in lists.theirs:
                place = f"{pointer}/+{key[1] if isinstance(key, tuple) else key}"
                new = self._only_mine(place, lists.base.get(key), own)
                if new is not None:
                    added[key] = new
        # Removals come last first and insertions in order, so that each index holds when its edit is applied.
        order = [key for key in self._order(pointer, lists, container) if key not in deleted]
        present = [*enumerate(lists.theirs, lists.head)]
        edits += [Remove(f"{pointer}/{index}") for index, key in reversed(present) if key in deleted]
        staying = [key for _, key in present if key not in deleted]
        edits += moves(pointer, staying, order, frozenset(), lists.head)
        final = _with_new(order, [*lists.mine], added)
        places = enumerate(final, lists.head)
        return edits + [self._insert(f"{pointer}/{index}", added[key]) for index, key in places if key in added]

    def _item(self, pointer: str, key: object, lists: KeyedLists, theirs: Node) -> list[Edit]:
        base, own = lists.base.get(key), lists.mine.get(key)
        if own is None and base is None:
            return []
        is_renamed, is_renamed_there = key in lists.renamed, key in lists.renamed_there
        if own is None:
            if is_same(base, theirs):
                return [Remove(pointer)]
            why = "deleted here, renamed on disk" if is_renamed_there else "deleted or renamed here, changed on disk"
            return self._ask(pointer, why, base, own, theirs)
        if base is None and not is_same(own, theirs):
            return self._ask(pointer, "added on both sides, with different content", base, own, theirs)
        why = "renamed here, changed on disk" if is_renamed else "changed here, renamed on disk"
        why = "id changed on both sides" if is_renamed and is_renamed_there else why
        is_open = not is_same(base, theirs) and not is_same(base, own) and not is_same(own, theirs)
        if (is_renamed or is_renamed_there) and is_open:
            return self._ask(pointer, why, base, own, theirs)
        return self.values(pointer, base, own, theirs)

    def _only_mine(self, place: str, base: Node | None, own: Node) -> Node | None:
        """The item to insert if theirs lacks it; None for no item."""
        if base is None:
            return own
        if is_same(base, own):
            return None
        chosen = self._chosen(place, "changed here, deleted or renamed on disk", base, own, None)
        if chosen is None:
            return None
        return own if chosen.source() == own.source() else Node(chosen.source())

    def _order(self, pointer: str, lists: KeyedLists, container: Node) -> list[object]:
        """The keys of theirs; the common ones in my order if I changed it."""
        shared = [key for key in lists.theirs if key in lists.base and key in lists.mine]
        common = set(shared)
        old, own = ([key for key in side if key in common] for side in (lists.base, lists.mine))
        if own in (old, shared):
            return [*lists.theirs]
        if shared != old:
            names = {key: row_name(lists.theirs[key]) for key in shared}
            base, mine, theirs = (
                ", ".join(names[key] for key in side).encode("utf-8", "replace") for side in (old, own, shared)
            )
            place, why = f"{pointer}#order", "reordered on both sides"
            conflict = Conflict(place, place_title(container), why, base, mine, theirs, is_order=True)
            choice = self._decide(conflict)
            if choice not in ("mine", "base"):
                return [*lists.theirs]
            own = old if choice == "base" else own
        following = iter(own)
        return [next(following) if key in common else key for key in lists.theirs]

    # --- single edits --------------------------------------------------------------------------------------

    def _decide(self, conflict: Conflict) -> ConflictChoice | None:
        """The decision on a conflict; None if it is open, which also adds it to `open`."""
        choice = self._decisions.get(conflict.place)
        if choice is None or (choice == "both" and conflict.both is None):
            self.open.append(conflict)
            return None
        return choice

    def _ask(self, pointer: str, why: str, base: Node | None, mine: Node | None, theirs: Node | None) -> list[Edit]:
        chosen = self._chosen(pointer, why, base, mine, theirs)
        return self.put(pointer, theirs, chosen) if chosen is not theirs else []

    def _chosen(self, place: str, why: str, base: Node | None, mine: Node | None, theirs: Node | None) -> Node | None:
        """The version of a conflict that the person chose or wrote; that on disk until then."""
        node = theirs if theirs is not None else mine
        assert node is not None
        old, own, rival = (version.source() if version is not None else None for version in (base, mine, theirs))
        conflict = Conflict(place, place_title(node), why, old, own, rival, both_of(base, mine, theirs))
        choice = self._decide(conflict) or "theirs"
        if choice in ("base", "mine", "theirs"):
            return {"base": base, "mine": mine, "theirs": theirs}[choice]
        value = conflict.version(choice)
        return Node(value) if value is not None else None

    def put(self, pointer: str, theirs: Node | None, new: Node | None) -> list[Edit]:
        """The edits that set the place `pointer` in theirs to `new`."""
        if new is None:
            return [Remove(pointer)] if theirs is not None else []
        if theirs is None:
            return [self._insert(pointer, new)]
        edits = edits_between(theirs, new, pointer, spelling=True)
        return edits if edits or pointer else [Set("", new.source())]

    def _insert(self, pointer: str, new: Node) -> Insert:
        # A value that a person wrote in a conflict has no place of its own, so no indent.
        keeps_layout = self._same_layout and new.parent is not None
        return Insert(pointer, new.source(), origin_indent=line_indent(new) if keeps_layout else None)


def _with_new(order: list[object], mine: list[object], added: dict[object, Node]) -> list[object]:
    """`order` with each new item after the item that it follows in mine."""
    if not added:
        return order
    present = set(order)
    behind: dict[object, list[object]] = {}
    anchor: object = None
    for key in mine:
        if key in added:
            behind.setdefault(anchor, []).append(key)
        elif key in present:
            anchor = key
    return [key for anchor in (None, *order) for key in (anchor, *behind.get(anchor, [])) if key is not None]

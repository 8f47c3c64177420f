"""Three versions of a value: edits for what one side changed, conflicts for what both changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from evaltui.document.diff.value_comparison import edits_between, names_are_unique, same_value
from evaltui.document.edits import Edit, Insert, Remove, Set, json_text
from evaltui.document.layout import line_indent
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.editing.row_moves import moves
from evaltui.evalset.keys import items_of
from evaltui.evalset.merge.paired_items import KeyedLists, id_name, key_items, pair_alike, words_of
from evaltui.evalset.titles import place_title, row_name

ConflictChoice = Literal["base", "mine", "theirs", "both"] | bytes
"""One of the versions, or JSON text that the person wrote."""


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
        found: bytes | None = getattr(self, choice)
        return found


@dataclass(slots=True)
class Decisions:
    """Decisions by place, and the conflicts that are still open."""

    made: dict[str, ConflictChoice]
    open: list[Conflict] = field(default_factory=list)

    def on(self, conflict: Conflict) -> ConflictChoice | None:
        """The decision on a conflict; None if it is open, which also adds it to `open`."""
        choice = self.made.get(conflict.place)
        if choice is None or (choice == "both" and conflict.both is None):
            self.open.append(conflict)
            return None
        return choice


def both_of(base: Node | None, mine: Node | None, theirs: Node | None) -> bytes | None:
    """Both versions in one value: texts joined by a newline, lists with my items after theirs; None for other types."""
    if mine is None or theirs is None or mine.kind != theirs.kind:
        return None
    if mine.kind == "string":
        return json_text(f"{theirs.text()}\n{mine.text()}")
    if mine.kind == "array":
        known = {item.source() for item in (*theirs.items, *(base.items if base is not None else ()))}
        items = [item.source() for item in theirs.items]
        items += [item.source() for item in mine.items if item.source() not in known]
        return b"[" + b",".join(items) + b"]"
    return None


_BOTH_REORDERED = "reordered on both sides"

_DEEPEST = 150
"""Below this many levels a value is merged as a whole; nothing written by people nests deeper."""


def is_same(one: Node | None, other: Node | None) -> bool:
    """Whether both are absent, or equal including the spelling of numbers."""
    if one is None or other is None:
        return one is other
    return same_value(one, other, spelling=True)


_LOOKED_AT = 20
"""The most unchanged items whose words count as common to all items."""


class ThreeWay:
    """Collects the edits that apply my changes to theirs. Each pointer holds after the edits before it."""

    def __init__(self, decisions: Decisions, same_layout: bool) -> None:
        """With `same_layout` a new value keeps its own layout; else it gets the layout of its new place."""
        self._decisions = decisions
        self._same_layout = same_layout
        self._depth = 0

    def values(self, at: str, base: Node | None, mine: Node | None, theirs: Node | None) -> list[Edit]:
        """The edits for the value at `at` in theirs."""
        if any(mine and other and mine.source() == other.source() for other in (base, theirs)):
            return []
        self._depth += 1
        try:
            inner = self._inside(at, base, mine, theirs)
        finally:
            self._depth -= 1
        if inner is not None:
            return inner
        if is_same(base, mine) or is_same(mine, theirs):
            return []
        if is_same(base, theirs):
            return self.put(at, theirs, mine)
        why = "changed on both sides"
        if mine is None or theirs is None:
            why = "deleted here, changed on disk" if mine is None else "changed here, deleted on disk"
        return self._ask(at, why, base, mine, theirs)

    def _inside(self, at: str, base: Node | None, mine: Node | None, theirs: Node | None) -> list[Edit] | None:
        """The edits if the value can be merged item by item; None if it is merged as a whole."""
        if mine is None or theirs is None or mine.kind != theirs.kind or self._depth > _DEEPEST:
            return None
        before = base if base is not None and base.kind == mine.kind else None
        known = [node for node in (before, mine, theirs) if node is not None]
        if mine.kind == "object" and all(names_are_unique(node) for node in known):
            return self._members(at, before, mine, theirs)
        if mine.kind != "array":
            return None
        name = id_name(theirs)
        if name is None:
            return self._by_position(at, before, mine, theirs)
        keyed = key_items(before.items if before else [], mine.items, theirs.items, name)
        why = _why_unknown(keyed, before.items if before else [], name)
        if keyed is None or why:
            whole = is_same(base, mine) or is_same(mine, theirs) or is_same(base, theirs)
            return None if whole else self._ask(at, why, base, mine, theirs)
        return self._keyed(at, keyed, theirs)

    def _members(self, at: str, base: Node | None, mine: Node, theirs: Node) -> list[Edit]:
        edits: list[Edit] = []
        sides = [{item.name: item for item in node.items} if node else {} for node in (base, mine, theirs)]
        before, own, other = sides
        names = list(own)
        for name in dict.fromkeys([*other, *own]):
            place = f"{at}/{escape(name)}"
            found = self.values(place, before.get(name), own.get(name), other.get(name))
            if name in own and name not in other:
                following = names[names.index(name) + 1 :]
                found = _standing_before(found, place, next((n for n in following if n in other), None))
            edits += found
        return edits

    def _by_position(self, at: str, base: Node | None, mine: Node, theirs: Node) -> list[Edit] | None:
        """Merges lists whose items have no ids: item by item, if no item was added or deleted."""
        if base is None or not len(base.items) == len(mine.items) == len(theirs.items):
            return None
        edits: list[Edit] = []
        for number, items in enumerate(zip(base.items, mine.items, theirs.items, strict=True)):
            edits += self.values(f"{at}/{number}", *items)
        return edits

    # --- lists whose items have names ----------------------------------------------------------------------

    def _keyed(self, at: str, lists: KeyedLists, container: Node) -> list[Edit]:
        edits: list[Edit] = []
        base, mine, theirs = lists.base, lists.mine, lists.theirs
        gone: set[object] = set()
        came: dict[object, Node] = {}
        for number, (key, other) in enumerate(theirs.items()):
            found = self._item(f"{at}/{lists.head + number}", key, lists, other)
            if found == [Remove(f"{at}/{lists.head + number}")]:
                gone.add(key)
            else:
                edits += found
        for key, own in mine.items():
            if key not in theirs:
                place = f"{at}/+{key[1] if isinstance(key, tuple) else key}"
                new = self._only_mine(place, base.get(key), own)
                if new is not None:
                    came[key] = new
        wanted = [key for key in self._order(at, lists, container) if key not in gone]
        return edits + self._arranged(at, lists, [*theirs], wanted, came, gone)

    def _item(self, at: str, key: object, lists: KeyedLists, other: Node) -> list[Edit]:
        """The edits for an item that theirs has."""
        base, own = lists.base.get(key), lists.mine.get(key)
        if own is None and base is None:
            return []
        if own is None:
            if is_same(base, other):
                return [Remove(at)]
            there = key in lists.renamed_there
            why = "deleted here, renamed on disk" if there else "deleted or renamed here, changed on disk"
            return self._ask(at, why, base, own, other)
        if base is None and not is_same(own, other):
            return self._ask(at, "added on both sides, with different content", base, own, other)
        why = _why_renamed(key in lists.renamed, key in lists.renamed_there)
        if why and not is_same(base, other) and not is_same(base, own) and not is_same(own, other):
            return self._ask(at, why, base, own, other)
        return self.values(at, base, own, other)

    def _only_mine(self, place: str, base: Node | None, own: Node) -> Node | None:
        """The item to insert if theirs lacks it; None for no item."""
        if base is None:
            return own
        if is_same(base, own):
            return None
        why = "changed here, deleted or renamed on disk"
        conflict = Conflict(place, place_title(own), why, base.source(), own.source(), None)
        return _chosen(conflict, self._decisions.on(conflict), own)

    def _order(self, at: str, lists: KeyedLists, container: Node) -> list[object]:
        """The keys of theirs; the common ones in my order if I changed it."""
        shared = [key for key in lists.theirs if key in lists.base and key in lists.mine]
        known = set(shared)
        before, own = ([key for key in side if key in known] for side in (lists.base, lists.mine))
        if own in (before, shared):
            return [*lists.theirs]
        if shared != before:
            names = {key: row_name(lists.theirs[key]) for key in shared}
            old, mine, theirs = (
                ", ".join(names[key] for key in side).encode("utf-8", "replace") for side in (before, own, shared)
            )
            conflict = Conflict(
                f"{at}#order", place_title(container), _BOTH_REORDERED, old, mine, theirs, is_order=True
            )
            choice = self._decisions.on(conflict)
            if choice not in ("mine", "base"):
                return [*lists.theirs]
            own = before if choice == "base" else own
        following = iter(own)
        return [next(following) if key in known else key for key in lists.theirs]

    def _arranged(
        self,
        at: str,
        lists: KeyedLists,
        present: list[object],
        wanted: list[object],
        came: dict[object, Node],
        gone: set[object],
    ) -> list[Edit]:
        removed = [Remove(f"{at}/{lists.head + n}") for n in range(len(present) - 1, -1, -1) if present[n] in gone]
        kept = [key for key in present if key not in gone]
        target = _with_new(wanted, [*lists.mine], came)
        added = [self._insert(f"{at}/{lists.head + n}", came[key]) for n, key in enumerate(target) if key in came]
        return [*removed, *moves(at, kept, wanted, frozenset(), lists.head), *added]

    # --- single edits --------------------------------------------------------------------------------------

    def _ask(self, at: str, why: str, base: Node | None, mine: Node | None, theirs: Node | None) -> list[Edit]:
        old, own, other = (node.source() if node is not None else None for node in (base, mine, theirs))
        shown = theirs if theirs is not None else mine
        assert shown is not None
        conflict = Conflict(at, place_title(shown), why, old, own, other, both_of(base, mine, theirs))
        choice = self._decisions.on(conflict)
        if choice is None or choice == "theirs":
            return []
        value = conflict.version(choice)
        new = mine if choice == "mine" else base if choice == "base" else Node(value) if value is not None else None
        return self.put(at, theirs, new)

    def put(self, at: str, theirs: Node | None, new: Node | None) -> list[Edit]:
        """The edits that set the place `at` in theirs to `new`."""
        if new is None:
            return [Remove(at)] if theirs is not None else []
        if theirs is None:
            return [self._insert(at, new)]
        edits = edits_between(theirs, new, at, spelling=True)
        return edits if edits or at else [Set("", new.source())]

    def _insert(self, at: str, new: Node) -> Insert:
        keeps = self._same_layout and new.parent is not None
        return Insert(at, new.source(), origin_indent=line_indent(new) if keeps else None)


def _chosen(conflict: Conflict, choice: ConflictChoice | None, own: Node) -> Node | None:
    """The item of a choice; `own` itself if it equals that."""
    value = conflict.version(choice) if choice is not None else None
    return own if value == own.source() else Node(value) if value is not None else None


def _why_unknown(lists: KeyedLists | None, base: list[Node], name: str) -> str:
    """A clause about why the items of a list cannot be paired; "" if the keys pair them.

    If both sides deleted an item, a new item of either side may be the same one with another id, or a moved one. A
    wrong guess would duplicate the item or silently undo a deletion, so a person is asked.
    """
    if lists is None:
        return f"both sides changed this list, and some {name} values are missing or duplicate"
    if _may_have_stayed([lists], base, name):
        return f"both sides deleted an item; a new item may be the deleted item with a new {name}"
    if name == "eval_id":
        turns = (turn for case in base for turn in items_of(case, "conversation"))
        if _may_have_stayed(_turns_of_changed_cases(lists), turns, "invocation_id"):
            return "both sides deleted a turn; a new turn in another case may be the deleted turn"
    return ""


def _turns_of_changed_cases(cases: KeyedLists) -> list[KeyedLists]:
    found: list[KeyedLists | None] = []
    for key in {**cases.base, **cases.mine, **cases.theirs}:
        sides = [side.get(key) for side in (cases.base, cases.mine, cases.theirs)]
        if None in sides or len({case.source() for case in sides if case is not None}) > 1:
            base, mine, theirs = (items_of(case, "conversation") for case in sides)
            found.append(key_items(base, mine, theirs, "invocation_id", by_place=False))
    return [turns for turns in found if turns is not None]


def _may_have_stayed(lists: list[KeyedLists], base: Iterable[Node], name: str) -> bool:
    """Whether an item deleted on both sides shares rare words with a new item, so that it may be the same item."""
    gone = [item for each in lists for item in each.gone()]
    came, both = ([item for each in lists for item in each.came(on_both=on_both)] for on_both in (False, True))
    if not gone or not came:
        return False
    others = islice((item for item in base if item not in gone), _LOOKED_AT)
    common = {word for item in others for word in words_of(item, name)}
    new = {word for item in came for word in words_of(item, name)} - common
    accounted = {*pair_alike(gone, both, name)}
    return any(words_of(item, name) & new for index, item in enumerate(gone) if index not in accounted)


def _why_renamed(here: bool, there: bool) -> str:
    if here and there:
        return "id changed on both sides"
    return "renamed here, changed on disk" if here else "changed here, renamed on disk" if there else ""


def _standing_before(edits: list[Edit], place: str, follower: str | None) -> list[Edit]:
    return [
        Insert(edit.pointer, edit.source, follower, edit.origin_indent)
        if isinstance(edit, Insert) and edit.pointer == place
        else edit
        for edit in edits
    ]


def _with_new(wanted: list[object], mine: list[object], came: dict[object, Node]) -> list[object]:
    """`wanted` with each new item after the item that it follows in mine."""
    if not came:
        return wanted
    present = set(wanted)
    behind: dict[object, list[object]] = {}
    anchor: object = None
    for key in mine:
        if key in came:
            behind.setdefault(anchor, []).append(key)
        elif key in present:
            anchor = key
    result = list(behind.get(None, []))
    for key in wanted:
        result += [key, *behind.get(key, [])]
    return result

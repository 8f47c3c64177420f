"""An open JSON file: bytes in, edits and undo, bytes out."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from evaltui.document.disk.file_content import Fingerprint, fingerprint, read_file
from evaltui.document.edits import Edit, do_swap, nodes_on_the_way, perform_edit
from evaltui.document.errors import EditError, SaveError
from evaltui.document.history import History, UndoStep
from evaltui.document.journals.redo_log import Entry, RedoLog, swaps_of
from evaltui.document.layout import Style, document_style
from evaltui.document.node import Node, parse_file, parse_value
from evaltui.document.positions import line_and_column
from evaltui.document.strings import Spelling, spelling_of_body
from evaltui.document.swaps import AsideSwap, ContentSwap, ItemPairing, ItemsSwap, Swap, TreeSwap, graft

if TYPE_CHECKING:
    from evaltui.document.disk.file_replacement import Saved


class Change(NamedTuple):
    """The result of an edit, an undo or a redo: what changed, so that panes refresh only that."""

    label: str
    root: Node
    nodes: tuple[Node, ...]
    """The nodes whose own value, key or list of items changed. A node stays the same object when it moves."""
    structural: bool
    """Whether items came, went or moved."""
    added: tuple[Node, ...] = ()
    """The items that came."""
    everywhere: bool = False
    """Whether any number of nodes may have changed, as when the file was read again."""
    merge_key: Hashable = None
    """The merge key of the step: the field that was typed in."""
    beside: Node | None = None
    """Neighbours of removed items: the item before them, else the item after them, else the container."""
    step: UndoStep | None = None
    """The step that was done, undone or redone."""
    is_undone: bool = False
    """Whether undo made the change."""


class Document:
    """A JSON file whose edits change no other bytes than their own.

    If the text is not JSON, `root` is None, `fault` says why, and nothing can be edited.
    """

    def __init__(self, data: bytes, path: Path | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.path = path
        parsed = parse_file(data)
        self.encoding, self.root, self.fault = parsed.encoding, parsed.root, parsed.fault
        self._unread = parsed.body if self.root is None else b""
        self._spelling: Spelling = spelling_of_body(parsed.body)
        self.is_new = False
        """Whether the file is not on disk yet."""
        self._fingerprint: Fingerprint | None = None
        """The fingerprint of `saved_bytes`, once it was asked for."""
        self.saved_bytes = data
        """The bytes at the save point: the file as last read or written here; for a new file, its first text."""
        self.history = History(clock)
        if self.root is not None:
            self.history.differences.root = self.root
        self.log: RedoLog | None = None

    @classmethod
    def open(cls, path: str | Path) -> Document:
        """Read the file at `path`; raises `ReadError` if it cannot be read or is no text, never because of its JSON."""
        return cls(read_file(Path(path)), Path(path))

    @classmethod
    def new(cls, path: str | Path, body: bytes) -> Document:
        """A document that is not on disk yet; its first save creates the file."""
        document = cls(body, Path(path))
        document.is_new = True
        return document

    def body(self) -> bytes:
        """The text as UTF-8, without a byte order mark."""
        if self.root is None:
            return self._unread
        return b"".join([self.root.lead, *self.root.pieces(), self.root.trail])

    def to_bytes(self) -> bytes:
        """The bytes of the file as they would be saved now."""
        return self.encoding.to_file(self.body())

    def save(self) -> Saved:
        """Write the file and move the save point; raises `SaveError` and then leaves everything as it was."""
        saved = self.write(self.to_bytes(), self.on_disk)
        self.mark_saved(saved, self.history.point())
        return saved

    def write(self, data: bytes, expected: Fingerprint | None) -> Saved:
        """Write `data`, which `to_bytes` gave, to the file; may run in a thread. Raises `SaveError`.

        `expected` is the value of `on_disk` when `to_bytes` was called: it may differ when the thread writes.
        """
        if self.path is None:
            raise SaveError("this document has no file")
        from evaltui.document.disk.file_replacement import save_file  # noqa: PLC0415 - most documents are only read

        return save_file(self.path, data, expected)

    def mark_saved(self, saved: Saved, point: UndoStep | None) -> None:
        """Make the state at `point` of the history the save point: `write` wrote it."""
        self._fingerprint, self.saved_bytes, self.is_new = saved.fingerprint, saved.data, False
        self.history.mark_saved(point)
        if self.log is not None:
            self.log.mark_saved(point)

    def keep_log(self) -> RedoLog | None:
        """Log every change of this document from now on, for the journal; None if it is not JSON."""
        if self.log is None and self.root is not None:
            self.log = RedoLog(self.root, self.history)
            if self.is_dirty:
                self.log.note_all()
            self.history.on_swap = self.log.note
        return self.log

    @property
    def on_disk(self) -> Fingerprint | None:
        """The fingerprint of the file when it was last read or saved; None for a new file."""
        if self._fingerprint is None and self.path is not None and not self.is_new:
            # Late: the first frame needs none, and of a large file it takes as long as a frame.
            self._fingerprint = fingerprint(self.saved_bytes)
        return self._fingerprint

    def is_on_disk(self, data: bytes) -> bool:
        """Whether `data` equals the bytes that were last read or written here."""
        return data == self.base

    def differs_from_disk(self) -> bool:
        """Whether the bytes differ from the bytes that were last read or saved.

        `is_dirty` costs nothing. This compares the whole text, for moments when a wrong answer would lose work.
        """
        return self.root is not None and not self.is_new and not self.is_on_disk(self.to_bytes())

    @property
    def lacks_theirs(self) -> bool:
        """Whether changes of other programs were taken over and then undone: a save would remove them from the file."""
        return self.history.left_out is not None

    @property
    def base(self) -> bytes | None:
        """The common base of a merge: the file as last read or written here; None for a new file."""
        return None if self.is_new else self.saved_bytes

    @property
    def merge_base(self) -> bytes | None:
        """The base of a merge with the file: `base`, or if a reload was undone, the base from before that."""
        left_out = self.history.left_out
        return self.base if left_out is None else left_out[0]

    def move_to(self, path: Path, saved: Saved, point: UndoStep | None) -> None:
        """Belong to another file from now on, to which `saved` was written."""
        self.path = path
        self.mark_saved(saved, point)

    def become(self, target: Document, pair: ItemPairing, label: str, on_disk: bytes) -> Change:
        """Take over the text of `target` as one undo step; nodes that `pair` finds again stay the same.

        `on_disk` is what the file holds, from which `target` was read. Where `target` was edited since, this
        document differs from the disk in the nodes of those edits; otherwise it is saved. `target` is used up.
        """
        assert self.root is not None
        assert target.root is not None
        edited = target.history.differences.changed_nodes()
        taken_over = (self.merge_base,) if self.merge_base != on_disk else None
        swap, twins = graft(self.root, target.root, pair, set(edited))
        swap.swap()
        self.history.seal()
        self.history.record(label, [swap], taken_over=taken_over)
        self.encoding, self._spelling = target.encoding, target._spelling
        self.__dict__.pop("style", None)  # it is read off the new text when next asked for
        self._fingerprint, self.saved_bytes, self.is_new = None, on_disk, False
        if target.is_dirty:
            self.history.mark_merged(twins.get(node, node) for node in edited)
        else:
            self.history.mark_saved(self.history.point())
        if self.log is not None:
            self.log.begin_anew(target.log.entries() if target.log else ())
        return self._changed(label, [swap])

    # --- edits ---------------------------------------------------------------------------------------------

    def apply(
        self, edits: Iterable[Edit], label: str, merge_key: Hashable = None, aside: Sequence[AsideSwap] = ()
    ) -> Change:
        """Do `edits` in order as one undo step, all or none; raises `EditError` or `PointerError`.

        Each is asked for when those before it are done, so a generator can look at what they made of the document.
        Edits of one value with one `merge_key` that follow each other within a second become one step.
        `aside` is what the step changes beside the text.
        """
        root = self._root_to_edit()
        swaps = (swap for edit in edits for swap in perform_edit(root, edit, self.style))
        return self._do(chain(swaps, map(do_swap, aside)), label, merge_key)

    def rehearse(self, edits: Iterable[Edit]) -> None:
        """Do `edits` in order as `apply` does, then undo all of them. Leaves no undo step and no log.

        For callers that only need the edits of a generator. Raises as `apply` does.
        """
        root = self._root_to_edit()
        all_done: list[Swap] = []
        # Joining the sources of large containers again would take most of the time of many rehearsals.
        sources: dict[Node, bytes | None] = {}
        try:
            for edit in edits:
                for node in nodes_on_the_way(root, edit):
                    sources.setdefault(node, node.content()[1])
                for swap in perform_edit(root, edit, self.style):
                    all_done.append(swap)
        finally:
            for swap in reversed(all_done):
                swap.swap()
            for node, source in sources.items():
                node.keep_source(source)

    def set_aside(
        self, aside: Iterable[AsideSwap], label: str, merge_key: Hashable = None, since: UndoStep | None = None
    ) -> Change:
        """Change the side values, such as drafts, as one step that also reverts everything typed `since` a step.

        Typed are the last steps under `merge_key`, back to the save point. A generator is asked for the side values
        after that, so it can look at the reverted values.
        """
        back = self.history.typed_since(since, merge_key)
        return self._do(map(do_swap, chain(back, aside)), label, merge_key)

    def replay(self, entries: Iterable[Entry], label: str) -> Change:
        """Apply the log of a document with the same bytes as one undo step, all or none; raises `DocumentError`."""
        return self._do(map(do_swap, swaps_of(self._root_to_edit(), entries)), label)

    def _root_to_edit(self) -> Node:
        if self.root is None:
            raise EditError("a file that is not valid JSON cannot be edited here")
        return self.root

    def _do(self, swaps: Iterable[Swap], label: str, merge_key: Hashable = None) -> Change:
        """Do swaps one after the other. If one fails, all swaps before it are undone."""
        assert self.root is not None
        all_done: list[Swap] = []
        try:
            for swap in swaps:
                all_done.append(swap)
                if self.log is not None:
                    self.log.note(swap)
        except BaseException:
            for swap in reversed(all_done):
                swap.swap()
            if self.log is not None:
                self.log.drop()
            raise
        if all_done:
            self.history.record(label, all_done, merge_key)
        return self._changed(label, all_done, merge_key)

    def relabel(self, change: Change, label: str) -> Change:
        """Give the step that was just done another label."""
        self.history.relabel(change.label, label)
        return change._replace(label=label)

    def undo(self) -> Change | None:
        """Undo the last step; None if there is none."""
        step = self.history.step(-1)
        if step is None:
            return None
        return self._changed(step.label, step.swaps, step.merge_key)._replace(step=step, is_undone=True)

    def redo(self) -> Change | None:
        """Redo the last undone step; None if there is none."""
        step = self.history.step(1)
        return self._changed(step.label, step.swaps, step.merge_key) if step else None

    def _changed(self, label: str, swaps: Sequence[Swap], merge_key: Hashable = None) -> Change:
        assert self.root is not None
        if self.log is not None:
            self.log.close(label)
        runs = [swap for swap in swaps if isinstance(swap, ItemsSwap)]
        added = [item for swap in runs for item in swap.present if item.parent is swap.node]
        # A container that is replaced as a whole, or by a scalar, has lost or got all its items.
        replaced = [
            swap
            for swap in swaps
            if isinstance(swap, ContentSwap) and (swap.node.is_container or swap.opposite[0] in ("object", "array"))
        ]
        added += [item for swap in replaced for item in swap.node.items]
        everywhere = any(isinstance(swap, TreeSwap) for swap in swaps)
        beside = None
        if (removal := next((swap for swap in runs if not swap.present), None)) is not None:
            items = removal.node.items
            # If a step removed several items, the list is shorter than the place of the first.
            beside = items[min(max(0, removal.index - 1), len(items) - 1)] if items else removal.node
        nodes, structural = tuple(dict.fromkeys(swap.node for swap in swaps)), bool(runs or replaced or everywhere)
        point = self.history.point()
        return Change(label, self.root, nodes, structural, tuple(added), everywhere, merge_key, beside, point)

    def restore(self, node: Node, source: bytes, pair: ItemPairing, label: str) -> Change | None:
        """Replace a value by exactly the bytes `source`, which are JSON, as one step; None if it has them already."""
        assert self.root is not None
        if node.source() == source:
            return None
        target = parse_value(source)
        target.lead, target.key, target.colon, target.trail = node.lead, node.key, node.colon, node.trail
        swap, _ = graft(node, target, pair)
        for container in node.ancestors():
            container.forget_source()
        swap.swap()
        self.history.seal()
        self.history.record(label, [swap])
        if self.log is not None:
            self.log.note(swap)
        return self._changed(label, [swap])

    @property
    def is_dirty(self) -> bool:
        """Whether there is something that a save would write."""
        return self.history.disk_is_unknown or (self.root is not None and self.is_changed(self.root))

    def is_changed(self, node: Node) -> bool:
        """Whether `node` or something in it was changed since the last save."""
        return self.history.differences.is_changed(node)

    @cached_property
    def style(self) -> Style:
        """The layout of this file."""
        return document_style(self.root, self._spelling) if self.root else Style()

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1, of a byte of the body."""
        return line_and_column(self.body()[:offset])

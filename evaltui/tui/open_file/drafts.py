"""Drafts: text in fields that is not a valid value yet. Drafts are kept beside the document, and undo covers them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.document.positions import NodePaths, node_on_path
from evaltui.document.swaps import AsideSwap

if TYPE_CHECKING:
    from evaltui.tui.open_file.edited_document import EditedDocument

AS_JSON = "as JSON"
"""Key of the draft for a value that is edited as JSON; each field has its own key."""


class FieldDraft(NamedTuple):
    """The text typed, the reason why it is invalid, and the title of its field."""

    text: str
    problem: str
    where: str
    began: str | None = None
    """The text of the value when the draft was begun; None if that is unknown."""

    def is_outdated(self, now: str) -> bool:
        """Whether the value, whose text is `now`, has changed since the draft was begun."""
        return self.began is not None and self.began != now


class DraftPlace(NamedTuple):
    """Place of a draft: the node of a form and the key of a field in it."""

    node: Node
    key: Hashable


@dataclass(slots=True, eq=False, repr=False)
class Drafts:
    """The drafts by place. If the place is deleted, the draft is kept, because undo can bring the place back."""

    owner: EditedDocument
    kept: dict[tuple[Node, Hashable], FieldDraft] = field(default_factory=dict)
    _live: list[tuple[DraftPlace, FieldDraft]] = field(default_factory=list)
    _live_at: tuple[Document, int] | None = None
    """The document and its move for which `_live` holds. Finding nodes in a long list is slow, so it is done once."""

    def get(self, node: Node, key: Hashable) -> FieldDraft | None:
        """The draft of one field; None without one."""
        return self.kept.get((node, key))

    def begin_again(self, at: DraftPlace, now: str) -> None:
        """Let a draft replace the present value, whose text is `now`."""
        self.kept[at] = self.kept[at]._replace(began=now)

    def live(self) -> list[tuple[DraftPlace, FieldDraft]]:
        """The drafts whose place is in the document, in the order in which they were typed."""
        if not self.kept:
            return []
        document = self.owner.document
        if self._live_at != (document, document.history.moves):
            self._live_at = document, document.history.moves
            self._live = [(DraftPlace(*at), draft) for at, draft in self.kept.items() if self._is_there(*at)]
        return self._live[:]

    def _is_there(self, node: Node, key: Hashable) -> bool:
        root = self.owner.document.root
        return root is not None and node.is_in(root) and (not isinstance(key, Node) or key.is_in(root))

    def within(self, node: Node) -> list[DraftPlace]:
        """The places of the drafts of `node` and of all nodes below it."""
        return [at for at, _ in self.live() if _is_within(node, at)]

    def has(self, node: Node) -> bool:
        """Whether `node` or a node below it has a draft; fast enough to be called for each row."""
        return any(_is_within(node, DraftPlace(*at)) for at in self.kept) and bool(self.within(node))

    def of_value(self, node: Node) -> FieldDraft | None:
        """The draft of a field that shows this node; None without one."""
        return next((draft for (_, key), draft in self.kept.items() if key is node), None)

    def said(self) -> str:
        """A clause for the save message about drafts that are not in the file; "" without any."""
        drafts = [draft for _, draft in self.live()]
        if not drafts:
            return ""
        others = f" and {len(drafts) - 1:,} more" if len(drafts) > 1 else ""
        return f"{self.counted()} not in the file: {drafts[0].where}{others} (not valid yet)"

    def counted(self) -> str:
        """The number of drafts, as `2 drafts`; "" without any."""
        count = len(self.live())
        return f"{count:,} draft{'s' * (count != 1)}" if count else ""

    # --- steps ---------------------------------------------------------------------------------------------

    def keeping(self, at: DraftPlace, draft: FieldDraft) -> AsideSwap:
        """The change that keeps a draft, to be done by `Document.set_aside`."""
        return AsideSwap(at.node, at.key, self.kept, draft)

    def dropping(self, places: Iterable[DraftPlace | None]) -> list[AsideSwap]:
        """The changes that drop the drafts of these places. Places without a draft are skipped."""
        return [AsideSwap(at.node, at.key, self.kept, None) for at in places if at is not None and at in self.kept]


def _is_within(node: Node, at: DraftPlace) -> bool:
    value = at.key if isinstance(at.key, Node) else at.node
    return node is value or node in value.ancestors()


def drafts_as_data(drafts: Drafts) -> list[dict[str, Any]]:
    """The drafts of existing fields as records of the journal. Nodes are written as the path to them."""
    root = drafts.owner.document.root
    found: list[dict[str, Any]] = []
    if root is None:
        return found
    for (node, key), draft in drafts.live():
        path, by = NodePaths(root).path(node), _key_as_data(root, key)
        if path is not None and by is not None:
            found.append({"path": path, "by": by, **draft._asdict()})
    return found


def _key_as_data(root: Node, key: Hashable) -> Any:
    """A key as text or texts, or as the path to its node; None for any other key, whose draft is left out."""
    if isinstance(key, Node):
        path = NodePaths(root).path(key)
        return {"path": path} if path is not None else None
    if isinstance(key, tuple) and all(isinstance(part, str) for part in key):
        return list(key)
    return key if isinstance(key, str) else None


def bring_back_drafts(drafts: Drafts, records: Iterable[dict[str, Any]]) -> int:
    """Restore drafts to their fields, as one step; returns how many found their field."""
    document = drafts.owner.document
    root = document.root
    if root is None:
        return 0
    found = []
    for data in records:
        try:
            at = DraftPlace(node_on_path(root, data["path"]), _key_of(root, data["by"]))
        except DocumentError:
            continue
        draft = FieldDraft(data["text"], data["problem"], data["where"], data.get("began"))
        found.append(drafts.keeping(at, draft))
    if found:
        document.set_aside(found, f"restore {len(found)} draft{'s' * (len(found) != 1)}")
    return len(found)


def _key_of(root: Node, by: Any) -> Hashable:
    if isinstance(by, dict):
        return node_on_path(root, by["path"])
    return tuple(by) if isinstance(by, list) else by

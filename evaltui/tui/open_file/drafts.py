"""Drafts: text in fields that is not a valid value yet. Drafts are kept beside the document, and undo covers them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.document.positions import node_on_path
from evaltui.document.swaps import AsideSwap
from evaltui.tui.lines import counted

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

    def is_outdated(self, text: str) -> bool:
        """Whether the value, which has this text, has changed since the draft was begun."""
        return self.began is not None and self.began != text


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

    def live(self) -> list[tuple[DraftPlace, FieldDraft]]:
        """The drafts whose place is in the document, in the order in which they were typed."""
        document = self.owner.document
        if self._live_at != (document, document.history.moves):
            self._live_at = document, document.history.moves
            root = document.root
            self._live = [
                (DraftPlace(node, key), draft)
                for (node, key), draft in self.kept.items()
                if root is not None and node.is_in(root) and (not isinstance(key, Node) or key.is_in(root))
            ]
        return self._live[:]  # a copy: a caller may drop drafts while it walks over them

    def within(self, node: Node) -> list[DraftPlace]:
        """The places of the drafts of `node` and of all nodes below it."""
        return [place for place, _ in self.live() if _is_within(node, place)]

    def has(self, node: Node) -> bool:
        """Whether `node` or a node below it has a draft; fast enough to be called for each row."""
        # The first test needs no search in long lists, and for nearly all rows it is the last.
        return any(_is_within(node, DraftPlace(*place)) for place in self.kept) and bool(self.within(node))

    def said(self) -> str:
        """A clause for the save message about drafts that are not in the file; "" without any."""
        drafts = [draft for _, draft in self.live()]
        if not drafts:
            return ""
        more = f" and {len(drafts) - 1:,} more" if len(drafts) > 1 else ""
        return f"{self.counted()} not in the file: {drafts[0].where}{more} (not valid yet)"

    def counted(self) -> str:
        """The number of drafts, as `2 drafts`; "" without any."""
        return counted(count, "draft") if (count := len(self.live())) else ""

    def dropping(self, places: Iterable[DraftPlace | None]) -> list[AsideSwap]:
        """The changes that drop the drafts of these places. Places without a draft are skipped."""
        return [AsideSwap(*place, self.kept, None) for place in places if place is not None and place in self.kept]


def _is_within(node: Node, place: DraftPlace) -> bool:
    value = place.key if isinstance(place.key, Node) else place.node
    return node is value or node in value.ancestors()


def drafts_as_data(drafts: Drafts) -> list[dict[str, Any]]:
    """The drafts of existing fields as records of the journal. Nodes are written as the path to them."""
    root = drafts.owner.document.root
    if root is None:
        return []
    placed = [(node.path(root), _key_as_data(root, key), draft) for (node, key), draft in drafts.live()]
    return [{"path": path, "by": key, **draft._asdict()} for path, key, draft in placed if None not in (path, key)]


def _key_as_data(root: Node, key: Hashable) -> Any:
    """A key as text or texts, or as the path to its node; None for any other key, whose draft is left out."""
    if isinstance(key, Node):
        path = key.path(root)
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
    swaps = []
    for record in records:
        key = record["by"]
        try:
            node = node_on_path(root, record["path"])
            if isinstance(key, dict):
                key = node_on_path(root, key["path"])
        except DocumentError:  # the field is gone, for example from a file that changed on disk
            continue
        place = DraftPlace(node, tuple(key) if isinstance(key, list) else key)
        draft = FieldDraft(record["text"], record["problem"], record["where"], record.get("began"))
        swaps.append(AsideSwap(*place, drafts.kept, draft))
    if swaps:
        document.set_aside(swaps, f"restore {counted(len(swaps), 'draft')}")
    return len(swaps)

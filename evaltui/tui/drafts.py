"""Drafts: text in a field that is no valid value yet. It stays beside the document; each change of it is a step."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from evaltui.document import Document, Node
from evaltui.document.swaps import AsideSwap

AS_JSON = "as JSON"
"""The key of the draft that a value edited as JSON has; fields have keys of their own."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What was typed, why it is no value, and what its field is called, for people."""

    text: str
    problem: str
    where: str


class DraftPlace(NamedTuple):
    """The node of a form and the key of a field in it."""

    node: Node
    key: Hashable


@dataclass(slots=True)
class Drafts:
    """The drafts by their place. Those whose place is gone wait: undo may bring it back."""

    document_now: Callable[[], Document]
    kept: dict[tuple[Node, Hashable], Draft] = field(default_factory=dict)
    _live: list[tuple[DraftPlace, Draft]] = field(default_factory=list)
    _live_at: tuple[Document, int] | None = None
    """The document and its move for which that holds: where a node stands takes long to tell in a long list."""

    def get(self, node: Node, key: Hashable) -> Draft | None:
        """The draft of one field."""
        return self.kept.get((node, key))

    def live(self) -> list[tuple[DraftPlace, Draft]]:
        """The drafts whose place is in the document, in the order in which they were typed."""
        if not self.kept:
            return []
        document = self.document_now()
        if self._live_at != (document, document.history.moves):
            self._live_at = document, document.history.moves
            self._live = [(DraftPlace(*at), draft) for at, draft in self.kept.items() if self._is_there(*at)]
        return self._live[:]

    def _is_there(self, node: Node, key: Hashable) -> bool:
        root = self.document_now().root
        return root is not None and node.is_in(root) and (not isinstance(key, Node) or key.is_in(root))

    def within(self, node: Node) -> list[DraftPlace]:
        """The places of the drafts of `node` and of all in it."""
        return [at for at, _ in self.live() if _is_within(node, at)]

    def has(self, node: Node) -> bool:
        """Whether `node` or something in it has a draft; quick enough for each row."""
        return any(_is_within(node, DraftPlace(*at)) for at in self.kept) and bool(self.within(node))

    def of_value(self, node: Node) -> Draft | None:
        """The draft of a field that shows this very value."""
        return next((draft for (_, key), draft in self.kept.items() if key is node), None)

    def said(self) -> str:
        """What there is to know of drafts where the file is written, as a clause; "" without any."""
        drafts = [draft for _, draft in self.live()]
        if not drafts:
            return ""
        others = f" and {len(drafts) - 1:,} more" if len(drafts) > 1 else ""
        return f"{self.counted()} not in the file: {drafts[0].where}{others} (not valid yet)"

    def counted(self) -> str:
        """How many there are: `2 drafts`; "" without any."""
        count = len(self.live())
        return f"{count:,} draft{'s' * (count != 1)}" if count else ""

    # --- steps ---------------------------------------------------------------------------------------------

    def keeping(self, at: DraftPlace, draft: Draft) -> AsideSwap:
        """The change that keeps a draft; for `Document.set_aside` to do."""
        return AsideSwap(at.node, at.key, self.kept, draft)

    def dropping(self, places: Iterable[DraftPlace | None]) -> list[AsideSwap]:
        """The changes that drop the drafts of these places, where they have any."""
        return [AsideSwap(at.node, at.key, self.kept, None) for at in places if at is not None and at in self.kept]


def _is_within(node: Node, at: DraftPlace) -> bool:
    value = at.key if isinstance(at.key, Node) else at.node
    return node is value or node in value.ancestors()

"""The key that gives a value the next JSON type, and after the last the value it had first."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from evaltui.document.node import Node
from evaltui.evalset.editing.revision import Revision
from evaltui.tui.forms.form import Stop
from evaltui.tui.forms.values import fits, type_read


class TypeCycle:
    """Remembers what the value was before its type began to change, until it is changed otherwise."""

    def __init__(self) -> None:
        self._key: Hashable = None
        self._origin: Node | None = None
        self._last = b""

    def step(self, stop: Stop) -> Revision | None:
        """A revision to the next type of `stop`; None where it has no other."""
        if stop.retype is None:
            return None
        source = stop.node.source() if stop.node is not None else b""
        if stop.key != self._key or source != self._last:
            self._key, self._origin = stop.key, Node(source) if source else None
        types = _in_order(stop.types, self._origin)
        at = types.index(stop.kind) if stop.kind in types else -1
        return stop.retype(types[(at + 1) % len(types)], self._origin)

    def stepped(self, node: Node | None) -> None:
        """The revision is done, and this is the value now."""
        self._last = node.source() if node is not None else b""


def _in_order(types: Sequence[str], origin: Node | None) -> list[str]:
    """The types as they follow each other; behind a text first the one that the text reads as, as "true" a boolean."""
    if origin is None or origin.kind != "string" or not fits(origin):
        return list(types)
    read = type_read(origin.text())
    if read not in types or "text" not in types:
        return list(types)
    others = [each for each in types if each != read]
    behind = others.index("text") + 1
    return [*others[:behind], read, *others[behind:]]

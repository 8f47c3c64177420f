"""JSON text made into nodes, as many levels deep as somebody wants; what lies deeper stays text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaltui.document import strings
from evaltui.document.scanner import after_blanks, key_end, syntax_error, value_end, walk

if TYPE_CHECKING:
    from evaltui.document.node import Node

_CLOSING = {"object": "}", "array": "]"}


class NodeParser:
    """Makes nodes of values in the text `source`; `new` is the class of them, which stands above this module.

    Offsets are those of bytes: `text` is the source decoded as latin-1. All methods raise `JsonSyntaxError`.
    """

    def __init__(self, new: type[Node], source: bytes) -> None:
        self._new = new
        self._source = source
        self.text = source.decode("latin-1")

    def value(self, start: int, depth: int, path: Sequence[str] = ()) -> tuple[Node, int]:
        """The value at `start`, unfolded `depth` levels and along `path`, and the offset behind it.

        The path is one of names and indexes; its length is limited by recursion.
        """
        if (depth <= 0 and not path) or self.text[start : start + 1] not in ("{", "["):
            end = value_end(self.text, start)
            return (self._new(self._source[start:end]), end) if end is not None else self._deep_value(start)
        node = self._new(self._source[start : start + 1])
        return node, self._unfold(node, start + 1, depth, path)

    def _unfold(self, node: Node, position: int, depth: int, path: Sequence[str]) -> int:
        """Fill `node` from `position`, just behind its opening bracket; the offset behind the closing one."""
        closing = _CLOSING[node.kind]
        here = after_blanks(self.text, position)
        if self.text[here : here + 1] == closing:
            node.put_content((node.kind, None, [], self._source[position:here]))
            return here + 1
        items: list[Node] = []
        while True:
            item, here = self._item(node, len(items), position, depth, path)
            items.append(item)
            position = here + 1
            follower = self.text[here : here + 1]
            if follower == closing:
                node.put_content((node.kind, None, items, b""))
                return position
            if follower != ",":
                raise syntax_error(self.text, here, "comma")

    def _item(self, container: Node, index: int, position: int, depth: int, path: Sequence[str]) -> tuple[Node, int]:
        """The item with what stands around it, and the offset of the mark behind it."""
        lead, key, colon, start = self._head(container, position)
        is_on_path = path and path[0] == (strings.decode(key) if key else str(index))
        item, end = self.value(start, depth - 1, path[1:] if is_on_path else ())
        item.lead, item.key, item.colon = lead, key, colon
        stop = after_blanks(self.text, end)
        item.trail = self._source[end:stop]
        return item, stop

    def _head(self, container: Node, position: int) -> tuple[bytes, bytes, bytes, int]:
        """The lead, key and colon of an item, and the offset behind them."""
        text, source = self.text, self._source
        key_start = after_blanks(text, position)
        if container.kind == "array":
            return source[position:key_start], b"", b"", key_start
        key_stop = key_end(text, key_start)
        colon = after_blanks(text, key_stop)
        if text[colon : colon + 1] != ":":
            raise syntax_error(text, colon, "colon")
        start = after_blanks(text, colon + 1)
        return source[position:key_start], source[key_start:key_stop], source[key_stop:start], start

    # --- what is deep ----------------------------------------------------------------------------------------

    def _deep_value(self, start: int) -> tuple[Node, int]:
        """The value at `start` and the offset behind it, without recursion.

        It is unfolded to the bottom: a level at a time would take time quadratic in the depth.
        """
        node = outermost = self._new(self._source[start : start + 1])
        while True:
            end = self._open_or_end(node, start)
            if end is None:
                node, start = self._begin_item(node, start + 1)
                continue
            while node is not outermost and node.parent is not None:
                container = node.parent
                stop = after_blanks(self.text, end)
                node.trail = self._source[end:stop]
                if self.text[stop : stop + 1] == ",":
                    node, start = self._begin_item(container, stop + 1)
                    break
                if self.text[stop : stop + 1] != _CLOSING[container.kind]:
                    raise syntax_error(self.text, stop, "comma")
                node, end = container, stop + 1
            else:
                return node, end

    def _open_or_end(self, node: Node, start: int) -> int | None:
        """The offset behind the value of `node` that begins at `start`, or None for a container with items to come."""
        if node.kind not in _CLOSING:
            end = walk(self.text, start)
            node.put_content((node.kind, self._source[start:end], None, b""))
            return end
        here = after_blanks(self.text, start + 1)
        ends = self.text[here : here + 1] == _CLOSING[node.kind]
        node.put_content((node.kind, None, [], self._source[start + 1 : here] if ends else b""))
        return here + 1 if ends else None

    def _begin_item(self, container: Node, position: int) -> tuple[Node, int]:
        """A new last item of `container`, its value still to be read, and the offset at which that begins."""
        lead, key, colon, start = self._head(container, position)
        item = self._new(self._source[start : start + 1])
        item.parent, item.lead, item.key, item.colon = container, lead, key, colon
        container.items.append(item)
        return item, start

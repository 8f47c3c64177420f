"""The concrete syntax of a JSON document as a tree that unfolds where somebody looks.

A `Node` is a value together with the bytes around it: what stands before it in its container, its key and
colon, and what follows before the comma. A node nobody has looked into is just its source bytes; looking at its
`items` splits it one level, so a document of 25 MB costs little more than its bytes. Joining all pieces gives
the file back, byte for byte.

The object is the identity: a case that moves, is removed and comes back by undo is the same `Node` all along.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from evaltui.document import pointer as pointers
from evaltui.document import strings
from evaltui.document.errors import DuplicateKeyError, JsonSyntaxError, PointerError
from evaltui.document.scanner import after_blanks, key_end, syntax_error, value_end, walk

_KINDS: Final = {
    b"{": "object", b"[": "array", b'"': "string", b"t": "boolean", b"f": "boolean", b"n": "null",
}  # fmt: skip
_CLOSING: Final = {"object": "}", "array": "]"}

Content = tuple[str, "bytes | None", "list[Node] | None", bytes]
"""What a node holds apart from its place: kind, source or None, items or None, blanks inside when empty."""


class Node:
    """A JSON value in its place; `kind` is object, array, string, number, boolean or null."""

    __slots__ = ("_items", "_name", "_source", "colon", "inner", "key", "kind", "lead", "parent", "trail")

    def __init__(self, source: bytes) -> None:
        self.kind: str = _KINDS.get(source[:1], "number")
        self._source: bytes | None = source
        self._items: list[Node] | None = None
        self._name: str | None = None
        self.inner = b""
        self.lead = b""
        self.key = b""
        self.colon = b""
        self.trail = b""
        self.parent: Node | None = None

    # --- reading -------------------------------------------------------------------------------------------

    @property
    def is_container(self) -> bool:
        """Whether this is an object or an array."""
        return self.kind in _CLOSING

    @property
    def name(self) -> str:
        """The text of the key under which this stands in an object; "" in an array."""
        if self._name is None:
            self._name = strings.decode(self.key) if self.key else ""
        return self._name

    @property
    def items(self) -> list[Node]:
        """The members or elements, in file order; a scalar has none."""
        if self._items is None:
            if not self.is_container or self._source is None:
                return []
            unfolded, _ = read_value(self._source, self._source.decode("latin-1"), 0, 1)
            self._items, self.inner = unfolded._items or [], unfolded.inner
            for item in self._items:
                item.parent = self
        return self._items

    @property
    def is_unfolded(self) -> bool:
        """Whether somebody has looked at the items."""
        return self._items is not None

    def source(self) -> bytes:
        """The exact bytes of this value, without what stands around it."""
        if self._source is None:
            return b"".join(self.pieces())
        return self._source

    def pieces(self) -> Iterator[bytes]:
        """The bytes of this value in order, in as many pieces as it has unfolded; needs no recursion."""
        pending: list[Node | bytes] = [self]
        while pending:
            part = pending.pop()
            if isinstance(part, bytes):
                yield part
            elif part._source is not None:
                yield part._source
            else:
                pending.extend(reversed(part._own_pieces()))

    def _own_pieces(self) -> list[Node | bytes]:
        opening, closing = (b"{", b"}") if self.kind == "object" else (b"[", b"]")
        parts: list[Node | bytes] = [opening, self.inner]
        for number, item in enumerate(self._items or ()):
            parts += [b",", item.lead] if number else [item.lead]
            if item.key:
                parts += [item.key, item.colon]
            parts += [item, item.trail]
        parts.append(closing)
        return parts

    def value(self) -> Any:
        """The Python value; raises RecursionError where it nests too deep for `json`.

        For reading only: numbers become int and float here, which they never do on their way to the file.
        """
        text = self.source().decode("utf-8", "surrogateescape")
        return _decoder.decode(text)

    def text(self) -> str:
        """The text of a string; "" for anything else."""
        return strings.decode(self.source()) if self.kind == "string" else ""

    # --- finding -------------------------------------------------------------------------------------------

    def member(self, name: str) -> Node | None:
        """The member called `name`; of several the last, as parsers have it."""
        if self.kind != "object":
            return None
        return next((item for item in reversed(self.items) if item.name == name), None)

    def at(self, pointer: str) -> Node:
        """The value at `pointer`; raises `PointerError` or, for a key that stands twice, `DuplicateKeyError`."""
        node = self
        for token in pointers.parse(pointer):
            node = node.step(token, pointer)
        return node

    def step(self, token: str, pointer: str) -> Node:
        """The item that one token of `pointer` leads to; raises as `at` does."""
        if self.kind == "array":
            index = pointers.array_index(token, pointer)
            if index >= len(self.items):
                raise PointerError(f"{pointer}: there is no item {token}, the list has {len(self.items)}")
            return self.items[index]
        found = [item for item in self.items if item.name == token] if self.kind == "object" else []
        if not found:
            raise PointerError(f"{pointer}: there is no {token!r} here ({self.kind})")
        if len(found) > 1:
            raise DuplicateKeyError(pointer, f"the key {token!r} stands {len(found)} times in its object")
        return found[0]

    def index(self) -> int:
        """The position among the parent's items."""
        return self.parent.items.index(self) if self.parent else 0

    def pointer(self) -> str:
        """The RFC 6901 pointer of this node in its document."""
        tokens: list[str | int] = []
        node = self
        while node.parent is not None:
            tokens.append(node.name if node.parent.kind == "object" else node.index())
            node = node.parent
        return pointers.join(*reversed(tokens))

    def is_in(self, root: Node) -> bool:
        """Whether this node is still part of the document below `root`; a removed or replaced one is not."""
        at = self
        while at.parent is not None:
            if at not in at.parent.items:
                return False
            at = at.parent
        return at is root

    def ancestors(self) -> Iterator[Node]:
        """The containers around this node, from the nearest to the root."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    # --- changing (for `splice` alone) ---------------------------------------------------------------------

    def content(self) -> Content:
        """All but the place, for `put_content` to bring back."""
        return self.kind, self._source, self._items, self.inner

    def put_content(self, content: Content) -> None:
        """Take over what another node held, keeping this place and identity."""
        self.kind, self._source, self._items, self.inner = content
        for item in self._items or ():
            item.parent = self

    def forget_source(self) -> None:
        """Something below changes: from now on the source is what the items say."""
        if self._items is not None:
            self._source = None

    def rename(self, key: bytes, colon: bytes) -> None:
        """Stand under another key literal."""
        self.key, self.colon = key, colon
        self._name = None


_decoder = json.JSONDecoder(parse_int=lambda digits: int(digits) if len(digits) < 4000 else float(digits))


def read_value(source: bytes, text: str, start: int, depth: int) -> tuple[Node, int]:
    """The value at `start` of `text` (latin-1 of `source`), unfolded `depth` levels, and the offset behind it.

    Raises `JsonSyntaxError`.
    """
    if depth == 0 or text[start : start + 1] not in ("{", "["):
        end = value_end(text, start)
        return (Node(source[start:end]), end) if end is not None else _read_deep(source, text, start)
    node = Node(source[start : start + 1])
    end = _read_items(node, source, text, start + 1, depth)
    node._source = None
    return node, end


def _read_items(node: Node, source: bytes, text: str, position: int, depth: int) -> int:
    """Fill `node.items` from `position`, just behind its opening bracket; the offset behind the closing one."""
    closing = _CLOSING[node.kind]
    items: list[Node] = []
    node._items = items
    here = after_blanks(text, position)
    if text[here : here + 1] == closing:
        node.inner = source[position:here]
        return here + 1
    while True:
        item, here, position = _read_item(node, source, text, position, depth)
        items.append(item)
        follower = text[here : here + 1]
        if follower == closing:
            return here + 1
        if follower != ",":
            raise syntax_error(text, here, "comma")


def _read_item(node: Node, source: bytes, text: str, position: int, depth: int) -> tuple[Node, int, int]:
    """One item with what stands around it, the offset of the mark behind it, and the one behind that mark."""
    lead, key, colon, start = _read_head(node, source, text, position)
    item, end = read_value(source, text, start, depth - 1)
    item.parent = node
    item.lead, item.key, item.colon = lead, key, colon
    stop = after_blanks(text, end)
    item.trail = source[end:stop]
    return item, stop, stop + 1


def _read_head(node: Node, source: bytes, text: str, position: int) -> tuple[bytes, bytes, bytes, int]:
    """What stands before the value of an item of `node`: its lead, key and colon, and the offset behind them."""
    key_start = after_blanks(text, position)
    if node.kind == "array":
        return source[position:key_start], b"", b"", key_start
    key_stop = key_end(text, key_start)
    colon = after_blanks(text, key_stop)
    if text[colon : colon + 1] != ":":
        raise syntax_error(text, colon, "colon")
    start = after_blanks(text, colon + 1)
    return source[position:key_start], source[key_start:key_stop], source[key_stop:start], start


def _read_deep(source: bytes, text: str, start: int) -> tuple[Node, int]:
    """As `read_value` without recursion, unfolded to the bottom: a level at a time would take depth squared."""
    node = outermost = Node(source[start : start + 1])
    while True:
        end = _open_or_end(node, source, text, start)
        if end is None:
            node, start = _begin_item(node, source, text, start + 1)
            continue
        while node is not outermost and node.parent is not None:
            container = node.parent
            stop = after_blanks(text, end)
            node.trail = source[end:stop]
            if text[stop : stop + 1] == ",":
                node, start = _begin_item(container, source, text, stop + 1)
                break
            if text[stop : stop + 1] != _CLOSING[container.kind]:
                raise syntax_error(text, stop, "comma")
            node, end = container, stop + 1
        else:
            return node, end


def _open_or_end(node: Node, source: bytes, text: str, start: int) -> int | None:
    """The offset behind the value of `node` that begins at `start`, or None for a container with items to come."""
    if node.kind not in _CLOSING:
        end = walk(text, start)
        node._source = source[start:end]
        return end
    node._source, node._items = None, []
    here = after_blanks(text, start + 1)
    if text[here : here + 1] != _CLOSING[node.kind]:
        return None
    node.inner = source[start + 1 : here]
    return here + 1


def _begin_item(container: Node, source: bytes, text: str, position: int) -> tuple[Node, int]:
    """A new last item of `container`, its value still to be read, and the offset at which that begins."""
    lead, key, colon, start = _read_head(container, source, text, position)
    item = Node(source[start : start + 1])
    item.parent, item.lead, item.key, item.colon = container, lead, key, colon
    container.items.append(item)
    return item, start


def read_document(body: bytes) -> Node:
    """The root of a whole JSON text, its two outermost levels unfolded; raises `JsonSyntaxError`.

    Two levels are the size at which one edit concerns one case: the root's members, and the cases in their list.
    """
    text = body.decode("latin-1")
    start = after_blanks(text, 0)
    if start == len(text):
        raise JsonSyntaxError("the file is empty" if not body else "the file holds nothing but blanks", start)
    root, end = read_value(body, text, start, 2)
    root.lead = body[:start]
    root.trail = body[end:]
    rest = after_blanks(text, end)
    if rest < len(text):
        raise JsonSyntaxError("the JSON text has ended before this", rest)
    return root

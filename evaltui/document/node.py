"""The concrete syntax tree of a JSON document, which unfolds on demand.

A `Node` is a value together with the bytes around it: the blanks before it, its key and colon, and the blanks before
the comma. A node holds only its source bytes until its `items` are read, which splits one level. So a document of
25 MB costs little more than its bytes. Joining all pieces gives the file back, byte for byte.

A value is one `Node` for its whole life: a value that moves, or that undo restores, is still the same object.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from math import inf
from typing import Any, Final

from evaltui.document import pointer as pointers
from evaltui.document import strings
from evaltui.document.errors import EditError, JsonSyntaxError, PointerError
from evaltui.document.scanner import after_blanks, item_lengths, key_end, read_json, syntax_error, value_end
from evaltui.document.strings import read_encoding
from evaltui.garbage_collection import without_collecting
from evaltui.printable import quoted

_KINDS: Final = {
    b"{": "object", b"[": "array", b'"': "string", b"t": "boolean", b"f": "boolean", b"n": "null",
}  # fmt: skip

_CLOSING: Final = {"object": "}", "array": "]"}
_OPENING: Final = frozenset("{[")

_decoder = json.JSONDecoder(parse_int=lambda digits: int(digits) if len(digits) < 4000 else float(digits))

_GONE = -1
_MANY = 50  # members of an object that gets a table of its names
_LONG_LIST = 1_000_000  # bytes, from which on the lengths of all items are read at once
_MOST_DEEP = 100_000  # values in parts that are too deep for the fast scanner: each takes 20 µs and half a kilobyte

Content = tuple[str, "bytes | None", "list[Node] | None", bytes]
"""A node apart from its place: kind, source or None, items or None, blanks inside when empty."""

NodeState = tuple[Content, bytes, bytes, bytes, bytes]
"""Content, lead, key, colon and trail."""


class Node:
    """A JSON value in its place; `kind` is object, array, string, number, boolean or null."""

    __slots__ = ("_items", "_members", "_name", "_place", "_source", "colon", "inner", "key", "kind", "lead", "parent",
                 "trail")  # fmt: skip

    def __init__(self, source: bytes) -> None:
        self.kind: str = _KINDS.get(source[:1], "number")
        self._source: bytes | None = source
        self._items: list[Node] | None = None
        self._members: dict[str, list[Node]] | None = None  # the items of a large object by name
        self._name: str | None = None
        self._place = 0  # where this item stood, or _GONE; edits of the items before it move it
        self.inner = b""  # the blanks between the brackets of an empty container
        self.lead = b""
        self.key = b""
        self.colon = b""
        self.trail = b""
        self.parent: Node | None = None

    # --- reading -------------------------------------------------------------------------------------------

    @property
    def is_container(self) -> bool:
        """Whether this is an object or an array."""
        return self.kind in ("object", "array")

    @property
    def name(self) -> str:
        """The decoded key of this value in its object; "" in an array."""
        if self._name is None:
            self._name = strings.decode(self.key) if self.key else ""
        return self._name

    @property
    def items(self) -> list[Node]:
        """The members or elements, in file order; a scalar has none."""
        if self._items is None:
            self._unfold()
        return [] if self._items is None else self._items

    def _unfold(self, path: Sequence[str] = ()) -> None:
        """Split the source into items; in the same pass, also split the nodes along `path`."""
        if self.is_container and self._source is not None:
            unfolded, _ = NodeParser(self._source).value(0, 1, path)
            self.put_content((self.kind, self._source, unfolded.items, unfolded.inner))

    @property
    def is_unfolded(self) -> bool:
        """Whether somebody has looked at the items."""
        return self._items is not None

    def text_before(self) -> bytes:
        """All text of the document in front of the value."""
        parts: list[bytes] = []
        value = self
        while value.parent is not None:
            parts.append(value.lead + value.key + value.colon)
            container = value.parent
            for item in reversed(container.items[: container.items.index(value)]):
                parts += [b",", item.trail, item.source(), item.colon, item.key, item.lead]
            parts.append(b"{" if container.kind == "object" else b"[")
            value = container
        return value.lead + b"".join(reversed(parts))

    def source(self) -> bytes:
        """The exact bytes of this value, without key and blanks."""
        return b"".join(self.pieces()) if self._source is None else self._source

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
                opening, closing = (b"{", b"}") if part.kind == "object" else (b"[", b"]")
                parts: list[Node | bytes] = [opening] if part._items else [opening, part.inner]
                for number, item in enumerate(part._items or ()):
                    parts += [b",", item.lead] if number else [item.lead]
                    parts += [item.key, item.colon, item, item.trail] if item.key else [item, item.trail]
                pending += reversed([*parts, closing])

    def value(self) -> Any:
        """The Python value; raises `DepthError` if it is nested too deeply.

        For reading only: numbers become int and float here, so text for the file is never made from this value.
        """
        return read_json(self.source().decode("utf-8", "surrogateescape"), _decoder)

    def text(self) -> str:
        """The text of a string; "" for anything else."""
        return strings.decode(self.source()) if self.kind == "string" else ""

    # --- finding -------------------------------------------------------------------------------------------

    def member(self, name: str) -> Node | None:
        """The member called `name`; of several the last, as parsers have it."""
        if self.kind != "object":
            return None
        # Written out, since half of the time of most commands is spent here.
        items = self.items if self._items is None else self._items
        if len(items) > _MANY:
            return next(reversed(self._members_named(name)), None)
        for item in reversed(items):
            if (item.name if item._name is None else item._name) == name:
                return item
        return None

    def _members_named(self, name: str) -> Sequence[Node]:
        # From a table, since a large object may be asked for each of its members.
        if self.items and self._members is None:  # unfolding clears the table
            self._members = {}
            for item in self.items:
                self._members.setdefault(item.name, []).append(item)
        return (self._members or {}).get(name, ())

    def at(self, pointer: str) -> Node:
        """The value at `pointer`; raises `PointerError`, also for a duplicate key."""
        node = self
        tokens = pointers.parse_pointer(pointer)
        for place, token in enumerate(tokens):
            if node._items is None:
                node._unfold(tokens[place:])
            node = node.step(token, pointer)
        return node

    def step(self, token: str, pointer: str) -> Node:
        """The item that one token of `pointer` leads to; raises as `at` does."""
        if self.kind == "array":
            index = pointers.array_index(token, pointer)
            if index >= len(self.items):
                raise PointerError(f"{pointer}: there is no item {token}; the list has length {len(self.items)}")
            return self.items[index]
        members = self._members_named(token) if self.kind == "object" else ()
        if not members:
            raise PointerError(f"{pointer}: there is no {quoted(token)} in this {self.kind}")
        if len(members) > 1:
            duplicate = f"the object has the key {quoted(token)} {len(members)} times"
            raise PointerError(f"{pointer}: {duplicate}", duplicate)
        return members[0]

    def below(self, token: str | int) -> Node | None:
        """The member or item that one step of a way leads to; None if there is none."""
        if self.kind != "array":
            return self.member(token) if isinstance(token, str) else None
        index = token if isinstance(token, int) else int(token) if token.isdecimal() else len(self.items)
        return self.items[index] if index < len(self.items) else None

    def nearest(self, tokens: Iterable[str]) -> tuple[Node, str | None]:
        """The value at the end of a way and None, or the last value on it with the token that leads nowhere."""
        node = self
        for token in tokens:
            if (inner := node.below(token)) is None:
                return node, token
            node = inner
        return node, None

    def index(self) -> int:
        """The position among the parent's items. Raises ValueError if it is not among them."""
        siblings = self.parent.items if self.parent else [self]
        if self._place == _GONE:
            raise ValueError(f"the {self.kind} is no longer in its {self.parent.kind if self.parent else 'document'}")
        if self not in siblings[self._place : self._place + 1]:
            for place, item in enumerate(siblings):  # for all at once: asking each of many takes linear time
                item._place = place
        return siblings.index(self, self._place)

    def pointer(self) -> str:
        """The RFC 6901 pointer of this node in its document."""
        tokens: list[str | int] = []
        node = self
        while node.parent is not None:
            tokens.append(node.name if node.parent.kind == "object" else node.index())
            node = node.parent
        return pointers.join(*reversed(tokens))

    def path(self, root: Node | None) -> tuple[int, ...] | None:
        """The indexes on the way here from `root`; None for a removed or replaced node, which is no longer below it."""
        indexes: list[int] = []
        node = self
        while node.parent is not None:
            try:
                indexes.append(node.index())
            except ValueError:
                return None
            node = node.parent
        return tuple(reversed(indexes)) if node is root else None

    def is_in(self, root: Node) -> bool:
        """Whether this node is still part of the document below `root`."""
        return self.path(root) is not None

    def ancestors(self) -> Iterator[Node]:
        """The containers around this node, from the nearest to the root."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    # --- changing (for swaps alone) ---------------------------------------------------------------------

    def content(self) -> Content:
        """All but the place, for `put_content` to bring back."""
        return self.kind, self._source, self._items, self.inner

    def put_content(self, content: Content) -> None:
        """Replace the content by the content of another node; place and identity stay."""
        self._let_go(self._items or ())
        self.kind, self._source, self._items, self.inner = content
        self._members = None
        for place, item in enumerate(self._items or ()):
            item.parent, item._place = self, place

    def replace_items(self, start: int, count: int, items: Sequence[Node]) -> None:
        """Put `items` in the place of `count` items from `start` on."""
        self._let_go(self.items[start : start + count])
        self.items[start : start + count] = items
        self._members = None
        for place, item in enumerate(items, start):
            item._place = place

    def _let_go(self, items: Sequence[Node]) -> None:
        # A search for one of thousands that are gone would look at all that are there.
        for item in items:
            if item.parent is self:
                item._place = _GONE

    def state(self) -> NodeState:
        """The content and the bytes around it."""
        return self.content(), self.lead, self.key, self.colon, self.trail

    def forget_source(self) -> None:
        """Forget the source, because something below changes. From now on, it is made from the items."""
        if self._items is not None:
            self._source = None

    def keep_source(self, source: bytes | None) -> None:
        """Keep the source again, once all below is as it was when it was kept."""
        self._source = source

    def rename(self, key: bytes, colon: bytes) -> None:
        """Stand under another key literal."""
        self.key, self.colon = key, colon
        self._name = None
        if self.parent is not None:
            self.parent._members = None


class NodeParser:
    """Makes nodes of the values in the JSON text `source`, as many levels deep as wanted; deeper values stay bytes.

    Offsets count bytes: `text` is the source decoded as latin-1. All methods raise `JsonSyntaxError`.
    """

    def __init__(self, source: bytes) -> None:
        self._source = source
        self.text = source.decode("latin-1")
        self._deep_values = 0
        self._lengths: Iterator[int] = iter(())  # of the values, not yet read, in a long list

    def value(self, start: int, levels: float, path: Sequence[str] = ()) -> tuple[Node, int]:
        """The value at `start`, unfolded `levels` deep and along `path`, and the offset behind it.

        The path is one of names and indexes. Needs no recursion.
        """
        text, source = self.text, self._source
        # The containers around the value, each with the levels to unfold below it, and the path through it.
        around: list[tuple[Node, float, Sequence[str]]] = []
        lead = key = colon = b""
        while True:
            length = next(self._lengths, 0) if levels == 0 else 0
            is_unfolded = (levels > 0 or path) and text[start : start + 1] in _OPENING
            end = None if is_unfolded else value_end(text, start, length)
            if end is None:
                if levels <= 0 and not path:  # A level at a time would take time quadratic in the depth.
                    levels = inf
                node = Node(source[start : start + 1])
                if levels == 1 and node.kind == "array" and len(source) - start > _LONG_LIST:
                    self._lengths = item_lengths(source, start)
                inner_end = after_blanks(text, start + 1)
                is_empty = text.startswith(_CLOSING[node.kind], inner_end)
                node.put_content((node.kind, None, [], source[start + 1 : inner_end] if is_empty else b""))
                end = inner_end + 1 if is_empty else None
            else:
                node = Node(source[start:end])
            node.lead, node.key, node.colon = lead, key, colon
            if around:
                node.parent = around[-1][0]
                node.parent.items.append(node)
            if end is None:
                around.append((node, levels - 1, path))
                position = start + 1
            else:
                node, position = self._end_values(node, end, around)
                if not around:
                    return node, position
            container, levels, path = around[-1]
            lead, key, colon, start = self._head(container, position)
            if levels == inf:
                self._deep_values += 1
                if self._deep_values > _MOST_DEEP:
                    message = f"more than {_MOST_DEEP:,} values are nested too deeply to read"
                    raise JsonSyntaxError(message, start, may_be_json=True)
            is_on_path = path and path[0] == (strings.decode(key) if key else str(len(container.items)))
            path = path[1:] if is_on_path else ()

    def _end_values(self, node: Node, end: int, around: list[tuple[Node, float, Sequence[str]]]) -> tuple[Node, int]:
        """End `node`, and each container whose last value ends here; the last one, and the offset of what follows."""
        while around:
            stop = after_blanks(self.text, end)
            node.trail = self._source[end:stop]
            mark = self.text[stop : stop + 1]
            if mark == ",":
                return node, stop + 1
            if mark != _CLOSING[around[-1][0].kind]:
                raise syntax_error(self.text, stop, "comma")
            node, end = around.pop()[0], stop + 1
        return node, end

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


@without_collecting()
def read_document(body: bytes) -> Node:
    """The root of a whole JSON text, its two outermost levels unfolded; raises `JsonSyntaxError`."""
    parser = NodeParser(body)
    start = after_blanks(parser.text, 0)
    if start == len(body):
        raise JsonSyntaxError("the file is empty" if not body else "the file has only spaces and line breaks", start)
    # Large files are mostly one long list in the root: an edit then concerns one item of that list.
    root, end = parser.value(start, 2)
    root.lead = body[:start]
    root.trail = body[end:]
    rest = after_blanks(parser.text, end)
    if rest < len(body):
        raise JsonSyntaxError("unexpected text after the end of the JSON", rest)
    return root


def parse_value(source: bytes) -> Node:
    """JSON text as a new node; raises `EditError` if it is not JSON."""
    parser = NodeParser(source)
    try:
        node, end = parser.value(after_blanks(parser.text, 0), 1)
    except JsonSyntaxError as error:
        raise EditError(f"invalid JSON: {error}") from error
    if after_blanks(parser.text, end) < len(source):
        raise EditError("invalid JSON: unexpected text after the end of the JSON")
    return node


def root_of_file(data: bytes) -> Node | None:
    """The root in the bytes of a file; None if the text is not JSON."""
    with suppress(JsonSyntaxError):
        return read_document(read_encoding(data)[1])
    return None

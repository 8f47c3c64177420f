"""Edits, addressed by RFC 6901 pointers, and the swaps that do them, with the blanks and commas around.

Values are JSON text (bytes), never Python numbers, so that no number passes through a float on its way into the
file. `json_text` makes it from Python values.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from evaltui.document import layout, strings
from evaltui.document import pointer as pointers
from evaltui.document.errors import EditError, PointerError
from evaltui.document.layout import Style
from evaltui.document.node import Node, parse_value
from evaltui.document.swaps import Around, AsideSwap, ContentSwap, ItemsSwap, KeySwap, Swap
from evaltui.printable import quoted


def json_text(value: Any) -> bytes:
    """A Python value as JSON text for an edit. Its layout does not matter: the document applies its own."""
    if isinstance(value, str):
        return strings.encode(value)
    return json.dumps(value).encode("ascii")


class Set(NamedTuple):
    """Replace the value at `pointer`, which must exist. A string keeps the spelling of the parts shared with the old.

    With `origin_indent`, the value is a copy from a line of this document with this indentation, and keeps its layout
    and spelling.
    """

    pointer: str
    source: bytes
    origin_indent: bytes | None = None


class Insert(NamedTuple):
    """Put a new value at `pointer`: a place in a list (`-` for its end), or a name not yet in its object.

    In an object it goes last, or before the member called `before`. It is laid out like its neighbours, unless
    `origin_indent` says that it is copied from a line of this document that begins with these blanks: then it
    keeps its layout and spelling.
    """

    pointer: str
    source: bytes
    before_key: str | None = None
    origin_indent: bytes | None = None


class Remove(NamedTuple):
    """Remove the value at `pointer` from its container.

    If an object has the key several times, `occurrence` selects one, counted from 0.
    """

    pointer: str
    occurrence: int | None = None


class Move(NamedTuple):
    """Move the value at `origin` to `pointer`, as in RFC 6902.

    It stays the same node, unless it replaces a value with that key. Its spelling stays.
    """

    origin: str
    pointer: str


class Rename(NamedTuple):
    """Give the member at `pointer` another name, in its place."""

    pointer: str
    name: str


Edit = Set | Insert | Remove | Move | Rename


_Blanks = tuple[Around, list[tuple[Node, Around]]]
"""The blanks around a new item, and around each neighbour whose blanks change."""


def perform_edit(root: Node, edit: Edit, style: Style) -> Iterator[Swap]:
    """Do `edit` on the tree below `root` and yield each change once it is done.

    Raises `PointerError` or `EditError`. Changes yielded before the error are done and can be swapped back.
    """
    match edit:
        case Set():
            yield do_swap(_set_value(root.at(edit.pointer), edit, style))
        case Insert():
            yield do_swap(_insert_value(root, edit, style))
        case Remove():
            yield do_swap(_remove_node(_removed(root, edit)))
        case Move():
            yield from _move_node(root, edit, style)
        case Rename():
            yield do_swap(_rename_member(root.at(edit.pointer), edit.name, style))


def nodes_on_the_way(root: Node, edit: Edit) -> Iterator[Node]:
    """The nodes along the pointers of an edit: all containers of the changed value."""
    for pointer in (edit.origin, edit.pointer) if isinstance(edit, Move) else (edit.pointer,):
        node = root
        yield node
        with suppress(PointerError):
            for token in pointers.parse_pointer(pointer):
                node = node.step(token, pointer)
                yield node


def do_swap(swap: Swap) -> Swap:
    """Do the change, and drop the source of every container around it, which is outdated now."""
    if not isinstance(swap, AsideSwap):
        swap.node.forget_source()
        for container in swap.node.ancestors():
            container.forget_source()
    swap.swap()
    return swap


def _set_value(node: Node, edit: Set, style: Style) -> ContentSwap:
    value = parse_value(edit.source)
    if edit.origin_indent is not None:
        return _copy_over(node, value.source(), edit.origin_indent)
    if node.kind == "string" == value.kind:
        new = strings.respell(node.source(), value.text(), style.spelling)
    else:
        indent, model = layout.line_indent(node), node if node.items else None
        new = _laid_out(value, node.parent, layout.place_in(node), style, indent, model)
    return ContentSwap(node, Node(new).content())


def _laid_out(
    value: Node, container: Node | None, token: str | int, style: Style, indent: bytes, model: Node | None = None
) -> bytes:
    """`value` as text for its place in `container`, formatted like `model` or a value near it."""
    style = layout.style_in(container, style)
    if container is not None and value.items:  # others need no layout: a search unfolds neighbours
        model = model or layout.model_for(container, token)
        style = style._replace(small=layout.small_values(container))
    return layout.lay_out(value, model, style, indent)


def _insert_value(root: Node, edit: Insert, style: Style) -> ItemsSwap:
    place, last = pointers.parent_and_last(edit.pointer)
    container = root.at(place)
    index = _place_in(container, last, edit)
    value = parse_value(edit.source)
    (lead, trail), neighbours = _blanks_for_new(container, index, style, _between(container, style))
    indent = _indent_behind(lead, container)
    name = last if container.kind == "object" else None
    if edit.origin_indent is not None:
        node = Node(layout.shifted(value.source(), edit.origin_indent, indent))
    else:
        node = Node(_laid_out(value, container, index if name is None else name, style, indent))
    if name is not None:
        node.key = strings.encode(name, style.spelling)
        node.colon = _colon(container, style)
    node.lead, node.trail = lead, trail
    return ItemsSwap(container, index, [], [node], around=neighbours)


def _place_in(container: Node, last: str, edit: Insert) -> int:
    """The index of the new item; raises `EditError` if it cannot be inserted."""
    items = container.items
    if container.kind == "array":
        index = len(items) if last == "-" else pointers.array_index(last, edit.pointer)
        if index > len(items):
            raise EditError(f"{edit.pointer}: the list has only {len(items)} item{'s' * (len(items) != 1)}")
        return index
    if container.kind != "object":
        raise EditError(f"{edit.pointer}: a {container.kind} cannot contain other values")
    if container.member(last) is not None:
        raise EditError(f"{edit.pointer}: the key {quoted(last)} already exists")
    next_item = container.member(edit.before_key) if edit.before_key else None
    return next_item.index() if next_item else len(items)


def _colon(container: Node, style: Style) -> bytes:
    model = container if container.items else layout.model_of(container)
    return model.items[0].colon if model and model.kind == "object" else style.colon


def _between(container: Node, style: Style) -> bytes:
    """The blanks before each item of `container` but the first."""
    items = container.items
    if len(items) > 1:
        return items[1].lead
    return items[0].lead if items and layout.is_spread(container) else style.gap


def _blanks_for_new(container: Node, index: int, style: Style, between: bytes) -> _Blanks:
    """The lead and trail of a new item at `index`, and the new blanks of its neighbours."""
    items = container.items
    if not items:
        # As in its peers, else as the document mostly has it.
        peer = layout.model_of(container)
        if layout.is_spread(peer) if peer else layout.style_in(container, style).spread:
            return layout.line_leads(peer, style, layout.line_indent(container)), []
        return (peer.items[0].lead, peer.items[-1].trail) if peer else (b"", b""), []
    if index == 0:
        first = items[0]
        behind = items[0].trail if len(items) > 1 else b""
        return (first.lead, behind), [(first, (between, first.trail))]
    previous = items[index - 1]
    if index < len(items):
        return (items[index].lead, previous.trail), []
    # The blanks after the last item belong to the closing bracket, so the new last item gets them.
    plain = items[-2].trail if len(items) > 1 else b""
    lead = previous.lead if len(items) > 1 else between
    return (lead, previous.trail), [(previous, (previous.lead, plain))]


def _indent_behind(lead: bytes, container: Node) -> bytes:
    """The indentation of the line on which an item of `container` with this `lead` begins."""
    return layout.indent_of(lead) if b"\n" in lead else layout.line_indent(container)


def _removed(root: Node, edit: Remove) -> Node:
    if edit.occurrence is None:
        return root.at(edit.pointer)
    place, last = pointers.parent_and_last(edit.pointer)
    occurrences = [item for item in root.at(place).items if item.name == last]
    if edit.occurrence >= len(occurrences):
        raise EditError(f"{edit.pointer}: the object has no occurrence {edit.occurrence + 1} of this key")
    return occurrences[edit.occurrence]


def _remove_node(node: Node) -> ItemsSwap:
    container = node.parent
    if container is None:
        raise EditError("the whole document cannot be deleted")
    items, index = container.items, node.index()
    around: list[tuple[Node, Around]] = []
    # The outer blanks of a list belong to its brackets: the next first or last item takes them over.
    if len(items) > 1 and index == 0:
        around = [(items[1], (node.lead, items[1].trail))]
    elif len(items) > 1 and index == len(items) - 1:
        around = [(items[index - 1], (items[index - 1].lead, node.trail))]
    return ItemsSwap(container, index, [node], [], around=around)


def _move_node(root: Node, edit: Move, style: Style) -> Iterator[Swap]:
    node = root.at(edit.origin)
    if edit.pointer == edit.origin:
        return
    if (edit.pointer + "/").startswith(edit.origin + "/"):
        raise EditError(f"{edit.origin or 'the whole document'} cannot move into itself")
    old_indent, old_place = layout.line_indent(node), node.parent
    old_between = _between(old_place, style) if old_place else b""
    yield do_swap(_remove_node(node))
    place, last = pointers.parent_and_last(edit.pointer)
    container = root.at(place)
    if container.kind == "object" and container.member(last) is not None:
        yield do_swap(_copy_over(root.at(edit.pointer), node.source(), old_indent))
        return
    index = _place_in(container, last, Insert(edit.pointer, b""))
    between = old_between if container is old_place else _between(container, style)
    blanks, neighbours = _blanks_for_new(container, index, style, between)
    source = node.source()
    moved = layout.shifted(source, old_indent, _indent_behind(blanks[0], container))
    if moved != source:
        yield do_swap(ContentSwap(node, Node(moved).content()))
    key = strings.encode(last, style.spelling) if container.kind == "object" else b""
    if node.key != key:
        yield do_swap(KeySwap(node, key, (node.colon or _colon(container, style)) if key else b""))
    # The blanks of this node change too, so it is in the swap: undo must restore them.
    yield do_swap(ItemsSwap(container, index, [], [node], around=[*neighbours, (node, blanks)]))


def _copy_over(target: Node, source: bytes, old_indent: bytes) -> ContentSwap:
    return ContentSwap(target, Node(layout.shifted(source, old_indent, layout.line_indent(target))).content())


def _rename_member(node: Node, name: str, style: Style) -> KeySwap:
    if node.parent is None or not node.key:
        raise EditError("only a value in an object has a key")
    if any(item is not node and item.name == name for item in node.parent.items):
        raise EditError(f"the key {quoted(name)} already exists")
    return KeySwap(node, strings.respell(node.key, name, style.spelling), node.colon)

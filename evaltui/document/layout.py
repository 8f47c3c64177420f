"""The layout of a file, derived from its text, and new values formatted like their neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from evaltui.document import strings
from evaltui.document.node import Node
from evaltui.document.strings import PLAIN, Spelling

# The siblings that are searched for a model. A constant, so an edit takes no longer in a longer list.
_NEIGHBOURS = 8

# The values around a place that are searched for small ones, for the same reason.
_SEARCHED = 200

# The most bytes of a new value that goes on one line where the values around it do.
_SMALL = 100

_TOO_DEEP = 100  # levels: laying out is recursive
_line_break = re.compile(rb"(\r?\n)(?:[ \t]*\r?\n)*([ \t]*)").search


class Style(NamedTuple):
    """The most common layout of a document. The layout near an edit takes precedence over it."""

    newline: bytes = b"\n"
    unit: bytes = b"  "
    colon: bytes = b": "
    gap: bytes = b" "
    """The blanks after a comma on one line."""
    spread: bool = True
    """Containers take several lines."""
    spelling: Spelling = PLAIN
    small: Mapping[str, Node] = {}
    """Small values of each kind on one line near the new value; none where small values take several lines."""


def document_style(root: Node, spelling: Spelling) -> Style:
    """The style of the document below `root`; a single line without blanks is kept as tight as it is."""
    # JSON strings hold no line breaks, so every line break is layout.
    breaks = filter(None, map(_line_break, (*root.pieces(), root.trail, root.lead)))
    newline, unit = first_break.groups() if (first_break := next(breaks, None)) else (b"\n", b"")
    first = next(iter(root.items), None)
    if first is None:
        return Style(newline, spelling=spelling)
    spread = b"\n" in first.lead
    # Whether a comma or, in an object with one key, a colon has no blank behind it.
    is_tight = root.items[1].lead == b"" if len(root.items) > 1 else first.colon == b":"
    tight = is_tight and not spread
    # The first member at hand shows the colon, with its blanks.
    holder, levels = root, 0
    while holder.kind == "array" and holder.items and levels < _NEIGHBOURS:
        holder, levels = holder.items[0], levels + 1
    own_colon = holder.items[0].colon if holder.kind == "object" and holder.items else b""
    colon = own_colon or (b":" if tight else b": ")
    return Style(newline, unit or b"  ", colon, b"" if tight else b" ", spread, spelling)


def indent_of(lead: bytes) -> bytes:
    """The blanks before an item from the last line break on."""
    return lead[lead.rfind(b"\n") + 1 :]


def line_indent(node: Node) -> bytes:
    """The indentation of the line on which `node` begins."""
    for value in chain((node,), node.ancestors()):
        if b"\n" in value.lead and value.parent is not None:
            return indent_of(value.lead)
    return b""


def is_spread(container: Node) -> bool:
    """Whether the items of a filled container are on lines of their own."""
    return b"\n" in container.items[0].lead


def style_in(container: Node | None, style: Style) -> Style:
    """`style` for new values in `container`: on one line if it, or the nearest filled container around it, is."""
    filled = container
    while filled is not None and not filled.items:
        filled = filled.parent
    if filled is None:
        return style
    first = filled.items[:_NEIGHBOURS]
    return style._replace(spread=any(b"\n" in piece for item in first for piece in (item.lead, *item.pieces())))


def small_values(container: Node) -> dict[str, Node]:
    """The nearest list and object on one line around a place; none if small values there take several lines."""
    count, child, models = _SEARCHED, None, dict[str, Node]()
    for around in (container, *container.ancestors()):
        if around.parent is None and around is not container:  # its values may have the size of the file
            break
        is_spread_out, pending = False, [around]
        while pending and count:
            node, count = pending.pop(0), count - 1
            items = node.items
            place = child.index() if child is not None and node is around else len(items)
            for item in _nearest(items, place, place + 1):
                if item.is_container and item.items:
                    pending.append(item)
                    source = item.source()
                    if b"\n" not in source:
                        models.setdefault(item.kind, item)
                    elif _is_small(source):
                        is_spread_out = True
        if models or is_spread_out:
            break
        child = around
    return models


def _is_small(source: bytes) -> bool:
    return len(source) < _SMALL * _NEIGHBOURS and len(b" ".join(source.split())) <= _SMALL


def line_leads(model: Node | None, style: Style, indent: bytes) -> tuple[bytes, bytes]:
    """The blanks before the items and before the closing bracket of a spread container.

    `indent` is the indentation of the container's line. `model`, if there is one, gives the step.
    """
    if model is None:
        return style.newline + indent + style.unit, style.newline + indent
    lead, outer = model.items[0].lead, line_indent(model)
    newline = b"\r\n" if b"\r\n" in lead else b"\n"
    inner = indent_of(lead)
    unit = inner.removeprefix(outer) if inner.startswith(outer) else style.unit
    return newline + indent + unit, newline + indent


def model_for(container: Node, token: str | int, besides: Node | None = None) -> Node | None:
    """The value whose formatting a new value copies; `token` is its name or index in `container`.

    In a list, the nearest item, preferably before it. In an object or an empty list, the value at the same path below
    one of the nearest siblings in each list around it. Only filled containers are models, and `besides` is not.
    """
    if isinstance(token, int):
        for item in _nearest(container.items, token, token):
            if item.items and item is not besides:
                return item
    path: list[str | None] = [None if isinstance(token, int) else token]
    node = container
    while node.parent is not None:
        if node.parent.kind == "array":
            place = node.parent.items.index(node)
            for sibling in _nearest(node.parent.items, place, place + 1):
                model = _descend(sibling, path)
                if model is not None and model.items:
                    return model
            path.append(None)
        else:
            path.append(node.name)
        node = node.parent
    return None


def model_of(node: Node) -> Node | None:
    """The sibling whose formatting `node` copies, or the first items of an empty `node`; None if there is none."""
    return model_for(node.parent, place_in(node), besides=node) if node.parent is not None else None


def place_in(node: Node) -> str | int:
    """The name or the index of `node` in its container."""
    return node.name if node.key else node.index()


def _nearest(items: list[Node], stop: int, start: int) -> Iterator[Node]:
    """The items before `stop`, nearest first, then those from `start` on."""
    yield from reversed(items[max(0, stop - _NEIGHBOURS) : stop])
    yield from items[start : start + _NEIGHBOURS]


def _descend(node: Node, reversed_path: list[str | None]) -> Node | None:
    """The value below `node` along the path; None in the path means the first item of a list."""
    value: Node | None = node
    for token in reversed(reversed_path):
        if value is None:
            return None
        value = next(iter(value.items), None) if token is None else value.member(token)
    return value


# --- new values ------------------------------------------------------------------------------------------------


def lay_out(value: Node, model: Node | None, style: Style, indent: bytes, depth: int = 0) -> bytes:
    """`value` as text for a line with the indentation `indent`, formatted like `model` if there is one.

    Numbers and literals keep their spelling; strings get the spelling of the file. Values nested over 100 levels deep
    are not formatted; `depth` is the number of levels around `value`.
    """
    if value.kind == "string":
        source, spelling = value.source(), style.spelling
        if strings.invalid_utf8(source) is not None:
            return source  # such bytes have no other spelling
        if model is not None and model.kind == "string":
            spelling = strings.spelling_of(model.source(), spelling)
        return strings.encode(value.text(), spelling)
    if not value.is_container or depth > _TOO_DEEP:
        return value.source()
    opening, closing = (b"{", b"}") if value.kind == "object" else (b"[", b"]")
    if not value.items:
        return opening + closing
    model = model if model is not None and model.items and model.kind == value.kind else None
    blanks = model
    # A model without a common key may be spread because it is much larger.
    is_free = model is None or (
        model.kind == "object" and is_spread(model) and not any(model.member(item.name) for item in value.items)
    )
    if is_free and (not style.spread or (style.small and _is_small(value.source()))):
        blanks, model, style = style.small.get(value.kind), None, style._replace(spread=False)
    # The blanks before, between and after the items are as in the model, else as the document mostly has them.
    if is_spread(blanks) if blanks else style.spread:
        first, last = line_leads(blanks, style, indent)
        between, item_indent = first, indent_of(first)
    else:
        first, between, last, item_indent = blanks.items[0].lead if blanks else b"", style.gap, b"", indent
    if blanks and len(blanks.items) > 1 and b"\n" not in blanks.items[1].lead:
        between = blanks.items[1].lead
    if blanks and b"\n" not in blanks.items[-1].trail:
        last = blanks.items[-1].trail
    style = style._replace(spread=is_spread(model)) if model is not None else style
    colon = blanks.items[0].colon if blanks and blanks.kind == "object" else style.colon
    parts = [opening]
    for number, item in enumerate(value.items):
        parts.append(b"," + between if number else first)
        if item.key:
            parts += [strings.encode(item.name, style.spelling), colon]
        parts.append(lay_out(item, _model_of_item(model, item, number), style, item_indent, depth + 1))
    return b"".join([*parts, last, closing])


def _model_of_item(model: Node | None, item: Node, number: int) -> Node | None:
    """The model of an item. For an object or list that `model` lacks, a value at the same path near it."""
    if model is None:
        return None
    if model.kind == "object":
        member = model.member(item.name)
        is_of_use = not item.is_container or (member is not None and member.items)
        return member if is_of_use else model_for(model, item.name)
    return model.items[min(number, len(model.items) - 1)]


def shifted(source: bytes, old_indent: bytes, new_indent: bytes) -> bytes:
    """`source` with another indentation."""
    # As above: a line break is never part of a string.
    if old_indent == new_indent or b"\n" not in source:
        return source
    first, *rest = source.split(b"\n")
    moved = [new_indent + line[len(old_indent) :] if line.startswith(old_indent) else line for line in rest]
    return b"\n".join([first, *moved])

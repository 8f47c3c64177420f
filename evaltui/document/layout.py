"""New values written in the manner of old ones."""

from __future__ import annotations

from typing import NamedTuple

from evaltui.document import strings
from evaltui.document.node import Node
from evaltui.document.style import Style, is_spread, line_leads

_TOO_DEEP = 100


class _Gaps(NamedTuple):
    """The blanks around the items of one container."""

    first: bytes
    between: bytes
    last: bytes
    indent: bytes
    """The indentation of the lines that its items begin on."""


def lay_out(value: Node, model: Node | None, style: Style, indent: bytes) -> bytes:
    """`value` as text for a line that begins with `indent`, after the manner of `model` where there is one.

    Numbers and literals keep their spelling, strings take the file's. What nests over 100 levels deep is left
    as it is given.
    """
    return b"".join(_laid_out(value, model, style, indent, 0))


def _laid_out(value: Node, model: Node | None, style: Style, indent: bytes, depth: int) -> list[bytes]:
    if value.kind == "string":
        return [_string(value, model, style)]
    if not value.is_container or depth > _TOO_DEEP:
        return [value.source()]
    opening, closing = (b"{", b"}") if value.kind == "object" else (b"[", b"]")
    if not value.items:
        return [opening, closing]
    model = model if model is not None and model.items and model.kind == value.kind else None
    gaps = _gaps(model, style, indent)
    if model is not None:
        style = style._replace(spread=is_spread(model))
    colon = model.items[0].colon if model and model.kind == "object" else style.colon
    parts = [opening]
    for number, item in enumerate(value.items):
        parts.append(b"," + gaps.between if number else gaps.first)
        if item.key:
            parts += [strings.encode(item.name, style.spelling), colon]
        parts += _laid_out(item, _model_of_item(model, item, number), style, gaps.indent, depth + 1)
    return [*parts, gaps.last, closing]


def _string(value: Node, model: Node | None, style: Style) -> bytes:
    default = style.spelling
    if model is not None and model.kind == "string":
        default = strings.spelling_of(model.source(), default)
    source = value.source()
    if not source.isascii() and not strings.is_utf8(source):
        return source  # no other spelling has a place for such bytes
    return strings.encode(value.text(), default)


def _gaps(model: Node | None, style: Style, indent: bytes) -> _Gaps:
    """Around the items of a new container: as in `model`, else as the document mostly has it."""
    spread = is_spread(model) if model else style.spread
    if spread:
        first, last = line_leads(model, style, indent)
        between, inner = first, first[first.rfind(b"\n") + 1 :]
    else:
        first, between, last, inner = model.items[0].lead if model else b"", style.gap, b"", indent
    items = model.items if model else []
    if len(items) > 1 and b"\n" not in items[1].lead:
        between = items[1].lead
    if items and b"\n" not in items[-1].trail:
        last = items[-1].trail
    return _Gaps(first, between, last, inner)


def _model_of_item(model: Node | None, item: Node, number: int) -> Node | None:
    if model is None:
        return None
    if model.kind == "object":
        return model.member(item.name)
    return model.items[min(number, len(model.items) - 1)]


def shifted(source: bytes, old_indent: bytes, new_indent: bytes) -> bytes:
    """`source`, moved to a line with another indentation; JSON strings hold no line breaks, so all are layout."""
    if old_indent == new_indent or b"\n" not in source:
        return source
    first, *rest = source.split(b"\n")
    moved = [new_indent + line[len(old_indent) :] if line.startswith(old_indent) else line for line in rest]
    return b"\n".join([first, *moved])

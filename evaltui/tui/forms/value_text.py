"""Values as text for editing: texts as they are, all others as JSON; the edits that typed and pasted texts make."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING

from evaltui.document.edits import Edit, Set, json_text
from evaltui.document.errors import EditError
from evaltui.document.layout import line_indent, shifted
from evaltui.document.node import Node, parse_value
from evaltui.document.strings import encode, json_bytes
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.keys import text_of
from evaltui.printable import printable
from evaltui.tui.commands import key_of
from evaltui.tui.forms.form import Field, Form, Stop, type_of, with_article
from evaltui.tui.lines import preview
from evaltui.tui.outlines.row_texts import is_base64

if TYPE_CHECKING:
    from evaltui.tui.open_file.edited_document import EditedDocument

_TOO_LONG = 200_000
"""The most bytes of a value that is edited in a text box."""
_BEGINNINGS = (*"-0123456789tfn[{",)
"""The first characters of JSON values other than strings."""
_MANY = 1000
"""The most single edits; so many take a tenth of a second."""


def editable(node: Node) -> bool:
    """Whether the value can be edited in a text box: not too long, and not base64."""
    return not is_longer(node) and not is_base64(node)


def is_longer(node: Node, limit: int = _TOO_LONG) -> bool:
    """Whether the JSON of a value has more than `limit` bytes; stops reading at the limit."""
    return any(length > limit for length in accumulate(map(len, node.pieces())))


def shown_text(node: Node) -> str:
    """A value for editing: a text without quotes, all others as JSON from the file, without indent."""
    if node.kind == "string":
        return node.text()
    source = shifted(node.source(), line_indent(node), b"")
    return source.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def value_edits(node: Node, text: str, bare: bool = False) -> list[Edit]:
    """The edits that set `node` to a typed text: as text (`bare`) or as JSON. Raises `EditError` for invalid JSON."""
    from evaltui.document.value_comparison import edits_between

    if bare:
        return [Set(node.pointer(), json_text(text))]
    text = text.strip()
    try:
        new = parse_value(json_bytes(text))
    except EditError:
        if node.kind not in ("number", "boolean") or text.startswith(("[", "{", '"')):
            raise
        raise EditError(f"not a {node.kind}") from None  # a person who edits one thinks of no JSON
    if is_longer(new):
        return [Set(node.pointer(), new.source(), origin_indent=b"")]  # in its own layout: a new one takes seconds
    edits = edits_between(node, new, node.pointer(), spelling=True)
    # Each new item of a list is an edit of its own, so that the old items keep their layout.
    return edits if len(edits) < _MANY + len(node.items) else [Set(node.pointer(), new.source())]


def converted(node: Node, kind: str) -> bytes:
    """The value of `node` converted to another type as far as possible: "12" ⇄ 12, "true" ⇄ true, x ⇄ [x]."""
    if type_of(node) == kind:
        return node.source()
    text = shown_text(node)
    if kind == "string":
        return encode(text, raw_bytes=True)
    value = read_as_json(text)
    if value is not None and type_of(value) == kind:
        return value.source()
    item = b"" if node.kind == "null" or (node.kind == "string" and not text) else node.source()
    return {"number": b"0", "boolean": b"false", "null": b"null", "list": b"[" + item + b"]", "object": b"{}"}[kind]


def read_as_json(text: str) -> Node | None:
    """The value of a text that is JSON but not a JSON string; None for any other text."""
    if not text.strip().startswith(_BEGINNINGS):
        return None
    try:
        return parse_value(json_bytes(text.strip()))
    except EditError:
        return None


def type_read(text: str) -> str:
    """The type of a text that is JSON, other than string; "" if there is none."""
    value = read_as_json(text)
    return type_of(value) if value is not None else ""


# --- pasted values ---------------------------------------------------------------------------------------------------


def written_over(field: Field, text: str) -> Revision:
    """Replace the text of a field. Raises `EditError` for an invalid text."""
    from evaltui.tui.widgets.line_input import on_one_line  # only whole texts come from outside, and not at the start

    text = text if field.block else text.rstrip("\n")
    if not field.one_line or on_one_line(text) == text:
        return field.write(text)
    return replace(field.write(on_one_line(text)), remark="line breaks became spaces")


def pasted_into(field: Field, text: str, where: str, *, is_value: bool) -> Revision:
    """Replace the text of a field with a pasted one, or with what it says if it `is_value`: JSON copied from a line.

    A string is written as its text; a value of another type as a value only if the field allows that type.
    """
    if is_value and field.takes_text:
        value = parse_value(json_bytes(text))
        if value.kind == "string":
            text = value.text()
        elif field.node is not None and field.retype is not None and type_of(value) in field.types:
            return pasted_over(field, text, where)
        elif value.is_container:
            raise EditError(f"the copied value is {with_article(type_of(value))}; this line needs a string")
    return written_over(field, text)


def pasted_over(line: Stop, text: str, where: str) -> Revision:
    """Replace the value of `line`, at the path `where`, with JSON.

    Raises `EditError` for invalid JSON, and for a type that the line does not allow.
    """
    node = line.node
    assert node is not None
    try:
        value = parse_value(json_bytes(text.strip()))
    except EditError as error:
        raise EditError(f"the copied text is not valid JSON: {error}") from error
    types = line.types if line.retype is not None else (type_of(node),)
    if type_of(value) not in types:
        raise EditError(f"the copied value is {with_article(type_of(value))}; this line needs {' or '.join(types)}")
    count = len(node.items)
    what = "items" if node.kind == "array" else "keys"
    lost = f"{count} {what if count > 1 else what[:-1]} deleted" if count else ""
    return Revision(f"replace {where}", [Set(node.pointer(), value.source())], lost)


# --- types -----------------------------------------------------------------------------------------------------------


class NewValue:
    """Writes a typed text into an empty value: as text, unless it has another JSON type in other calls."""

    def __init__(self, file: EditedDocument, field: Field, node: Node, tool: str) -> None:
        """`tool` is the name of the tool whose other calls have the argument; "" for a value that is no argument."""
        self._file, self._field, self._node, self._tool = file, field, node, tool
        self._label = field.write("").label
        self._kinds: Collection[str] | None = None

    def write(self, text: str) -> Revision:
        """A revision that sets the value to the typed text."""
        if self._kinds is None:
            # Asked at the first letter only: later, the typed value would count, too.
            vocabulary = self._file.words.vocabulary
            self._kinds = vocabulary.kinds_of_argument(self._tool, self._node.name) if self._tool else ()
        # It stays a text if it is one elsewhere, or if it has spaces around it, which JSON would lose.
        value = read_as_json(text) if text == text.strip() and "string" not in self._kinds else None
        is_text = value is None or value.kind not in self._kinds
        return Revision(self._label, value_edits(self._node, text, bare=is_text))

    def said(self, *, is_left: bool) -> str:
        """A sentence about the type of the value, "" if the type is certain.

        It names the key that changes the type, unless the line of the value `is_left`: there the key acts on another
        value or types a letter.
        """
        kinds = self._kinds
        if kinds is None:
            return ""
        kind, name = type_of(self._node), preview(printable(self._field.label), 24)
        if kind != "string":
            where = f" of {preview(self._tool, 24)}"
            changes = "" if is_left else f" (press {key_of('form.type')} to change)"
            return f"{name} is {with_article(kind)}, as in other calls{where}{changes}."
        read = type_read(self._node.text())
        if read not in self._field.types or set(kinds) == {"string"}:
            return ""
        if is_left:
            return f'{name} is the string "{preview(self._node.text(), 24)}", not {with_article(read)}.'
        return f"{name} is {_string_that_reads_as(self._node, read)}"


def new_value(file: EditedDocument, form: Form, owner: Node, field: Field) -> NewValue | None:
    """The writer for a field with a new value; None for any other field, whose type stays."""
    node = field.node
    if node is None or node.kind != "string" or field.text or not field.in_list:
        return None
    is_argument = form.adds == "argument" and node.parent is owner.member("args")
    return NewValue(file, field, node, text_of(owner, "name") if is_argument else "")


def type_hint(stop: Stop) -> str:
    """A hint at a text that reads as another type, with the key that gives it that type; "" for other values."""
    node = stop.node
    if not isinstance(stop, Field) or not stop.in_list or node is None or node.kind != "string" or is_longer(node):
        return ""
    read = type_read(stop.text)
    return f"This is {_string_that_reads_as(node, read)}" if read in stop.types else ""


def _string_that_reads_as(node: Node, read: str) -> str:
    return f'the string "{preview(node.text(), 24)}". Press {key_of("form.type")} to make it {with_article(read)}.'


class TypeCycle:
    """Remembers the value before its first change of type, until another edit changes it."""

    def __init__(self) -> None:
        self._key: Hashable = None
        self._origin: Node | None = None
        self._last = b""

    def step(self, stop: Stop) -> Revision | None:
        """A revision that changes `stop` to its next type; None if it has only one."""
        if stop.retype is None:
            return None
        source = stop.node.source() if stop.node is not None else b""
        if stop.key != self._key or source != self._last:
            self._key, self._origin = stop.key, Node(source) if source else None
        types, origin = [*stop.types], self._origin
        is_short_text = origin is not None and origin.kind == "string" and not is_longer(origin)
        read = type_read(origin.text()) if origin is not None and is_short_text else ""
        if read in types and "string" in types:  # the type that a text reads as comes next, as boolean for "true"
            types.remove(read)
            types.insert(types.index("string") + 1, read)
        index = types.index(stop.kind) if stop.kind in types else -1
        return stop.retype(types[(index + 1) % len(types)], origin)

    def stepped(self, node: Node | None) -> None:
        """The revision is done; `node` is the new value."""
        self._last = node.source() if node is not None else b""

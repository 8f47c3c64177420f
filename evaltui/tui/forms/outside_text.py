"""Texts from outside that become values: from an editor, or pasted over the value of a line."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from evaltui.document.document import Document
from evaltui.document.edits import Set
from evaltui.document.errors import DocumentError, EditError
from evaltui.document.layout import Style, lay_out, line_indent, shifted
from evaltui.document.node import Node, parse_value
from evaltui.document.positions import line_and_column
from evaltui.document.strings import json_bytes
from evaltui.document.value_comparison import edits_between
from evaltui.evalset.editing.revision import Revision
from evaltui.tui.forms.form import Field, Stop, type_of, with_article
from evaltui.tui.forms.value_text import shown_text
from evaltui.tui.open_file.drafts import AS_JSON, DraftPlace
from evaltui.tui.widgets.line_input import on_one_line

_LONGEST_LINE = 100


class NotUsableError(Exception):
    """The text from outside is not a valid value for its place; line and column count from 1."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line, self.column = line, column


@dataclass(frozen=True, slots=True)
class OutsideText:
    """A value to edit in another program."""

    place: DraftPlace
    """The place of a draft of it."""
    called: str
    """Its name for people."""
    file_name: str
    text: bytes
    value: str
    """The text of the value in the document, which `text` may differ from."""
    read: Callable[[bytes], Revision]
    """Makes a revision of the edited text; raises `NotUsableError`."""


def field_outside(node: Node, field: Field, text: str, called: str) -> OutsideText:
    """A field of the form of `node`, whose current text is `text`."""
    suffix = ".json" if not field.takes_text else ".md" if field.block else ".txt"

    def read(data: bytes) -> Revision:
        if not field.takes_text and data.strip():
            read_json(data)  # reports line and column
        try:
            typed = data.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            line, column = line_and_column(data[: error.start])
            fault = f"byte 0x{data[error.start]:02X} is not UTF-8"
            raise NotUsableError(f"line {line}, column {column}: {fault}", line, column) from None
        try:
            return written_over(field, typed) if field.one_line else field.write(typed)
        except DocumentError as error:
            raise NotUsableError(str(error)) from None

    # A lone surrogate, which only JSON can spell, is written as its three bytes.
    source = text.encode("utf-8", "surrogatepass")
    return OutsideText(
        DraftPlace(node, field.key), called, _file_name(field.label or called, suffix), source, field.text, read
    )


def value_outside(node: Node, called: str) -> OutsideText:
    """Any value as JSON: as in the file without its indent, or on several lines if it is one long line."""
    source = shifted(node.source(), line_indent(node), b"")
    if b"\n" not in source and len(source) > _LONGEST_LINE:
        source = lay_out(parse_value(source), None, Style(), b"")

    def read(data: bytes) -> Revision:
        # Compare the given and the returned text, so that a new layout or spelling is not an edit.
        edits = edits_between(read_json(source), read_json(data), node.pointer(), spelling=True)
        return Revision(f"edit {called} as JSON", edits)

    return OutsideText(DraftPlace(node, AS_JSON), called, _file_name(called, ".json"), source, shown_text(node), read)


def read_json(data: bytes) -> Node:
    """The root of a JSON text. Raises `NotUsableError` with the place of the fault."""
    document = Document(data)
    if document.fault is not None:
        place = document.line_and_column(document.fault.offset)
        raise NotUsableError(f"line {place[0]}, column {place[1]}: invalid JSON: {document.fault.message}", *place)
    assert document.root is not None
    return document.root


def _file_name(called: str, suffix: str) -> str:
    """A short file name that every file system accepts and that shows in the editor what is edited."""
    return (re.sub(r"[^A-Za-z0-9._-]+", "-", called).strip("-.")[-60:].strip("-.") or "value") + suffix


def written_over(field: Field, text: str) -> Revision:
    """Replace the text of a field. Raises `EditError` for an invalid text."""
    text = text if field.block else text.rstrip("\n")
    if not field.one_line or on_one_line(text) == text:
        return field.write(text)
    return replace(field.write(on_one_line(text)), remark="line breaks became spaces")


def value_over(field: Field, source: str, where: str) -> Revision | None:
    """Replace the text of a field with a value copied as JSON from another line; None if the field takes JSON.

    A string is written as its text; a value of another type only if the field allows that type.
    """
    value = parse_value(json_bytes(source))
    if not field.takes_text:
        return None
    if value.kind == "string":
        return written_over(field, value.text())
    if field.node is not None and field.retype is not None and type_of(value) in field.types:
        return pasted_over(field, source, where)
    if value.is_container:
        raise EditError(f"the copied value is {with_article(type_of(value))}; this line needs a string")
    return None


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

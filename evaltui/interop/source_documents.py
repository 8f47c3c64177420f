"""Reader of source files: JSON in any encoding that its byte order mark shows, or YAML."""

from __future__ import annotations

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.interop.format_type import ConversionError

_YAML = (".yaml", ".yml")


def read_source(data: bytes, file_name: str) -> Node:
    """The root of a JSON text, or of a YAML text as if it were JSON.

    A text that is not JSON is YAML if the file name says so, or if the name does not end with `.json` and the text does
    not begin like JSON.
    Raises `ConversionError` with the place.
    """
    document = Document(data)
    if document.root is not None:
        return document.root
    body = document.body()
    is_json = file_name.endswith(".json") or body.lstrip()[:1] in (b"{", b"[", b"")
    if file_name.endswith(_YAML) or not is_json:
        from evaltui.interop.yaml_text import read_yaml  # noqa: PLC0415 - few files are YAML

        return read_yaml(body)
    assert document.fault is not None
    line, column = document.line_and_column(document.fault.offset)
    raise ConversionError(f"line {line}, column {column}: invalid JSON: {document.fault.message}")

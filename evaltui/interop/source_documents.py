"""Reader of source files: JSON in any encoding that its byte order mark shows, or YAML."""

from __future__ import annotations

from pathlib import PurePath

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.document.plain_values import TOO_DEEP, is_deep
from evaltui.document.yaml_root import LARGEST_LOOK, YAML_NAMES, begins_like_json, has_json_in_lines
from evaltui.interop.deep_values import DELETE_INNER, deep_offset
from evaltui.interop.format_type import ConversionError
from evaltui.json_repair.repair import other_encoding
from evaltui.printable import as_argument, one_line


def read_source(data: bytes, file_name: str) -> Node:
    """The root of a JSON text, or of a YAML text as if it were JSON.

    A text that is not JSON is YAML if the file name says so, or if the name does not end with `.json` and the text does
    not begin like JSON.
    Raises `ConversionError` with the place.
    """
    document = Document(data)
    body = document.body()
    if document.root is not None:
        if is_deep(body):
            line, column = document.line_and_column(deep_offset(body))
            raise ConversionError(f"line {line}, column {column}: {TOO_DEEP}; {DELETE_INNER}")
        return document.root
    if _may_be_yaml(body, file_name):
        from evaltui.interop.yaml_text import read_yaml  # noqa: PLC0415 - few files are YAML

        try:
            return read_yaml(body)
        except ConversionError as error:
            if file_name.lower().endswith(YAML_NAMES):
                raise
            said = str(error).removeprefix("invalid YAML: ")
            raise ConversionError(f"this is not JSON, and it cannot be read as YAML: {said}") from None
    if yaml := what_yaml(document, file_name):
        raise ConversionError(f"this is {yaml}")
    raise ConversionError(why_invalid(document, file_name))


def why_invalid(document: Document, name: str) -> str:
    """Why a document is not JSON: another encoding, else its first fault with the place."""
    if said := _what_encoding(document, name):
        return said
    assert document.fault is not None
    line, column = document.line_and_column(document.fault.offset)
    return f"line {line}, column {column}: invalid JSON: {document.fault.message}"


def why_not_json(document: Document, name: str) -> str:
    """Why the file `name` cannot be read as JSON: a sentence that begins with its name; "" if it can be read."""
    if document.fault is None:
        return ""
    if said := what_other_text(document, name):
        return f"{name}: {said}"
    line, column = document.line_and_column(document.fault.offset)
    return f"{name}:{line}:{column}: invalid JSON: {document.fault.message}"


def what_other_text(document: Document, name: str) -> str:
    """A clause about a text that is YAML or in another encoding, with the command for it; "" for neither."""
    if yaml := what_yaml(document, name):
        return f"this is {yaml}"
    return _what_encoding(document, name)


def _what_encoding(document: Document, name: str) -> str:
    """The encoding of a text in UTF-16 or UTF-32 that is not read as JSON, and how to change it; "" for UTF-8."""
    found = other_encoding(document.to_bytes())
    if document.root is not None or found is None:
        return ""
    if found.splice is None:
        return f"{found.message}; save the file as UTF-8"
    file = as_argument(name) if name != "-" else "FILE"
    return f"{found.message}; `evaltui validate --fix {file}` writes it as UTF-8"


def what_yaml(document: Document, name: str) -> str:
    """The kind of a document in YAML, as words after *this is*, and the command for it; "" for any other text.

    A file with another name is YAML only if its content is that of a known format.
    """
    body = document.body()
    is_named = name.lower().endswith(YAML_NAMES)
    if document.root is not None or (not is_named and (begins_like_json(body) or not body.strip())):
        return ""
    if len(body) > LARGEST_LOOK:
        return "a YAML file, not JSON" if is_named else ""
    if not is_named and has_json_in_lines(body):
        return ""
    from evaltui.interop.conversion_formats import format_of_source  # noqa: PLC0415 - few files are YAML
    from evaltui.interop.yaml_text import read_yaml  # noqa: PLC0415

    try:
        root = read_yaml(body)
    except ConversionError as error:
        return f"a YAML file, not JSON, and it cannot be read: {error}" if is_named else ""
    evaluators, criteria = root.member("evaluators"), root.member("criteria")
    if evaluators is not None and evaluators.kind == "array":
        rename = "" if is_named else ", with a name that ends with .yaml"
        return f"a config of agentevals in YAML, not JSON; give it with --config{rename}"
    if criteria is not None and criteria.kind == "object":
        return "a config of google-adk in YAML, which google-adk reads only as JSON; write it as JSON"
    is_json = name.lower().endswith(".json")
    if (found := format_of_source(root)) is not None:
        renamed = f"{name[: -len('.json')]}.yaml" if is_json else name
        rename = f"rename it to {one_line(renamed, 80)}, then " if is_json else ""
        file = as_argument(renamed) if name != "-" else name
        return f"YAML ({found.title}), not JSON; {rename}`evaltui convert {file} --to evalset` makes an eval set of it"
    is_flat = not any(item.is_container for item in root.items)
    if not is_named and is_flat and (PurePath(name).suffix or not root.items):
        return ""  # text of another kind may read as flat YAML: Markdown, a log
    return "YAML, not JSON; evaltui reads YAML only as a config of agentevals (--config) and to convert it"


def _may_be_yaml(body: bytes, file_name: str) -> bool:
    if file_name.lower().endswith(YAML_NAMES):
        return True
    return not file_name.endswith(".json") and body.lstrip()[:1] not in (b"{", b"[", b"")

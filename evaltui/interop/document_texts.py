"""Texts of documents: sources are read, and converted documents are written, as JSON or YAML.

JSON is read in any encoding that its byte order mark shows. YAML becomes a JSON document, so that pointers and losses
work on it. Only values that JSON has are read: dates stay texts, and no tag creates a Python object.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_left
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from evaltui.document import pointer as pointers
from evaltui.document.node import Node, read_document, root_of_file
from evaltui.document.scanner import MOST_LEVELS, TOO_DEEP, is_deep, refuse_deep
from evaltui.document.strings import read_encoding
from evaltui.document.yaml_root import (
    LARGEST_LOOK,
    MOST_YAML_LEVELS,
    YAML_NAMES,
    TooManyLevelsError,
    begins_like_json,
    has_json_in_lines,
    line_of,
    yaml_root,
)
from evaltui.document.yaml_root import TOO_DEEP as YAML_TOO_DEEP
from evaltui.interop.fields import ConversionError
from evaltui.printable import as_argument, json_escaped, one_line, printable

if TYPE_CHECKING:  # most commands never see a line of YAML
    import yaml

    from evaltui.document.document import Document

DELETE_INNER = "delete inner values"
_TAG: Final = "tag:yaml.org,2002:"
_LONGEST_PLACE = 80


def read_source(data: bytes, file_name: str) -> Node:
    """The root of a JSON text, or of a YAML text as if it were JSON.

    A text that is not JSON is YAML if the file name says so, or if the name does not end with `.json` and the text does
    not begin like JSON.
    Raises `ConversionError` with the place.
    """
    root, (_, body) = root_of_file(data), read_encoding(data)
    if root is not None and not is_deep(body):
        return root
    from evaltui.document.document import Document  # noqa: PLC0415 - most sources are JSON without faults

    document = Document(data)
    if root is not None:
        # The bracket that opens one level too many is the first at which the text so far is too deep.
        offset = bisect_left(range(len(body)), True, key=lambda end: is_deep(body, 0, end)) - 1
        line, column = document.line_and_column(offset)
        raise ConversionError(f"line {line}, column {column}: {TOO_DEEP}; {DELETE_INNER}")
    is_named = file_name.lower().endswith(YAML_NAMES)
    if is_named or (not file_name.endswith(".json") and body.lstrip()[:1] not in (b"{", b"[", b"")):
        try:
            return read_yaml(body)
        except ConversionError as error:
            if is_named:
                raise
            reason = str(error).removeprefix("invalid YAML: ")
            raise ConversionError(f"this is not JSON, and it cannot be read as YAML: {reason}") from None
    raise ConversionError(what_other_text(document, file_name) or _what_fault(document))


def read_json_or_yaml(data: bytes) -> Node:
    """The root of a JSON text, or of a YAML text as if it were JSON. Raises `ConversionError` with the place."""
    from evaltui.document.document import Document  # noqa: PLC0415
    from evaltui.json_repair.repair import other_encoding  # noqa: PLC0415

    document = Document(data)
    if document.root is not None:  # JSON may have tabs, YAML may not
        return document.root
    try:
        return read_yaml(document.body())
    except ConversionError:
        # YAML is a superset of JSON, so its sentence about broken JSON would mislead.
        if begins_like_json(document.body()) or other_encoding(data) is not None:
            raise ConversionError(_what_encoding(document, "-") or _what_fault(document)) from None
        raise


def _what_fault(document: Document) -> str:
    assert document.fault is not None
    line, column = document.line_and_column(document.fault.offset)
    return f"line {line}, column {column}: invalid JSON: {document.fault.message}"


def why_not_json(document: Document, name: str) -> str:
    """Why the file `name` cannot be read as JSON: a sentence that begins with its name; "" if it can be read."""
    if document.fault is None:
        return ""
    if other_text := what_other_text(document, name):
        return f"{name}: {other_text}"
    line, column = document.line_and_column(document.fault.offset)
    return f"{name}:{line}:{column}: invalid JSON: {document.fault.message}"


def what_other_text(document: Document, name: str) -> str:
    """A clause about a text that is YAML or in another encoding, with the command for it; "" for neither."""
    if yaml := what_yaml(document, name):
        return f"this is {yaml}"
    return _what_encoding(document, name)


def _what_encoding(document: Document, name: str) -> str:
    """The encoding of a text in UTF-16 or UTF-32 that is not read as JSON, and how to change it; "" for UTF-8."""
    from evaltui.json_repair.repair import other_encoding  # noqa: PLC0415 - nearly all texts are UTF-8

    fault = other_encoding(document.to_bytes())
    if document.root is not None or fault is None:
        return ""
    if fault.splice is None:
        return f"{fault.message}; save the file as UTF-8"
    file = as_argument(name) if name != "-" else "FILE"
    return f"{fault.message}; `evaltui validate --fix {file}` writes it as UTF-8"


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

    try:
        root = read_yaml(body)
    except ConversionError as error:
        return f"a YAML file, not JSON, and it cannot be read: {error}" if is_named else ""
    # Configs in YAML are often passed in place of a set.
    evaluators, criteria = root.member("evaluators"), root.member("criteria")
    if evaluators is not None and evaluators.kind == "array":
        rename = "" if is_named else ", with a name that ends with .yaml"
        return f"a config of agentevals in YAML, not JSON; give it with --config{rename}"
    if criteria is not None and criteria.kind == "object":
        return "a config of google-adk in YAML, which google-adk reads only as JSON; write it as JSON"
    is_json = name.lower().endswith(".json")
    if (form := format_of_source(root)) is not None:
        renamed = f"{name[: -len('.json')]}.yaml" if is_json else name
        rename = f"rename it to {one_line(renamed, 80)}, then " if is_json else ""
        file = as_argument(renamed) if name != "-" else name
        return f"YAML ({form.title}), not JSON; {rename}`evaltui convert {file} --to evalset` makes an eval set of it"
    is_flat = not any(item.is_container for item in root.items)
    if not is_named and is_flat and (PurePath(name).suffix or not root.items):
        return ""  # text of another kind may read as flat YAML: Markdown, a log
    return "YAML, not JSON; evaltui reads YAML only as a config of agentevals (--config) and to convert it"


# --- YAML ----------------------------------------------------------------------------------------------------------


def read_yaml(body: bytes) -> Node:
    """YAML text as a JSON document, with duplicate keys kept. Raises `ConversionError`."""
    import yaml  # noqa: PLC0415 - takes 15 ms, and few files are YAML

    try:
        root = yaml_root(body.decode("utf-8-sig"))
        if root is None:
            raise ConversionError("the file has only comments" if body.strip() else "the file is empty")
        return read_document(_json_text(root, yaml.constructor.SafeConstructor()).encode("ascii"))
    except yaml.MarkedYAMLError as error:
        place = f"line {error.problem_mark.line + 1}: " if error.problem_mark is not None else ""
        problem = printable(error.problem or error.context or "unknown syntax")
        raise ConversionError(f"invalid YAML: {place}{problem}") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConversionError(f"invalid YAML: line {line}: 0x{error.object[error.start]:02X} is not UTF-8") from None
    except yaml.YAMLError as error:
        raise ConversionError(f"invalid YAML: {printable(str(error).splitlines()[0])}") from None
    except ValueError as error:
        raise ConversionError(str(error)) from None
    except RecursionError as error:
        sentence = str(error) if isinstance(error, TooManyLevelsError) else YAML_TOO_DEEP
        raise ConversionError(f"{sentence}; {DELETE_INNER}") from None


def _json_text(node: yaml.Node, constructor: yaml.constructor.SafeConstructor) -> str:
    """The JSON text of a node, with duplicate keys kept: the losses of a conversion report them."""
    import yaml  # noqa: PLC0415

    if isinstance(node, yaml.SequenceNode):
        _check_tag(node, "seq")
        return f"[{', '.join(_json_text(item, constructor) for item in node.value)}]"
    if not isinstance(node, yaml.MappingNode):
        return _scalar_text(node, constructor)
    _check_tag(node, "map")
    own = [pair for pair in node.value if pair[0].tag != f"{_TAG}merge"]
    if len(own) < len(node.value):
        # Merge keys (`<<`) give the values that they name. Explicit keys override merged ones.
        constructor.flatten_mapping(node)
        own_names = {str(key.value) for key, _ in own}
        merged = {str(key.value): (key, value) for key, value in node.value[: len(node.value) - len(own)]}
        node.value = [*(pair for name, pair in merged.items() if name not in own_names), *own]
    pairs = []
    for key, value in node.value:
        if isinstance(key, yaml.MappingNode | yaml.SequenceNode):
            raise ConversionError(f"line {line_of(key)}: a key is a list or an object. JSON requires a string")
        _scalar_text(key, constructor)
        # A key as it is written: 1 is "1" and a date its text, as keys of JSON are texts.
        pairs.append(f"{json.dumps(key.value)}: {_json_text(value, constructor)}")
    return f"{{{', '.join(pairs)}}}"


def _scalar_text(node: yaml.Node, constructor: yaml.constructor.SafeConstructor) -> str:
    kind = node.tag.removeprefix(_TAG)
    if kind in ("str", "timestamp", "value"):
        return json.dumps(node.value)
    if kind == "null":
        return "null"
    numbers = {
        "bool": constructor.construct_yaml_bool,
        "int": constructor.construct_yaml_int,
        "float": constructor.construct_yaml_float,
    }
    if kind not in numbers:
        _check_tag(node, "str")
    try:
        value = numbers[kind](node)
        if math.isfinite(value):
            return json.dumps(value)
    except (ValueError, OverflowError, LookupError):  # a tag such as !!int on another text, or thousands of digits
        pass
    text = printable(node.value[:40]) or "an empty text"
    json_kind = "boolean" if kind == "bool" else "number"
    raise ConversionError(f"line {line_of(node)}: {text} is not a JSON {json_kind}. Put it in quotes")


def _check_tag(node: yaml.Node, kind: str) -> None:
    if node.tag != f"{_TAG}{kind}":
        tag = printable(node.tag.replace(_TAG, "!!"))
        raise ConversionError(f"line {line_of(node)}: JSON has no equivalent of the tag {tag}. Delete the tag")


# --- written documents ----------------------------------------------------------------------------------------------


def json_text_of(value: Any) -> str:
    """A document as it is written: two blanks a level, letters of all alphabets as they are, a final newline.

    Raises `ConversionError` for a value that is too deep.
    """
    try:
        text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
        refuse_deep(text)  # JSON in a text may have become a value
    except RecursionError:
        raise ConversionError(_sentence_on_depth(value, MOST_LEVELS, TOO_DEEP)) from None
    # UTF-8 cannot hold halves of surrogate pairs, and other characters could control a terminal.
    return json_escaped(text) + "\n"


def yaml_text_of(value: Any) -> str:
    """Plain data as YAML: keys in their order, texts of several lines as blocks, letters of all alphabets as they are.

    Raises `ConversionError` for a value that is too deep.
    """
    import yaml  # noqa: PLC0415 - takes 15 ms, and few files are YAML

    class Dumper(yaml.SafeDumper):  # type: ignore[misc]  # pyyaml has no types
        """Writes every value in full, never as an alias of an equal value."""

        def ignore_aliases(self, data: Any) -> bool:
            return True

    def represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        # Line breaks of YAML 1.1 would be folded in any other style, and no other has escapes. A folded line may begin
        # with any word of the text, so also with one that a CI runner obeys.
        is_quoted = "::" in text or json_escaped(text) != text or _is_number_elsewhere(text)
        style = '"' if is_quoted else "|" if "\n" in text.rstrip("\n") else None
        return dumper.represent_scalar(f"{_TAG}str", text, style=style)

    Dumper.add_representer(str, represent_text)
    try:
        is_too_deep = is_deep(json.dumps(value), most=MOST_YAML_LEVELS)
    except RecursionError:
        is_too_deep = True
    if is_too_deep:
        raise ConversionError(_sentence_on_depth(value, MOST_YAML_LEVELS, YAML_TOO_DEEP))
    return json_escaped(yaml.dump(value, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=110))


def _is_number_elsewhere(text: str) -> bool:
    """Whether a YAML 1.2 parser reads a plain text as a number or truth value, though pyyaml (1.1) does not."""
    try:
        float(text)
    except ValueError:
        return text in ("y", "Y", "n", "N") or text.startswith(("0o", "0x"))
    return True


def _sentence_on_depth(value: Any, most: int, sentence: str) -> str:
    """The sentence about a written value with more than `most` levels: its place in the target, and what to do."""
    # A stack instead of calls: the value may be deeper than Python can call.
    pending: list[tuple[Any, tuple[str, ...]]] = [(value, ())]
    while pending:
        inner, path = pending.pop()
        if not isinstance(inner, dict | list):
            continue
        if len(path) >= most:
            place = one_line("".join(f"/{pointers.escape(token)}" for token in path), _LONGEST_PLACE)
            return f"{sentence}, in the written file at {place}; {DELETE_INNER} of the source"
        items = inner.items() if isinstance(inner, dict) else enumerate(inner)
        pending += [(item, (*path, str(key))) for key, item in items]
    return f"{sentence}; {DELETE_INNER}"

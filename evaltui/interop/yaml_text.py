"""YAML read as a JSON document, so that pointers and losses work on it, and data written as YAML.

Only values that JSON has are read. Dates stay texts; no tag creates a Python object.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from evaltui.document.node import Node, read_document
from evaltui.document.scanner import is_deep
from evaltui.document.yaml_root import MOST_YAML_LEVELS, TOO_DEEP, TooManyLevelsError, line_of, yaml_root
from evaltui.interop.deep_values import DELETE_INNER, deep_value
from evaltui.interop.format_type import ConversionError
from evaltui.printable import json_escaped, printable

if TYPE_CHECKING:  # most commands never see a line of YAML
    import yaml

_TAG: Final = "tag:yaml.org,2002:"


def read_yaml(body: bytes) -> Node:
    """YAML text as a JSON document, with duplicate keys kept. Raises `ConversionError`."""
    import yaml  # noqa: PLC0415 - takes 15 ms, and few files are YAML

    try:
        root = yaml_root(body.decode("utf-8-sig"))
        if root is None:
            raise ConversionError("the file has only comments" if body.strip() else "the file is empty")
        return read_document("".join(_JsonText().pieces(root)).encode("ascii"))
    except yaml.MarkedYAMLError as error:
        raise ConversionError(f"invalid YAML: {_sentence(error)}") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConversionError(f"invalid YAML: line {line}: 0x{error.object[error.start]:02X} is not UTF-8") from None
    except yaml.YAMLError as error:
        raise ConversionError(f"invalid YAML: {printable(str(error).splitlines()[0])}") from None
    except ValueError as error:
        raise ConversionError(str(error)) from None
    except RecursionError as error:
        said = str(error) if isinstance(error, TooManyLevelsError) else TOO_DEEP
        raise ConversionError(f"{said}; {DELETE_INNER}") from None


def _sentence(error: yaml.MarkedYAMLError) -> str:
    problem = printable(error.problem or error.context or "unknown syntax")
    return f"line {error.problem_mark.line + 1}: {problem}" if error.problem_mark is not None else problem


class _JsonText:
    """Writes nodes of YAML as JSON text."""

    def __init__(self) -> None:
        import yaml  # noqa: PLC0415

        self._constructor = yaml.constructor.SafeConstructor()
        self._mapping, self._sequence = yaml.MappingNode, yaml.SequenceNode

    def pieces(self, node: yaml.Node) -> Iterator[str]:
        """The JSON text of a node, in pieces."""
        if isinstance(node, self._mapping):
            yield from self._object(node)
        elif isinstance(node, self._sequence):
            yield from self._array(node)
        else:
            yield self._scalar(node)

    def _array(self, node: yaml.SequenceNode) -> Iterator[str]:
        _check_tag(node, "seq")
        mark = "["
        for item in node.value:
            yield mark
            yield from self.pieces(item)
            mark = ", "
        yield "]" if node.value else "[]"

    def _object(self, node: yaml.MappingNode) -> Iterator[str]:
        _check_tag(node, "map")
        if any(key.tag == f"{_TAG}merge" for key, _ in node.value):
            self._merge(node)
        mark = "{"
        for key, value in node.value:
            yield f"{mark}{self._key(key)}: "
            yield from self.pieces(value)
            mark = ", "
        yield "}" if node.value else "{}"

    def _merge(self, node: yaml.MappingNode) -> None:
        """Replace merge keys (`<<`) with the values that they name. Explicit keys override merged ones."""
        own = [pair for pair in node.value if pair[0].tag != f"{_TAG}merge"]
        self._constructor.flatten_mapping(node)
        taken = {str(key.value) for key, _ in own}
        merged = {str(key.value): (key, value) for key, value in node.value[: len(node.value) - len(own)]}
        node.value = [*(pair for name, pair in merged.items() if name not in taken), *own]

    def _key(self, node: yaml.Node) -> str:
        """A key as it is written: 1 is "1" and a date its text, as keys of JSON are texts."""
        if isinstance(node, self._mapping | self._sequence):
            raise ConversionError(f"line {line_of(node)}: a key is a list or an object. JSON requires a string")
        self._scalar(node)
        return json.dumps(node.value)

    def _scalar(self, node: yaml.Node) -> str:
        match node.tag.removeprefix(_TAG):
            case "str" | "timestamp" | "value":
                return json.dumps(node.value)
            case "null":
                return "null"
            case "bool":
                return self._json_of(node, self._constructor.construct_yaml_bool)
            case "int":
                return self._json_of(node, self._constructor.construct_yaml_int)
            case "float":
                return self._json_of(node, self._constructor.construct_yaml_float)
        _check_tag(node, "str")
        return ""

    def _json_of(self, node: yaml.Node, read: Callable[[yaml.Node], bool | int | float]) -> str:
        try:
            value = read(node)
            if math.isfinite(value):
                return json.dumps(value)
        except (ValueError, OverflowError, LookupError):  # a tag such as !!int on another text, or thousands of digits
            pass
        kind = "boolean" if node.tag == f"{_TAG}bool" else "number"
        shown = printable(node.value[:40]) or "an empty text"
        raise ConversionError(f"line {line_of(node)}: {shown} is not a JSON {kind}. Put it in quotes")


def _check_tag(node: yaml.Node, kind: str) -> None:
    if node.tag != f"{_TAG}{kind}":
        tag = printable(node.tag.replace(_TAG, "!!"))
        raise ConversionError(f"line {line_of(node)}: JSON has no equivalent of the tag {tag}. Delete the tag")


def yaml_text_of(value: Any) -> str:
    """Plain data as YAML: keys in their order, texts of several lines as blocks, letters of all alphabets as they are.

    Texts that YAML would read as a number, a date or a truth value are quoted. Raises `ConversionError` for a value
    that is too deep.
    """
    import yaml  # noqa: PLC0415

    class Dumper(yaml.SafeDumper):  # type: ignore[misc]  # pyyaml has no types
        """Writes every value in full, never as an alias of an equal value."""

        def ignore_aliases(self, data: Any) -> bool:
            return True

    def represented(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        return dumper.represent_scalar(f"{_TAG}str", text, style=_style(text))

    Dumper.add_representer(str, represented)
    try:
        is_too_deep = is_deep(json.dumps(value), most=MOST_YAML_LEVELS)
    except RecursionError:
        is_too_deep = True
    if is_too_deep:
        raise ConversionError(deep_value(value, MOST_YAML_LEVELS, TOO_DEEP))
    return json_escaped(yaml.dump(value, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=110))


def _style(text: str) -> str | None:
    """The quotes or the block that keeps a text as it is; None for those that pyyaml chooses."""
    # Line breaks of YAML 1.1 would be folded in any other style, and no other has escapes. A folded line may begin
    # with any word of the text, so also with one that a CI runner obeys.
    if "::" in text or json_escaped(text) != text or _is_number_elsewhere(text):
        return '"'
    return "|" if "\n" in text.rstrip("\n") else None


def _is_number_elsewhere(text: str) -> bool:
    """Whether a YAML 1.2 parser reads a plain text as a number or truth value, though pyyaml (1.1) does not."""
    try:
        float(text)
    except ValueError:
        return text in ("y", "Y", "n", "N") or text.startswith(("0o", "0x"))
    return True

"""Converted documents as text: JSON or YAML."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from evaltui.document import pointer as pointers
from evaltui.document.scanner import MOST_LEVELS, TOO_DEEP, is_deep, refuse_deep
from evaltui.document.yaml_root import MOST_YAML_LEVELS
from evaltui.document.yaml_root import TOO_DEEP as TOO_DEEP_FOR_YAML
from evaltui.interop.fields import ConversionError
from evaltui.printable import json_escaped, one_line

if TYPE_CHECKING:  # most commands never write a line of YAML
    import yaml

DELETE_INNER = "delete inner values"
_LONGEST_PLACE = 80
_TAG_OF_TEXTS = "tag:yaml.org,2002:str"


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
        return dumper.represent_scalar(_TAG_OF_TEXTS, text, style=style)

    Dumper.add_representer(str, represent_text)
    try:
        is_too_deep = is_deep(json.dumps(value), most=MOST_YAML_LEVELS)
    except RecursionError:
        is_too_deep = True
    if is_too_deep:
        raise ConversionError(_sentence_on_depth(value, MOST_YAML_LEVELS, TOO_DEEP_FOR_YAML))
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

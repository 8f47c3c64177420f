"""Whether a case or a set is plain: it fits the JSON Schema of eval sets, so google-adk surely reads it.

To load pydantic and to build the models takes 75 ms, a quarter of a short command. Nearly all sets are plain: each key
is known, each value has just the type of its field. The models judge only the others.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Any

from evaltui.document.scanner import is_deep, read_json
from evaltui.evalset.keys import camel
from evaltui.file_access import read_regular

_MOST_LEVELS = 150
"""Levels that pydantic's parser surely reads; its limit is about 200."""
_TYPES: dict[str, set[type]] = {
    "string": {str},
    "object": {dict},
    "array": {list},
    "boolean": {bool},
    "null": {NoneType},
    "integer": {int},
    "number": {int, float},
}
_NOTES = frozenset({"type", "title", "description", "default"})
_surrogate = re.compile(rb"\\u[dD][89a-fA-F]").search


@cache
def _definitions() -> dict[str, Any]:
    file = Path(__file__).with_name("evalset.schema.json")
    schema: dict[str, dict[str, Any]] = read_json(read_regular(file, 1 << 20))
    return schema["$defs"]


def is_plain(source: bytes, model: str) -> bool:
    """Whether google-adk surely reads a JSON text as this model. If not, only the model can tell."""
    # pydantic's parser refuses deep values and lone surrogates, which Python's reads.
    if is_deep(source, most=_MOST_LEVELS) or _surrogate(source):
        return False
    try:
        return _fits(read_json(source.decode()), _definitions()[model])
    except ValueError:
        return False


def _fits(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value fits a schema; False for keywords that evalset.schema.json has only at rare fields."""
    if "type" in schema and type(value) not in _TYPES[schema["type"]]:
        return False
    for keyword, rule in schema.items():
        if keyword == "anyOf":
            fits = any(_fits(value, option) for option in rule)
        elif keyword == "$ref":
            fits = _fits(value, _definitions()[rule.rpartition("/")[2]])
        elif keyword == "properties":
            # The model takes one spelling of a key that is there in both, and the other as an unknown key.
            has_spellings = len({*map(camel, value)}) < len(value)
            fits = not has_spellings and all(_fits(value[name], rule[name]) for name in value if name in rule)
        elif keyword == "additionalProperties":
            unlisted = [item for name, item in value.items() if name not in schema.get("properties", ())]
            fits = rule is True or not unlisted or (rule is not False and all(_fits(item, rule) for item in unlisted))
        elif keyword == "items":
            fits = all(_fits(item, rule) for item in value)
        elif keyword == "required":
            # The schema takes a case whose conversation and scenario are both null; the model rejects it.
            fits = all(value.get(name) is not None for name in rule)
        elif keyword == "allOf":
            fits = all(_fits(value, part) for part in rule)
        elif keyword == "not":
            fits = not _fits(value, rule)
        else:
            fits = keyword in _NOTES or (keyword == "enum" and value in rule)
        if not fits:
            return False
    return True

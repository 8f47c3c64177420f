"""Whether a case, a set or a dataset is plain, so that google-adk or agentplatform surely reads it.

To load pydantic and to build the models takes 75 to 100 ms, a quarter of a short command. Nearly all files are plain:
each key is known, and each value has just the type of its field. The models judge only the others.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Any

from evaltui.document.scanner import is_deep, read_json
from evaltui.evalset.keys import camel, snake
from evaltui.file_access import read_regular

_SCHEMA, _TABLE = "evalset.schema.json", "genai_models.json"
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
_SCALARS: dict[str, set[type]] = {"str": {str}, "Word": {str}, "bool": {bool}, "int": {int}, "float": {int, float}}
"""The scalar types in genai_models.json."""
_LARGE = 1_000_000
"""Characters of a dataset that the models check faster, although they must be loaded."""
_half = re.compile("[\ud800-\udfff]").search
_surrogate = re.compile(rb"\\u[dD][89a-fA-F]").search


@cache
def _stored(name: str) -> dict[str, Any]:
    """The JSON of a file beside this one: the schema of eval sets, or the table of genai's models."""
    stored: dict[str, Any] = read_json(read_regular(Path(__file__).with_name(name), 1 << 20))
    return stored


def is_plain(source: bytes, model: str) -> bool:
    """Whether google-adk surely reads a JSON text as this model. If not, only the model can tell."""
    # pydantic's parser refuses deep values and lone surrogates, which Python's reads.
    if is_deep(source, most=_MOST_LEVELS) or _surrogate(source):
        return False
    try:
        return _fits(read_json(source.decode()), _stored(_SCHEMA)["$defs"][model])
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
            fits = _fits(value, _stored(_SCHEMA)["$defs"][rule.rpartition("/")[2]])
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


# --- datasets: they fit the table of genai_models.json ----------------------------------------------------------------


def is_plain_dataset(value: Any) -> bool:
    """Whether agentplatform surely reads this value as a dataset. If not, only its models can tell."""
    text = json.dumps(value, ensure_ascii=False)
    # pydantic's parser refuses deep values and halves of surrogate pairs.
    if len(text) > _LARGE or _half(text) or is_deep(text, most=_MOST_LEVELS):
        return False
    return _fits_table(value, "EvaluationDataset")


def _fits_table(value: Any, kind: str) -> bool:
    """Whether a value surely has a type of the table."""
    if kind == "Any":
        return True
    if kind in _SCALARS:
        # Of an integer with thousands of digits, the models say whether they read it.
        return type(value) in _SCALARS[kind] and (isinstance(value, str) or abs(value) < 2**63)
    if kind.startswith("list["):
        return isinstance(value, list) and all(_fits_table(item, kind.removeprefix("list[")[:-1]) for item in value)
    if not isinstance(value, dict):
        return False
    if kind.startswith("dict["):
        return all(_fits_table(item, kind.removeprefix("dict[str, ")[:-1]) for item in value.values())
    fields = _stored(_TABLE).get(kind, {})
    # Only cases keep unknown keys. A key in camelCase would be read as the field of that name.
    unknown = value.keys() - fields.keys()
    if unknown and (kind != "DatasetCase" or not fields.keys().isdisjoint(map(snake, unknown))):
        return False
    # All fields may be null.
    fields_there = ((item, fields[name]) for name, item in value.items() if name in fields and item is not None)
    return all(_fits_table(item, field.partition(" = ")[0]) for item, field in fields_there)

"""Whether a dataset is plain: it fits the table of genai_models.json, so agentplatform surely reads it.

To load pydantic and to build the models takes 0.1 s, a third of a short conversion. Nearly all datasets are plain: each
key is known, and each value has just the type of its field. The models judge only the others.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from evaltui.document.scanner import is_deep, read_json
from evaltui.evalset.keys import snake
from evaltui.file_access import read_regular

_MOST_LEVELS = 150
"""Levels that pydantic's parser surely reads; its limit is about 200."""
_LARGE = 1_000_000
"""Characters of a dataset that the models check faster, although they must be loaded."""
_SCALARS: dict[str, set[type]] = {"str": {str}, "Word": {str}, "bool": {bool}, "int": {int}, "float": {int, float}}
_half = re.compile("[\ud800-\udfff]").search


@cache
def _table() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = read_json(read_regular(Path(__file__).with_name("genai_models.json"), 1 << 20))
    return table


def is_plain_dataset(value: Any) -> bool:
    """Whether agentplatform surely reads this value as a dataset. If not, only its models can tell."""
    text = json.dumps(value, ensure_ascii=False)
    # pydantic's parser refuses deep values and halves of surrogate pairs.
    if len(text) > _LARGE or _half(text) or is_deep(text, most=_MOST_LEVELS):
        return False
    return _fits(value, "EvaluationDataset")


def _fits(value: Any, kind: str) -> bool:
    """Whether a value surely has a type of the table."""
    if kind == "Any":
        return True
    if kind in _SCALARS:
        # Of an integer with thousands of digits, the models say whether they read it.
        return type(value) in _SCALARS[kind] and (isinstance(value, str) or abs(value) < 2**63)
    if kind.startswith("list["):
        return isinstance(value, list) and all(_fits(item, kind.removeprefix("list[")[:-1]) for item in value)
    if not isinstance(value, dict):
        return False
    if kind.startswith("dict["):
        return all(_fits(item, kind.removeprefix("dict[str, ")[:-1]) for item in value.values())
    fields = _table().get(kind, {})
    # Only cases keep unknown keys. A key in camelCase would be read as the field of that name.
    unknown = value.keys() - fields.keys()
    if unknown and (kind != "DatasetCase" or not fields.keys().isdisjoint(map(snake, unknown))):
        return False
    # All fields may be null.
    fields_there = ((item, fields[name]) for name, item in value.items() if name in fields and item is not None)
    return all(_fits(item, field.partition(" = ")[0]) for item, field in fields_there)

"""The models of google-genai, and of datasets of agentplatform, which eval sets, configs and datasets contain.

`genai_models.json` has the type of each field; `tests/agreement/genai_table.py` makes it from the packages themselves.
A name imported from this module, such as `Content`, is built from the table together with the models of its fields.
All fields may be absent or null. `google.genai.types` and, for datasets, `agentplatform.types` of
google-cloud-aiplatform 2.7.0.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ForwardRef, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    ValidationError,
    WrapValidator,
    create_model,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import InitErrorDetails

from evaltui.file_access import read_regular

TABLE_FILE = Path(__file__).with_suffix(".json")
_TABLE: dict[str, dict[str, str]] = json.loads(read_regular(TABLE_FILE, 1 << 20))
_NULLABLE = frozenset(
    [
        *("video_metadata", "thought", "inline_data", "file_data", "thought_signature", "function_call"),
        *("code_execution_result", "executable_code", "function_response", "text"),
    ]
)


class GenaiModel(BaseModel):
    """Reads camelCase and snake_case, bytes as base64, rejects unknown keys (`google.genai._common.BaseModel`)."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        defer_build=True,
        from_attributes=True,
        val_json_bytes="base64",
        ser_json_bytes="base64",
        protected_namespaces=(),
    )

    @model_validator(mode="before")
    @classmethod
    def _as_python(cls, data: Any) -> Any:
        """Like genai's own validator, which only warns: after it, pydantic reads Python values instead of JSON."""
        return data


class _PartModel(GenaiModel):
    def __init__(self, /, **data: Any) -> None:
        """Like genai's own: for ten fields null means absent, even if the camelCase key is present, too."""
        super().__init__(**{name: value for name, value in data.items() if value is not None or name not in _NULLABLE})


class _OpenCase(GenaiModel):
    # agentplatform keeps unknown keys of a case for the prompts of custom metrics.
    model_config = ConfigDict(extra="allow")


_BASES: dict[str, type[GenaiModel]] = {"Part": _PartModel, "DatasetCase": _OpenCase}


def __getattr__(name: str) -> Any:
    if name not in _TABLE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _model(name)


@cache
def _model(name: str) -> type[GenaiModel]:
    fields: dict[str, Any] = {}
    for field, text in _TABLE[name].items():
        annotation, _, default = text.partition(" = ")
        fields[field] = (_type(annotation, name) | None, json.loads(default) if default else None)
    return create_model(name, __base__=_BASES.get(name, GenaiModel), __module__=__name__, **fields)


def _type(text: str, owner: str) -> Any:
    """The type that the table spells `text`, in a field of the model `owner`, which may contain itself."""
    if text.startswith("list["):
        return list[_type(text[len("list[") : -1], owner)]  # type: ignore[misc]  # known when it runs
    if text.startswith("dict["):
        return dict[str, _type(text[len("dict[str, ") : -1], owner)]  # type: ignore[misc]  # as above
    if text in _SCALARS:
        return _SCALARS[text]
    if text in _SPECIAL:
        return _SPECIAL[text]()
    return ForwardRef(owner) if text == owner else _model(text)


_SCALARS: dict[str, Any] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "bytes": bytes,
    "datetime": datetime,
    "Any": Any,
    "None": type(None),
    # A value of one of genai's enums; any text is accepted (`CaseInSensitiveEnum` adds unknown ones).
    "Word": str,
    "NullValue": Literal["NULL_VALUE"],
    "RoutingPreference": Literal["UNKNOWN", "PRIORITIZE_QUALITY", "BALANCED", "PRIORITIZE_COST"],
}


def _with_types(value: dict[Any, Any]) -> dict[Any, Any]:
    """Any object is a schema, but genai also tries `Schema`, whose `Type` raises for a value that is not text."""
    try:
        _model("Schema").model_validate(value)
    except ValidationError as error:
        wrong_types = [
            InitErrorDetails(type=detail["type"], loc=detail["loc"], input=detail["input"])
            for detail in error.errors()
            if detail["type"] == "string_type" and detail["loc"][-1] == "type"
        ]
        if wrong_types:
            raise ValidationError.from_exception_data("Schema", wrong_types) from None
    return value


def _instruction() -> Any:
    part, file = _model("Part"), _model("File")
    return _model("Content") | str | file | part | list[str | file | part]  # type: ignore[valid-type]


_SPECIAL: dict[str, Callable[[], Any]] = {
    "Instruction": _instruction,
    "Speech": lambda: str | _model("SpeechConfig"),
    "ResponseSchema": lambda: Annotated[dict[Any, Any], AfterValidator(_with_types)],
    # A tool that is not an object stays as it is (`_validate_tool_list`), because it may be a function.
    "ToolOrFunction": lambda: Annotated[
        _model("Tool"), WrapValidator(lambda value, read: read(value) if isinstance(value, dict) else value)
    ],
}
"""Types of options of a model call that are read in a way of their own."""

"""Base classes of the models of google-adk and of google-genai."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic.alias_generators import to_camel

Word = str
"""A value of one of genai's enums; any text is accepted (`CaseInSensitiveEnum` adds unknown ones)."""


class AdkModel(BaseModel):
    """Reads camelCase and snake_case, rejects unknown keys (`google.adk.evaluation.common.EvalBaseModel`)."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid", defer_build=True)


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

"""Invocations as google-adk writes them: checked by its model, in snake_case, without what is null."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def as_google_adk_writes(invocation: Mapping[str, Any]) -> dict[str, Any]:
    """The invocation, its names in either spelling, as `Invocation.model_dump(mode="json", exclude_none=True)` has it.

    Raises pydantic's `ValidationError`, a `ValueError`, for one that google-adk rejects.
    """
    from evaltui.evalset.schema.eval_case import Invocation  # noqa: PLC0415 - pydantic, which few commands need

    return Invocation.model_validate(invocation).model_dump(mode="json", exclude_none=True)

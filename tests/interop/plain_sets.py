"""Eval sets as google-adk's model sees them, for comparisons."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from evaltui.evalset.schema.eval_case import EvalSet

_EMPTY: tuple[Any, ...] = (None, [], {}, "")


def seen_cases(document: Any) -> list[Any]:
    """The cases of an eval set that google-adk accepts, without roles, empty values and default times."""
    cases = EvalSet.model_validate(document).model_dump(mode="json")["eval_cases"]
    return [_without_empty(case) for case in cases]


def accepted_set(document: Any) -> Any:
    """An eval set with google-adk's defaults, in snake_case; None for one that it rejects."""
    try:
        return EvalSet.model_validate(document).model_dump(mode="json")
    except ValidationError:
        return None


def _without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        found = {name: _without_empty(each) for name, each in value.items() if name != "role"}
        return {name: each for name, each in found.items() if each not in _EMPTY and (name, each) != _NO_TIME}
    return [_without_empty(each) for each in value] if isinstance(value, list) else value


_NO_TIME = ("creation_timestamp", 0.0)

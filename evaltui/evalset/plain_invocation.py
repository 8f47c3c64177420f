"""Invocations as google-adk writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from evaltui.evalset.case_data import get

_SHAPES = ("IntermediateData", "InvocationEvents")
"""The names of both models of intermediate data in error places of pydantic."""
_AROUND = 9
"""Levels around an invocation in a set (4), plus the extra depth of calls in events compared with lists."""
_FEW_VALUES = 100
"""An invocation with fewer objects and lists cannot be too deep."""
_TOO_DEEP = "too deeply nested for google-adk (about 200 levels)"


class InvocationError(ValueError):
    """An invocation that google-adk rejects; the message says what is wrong and where."""


def as_google_adk_writes(invocation: Mapping[str, Any]) -> dict[str, Any]:
    """An invocation as google-adk's `Invocation.model_dump(mode="json", exclude_none=True)` gives it.

    Keys are in snake_case and in the order of google-adk's models. Values are as pydantic reads them ("1" for a
    number is 1), bytes are base64, and nulls are left out. Free values (`args`, `response`) keep their keys and
    nulls. The shape of `intermediate_data` does not change. Defaults are written: `invocation_id` "" and
    `creation_timestamp` 0.0.
    Raises `InvocationError` if google-adk rejects it. Imports pydantic.
    """
    from pydantic import ValidationError  # noqa: PLC0415 - 60 ms, which reading recordings does not need
    from pydantic_core import from_json  # noqa: PLC0415 - as above

    from evaltui.evalset.schema.eval_case import Invocation  # noqa: PLC0415

    try:
        text = json.dumps(invocation)
        model = Invocation.model_validate_json(text)
        if text.count("{") + text.count("[") > _FEW_VALUES:
            from_json(_AROUND * "[" + text + _AROUND * "]")
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False, include_input=False)
        raise InvocationError(f"google-adk rejects it: {_reason(details, invocation)}") from None
    except RecursionError:
        raise InvocationError(f"google-adk rejects it: {_TOO_DEEP}") from None
    except ValueError as error:
        raise InvocationError(f"google-adk rejects it: {_reason_of_text(str(error))}") from None
    return model.model_dump(mode="json", exclude_none=True)


def _reason(details: Sequence[Any], invocation: Mapping[str, Any]) -> str:
    """The first error with its place. In intermediate data, only errors of the intended shape count."""
    has_events = get(get(invocation, "intermediate_data"), "invocation_events") is not None
    not_meant = _SHAPES[0] if has_events else _SHAPES[1]
    first = next((each for each in details if each["loc"][1:2] != (not_meant,)), details[0])
    if first["type"] == "json_invalid":
        return _reason_of_text(str(first["msg"]))
    place = "".join(f"/{each}" for index, each in enumerate(first["loc"]) if index != 1 or each not in _SHAPES)
    return f"{place or '/'}: {first['msg']}"


def _reason_of_text(said: str) -> str:
    """The parser's message about a text, without line and column, which belong to no file."""
    if "recursion" in said:
        return _TOO_DEEP
    if "surrogate" in said or "hex escape" in said or "code point" in said:
        return "a text contains an incomplete character (lone surrogate)"
    return f"it cannot be written as JSON: {said}"

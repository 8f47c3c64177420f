"""Invocations as google-adk writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


class InvocationError(ValueError):
    """An invocation that google-adk refuses; the message says what and where."""


def as_google_adk_writes(invocation: Mapping[str, Any]) -> dict[str, Any]:
    """An invocation as google-adk's `Invocation.model_dump(mode="json", exclude_none=True)` gives it.

    Its names are in snake_case and in the order of google-adk's models, values are as pydantic reads them ("1" for a
    number is 1), bytes are base64, and what is null is left out. Free-form values (`args`, `response`) keep their
    keys; nulls in them stay, as with google-adk. The shape of `intermediate_data` stays as it is. Defaults are
    written as google-adk has them: `invocation_id` "" and `creation_timestamp` 0.0.

    Raises `InvocationError` for what google-adk refuses. Loads pydantic.
    """
    from pydantic import ValidationError  # noqa: PLC0415 - 60 ms, which reading recordings does not need

    from evaltui.evalset.schema.eval_case import Invocation  # noqa: PLC0415

    try:
        model = Invocation.model_validate_json(json.dumps(invocation))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = "".join(f"/{each}" for each in first["loc"])
        raise InvocationError(f"google-adk refuses it: {place or '/'}: {first['msg']}") from None
    except (RecursionError, ValueError) as error:
        raise InvocationError(f"google-adk refuses it: it cannot be written as JSON: {error}") from None
    return model.model_dump(mode="json", exclude_none=True)

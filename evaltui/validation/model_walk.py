"""Which model a place of a file is read by: the steps of a pydantic error followed through annotations."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

Steps = Sequence[str | int]


def model_at(model: type[BaseModel], steps: Steps) -> type[BaseModel] | None:
    """The model of the object that `steps` lead to, keys in either spelling and names of union members among them."""
    at: Any = model
    for step in steps:
        at = _below(at, step)
    found = next((option for option in _options(at) if option is not type(None)), None)
    return found if isinstance(found, type) and issubclass(found, BaseModel) else None


def field_named(model: type[BaseModel], key: str) -> str | None:
    """The name of the field that a key is read as; None for a key that the model does not know."""
    for name, field in model.model_fields.items():
        if key == field.alias or (key == name and (field.alias is None or model.model_config.get("populate_by_name"))):
            return name
    return None


def known_keys(model: type[BaseModel]) -> list[str]:
    """The names of the fields of a model, in snake_case."""
    return list(model.model_fields)


def _below(at: Any, step: str | int) -> Any:
    options = [option for option in _options(at) if option is not type(None)]
    named = [option for option in options if getattr(option, "__name__", "") == step]
    if named and len(options) > 1:  # the error says which member of a union it is about
        return named[0]
    found = options[0] if options else None
    origin, arguments = get_origin(found), get_args(found)
    if isinstance(found, type) and issubclass(found, BaseModel):
        name = field_named(found, str(step)) or str(step)
        return found.model_fields[name].annotation if name in found.model_fields else None
    if origin is dict:
        return arguments[1]
    if origin is tuple:
        return arguments[int(step)] if int(step) < len(arguments) else None
    return arguments[0] if arguments else None


def _options(at: Any) -> list[Any]:
    if get_origin(at) is Annotated:
        return _options(get_args(at)[0])
    return list(get_args(at)) if get_origin(at) in (Union, types.UnionType) else [at]


def models_in(model: type[BaseModel]) -> list[type[BaseModel]]:
    """A model and all those that its fields are made of."""
    found: dict[type[BaseModel], None] = {}
    pending: list[Any] = [model]
    while pending:
        at = pending.pop()
        if isinstance(at, type) and issubclass(at, BaseModel):
            if at not in found:
                found[at] = None
                pending += [field.annotation for field in at.model_fields.values()]
        else:
            pending += get_args(at)
    return list(found)

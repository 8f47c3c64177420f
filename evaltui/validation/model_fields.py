"""The model that reads a place of a file: the steps of a pydantic error followed through annotations."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

Steps = Sequence[str | int]


def model_at(model: type[BaseModel], steps: Steps) -> type[BaseModel] | None:
    """The model of the object that `steps` lead to, keys in either spelling and names of union members among them."""
    at: Any = model
    for step in steps:
        at = _below(at, step)
    found = next((option for option in _options(at) if option is not type(None)), None)
    return found if isinstance(found, type) and issubclass(found, BaseModel) else None


def choices_at(model: type[BaseModel], steps: Steps) -> list[Any]:
    """The members of the union that `steps` lead to, of which pydantic's next step names one; none for no union."""
    at: Any = model
    for step in steps:
        at = _below(at, step)
    options = [option for option in _options(at) if option is not type(None)]
    return options if len(options) > 1 else []


def named(options: Sequence[Any], step: str | int) -> Any:
    """The one of several types that a step of an error names: by its name, or by the tag that it is told by."""
    for option in options:
        name = getattr(get_origin(option) or option, "__name__", "")
        if name == step or (get_origin(option) is not None and str(step).startswith(f"{name}[")):
            return option
    return next((option for option in options if _has_tag(option, step)), None)


def field_named(model: type[BaseModel], key: str) -> str | None:
    """The name of the field that a key is read as; None for a key that the model does not know."""
    for name, field in model.model_fields.items():
        if key == field.alias or (key == name and (field.alias is None or model.model_config.get("populate_by_name"))):
            return name
    return None


def _below(at: Any, step: str | int) -> Any:
    options = [option for option in _options(at) if option is not type(None)]
    if len(options) > 1 and (chosen := named(options, step)) is not None:
        return chosen
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


def _has_tag(option: Any, step: str | int) -> bool:
    if not (isinstance(option, type) and issubclass(option, BaseModel)):
        return False
    annotations = [field.annotation for field in option.model_fields.values()]
    return any(get_origin(each) is Literal and step in get_args(each) for each in annotations)


def _options(at: Any) -> list[Any]:
    if get_origin(at) is Annotated:
        return _options(get_args(at)[0])
    if get_origin(at) in (Union, types.UnionType):
        return [option for each in get_args(at) for option in _options(each)]
    return [at]


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

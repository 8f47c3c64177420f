"""Finds the model for a place in a file: follows the steps of a pydantic error through type annotations."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeGuard, Union, get_args, get_origin

from pydantic import BaseModel

from evaltui.document.node import Node
from evaltui.evalset.keys import camel, key_for

Steps = Sequence[str | int]
_ITEMS = 20
"""More items than any tuple of a model has."""


Branch = tuple[Node, "str | int", Sequence[Any]]
"""A union member that pydantic tried: the value, pydantic's name for the member, and the types of the union."""


@dataclass(frozen=True, slots=True)
class ModelError:
    """An error of pydantic, with its place."""

    kind: str
    """pydantic's error type, or `two_shapes`."""
    node: Node
    """The wrong value; for a missing key, the object without it."""
    model: type[BaseModel] | None
    """The model of the object around the node, or of the object without the key."""
    missing: str = ""
    context: Mapping[str, Any] = field(default_factory=dict)
    branches: Sequence[Branch] = ()
    """The unions on the way to the node, outermost first."""
    reader: str = "google-adk"
    """The program that has the model."""

    @property
    def field_name(self) -> str:
        """The missing field, in snake_case."""
        return next((name for name in self.known if self.missing in (name, camel(name))), self.missing)

    @property
    def known(self) -> list[str]:
        """The fields of the model, in snake_case."""
        return list(self.model.model_fields) if self.model is not None else []

    @property
    def is_spelt_twice(self) -> bool:
        """Whether a key is rejected only because the object also has it in the other spelling, which wins."""
        return self.model is not None and field_named(self.model, self.node.name) is not None

    @property
    def may_be_object(self) -> bool:
        """Whether the value belongs to a union that also has a model."""
        if not self.branches:
            return False
        node, _, options = self.branches[-1]
        return node is self.node and 0 < len(models_of(options)) < len(options)

    def spelt(self, name: str, parent: Node | None = None) -> str:
        """A key for the object, in the spelling of the keys around it if the model reads both spellings."""
        reads_both = self.model is not None and self.model.model_config.get("alias_generator")
        return key_for(parent if parent is not None else self.node, name) if reads_both else name


def models_of(options: Sequence[Any]) -> list[type[BaseModel]]:
    """The models among the types of a union."""
    return [option for option in options if _is_model(option)]


def _is_model(option: Any) -> TypeGuard[type[BaseModel]]:
    return isinstance(option, type) and issubclass(option, BaseModel)


def options_at(model: type[BaseModel], steps: Steps) -> list[Any]:
    """The type at the end of `steps`, or the types of a union, of which pydantic's next step names one.

    Steps are keys in either spelling and names of union members.
    """
    # The items of a list have one type, so thousands of errors in a list share a few answers.
    return _options_below(model, tuple(min(step, _ITEMS) if isinstance(step, int) else step for step in steps))


@lru_cache(maxsize=1_000)
def _options_below(model: type[BaseModel], steps: tuple[str | int, ...]) -> list[Any]:
    annotation: Any = model
    for step in steps:
        annotation = _below(annotation, step)
    return _options(annotation)


def named(options: Sequence[Any], step: str | int) -> Any:
    """The type that a step of an error names, by the name of the type or by the tag of the union."""
    for option in options:
        name = getattr(get_origin(option) or option, "__name__", "")
        if name == step or (get_origin(option) is not None and str(step).startswith(f"{name}[")):
            return option
    for option in filter(_is_model, options):
        annotations = [field.annotation for field in option.model_fields.values()]
        if any(get_origin(annotation) is Literal and step in get_args(annotation) for annotation in annotations):
            return option
    return None


def field_named(model: type[BaseModel], key: str) -> str | None:
    """The field that reads a key; None for a key that the model does not know."""
    for name, info in model.model_fields.items():
        if key == info.alias or (key == name and (info.alias is None or model.model_config.get("populate_by_name"))):
            return name
    return None


def _below(annotation: Any, step: str | int) -> Any:
    options = _options(annotation)
    # In a union, pydantic's location has an extra step: the name of the member that it tried.
    if len(options) > 1 and (chosen := named(options, step)) is not None:
        return chosen
    option = options[0] if options else None
    origin, arguments = get_origin(option), get_args(option)
    if _is_model(option):
        name = field_named(option, str(step)) or str(step)
        return option.model_fields[name].annotation if name in option.model_fields else None
    if origin is dict:
        return arguments[1]
    if origin is tuple:
        return arguments[int(step)] if int(step) < len(arguments) else None
    return arguments[0] if arguments else None


def _options(annotation: Any) -> list[Any]:
    """The types that an annotation allows, without None."""
    if get_origin(annotation) is Annotated:
        return _options(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        return [option for argument in get_args(annotation) for option in _options(argument)]
    return [] if annotation is type(None) else [annotation]

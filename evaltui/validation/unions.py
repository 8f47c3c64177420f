"""Which member of a union a value was meant for; the others' objections are noise."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_origin

from pydantic import BaseModel

from evaltui.document import Node
from evaltui.evalset.keys import member
from evaltui.validation.misspellings import meant
from evaltui.validation.model_fields import field_named, known_keys, named
from evaltui.validation.wording import Branch, Fault

_SHAPES = ("tool_uses", "invocation_events")
"""A key of each of the two models that intermediate data is read by."""


def of_meant_shape(faults: Iterable[Fault]) -> list[Fault]:
    """Of what the members of a union object to, only that of the one which the author evidently meant."""
    every = [*faults]
    told = _steps_told(every)
    kept: list[Fault] = []
    mixed: set[Node] = set()
    for fault in every:
        data = next((branch.node for branch in fault.branches if _is_mixed(branch.node)), None)
        if data is None:
            if all(branch.step == told[branch.node] for branch in fault.branches):
                kept.append(fault)
        elif data not in mixed:
            mixed.add(data)
            kept.append(Fault("two_shapes", data, None, steps=fault.steps))
    return kept or every[:1]


def _steps_told(faults: list[Fault]) -> dict[Node, str | int]:
    """For each union the member whose objections count: the one meant, unless it has none (a tag says which it is)."""
    told: dict[Node, str | int] = {}
    for fault in faults:
        for branch in fault.branches:
            if branch.node not in told or named(branch.options, branch.step) is _meant(branch):
                told[branch.node] = branch.step
    return told


def _is_mixed(node: Node) -> bool:
    """Whether this is intermediate data of both shapes."""
    return all(member(node, key) is not None for key in _SHAPES) if node.kind == "object" else False


def _meant(branch: Branch) -> Any:
    """The type in a union by which a value was to be read: as its kind has it, and its keys."""
    models = [option for option in branch.options if isinstance(option, type) and issubclass(option, BaseModel)]
    lists = [option for option in branch.options if get_origin(option) is list]
    if branch.node.kind == "object" and models:
        return max(models, key=lambda model: _likeness(branch.node, model))
    if branch.node.kind == "array" and lists:
        return lists[0]
    plain = [option for option in branch.options if option not in models and option not in lists]
    return [*plain, *branch.options][0]


def _likeness(node: Node, model: type[BaseModel]) -> int:
    """How many keys a model knows, and half as much for those that it nearly knows."""
    names = known_keys(model)
    return sum(2 if field_named(model, item.name) else bool(meant(item.name, names)) for item in node.items)

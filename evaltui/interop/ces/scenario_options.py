"""Fields of scenarios that only CX Agent Studio has; sources are its own evaluations or cxas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from evaltui.document.node import Node
from evaltui.evalset.keys import camel, snake, text_of
from evaltui.interop.portable_set import PortableScenario

_ENUMS: Final = {
    "task_completion_behavior": ("TASK_SATISFIED", "TASK_REJECTED"),
    "user_goal_behavior": ("USER_GOAL_SATISFIED", "USER_GOAL_REJECTED", "USER_GOAL_IGNORED"),
    "scenario_execution_mode": ("QUALITY_OPTIMIZED", "SPEED_OPTIMIZED"),
}


def own_options(scenario: PortableScenario) -> dict[str, Node]:
    """The fields of a scenario that match a CX Agent Studio field in name and type, in camelCase."""
    found = {}
    for name, node in scenario.others.items():
        known = snake(name)
        fits = _FITS.get(known)
        if (fits is not None and fits(node)) or node.text() in _ENUMS.get(known, ()):
            found[camel(known)] = node
    return found


def _is_number_of_turns(node: Node) -> bool:
    digits = node.source()
    return node.kind == "number" and digits.isdigit() and 1 <= int(digits[:4]) <= 100


def _are_facts(node: Node) -> bool:
    return _are_objects(node) and all(
        len(each.items) == 2 and text_of(each, "name") and text_of(each, "value") for each in node.items
    )


def _are_objects(node: Node) -> bool:
    return node.kind == "array" and all(each.kind == "object" for each in node.items)


def _are_expectations(node: Node) -> bool:
    """Whether a list has expectations of tools or responses. CX Agent Studio itself checks their content."""
    names = ("tool_expectation", "agent_response")
    return _are_objects(node) and all(
        len(each.items) == 1 and snake(item.name) in names and item.kind == "object"
        for each in node.items
        for item in each.items
    )


_FITS: Final[Mapping[str, Callable[[Node], bool]]] = {
    "max_turns": _is_number_of_turns,
    "user_facts": _are_facts,
    "scenario_expectations": _are_expectations,
}

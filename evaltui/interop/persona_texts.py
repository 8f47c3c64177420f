"""Texts of a persona of google-adk, for formats that describe their simulated users in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def persona_texts(persona: Any) -> list[tuple[str, str]]:
    """Names and texts: the id, the description, and each behavior with its instructions.

    `persona` is the id of a registered persona or an object (`google.adk.evaluation.simulation`), in either key case.
    Violation rubrics are not included: they judge the simulation.
    """
    if isinstance(persona, str):
        return [("persona", persona)] if persona else []
    if not isinstance(persona, dict):
        return []
    found = [("persona", persona.get("id")), ("persona description", persona.get("description"))]
    behaviors = persona.get("behaviors")
    for behavior in behaviors if isinstance(behaviors, list) else []:
        if isinstance(behavior, dict):
            found.append((str(behavior.get("name") or "behavior"), "\n".join(_behavior(behavior))))
    return [(name, text) for name, text in found if isinstance(text, str) and text]


def _behavior(behavior: dict[str, Any]) -> Iterator[str]:
    instructions = behavior.get("behavior_instructions", behavior.get("behaviorInstructions"))
    for text in (behavior.get("description"), *(instructions if isinstance(instructions, list) else ())):
        if isinstance(text, str) and text:
            yield text

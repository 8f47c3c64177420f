"""An eval case as it is scored: what it expects of each turn."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from evaltui.evalset.turn import Turn, get, turn_of


@dataclass(frozen=True, slots=True)
class ExpectedCase:
    """What one case expects."""

    eval_id: str
    number: int
    """Which case of the set it is, from 0."""
    turns: tuple[Turn, ...]
    source: bytes
    """Its JSON text."""
    is_scenario: bool = False
    """Whether its conversation is made by a simulated user."""
    fault: str | None = None
    """Why google-adk rejects it, a sentence; None where it does not."""

    @property
    def first_user_text(self) -> str:
        """What the user begins with; "" where there are no turns."""
        return self.turns[0].user_text if self.turns else ""

    def data(self) -> dict[str, Any]:
        """The case as plain data; nothing where it cannot be read."""
        return _data_of(self.source)


def read_case(source: bytes, number: int, fault: str | None = None) -> ExpectedCase:
    """The case that a JSON text is; where it cannot be read, or has a `fault`, as far as that goes."""
    data = _data_of(source)
    identifier = get(data, "eval_id")
    conversation = get(data, "conversation")
    turns = conversation if isinstance(conversation, list) else []
    return ExpectedCase(
        identifier if isinstance(identifier, str) else "",
        number,
        tuple(turn_of(turn) for turn in turns if isinstance(turn, dict)),
        source,
        conversation is None and get(data, "conversation_scenario") is not None,
        fault,
    )


def _data_of(source: bytes) -> dict[str, Any]:
    try:
        data = json.loads(source.decode())
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}

"""An eval set as it is scored: what its cases expect of each turn."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaltui.evalset.case_data import CaseData
from evaltui.evalset.turn import Turn, turn_in


@dataclass(frozen=True, slots=True)
class ExpectedCase:
    """The expectations of one case."""

    eval_id: str
    number: int
    """Its place in the set, from 0."""
    turns: tuple[Turn, ...]
    source: bytes
    """Its JSON text."""
    is_scenario: bool = False
    """Whether its conversation is made by a simulated user."""
    fault: str | None = None
    """Why google-adk rejects it, a sentence; None where it does not."""

    @property
    def first_user_text(self) -> str:
        """The user's first words; "" where there are no turns."""
        return self.turns[0].user_text if self.turns else ""

    def data(self) -> dict[str, Any]:
        """The case as plain data; nothing where it cannot be read."""
        return _data_of(self.source)


@dataclass(frozen=True, slots=True)
class ExpectedSet:
    """The cases of a set, and what is known of it."""

    name: str
    """The file as it was given on the command line."""
    path: Path | None
    """None for standard input."""
    eval_set_id: str | None
    cases: tuple[ExpectedCase, ...]
    fault: str | None = None
    """Why google-adk rejects the set apart from its cases, a sentence; None where it does not."""

    @property
    def is_multi_turn(self) -> bool:
        """Whether any case has several turns."""
        return any(len(case.turns) > 1 for case in self.cases)


def read_case(source: bytes, number: int, fault: str | None = None) -> ExpectedCase:
    """The case that a JSON text is; where it cannot be read, or has a `fault`, as far as that goes."""
    case = CaseData(_data_of(source))
    turns = tuple(turn_in(turn) for turn in case.turns if isinstance(turn.data, dict))
    return ExpectedCase(case.eval_id or "", number, turns, source, case.is_scenario, fault)


def _data_of(source: bytes) -> dict[str, Any]:
    try:
        data = json.loads(source.decode())
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}

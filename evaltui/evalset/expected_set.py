"""An eval set or dataset as it is scored: what its cases expect of each turn."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaltui.evalset.case_data import CaseData, get
from evaltui.evalset.datasets.dataset_expectations import (
    DatasetExpectations,
    expectations_of,
    is_dataset_case,
)
from evaltui.evalset.turn import Turn, turn_in


@dataclass(frozen=True, slots=True)
class ExpectedCase:
    """The expectations of one case."""

    eval_id: str
    """The id of the case; in a dataset its `eval_case_id`."""
    number: int
    """Its place in the set, from 0."""
    turns: tuple[Turn, ...]
    """The turns that are expected; of a dataset the one that the last message of the user begins."""
    source: bytes
    """Its JSON text."""
    is_scenario: bool = False
    """Whether its conversation is made by a simulated user."""
    fault: str | None = None
    """Why google-adk rejects it, or why a case of a dataset cannot be read, a sentence; None where all is well."""
    dataset: DatasetExpectations | None = None
    """More about a case of an EvaluationDataset; None for one of an eval set."""

    @property
    def first_user_text(self) -> str:
        """The user's first words; "" where there are no turns."""
        return next((turn.user_text for turn in (*self.given, *self.turns)), "")

    @property
    def given(self) -> tuple[Turn, ...]:
        """The turns before those that are expected; only cases of datasets have any."""
        return self.dataset.given if self.dataset is not None else ()

    @property
    def refusal(self) -> str | None:
        """Why it cannot be scored, a sentence that says who rejects it; None where it can."""
        if self.fault is None:
            return None
        said = "this case cannot be read" if self.dataset is not None else "google-adk rejects this case"
        return f"{said}: {self.fault}"

    def tells_calls(self) -> tuple[bool, ...]:
        """Whether the file says which calls each turn expects, be it none."""
        data = self.data()
        if self.dataset is not None:
            return (get(data, "intermediate_events") is not None,) * len(self.turns)
        turns = (turn.data for turn in CaseData(data).turns if isinstance(turn.data, dict))
        return tuple(get(turn, "intermediate_data") is not None for turn in turns)

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
    is_dataset: bool = False
    """Whether the file is an EvaluationDataset."""

    @property
    def is_multi_turn(self) -> bool:
        """Whether any case has several turns, those included that are given."""
        return any(len(case.turns) + len(case.given) > 1 for case in self.cases)

    @property
    def is_own_recording(self) -> bool:
        """Whether the file is a dataset that tells itself what an agent answered."""
        return self.is_dataset and any(case.dataset is not None and case.dataset.is_answered for case in self.cases)


def read_case(source: bytes, number: int, fault: str | None = None) -> ExpectedCase:
    """The case that a JSON text is; where it cannot be read, or has a `fault`, as far as that goes."""
    data = _data_of(source)
    if is_dataset_case(data):
        found = expectations_of(data)
        return ExpectedCase(found.case_id, number, found.turns, source, found.is_scenario, fault, found)
    case = CaseData(data)
    turns = tuple(turn_in(turn) for turn in case.turns if isinstance(turn.data, dict))
    return ExpectedCase(case.eval_id or "", number, turns, source, case.is_scenario, fault)


def _data_of(source: bytes) -> dict[str, Any]:
    try:
        data = json.loads(source.decode())
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}

"""An eval set as it is scored."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evaltui.evalset.expected_case import ExpectedCase


@dataclass(frozen=True, slots=True)
class ExpectedSet:
    """The cases of a set, and what is known of it."""

    name: str
    """As it was given on the command line."""
    path: Path | None
    """None for standard input."""
    eval_set_id: str | None
    cases: tuple[ExpectedCase, ...]
    fault: str | None = None
    """Why google-adk rejects the set apart from its cases, a sentence; None where it does not."""

    @property
    def folder(self) -> Path:
        """Where it is."""
        return self.path.parent if self.path is not None else Path()

    @property
    def is_multi_turn(self) -> bool:
        """Whether any case has several turns."""
        return any(len(case.turns) > 1 for case in self.cases)

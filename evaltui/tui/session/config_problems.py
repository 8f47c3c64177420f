"""The problems of a config: keys that google-adk rejects, and metrics that it accepts but cannot evaluate here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evaltui.tui.session.problem import Problem
from evaltui.tui.session.problems import Problems

if TYPE_CHECKING:
    from evaltui.validation.rule_types import Diagnostic


@dataclass(eq=False, repr=False)
class ConfigProblems(Problems):
    """All problems of a config. It is small, so every edit checks it completely."""

    findings: list[Diagnostic] = field(default_factory=list)

    def look(self) -> None:
        """Check the current text of the config."""
        from evaltui.validation.case_checks import config_diagnostics

        self.findings = [*config_diagnostics(self.document)] if self.document.root is not None else []
        self.arrange()

    def _in_order(self) -> Iterator[Problem]:
        root = self.document.root
        if root is not None:
            for each in self.findings:
                yield Problem.of(each, root)

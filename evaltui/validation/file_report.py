"""What is said of one file: its format, whether google-adk accepts it, and its diagnostics at their places."""

from __future__ import annotations

from dataclasses import dataclass, field

from evaltui.validation.locations import Located


@dataclass(frozen=True, slots=True)
class FileReport:
    """The outcome of checking a file."""

    path: str
    """As it was given."""
    format: str
    """A word of the contract: eval_set, eval_config, legacy_cases, …, json, not_json."""
    accepted_by_adk: bool
    cases: int | None
    """How many there are; None where there are none to count."""
    diagnostics: list[Located] = field(default_factory=list)
    fixed: tuple[str, ...] | None = None
    """The codes of what was fixed, in that order; None where nothing was to be fixed."""

    def count(self, severity: str) -> int:
        """How many diagnostics have this severity."""
        return sum(each.diagnostic.severity == severity for each in self.diagnostics)

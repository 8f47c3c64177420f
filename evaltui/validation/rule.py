"""A rule: what a diagnostic code stands for, why it matters to google-adk, and examples that are tested."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from evaltui.printable import printable
from evaltui.validation.diagnostic import Diagnostic, Fix, Group, Severity

if TYPE_CHECKING:
    from evaltui.validation.pointed_values import PointedValue

ExampleKind = Literal["set", "case", "turn", "config", "text"]


@dataclass(frozen=True, slots=True)
class Example:
    """JSON that shows a rule: a whole set, only a case or a turn of one, a config, or text that is no JSON."""

    kind: ExampleKind
    text: str
    config: str = ""
    """The config that is loaded with it; "" for none."""


def a_set(text: str, config: str = "") -> Example:
    """A whole eval set."""
    return Example("set", text, config)


def a_case(text: str, config: str = "") -> Example:
    """The only case of a set."""
    return Example("case", text, config)


def a_turn(text: str, config: str = "") -> Example:
    """The only turn of the only case of a set."""
    return Example("turn", text, config)


@dataclass(frozen=True, slots=True)
class Rule:
    """One documented kind of finding."""

    code: str
    """In kebab-case."""
    group: Group
    severity: Severity
    summary: str
    """The finding, in one sentence with its full stop."""
    why: str
    """The effect in google-adk, with the module that has it (or the specification); may be Markdown."""
    bad: Example
    good: Example
    fix: str = ""
    """The effect of the fix, in one sentence; "" where there is none."""

    def at(
        self,
        place: PointedValue | str,
        message: str,
        *,
        at_key: bool = False,
        fix: Fix | None = None,
        severity: Severity | None = None,
    ) -> Diagnostic:
        """A finding of this rule at a value, or at the pointer of a missing one."""
        pointer = place if isinstance(place, str) else place.pointer
        return Diagnostic(self.code, severity or self.severity, printable(message), pointer, at_key, fix)

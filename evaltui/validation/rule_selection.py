"""The rules that count: the selected ones without the ignored ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError
from evaltui.validation.misspellings import nearest
from evaltui.validation.rules.registry import RULES

if TYPE_CHECKING:
    from evaltui.validation.file_report import FileReport

_GROUPS = {rule.group for rule in RULES.values()}


class UnknownRuleError(DocumentError):
    """There is no rule and no group of that name."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Codes and groups; all are selected where none is named."""

    selected: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()

    @classmethod
    def of(cls, select: Sequence[str], ignore: Sequence[str]) -> Selection:
        """From lists of names, each perhaps several with commas; raises `UnknownRuleError`."""
        return cls(frozenset(_names(select)), frozenset(_names(ignore)))

    def __contains__(self, code: object) -> bool:
        """Whether the rule with this code counts."""
        names = {code, RULES[code].group} if isinstance(code, str) else set()
        return not (self.ignored & names) and (not self.selected or bool(self.selected & names))

    def of_report(self, report: FileReport) -> FileReport:
        """A report with the diagnostics that count."""
        return replace(report, diagnostics=[each for each in report.diagnostics if each.diagnostic.code in self])


def _names(lists: Iterable[str]) -> list[str]:
    names = [name.strip() for given in lists for name in given.split(",") if name.strip()]
    for name in names:
        if name not in RULES and name not in _GROUPS:
            near = nearest(name.lower(), (*RULES, *_GROUPS))
            raise UnknownRuleError(f"there is no rule {name!r}" + (f"; did you mean {near}?" if near else ""))
    return names

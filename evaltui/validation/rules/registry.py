"""All rules by code, in the order of the documentation, and the selection of rules by the user."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError
from evaltui.printable import quoted
from evaltui.validation.misspellings import nearest
from evaltui.validation.rule import Rule
from evaltui.validation.rules import (
    calls,
    config,
    conversations,
    criteria,
    dataset_events,
    dataset_keys,
    dataset_rubrics,
    dataset_shapes,
    datasets,
    formats,
    ids,
    json_syntax,
    keys,
    rubrics,
    schema,
    secrets,
    sessions,
    timestamps,
    values,
    with_config,
)

if TYPE_CHECKING:
    from evaltui.validation.file_report import FileReport

_MODULES: tuple[tuple[str, tuple[ModuleType, ...]], ...] = (
    ("Invalid JSON", (json_syntax,)),
    ("Ambiguous JSON", (values,)),
    ("Invalid eval sets and configs", (schema,)),
    ("Keys that nothing reads", (keys,)),
    ("Ids and names", (ids,)),
    ("Times", (timestamps,)),
    ("Conversations and scenarios", (conversations,)),
    ("Tool calls", (calls,)),
    ("Rubrics", (rubrics,)),
    ("Sessions", (sessions,)),
    ("Secrets", (secrets,)),
    ("Configs", (config, criteria)),
    ("Eval sets with a config", (with_config,)),
    ("EvaluationDatasets", (dataset_shapes, dataset_keys, datasets, dataset_events, dataset_rubrics)),
    ("Other formats", (formats,)),
)
"""The topics of the rules: heading and modules."""

TOPICS: dict[str, list[Rule]] = {
    heading: [value for module in modules for value in vars(module).values() if isinstance(value, Rule)]
    for heading, modules in _MODULES
}
"""The rules by heading, in the order of their files."""

RULES = {rule.code: rule for rules in TOPICS.values() for rule in rules}
_GROUPS = dict.fromkeys(rule.group for rule in RULES.values())


class UnknownRuleError(DocumentError):
    """No rule and no group has this name."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected and ignored codes and groups. If none is selected, all are."""

    selected: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()

    @classmethod
    def of(cls, select: Sequence[str], ignore: Sequence[str]) -> Selection:
        """A selection from lists of names, which may contain commas; raises `UnknownRuleError`."""
        return cls(frozenset(_names(select)), frozenset(_names(ignore)))

    def __contains__(self, code: object) -> bool:
        """Whether the rule with this code is selected."""
        names = {code, RULES[code].group} if isinstance(code, str) else set()
        return not (self.ignored & names) and (not self.selected or bool(self.selected & names))

    def of_report(self, report: FileReport) -> FileReport:
        """The report with only the diagnostics of selected rules."""
        return replace(report, diagnostics=[each for each in report.diagnostics if each.diagnostic.code in self])


def _names(lists: Iterable[str]) -> list[str]:
    names = [name.strip() for given in lists for name in given.split(",") if name.strip()]
    for name in names:
        if name not in RULES and name not in _GROUPS:
            near = nearest(name.lower(), (*RULES, *_GROUPS))
            hint = (
                f"did you mean {near}?" if near else f"`evaltui rule` lists the rules; groups are {', '.join(_GROUPS)}"
            )
            raise UnknownRuleError(f"there is no rule or group {quoted(name, 60)}; {hint}")
    return names

"""All rules by code, in the order of the documentation, and the selection of rules by the user."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from evaltui.document.errors import DocumentError
from evaltui.printable import quoted
from evaltui.validation.misspellings import nearest
from evaltui.validation.rule_types import Rule
from evaltui.validation.rules import (
    calls,
    config_rules,
    conversations,
    criterion_rules,
    dataset_cases,
    dataset_events,
    ids,
    json_syntax,
    model_rules,
    odd_values,
    other_formats,
    rubrics,
    sessions,
    unread_keys,
    with_config,
)

_SOURCES: tuple[tuple[str, tuple[ModuleType | Rule, ...]], ...] = (
    ("Invalid JSON", (json_syntax,)),
    ("Ambiguous JSON", (odd_values.DUPLICATE_KEY, odd_values.NOT_A_NUMBER)),
    ("Invalid eval sets and configs", (model_rules,)),
    ("Keys that nothing reads", (unread_keys,)),
    ("Ids and names", (ids,)),
    ("Times", (odd_values.TIMESTAMP_UNIT,)),
    ("Conversations and scenarios", (conversations,)),
    ("Tool calls", (calls,)),
    ("Rubrics", (rubrics,)),
    ("Sessions", (sessions,)),
    ("Secrets", (odd_values.SECRET,)),
    ("Configs", (config_rules, criterion_rules)),
    ("Eval sets with a config", (with_config,)),
    (
        "EvaluationDatasets",
        (
            *(dataset_cases.UNWRAPPED_CONTENT, dataset_cases.ADK_RUBRIC),
            *(unread_keys.ADK_MEMBER, unread_keys.SINGLE_RESPONSE, unread_keys.CAMEL_CASE_KEY),
            *(ids.MISSING_EVAL_CASE_ID, ids.DUPLICATE_EVAL_CASE_ID),
            *(dataset_cases, dataset_events, rubrics.SAME_RUBRIC_ID, rubrics.RUBRICS_OF_SEVERAL_TURNS),
        ),
    ),
    ("Other formats", (other_formats,)),
)
"""The topics of the rules: heading, and rules or modules. A module has its rules that no topic names."""

# Rules stand beside their check; the documentation has the rules of datasets together, from several modules.
_NAMED = [rule for _, sources in _SOURCES for rule in sources if isinstance(rule, Rule)]


TOPICS: dict[str, list[Rule]] = {
    heading: [
        rule
        for source in sources
        for rule in ([source] if isinstance(source, Rule) else vars(source).values())
        if isinstance(rule, Rule) and (rule is source or rule not in _NAMED)
    ]
    for heading, sources in _SOURCES
}
"""The rules by heading, in the order of the documentation."""

RULES = {rule.code: rule for rules in TOPICS.values() for rule in rules}
_GROUPS = dict.fromkeys(rule.group for rule in RULES.values())


class UnknownRuleError(DocumentError):
    """No rule and no group has this name."""


def selected_codes(select: Sequence[str], ignore: Sequence[str]) -> frozenset[str]:
    """The codes of the selected rules that are not ignored. If none is selected, all are.

    Both lists have codes and groups, also several in one text with commas. Raises `UnknownRuleError`.
    """
    return (_codes(select) or frozenset(RULES)) - _codes(ignore)


def _codes(texts: Sequence[str]) -> frozenset[str]:
    names = [name.strip() for text in texts for name in text.split(",") if name.strip()]
    for name in names:
        if name not in RULES and name not in _GROUPS:
            similar = nearest(name.lower(), (*RULES, *_GROUPS))
            hint = f"`evaltui rule` lists the rules; groups are {', '.join(_GROUPS)}"
            hint = f"did you mean {similar}?" if similar else hint
            raise UnknownRuleError(f"there is no rule or group {quoted(name, 60)}; {hint}")
    return frozenset(rule.code for rule in RULES.values() if rule.code in names or rule.group in names)

"""All rules by code, in the order of the documentation."""

from __future__ import annotations

from types import ModuleType

from evaltui.validation import json_syntax
from evaltui.validation.rule import Rule
from evaltui.validation.rules import (
    calls,
    config,
    conversations,
    formats,
    ids,
    keys,
    rubrics,
    scenarios,
    schema,
    secrets,
    sessions,
    timestamps,
    values,
    with_config,
)

TOPICS: tuple[tuple[str, ModuleType], ...] = (
    ("Text that is no JSON", json_syntax),
    ("JSON that is read otherwise", values),
    ("What google-adk rejects", schema),
    ("Keys that are not read", keys),
    ("Ids and names", ids),
    ("Times", timestamps),
    ("Conversations", conversations),
    ("Scenarios", scenarios),
    ("Tool calls", calls),
    ("Rubrics", rubrics),
    ("Sessions", sessions),
    ("Secrets", secrets),
    ("Configs", config),
    ("A set and its config", with_config),
    ("Other formats", formats),
)
"""The modules of rules with their headings."""


def rules_of(topic: ModuleType) -> list[Rule]:
    """The rules of a module, as they stand in it."""
    return [value for value in vars(topic).values() if isinstance(value, Rule)]


RULES = {rule.code: rule for _, topic in TOPICS for rule in rules_of(topic)}

"""All rules by code, in the order of the documentation."""

from __future__ import annotations

from types import ModuleType

from evaltui.validation import json_syntax
from evaltui.validation.rule import Rule
from evaltui.validation.rules import (
    calls,
    config,
    conversations,
    criteria,
    formats,
    ids,
    keys,
    rubrics,
    schema,
    secrets,
    sessions,
    timestamps,
    values,
    with_config,
)

_MODULES: tuple[tuple[str, tuple[ModuleType, ...]], ...] = (
    ("Text that is no JSON", (json_syntax,)),
    ("JSON that is read otherwise", (values,)),
    ("What google-adk rejects", (schema,)),
    ("Keys that are not read", (keys,)),
    ("Ids and names", (ids,)),
    ("Times", (timestamps,)),
    ("Conversations and scenarios", (conversations,)),
    ("Tool calls", (calls,)),
    ("Rubrics", (rubrics,)),
    ("Sessions", (sessions,)),
    ("Secrets", (secrets,)),
    ("Configs", (config, criteria)),
    ("A set and its config", (with_config,)),
    ("Other formats", (formats,)),
)
"""The topics of rules with their headings."""

TOPICS: dict[str, list[Rule]] = {
    heading: [value for module in modules for value in vars(module).values() if isinstance(value, Rule)]
    for heading, modules in _MODULES
}
"""The rules by heading, in the order in which they stand in their files."""

RULES = {rule.code: rule for rules in TOPICS.values() for rule in rules}

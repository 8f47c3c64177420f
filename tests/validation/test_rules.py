"""Each rule is documented by examples: the bad one raises just that rule, the good one none."""

import importlib
import json
import pkgutil
import re
from pathlib import Path

import pytest

from evaltui.document.document import Document
from evaltui.scoring.eval_config import config_of
from evaltui.validation import rules
from evaltui.validation.case_checks import check_document
from evaltui.validation.rule_types import Diagnostic, Example, Rule
from evaltui.validation.rules.rule_registry import RULES, TOPICS
from tests.validation.datasets import check_dataset
from tests.validation.findings import file_of

TEXTS = [
    rule
    for rule in RULES.values()
    if rule.bad.kind not in ("config", "text") and rule.code not in ("rejected", "app-name-unlike-folder")
]


def found(example: Example) -> list[Diagnostic]:
    if example.kind in ("dataset", "dataset_case"):
        return list(check_dataset(Document(file_of(example))))
    config = config_of(json.loads(example.config), Path("test_config.json")) if example.config else None
    return list(check_document(Document(file_of(example)), config))


@pytest.mark.parametrize("rule", TEXTS, ids=lambda rule: rule.code)
def test_the_bad_example_raises_just_that_rule_and_the_good_one_none(rule: Rule) -> None:
    assert [(each.code, each.severity) for each in found(rule.bad)] == [(rule.code, rule.severity)]
    assert found(rule.good) == []


def test_each_rule_is_documented() -> None:
    for rule in RULES.values():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.code)
        assert rule.summary.endswith("."), rule.code
        assert rule.why.strip(), rule.code


def test_every_rule_of_the_room_is_registered_once() -> None:
    modules = [
        importlib.import_module(f"{rules.__name__}.{found.name}") for found in pkgutil.iter_modules(rules.__path__)
    ]
    written = {value.code for module in modules for value in vars(module).values() if isinstance(value, Rule)}
    registered = [rule.code for topic in TOPICS.values() for rule in topic]
    assert written <= set(registered)
    assert len(registered) == len(RULES)

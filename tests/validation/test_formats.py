"""What is said to a file that is no eval set."""

import json

import pytest

from evaltui.evalset.formats import format_of
from evaltui.validation.rule import Rule
from evaltui.validation.rules.formats import check_as_set
from evaltui.validation.rules.registry import TOPICS


@pytest.mark.parametrize("rule", TOPICS["Other formats"], ids=lambda rule: rule.code)
def test_the_bad_example_raises_just_that_rule_and_the_good_one_none(rule: Rule) -> None:
    (found,) = check_as_set(format_of(json.loads(rule.bad.text)))
    assert (found.code, found.severity, found.pointer) == (rule.code, "error", "")
    assert found.message.startswith("google-adk rejects this: ")
    assert check_as_set(format_of(json.loads(rule.good.text))) == []

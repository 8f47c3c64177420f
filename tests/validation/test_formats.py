"""What is said to a file that is no eval set."""

from typing import get_args

import pytest

from evaltui.document.document import Document
from evaltui.evalset.formats import Format
from evaltui.validation.file_report import checked_kind
from evaltui.validation.rule import Rule
from evaltui.validation.rules.formats import check_as_set
from evaltui.validation.rules.registry import TOPICS


@pytest.mark.parametrize("rule", TOPICS["Other formats"], ids=lambda rule: rule.code)
def test_the_bad_example_raises_just_that_rule_and_the_good_one_none(rule: Rule) -> None:
    (found,) = check_as_set(checked_kind(Document(rule.bad.text.encode()), ""))
    assert (found.code, found.severity, found.pointer) == (rule.code, "error", "")
    assert found.message.startswith("google-adk rejects this: ")
    assert check_as_set(checked_kind(Document(rule.good.text.encode()), "")) == []


@pytest.mark.parametrize("found", [found for found in get_args(Format) if found != "eval_set"])
def test_no_format_but_an_eval_set_passes_for_one(found: Format) -> None:
    assert [each.severity for each in check_as_set(found)] == ["error"]


def test_a_format_that_has_no_sentence_of_its_own_is_no_eval_set() -> None:
    assert [each.code for each in check_as_set("runs of tomorrow")] == ["no-eval-set"]

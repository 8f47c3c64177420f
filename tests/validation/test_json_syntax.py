"""The rules of syntax: each is documented, its bad example raises just it, and its good one nothing."""

import json

import pytest

from evaltui.document.document import Document
from evaltui.json_repair.faults import FaultKind
from evaltui.json_repair.repair import apply_safe_fixes, syntax_faults
from evaltui.validation.diagnostics import diagnostics
from evaltui.validation.rule import Example, Rule
from evaltui.validation.rules import json_syntax
from tests.agreement.test_agreement import objection

RULES = [rule for rule in vars(json_syntax).values() if isinstance(rule, Rule)]
NEVER_SAFE = {"not-json", "unclosed-string", "unescaped-quote", "stray-text", "several-documents", "conflict-marks"}


def text_bytes(example: Example) -> bytes:
    """The file of an example; a surrogate stands for a byte that is not UTF-8, as in file names."""
    return example.text.encode("utf-8", "surrogateescape")


def codes(example: Example) -> set[str]:
    """What keeps google-adk from reading an example; that a set has no cases does not."""
    document = Document(text_bytes(example))
    if document.root is None:
        return {fault.code for fault in syntax_faults(document.body())}
    return {found.code for found in diagnostics(document) if found.severity == "error"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_its_bad_example_raises_just_it_and_its_good_one_nothing(rule: Rule) -> None:
    assert codes(rule.bad) == {rule.code}
    assert codes(rule.good) == set()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_google_adk_rejects_its_bad_example_and_accepts_its_good_one(rule: Rule) -> None:
    assert objection(text_bytes(rule.bad))
    assert not objection(text_bytes(rule.good))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_it_has_a_code_a_sentence_and_a_reason(rule: Rule) -> None:
    assert rule.group == "syntax"
    assert rule.summary.endswith(".")
    assert rule.why.endswith(".")
    assert rule.code.replace("-", "").isalnum()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_safe_fix_of_its_bad_example_leaves_nothing_to_be_said(rule: Rule) -> None:
    body = Document(text_bytes(rule.bad)).body()
    faults = syntax_faults(body)
    has_safe = any(fault.splice is not None and fault.splice.safe for fault in faults)
    assert not (has_safe and rule.code in NEVER_SAFE)
    assert (apply_safe_fixes(body, faults)[0] != body) == has_safe
    if has_safe:
        assert "eval_set_id" in json.loads(apply_safe_fixes(body, faults)[0])
    if any(fault.splice for fault in faults):
        assert rule.fix


def test_each_kind_of_fault_has_the_rule_of_its_code() -> None:
    assert {kind.value for kind in FaultKind} <= {rule.code for rule in RULES}


def test_no_two_rules_share_a_code() -> None:
    assert len({rule.code for rule in RULES}) == len(RULES)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"eval_set_id": "a",}', "trailing comma"),
        (b"", "EOF while parsing a value"),
        (b'{"eval_set_id": "a\n"}', "control character (\\u0000-\\u001F) found while parsing a string"),
        (b"{} {}", "trailing characters"),
        (b'{"a": ' + b"[" * 250, "recursion limit exceeded"),
    ],
)
def test_what_the_reasons_quote_is_what_google_adk_says(data: bytes, said: str) -> None:
    assert said in str(objection(data))
    assert any(f"*{said}*" in rule.why for rule in RULES)

"""The rules of syntax: each is documented, its bad example raises just it, and its good one nothing."""

import json

import pytest

from evaltui.document.document import Document
from evaltui.document.patch import apply_patch, operations_of, read_patch
from evaltui.json_repair.repair import apply_safe_fixes, syntax_faults
from evaltui.validation.case_checks import check_document, config_diagnostics
from evaltui.validation.file_check import check_format
from evaltui.validation.rule_types import Example, Rule
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
    return {found.code for found in check_document(document) if found.severity == "error"}


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


def bad_texts(args: str, response: str = "") -> bytes:
    """A set with a call of these arguments and a text; a surrogate stands for a byte that is not UTF-8."""
    text = (
        '{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [{"user_content": {"parts": '
        f'[{{"text": "Hi"}}]}}, "final_response": {{"parts": [{{"text": "{response}"}}]}}, '
        f'"intermediate_data": {{"tool_uses": [{{"name": "f", "args": {args}}}]}}}}]}}]}}'
    )
    return text.encode("utf-8", "surrogateescape")


CALL = "/eval_cases/0/conversation/0/intermediate_data/tool_uses/0/args"
TEXT = "/eval_cases/0/conversation/0/final_response/parts/0/text"


def test_every_bad_text_of_a_case_is_reported_with_its_fix() -> None:
    data = bad_texts(
        '{"gr\udcf6\udcdfe~/": {"x": "\udcfc"}, "y": "\\ud800", "z": "\udc81", "ok": "\u00e9"}', "5 \udc80 \\u00e9"
    )
    document = Document(data)
    found = [(each.code, each.pointer, each.at_key, each.fix and each.fix.title) for each in check_document(document)]
    key = f"{CALL}/gr\udcf6\udcdfe~0~1"
    assert found == [
        ("not-utf-8", TEXT, False, "Replace it with €"),
        ("not-utf-8", key, True, "Replace the bytes with their characters"),
        ("not-utf-8", f"{key}/x", False, "Replace it with ü"),
        ("bad-character", f"{CALL}/y", False, None),
        ("not-utf-8", f"{CALL}/z", False, None),
    ]
    assert not any(each.fix.safe for each in check_document(document) if each.fix)
    messages = [each.message for each in check_document(document) if each.at_key]
    assert messages == ["0xF6 is not UTF-8; in Windows-1252 it is ö; 1 more in this text"]


def test_the_fixes_of_bad_texts_change_only_their_bytes() -> None:
    data = bad_texts('{"gr\udcf6\udcdfe": {"x": "\udcfc"}}', "5 \udc80 \\u00e9")
    document = Document(data)
    fixes = [each.fix for each in reversed([*check_document(document)]) if each.fix]
    patched = Document(data)
    apply_patch(
        patched, read_patch(json.dumps([each for fix in fixes for each in operations_of(fix.edits) or ()]).encode())
    )
    for fix in fixes:
        document.apply(fix.edits, fix.title)
    wanted = data
    for byte, character in ((b"\xf6", "ö"), (b"\xdf", "ß"), (b"\xfc", "ü"), (b"\x80", "€")):
        wanted = wanted.replace(byte, character.encode())
    assert document.to_bytes() == wanted
    assert json.loads(patched.to_bytes()) == json.loads(wanted)
    assert [each.code for each in check_document(document) if each.severity == "error"] == []


@pytest.mark.parametrize(
    "args",
    [
        '{"a": "\udcfc", "a": 1}',  # no pointer reaches it
        '{"a": {"b": "\udcfc"}, "a": 1}',
        '{"\udcfc": 1, "ü": 2}',  # its name is taken
    ],
)
def test_a_fix_that_cannot_be_applied_is_not_offered(args: str) -> None:
    (found,) = (each for each in check_document(Document(bad_texts(args))) if each.code == "not-utf-8")
    assert found.fix is None


def test_bad_texts_of_a_dataset_and_a_config_have_fixes() -> None:
    dataset = b'{"eval_cases": [{"eval_case_id": "a\xe9", "prompt": {"parts": [{"text": "gr\xfc\xdfe"}]}}]}'
    found = [each for each in check_format(Document(dataset), "evaluation_dataset") if each.code == "not-utf-8"]
    assert [(each.pointer, each.fix is not None) for each in found] == [
        ("/eval_cases/0/eval_case_id", True),
        ("/eval_cases/0/prompt/parts/0/text", True),
    ]
    (config,) = config_diagnostics(
        Document(b'{"criteria": {}, "custom_metrics": {"a": {"code_config": {"name": "\xe9"}}}}')
    )
    assert config.fix is not None

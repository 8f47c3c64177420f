"""What is odd about a file although it is JSON."""

import codecs

import pytest

from evaltui.document.document import Document
from evaltui.validation.rule_types import Diagnostic
from evaltui.validation.rules.odd_values import find_oddities

SURROGATE = "the string has half of a surrogate pair, so google-adk rejects the file"
SURROGATE_KEY = "the key has half of a surrogate pair, so google-adk rejects the file"
MARK = "the file begins with a byte order mark, which google-adk rejects"
UTF16 = "the file is UTF-16-LE, which google-adk does not read; saving keeps the encoding"
TWICE = 'duplicate key "a"; only the last value is read'
DEEP = "values are nested over 900 levels deep here; most programs cannot read this"


def findings(data: bytes) -> list[Diagnostic]:
    return [found[0] for found in find_oddities(Document(data)) if found is not None]


def told(data: bytes) -> list[tuple[str, str, int, int]]:
    return [(found.severity, found.message, *found.place[:2]) for found in findings(data)]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"{\n  1}", ("error", "invalid JSON: a key in double quotes is expected here", 2, 3)),
        (codecs.BOM_UTF8 + b"[]", ("warning", MARK, 1, 1)),
        (codecs.BOM_UTF16_LE + "[]".encode("utf-16-le"), ("warning", UTF16, 1, 1)),
        (b'["a",\n "\xc3("]', ("error", "byte 0xC3 is not UTF-8; it is shown as � and stays in the file", 2, 3)),
        (b'{"a": [1, NaN]}', ("warning", "NaN is not valid JSON, though many programs accept it", 1, 11)),
        (b"-Infinity", ("warning", "-Infinity is not valid JSON, though many programs accept it", 1, 1)),
        (rb'{"a": [{"b": "x\uD83D"}]}', ("warning", SURROGATE, 1, 14)),
        (rb'{"a": {"\udc00": 1}}', ("warning", SURROGATE_KEY, 1, 18)),
        (rb'{"\ud800": 1}', ("warning", SURROGATE_KEY, 1, 12)),
        (b'{"a": 1, "a": 2}', ("warning", TWICE, 1, 15)),
        (b'[[{"a": 1, "\\u0061": 2}]]', ("warning", TWICE, 1, 22)),
        (b"[" * 1000 + b"]" * 1000, ("warning", DEEP, 1, 904)),
        (b"[0, " * 30_000 + b"]" * 30_000, None),
    ],
)  # fmt: skip
def test_what_is_odd_is_said_with_its_place(data: bytes, expected: tuple[str, str, int, int] | None) -> None:
    if expected is None:
        assert [found.message for found in findings(data.replace(b", ]", b"]"))] == [DEEP]
    else:
        assert told(data) == [expected]


@pytest.mark.parametrize(
    "data",
    [
        b"{}",
        b"7",
        '{"a": "\u202e\x7f", "b": [1, 1e999, -0]}'.encode(),
        rb'["\ud83d\ude00", "\\ud83d", "NaN"]',
        b'{"a": {"x": 1}, "b": {"x": 1}}',
        b"[" * 800 + b"]" * 800,
    ],
)
def test_nothing_is_said_about_what_is_in_order(data: bytes) -> None:
    assert findings(data) == []


def test_a_byte_that_is_no_text_is_no_half_of_a_pair() -> None:
    assert [found.severity for found in findings(b'["\xff \\ud83d\\ude00"]')] == ["error"]


def test_all_that_is_odd_is_found_in_file_order() -> None:
    data = b'{"a": [{"x": NaN}, {"x": 1, "x": "\\ud800"}], "b": {"c": [Infinity]}}'
    assert [found.place.column for found in findings(data)] == [14, 34, 34, 58]


def test_a_finding_knows_its_node() -> None:
    document = Document(b'{"a": [1, NaN]}')
    [node] = [found[1] for found in find_oddities(document) if found is not None]
    assert node is not None
    assert node.pointer() == "/a/1"


def test_more_of_a_kind_than_anybody_reads_is_summed_up() -> None:
    found = findings(b"[" + b"NaN," * 500 + b"1]")
    assert len(found) == 101
    assert (found[-1].severity, found[-1].message) == ("info", "more problems of this kind are not listed")


def test_the_work_can_be_interrupted_between_cases() -> None:
    cases = b",".join(b'{"id": %d}' % number for number in range(50))
    assert list(find_oddities(Document(b'{"cases": [' + cases + b"]}"))).count(None) >= 50

"""What keeps a text from being JSON: each kind with its place, its sentence, and the fix that is known for it."""

import json

import pytest

from evaltui.json_repair.faults import SyntaxFault
from evaltui.json_repair.repair import apply_safe_fixes, syntax_faults


def faults_of(text: str | bytes) -> list[SyntaxFault]:
    return syntax_faults(text.encode() if isinstance(text, str) else text)


def said(text: str | bytes) -> list[tuple[str, int]]:
    """Code and start of each fault."""
    return [(fault.code, fault.start) for fault in faults_of(text)]


def fixed(text: str) -> str:
    """What the fix of the only fault makes of a text."""
    (fault,) = faults_of(text)
    assert fault.splice is not None
    return text.encode()[: fault.splice.start].decode() + _behind(text, fault)


def _behind(text: str, fault: SyntaxFault) -> str:
    assert fault.splice is not None
    return (fault.splice.replacement + text.encode()[fault.splice.end :]).decode()


def safe(text: str) -> str:
    """A text after all safe fixes."""
    return apply_safe_fixes(text.encode(), faults_of(text))[0].decode()


@pytest.mark.parametrize(
    "text",
    ["{}", "[1, -0.5e+3, NaN, -Infinity, null]", ' {"a": "\\u00e9 \\/ “” \' // #"}\n', '"x"', "[" * 3000 + "]" * 3000],
)
def test_json_has_no_fault_nor_has_what_google_adk_reads_beyond_it(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "code", "start", "repaired_text"),
    [
        ('{"a": 1,\n}', "trailing-comma", 9, '{"a": 1\n}'),
        ("[1, 2, ]", "trailing-comma", 7, "[1, 2 ]"),
        ('{"a": 1},\n', "trailing-comma", 8, '{"a": 1}\n'),
        ('{"a": 1,, "b": 2}', "extra-comma", 8, '{"a": 1, "b": 2}'),
        ('{, "a": 1}', "extra-comma", 1, '{ "a": 1}'),
        ('{"a": 1\n "b": 2}', "missing-comma", 9, '{"a": 1,\n "b": 2}'),
        ('{"a": {}"b": 2}', "missing-comma", 8, '{"a": {},"b": 2}'),
        ("[{} {}]", "missing-comma", 4, "[{}, {}]"),
        ('{"a" = 1}', "missing-colon", 5, '{"a" : 1}'),
        ('{"a" => 1}', "missing-colon", 5, '{"a" : 1}'),
        ('{"a" {}}', "missing-colon", 5, '{"a": {}}'),
        ('{"a": \'it is "it"\'}', "single-quotes", 6, '{"a": "it is \\"it\\""}'),
        ("{'it\\'s': 1}", "single-quotes", 1, '{"it\'s": 1}'),
        ("['\\x41\t']", "single-quotes", 1, '["\\u0041\\t"]'),
        ('{"a": “it’s”}', "smart-quotes", 6, '{"a": "it’s"}'),
        ("[„a“, 1]", "smart-quotes", 1, '["a", 1]'),
        ('{a_1: "x"}', "unquoted-key", 1, '{"a_1": "x"}'),
        ("{7: 1}", "unquoted-key", 1, '{"7": 1}'),
        ("[True]", "foreign-literal", 1, "[true]"),
        ("[None]", "foreign-literal", 1, "[null]"),
        ("[FALSE]", "foreign-literal", 1, "[false]"),
        ("[+1]", "bad-number", 1, "[1]"),
        ("[+.5e3]", "bad-number", 1, "[0.5e3]"),
        ("[-5.]", "bad-number", 1, "[-5.0]"),
        ("[-0x1F]", "bad-number", 1, "[-31]"),
        ("[1_000]", "bad-number", 1, "[1000]"),
        ('["a\tb"]', "control-character", 3, '["a\\tb"]'),
        ('["a\x1b[0m"]', "control-character", 3, '["a\\u001b[0m"]'),
        ('["\\x41"]', "bad-escape", 2, '["\\u0041"]'),
        ('["it\\\'s"]', "bad-escape", 4, '["it\'s"]'),
        ('{ // one\n  "a": 1}', "comment", 2, '{\n  "a": 1}'),
        ('{\n  # all of it\n  "a": 1}', "comment", 4, '{\n  "a": 1}'),
        ('{"a": /* one */ 1}', "comment", 6, '{"a":  1}'),
        ("[1] // end", "comment", 4, "[1]"),
        ("```json\n{}\n```\n", "code-fence", 0, "{}\n"),
        ('{"a":\u00a01}', "odd-blank", 5, '{"a": 1}'),
        ("[\u200b1]", "odd-blank", 1, "[1]"),
        ("\ufeff{}", "byte-order-mark", 0, "{}"),
    ],
)
def test_what_is_certainly_meant_is_repaired(text: str, code: str, start: int, repaired_text: str) -> None:
    found = faults_of(text)
    assert {fault.code for fault in found} == {code}
    assert found[0].start == start or len(text.encode()) > len(text)
    assert found[0].splice is not None
    assert found[0].splice.safe
    assert safe(text) == repaired_text
    json.loads(repaired_text)


@pytest.mark.parametrize(
    ("text", "code", "start", "fixed_text"),
    [
        ("[1,, 2]", "extra-comma", 3, "[1, 2]"),
        ("[1 2]", "missing-comma", 3, "[1, 2]"),
        ('{"a": 1; "b": 2}', "missing-comma", 7, '{"a": 1, "b": 2}'),
        ('["a"\n"b"]', "missing-comma", 5, '["a",\n"b"]'),
        ('{"a" "b"}', "missing-colon", 5, '{"a": "b"}'),
        ('{"a": , "b": 1}', "missing-value", 6, '{"a": null , "b": 1}'),
        ('{"a"}', "missing-value", 4, '{"a": null}'),
        ("['it's']", "single-quotes", 1, '["it\'s"]'),
        ("[undefined]", "foreign-literal", 1, "[null]"),
        ("[007]", "bad-number", 1, "[7]"),
        ("[trips to Rome]", "unquoted-text", 1, '["trips to Rome"]'),
        ("[https://example.com/a]", "unquoted-text", 1, '["https://example.com/a"]'),
        ("[2024-01-31]", "unquoted-text", 1, '["2024-01-31"]'),
        ('{"a": "my "best" trip", "b": 1}', "unescaped-quote", 11, '{"a": "my \\"best\\" trip", "b": 1}'),
        ('["one\ntwo", 1]', "control-character", 5, '["one\\ntwo", 1]'),
        ('["C:\\dir"]', "bad-escape", 4, '["C:\\\\dir"]'),
        ('["\\u12"]', "bad-escape", 2, '["\\\\u12"]'),
        ('{"a": "b\n}', "unclosed-string", 8, '{"a": "b"\n}'),
        ('{"a: 1\n}', "unclosed-string", 6, '{"a": 1\n}'),
        ('{"a": "x, "b": "y"}', "unclosed-string", 11, '{"a": "x", "b": "y"}'),
        ('{"a": [1, 2}', "unclosed-bracket", 11, '{"a": [1, 2]}'),
        ('{"a": team", "b": 2}', "unquoted-text", 6, '{"a": "team", "b": 2}'),
        ('{"a": a whole text"}', "unquoted-text", 6, '{"a": "a whole text"}'),
        ('{"a": 12", "b": 2}', "unquoted-text", 6, '{"a": "12", "b": 2}'),
        ('{"a": 1, b": 2}', "unquoted-key", 9, '{"a": 1, "b": 2}'),
        ('{"a": [, "b": 2}', "unclosed-bracket", 7, '{"a": [], "b": 2}'),
        ('{"a": [1, "b": 2}', "unclosed-bracket", 10, '{"a": [1], "b": 2}'),
        ('{"a": [{}\n"b": 2}', "unclosed-bracket", 10, '{"a": [{}],\n"b": 2}'),
        ('{"a": [[1, [2], "b": 2, "c": [3]}', "unclosed-bracket", 16, '{"a": [[1, [2]]], "b": 2, "c": [3]}'),
        ('[{"a": 1, {"b": 2}]', "unclosed-bracket", 10, '[{"a": 1}, {"b": 2}]'),
        ('[{"a": 1\n{"b": 2}]', "unclosed-bracket", 9, '[{"a": 1},\n{"b": 2}]'),
        ('{"a": [1\n', "unclosed-bracket", 9, '{"a": [1]}\n'),
        ("[1}", "wrong-bracket", 2, "[1]"),
        ('{"a": [1}, "b": 2}', "wrong-bracket", 8, '{"a": [1], "b": 2}'),
        ('{"a": 1}}', "stray-text", 8, '{"a": 1}'),
    ],
)
def test_what_is_likely_meant_is_offered_and_not_safe(text: str, code: str, start: int, fixed_text: str) -> None:
    (fault,) = faults_of(text)
    assert (fault.code, fault.start) == (code, start)
    assert fault.splice is not None
    assert not fault.splice.safe
    assert fixed(text) == fixed_text
    json.loads(fixed_text)
    assert safe(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [("empty-file", 0)]),
        (" \n", [("empty-file", 2)]),
        ('{"a": 1}\n{"a": 2}\n{"a": 3}', [("several-documents", 9)]),
        ('{"a": 1}, "b": 2}', [("stray-text", 8)]),
        ("{1, 2}", [("missing-key", 1), ("missing-key", 4)]),
        ('["a": 1]', [("not-json", 4)]),
        ('{"a": [1, "b": 2]}', [("not-json", 13)]),
        ('{"a": 1, {"b": 2}}', [("missing-key", 9)]),
        ('{\n<<<<<<< HEAD\n"a": 1,\n=======\n"a": 2,,\n>>>>>>> b\n"c": 3}', [("conflict-marks", 2)]),
        ("<<<<<<< HEAD\n=======\n>>>>>>> b\n{}", [("conflict-marks", 0)]),
        ("{}\n>>>>>>> b\n", [("conflict-marks", 3)]),
        ('["a', [("unclosed-string", 3), ("unclosed-bracket", 3)]),
        ("[1, /* 2]", [("comment", 4), ("unclosed-bracket", 9)]),
        ("[-, 1e, ...]", [("bad-number", 1), ("bad-number", 4), ("not-json", 8)]),
    ],
)
def test_what_only_a_person_can_decide_has_no_safe_fix(text: str, expected: list[tuple[str, int]]) -> None:
    assert said(text) == expected
    assert safe(text) == text


def test_all_faults_of_a_file_are_found_in_their_order() -> None:
    text = """{
  eval_set_id: 'trips',   // mine
  "name": “Trips”
  "description": None,
  "eval_cases": [
    {"eval_id": "a", "conversation": [],},
  ],
  "count": +1,
}
"""
    assert [code for code, _ in said(text)] == [
        *("unquoted-key", "single-quotes", "comment", "smart-quotes", "missing-comma", "foreign-literal"),
        *("trailing-comma", "trailing-comma", "bad-number", "trailing-comma"),
    ]
    assert json.loads(safe(text)) == {
        "eval_set_id": "trips",
        "name": "Trips",
        "description": None,
        "eval_cases": [{"eval_id": "a", "conversation": []}],
        "count": 1,
    }


def test_a_dict_that_python_printed_becomes_json() -> None:
    value = {"a": [True, None, "it's", 'say "hi"', {"b": "both ' and \"", "path": "a\\b\n"}], "c": (1.5, -2)[0]}
    assert json.loads(safe(repr(value))) == value


@pytest.mark.parametrize(
    "text",
    [
        '["http:"//example.com", 1]',
        '{"a": "one" two, # three"}',
        "['it's # one', 2]",
        '{"a": 1 # "b": 2}',
    ],
)
def test_where_quotes_may_be_out_of_step_nothing_is_taken_out(text: str) -> None:
    assert safe(text) == text


def test_beyond_its_line_a_doubtful_text_does_no_harm() -> None:
    assert safe('{"a": "my "best" trip",\n "b": [1,],\n}') == '{"a": "my "best" trip",\n "b": [1]\n}'


def test_bytes_that_are_not_utf_8_are_said_beside_what_else_is_wrong() -> None:
    (byte, comma) = faults_of(b'{"a": "caf\xe9",}')
    assert (byte.code, byte.start, byte.end) == ("not-utf-8", 10, 11)
    assert byte.message == "0xE9 is not UTF-8; in Windows-1252 it is é"
    assert comma.code == "trailing-comma"
    assert said(b'{"a": \x93caf\x94}')[0][0] in ("not-utf-8", "smart-quotes")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_other_encodings_are_named_and_written_as_utf_8(codec: str) -> None:
    text = '{"a": "é"}'
    (fault,) = faults_of(text.encode(codec))
    assert fault.code == "wrong-encoding"
    assert codec[:6].upper() in fault.message
    assert apply_safe_fixes(text.encode(codec), [fault])[0] == text.encode()


def test_a_cut_off_utf_16_file_is_named_too() -> None:
    assert said(b"\xff\xfe{\x00}")[0] == ("wrong-encoding", 0)


def test_no_more_than_a_hundred_faults_are_reported_and_all_are_fixed() -> None:
    text = "[" + "[1,],\n" * 300 + "2]"
    assert len(said(text)) == 100
    assert safe(text) == "[" + "[1],\n" * 300 + "2]"


def test_what_messages_quote_cannot_act_on_a_terminal() -> None:
    for fault in faults_of("[a\x1b]0;x\x07b, \\\x1b, '\x1b\u202e', \u2028 {\x1b: 1}]"):
        assert fault.message.isprintable(), fault


def test_the_lines_of_open_brackets_are_named() -> None:
    assert faults_of('{\n"a": [\n1,\n2\n}')[0].message == "] is missing before }: the [ of line 2 is not closed"
    assert faults_of('{\n"a": [\n1')[0].message == (
        "the file ends, but the [ of line 2 and 1 bracket around it are not closed"
    )

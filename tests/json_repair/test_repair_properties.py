"""Texts with slips come back whole, and whatever the bytes, there is a fault exactly where Document has one."""

import random
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.document.strings import read_encoding
from evaltui.json_repair.repair import apply_safe_fixes, spliced, syntax_faults
from tests.agreement.test_agreement import SAMPLES
from tests.document.strategies import DOCUMENTS
from tests.expressions import growth
from tests.json_repair.slips import broken, same_values
from tests.sampling import sampled

SETS = sorted(SAMPLES.glob("*.json"))


def assert_faults_agree(body: bytes) -> None:
    """There are faults where `Document` finds one, in order, each with a place in the text and a message."""
    faults = syntax_faults(body)
    assert bool(faults) == (Document(body).root is None) or body.startswith(b"\xef\xbb\xbf")
    for fault in faults:
        assert 0 <= fault.start <= fault.end <= len(body)
        assert fault.message
        if fault.splice is not None:
            assert 0 <= fault.splice.start <= fault.splice.end <= len(body)
            assert spliced(body, [fault.splice]) != body
    assert [fault.start for fault in faults] == sorted(fault.start for fault in faults)


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
@pytest.mark.parametrize("seed", sampled(range(8)))
def test_sets_with_slips_are_repaired_to_the_very_bytes(path: Path, seed: int) -> None:
    original = path.read_bytes()
    text = broken(original.decode(), random.Random(seed), 1 + seed * 3).encode()
    faults = syntax_faults(text)
    assert faults
    assert apply_safe_fixes(text, faults)[0] == original


@given(DOCUMENTS, st.randoms(use_true_random=False), st.integers(1, 6))
def test_any_text_with_slips_is_repaired_to_equal_values(text: bytes, chance: random.Random, count: int) -> None:
    slipped = broken(text.decode(), chance, count).encode()
    whole = apply_safe_fixes(slipped)[0]
    assert Document(whole).root is not None, (slipped, whole)
    assert same_values(whole, text)


PIECES = [
    *('"', "'", "{", "}", "[", "]", ",", ":", "=", " ", "\n", "\r\n", "\t", "a", "é", "1", "0", "-", "+", ".", "e9"),
    *(
        "true",
        "None",
        "NaN",
        "//",
        "/*",
        "*/",
        "#",
        "\\",
        "\\u",
        "\\ud800",
        "\\x41",
        "“",
        "”",
        "‘",
        "`",
        "\x00",
        "\x1b",
    ),
    *(
        "\ufeff",
        "\u00a0",
        "\u200b",
        "<<<<<<< a\n",
        "=======\n",
        "\n>>>>>>> b\n",
        "```\n",
        "0x1F",
        "undefined",
        "\x0b",
        "\x1b",
    ),
    *('"a": 1', '{"a": [1, {"b": "c"}]}', '"x"'),
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
@example('"a"b"c":"d')
@example("[" * 2000)
@example("<<<<<<< a\n=======\n>>>>>>> b\n")
def test_whatever_is_strung_together_has_a_fault_where_document_has_one(text: str) -> None:
    body = text.encode()
    assert_faults_agree(body)
    whole = apply_safe_fixes(body)[0]
    assert not [fault for fault in syntax_faults(whole) if fault.splice and fault.splice.safe]


@given(st.binary(max_size=60))
@example(b"\xff\xfe{")
@example(b"{\x00}\x00")
@example(b'"\xc3')
@example(b"\x93a\x94")
def test_arbitrary_bytes_have_a_fault_where_document_has_one(data: bytes) -> None:
    _, body = read_encoding(data)
    assert bool(syntax_faults(body)) == (Document(data).root is None)
    assert_faults_agree(body)


@given(DOCUMENTS, st.randoms(use_true_random=False), st.integers(0, 4))
def test_a_text_with_characters_lost_or_doubled_has_a_fault_where_document_has_one(
    document: bytes, chance: random.Random, count: int
) -> None:
    text = document.decode()
    for _ in range(count):
        at = chance.randrange(len(text) + 1)
        text = text[:at] + chance.choice(["", text[at : at + 1] * 2, *PIECES]) + text[at + 1 :]
    assert_faults_agree(text.encode())


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_a_set_that_is_cut_off_anywhere_is_unclosed_in_the_end(path: Path) -> None:
    original = path.read_bytes().rstrip()
    for end in range(0, len(original), max(1, len(original) // 60)):
        found = syntax_faults(original[:end])
        assert found
        assert found[-1].code in ("unclosed-bracket", "empty-file"), found[-1]


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_a_bracket_that_is_lost_before_a_key_is_written_where_it_was(path: Path) -> None:
    original = path.read_bytes()
    for lost in re.finditer(rb'[}\]]\s*(\])(?=,\s*"[^"]*":)', original):
        (fault,) = syntax_faults(original[: lost.start(1)] + original[lost.end(1) :])
        assert fault.splice is not None
        assert fault.splice.start == lost.start(1)
        assert fault.splice.replacement == b"]"


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_a_bracket_that_is_lost_behind_a_key_is_written_where_it_was(path: Path) -> None:
    original = path.read_bytes()
    for lost in re.finditer(rb'": *(\[)(?=\s*[{\[])', original):
        (fault,) = syntax_faults(original[: lost.start(1)] + original[lost.end(1) :])
        assert fault.splice is not None
        assert fault.splice.start == lost.start(1)
        assert fault.splice.replacement == b"["


def test_brackets_that_are_lost_behind_two_keys_are_written_in_both() -> None:
    lines = b'{"cases": [\n{"turns": [{"a": 1}, {"a": "["}], "n": 1},\n{"turns": [{"a": 1}]}\n]}'
    faults = syntax_faults(lines.replace(b"[{", b"{"))
    splices = [fault.splice for fault in faults if fault.splice is not None]
    assert spliced(lines.replace(b"[{", b"{"), splices) == lines


REPEATED = [
    '{"a":{},{}',
    '{"a":{}],',
    "{},[",
    '{"a":[1,"b":',
    '[{"a":1,',
    "[",
    "{",
    '"',
    ",",
    "'",
    '{"a":',
    '"a"b',
    '"\\',
    '"a\n',
    "“a",
    '"a"b",',
    "[}",
    "/*",
    "<<<<<<< a\n",
    "]",
    "`a ",
]


@pytest.mark.parametrize("piece", REPEATED)
def test_a_text_of_one_piece_takes_time_in_proportion_to_its_length(piece: str) -> None:
    def body(length: int) -> bytes:
        return b"[" + piece.encode() * length

    assert 0 < len(syntax_faults(body(500))) <= 100
    assert growth(lambda text: syntax_faults(text, None), body, [1_000]) == 0.0


@pytest.mark.thorough
@pytest.mark.parametrize("piece", REPEATED)
def test_a_long_text_of_one_piece_is_read_to_its_end(piece: str) -> None:
    """What took the square of the size would take minutes here."""
    body = b"[" + (piece * (300_000 // len(piece))).encode()
    assert len(syntax_faults(body)) <= 100
    assert syntax_faults(body, None)

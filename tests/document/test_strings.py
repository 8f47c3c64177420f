"""JSON strings: from their spelling to their text and back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.strings import PLAIN, Spelling, decode, encode, respell, spelling_of, spelling_of_body
from tests.document.strategies import STRINGS

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=12)
SPELLINGS = st.tuples(st.booleans(), st.booleans(), st.booleans())
ASCII, UPPER, SLASH = (True, False, False), (False, True, False), (False, False, True)
ASCII_UPPER, ALL = (True, True, False), (True, True, True)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (rb'"a\u00e9\n\/\""', 'aé\n/"'),
        (rb'"\ud83d\ude00"', "😀"),
        (rb'"\ud83d x"', "\ud83d x"),
        ('"é😀"'.encode(), "é😀"),
        (b'"\xff\xc3"', "\udcff\udcc3"),
        (b'""', ""),
    ],
)
def test_a_literal_is_read(raw: bytes, text: str) -> None:
    assert ascii(decode(raw)) == ascii(text)  # a report cannot hold half a surrogate pair


@pytest.mark.parametrize(
    ("text", "spelling", "raw"),
    [
        ("é😀/\x1b", PLAIN, '"é😀/\\u001b"'),
        ("é😀", ASCII, r'"\u00e9\ud83d\ude00"'),
        ("é😀\x1b", ASCII_UPPER, r'"\u00E9\uD83D\uDE00\u001B"'),
        ("a/b\\/", SLASH, r'"a\/b\\\/"'),
        ("\\u00e9", UPPER, r'"\\u00e9"'),
        ("\ud800", PLAIN, r'"\ud800"'),
        ("\udfff", UPPER, r'"\uDFFF"'),
        ('"\\\n\t\r\b\f', PLAIN, r'"\"\\\n\t\r\b\f"'),
    ],
)
def test_a_text_is_written_as_the_file_spells(text: str, spelling: Spelling, raw: str) -> None:
    assert encode(text, spelling) == raw.encode()


@given(ANY_TEXT, SPELLINGS)
def test_what_is_written_is_read_as_it_was(text: str, spelling: Spelling) -> None:
    raw = encode(text, spelling)
    # Two halves of a surrogate pair side by side are one character, in any JSON.
    assert ascii(decode(raw)) == ascii(json.loads(json.dumps(text)))
    assert not spelling[0] or raw.isascii()


@pytest.mark.parametrize(
    ("raw", "spelling"),
    [
        (r'"\u00e9"', ASCII),
        (r'"\u00E9 \/"', ALL),
        ('"é/"', PLAIN),
        (r'"\u001B"', UPPER),
        ('"plain"', PLAIN),
        (r'"\\u00e9"', PLAIN),
        (r'"\\u00E9 \\\\u00AB"', PLAIN),
        (r'"\\\u00E9"', ASCII_UPPER),
        (r'"C:\\/"', PLAIN),
        (r'"C:\\\/"', SLASH),
        (r'"\u00e9ABC"', ASCII),
    ],
)
def test_a_spelling_is_read_off_a_text(raw: str, spelling: Spelling) -> None:
    assert spelling_of(raw.encode(), PLAIN) == spelling
    assert spelling_of_body(f"[{raw}]".encode()) == spelling


def test_where_a_text_does_not_tell_the_file_does() -> None:
    default = ALL
    assert spelling_of(b'"plain"', default) == default
    assert spelling_of('"é / \\u001b"'.encode(), default) == PLAIN
    assert spelling_of(rb'"\\u00e9"', default) == default


def test_raw_utf8_anywhere_in_a_file_means_that_it_is_not_ascii_only() -> None:
    body = b'["\\u00e9", ' + b"0," * 70_000 + '"é"]'.encode()
    assert not spelling_of_body(body)[0]
    assert spelling_of_body(body.replace("é".encode(), b"e"))[0]


@pytest.mark.parametrize(
    ("old", "text", "new"),
    [
        (r'"caf\u00e9 \u00E9 x"', "café é y", r'"caf\u00e9 \u00E9 y"'),
        (r'"\/a\/b/c"', "/a/X/c", r'"\/a\/X/c"'),
        (r'"a\tb"', "a\tbé", '"a\\tbé"'),
        (r'"\ud83d\ude00 x \ud83d\uDE00"', "😀 y 😀", r'"\ud83d\ude00 y \ud83d\uDE00"'),
        (r'"\u0061bc"', "abc", r'"\u0061bc"'),
        (r'"\u0061bc"', "", '""'),
        (r'"\u00e9"', "éü", r'"\u00e9\u00fc"'),
        ('"é"', "éü", '"éü"'),
        (r'"\\\\"', "\\-\\", r'"\\-\\"'),
        (r'"\\u00e9"', r"\u00e9é", r'"\\u00e9é"'),
        ('""', "new", '"new"'),
    ],
)
def test_a_changed_text_keeps_the_spelling_of_what_it_shares(old: str, text: str, new: str) -> None:
    assert respell(old.encode(), text, PLAIN) == new.encode()


@pytest.mark.parametrize("cut", ["\ud83d", "\ude00"])
def test_halves_of_a_pair_that_meet_are_not_joined_by_accident(cut: str) -> None:
    assert ascii(decode(respell(rb'"\ud83d-\ude00"', cut, PLAIN))) == ascii(cut)
    assert ascii(decode(respell(b'"\xc3-\xa9"', "\udcc3\udca9", PLAIN))) == ascii("\udcc3\udca9")


@given(STRINGS.map(str.encode), ANY_TEXT, st.integers(0, 6), st.integers(0, 6), SPELLINGS)
def test_a_changed_text_is_the_one_that_was_meant(
    old: bytes, middle: str, head: int, tail: int, spelling: Spelling
) -> None:
    before = decode(old)
    text = json.loads(json.dumps(before[:head] + middle + before[len(before) - tail :]))
    assert ascii(decode(respell(old, text, spelling))) == ascii(text)
    assert respell(old, before, spelling) == old


def test_bytes_that_are_not_utf8_stay_bytes_between_two_changes() -> None:
    old = b'"a caf\xe9 b"'
    assert respell(old, "A caf\udce9 B", PLAIN) == b'"A caf\xe9 B"'
    escaped = rb'"a \udce9 b"'
    assert respell(escaped, "A \udce9 B", PLAIN) == rb'"A \udce9 B"'

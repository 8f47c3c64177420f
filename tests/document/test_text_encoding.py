"""Bytes in, the same bytes out, whatever they are."""

import codecs

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Insert, Set
from evaltui.document.strings import invalid_utf8
from tests.document.helpers import edited, root_of, unfold_wholly

TEXT = '{\r\n\t"a": ["é😀", 1],\r\n\t"b": { "c" : [ ] , "d":[{"e": 1.0}, {"e":1e3}] }\r\n}'

KEPT = {
    "bom": codecs.BOM_UTF8 + TEXT.encode(),
    "bom alone": codecs.BOM_UTF8 + b"1",
    "crlf and tabs": TEXT.encode(),
    "no final newline": b'{"a": 1}',
    "several final newlines": b'{"a": 1}\n\n  \t\n',
    "blanks in front": b"\n \t[]",
    "old mac": b'[1,\r2,\r"a"\r]\r',
    "numbers": b"[1.0, 1e3, -0, 1E+03, 0.10, -0.0, 100000000000000000000000000000, 1e999]",
    "5000 digits": b"[" + b"7" * 5000 + b"." + b"1" * 5000 + b"]",
    "escapes": rb'["\u00e9\u00E9\/\ud83d\ude00", "\ud800 alone", "\u0000"]',
    "duplicate keys": rb'{"a": 1, "a": 2, "\u0061": 3}',
    "trailing blanks": b"[1 , \n 2\t ,  \n{ } ,[\n] ]  ",
    "constants": b"[NaN, Infinity, -Infinity]",
    "not utf-8": b'{"\xff": "\xc3\x28 \xed\xa0\x80 \xf0\x9f"}',
    "raw unusual characters": '["\u2028\u0085\ufeff\u202e\x7f\u200b"]'.encode(),
    "utf-16 le": codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
    "utf-16 be": codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
    "utf-32 le": codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"),
    "utf-32 be": codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"),
    "utf-16 with half a pair": codecs.BOM_UTF16_LE + '["x\ud800y"]'.encode("utf-16-le", "surrogatepass"),
}
BROKEN = {
    "empty": b"",
    "bom and nothing": codecs.BOM_UTF8,
    "utf-16 cut in two": codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le")[:-1],
    "utf-16 without a mark": TEXT.encode("utf-16-le"),
    "latin-1 outside of texts": b"[\xe9]",
    "two marks": codecs.BOM_UTF8 * 2 + b"1",
    "zeros": bytes(100),
    "a picture": b"\x89PNG\r\n\x1a\n",
}


@pytest.mark.parametrize("data", KEPT.values(), ids=KEPT)
def test_a_file_keeps_its_bytes(data: bytes) -> None:
    document = Document(data)
    assert document.fault is None
    assert document.to_bytes() == data
    unfold_wholly(document)
    assert document.to_bytes() == data


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_what_is_not_json_keeps_its_bytes_too(data: bytes) -> None:
    document = Document(data)
    assert document.fault is not None
    assert document.to_bytes() == data
    assert document.fault.offset <= len(document.body())


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32"])
def test_an_edit_is_written_in_the_encoding_of_the_file(codec: str) -> None:
    after = edited(TEXT.encode(codec), Set("/a/0", '"é😀ü"'.encode()), Insert("/a/-", b"2"))
    assert after == TEXT.replace("😀", "😀ü").replace(", 1]", ", 1, 2]").encode(codec)


def test_an_edit_beside_bytes_that_are_no_text_keeps_them() -> None:
    source = b'{"\xff": ["\xc3\x28", "x"]}'
    document = Document(source)
    key = root_of(document).items[0].name
    document.apply([Set(f"/{key}/1", b'"y"'), Set(f"/{key}/0", root_of(document).at(f"/{key}/0").source())], "set")
    assert document.to_bytes() == source.replace(b"x", b"y")


def test_a_text_with_bytes_that_are_no_text_keeps_them_where_it_is_changed() -> None:
    assert edited(b'["a\xffb"]', Set("/0", b'"a\xffc"')) == b'["a\xffc"]'


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (b"\xed", "\ufffd"),
        (b"\xed\xa0", "\ufffd\ufffd"),
        (b"x", "x"),
        (b"\xed\xa0\x80x", "\ud800x"),
    ],
)
def test_a_utf16_text_with_half_a_pair_can_be_changed_and_saved(text: bytes, left: str) -> None:
    source = codecs.BOM_UTF16_LE + '["\ud800y", "\udfff"]'.encode("utf-16-le", "surrogatepass")
    after = edited(source, Set("/0", b'"' + text + b'"'))
    expected = codecs.BOM_UTF16_LE + f'["{left}", "\udfff"]'.encode("utf-16-le", "surrogatepass")
    assert after == expected


@pytest.mark.parametrize(
    ("body", "offset"),
    [
        (b"plain", None),
        ("é😀".encode() * 600_000, None),
        (b"ab\xff", 2),
        (b"a" * ((1 << 20) - 1) + "é".encode() + b"\xff", (1 << 20) + 1),
        (b"a" * ((1 << 20) - 2) + "é".encode()[:1] + b"a", (1 << 20) - 2),
        (b"a" * ((1 << 20) - 1) + "é".encode()[:1] + b"a", (1 << 20) - 1),
        ("é".encode()[:1], 0),
    ],
)
def test_the_first_byte_that_is_not_utf8_is_found_across_slices(body: bytes, offset: int | None) -> None:
    assert (invalid_utf8(body) or (None,))[0] == offset

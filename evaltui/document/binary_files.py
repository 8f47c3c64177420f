"""Files that are no text, such as databases and images: their kind, by their first bytes, and the command for them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from evaltui.document.errors import ReadError
from evaltui.document.strings import WIDE_ENCODINGS, invalid_utf8
from evaltui.printable import as_argument

SQLITE: Final = b"SQLite format 3\0"
"""The first bytes of a database (https://sqlite.org/fileformat.html)."""
GZIP: Final = b"\x1f\x8b"
HEAD: Final = 4096
"""The number of first bytes that show whether a file is text."""
_KINDS: Final[Iterable[tuple[str, tuple[bytes, ...]]]] = (
    ("an SQLite database", (SQLITE,)),
    ("a gzip file", (GZIP,)),
    ("a zip archive", (b"PK\3\4", b"PK\5\6", b"PK\7\x08")),
    (
        "a compressed file",
        (b"BZh", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\7"),
    ),
    ("a PNG image", (b"\x89PNG\r\n",)),
    ("a JPEG image", (b"\xff\xd8\xff",)),
    ("a GIF image", (b"GIF87a", b"GIF89a")),
    ("a PDF file", (b"%PDF-",)),
    ("an image or a sound", (b"RIFF", b"II*\0", b"MM\0*", b"OggS", b"ID3")),
    ("a table of a data program", (b"PAR1", b"ARROW1\0\0", b"Obj\1")),
    ("a program", (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")),
)
_TAR: Final = slice(257, 262)  # the place of the word `ustar` in an archive
# A short map with text keys, or a short list of them (https://msgpack.org). No text in UTF-8 begins so.
_is_message_pack = re.compile(rb"[\x90-\x9f]?[\x81-\x8f][\xa1-\xbf\xd9]").match
# A map with a short text as its first key, or a list of them (RFC 8949). The key is looked at as well, because these
# bytes alone can be text in Latin-1.
_begins_cbor = re.compile(rb"(?:\xd9\xd9\xf7)?[\x80-\x97]?[\xa1-\xb7\xbf]([\x61-\x77])").match
_is_key = re.compile(rb"[A-Za-z_$][\w.$-]*").fullmatch
_is_of_sessions = re.compile(rb'CREATE TABLE ["`\[]?(?:sessions|events)\b', re.IGNORECASE).search
_FIRST: Final = 16  # bytes at the start in which no text has more than one control character
_control = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")
_controls, _has_controls = _control.findall, _control.search


def refuse_binary(data: bytes, name: str) -> None:
    """Raise `ReadError` if a file is no text. `data` are all its bytes or the first `HEAD` bytes."""
    if reason := why_binary(data, name):
        raise ReadError(f"{name}: {reason}")


def why_binary(data: bytes, name: str) -> str:
    """The kind of a file that is no text, and the command for it; "" for text, also in UTF-16 and other encodings."""
    kind = kind_of_binary(data)
    if not kind:
        return ""
    file = as_argument(name) if name != "-" else "FILE"
    use = "give a JSON file (`evaltui edit FOLDER` lists the eval sets of a folder)"
    if data.startswith(SQLITE):
        use = f"if it has sessions of google-adk, `evaltui record {file} --list` shows them"
        if _is_of_sessions(data):
            kind = "a session database of google-adk"
            use = f"`evaltui record {file} --list` shows its sessions, and `evaltui run SET -r {file}` scores them"
    elif data.startswith(GZIP):
        use = f"unpack it first (`gunzip -k {file}`); only recordings and results are read as they are"
    return f"this is {kind}, not a text file; {use}"


def kind_of_binary(data: bytes) -> str:
    """The kind of a file that is no text, as words for a sentence; "" for text."""
    head = data[:HEAD]
    for kind, signatures in _KINDS:
        if head.startswith(signatures):
            return kind
    if head[_TAR] == b"ustar":
        return "a tar archive"
    if _is_message_pack(head):
        return "a MessagePack file"
    if match := _begins_cbor(head):
        length = match[1][0] - 0x60
        key = head[match.end() : match.end() + length]
        if len(key) == length and _is_key(key):
            return "a CBOR file"
    start = head.removeprefix(b"\xef\xbb\xbf")
    # What begins like JSON is a text with a fault, whatever follows.
    if start.startswith((b"\xff\xfe", b"\xfe\xff")) or start.lstrip()[:1] in (b"{", b"[", b'"'):
        return ""
    zeros = tuple(place for place, byte in enumerate(start[:4]) if byte == 0)
    is_wide = any(zeros == places for _, _, places in WIDE_ENCODINGS)
    if is_wide and _has_controls(start[:64].replace(b"\0", b"")) is None:
        return ""
    has_many_controls = b"\0" in start or len(_controls(start[:_FIRST])) > 1
    is_no_text = has_many_controls or (_has_controls(start) and invalid_utf8(start[: HEAD - 4]))
    return "a binary file" if is_no_text else ""

"""Conversion between the bytes of a file and the UTF-8 body that all other modules of this package use.

UTF-8 bodies are the file's own bytes, even if they are not valid UTF-8. UTF-16 and UTF-32 are read if the file has a
byte order mark, and written back in the same form.
"""

from __future__ import annotations

import codecs
from typing import NamedTuple

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SLICE = 1 << 16
_HALVES_PASS = "evaltui.halves"


class Encoding(NamedTuple):
    """The relation of a file's bytes to its body: `mark` + body encoded as `codec`."""

    mark: bytes = b""
    codec: str = "utf-8"

    def to_file(self, body: bytes) -> bytes:
        """The bytes of a file with this UTF-8 body."""
        if self.codec == "utf-8":
            return self.mark + body
        return self.mark + body.decode("utf-8", _HALVES_PASS).encode(self.codec, "surrogatepass")


def _pass_halves(error: UnicodeError) -> tuple[str | bytes, int]:
    """Half a surrogate pair of a UTF-16 file stays; half a pair that an edit left behind becomes �."""
    try:
        return codecs.lookup_error("surrogatepass")(error)
    except UnicodeError:
        return codecs.replace_errors(error)


codecs.register_error(_HALVES_PASS, _pass_halves)


def read_encoding(data: bytes) -> tuple[Encoding, bytes]:
    """The encoding that `data` announces, and its UTF-8 body.

    A UTF-16 or UTF-32 text that cannot be decoded exactly is left as it is: it will fail as JSON, with a place.
    """
    for mark, codec in _MARKS:
        if not data.startswith(mark):
            continue
        encoding, body = Encoding(mark, codec), data[len(mark) :]
        if codec == "utf-8":
            return encoding, body
        try:
            body = body.decode(codec, "surrogatepass").encode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            continue
        if encoding.to_file(body) == data:
            return encoding, body
    return Encoding(), data


def first_invalid_utf8(body: bytes) -> int | None:
    """The offset of the first byte that is not UTF-8, or None."""
    found = None if body.isascii() else invalid_utf8(body, 0)
    return found[0] if found is not None else None


def invalid_utf8(body: bytes, start: int) -> tuple[int, int] | None:
    """The place of the first bytes from `start` on that are not UTF-8; None if all are UTF-8.

    Reads in slices to save memory: a decoder's error holds a copy of all its input.
    """
    while start < len(body):
        stop = min(len(body), start + _SLICE)
        try:
            body[start:stop].decode("utf-8")
        except UnicodeDecodeError as error:
            if error.end < stop - start or stop == len(body) or error.reason != "unexpected end of data":
                return start + error.start, start + error.end
            start += error.start  # a character that continues in the next slice
        else:
            start = stop
    return None

"""JSON Pointers (RFC 6901): addresses of values inside a document."""

from __future__ import annotations

import re

from evaltui.document.errors import PointerError
from evaltui.printable import quoted

_bad_escape = re.compile(r"~(?![01])").search
_array_index = re.compile(r"(?:0|[1-9][0-9]{0,17})\Z").match


def parse_pointer(pointer: str) -> list[str]:
    """The reference tokens of `pointer`, unescaped; raises `PointerError` if it is malformed."""
    if pointer == "":
        return []
    if not pointer.startswith("/"):
        raise PointerError(f"the pointer {quoted(pointer)} does not begin with /")
    if _bad_escape(pointer):
        raise PointerError(f"the pointer {quoted(pointer)} has a ~ without 0 or 1 after it")
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]


def escape(token: str) -> str:
    """One reference token, escaped for a pointer."""
    return token.replace("~", "~0").replace("/", "~1")


def join(*tokens: str | int) -> str:
    """The pointer made of `tokens`."""
    return "".join("/" + escape(str(token)) for token in tokens)


def parent_and_last(pointer: str) -> tuple[str, str]:
    """The pointer of the container and the unescaped last token; raises `PointerError` for the root."""
    tokens = parse_pointer(pointer)
    if not tokens:
        raise PointerError("the whole document has no container")
    return pointer.rpartition("/")[0], tokens[-1]


def array_index(token: str, pointer: str) -> int:
    """`token` as an index into an array; raises `PointerError`, also for leading zeros and signs."""
    if not _array_index(token):
        raise PointerError(f"{pointer}: {quoted(token)} is not a list index")
    return int(token)

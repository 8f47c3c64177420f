"""Patterns of `.gitignore` as regular expressions that take linear time for each name in a path.

The rules are from git's `wildmatch.c`: `*` and `?` match no slash, `**` between slashes matches folders, and brackets
hold ranges and POSIX classes. Names are bytes, as in git. The text after a `*` is an atomic group, so that the match
never backtracks into it: a plain translation of `*a*a*a*b` tries every combination of the `a`s.
"""

from __future__ import annotations

import re
import string

_STAR = b"[^/]*"
_FOLDERS = b"(?:[^/]*+/)*"
_ANYTHING = b".*"

_CLASSES = {
    "alnum": string.ascii_letters + string.digits,
    "alpha": string.ascii_letters,
    "blank": " \t",
    "cntrl": "".join(map(chr, (*range(32), 127))),
    "digit": string.digits,
    "graph": string.ascii_letters + string.digits + string.punctuation,
    "lower": string.ascii_lowercase,
    "print": string.ascii_letters + string.digits + string.punctuation + " ",
    "punct": string.punctuation,
    "space": " \t\n\r\v\f",
    "upper": string.ascii_uppercase,
    "xdigit": string.hexdigits,
}
_POSIX = {name.encode(): frozenset(members.encode()) for name, members in _CLASSES.items()}


class _NeverError(ValueError):
    """The pattern is malformed, so git matches nothing with it."""


def translated(pattern: bytes) -> bytes | None:
    """Regular expression for a whole name or path; None for a pattern that matches nothing."""
    try:
        tokens = _tokens(pattern)
    except _NeverError:
        return None
    legs: list[tuple[bytes, list[bytes]]] = [(b"", [])]
    for token in tokens:
        if token in (_FOLDERS, _ANYTHING):
            if legs[-1] == (_FOLDERS, []):  # `**/**/` is `**/`
                legs.pop()
            legs.append((token, []))
        else:
            legs[-1][1].append(token)
    *inner, (gap, last) = legs
    parts = [b"(?>" + _lazy(each) + _leg(leg, is_last=False) + b")" for each, leg in inner]
    return b"".join(parts) + _lazy(gap) + _leg(last, is_last=True) + rb"\Z"


def _lazy(gap: bytes) -> bytes:
    return gap + b"?" if gap else b""


def _leg(tokens: list[bytes], *, is_last: bool) -> bytes:
    """Regular expression for the tokens between two `**`. From a given start only the leftmost match is tried."""
    chunks: list[bytes] = [b""]
    for token in tokens:
        if token == _STAR:
            chunks.append(b"")
        else:
            chunks[-1] += token
    first, *rest = chunks
    end = rest.pop() if rest and is_last else None
    found = first + b"".join(b"(?>[^/]*?" + chunk + b")" for chunk in rest)
    return found if end is None else found + _STAR + end


def _tokens(pattern: bytes) -> list[bytes]:
    """The regular expressions of the pattern, in order: one for each byte to match and for each gap (`*`, `**`)."""
    tokens: list[bytes] = []
    at = 0
    while at < len(pattern):
        sign = pattern[at : at + 1]
        if sign == b"*":
            token, at = _stars(pattern, at)
        elif sign == b"[":
            token, at = _bracket(pattern, at + 1)
        elif sign == b"?":
            token, at = b"[^/]", at + 1
        else:
            at += sign == b"\\"
            if at == len(pattern):
                raise _NeverError
            token, at = re.escape(pattern[at : at + 1]), at + 1
        tokens.append(token)
    return tokens


def _stars(pattern: bytes, start: int) -> tuple[bytes, int]:
    end = start
    while pattern[end : end + 1] == b"*":
        end += 1
    is_between = start == 0 or pattern[start - 1 : start] == b"/"
    if end - start == 1 or not is_between:
        return _STAR, end
    if end == len(pattern) or pattern[end : end + 2] == b"\\/":
        return _ANYTHING, end
    return (_FOLDERS, end + 1) if pattern[end : end + 1] == b"/" else (_STAR, end)


def _bracket(pattern: bytes, at: int) -> tuple[bytes, int]:
    """Character class for the bracket whose content starts at `at`, and the index behind the bracket."""
    is_negated = pattern[at : at + 1] in (b"!", b"^")
    at += is_negated
    found: set[int] = set()
    before, is_first = 0, True
    while is_first or _byte(pattern, at) != ord("]"):
        sign, is_first = _byte(pattern, at), False
        if sign == ord("-") and before and pattern[at + 1 : at + 2] not in (b"", b"]"):
            last, at = _escaped(pattern, at + 1)
            found.update(range(before, last + 1))
            before = 0
        elif sign == ord("[") and pattern[at + 1 : at + 2] == b":" and (named := _named(pattern, at + 2)) is not None:
            found |= _POSIX[named[0]]
            at, before = named[1], 0
        else:
            before, at = _escaped(pattern, at)
            found.add(before)
    found = found | {ord("/")} if is_negated else found - {ord("/")}
    members = b"".join(b"\\x%02x" % each for each in sorted(found))
    return (b"[^" if is_negated else b"[") + members + b"]" if members else b"(?!)", at + 1


def _byte(pattern: bytes, at: int) -> int:
    if at >= len(pattern):
        raise _NeverError
    return pattern[at]


def _escaped(pattern: bytes, at: int) -> tuple[int, int]:
    """The byte at an index, or the byte that a backslash there escapes; and the index behind it."""
    at += _byte(pattern, at) == ord("\\")
    return _byte(pattern, at), at + 1


def _named(pattern: bytes, start: int) -> tuple[bytes, int] | None:
    """The POSIX class whose name starts at `start`, and the index behind it; None if this is not a class."""
    end = pattern.find(b"]", start)
    if end < 0:
        raise _NeverError
    if end - start < 1 or pattern[end - 1 : end] != b":":
        return None
    if pattern[start : end - 1] not in _POSIX:
        raise _NeverError
    return pattern[start : end - 1], end + 1

"""Rules of `.gitignore` files, applied as git applies them.

The rules of a pattern are from git's `wildmatch.c`: `*` and `?` match no slash, `**` between slashes matches folders,
and brackets hold ranges and POSIX classes. Names are bytes, as in git. The text after a `*` is an atomic group, so
that the match never backtracks into it: a plain translation of `*a*a*a*b` tries every combination of the `a`s, while
this one takes linear time for each name in a path.
"""

from __future__ import annotations

import errno
import os
import re
import string
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from evaltui.file_access import exists, is_of, owners_near, read_regular, why_unreadable

NAME = ".gitignore"
LARGEST = 1_000_000
"""The most bytes of a `.gitignore`; a larger one is left out."""
_MOST_PATTERNS = 200_000
"""The most bytes of all patterns as regular expressions: compiling more takes over a second."""
_LONGEST_LINE = 4096
"""The most bytes of a line. A path has at most as many, so a longer literal matches nothing."""
_special = re.compile(rb"[*?\[\\]")

Complain = Callable[[Path, str], None]
"""Called with a file or folder that cannot be read, and the reason as a clause."""


class _Rule(NamedTuple):
    name: bytes
    """The only name that the rule matches; empty for a pattern."""
    expression: bytes
    """Regular expression for a whole name or, with `in_path`, a whole path relative to the folder of the file."""
    in_path: bool
    only_folders: bool
    negates: bool


class Rules:
    """The rules of one `.gitignore`, in force in `folder` and below. Raises ValueError for too many patterns."""

    def __init__(self, folder: Path, data: bytes) -> None:
        self._start = len(os.fsencode(folder.absolute() / "_")) - 1
        lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        self._rules = [rule for line in lines if (rule := _read(line)) is not None]
        patterns = [rule for rule in self._rules if not rule.name]
        if sum(len(rule.expression) for rule in patterns) > _MOST_PATTERNS:
            raise ValueError("the file has too many patterns")
        # Nearly all entries match no rule: one regular expression of all patterns finds that out at once.
        self._names = frozenset(rule.name for rule in self._rules if rule.name)
        self._any_name = _either(rule for rule in patterns if not rule.in_path)
        self._any_path = _either(rule for rule in patterns if rule.in_path)

    def verdict(self, path: bytes, is_folder: bool) -> bool | None:
        """Whether the last matching rule ignores the entry at an absolute path; None if no rule matches."""
        inner = path[self._start :]
        name = inner[inner.rfind(b"/") + 1 :]
        if name not in self._names and self._any_name(name) is None and self._any_path(inner) is None:
            return None
        for rule in reversed(self._rules):
            if rule.only_folders and not is_folder:
                continue
            if rule.name == name or (not rule.name and _compiled(rule.expression)(inner if rule.in_path else name)):
                return not rule.negates
        return None


def rules_of(folder: Path, complain: Complain) -> Rules | None:
    """Rules of the `.gitignore` in a folder; None without a usable one."""
    path = folder / NAME
    try:
        return Rules(folder, read_regular(path, LARGEST, follow=False))
    except OSError as error:
        # git reads no link here (ELOOP), and nothing that is no file (EINVAL). The search reports a name too long.
        if error.errno in (errno.ENOENT, errno.ELOOP, errno.EINVAL, errno.ENAMETOOLONG):
            return None
        complain(path, f"{why_unreadable(error)}; its rules are not used")
    except ValueError as error:
        complain(path, f"{error}; its rules are not used")
    return None


def rules_above(folder: Path, complain: Complain) -> tuple[Rules, ...]:
    """Rules in force in a folder from the files above it, up to the root of its repository; outermost first.

    As for git, a repository of a stranger is none: in /tmp, it could hide all files of other users.
    """
    folder = folder.absolute()
    owners = owners_near(folder)
    if exists(folder / ".git"):
        return ()
    for number, above in enumerate(folder.parents, 1):
        if is_of(owners, above / ".git"):
            rules = (rules_of(inner, complain) for inner in reversed(folder.parents[:number]))
            return tuple(filter(None, rules))
    return ()


def is_ignored(path: bytes, is_folder: bool, rules: tuple[Rules, ...]) -> bool:
    """Whether git ignores an entry in a folder that is not ignored. The innermost file with a matching rule decides."""
    for rules_of_file in reversed(rules):
        if (verdict := rules_of_file.verdict(path, is_folder)) is not None:
            return verdict
    return False


def _read(line: bytes) -> _Rule | None:
    """The rule in a line; None if it can match nothing."""
    if line.startswith(b"#") or len(line) > _LONGEST_LINE:
        return None
    line = line.removesuffix(b"\r")
    bare = line.rstrip(b" ")
    # A backslash keeps the first of the trailing blanks. An even number of backslashes escapes only themselves.
    is_escaped = (len(bare) - len(bare.rstrip(b"\\"))) % 2
    line = line[: len(bare) + 1] if is_escaped else bare
    negates = line.startswith(b"!")
    line = line[negates:]
    only_folders = line.endswith(b"/")
    pattern = line[: len(line) - only_folders]
    in_path = b"/" in pattern
    pattern = pattern.removeprefix(b"/") if in_path else pattern
    # git compares the part before the first special character literally, and the rest as a separate pattern.
    special = _special.search(pattern)
    cut = special.start() if special else len(pattern)
    rest = _translated(pattern[cut:])
    if not pattern or rest is None:
        return None
    name = pattern if cut == len(pattern) and not in_path else b""
    return _Rule(name, re.escape(pattern[:cut]) + rest, in_path, only_folders, negates)


def _either(rules: Iterator[_Rule]) -> Callable[[bytes], re.Match[bytes] | None]:
    expression = b"|".join(dict.fromkeys(rule.expression for rule in rules))
    return re.compile(expression or b"(?!)", re.DOTALL).match  # an empty expression would match everything


@lru_cache(maxsize=10_000)
def _compiled(expression: bytes) -> Callable[[bytes], re.Match[bytes] | None]:
    return re.compile(expression, re.DOTALL).match


# --- patterns as regular expressions ---------------------------------------------------------------------------

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


def _translated(pattern: bytes) -> bytes | None:
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
    *inner, (last_gap, last_leg) = legs
    # A gap is lazy, and the empty gap before the first leg is none.
    parts = [b"(?>" + gap + b"?" * bool(gap) + _leg(leg, is_last=False) + b")" for gap, leg in inner]
    return b"".join(parts) + last_gap + b"?" * bool(last_gap) + _leg(last_leg, is_last=True) + rb"\Z"


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
    expression = first + b"".join(b"(?>[^/]*?" + chunk + b")" for chunk in rest)
    # The text after the last star of a pattern stands at the end of the name, so the leftmost match may be too early.
    return expression if end is None else expression + _STAR + end


def _tokens(pattern: bytes) -> list[bytes]:
    """The regular expressions of the pattern, in order: one for each byte to match and for each gap (`*`, `**`)."""
    tokens: list[bytes] = []
    index = 0
    while index < len(pattern):
        sign = pattern[index : index + 1]
        if sign == b"*":
            token, index = _stars(pattern, index)
        elif sign == b"[":
            token, index = _bracket(pattern, index + 1)
        elif sign == b"?":
            token, index = b"[^/]", index + 1
        else:
            index += sign == b"\\"
            if index == len(pattern):
                raise _NeverError
            token, index = re.escape(pattern[index : index + 1]), index + 1
        tokens.append(token)
    return tokens


def _stars(pattern: bytes, start: int) -> tuple[bytes, int]:
    end = len(pattern) - len(pattern[start:].lstrip(b"*"))
    is_between = start == 0 or pattern[start - 1 : start] == b"/"
    if end - start == 1 or not is_between:
        return _STAR, end
    if end == len(pattern) or pattern[end : end + 2] == b"\\/":
        return _ANYTHING, end
    return (_FOLDERS, end + 1) if pattern[end : end + 1] == b"/" else (_STAR, end)


def _bracket(pattern: bytes, index: int) -> tuple[bytes, int]:
    """Character class for the bracket whose content starts at `index`, and the index after the bracket."""
    is_negated = pattern[index : index + 1] in (b"!", b"^")
    index += is_negated
    members: set[int] = set()
    previous, is_first = 0, True
    while is_first or _byte(pattern, index) != ord("]"):  # a bracket right after the opening one is a member
        sign, is_first = _byte(pattern, index), False
        following = pattern[index + 1 : index + 2]
        if sign == ord("-") and previous and following not in (b"", b"]"):
            last, index = _escaped(pattern, index + 1)
            members.update(range(previous, last + 1))
            previous = 0
        elif sign == ord("[") and following == b":" and (posix_class := _posix_class(pattern, index + 2)) is not None:
            members |= _POSIX[posix_class[0]]
            index, previous = posix_class[1], 0
        else:
            previous, index = _escaped(pattern, index)
            members.add(previous)
    # Whatever stands in it, a bracket matches no slash (WM_PATHNAME of git).
    members = members | {ord("/")} if is_negated else members - {ord("/")}
    escaped = b"".join(b"\\x%02x" % member for member in sorted(members))
    return (b"[^" if is_negated else b"[") + escaped + b"]" if escaped else b"(?!)", index + 1


def _byte(pattern: bytes, index: int) -> int:
    if index >= len(pattern):
        raise _NeverError
    return pattern[index]


def _escaped(pattern: bytes, index: int) -> tuple[int, int]:
    """The byte at an index, or the byte after a backslash there; and the index after it."""
    index += _byte(pattern, index) == ord("\\")
    return _byte(pattern, index), index + 1


def _posix_class(pattern: bytes, start: int) -> tuple[bytes, int] | None:
    """The POSIX class whose name starts at `start`, and the index after it; None if this is not a class."""
    end = pattern.find(b"]", start)
    if end < 0:
        raise _NeverError
    if end - start < 1 or pattern[end - 1 : end] != b":":
        return None
    if pattern[start : end - 1] not in _POSIX:
        raise _NeverError
    return pattern[start : end - 1], end + 1

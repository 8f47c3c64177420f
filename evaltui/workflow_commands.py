"""Words that a CI runner obeys in a log: written so that it does not, and the commands of GitHub that evaltui means.

GitHub's runner trims a line and obeys `::name …::`; it finds `##[name]` anywhere in a line (`ActionCommand.cs` of
actions/runner; act and Gitea have the same). Azure finds `##vso[` anywhere, TeamCity `##teamcity[`, and GitLab the
marks of sections, `section_start:` and `section_end:`.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO, Literal, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_RUNNERS = ("CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "TEAMCITY_VERSION")
_CHARS = ("utf-8", "surrogateescape")
_BLANKS = r"(?:[^\S\r\n]|[\u200b-\u200f\u2060\ufeff]|\x1b\[[0-?]*+[ -/]*+[@-~])*"
"""Characters at the start of a line that a reader does not see. The runner trims blanks of Unicode, too."""
_AT_START = re.compile(rf"[\r\n]{_BLANKS}::")
_ANYWHERE = re.compile(r"##(?:vso|teamcity)?\[|section_(?:start|end):")
_HEAD = re.compile(f"{_BLANKS}:?")
"""A line in which the next sign may complete `::`."""
_LONGEST = 13
"""The characters of the longest word, without its last."""
_WHOLE = 80
"""The most characters of a line that are kept as they are."""


def is_runner() -> bool:
    """Whether the log of a CI runner may show what this process prints."""
    return any(map(os.environ.get, _RUNNERS))


def without_runner_words(text: str, spell: Callable[[str], str], *, may_command: bool = False) -> str:
    """`text` with the last sign of each word, `[` or `:`, spelled by `spell`. If it `may_command`, `::` stays."""

    def respelled(word: re.Match[str]) -> str:
        return word[0][:-1] + spell(word[0][-1])

    if "::" in text and not may_command:
        text = _AT_START.sub(respelled, f"\n{text}")[1:]
    if "##" in text or "section_" in text:
        text = _ANYWHERE.sub(respelled, text)
    return text


def spaced(sign: str) -> str:
    """The sign behind a space: `: :error::`, `## [group]`. The text stays readable."""
    return f" {sign}"


def guard_streams() -> None:
    """On a CI runner, let no line on stdout and stderr be a command to it."""
    if not is_runner():
        return
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        guarded = io.TextIOWrapper(
            _GuardedBytes(stream),
            encoding=stream.encoding,
            errors=stream.errors,
            line_buffering=stream.line_buffering,
            write_through=stream.write_through,
        )
        setattr(sys, name, guarded)


@contextmanager
def commanding(stream: TextIO) -> Iterator[None]:
    """Within the context, lines of `stream` may begin with `::`, because they are commands of evaltui."""
    guard = getattr(stream, "buffer", None)
    if not isinstance(guard, _GuardedBytes):
        yield
        return
    stream.flush()
    guard.may_command = True
    try:
        yield
    finally:
        stream.flush()
        guard.may_command = False


def unguarded(stream: TextIO) -> BinaryIO:
    """The bytes of a stream without its guard, for documents that are exact or have no runner words."""
    stream.flush()
    return stream.buffer.unguarded if isinstance(stream.buffer, _GuardedBytes) else stream.buffer


class _GuardedBytes(io.BufferedIOBase):
    """Writes bytes to a stream, with a space in each runner word, however the word is cut into writes."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream  # it closes its bytes when nothing refers to it
        self.unguarded = stream.buffer
        self._line = b""
        """The written part of the last line, as far as a word may begin in it."""
        self.may_command = False

    def write(self, data: ReadableBuffer, /) -> int:
        """Write `data` with its guards; returns the length of `data`. Raises `OSError`."""
        written = bytes(data)
        line_start = self._line
        # A word that began in an earlier write ends in this one: the space goes before its last sign.
        text = (line_start + written).decode(*_CHARS)
        guarded = without_runner_words(text, spaced, may_command=self.may_command)
        line = guarded[max(guarded.rfind("\n"), guarded.rfind("\r")) + 1 :]
        # A long line without a newline would be copied at each write; only its end can begin a word.
        if len(line) > _WHOLE:
            line = f" {line[-1]}" if _HEAD.fullmatch(line) else f".{line[-_LONGEST:]}"
        self._line = line.encode(*_CHARS)
        self.unguarded.write(guarded.encode(*_CHARS)[len(line_start) :])
        return len(written)

    @property
    def name(self) -> str:
        """The name of the stream, such as `<stdout>`."""
        return self.unguarded.name

    def flush(self) -> None:
        self.unguarded.flush()

    def fileno(self) -> int:
        return self.unguarded.fileno()

    def isatty(self) -> bool:
        return self.unguarded.isatty()

    def writable(self) -> bool:
        return True


# --- annotations: commands that show a message at a line of a pull request ------------------------------------------

Level = Literal["error", "warning", "notice"]
_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_ESCAPES_IN_PROPERTIES = _ESCAPES | str.maketrans({":": "%3A", ",": "%2C"})


def annotation(level: Level, message: str, properties: Mapping[str, object]) -> str:
    """The command. No text can end it or begin another. Properties that are None are left out."""
    pairs = ",".join(
        f"{name}={str(value).translate(_ESCAPES_IN_PROPERTIES)}"
        for name, value in properties.items()
        if value is not None
    )
    return f"::{level} {pairs}::{message.translate(_ESCAPES)}"


def annotated_path(path: str) -> str:
    """The path from the root of the checkout, as GitHub reads it; outside of a checkout, the path as it is."""
    root = os.environ.get("GITHUB_WORKSPACE")
    if root:
        with suppress(OSError, ValueError):  # the current folder is deleted, or the path has a null byte
            from_root = os.path.relpath(path, os.path.realpath(root))
            return path if f"{from_root}/".startswith(f"{os.pardir}/") else from_root
    return path

"""Text of unknown origin in Markdown: escaped, as code, and in fenced blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evaltui.printable import one_line, printable

_ACTIVE = re.compile(r"([\\`*_{}\[\]()#+\-.!|~>])")


def escaped(text: str) -> str:
    """`text` escaped: no markup, no HTML, no mention, no link."""
    # GitHub links @names and addresses even after a backslash. An empty comment inside them prevents it.
    safe = one_line(text).replace("&", "&amp;").replace("<", "&lt;")
    safe = _ACTIVE.sub(r"\\\1", safe).replace("@", "@<!-- -->")
    return safe.replace("://", ":<!-- -->//").replace("www\\.", "www<!-- -->\\.")


def code(text: str, *, in_table: bool = False) -> str:
    """`text` as Markdown code, between more backticks than it has in a row. In a table, bars are escaped."""
    safe = one_line(text).replace("|", "¦") if in_table else one_line(text)
    fence = "`" * (_longest_run(safe) + 1)
    blank = " " if safe.startswith("`") or safe.endswith("`") else ""
    return f"{fence}{blank}{safe}{blank}{fence}"


def fenced(lines: Sequence[str], language: str) -> Iterator[str]:
    """A fenced code block. The fence is longer than any run of backticks in the lines."""
    safe = [printable(line) for line in lines]
    fence = "`" * max(3, *(_longest_run(line) + 1 for line in safe), 3)
    yield from (f"{fence}{language}", *safe, fence)


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)

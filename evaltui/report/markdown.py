"""Text of unknown origin in Markdown: sentences, code, and fenced blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evaltui.printable import one_line, printable

# GitHub turns far more into links than Markdown has: `#123`, `GH-1`, ids of commits, `:smile:`, `@names`, addresses;
# and `$x$` into formulas. It does so in the finished page, where no backslash and no entity is left. Only code is
# spared.
_PLAIN = re.compile(
    r"""
    (?! .* \b [0-9a-f]{7,40} \b )  # the id of a commit
    ["'“(]*
    (?: [^\W\d_]+ (?: ['’-] [^\W\d_]+ )*  # letters
      | [+-]? \d+ (?: [.,] \d+ )* %?
    )
    [)"'”,;:.?!…]*
    | [<>=→≥≤·–—…×✓✗▼▲]
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""A word in which nothing is a mark of Markdown or a link of GitHub, whatever stands before and after it."""
_BLOCK_START = re.compile(r"[<>=+-]|\d+[.)]$")
"""A word that would begin a block of Markdown: a list, a quote, or the underline of a heading."""
_PUNCTUATION = ",;:.?!…"


def prose(text: str, *, in_table: bool = False) -> str:
    """A sentence: its plain words as they are, all others as code. No markup, no HTML, no mention, no link."""
    if not text:
        return ""
    pieces: list[str] = []
    code_words: list[str] = []
    depth = 0  # of brackets: the arguments of a tool call are one piece of code with its name
    for word in one_line(text).split(" "):
        is_first = not (pieces or code_words)
        is_plain = depth <= 0 and _PLAIN.fullmatch(word) and not (is_first and _BLOCK_START.match(word))
        if code_words and depth <= 0 and (is_plain or code_words[-1].endswith((",", ";", ":"))):
            pieces.append(_code_in_sentence(code_words, in_table=in_table))
            code_words, depth = [], 0
        if is_plain:
            pieces.append(word)
        else:
            code_words.append(word)
            depth += word.count("(") - word.count(")")
    return " ".join([*pieces, *([_code_in_sentence(code_words, in_table=in_table)] if code_words else [])])


def _code_in_sentence(words: Sequence[str], *, in_table: bool) -> str:
    """Words as code, with the punctuation after them outside, and a bracket that a word before them opens."""
    text = " ".join(words)
    inner = text.rstrip(_PUNCTUATION) or text
    if inner.endswith(")") and len(inner) > 1 and inner.count("(") < inner.count(")"):
        inner = inner[:-1]
    return f"{code(inner, in_table=in_table)}{text[len(inner) :]}"


def code(text: str, *, in_table: bool = False) -> str:
    """`text` as Markdown code, between more backticks than it has in a row; "" as a blank."""
    # GitHub splits a row at its bars before it looks for code.
    safe = one_line(text).replace("|", "¦") if in_table else one_line(text)
    # Code ends at a run of backticks as long as its first one, so no text can end it earlier.
    fence = "`" * (_longest_run(safe) + 1)
    blank = " " if not safe or safe.startswith("`") or safe.endswith("`") else ""
    return f"{fence}{blank}{safe}{blank if safe else ''}{fence}"


def fenced(lines: Sequence[str], language: str) -> Iterator[str]:
    """A fenced code block. The fence is longer than any run of backticks in the lines."""
    safe = [printable(line) for line in lines]
    fence = "`" * max(3, *(_longest_run(line) + 1 for line in safe), 3)
    yield from (f"{fence}{language}", *safe, fence)


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)

"""Lines of panes: runs of text, each with a role, and marks. The stylesheet defines the look of a role."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from rich.cells import cell_len, chop_cells, set_cell_size
from textual.content import Content

from evaltui.printable import one_line, printable

Run = tuple[str, str]
"""A text and its role: "" (plain), or one of `ROLES`."""

Line = list[Run]

JOINING = re.compile("[\u200d\ufe0f]")
"""The joiner of emoji, and the selector that makes a sign as wide as an emoji: with them, several code points are one
character on screen."""
_JSON = json.JSONEncoder(ensure_ascii=False)

FILL = "fill"
"""Role of a run that fills the free room of its line and pushes later runs to the right edge."""

PROSE = frozenset({"prose", "dim", "warning", "error"})
"""Roles of sentences and hints, which are cut at a word. Other runs are mostly values of a file, cut anywhere."""

ROLES = ("prose", "dim", "name", "accent", "ok", "warning", "error", "heading", "differs", "key", "hovered")


# --- marks of rows and lines: the sign and a space, to put before a text, and the role that colours it ---------------

ERROR: Run = ("✗ ", "error")
WARNING: Run = ("! ", "warning")
INFO: Run = ("· ", "dim")
DRAFT: Run = ("✎ ", "warning")
NO_MARK: Run = ("  ", "")
"""Spaces in place of a mark, so that texts align."""

PASSED: Run = ("✓ ", "ok")
NOT_EVALUATED: Run = ("– ", "dim")
OUTDATED: Run = ("~ ", "dim")
"""Mark of an outdated score: the case was edited after it was scored."""

COUNTING: Run = ("● ", "accent")
"""Mark of the run that counts for its case."""
UNSAVED: Run = ("● ", "accent")
MARKED: Run = ("◆ ", "accent")
"""Mark of a row that the user marked for commands on several rows."""

SEVERITY_MARKS = {"": NO_MARK, "error": ERROR, "warning": WARNING, "info": INFO, "draft": DRAFT}
"""Marks by severity of a problem or remark; drafts count as problems."""

STATUS_MARKS = {"passed": PASSED, "failed": ERROR, "not_evaluated": NOT_EVALUATED, "informational": INFO}
"""Marks by status of a score."""

CHANGE_ROLES = {"improved": "ok", "regressed": "error", "not_evaluated": "warning"}
"""Roles of changes between two runs in which the verdict changed."""

STATE_MARKS: dict[str, Run] = {
    "matched": ("= ", "ok"),
    "arguments_differ": ("~ ", "warning"),
    "missing": ("- ", "error"),
    "extra": ("+ ", "error"),
    "moved": ("↕ ", "warning"),
}
"""Marks by the result of comparing a tool call or word with the recording."""


def sign(mark: Run) -> str:
    """The sign of a mark without its space."""
    return mark[0].rstrip()


# --- texts ---------------------------------------------------------------------------------------------------------


def dim(text: str) -> Line:
    """A line with one dim run."""
    return [(printable(text), "dim")]


def text_of(line: Line) -> str:
    """The text of a line without its roles."""
    return "".join(text for text, _ in line)


def cells_of(line: Line) -> int:
    """The width of a line, in cells."""
    return sum(cell_len(text) for text, _ in line)


def counted(count: int, noun: str) -> str:
    """`1 conversation`, `1,200 conversations`."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def preview(text: str, width: int = 200) -> str:
    """The start of an untrusted text, as one safe line."""
    return one_line(text, width)


def value_text(value: Any, width: int = 200) -> str:
    """A recorded value as JSON, the first `width` characters of it on one safe line."""
    text = ""
    try:
        for part in _JSON.iterencode(value):
            text += part
            if len(text) > 4 * width:  # as much as `one_line` looks at: writing all of a large value takes long
                break
    except RecursionError:
        from evaltui.scoring.results import plain  # no first frame shows such a deep value

        text = json.dumps(plain(value), ensure_ascii=False)
    except (TypeError, ValueError):
        text = type(value).__name__
    return one_line(text, width)


def named_values(values: Iterable[tuple[str | None, Line]], count: int, most: int = 8) -> Line:
    """The first of `count` values as `  key=value  key=value  … 2 more`. Values of a list have None as name."""
    line: Line = []
    # Given an iterator, only the shown values are drawn: a call can have thousands of arguments.
    for name, value in islice(values, most):
        line += [(f"  {one_line(name, 24)}=" if name is not None else "  ", "dim"), *value]
    return [*line, (f"  … {count - most:,} more", "dim")] if count > most else line


def call_line(name: str, arguments: Iterable[tuple[str | None, Line]] | None, count: int = 0, *, most: int = 8) -> Line:
    """A tool call as on all screens: `name  key=value key=value`. `arguments` is None if the call has no args."""
    line: Line = [(one_line(name, 60) or "unnamed call", "name")]
    return [*line, *(named_values(arguments, count, most) if arguments is not None else dim("  no args"))]


def first_cells(text: str, width: int) -> str:
    """The start of a safe text that fits into `width` cells; no joined emoji is cut in two."""
    return text if cell_len(text) <= width else next(iter(chop_cells(text, max(1, width))), "")


_SHORT_WORD = 8
"""The most characters of a name that is dropped instead of cut."""
_is_word = re.compile(r"[A-Za-z]+[.,;:)]*(?: |$)").match


def cut_at_word(text: str, width: int) -> str:
    """The start of a safe text that fits into `width` cells with `…`; only a long name is cut itself."""
    if cell_len(text) <= width:
        return text
    start = first_cells(text, width - 1)
    end = len(start) if text[len(start)] == " " else max(0, start.rfind(" "))
    if end < len(start) - _SHORT_WORD and not (end and _is_word(text, end + 1)):
        return f"{start.rstrip(' .,·')}…"
    words = start[:end].rstrip(" .,·(<≥→")
    # A number with `…` directly behind it could be the start of a longer one.
    return f"{words}{' ' * (words[-1:].isdigit() and cell_len(words) < width - 1)}…"


def cut_runs(runs: Line, width: int) -> Line:
    """The start of a line that takes more than `width` cells, and `…`."""
    start: Line = []
    for text, role in runs:
        length = cell_len(text)
        if length >= width:
            cut = cut_at_word(f"{text} ", width)[:-1] if role in PROSE else first_cells(text, width - 1)
            return [*start, (cut if width > 1 else "", role), ("…", "dim")]
        start.append((text, role))
        width -= length
    return start


def cut_at_clause(text: str, width: int) -> str:
    """The first clauses of a safe text that fit with `…`, such as keys with their purposes; else its first words."""
    if cell_len(text) <= width:
        return text
    start = first_cells(text, width - 2)
    end = max(start.rfind(sign) + len(sign.rstrip()) for sign in (". ", " · ", "; "))
    return f"{text[:end].rstrip(' ·;')} …" if end > len(start) // 2 else cut_at_word(text, width)


def folded(text: str, width: int) -> list[str]:
    """An untrusted text in safe lines of at most `width` cells; wide characters take two cells.

    A very long text is cut at any character, which takes a tenth of the time of a search for spaces.
    """
    shown = printable(text, keep_lines=True).expandtabs(4)
    if len(shown) > 20_000:
        return [part for line in shown.split("\n") for part in chop_cells(line, width) or [""]]
    return [line.plain for line in Content(shown).wrap(width)]


def paragraphs(runs: Iterable[Run]) -> list[Line]:
    """Untrusted runs as safe lines: one for each line of their text, to be wrapped."""
    lines: list[Line] = [[]]
    for text, role in runs:
        first, *following = printable(text, keep_lines=True).expandtabs(4).split("\n")
        lines[-1].append((first, role))
        lines += [[(line, role)] for line in following]
    return lines


def wrap_runs(paragraph: Line, width: int) -> list[Line]:
    """A paragraph in lines of at most `width` cells, broken at blanks if possible. No text is left out."""
    lines: list[Line] = [[]]
    used = 0
    for word in _words(paragraph):
        size = cells_of(word)
        if used and used + cell_len(text_of(word).rstrip(" ")) > width:
            lines.append([])
            used = 0
        for text, role in word:
            for piece in chop_cells(text, width) if size > width else [text]:
                if used + cell_len(piece.rstrip(" ")) > width:
                    lines.append([])
                    used = 0
                lines[-1].append((piece, role))
                used += cell_len(piece)
    return [_joined(line) for line in lines]


_parts_of_words = re.compile(r"[^ ]* +|[^ ]+").findall


def _words(paragraph: Line) -> Iterator[Line]:
    """The runs of each word, with the blanks behind it; a word can have several roles."""
    word: Line = []
    for text, role in paragraph:
        for part in _parts_of_words(text):
            word.append((part, role))
            if part.endswith(" "):
                yield word
                word = []
    if word:
        yield word


def _joined(line: Line) -> Line:
    """The line without blanks at its end, and its neighbouring runs of one role joined."""
    joined = [("".join(text for text, _ in runs), role) for role, runs in groupby(line, itemgetter(1))]
    return [*joined[:-1], *((text.rstrip(" "), role) for text, role in joined[-1:])]


def behind_start(start: Line, lines: Sequence[Line]) -> list[Line]:
    """The lines with `start` before the first one and as many blanks before the others."""
    blanks: Run = " " * cells_of(start), ""
    return [[blanks, *line] if number else [*start, *line] for number, line in enumerate(lines)]


def cut_in_the_middle(name: str, width: int) -> str:
    """A name in at most so many cells, cut in the middle."""
    if cell_len(name) <= width:
        return name
    half, end = (width - 1) // 2, len(name)
    while end and cell_len(name[end - 1 :]) <= half:
        end -= 1
    return f"{set_cell_size(name, width - 1 - half).rstrip()}…{name[end:]}"

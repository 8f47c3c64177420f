"""Layout of rows in lines: expected and actual side in two columns, or one above the other if the view is narrow."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from evaltui.tui.lines import FILL, Line, Run, behind_start, text_of, wrap_runs
from evaltui.tui.review.review_row import ReviewRow

TWO_COLUMNS = 100
"""The least width, in cells, at which each side has its own column."""
_BAR: Run = (" │ ", "dim")
_LABELS = ("expected  ", "actual    ")


def column_width(width: int) -> int:
    """Cells of each column in a view of `width` cells, of which the cursor takes the first."""
    return (width - 1 - len(_BAR[0])) // 2


def laid_out(row: ReviewRow, width: int) -> list[Line]:
    """The lines of a row in a view of `width` cells, of which the cursor takes the first."""
    if width >= TWO_COLUMNS and not row.is_heading:
        return _in_columns(row, column_width(width))
    return _stacked(row, width - 1)


def _in_columns(row: ReviewRow, width: int) -> list[Line]:
    room = max(8, width - len(row.mark[0]))
    left, right = (_wrapped(side, room) for side in (row.expected, row.actual))
    if row.said and left and right:
        right = _with_word(right, row.said, room)
    elif row.said:  # the remark fills the empty column
        left, right = left or [[(row.said, "dim")]], right or [[(row.said, "dim")]]
    marks = [row.mark, ("".ljust(len(row.mark[0])), "")]
    lines: list[Line] = []
    for number in range(max(len(left), len(right))):
        one, other = (side[number] if number < len(side) else [] for side in (left, right))
        lines.append([marks[min(number, 1)], *_padded(one, room), _BAR, *_indented(other, len(row.mark[0]) - 2)])
    return lines


def _stacked(row: ReviewRow, width: int) -> list[Line]:
    room = max(8, width - len(row.mark[0]))
    if row.is_heading or row.is_same:
        lines = _wrapped(row.expected or row.actual, room)
        if row.said and lines:
            lines = _with_word(lines, row.said, room)
        return behind_start([row.mark], lines)
    room -= len(_LABELS[0])
    lines = []
    for label, side in zip(_LABELS, (row.expected, row.actual), strict=True):
        wrapped = _wrapped(side, room)
        lines += [[(label if not number else " " * len(label), "dim"), *line] for number, line in enumerate(wrapped)]
    if row.said and lines:
        lines[-1:] = _with_word(lines[-1:], row.said, room + len(_LABELS[0]))
    return behind_start([row.mark], lines)


def _with_word(lines: Sequence[Line], said: str, room: int) -> list[Line]:
    """The lines with a remark at the right end of the first line, or below them if it has no room."""
    word = f"  {said} "
    found = list(lines)
    for number, line in enumerate(found[:1]):
        if cell_len(text_of(line)) + len(word) <= room:
            found[number] = [*line, ("", FILL), (word, "dim")]
            return found
    return [*found, [("", FILL), (word, "dim")]]


def _padded(line: Line, room: int) -> Line:
    return [*line, (" " * max(0, room - cell_len(text_of(line))), "")]


def _indented(line: Line, by: int) -> Line:
    return [(" " * by, ""), *line] if by > 0 and line else line


def _wrapped(paragraphs: Sequence[Line], width: int) -> list[Line]:
    return [line for paragraph in paragraphs for line in wrap_runs(paragraph, width)]

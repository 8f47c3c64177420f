"""Layout of rows in lines: expected and actual side in two columns, or one above the other if the view is narrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len, chop_cells

from evaltui.tui.lines import FILL, Line, Run, text_of
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
        return _marked(row.mark, lines)
    room -= len(_LABELS[0])
    lines = []
    for label, side in zip(_LABELS, (row.expected, row.actual), strict=True):
        wrapped = _wrapped(side, room)
        lines += [[(label if not number else " " * len(label), "dim"), *line] for number, line in enumerate(wrapped)]
    if row.said and lines:
        lines[-1:] = _with_word(lines[-1:], row.said, room + len(_LABELS[0]))
    return _marked(row.mark, lines)


def _marked(mark: Run, lines: Sequence[Line]) -> list[Line]:
    blank: Run = (" " * len(mark[0]), "")
    return [[blank if number else mark, *line] for number, line in enumerate(lines)]


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


# --- runs in lines of a width ----------------------------------------------------------------------------------


def _wrapped(paragraphs: Sequence[Line], width: int) -> list[Line]:
    return [line for paragraph in paragraphs for line in wrap_runs(paragraph, width)]


def wrap_runs(paragraph: Line, width: int) -> list[Line]:
    """A paragraph in lines of at most `width` cells, broken at blanks if possible. No text is left out."""
    lines: list[Line] = [[]]
    used = 0
    for word in _words(paragraph):
        size = cell_len(text_of(word))
        if used and used + cell_len(text_of(word).rstrip(" ")) > width:
            lines.append([])
            used = 0
        for text, role in word:
            pieces = chop_cells(text, width) if size > width else [text]
            for piece in pieces:
                if used + cell_len(piece.rstrip(" ")) > width:
                    lines.append([])
                    used = 0
                lines[-1].append((piece, role))
                used += cell_len(piece)
    return [_without_end(line) for line in lines]


def _words(paragraph: Line) -> Iterator[Line]:
    """The runs of each word, with the blanks behind it; a word can have several roles."""
    word: Line = []
    for text, role in paragraph:
        start = 0
        while start < len(text):
            end = text.find(" ", start)
            end = len(text) if end < 0 else end
            while end < len(text) and text[end] == " ":
                end += 1
            word.append((text[start:end], role))
            start = end
            if text[end - 1] == " ":
                yield word
                word = []
    if word:
        yield word


def _without_end(line: Line) -> Line:
    """The line without blanks at its end, and its neighbouring runs of one role joined."""
    joined: Line = []
    for text, role in line:
        if joined and joined[-1][1] == role:
            joined[-1] = joined[-1][0] + text, role
        else:
            joined.append((text, role))
    if joined and joined[-1][0].endswith(" "):
        joined[-1] = joined[-1][0].rstrip(" "), joined[-1][1]
    return joined

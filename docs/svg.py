"""A screen of the app as SVG. Text uses the reader's monospace font, each run at its column; lines are shapes.

The same screen gives the same bytes: no ids, no fonts of other hosts, colours by class in the order of their first use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME, MONOKAI, TerminalTheme

CELL_WIDTH, CELL_HEIGHT = 8.4, 18
"""Width and height of a cell in pixels, at font size 14. Most monospace fonts have an advance of 0.6 em."""
_FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"
_EDGE = 8
_BASELINE = 13.5
# `textLength` fixes the width of ASCII text. Other signs may come from another font, so each starts a new run.
_PIECES = re.compile(r"─+|[▌│╭╮╰╯┬┴├┤▁█]|[!-~]+(?: [!-~]+)*|[^ -~─▌│╭╮╰╯┬┴├┤▁█]+")


class Run(NamedTuple):
    """A text in one look, at its column and row."""

    column: int
    row: int
    text: str
    color: str
    background: str
    looks: tuple[str, ...] = ()
    """The styles among bold, italic, underline and strike."""

    @property
    def width(self) -> int:
        """The width in cells."""
        return cell_len(self.text)


def runs_of(lines: Iterable[Iterable[Segment]], *, is_dark: bool = True) -> Iterator[Run]:
    """The runs of a screen with their colours. The terminal's own colours become those of a usual terminal."""
    theme = MONOKAI if is_dark else DEFAULT_TERMINAL_THEME
    for row, line in enumerate(lines):
        column = 0
        for text, style, control in line:
            if control or not text:
                continue
            yield _run(column, row, text, style or Style(), theme)
            column += cell_len(text)


def _run(column: int, row: int, text: str, style: Style, theme: TerminalTheme) -> Run:
    color, background = (_hex(each, theme, shown=n == 0) for n, each in enumerate((style.color, style.bgcolor)))
    if style.reverse:
        color, background = background, color
    looks = tuple(name for name in ("bold", "italic", "underline", "strike", "dim") if getattr(style, name))
    return Run(column, row, text, color, background, looks)


def _hex(color: Color | None, theme: TerminalTheme, *, shown: bool) -> str:
    return (color or Color.default()).get_truecolor(theme, foreground=shown).hex


def svg(lines: Sequence[Iterable[Segment]], title: str, *, is_dark: bool = True) -> str:
    """The SVG text of a screen."""
    runs = list(runs_of(lines, is_dark=is_dark))
    columns = max(run.column + run.width for run in runs)
    width, height = _px(columns * CELL_WIDTH + 2 * _EDGE), _px(len(lines) * CELL_HEIGHT + 2 * _EDGE)
    ground = _most_used(runs)
    colors = {color: f"c{n}" for n, color in enumerate(dict.fromkeys(run.color for run in runs if run.text.strip()))}
    backgrounds = [_background(run) for run in _joined(runs) if run.background != ground]
    texts = [shape for run in runs for shape in _shapes(run, colors)]
    styles = "".join(f".{name}{{fill:{color}}}.l{name}{{stroke:{color};fill:none}}" for color, name in colors.items())
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{styles}text{{font:14px {_FONT};white-space:pre}}"
            ".bold{font-weight:bold}.italic{font-style:italic}.underline{text-decoration:underline}"
            ".strike{text-decoration:line-through}.dim{opacity:.66}</style>",
            f'<rect width="{width}" height="{height}" rx="6" fill="{ground}"/>',
            f'<g transform="translate({_EDGE} {_EDGE})">',
            *backgrounds,
            *texts,
            "</g>",
            "</svg>\n",
        ]
    )


def _px(number: float) -> str:
    """A number with at most one digit after the point, without trailing zeros."""
    return f"{number:.1f}".removesuffix(".0")


def _most_used(runs: Iterable[Run]) -> str:
    """The background of most cells."""
    cells: dict[str, int] = {}
    for run in runs:
        cells[run.background] = cells.get(run.background, 0) + run.width
    return max(cells, key=lambda color: cells[color])


def _joined(runs: Iterable[Run]) -> list[Run]:
    """The runs, with neighbours on the same background joined."""
    joined: list[Run] = []
    for run in runs:
        last = joined[-1] if joined else None
        if last and (last.row, last.background, last.column + last.width) == (run.row, run.background, run.column):
            joined[-1] = last._replace(text=last.text + run.text)
        else:
            joined.append(run)
    return joined


def _background(run: Run) -> str:
    x, width = _px(run.column * CELL_WIDTH), _px(run.width * CELL_WIDTH)
    return f'<rect x="{x}" y="{run.row * CELL_HEIGHT}" width="{width}" height="{CELL_HEIGHT}" fill="{run.background}"/>'


def _shapes(run: Run, colors: dict[str, str]) -> Iterator[str]:
    for found in _PIECES.finditer(run.text):
        piece = found[0]
        column = run.column + cell_len(run.text[: found.start()])
        x, y, cells = column * CELL_WIDTH, run.row * CELL_HEIGHT, cell_len(piece)
        name = colors[run.color]
        if drawn := _drawn(piece, x, y, cells):
            yield f'<path class="l{name}" d="{drawn}"/>'
        elif piece in _BLOCKS:
            left, top, wide, high = _BLOCKS[piece]
            place = f'x="{_px(x + left * CELL_WIDTH)}" y="{_px(y + top * CELL_HEIGHT)}"'
            size = f'width="{_px(wide * CELL_WIDTH)}" height="{_px(high * CELL_HEIGHT)}"'
            yield f'<rect class="{name}" {place} {size}/>'
        else:
            length = f' textLength="{_px(cells * CELL_WIDTH)}"' if piece.isascii() and cells > 1 else ""
            classes = " ".join([name, *run.looks])
            yield f'<text class="{classes}" x="{_px(x)}" y="{_px(y + _BASELINE)}"{length}>{escape(piece)}</text>'


_BLOCKS = {"▌": (0.0, 0.0, 0.5, 1.0), "█": (0.0, 0.0, 1.0, 1.0), "▁": (0.0, 0.875, 1.0, 0.125)}
"""Left, top, width and height of block signs, as parts of a cell."""


def _drawn(piece: str, x: float, y: float, cells: int) -> str:
    """The SVG path of a line or corner sign; "" for other signs."""
    middle, centre, bottom = y + CELL_HEIGHT / 2, x + CELL_WIDTH / 2, y + CELL_HEIGHT
    right = x + cells * CELL_WIDTH
    paths = {
        "─": f"M{_px(x)} {_px(middle)}H{_px(right)}",
        "│": f"M{_px(centre)} {_px(y)}V{_px(bottom)}",
        "╭": f"M{_px(centre)} {_px(bottom)}Q{_px(centre)} {_px(middle)} {_px(right)} {_px(middle)}",
        "╮": f"M{_px(centre)} {_px(bottom)}Q{_px(centre)} {_px(middle)} {_px(x)} {_px(middle)}",
        "╰": f"M{_px(centre)} {_px(y)}Q{_px(centre)} {_px(middle)} {_px(right)} {_px(middle)}",
        "╯": f"M{_px(centre)} {_px(y)}Q{_px(centre)} {_px(middle)} {_px(x)} {_px(middle)}",
        "┬": f"M{_px(x)} {_px(middle)}H{_px(right)}M{_px(centre)} {_px(middle)}V{_px(bottom)}",
        "┴": f"M{_px(x)} {_px(middle)}H{_px(right)}M{_px(centre)} {_px(y)}V{_px(middle)}",
        "├": f"M{_px(centre)} {_px(y)}V{_px(bottom)}M{_px(centre)} {_px(middle)}H{_px(right)}",
        "┤": f"M{_px(centre)} {_px(y)}V{_px(bottom)}M{_px(x)} {_px(middle)}H{_px(centre)}",
    }
    return paths.get(piece[0], "")

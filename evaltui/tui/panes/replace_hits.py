"""The list of hits to replace: place, old and new text in whole words, and which hits are left out."""

from __future__ import annotations

from itertools import accumulate, pairwise, zip_longest

from rich.cells import cell_len
from textual import events
from textual.message import Message

from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.search.replaceable_values import ReplaceableValue
from evaltui.evalset.search.replacement import word_changes
from evaltui.evalset.titles import field_title
from evaltui.printable import printable
from evaltui.tui.commands import bindings
from evaltui.tui.lines import FILL, NOT_EVALUATED, PASSED, Line, text_of, wrap_runs
from evaltui.tui.panes.score_lines import cut_place
from evaltui.tui.widgets.line_view import LineList

_INDENT = "    "
_LEAST = 6
"""Fewest characters of context shown before, between and after changes, if the text has that many."""
_MOST_CHANGES = 20
"""The most changes shown for one text."""
_LONGEST = 1000
"""Most characters shown of a change; the middle of a longer one is left out."""
_ARROW = " → "


class HitsList(LineList):
    """The hits; only visible ones are drawn."""

    PLACE = "hits"
    BINDINGS = bindings("hits")

    class LeftOut(Message):
        """A hit was left out or included again."""

    def __init__(self, eval_set: CaseFile) -> None:
        super().__init__(id="hits")
        self._eval_set = eval_set
        self._width = 80
        """The width, in cells, of the layout."""
        self.hits: list[ReplaceableValue] = []
        self.left_out: set[int] = set()
        self.spans = []

    def show(self, hits: list[ReplaceableValue]) -> None:
        """Show other hits, all of them included."""
        self.hits, self.left_out = hits, set()
        self._arrange()
        self.cursor = 0
        self.scroll_to(y=0, animate=False, force=True)
        self.refresh_size()
        self.refresh()

    def _arrange(self) -> None:
        # One column stays free for the scrollbar, which depends on the number of lines.
        self._width = (self.size.width or self.app.size.width) - 1
        tops = accumulate((_height(hit, self._width) for hit in self.hits), initial=0)
        self.spans = [range(*lines) for lines in pairwise(tops)]

    def on_resize(self) -> None:
        """Lay the hits out for another width."""
        self._arrange()
        super().on_resize()
        self.show_cursor()

    @property
    def chosen(self) -> list[ReplaceableValue]:
        """The hits that are not left out."""
        return [hit for number, hit in enumerate(self.hits) if number not in self.left_out]

    def line_count(self) -> int:
        """Two lines for each hit, more for long changes."""
        return self.spans[-1].stop if self.spans else 0

    def line(self, index: int) -> Line:
        """The place of a hit, or a line of its change."""
        number = self.entry_at(index) or 0
        hit, is_taken = self.hits[number], number not in self.left_out
        below = index - self.lines_of(number).start
        if below:
            return _body(hit, self._width, is_taken=is_taken)[below - 1]
        kind = f"  {hit.kind} "
        # A long place is cut so that turn and field stay visible.
        place = cut_place(field_title(self._eval_set, hit.nodes[0]), self._width - 4 - cell_len(kind))
        mark, role = (PASSED, "name") if is_taken else (NOT_EVALUATED, "dim")
        return [mark, (place, role), ("", FILL), (kind, "dim")]

    def leave_out(self) -> None:
        """Leave the hit out or include it again, and go to the next."""
        if self.hits:
            self.left_out ^= {self.cursor}
            self.refresh()
            self.move(1)
            self.post_message(self.LeftOut())

    def on_click(self, event: events.Click) -> None:
        """Select a hit; a click on its mark leaves it out."""
        hit = self.entry_under(event)
        if hit is not None:
            self.cursor = hit
            if event.x < 3:
                self.leave_out()


def _height(hit: ReplaceableValue, width: int) -> int:
    # For short changes, which nearly all are, no lines are made to count them.
    room = width - 2 - len(_INDENT)
    (_, _, new), *further = hit.matches
    if not further and hit.text.isascii() and new.isascii() and hit.becomes == hit.type:
        if 2 * len(hit.text) + len(new) + len(_ARROW) + 2 <= room:  # the whole text fits twice
            return 2
        start, end, new_words = word_changes(hit.text, hit.matches)[0]
        if end - start + len(new_words) + len(_ARROW) + 2 + 2 * _LEAST <= room:
            return 2
    return 1 + len(_body(hit, width, is_taken=True))


def _body(hit: ReplaceableValue, width: int, *, is_taken: bool) -> list[Line]:
    """Lines of the change: `4712 → 9912`, or within its context `order [4712 → 9912] is late`."""
    room = width - 2 - len(_INDENT)
    line = _of_text(hit, room) if hit.type == "text" else _of_value(hit)
    if not is_taken:
        line = [(text, "dim") for text, _ in line]
    return [[(_INDENT, ""), *piece] for piece in wrap_runs(line, room)]


def _of_value(hit: ReplaceableValue) -> Line:
    """The change of a number, boolean, null or key, with both types if they differ."""
    old, new = _capped(hit.text), _capped(hit.after)
    if hit.becomes == hit.type:
        return [(old, "error"), (_ARROW, "dim"), (new or "∅", "ok")]
    spelt = f'"{new}"' if hit.becomes == "text" else new
    return [
        (f"{hit.type} ", "dim"),
        (old, "error"),
        (_ARROW, "dim"),
        (f"{hit.becomes} ", "warning"),
        (spelt, "ok"),
    ]


def _of_text(hit: ReplaceableValue, room: int) -> Line:
    """The words that change, in order, each with as much context as fits."""
    changes = word_changes(hit.text, hit.matches)
    first_changes = changes[:_MOST_CHANGES]
    pieces: list[Line] = []
    for start, end, new in first_changes:
        pieces.append([(_capped(hit.text[start:end]) or "∅", "error"), (_ARROW, "dim"), (_capped(new) or "∅", "ok")])
    starts, ends = [0, *(end for _, end, _ in first_changes)], [start for start, _, _ in first_changes]
    gaps = [printable(hit.text[start:end]) for start, end in zip_longest(starts, ends)]
    if len(changes) > len(first_changes):
        gaps[-1] = f" … and {len(changes) - len(first_changes):,} more changes"
    is_bare = len(pieces) == 1 and not any(gaps)
    room_for_gaps = room - sum(cell_len(text_of(piece)) + 2 for piece in pieces)
    cut = _cut_gaps(gaps, room_for_gaps)
    line: Line = [(cut[0], "")]
    for piece, behind in zip(pieces, cut[1:], strict=True):
        line += piece if is_bare else [("[", "dim"), *piece, ("]", "dim")]
        line.append((behind, ""))
    return [run for run in line if run[0]]


def _cut_gaps(gaps: list[str], room: int) -> list[str]:
    """The texts around changes, cut to `room` cells in total; the text farthest from a change is cut first."""
    if sum(map(cell_len, gaps)) <= room:
        return gaps
    head, tail, inner = gaps[0], gaps[-1], gaps[1:-1]
    most = max(_LEAST, room // len(gaps))
    half = (most - 1) // 2
    cut = [gap if len(gap) <= most else f"{gap[:half]}…{gap[len(gap) - half :]}" for gap in inner]
    rest = max(2 * _LEAST, room - sum(map(cell_len, cut)))
    for_head = max(rest // 2, rest - len(tail))
    head = head if len(head) <= for_head else f"…{head[len(head) - for_head + 1 :]}"
    for_tail = max(_LEAST, rest - len(head))
    return [head, *cut, tail if len(tail) <= for_tail else f"{tail[: for_tail - 1]}…"]


def _capped(text: str) -> str:
    if len(text) <= _LONGEST:
        return printable(text)
    half = _LONGEST // 2
    return printable(f"{text[:half]} … {len(text) - 2 * half:,} more characters … {text[-half:]}")

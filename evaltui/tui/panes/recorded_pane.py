"""The third column of a wide editor: the recorded turn, line by line beside the form of the expected turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container

from evaltui.document.node import Node
from evaltui.tui.forms.form import Item
from evaltui.tui.lines import Line
from evaltui.tui.panes.form_layout import FormLayout
from evaltui.tui.panes.recorded_lines import Difference, RecordedLines
from evaltui.tui.widgets.pane_borders import PaneTitle

if TYPE_CHECKING:
    from evaltui.scoring.results import TurnScores
    from evaltui.tui.panes.form_pane import FormPane
    from evaltui.tui.panes.recorded_turn import Beside

_SCROLLBAR, _BORDER = 1, 1
"""Cells beside the lines of the form, and beside those of the recording."""


class RecordedPane(Container):
    """Shows the recording of the turn or call whose form is shown; hidden for all other values."""

    def __init__(self, form: FormPane) -> None:
        super().__init__(id="recorded")
        self.display = False
        self.has_room = False
        """Whether the terminal is wide enough; set by the layout of the panes."""
        self._form, self._session = form, form.session
        self._title = PaneTitle()
        self.lines = RecordedLines()
        self.lines.form = form
        self._made: tuple[tuple[Node, int, int], list[Beside]] | None = None
        """The last lines, with their node, version of the scores, and width."""
        self._beside: dict[int, list[Beside]] = {}
        self._found: list[Beside] | None = None
        """The lines beside the shown form; None if there is no recording for it."""
        self._width = 0
        """The width of a line in cells, also before the layout."""

    def compose(self) -> ComposeResult:
        """The source of the recording above, the lines below."""
        yield self._title
        yield self.lines

    def on_mount(self) -> None:
        """Scroll with the form."""
        self.watch(self._form.lines, "scroll_y", self.follow, init=False)

    # --- beside a form ---------------------------------------------------------------------------------------

    def take(self, node: Node, width: int) -> int:
        """Show or hide the column for the form of a node with `width` cells; returns the cells that the form has then.

        So the first frame lays the form out for its new width, before the column has its place.
        """
        own = self.lines.scrollable_content_region.width
        was_shown, whole = self.display, width + _SCROLLBAR
        if was_shown:
            self._width = own or self._width
        else:
            self._width = whole - whole // 2 - _BORDER
        self._found = self._find(node) if self.has_room else None
        is_shown = self._found is not None
        if is_shown == was_shown:
            return width
        if self.lines.has_focus:
            self.lines.leave()
        self.display = is_shown
        return whole // 2 - _SCROLLBAR if is_shown else width + own + _BORDER

    def heights(self, items: Sequence[Item]) -> dict[int, int]:
        """The number of lines beside each item of the form, by index of the item."""
        found = self._found
        if not found:
            self._beside = {}
            return {}
        from evaltui.tui.panes.recorded_turn import ItemPlaces

        self._beside = ItemPlaces(items).gathered(items, found)
        return {place: _height(stacked) for place, stacked in self._beside.items()}

    def align(self, layout: FormLayout) -> None:
        """Put each line beside its item. The form gets empty lines at its end if the recording is longer."""
        if not self.display:
            return
        end = max((layout.placed[at].value_top + _height(stacked) for at, stacked in self._beside.items()), default=0)
        layout.lines.extend([] for _ in range(end - len(layout.lines)))
        shown: list[Line] = [[] for _ in layout.lines]
        differences: list[Difference] = []
        for at, stacked in sorted(self._beside.items()):
            first = layout.placed[at].value_top
            for each in stacked:
                place = range(first, first + len(each.lines))
                shown[place.start : place.stop] = each.lines
                if each.subject is not None:
                    differences.append(Difference(each.subject, place))
                first = place.stop
        self.lines.show(shown, differences)

    def follow(self, line: float) -> None:
        """Scroll to the same line as the form."""
        if self.display and self.lines.scroll_offset.y != round(line):
            self.lines.scroll_to(y=line, animate=False, force=True)

    def _find(self, node: Node) -> list[Beside] | None:
        """The lines beside the form of a node; None if there is no recording for it."""
        scores, eval_set = self._session.scores, self._session.eval_set
        if not scores.has_any or eval_set is None:
            return None
        turn = eval_set.enclosing(node, "turn")
        turn_scores = scores.turn(turn) if turn is not None else None
        if turn is None or turn_scores is None:
            return None
        width = self._width
        key = node, scores.version, width
        if self._made is None or self._made[0] != key:
            made = _made(turn, turn_scores, node, width)
            if made is None:
                return None
            self._made = key, made
            self._title.name_shown = self._titled(node, width)
        return self._made[1]

    def _titled(self, node: Node, width: int) -> str:
        from evaltui.tui.panes.why_lines import recording_said

        scores = self._session.scores
        case = scores.case_around(node)
        scored = scores.of(case) if case is not None else None
        about = "Actual ~ outdated · " if case in scores.stale else "Actual · "
        return about + (recording_said(scored.result.run, width - len(f"─ {about} ")) if scored is not None else "")


def _height(stacked: Sequence[Beside]) -> int:
    return sum(len(each.lines) for each in stacked)


def _made(turn: Node, scores: TurnScores, node: Node, width: int) -> list[Beside] | None:
    """The lines beside the form of a turn, or of one of its calls; None for another value."""
    from evaltui.tui.panes.recorded_turn import call_beside, turn_beside
    from evaltui.tui.panes.why_lines import scored_calls

    calls = scored_calls(turn, scores)
    if node is not turn and node not in calls:
        return None
    return turn_beside(scores, calls, width) if node is turn else call_beside(scores, calls.index(node), node, width)

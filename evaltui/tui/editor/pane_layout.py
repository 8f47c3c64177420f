"""How much room each pane has: one alone, or both with the line between them moved."""

from __future__ import annotations

from textual import on

from evaltui.tui.editor.panes import PanesScreen
from evaltui.tui.widgets.splitter import Splitter

_LEAST_TREE, _LEAST_FORM = 16, 30
"""Columns that a pane keeps."""
_USUAL, _USUAL_WIDE, _WIDE = 36, 49, 140
"""Columns of the tree where nobody has chosen, and from how many columns of the terminal on it has more."""


class Arranging(PanesScreen):
    """The part of the edit screen that shows, hides and sizes the panes."""

    split: int | None = None
    """The columns of the tree, where the person has chosen; None: the usual ones."""
    below: str | None = None
    """Which of problems and run is shown below the others, where the person has chosen."""
    zoomed = False
    """Whether the pane one is in has all the room, though there is room for more."""

    @property
    def is_narrow(self) -> bool:
        """Whether there is room for one pane at a time only."""
        return self.app.size.width < 100

    def on_resize(self) -> None:
        """Show one pane or both."""
        self.place_panes()

    def place_panes(self) -> None:
        """Show the panes that there is room for, and give the tree its columns."""
        alone = self.is_narrow or self.zoomed
        self.set_class(self.zoomed, "-zoomed")
        self.tree_pane.display = not alone or self.pane == "tree"
        self.query_one(Splitter).display = not alone
        self.form_pane.display = not alone or self.pane == "form"
        self.problems_pane.display = self._is_pane_wanted()
        self.run_pane.display = self._is_run_wanted()
        self.query_one("#panes").display = not alone or self.pane not in ("problems", "run")
        self.tree_pane.styles.width = "1fr" if alone else self._columns

    def _is_pane_wanted(self) -> bool:
        """Whether there is room for the problems, and there were any since the file was opened."""
        alone = self.is_narrow or self.zoomed
        return self.problems_pane.had_any and self._below == "problems" and (not alone or self.pane == "problems")

    def _is_run_wanted(self) -> bool:
        """Whether there is room for the run, and something in it, or somebody is there."""
        if self._below != "run":
            return False
        return self.pane == "run" or not (self.is_narrow or self.zoomed)

    @property
    def _below(self) -> str:
        """Which of problems and run has its place below: what was chosen, else the one with something in it.

        Where both have, cases that fail go before problems that only inform.
        """
        if self.below is not None:
            return self.below
        problems, run = self.problems_pane, self.run_pane
        has_most = not problems.had_any or (run.had_failing and not problems.had_faults)
        return "run" if run.has_news and has_most else "problems"

    @property
    def _columns(self) -> int:
        """The columns of the tree where it is not alone."""
        width = self.app.size.width
        return self._within(self.split if self.split is not None else _USUAL_WIDE if width >= _WIDE else _USUAL)

    def _within(self, columns: int) -> int:
        return max(_LEAST_TREE, min(columns, self.app.size.width - _LEAST_FORM))

    def action_zoom(self) -> None:
        """Give the pane one is in all the room, or its usual room again."""
        if self.is_narrow:
            self.status.say("There is room for one pane only, and this one has it all.")
            return
        self.zoomed = not self.zoomed
        self.place_panes()
        self.status.say("this pane alone" if self.zoomed else "all panes", "z changes it" if self.zoomed else "")

    def action_resize_split(self, step: int) -> None:
        """Give the tree more or fewer columns."""
        if self.is_narrow or self.zoomed:
            self.status.say("One pane is shown alone; there is no line between panes to move.")
            return
        self._split_at(self._columns + step)

    @on(Splitter.Dragged)
    def _split_dragged(self, event: Splitter.Dragged) -> None:
        event.stop()
        self._split_at(event.column)

    def _split_at(self, columns: int) -> None:
        self.split = self._within(columns)
        self.place_panes()

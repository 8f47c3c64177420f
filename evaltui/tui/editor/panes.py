"""A screen of tree, form, problems and bars, as the parts of the edit screen see it."""

from __future__ import annotations

from textual import getters
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget

from evaltui.document import Change, Node
from evaltui.tui.compositor import WholeCompositor
from evaltui.tui.outlines import Outline
from evaltui.tui.panes.bars import KeysBar, StatusBar, TitleBar
from evaltui.tui.panes.form_pane import FormPane
from evaltui.tui.panes.problems_pane import ProblemsPane
from evaltui.tui.panes.requests import Revise
from evaltui.tui.panes.run_pane import RunPane
from evaltui.tui.panes.tree_pane import TreePane
from evaltui.tui.session.drafts import DraftPlace
from evaltui.tui.session.problem import Problem
from evaltui.tui.session.session import Session


class PanesScreen(Screen[str]):
    """The panes, by name, and what is shown in them. What closes the screen may say why."""

    focused: reactive[Widget | None] = reactive(None, repaint=False)
    """As Textual has it, but that all is not drawn anew for it: what looks otherwise with the focus is drawn anyway."""

    title_bar = getters.query_one("#title", TitleBar)
    tree_pane = getters.query_one("#tree", TreePane)
    form_pane = getters.query_one("#form", FormPane)
    problems_pane = getters.query_one("#problems", ProblemsPane)
    run_pane = getters.query_one("#run", RunPane)
    status = getters.query_one("#status", StatusBar)
    keys = getters.query_one("#keys", KeysBar)

    def __init__(self, session: Session, outline: Outline) -> None:
        super().__init__()
        self._compositor = WholeCompositor()
        self.session = session
        self.outline = outline
        self.pane = "tree"
        """The pane where keys act: tree, form, problems or run."""
        self.came_in_form = False
        """Whether the screen began in the form of its outermost value, so that esc there leads out again."""
        self.trail: list[Node] = []
        """The nodes whose forms led to the present one, for the way back; a jump begins another."""

    @property
    def outermost(self) -> PanesScreen:
        """The screen of the whole document, behind the views of single values."""
        return next(screen for screen in self.app.screen_stack if isinstance(screen, PanesScreen))

    def revise(self, event: Revise) -> str:
        """Do what a pane asks for; why it could not be done, "" where it was."""
        raise NotImplementedError

    def unmark(self) -> bool:
        """Take all marks away; False where there are none."""
        raise NotImplementedError

    def apply_change(self, change: Change, *, goto_new: bool = False, begin: bool = False) -> None:
        """Refresh the rows and the form that a change concerned."""
        raise NotImplementedError

    def drafts_here(self) -> list[DraftPlace]:
        """The drafts of the row, field or entry one is at."""
        raise NotImplementedError

    def refresh_all(self, said: str = "") -> None:
        """Anything may have changed; `said` is why."""
        raise NotImplementedError

    def show_new_text(self, said: str) -> None:
        """Any part of the text may be another: show it, and close views of what is gone."""
        raise NotImplementedError

    def show_problems(self) -> None:
        """There may be other problems than before."""
        raise NotImplementedError

    def show_scores(self) -> None:
        """There may be other scores than before."""
        raise NotImplementedError

    def score_saved(self, *, elsewhere: bool = False) -> None:
        """The text was saved: score its cases; where another folder may have other recordings, with what is there."""
        raise NotImplementedError

    def hint_at_rest(self) -> str:
        """What the status line says where there is nothing else to say."""
        raise NotImplementedError

    def show_score_of_row(self) -> None:
        """Name the metric whose score stands beside the selected row of the tree."""
        raise NotImplementedError

    def search_again(self) -> None:
        """Other problems were found: what asks for them finds other cases."""
        raise NotImplementedError

    def view_value(self, node: Node, start: Node | None = None, *, begin: bool = False) -> None:
        """Open a view of a value that has no row in the tree."""
        raise NotImplementedError

    def open_place(self, at: Node, missing: str = "", problem: Problem | None = None) -> None:
        """Open the nearest form at the line of a value, or of a member missing in it; leaves views it is not in."""
        raise NotImplementedError

    def place_panes(self) -> None:
        """Show the panes that there is room for."""
        raise NotImplementedError

    def show_pane(self, name: str) -> None:
        """Go to a pane."""
        raise NotImplementedError

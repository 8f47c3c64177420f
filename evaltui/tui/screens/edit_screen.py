"""The edit screen: tree, form and problems of one document or of a value inside it."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal

from evaltui.document import Node
from evaltui.tui.commands import bindings
from evaltui.tui.outlines import Outline
from evaltui.tui.panes.bars import KeysBar, StatusBar, TitleBar
from evaltui.tui.panes.form_pane import FormPane
from evaltui.tui.panes.problems_pane import ProblemsPane
from evaltui.tui.panes.tree_pane import TreePane
from evaltui.tui.screens.navigating import Navigating
from evaltui.tui.screens.revising import Revising
from evaltui.tui.screens.saving_elsewhere import SavingElsewhere
from evaltui.tui.screens.structure import Structure
from evaltui.tui.session import Session


class EditScreen(Navigating, Structure, Revising, SavingElsewhere):
    """Puts the panes together; what they do for the person is in the parts it is made of."""

    BINDINGS = bindings("everywhere")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (140, "-wide")]

    def __init__(self, session: Session, outline: Outline, start: Node | None = None) -> None:
        """`start` is the node to begin at; otherwise the first row."""
        super().__init__(session, outline)
        self._start = start

    def compose(self) -> ComposeResult:
        """Title, panes, and the bars below."""
        yield TitleBar(self.session)
        with Horizontal(id="panes"):
            yield TreePane(self.session, self.outline)
            yield FormPane(self.session, self.outline)
        yield ProblemsPane(self.session)
        yield StatusBar()
        yield KeysBar(self.title_of)

    def on_mount(self) -> None:
        """Begin in the tree."""
        self.tree_pane.focus()
        if self._start is not None:
            self.tree_pane.go_to(self._start)
        self.form_pane.show(self.tree_pane.selected)
        self.show_findings()
        self.place_panes()

    def show_findings(self) -> None:
        """The inspection of the file has found more."""
        self.problems_pane.refresh_findings()
        self.title_bar.update()
        self.place_panes()

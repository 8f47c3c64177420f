"""The widgets of an edit screen, and the pane in which keys act."""

from __future__ import annotations

from collections.abc import Callable

from textual.containers import Horizontal

from evaltui.document.node import Node
from evaltui.tui.commands import Command
from evaltui.tui.outlines.outline import Outline
from evaltui.tui.panes.bars import KeysBar, StatusBar, TitleBar
from evaltui.tui.panes.form_pane import FormPane
from evaltui.tui.panes.problems_pane import ProblemsPane
from evaltui.tui.panes.requests import PaneHost
from evaltui.tui.panes.run_pane import RunPane
from evaltui.tui.panes.tree_pane import TreePane
from evaltui.tui.session.session import Session
from evaltui.tui.widgets.pane_borders import Splitter


class Panes:
    """Tree, form, problems, scores and the bars around them. The controllers of a screen share one `Panes`."""

    def __init__(self, session: Session, outline: Outline, host: PaneHost, title_of: Callable[[Command], str]) -> None:
        """`host` does at once what panes request; `title_of` gives the title that the keys line shows for a command."""
        self.outline = outline
        self.title = TitleBar(session)
        self.tree = TreePane(session, outline, host)
        self.splitter = Splitter()
        self.form = FormPane(session, outline, host)
        self.upper = Horizontal(self.tree, self.splitter, self.form, id="panes")
        self.problems = ProblemsPane(session, host)
        self.run = RunPane(session)
        self.status = StatusBar()
        self.keys = KeysBar(title_of)
        self.current = "tree"
        """The pane in which keys act: tree, form, problems or run."""
        self.trail: list[Node] = []
        """The nodes whose forms led to the present one, for the way back. A jump begins a new trail."""

    def take_outline(self, outline: Outline) -> None:
        """Show the document through another outline: it became an eval set, or is none any more."""
        self.outline = outline
        self.tree.take(outline)
        self.form.outline = outline

    def holds(self, node: Node) -> bool:
        """Whether a value lies in the part of the document that these panes show."""
        return self.outline.root in (node, *node.ancestors())

    def refresh_all(self, said: str) -> None:
        """Draw everything again, and say why."""
        self.status.say(said)
        self.tree.rebuild()
        self.form.show(self.tree.selected)
        self.title.update()

    def hear(self, said: str | None) -> None:
        """Show what became of the file; None says nothing new and only refreshes the marks."""
        if said is not None:
            self.status.say(said)
        self.tree.refresh()
        self.title.update()

"""The edit screen: tree, form, problems and run of one document or of a value inside it."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal

from evaltui.document import Node
from evaltui.evalset.places import place_of
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.editor.finder import Finding
from evaltui.tui.editor.fixer import Fixing
from evaltui.tui.editor.navigator import Navigating
from evaltui.tui.editor.outside_editor import EditingOutside
from evaltui.tui.editor.questions import Choosing
from evaltui.tui.editor.reviser import Revising
from evaltui.tui.editor.row_edits import Structure
from evaltui.tui.editor.save_as import SavingElsewhere
from evaltui.tui.editor.score_guide import Scoring
from evaltui.tui.editor.undo_steps import UndoSteps
from evaltui.tui.editor.view_memory import Remembering
from evaltui.tui.outlines import Outline
from evaltui.tui.panes.bars import KeysBar, StatusBar, TitleBar
from evaltui.tui.panes.filter_line import FilterLine
from evaltui.tui.panes.form_pane import FormPane
from evaltui.tui.panes.problems_pane import ProblemsPane
from evaltui.tui.panes.run_pane import RunPane
from evaltui.tui.panes.tree_pane import TreePane
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.session.session import Session
from evaltui.tui.widgets.splitter import Splitter


class EditScreen(
    UndoSteps,
    Scoring,
    Fixing,
    Finding,
    Navigating,
    Structure,
    Revising,
    Choosing,
    SavingElsewhere,
    EditingOutside,
    CommandScreen,
    Remembering,
):
    """Puts the panes together; what they do for the person is in the parts it is made of."""

    BINDINGS = bindings("everywhere")
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (140, "-wide")]

    def __init__(
        self,
        session: Session,
        outline: Outline,
        start: Node | None = None,
        *,
        in_form: bool = False,
        begin: bool = False,
    ) -> None:
        """`start` is the node to begin at; otherwise the first row, with `in_form` in the form of the outermost.

        To `begin` is to type in its first field at once.
        """
        super().__init__(session, outline)
        self._start = start
        self._in_form = in_form
        self._begin = begin

    def compose(self) -> ComposeResult:
        """Title, panes, and the bars below."""
        yield TitleBar(self.session)
        with Horizontal(id="panes"):
            yield TreePane(self.session, self.outline)
            yield Splitter()
            yield FormPane(self.session, self.outline)
        yield ProblemsPane(self.session)
        yield RunPane(self.session)
        yield StatusBar()
        yield FilterLine()
        yield KeysBar(self.title_of)

    def on_mount(self) -> None:
        """Begin in the tree, or in the form of a value that has one of its own."""
        self.came_in_form = self._in_form and self.has_form_of_its_own(self.outline.root)
        self.pane = "form" if self.came_in_form else "tree"
        self.place_panes()
        start = self.outline.root if self.came_in_form else self._start
        if start is not None:
            self.tree_pane.go_to(start)
        self.form_pane.show(self.tree_pane.selected)
        self.show_problems()
        self.show_scores()
        self.show_pane(self.pane)
        if self._begin:
            self._begin_to_type()

    def _begin_to_type(self) -> None:
        """Type in the first field of a new value with a form; ask for the first name in a new object of free form."""
        if self.came_in_form:
            self.form_pane.begin()
            return
        inner = self.outline.root
        while inner.kind == "object" and len(inner.items) == 1:
            inner = inner.items[0]
        if inner.kind == "object" and not inner.items and self.tree_pane.go_to(inner):
            self.form_pane.show(inner)
            key = key_of("tree.add_inside")
            self.tree_pane.action_add(True, if_none=f"nothing in it yet · {key} adds a member, esc goes back")

    def has_form_of_its_own(self, node: Node) -> bool:
        """Whether google-adk has a model for the value, so that its form says more than its tree."""
        eval_set = self.session.eval_set
        return eval_set is not None and place_of(eval_set, node) not in ("", "rubrics", "behaviors", "events", "parts")

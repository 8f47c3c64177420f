"""The panes of an edit screen and their sizes: one pane alone, or several with a movable line between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.containers import Horizontal

from evaltui.document.node import Node
from evaltui.tui.command import Command
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.outlines.case_outline import Outline
from evaltui.tui.panes.form_pane import FormPane
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.problems_pane import ProblemsPane
from evaltui.tui.panes.recorded_pane import RecordedPane
from evaltui.tui.panes.scores_pane import ScoresPane
from evaltui.tui.panes.title_and_status import StatusBar, TitleBar
from evaltui.tui.panes.tree_pane import TreePane
from evaltui.tui.widgets.pane_borders import Splitter

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen

_LEAST_TREE, _LEAST_FORM = 16, 30
"""The fewest columns of the tree and of the form."""
_USUAL, _USUAL_WIDE, _WIDE = 36, 49, 140
"""Default columns of the tree, its least columns in a wide terminal, and the width from which a terminal is wide."""
_WIDE_SHARE, _MOST_USUAL = 0.3, 80
"""The share of a wide terminal for the tree by default, and its most columns by default."""

_THIRD, _TWO_FORMS = 160, 100
"""The fewest columns of the terminal, and beside the tree, for a column with the recorded turn."""


class PaneLayout:
    """Shows, hides and sizes the panes."""

    def __init__(self, panes: Panes) -> None:
        self._panes = panes
        self.split: int | None = None
        """The columns of the tree if the person chose them; None for the default."""
        self._chosen_below: str | None = None
        """The pane below the others, problems or run, if the person chose it."""
        self._is_zoomed = False
        """Whether the current pane is alone although the terminal has room for more."""

    @property
    def _width(self) -> int:
        return self._panes.tree.app.size.width

    @property
    def is_narrow(self) -> bool:
        """Whether the terminal has room for one pane only."""
        return self._width < 100

    @property
    def _shows_one(self) -> bool:
        return self.is_narrow or self._is_zoomed

    def place(self) -> None:
        """Show the panes that fit, and set the width of the tree."""
        panes, alone = self._panes, self._shows_one
        panes.tree.screen.set_class(self._is_zoomed, "-zoomed")
        panes.tree.display = not alone or panes.current == "tree"
        panes.splitter.display = not alone
        panes.form.display = not alone or panes.current == "form"
        panes.problems.display = self._are_problems_wanted()
        panes.run.display = self._is_run_wanted()
        panes.upper.display = not alone or panes.current not in ("problems", "run")
        panes.tree.styles.width = "1fr" if alone else self._columns
        self._place_recorded()  # after the others: its room is what they leave
        if panes.form.display:
            panes.form.catch_up()  # a hidden form is not made anew at each change

    def _place_recorded(self) -> None:
        """Show or hide the column of the recorded turn; it is created when it first fits."""
        recorded = self._panes.recorded
        has_room = self._width >= _THIRD and not self._shows_one and self._width - self._columns >= _TWO_FORMS
        if has_room and not recorded.is_attached:
            self._panes.upper.mount(recorded)
        if has_room != recorded.has_room:
            recorded.has_room = has_room
            self._panes.form.lay_out()

    def place_problems(self) -> None:
        """Show the problems pane when there are problems, else hide it."""
        if self._are_problems_wanted() != self._panes.problems.display:
            self.place()

    def choose_below(self, name: str) -> None:
        """The person went to problems or run: show that pane below the others from now on."""
        self._chosen_below = name

    def _are_problems_wanted(self) -> bool:
        """Whether problems fit, and there were any since the file was opened."""
        is_there = not self._shows_one or self._panes.current == "problems"
        return self._panes.problems.had_any and self._below == "problems" and is_there

    def _is_run_wanted(self) -> bool:
        """Whether the run fits, or is the current pane."""
        return self._below == "run" and (self._panes.current == "run" or not self._shows_one)

    @property
    def _below(self) -> str:
        """The pane below the others: the chosen one, else the one with content."""
        if self._chosen_below is not None:
            return self._chosen_below
        problems, run = self._panes.problems, self._panes.run
        # A failing case matters more than problems that are only infos.
        has_most = not problems.had_any or (run.had_failing and not problems.had_faults)
        return "run" if run.has_news and has_most else "problems"

    @property
    def _columns(self) -> int:
        """The columns of the tree beside the form."""
        return self._within(self.split if self.split is not None else self._usual)

    @property
    def _usual(self) -> int:
        """The default columns of the tree."""
        if self._width < _WIDE:
            return _USUAL
        return max(_USUAL_WIDE, min(int(self._width * _WIDE_SHARE), _MOST_USUAL))

    def _within(self, columns: int) -> int:
        return max(_LEAST_TREE, min(columns, self._width - _LEAST_FORM))

    def zoom(self) -> None:
        """Show only the current pane, or all panes again."""
        status = self._panes.status
        if self.is_narrow:
            status.say("The terminal has room for one pane only.")
            return
        self._is_zoomed = not self._is_zoomed
        self.place()
        status.say("this pane only" if self._is_zoomed else "all panes", "z: show all" if self._is_zoomed else "")

    def resize_split(self, step: int) -> None:
        """Make the tree wider or narrower."""
        if self._shows_one:
            self._panes.status.say("Only one pane is visible, so there is no border to move.")
            return
        self.split_at(self._columns + step)

    def split_at(self, columns: int) -> None:
        """Set the columns of the tree."""
        # The choice is kept within the bounds of now; a wider terminal does not bring back what did not fit.
        self.split = self._within(columns)
        self.place()


class Panes:
    """Tree, form, problems, scores and bars. All controllers of a screen share one `Panes`."""

    def __init__(
        self, session: EditedDocument, outline: Outline, host: EditScreen, title_of: Callable[[Command], str]
    ) -> None:
        """`host` handles requests of panes at once; `title_of` gives the title of a command in the keys line."""
        self.outline = outline
        self.title = TitleBar(session)
        self.tree = TreePane(session, outline, host)
        self.splitter = Splitter()
        self.recorded = RecordedPane(session)
        """The recorded turn, beside the form if it fits."""
        self.form = FormPane(session, outline, host, self.recorded)
        self.upper = Horizontal(self.tree, self.splitter, self.form, id="panes")
        self.problems = ProblemsPane(session, host)
        self.run = ScoresPane(session)
        self.status = StatusBar()
        self.keys = KeysBar(title_of)
        if session.reading is not None:
            self.keys.first = ("list.convert", "list.losses", "list.source")
        elif session.is_json_of_reading:
            self.keys.first = ("list.source",)
        self.layout = PaneLayout(self)
        self.current = "tree"
        """The pane that gets the keys: tree, form, problems or run."""
        self.trail: list[Node] = []
        """The nodes whose forms led to the current one, for the way back. A jump starts a new trail."""

    def take_outline(self, outline: Outline) -> None:
        """Show the document with another outline, because it became an eval set or is no longer one."""
        self.outline = outline
        self.tree.take(outline)
        self.form.outline = outline

    def holds(self, node: Node) -> bool:
        """Whether these panes show the part of the document with this value."""
        return self.outline.root in (node, *node.ancestors())

    def refresh_all(self, message: str) -> None:
        """Redraw everything, and show a message."""
        self.status.say(message)
        self.tree.rebuild()
        self.form.show(self.tree.selected)
        self.title.update()

    def show_message(self, message: str | None) -> None:
        """Show a message about the file; None only refreshes its marks."""
        if message is not None:
            self.status.say(message)
            if self.form.edited is not None:
                self.status.name_keys_of_field()
        self.tree.refresh()
        self.title.update()

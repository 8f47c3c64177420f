"""The panes of an edit screen and their sizes: one pane alone, or several with a movable line between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from evaltui.document.node import Node
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.outlines.case_outline import Outline
from evaltui.tui.panes.form_pane import FormPane
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.problems_pane import ProblemsPane
from evaltui.tui.panes.scores_pane import ScoresPane
from evaltui.tui.panes.title_and_status import StatusBar, TitleBar
from evaltui.tui.panes.tree_pane import TreePane

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen
    from evaltui.tui.panes.recorded_pane import RecordedPane

_LEAST_TREE, _LEAST_FORM = 16, 30
"""The fewest columns of the tree and of the form."""
_USUAL, _USUAL_WIDE, _WIDE = 36, 49, 140
"""Default columns of the tree, its least columns in a wide terminal, and the width from which a terminal is wide."""
_WIDE_SHARE, _MOST_USUAL = 0.3, 80
"""The share of a wide terminal for the tree by default, and its most columns by default."""

_THIRD, _TWO_FORMS = 160, 100
"""The fewest columns of the terminal, and beside the tree, for a column with the recorded turn."""


class Splitter(Widget):
    """The line between two panes: a widget of one cell whose border is visible."""

    DEFAULT_CSS = """
    Splitter {
        width: 1;
        border-right: solid $foreground 20%;
        border-top: solid $foreground 30%;
        &:hover { border-right: solid $accent; }
    }
    """

    @dataclass
    class Dragged(Message):
        """The mouse dragged the line to a column of the screen."""

        column: int

    def render(self) -> Content:
        """Nothing but the border."""
        return Content("")

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Start dragging."""
        event.stop()
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseEvent) -> None:
        """Follow the mouse."""
        if self.app.mouse_captured is self:
            event.stop()
            self.post_message(self.Dragged(int(event.screen_x)))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """End dragging at the mouse."""
        self.on_mouse_move(event)
        self.release_mouse()


class Panes:
    """Tree, form, problems, scores and bars of a screen: shows, hides and sizes them. All its controllers share one."""

    def __init__(self, file: EditedDocument, outline: Outline, host: EditScreen) -> None:
        self.outline = outline
        self.title = TitleBar(file)
        self.tree = TreePane(file, outline, host)
        self.splitter = Splitter(id="splitter")
        self.recorded: RecordedPane | None = None
        """The recorded turn beside the form; None until the terminal has room for it."""
        self.form = FormPane(file, outline, host)
        self.upper = Horizontal(self.tree, self.splitter, self.form, id="panes")
        self.problems = ProblemsPane(file, host)
        self.run = ScoresPane(file, host)
        self.status = StatusBar(host.hint_of)
        self.keys = KeysBar(host.title_of)
        if file.reading is not None:
            self.keys.first = ("list.convert", "list.losses", "list.source")
        elif file.is_json_of_reading:
            self.keys.first = ("list.source",)
        self.current = "tree"
        """The pane that gets the keys: tree, form, problems or run."""
        self.trail: list[Node] = []
        """The nodes whose forms led to the current one, for the way back. A jump starts a new trail."""
        self.split: int | None = None
        """The columns of the tree if the person chose them; None for the default."""
        self.below: str | None = None
        """The pane below the others, problems or run, if the person went there."""
        self._is_zoomed = False
        """Whether the current pane is alone although the terminal has room for more."""

    @property
    def are_keys_in_recorded(self) -> bool:
        """Whether the recorded turn has the focus."""
        return self.recorded is not None and self.recorded.lines.has_focus

    @property
    def is_narrow(self) -> bool:
        """Whether the terminal has room for one pane only."""
        return self.tree.app.size.width < 100  # as the class `-narrow`, which the stylesheet knows

    def holds(self, node: Node) -> bool:
        """Whether these panes show the part of the document with this value."""
        return self.outline.root in (node, *node.ancestors())

    def place(self) -> None:
        """Show the panes that fit, and set the width of the tree."""
        problems, run, width, current = self.problems, self.run, self.tree.app.size.width, self.current
        alone, columns, below = self._is_zoomed or self.is_narrow, self._columns(self.split), self.below
        if below is None:
            # A failing case matters more than problems that are only infos.
            has_most = not problems.had_any or (run.had_failing and not problems.had_faults)
            below = "run" if problems.file.scores.has_news and has_most else "problems"
        self.tree.screen.set_class(self._is_zoomed, "-zoomed")
        self.tree.display = not alone or current == "tree"
        self.splitter.display = not alone
        self.form.display = not alone or current == "form"
        problems.display = below == "problems" and problems.had_any and (not alone or current == "problems")
        run.display = below == "run" and (not alone or current == "run")
        if run.display:  # its title counts the problems, too
            run.say_in_title()
        self.upper.display = not alone or current not in ("problems", "run")
        self.tree.styles.width = "1fr" if alone else columns
        # After the others, because the column of the recorded turn has the room that they leave.
        has_room = width >= _THIRD and not alone and width - columns >= _TWO_FORMS
        if has_room and self.recorded is None:
            from evaltui.tui.panes.recorded_pane import RecordedPane

            self.form.recorded = self.recorded = RecordedPane(self.form)
            self.upper.mount(self.recorded)
        if self.recorded is not None and has_room != self.recorded.has_room:
            self.recorded.has_room = has_room
            self.form.lay_out()
        if self.form.display:
            self.form.call_later(self.form.catch_up)  # a hidden form is not made anew at each change

    def _columns(self, split: int | None) -> int:
        """The columns of the tree beside the form: `split` within its bounds; with None, the default."""
        width = self.tree.app.size.width
        if split is None:
            is_wide = width >= _WIDE
            split = max(_USUAL_WIDE, min(int(width * _WIDE_SHARE), _MOST_USUAL)) if is_wide else _USUAL
        return max(_LEAST_TREE, min(split, width - _LEAST_FORM))

    def zoom(self) -> None:
        """Show only the current pane, or all panes again."""
        if self.is_narrow:
            self.status.say("The terminal has room for one pane only.")
            return
        self._is_zoomed = not self._is_zoomed
        self.place()
        self.status.say("this pane only" if self._is_zoomed else "all panes", "z: show all" if self._is_zoomed else "")

    def resize_split(self, step: int) -> None:
        """Make the tree wider or narrower."""
        if self._is_zoomed or self.is_narrow:
            self.status.say("Only one pane is visible, so there is no border to move.")
        else:
            self.split_at(self._columns(self.split) + step)

    def split_at(self, columns: int) -> None:
        """Set the columns of the tree."""
        # Within the present bounds: a wider terminal does not bring back what did not fit.
        self.split = self._columns(columns)
        self.place()

"""The form of the selected node: lines at rest, and one text box over the field that is edited."""

from __future__ import annotations

from textual import events, getters, on
from textual.app import ComposeResult

from evaltui.document import Node
from evaltui.tui.commands import bindings
from evaltui.tui.forms.form import Field, Form, HalfTyped, Link, Stop, Told, Why
from evaltui.tui.outlines import Outline
from evaltui.tui.panes.field_editing import FieldEditing
from evaltui.tui.panes.form_acting import FormActing
from evaltui.tui.panes.form_layout import lay_out_form
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.panes.form_problems import ProblemsInForm, line_of, problems_in_form
from evaltui.tui.panes.type_cycle import TypeCycle
from evaltui.tui.session.drafts import AS_JSON
from evaltui.tui.session.problem import Problem
from evaltui.tui.session.session import Session
from evaltui.tui.widgets.pane_title import PaneTitle
from evaltui.tui.widgets.text_field import TextField


class FormPane(FormActing, FieldEditing):
    """Shows the form of a node and writes what is typed back at once."""

    BINDINGS = bindings("form")

    title_line = getters.query_one(PaneTitle)
    lines = getters.child_by_id("form-lines", FormLines)
    box = getters.child_by_id("field", TextField)

    DEFAULT_CSS = """
    FormPane { layers: below above; }
    FormPane > PaneTitle, FormPane > FormLines { layer: below; }
    """

    def __init__(self, session: Session, outline: Outline) -> None:
        super().__init__(id="form")
        self.session = session
        self.outline = outline
        self.node = outline.root
        self.form = Form("")
        self.types = TypeCycle()
        self._problems = ProblemsInForm()
        self._why: tuple[tuple[Node, int, int], Why] | None = None
        """What was last told of scores: of which node, in which version and width."""

    def compose(self) -> ComposeResult:
        """The title, the lines, and above them the box."""
        yield PaneTitle()
        yield FormLines()
        yield TextField(self.leave, self.take_long)

    # --- what is shown -------------------------------------------------------------------------------------

    def show(self, node: Node) -> None:
        """Show the form of another node; its first field is selected."""
        if node is not self.node:
            self.close_box()
            self.node = node
            self.lines.set_reactive(FormLines.cursor, -1)
            if self.lines.scroll_offset.y:
                self.lines.scroll_to(y=0, animate=False, force=True)
        self.refresh_form()

    def refresh_form(self) -> None:
        """Make the form anew: the node, the drafts, the size or the field being edited have changed."""
        self.form = self.make_form()
        self.title_line.name_shown = self.form.title
        self.lay_out()

    def make_form(self) -> Form:
        """The form as the document has it, with the edited field and all drafts, also those that have no field."""
        form = self.outline.form(self.node)
        self._keep_editing(form)
        keys = {item.key for item in form.items if isinstance(item, Stop)}
        kept = [(at, draft) for at, draft in self.session.drafts.live() if at.node is self.node and at.key not in keys]
        for at, draft in kept:
            called = "draft of the whole" if at.key == AS_JSON else f"draft of {draft.where}"
            form.items.insert(0, HalfTyped(at.key, called, draft.text, node=self.node))
        return form

    def lay_out(self) -> None:
        """Place the items; put the box over the field being edited."""
        region = self.lines.scrollable_content_region
        tall = self.box_height() if self.edited else 0
        told = self._tell_why(max(20, region.width))
        layout = lay_out_form(
            self.form,
            max(20, region.width),
            max(4, region.height // 2),
            lambda key: self.session.drafts.get(self.node, key),
            (self.edited.key, tall) if self.edited else None,
            self._find_problems(),
            told.above,
            told.below,
        )
        self.lines.show(self.form, layout)
        if self.edited:
            self.lines.show_cursor()
        self.place_box()

    # --- scores --------------------------------------------------------------------------------------------

    def _tell_why(self, width: int) -> Why:
        """Why the node has its scores; worked out once, for a form is laid out anew with each key."""
        if not self.session.scores.rows:
            return Why()
        from evaltui.tui.panes.why_lines import why

        key = self.node, self.session.scores.version, width
        if self._why is None or self._why[0] != key:
            self._why = key, why(self.session.scores, self.node, width)
        return self._why[1]

    def refresh_scores(self) -> None:
        """There are other scores."""
        if self._why is None or self._why[0][1] != self.session.scores.version:
            self.lay_out()

    def go_to_why(self, *, select: bool = True) -> None:
        """Bring the lines into sight that say why the node has its scores, if there are any; select the first."""
        placed = self.lines.layout_of_form.placed
        told = [each for each in placed if isinstance(each.item, Told)]
        if told:
            if select:
                self.lines.cursor = placed.index(told[0])
            self.lines.show_lines(told[0].top, told[-1].top + told[-1].height - 1)

    # --- problems ------------------------------------------------------------------------------------------

    def _find_problems(self) -> ProblemsInForm:
        problems = self.session.problems
        self._problems = problems_in_form(self.form.items, self.node, problems.within(self.node))
        if self.node is self.session.document.root:
            self._problems.mark_links(self.form.items, problems.mark)
        return self._problems

    def refresh_problems(self) -> None:
        """Other problems may have been found."""
        before = self._problems
        if self._find_problems() != before:
            self.lay_out()

    @property
    def problem(self) -> Problem | None:
        """The problem of the selected line; where it has none, that at the head of the form."""
        at, problems = self.lines.cursor, self._problems
        return problems.of_items.get(at) or problems.behind.get(at) or problems.head

    def is_at(self, problem: Problem) -> bool:
        """Whether the cursor is on the line of a problem, or on one without a problem of its own in the same form."""
        at, missing = problem.locate()
        if at is None or self.node not in (at, *at.ancestors()):
            return False
        index, _ = line_of(self.form.items, self.node, at, missing)
        return index == self.lines.cursor or self.lines.cursor not in self._problems.of_items

    def shows(self, node: Node) -> bool:
        """Whether a line of the form is that of this very value, and not one that leads to it."""
        if self.node not in node.ancestors():
            return False
        index, is_there = line_of(self.form.items, self.node, node, "")
        return index is not None and is_there

    def go_to_place(self, at: Node, missing: str) -> Link | None:
        """Select the line of a value or of a missing member; gives the link behind which it is, if it is not here."""
        index, is_there = line_of(self.form.items, self.node, at, missing)
        if index is None:
            return None
        self.lines.cursor = index
        item = self.form.items[index]
        return item if isinstance(item, Link) and not is_there else None

    @on(FormLines.Resized)
    def _wrap_anew(self) -> None:
        self.lay_out()
        if self.edited:
            self.wrap_box()
            self.lay_out()

    # --- mouse ---------------------------------------------------------------------------------------------

    @on(events.Click, "#form-lines")
    def _clicked(self, event: events.Click) -> None:
        line = self.lines.line_at(event.get_content_offset_capture(self.lines).y)
        number = self.lines.layout_of_form.at(line) if line is not None else None
        if number is None or not self.lines.layout_of_form.placed[number].can_be_selected:
            return
        placed = self.lines.layout_of_form.placed[number]
        again = number == self.lines.cursor
        self.lines.cursor = number
        if isinstance(placed.item, Field) or again:
            self.action_enter()

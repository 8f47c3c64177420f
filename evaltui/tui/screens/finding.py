"""Finding cases: the filter over the rows of the tree, and its hits one after another."""

from __future__ import annotations

import asyncio
from collections.abc import Container, Mapping
from typing import TYPE_CHECKING

from textual import events, on, work
from textual.widgets import Input

from evaltui.document import Change, Node
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.eval_set import EvalCase, EvalSet
from evaltui.evalset.search.case_text import CaseTexts
from evaltui.evalset.titles import title
from evaltui.tui.lines import preview
from evaltui.tui.outlines import EvalOutline, Outline
from evaltui.tui.panes.filter_line import FilterLine
from evaltui.tui.panes.requests import Revise, Visit
from evaltui.tui.screens.panes_screen import PanesScreen
from evaltui.tui.session import READ_ONLY, Session
from evaltui.tui.widgets.line_view import LineView
from evaltui.tui.widgets.text_field import TextField

if TYPE_CHECKING:
    from evaltui.evalset.search.case_filter import Predicate, Search


_AT_ONCE, _SLICE = 0.012, 0.004
"""Seconds of searching in the frame of a key, and between two looks at the keyboard."""
_OF_PROBLEMS = {"is:invalid", "is:warning", "has:fix", "is:failing", "is:passing", "is:stale", "is:unscored"}
"""What is asked of problems and scores, which come and go by themselves."""
_FRAMES = 0.1
"""Seconds between two frames of a search that goes on."""


def marks_of(session: Session) -> Mapping[str, Predicate]:
    """All marks that can be asked for in the open file."""
    from evaltui.evalset.search.case_filter import MARKS

    marked: Container[Node] = getattr(session, "marked", frozenset())
    return {
        "is:dirty": lambda node, _: session.document.is_changed(node) or session.drafts.has(node),
        "is:marked": lambda node, _: node in marked,
        "is:invalid": lambda node, _: session.problems.has(node, "error"),
        "is:warning": lambda node, _: session.problems.has(node, "warning"),
        "is:failing": lambda node, _: session.scores.has(node, "failed"),
        "is:passing": lambda node, _: session.scores.has(node, "passed"),
        "is:stale": lambda node, _: node in session.scores.stale,
        "is:unscored": lambda node, _: not session.scores.has_verdict(node),
        "has:fix": lambda node, _: session.problems.has_fix(node),
        **MARKS,
    }


class Finding(PanesScreen):
    """The part of the edit screen that filters."""

    _search: Search | None = None
    """What the rows are restricted to; None without a filter."""
    _searches_again: bool = False
    """Whether other cases may be found, which waits until no field is edited."""
    _began_at: Node | None = None
    """The row selected when the filter was begun."""

    @property
    def filter_line(self) -> FilterLine:
        """Where the filter is typed."""
        return self.query_one(FilterLine)

    def __init__(self, session: Session, outline: Outline) -> None:
        super().__init__(session, outline)
        self._is_of_cases = isinstance(outline, EvalOutline)
        self._texts = session.texts if self._is_of_cases else CaseTexts(free=True)

    # --- the line ------------------------------------------------------------------------------------------

    def action_find(self) -> None:
        """Open the line of the filter."""
        self.form_pane.stop_editing()
        self.pane = "tree"
        self.trail.clear()
        self.place_panes()
        if self._search is None:
            self._began_at = self.tree_pane.selected
        self.status.display = False
        self.filter_line.display = True
        self.set_focus(self.filter_line.input, scroll_visible=False)
        self._say_found()
        self._go_on()

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Who goes to a pane with the mouse, or by a command, is done with the line; the filter stays."""
        if self.filter_line.display and isinstance(self.focused, (LineView, TextField)):
            self._hide_line()
        if self._searches_again and self.form_pane.edited is None:
            self.search_again()

    @on(Input.Changed, "FilterInput")
    def _query_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._apply_query(event.input.value)

    def _apply_query(self, text: str) -> None:
        from evaltui.evalset.search.case_filter import Search, parse

        if self._search is not None and parse(text, marks_of(self.session)) == self._search.query:
            return
        query = parse(text, marks_of(self.session))
        if not query.terms:
            self._search = None
            self._restrict()
            self._say_found(query.problem)
            return
        first_level = self.outline.children(self.outline.root)
        self._search = Search(query, first_level, self._texts, marks_of(self.session), self._search)
        self._search.advance(_AT_ONCE)
        self._restrict()
        self._go_on()

    @work(exclusive=True, group="find")
    async def _go_on(self) -> None:
        """Search on, or make the words of all cases ready, between the keys."""
        from evaltui.evalset.search.case_filter import READ_ALL, Search

        search, shown = self._search, asyncio.get_running_loop().time()
        if search is None:
            search = Search(READ_ALL, self.outline.children(self.outline.root), self._texts)
        while not search.is_done:
            await asyncio.sleep(0)
            search.advance(_SLICE)
            now = asyncio.get_running_loop().time()
            if search is self._search and (search.is_done or now - shown > _FRAMES):
                shown = now
                self._restrict()

    def read_words(self) -> None:
        """Make the words of all cases ready for suggestions, between the keys."""
        self.run_worker(self._read_words, exclusive=True, group="words")  # type: ignore[arg-type]

    async def _read_words(self) -> None:
        from evaltui.evalset.search.case_filter import READ_ALL, Search

        eval_set = self.session.eval_set
        reading = Search(READ_ALL, eval_set.cases if eval_set else [], self.session.texts)
        while not reading.is_done:
            reading.advance(_SLICE)
            await asyncio.sleep(0)
        self.form_pane.box.update_suggestion()

    # --- what is shown -------------------------------------------------------------------------------------

    def _restrict(self) -> None:
        """Show the rows that were found so far."""
        pane, search = self.tree_pane, self._search
        stay_at = self._began_at if self.filter_line.display and self._began_at is not None else pane.selected
        pane.restrict(self._rows_found(search) if search else None, stay_at)
        self._say_found()

    def _rows_found(self, search: Search) -> list[Node]:
        """The hits, and the case one is at work on, which stays till it is scored again or another filter is typed."""
        here = self.tree_pane.case_of(self.tree_pane.selected) if not self.filter_line.display else None
        stays = here is not None and here in self.session.scores.stale and here not in search.hits
        return [*search.hits, here] if stays and here is not None else search.hits

    def _say_found(self, problem: str = "") -> None:
        search = self._search
        said = self._found() if search is not None else ""
        self.tree_pane.say_in_title(said)
        if search is not None:
            is_literal = not search.is_done or (search.hits and not search.is_similar)
            problem = problem or search.query.problem or ("" if is_literal else search.query.hint)
        self.filter_line.say(problem or said)

    def _found(self) -> str:
        assert self._search is not None
        total = len(self.outline.children(self.outline.root))
        what = "cases" if self._is_of_cases else "rows"
        said = f"{len(self._search.hits):,} of {total:,} {what}"
        if self._search.is_similar and self._search.hits:
            said += " · similar names"
        return said if self._search.is_done else f"{said} …"

    def search_again(self) -> None:
        """Other problems or scores were found: what asks for them finds other cases, once no field is edited."""
        self._searches_again = self._search is not None and self.form_pane.edited is not None
        if self._searches_again:
            return
        from evaltui.evalset.search.case_filter import Search

        if self._search is not None and any(f"{t.field}:{t.word}" in _OF_PROBLEMS for t in self._search.query.terms):
            query, first_level = self._search.query, self.outline.children(self.outline.root)
            self._search = Search(query, first_level, self._texts, marks_of(self.session))
            self._go_on()

    # --- leaving -------------------------------------------------------------------------------------------

    def action_keep_filter(self) -> None:
        """Go to the turn that the filter finds."""
        self._apply_query(self.filter_line.input.value)
        self._close_line()
        if self._search is not None:
            places = self._places(self.tree_pane.selected)
            if places and self.tree_pane.selected not in places:
                self.tree_pane.go_to(places[0])

    def action_clear_filter(self) -> None:
        """Show all rows again; from the line itself, back where one was."""
        search, self._search = self._search, None
        if search is not None:
            at = self._began_at if self.filter_line.display else None
            at = at or self.tree_pane.selected
            self._restrict()
            self.tree_pane.go_to(at)
        self.filter_line.input.value = ""
        self._close_line()
        self._say_found()

    def _close_line(self) -> None:
        if self.filter_line.display:
            self._hide_line()
            self.show_pane("tree")
        self._began_at = None

    def _hide_line(self) -> None:
        self.filter_line.display = False
        self.status.display = True
        self._began_at = None

    def action_back(self) -> None:
        """From the tree, out of the filter first."""
        if self.pane == "tree" and self._search is not None:
            self.action_clear_filter()
            self.status.say("all rows are shown again")
        else:
            super().action_back()  # type: ignore[misc]

    # --- hits ----------------------------------------------------------------------------------------------

    def action_step_hit(self, step: int) -> None:
        """Go to the next or previous case found, while still typing."""
        self.tree_pane.step_case(step)
        self._began_at = self.tree_pane.selected

    def action_next_hit(self, step: int) -> None:
        """Go to the next or previous turn found, or case where no turn is; round at the ends."""
        hits = self._search.hits if self._search is not None else []
        hits = [case for case in hits if self.tree_pane.rows.index(case) is not None] if len(hits) < 100 else hits
        if not hits:
            self.status.say("The filter finds nothing." if self._search else "There is no filter; / begins one.")
            return
        here = self.tree_pane.selected
        case = self.tree_pane.case_of(here)
        inside = self._places(case) if case is not None else []
        ahead = [place for place in inside if _goes(here, place, step)]
        if not ahead:
            number = (hits.index(case) + step) % len(hits) if case in hits else 0
            ahead = self._places(hits[number])
        place = ahead[0 if step > 0 else -1]
        self.tree_pane.go_to(place)
        self.status.say(self._said_of_hit(place, hits))

    def _said_of_hit(self, place: Node, hits: list[Node]) -> str:
        """Which case, or row, of those found one is at, and of several turns found in it which."""
        case = self.tree_pane.case_of(place)
        inside = self._places(place)
        turn = f", turn {inside.index(place) + 1} of {len(inside)} found" if len(inside) > 1 and place in inside else ""
        what = "case" if self._is_of_cases else "row"
        which = f"{what} {hits.index(case) + 1:,} of {len(hits):,} found{turn}: " if case in hits else ""
        return f"{which}{self._called(place)}"

    def _places(self, node: Node) -> list[Node]:
        """Where the cursor stops in the case of `node`: the turns found, or else the case."""
        case = self.tree_pane.case_of(node)
        if case is None or self._search is None:
            return []
        return self._search.places(EvalCase(case).invocations) or [case]

    def _called(self, node: Node) -> str:
        eval_set = self.session.eval_set
        return title(eval_set, node) if eval_set is not None else preview(node.name, 60)

    # --- going to a place ----------------------------------------------------------------------------------

    def action_jump(self) -> None:
        """Ask for a place and go there."""
        from evaltui.tui.screens.jump_screen import Jump, JumpScreen

        root, eval_set = self.session.document.root, self.session.eval_set
        assert root is not None
        cases = eval_set.cases if eval_set is not None else []

        def answered(jump: Jump | None) -> None:
            if jump is not None:
                self._jump_to(jump.node, is_line=jump.is_line)

        self.app.push_screen(JumpScreen(root, cases, self.session.texts), answered)

    def _jump_to(self, node: Node, *, is_line: bool) -> None:
        is_outside = self.outline.root not in (node, *node.ancestors())
        if is_outside and not is_line:
            self.status.say("That lies outside of this view; esc leads out of it.")
            return
        self.form_pane.stop_editing()
        if not is_outside and self.tree_pane.go_to(node):
            self.show_pane("tree")
        elif is_line:
            self.open_place(node)
        else:
            self.post_message(Visit(node))

    # --- replacing -----------------------------------------------------------------------------------------

    def action_replace(self) -> None:
        """Find and replace in the marked cases, those that the filter shows, or all."""
        from evaltui.tui.screens.replace_screen import ReplaceScreen

        if self.session.readonly:
            self.status.say(READ_ONLY)
            return
        eval_set = self.session.eval_set
        if eval_set is None or not self._is_of_cases:
            self.status.say("Find and replace works on the cases of an eval set.")
            return
        self.form_pane.write_typed()
        self.form_pane.stop_editing()

        def answered(revision: Revision | None) -> None:
            if revision is not None:
                self.post_message(Revise(revision))

        self.app.push_screen(ReplaceScreen(eval_set, self._scopes(eval_set)), answered)

    def _scopes(self, eval_set: EvalSet) -> dict[str, list[Node]]:
        marked: Container[Node] = getattr(self.session, "marked", frozenset())
        scopes = {
            "marked cases": [case for case in eval_set.cases if case in marked],
            "filtered cases": self._search.hits if self._search is not None else [],
            "cases": eval_set.cases,
        }
        return {name: cases for name, cases in scopes.items() if cases or name == "cases"}

    # --- changes -------------------------------------------------------------------------------------------

    def apply_change(self, change: Change, *, goto_new: bool = False, begin: bool = False) -> None:
        """What changed is read anew; what came is shown, whether the filter finds it or not."""
        self.session.texts.forget(change.nodes)
        self._texts.forget(change.nodes)
        rows = self.tree_pane.rows
        if rows.only is not None:
            rows.only.update(change.added)
        super().apply_change(change, goto_new=goto_new, begin=begin)

    def refresh_all(self, said: str = "") -> None:
        """Anything may have changed."""
        self.session.texts.forget()
        self._texts.forget()
        super().refresh_all(said)


def _goes(here: Node, place: Node, step: int) -> bool:
    """Whether `place` lies behind (1) or before (-1) `here`, both in one case."""
    around = (here, *here.ancestors())
    if place in around:
        return step < 0 and place is not here
    if here in place.ancestors():
        return step > 0
    beside = next((at for at in around if at.parent is place.parent), None)
    return beside is not None and (place.index() - beside.index()) * step > 0

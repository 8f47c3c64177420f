"""The filter: it restricts the tree to matching cases while the person types."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual.screen import Screen
from textual.worker import Worker

from evaltui.document.document import Change
from evaltui.document.node import Node
from evaltui.evalset.case_file import turns_of
from evaltui.evalset.search.case_text import CaseTexts
from evaltui.tui.commands import key_of
from evaltui.tui.editor.navigator import Navigator
from evaltui.tui.editor.pane_layout import Panes
from evaltui.tui.session.session import Session

if TYPE_CHECKING:
    from evaltui.evalset.search.case_filter import Predicate, Search
    from evaltui.tui.widgets.line_input import FilterLine


_AT_ONCE, _SLICE = 0.012, 0.004
"""Seconds of searching in the frame of a key press, and per slice later."""
_OF_PROBLEMS = {"is:invalid", "is:warning", "has:fix", "is:failing", "is:passing", "is:outdated", "is:unscored"}
"""Filter words about problems and scores, which can change without an edit."""
_FRAMES = 0.1
"""Seconds between two frames of a long search."""


def marks_of(session: Session) -> Mapping[str, Predicate]:
    """All `is:` and `has:` words for the open file."""
    from evaltui.evalset.search.case_filter import MARKS

    return {
        "is:dirty": lambda node, _: session.document.is_changed(node) or session.drafts.has(node),
        "is:marked": lambda node, _: node in session.marked,
        "is:invalid": lambda node, _: session.problems.has(node, "error"),
        "is:warning": lambda node, _: session.problems.has(node, "warning"),
        "is:failing": lambda node, _: session.scores.has(node, "failed"),
        "is:passing": lambda node, _: session.scores.has(node, "passed"),
        "is:outdated": lambda node, _: node in session.scores.stale,
        "is:unscored": lambda node, _: not session.scores.has_verdict(node),
        "has:fix": lambda node, _: session.problems.has_fix(node),
        **MARKS,
    }


class Finder:
    """Restricts the tree to the matches of a query."""

    def __init__(self, session: Session, panes: Panes, navigator: Navigator, screen: Screen[str]) -> None:
        self._session = session
        self._panes = panes
        self._navigator = navigator
        self._screen = screen
        self.is_of_cases = panes.outline.shows_cases
        """Whether the rows are cases; else they are rows of any JSON."""
        self._texts = session.texts if self.is_of_cases else CaseTexts(free=True)
        self._search: Search | None = None
        """The search that restricts the rows; None without a filter."""
        self._is_stale = False
        """Whether the matches may be outdated; the search waits until no field is edited."""
        self._began_at: Node | None = None
        """The selected row when the filter was opened."""
        self._line: FilterLine | None = None
        """The input line of the filter; None until it is first opened."""

    @property
    def has_filter(self) -> bool:
        """Whether the rows are restricted."""
        return self._search is not None

    @property
    def hits(self) -> list[Node]:
        """The matching cases found so far."""
        return self._search.hits if self._search is not None else []

    # --- the line ------------------------------------------------------------------------------------------

    async def action_find(self) -> None:
        """Open the input line of the filter."""
        panes = self._panes
        panes.form.stop_editing()
        panes.current = "tree"
        panes.trail.clear()
        self._panes.layout.place()
        if self._search is None:
            self._began_at = panes.tree.selected
        panes.status.say("")  # else an old message would come back behind the filter
        panes.status.display = False
        line = await self._shown_line()
        self._screen.set_focus(line.input, scroll_visible=False)
        self._say_found()
        self._go_on()

    async def _shown_line(self) -> FilterLine:
        if self._line is None:
            from evaltui.tui.widgets.line_input import FilterLine

            self._line = FilterLine()
            await self._screen.mount(self._line, before=self._panes.keys)
        self._line.display = True
        return self._line

    @property
    def _is_typed(self) -> bool:
        """Whether the input line is visible."""
        return self._line is not None and self._line.display

    def focus_moved(self) -> None:
        """Close the input line when the person goes to a pane; the filter stays."""
        focused = self._screen.focused
        if self._is_typed and focused is not None and focused.parent is not self._line:
            self._hide_line()
        if self._is_stale and self._panes.form.edited is None:
            self.search_again()

    def apply_query(self, text: str) -> None:
        """Search for the text of the input line."""
        from evaltui.evalset.search.case_filter import Search, parse

        query = parse(text, marks_of(self._session))
        if self._search is not None and query == self._search.query:
            return
        if not query.terms:
            self._search = None
            self._restrict()
            self._say_found(query.problem)
            return
        self._search = Search(query, self._first_level(), self._texts, marks_of(self._session), self._search)
        self._search.advance(_AT_ONCE)
        self._restrict()
        self._go_on()

    def _first_level(self) -> list[Node]:
        outline = self._panes.outline
        return list(outline.children(outline.root))

    def _go_on(self) -> None:
        _: Worker[None] = self._screen.run_worker(self._search_on, exclusive=True, group="find")

    async def _search_on(self) -> None:
        """Continue the search between key presses; without a search, read the words of all cases."""
        from evaltui.evalset.search.case_filter import READ_ALL, Search

        search, shown = self._search, asyncio.get_running_loop().time()
        if search is None:
            search = Search(READ_ALL, self._first_level(), self._texts)
        while not search.is_done:
            await asyncio.sleep(0)
            search.advance(_SLICE)
            now = asyncio.get_running_loop().time()
            if search is self._search and (search.is_done or now - shown > _FRAMES):
                shown = now
                self._restrict()

    def read_words(self) -> None:
        """Read the words of all cases for suggestions, between key presses."""
        _: Worker[None] = self._screen.run_worker(self._read_words, exclusive=True, group="words")

    async def _read_words(self) -> None:
        from evaltui.evalset.search.case_filter import READ_ALL, Search

        case_file = self._session.case_file
        reading = Search(READ_ALL, case_file.cases if case_file else [], self._session.texts)
        while not reading.is_done:
            reading.advance(_SLICE)
            await asyncio.sleep(0)
        self._panes.form.update_suggestion()

    # --- what is shown -------------------------------------------------------------------------------------

    def _restrict(self) -> None:
        """Show the rows found so far."""
        tree, search = self._panes.tree, self._search
        stay_at = self._began_at if self._is_typed and self._began_at is not None else tree.selected
        tree.restrict(self._rows_found(search) if search else None, stay_at)
        self._say_found()

    def _rows_found(self, search: Search) -> list[Node]:
        """The hits, and the case being edited, which stays until it is scored again or the filter changes."""
        tree = self._panes.tree
        here = tree.case_of(tree.selected) if not self._is_typed else None
        stays = here is not None and here in self._session.scores.stale and here not in search.hits
        return [*search.hits, here] if stays and here is not None else search.hits

    def _say_found(self, problem: str = "") -> None:
        search = self._search
        said = self._found(search) if search is not None else ""
        self._panes.tree.say_in_title(said)
        if search is not None:
            is_literal = not search.is_done or (search.hits and not search.is_similar)
            problem = problem or search.query.problem or ("" if is_literal else search.query.hint)
        if self._line is not None:
            self._line.say(problem or said)

    def _found(self, search: Search) -> str:
        what = "cases" if self.is_of_cases else "rows"
        said = f"{len(search.hits):,} of {len(self._first_level()):,} {what}"
        if search.is_similar and search.hits:
            said += " · similar names"
        return said if search.is_done else f"{said} …"

    def search_again(self) -> None:
        """Search again after problems or scores changed, unless a field is being edited."""
        self._is_stale = self._search is not None and self._panes.form.edited is not None
        if self._search is None or self._is_stale:
            return
        from evaltui.evalset.search.case_filter import Search

        if any(f"{t.field}:{t.word}" in _OF_PROBLEMS for t in self._search.query.terms):
            self._search = Search(self._search.query, self._first_level(), self._texts, marks_of(self._session))
            self._go_on()

    def nothing_found(self) -> str:
        """The sentence that the filter finds nothing, with the key that clears it."""
        return f"The filter finds nothing. Press {key_of('list.back')} to clear the filter."

    # --- leaving -------------------------------------------------------------------------------------------

    def action_keep_filter(self) -> None:
        """Keep the filter, and go to the first matching turn."""
        if self._line is not None:
            self.apply_query(self._line.input.value)
        self._close_line()
        if self._search is not None:
            tree = self._panes.tree
            places = self.places(tree.selected)
            if places and tree.selected not in places:
                tree.go_to(places[0])
            if self._search.is_done and not self._search.hits:
                self._panes.status.say(self.nothing_found())

    def action_clear_filter(self) -> None:
        """Show all rows again; from the input line, go back to the row selected before."""
        search, self._search = self._search, None
        if search is not None:
            at = self._began_at if self._is_typed else None
            at = at or self._panes.tree.selected
            self._restrict()
            self._panes.tree.go_to(at)
        if self._line is not None:
            self._line.input.value = ""
        self._close_line()
        self._say_found()

    def leave_filter(self) -> bool:
        """Show all rows again if the focus is in the tree; False if there is no filter."""
        if self._panes.current != "tree" or self._search is None:
            return False
        self.action_clear_filter()
        self._panes.status.say("Filter cleared. All rows are shown.")
        return True

    def _close_line(self) -> None:
        if self._is_typed:
            self._hide_line()
            self._navigator.show_pane("tree")
        self._began_at = None

    def _hide_line(self) -> None:
        if self._line is not None:
            self._line.display = False
        self._panes.status.display = True
        self._began_at = None

    # --- hits ----------------------------------------------------------------------------------------------

    def action_step_hit(self, step: int) -> None:
        """Go to the next or previous match while the query is still typed."""
        self._panes.tree.step_case(step)
        self._began_at = self._panes.tree.selected

    def places(self, node: Node) -> list[Node]:
        """The stops of the cursor in the case of `node`: the matching turns, or the case itself."""
        case = self._panes.tree.case_of(node)
        if case is None or self._search is None:
            return []
        turns = self._panes.outline.children(case) if self.is_of_cases else turns_of(case)
        return self._search.places(turns) or [case]

    # --- changes -------------------------------------------------------------------------------------------

    def note_change(self, change: Change) -> None:
        """Read changed cases again; new rows are shown even if they do not match."""
        self._session.texts.forget(change.nodes)
        self._texts.forget(change.nodes)
        rows = self._panes.tree.rows
        if rows.only is not None:
            rows.only.update(change.added)

    def forget(self) -> None:
        """Forget all words, because anything may have changed."""
        self._session.texts.forget()
        self._texts.forget()

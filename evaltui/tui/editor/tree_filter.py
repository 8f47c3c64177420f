"""The filter: it restricts the tree to matching cases; steps through its hits, and replaces texts in its cases."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from textual.worker import Worker

from evaltui.document.document import Change
from evaltui.document.node import Node
from evaltui.document.positions import in_order
from evaltui.evalset.case_file import turns_of
from evaltui.evalset.search.case_filter import MARKS, Predicate, Search
from evaltui.evalset.search.case_text import CaseTexts
from evaltui.evalset.titles import title
from evaltui.tui.commands import key_of
from evaltui.tui.lines import preview
from evaltui.tui.open_file.edited_document import EditedDocument

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen
    from evaltui.tui.widgets.line_input import FilterLine


_AT_ONCE, _SLICE = 0.012, 0.004
"""Seconds of searching in the frame of a key press, and per slice later."""
_OF_PROBLEMS = {"is:invalid", "is:warning", "has:fix", "is:failing", "is:passing", "is:outdated", "is:unscored"}
"""Filter words about problems and scores, which can change without an edit."""
_FRAMES = 0.1
"""Seconds between two frames of a long search."""


def marks_of(file: EditedDocument) -> Mapping[str, Predicate]:
    """All `is:` and `has:` words for the open file."""
    return {
        "is:dirty": lambda node, _: file.document.is_changed(node) or file.drafts.has(node),
        "is:marked": lambda node, _: node in file.marked,
        "is:invalid": lambda node, _: any(problem.severity == "error" for problem in file.problems.of_case(node)),
        "is:warning": lambda node, _: any(problem.severity == "warning" for problem in file.problems.of_case(node)),
        "is:failing": lambda node, _: file.scores.has(node, "failed"),
        "is:passing": lambda node, _: file.scores.has(node, "passed"),
        "is:outdated": lambda node, _: node in file.scores.stale,
        "is:unscored": lambda node, _: not file.scores.has_verdict(node),
        "has:fix": lambda node, _: any(problem.fix is not None for problem in file.problems.of_case(node)),
        **MARKS,
    }


class TreeFilter:
    """Restricts the tree to the matches of a query."""

    def __init__(self, screen: EditScreen) -> None:
        self._screen, self._file, self._panes = screen, screen.file, screen.panes
        screen.filter_in_use = self
        self.is_of_cases = screen.panes.outline.format is not None
        """Whether the rows are cases; else they are rows of any JSON."""
        self.texts = screen.file.words if self.is_of_cases else CaseTexts(free=True)
        self._search: Search | None = None
        """The search that restricts the rows; None without a filter."""
        self._is_stale = False
        """Whether the matches may be outdated; the search waits until no field is edited."""
        self._began_at: Node | None = None
        """The selected row when the filter was opened."""
        self._line: FilterLine | None = None

    @property
    def hits(self) -> list[Node]:
        """The matching cases found so far."""
        return self._search.hits if self._search is not None else []

    # --- the line ------------------------------------------------------------------------------------------

    async def find(self) -> None:
        """Open the input line of the filter."""
        panes = self._panes
        panes.form.editor.stop()
        panes.current = "tree"
        panes.trail.clear()  # the way back would lead to rows that the filter hides
        self._panes.place()
        if self._search is None:
            self._began_at = panes.tree.selected
        panes.status.say("")  # else an old message would come back behind the filter
        panes.status.display = False
        if self._line is None:
            from evaltui.tui.widgets.line_input import FilterLine

            self._line = FilterLine()
            await self._screen.mount(self._line, before=panes.keys)
        self._line.display = True
        self._screen.set_focus(self._line.input, scroll_visible=False)
        self._say_found()
        self._go_on()

    @property
    def _is_typed(self) -> bool:
        """Whether the input line is visible."""
        return self._line is not None and self._line.display

    def focus_moved(self) -> None:
        """Close the input line when the person goes to a pane; the filter stays."""
        focused = self._screen.focused
        if self._is_typed and focused is not None and focused.parent is not self._line:
            self._close_line(goes_to_tree=False)
        if self._is_stale and self._panes.form.edited is None:
            self.search_again()

    def apply_query(self, text: str) -> None:
        """Search for the text of the input line."""
        search = Search(text, self._first_level(), self.texts, marks_of(self._file))
        if self._search is not None and search.query == self._search.query:
            return
        if not search.terms:
            self._search = None
            self._restrict()
            self._say_found(search.problem)
            return
        self._search = search
        self._search.advance(_AT_ONCE)  # small sets are searched within the frame of the key
        self._restrict()
        self._go_on()

    def _first_level(self) -> list[Node]:
        outline = self._panes.outline
        return list(outline.children(outline.root))

    def _go_on(self) -> None:
        """Continue the search between key presses; without a search, read the words of all rows."""
        search = self._search or Search("", self._first_level(), self.texts)
        _: Worker[None] = self._screen.run_worker(partial(self._search_on, search), exclusive=True, group="find")

    async def _search_on(self, search: Search) -> None:
        last_frame = asyncio.get_running_loop().time()
        while not search.is_done:
            await asyncio.sleep(0)
            search.advance(_SLICE)
            present = asyncio.get_running_loop().time()
            if search is self._search and (search.is_done or present - last_frame > _FRAMES):
                last_frame = present
                self._restrict()

    def read_words(self) -> None:
        """Read the words of all cases for suggestions, between key presses."""
        case_file = self._file.case_file
        reading = Search("", case_file.cases if case_file else [], self._file.words)

        async def read() -> None:
            await self._search_on(reading)
            if self._panes.form.edited is not None:
                self._panes.form.box.update_suggestion()

        _: Worker[None] = self._screen.run_worker(read, exclusive=True, group="words")

    # --- what is shown -------------------------------------------------------------------------------------

    def _restrict(self) -> None:
        """Show the rows found so far, and the case being edited until it is scored again or the filter changes."""
        tree, search, hits = self._panes.tree, self._search, self.hits
        edited = tree.case_of(tree.selected) if not self._is_typed else None
        if edited is not None and edited in self._file.scores.stale and edited not in hits:
            hits = [*hits, edited]
        stay_at = self._began_at if self._is_typed and self._began_at is not None else tree.selected
        tree.restrict(hits if search is not None else None, stay_at)
        self._say_found()

    def _say_found(self, problem: str = "") -> None:
        search, count = self._search, ""
        if search is not None:
            count = f"{len(search.hits):,} of {len(self._first_level()):,} {'cases' if self.is_of_cases else 'rows'}"
            count += " · similar names" if search.is_similar and search.hits else ""
            count += "" if search.is_done else " …"
            is_literal = not search.is_done or (search.hits and not search.is_similar)
            problem = problem or search.problem or ("" if is_literal else search.hint)
        self._panes.tree.say_in_title(count)
        if self._line is not None:
            self._line.say(problem or count)

    def search_again(self) -> None:
        """Search again after problems or scores changed, unless a field is being edited."""
        self._is_stale = self._search is not None and self._panes.form.edited is not None
        if self._search is None or self._is_stale:
            return
        if any(f"{t.field}:{t.word}" in _OF_PROBLEMS for t in self._search.terms):
            self._search = Search(self._search.text, self._first_level(), self.texts, marks_of(self._file))
            self._go_on()

    def nothing_found(self) -> str:
        """The sentence that the filter finds nothing, with the key that clears it."""
        return f"The filter finds nothing. Press {key_of('list.back')} to clear the filter."

    # --- leaving -------------------------------------------------------------------------------------------

    def keep_filter(self) -> None:
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

    def clear_filter(self) -> None:
        """Show all rows again; from the input line, go back to the row selected before."""
        search, self._search = self._search, None
        if search is not None:
            row = (self._began_at if self._is_typed else None) or self._panes.tree.selected
            self._restrict()
            self._panes.tree.go_to(row)
        if self._line is not None:
            self._line.input.value = ""
        self._close_line()
        self._say_found()

    def leave_filter(self) -> bool:
        """Show all rows again if the focus is in the tree; False if there is no filter."""
        if self._panes.current != "tree" or self._search is None:
            return False
        self.clear_filter()
        self._panes.status.say("Filter cleared. All rows are shown.")
        return True

    def _close_line(self, *, goes_to_tree: bool = True) -> None:
        if self._line is not None and self._line.display:
            self._line.display = False
            self._panes.status.display = True
            if goes_to_tree:
                self._screen.navigator.show_pane("tree")
        self._began_at = None

    # --- hits ----------------------------------------------------------------------------------------------

    def step_hit(self, step: int) -> None:
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

    def next_hit(self, step: int) -> None:
        """Go to the next or previous matching turn, or case without matching turns; wraps around."""
        tree, status, hits = self._panes.tree, self._panes.status, self.hits
        hits = [case for case in hits if tree.rows.index(case) is not None] if len(hits) < 100 else hits
        if not hits:
            status.say(self.nothing_found() if self._search is not None else "No filter. Press / to filter the cases.")
            return
        self._file.app.opener_guard.forget()
        selected = tree.selected
        case = tree.case_of(selected)
        inside = self.places(case) if case is not None else []
        order = in_order({selected, *inside}, self._panes.outline.root)
        row = order.index(selected)
        ahead = order[row + 1 :] if step > 0 else order[:row]
        if not ahead:
            number = (hits.index(case) + step) % len(hits) if case in hits else 0
            ahead = self.places(hits[number])
        place = ahead[0 if step > 0 else -1]
        tree.go_to(place)
        case, inside, case_file = tree.case_of(place), self.places(place), self._file.case_file
        turn = f", turn {inside.index(place) + 1} of {len(inside)} found" if len(inside) > 1 and place in inside else ""
        what = "case" if self.is_of_cases else "row"
        which = f"{what} {hits.index(case) + 1:,} of {len(hits):,} found{turn}: " if case in hits else ""
        status.say(f"{which}{title(case_file, place) if case_file is not None else preview(place.name, 60)}")

    def replace(self) -> None:
        """Find and replace in the marked cases, the filtered cases, or all."""
        from evaltui.tui.screens.replace_screen import ReplaceScreen

        case_file, panes = self._file.case_file, self._panes
        if self._file.readonly:
            panes.status.say(self._file.refusal)
            return
        if case_file is None or not self.is_of_cases:
            panes.status.say("Find and replace works on the cases of an eval set or a dataset.")
            return
        panes.form.write_typed()
        panes.form.editor.stop()
        marked = [case for case in case_file.cases if case in self._file.marked]
        scopes = {"marked cases": marked, "filtered cases": self.hits, "cases": case_file.cases}
        filled_scopes = {name: cases for name, cases in scopes.items() if cases or name == "cases"}
        self._file.app.ask(ReplaceScreen(case_file, filled_scopes), self._screen.reviser.apply)

    def note_change(self, change: Change) -> None:
        """Read changed cases again; new rows are shown even if they do not match."""
        self.texts.forget(change.nodes)
        rows = self._panes.tree.rows
        if rows.only is not None:
            rows.only.update(change.added)

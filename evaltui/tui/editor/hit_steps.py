"""Steps through the matches of the filter, jumps to places, and opens find and replace."""

from __future__ import annotations

from collections.abc import Callable

from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.titles import title
from evaltui.tui.editor.finder import Finder
from evaltui.tui.editor.navigator import Navigator
from evaltui.tui.editor.open_file import OpenFile
from evaltui.tui.editor.pane_layout import Panes
from evaltui.tui.editor.reviser import Reviser
from evaltui.tui.lines import preview
from evaltui.tui.panes.requests import Revise


class HitSteps:
    """Steps from match to match, jumps to a place, and replaces text."""

    def __init__(
        self,
        file: OpenFile,
        panes: Panes,
        finder: Finder,
        navigator: Navigator,
        reviser: Reviser,
        open_place: Callable[[Node], None],
    ) -> None:
        """`open_place` opens the form around any value of the document."""
        self._session = file.session
        self._stage = file.stage
        self._panes = panes
        self._finder = finder
        self._navigator = navigator
        self._reviser = reviser
        self._open_place = open_place

    # --- hits ----------------------------------------------------------------------------------------------

    def action_next_hit(self, step: int) -> None:
        """Go to the next or previous matching turn, or case without matching turns; wraps around."""
        tree, status, finder = self._panes.tree, self._panes.status, self._finder
        hits = finder.hits
        hits = [case for case in hits if tree.rows.index(case) is not None] if len(hits) < 100 else hits
        if not hits:
            status.say(finder.nothing_found() if finder.has_filter else "No filter. Press / to filter the cases.")
            return
        self._stage.forget_opener()
        here = tree.selected
        case = tree.case_of(here)
        inside = finder.places(case) if case is not None else []
        ahead = [place for place in inside if _goes(here, place, step)]
        if not ahead:
            number = (hits.index(case) + step) % len(hits) if case in hits else 0
            ahead = finder.places(hits[number])
        place = ahead[0 if step > 0 else -1]
        tree.go_to(place)
        status.say(self._said_of_hit(place, hits))

    def _said_of_hit(self, place: Node, hits: list[Node]) -> str:
        """Position among the matching cases or rows, and among the matching turns of the case."""
        case = self._panes.tree.case_of(place)
        inside = self._finder.places(place)
        turn = f", turn {inside.index(place) + 1} of {len(inside)} found" if len(inside) > 1 and place in inside else ""
        what = "case" if self._finder.is_of_cases else "row"
        which = f"{what} {hits.index(case) + 1:,} of {len(hits):,} found{turn}: " if case in hits else ""
        return f"{which}{self._called(place)}"

    def _called(self, node: Node) -> str:
        case_file = self._session.case_file
        return title(case_file, node) if case_file is not None else preview(node.name, 60)

    # --- going to a place ----------------------------------------------------------------------------------

    def action_jump(self) -> None:
        """Ask for a place and go there."""
        from evaltui.tui.screens.jump_screen import Jump, JumpScreen

        root, case_file = self._session.document.root, self._session.case_file
        assert root is not None

        def answered(jump: Jump | None) -> None:
            if jump is not None:
                self._jump_to(jump.node, is_line=jump.is_line)

        self._stage.ask(JumpScreen(root, case_file, self._session.texts), answered)

    def _jump_to(self, node: Node, *, is_line: bool) -> None:
        self._panes.status.say("")  # it is about the place that is left
        is_outside = not self._panes.holds(node)
        if is_outside and not is_line:
            self._panes.status.say("That place is outside this view. Press esc to leave the view.")
            return
        self._panes.form.stop_editing()
        if not is_outside and self._panes.tree.go_to(node):
            self._navigator.show_pane("tree")
        elif is_line:
            self._open_place(node)
        else:
            self._navigator.visit(node)

    # --- replacing -----------------------------------------------------------------------------------------

    def action_replace(self) -> None:
        """Find and replace in the marked cases, the filtered cases, or all."""
        from evaltui.tui.screens.replace_screen import ReplaceScreen

        case_file, panes = self._session.case_file, self._panes
        if self._session.readonly:
            panes.status.say(self._session.refusal)
            return
        if case_file is None or not self._finder.is_of_cases:
            panes.status.say("Find and replace works on the cases of an eval set or a dataset.")
            return
        panes.form.write_typed()
        panes.form.stop_editing()

        def answered(revision: Revision | None) -> None:
            if revision is not None:
                self._reviser.revise(Revise(revision))

        self._stage.ask(ReplaceScreen(case_file, self._scopes(case_file)), answered)

    def _scopes(self, case_file: CaseFile) -> dict[str, list[Node]]:
        scopes = {
            "marked cases": [case for case in case_file.cases if case in self._session.marked],
            "filtered cases": self._finder.hits,
            "cases": case_file.cases,
        }
        return {name: cases for name, cases in scopes.items() if cases or name == "cases"}


def _goes(here: Node, place: Node, step: int) -> bool:
    """Whether `place` comes after (1) or before (-1) `here`, both in one case."""
    around = (here, *here.ancestors())
    if place in around:
        return step < 0 and place is not here
    if here in place.ancestors():
        return step > 0
    beside = next((at for at in around if at.parent is place.parent), None)
    return beside is not None and (place.index() - beside.index()) * step > 0

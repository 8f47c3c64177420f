"""Scores in the edit screen: shown as they come, gone to, and asked for anew."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, cast

from textual import on

from evaltui.document import Change, Node
from evaltui.evalset.titles import case_title, title
from evaltui.tui.commands import key_of
from evaltui.tui.editor.pane_layout import Arranging
from evaltui.tui.editor.panes import PanesScreen
from evaltui.tui.panes.requests import GoToCase, Read

if TYPE_CHECKING:
    from evaltui.tui.app import EvaltuiApp
    from evaltui.tui.session.scores import FailingPlace


_NOW: dict[str, tuple[str, str]] = {
    "passed": ("passes", "pass"),
    "failed": ("fails", "fail"),
    "not_evaluated": ("is not evaluated", "are not evaluated"),
}
"""What a case does now, and what several do."""


class Scoring(Arranging):
    """The part of the edit screen that has cases scored, and leads to those that fail."""

    _is_asked = False
    """Whether the person waits for the run that goes on."""
    _saved: tuple[str, int] | None = None
    """What was said of the last save, and after how many runs, until its scores are there."""

    # --- what changes ----------------------------------------------------------------------------------------

    def apply_change(self, change: Change, *, goto_new: bool = False, begin: bool = False) -> None:
        """A case that was edited is stale from now on."""
        is_other = self.session.scores.changed(change)
        super().apply_change(change, goto_new=goto_new, begin=begin)
        if is_other:
            self.show_scores()

    def score_saved(self, *, elsewhere: bool = False) -> None:
        """The text was saved: score its cases; where another folder may have other recordings, with what is there."""
        self._saved = self.status.text, self.session.scores.runs
        self._score(anew=elsewhere)

    def action_run_again(self) -> None:
        """Score all cases again, with recordings and config read anew."""
        if self.session.eval_set is None:
            self.status.say("Only the cases of an eval set are scored.")
            return
        self.form_pane.write_typed()
        self._is_asked = True
        self.status.say("scoring …")
        self._score(anew=True)

    def _score(self, *, anew: bool = False) -> None:
        cast("EvaltuiApp", self.app).score(anew=anew)

    def show_scores(self) -> None:
        """There are other scores than before, or a run has come further."""
        self.title_bar.update()
        if self.run_pane.refresh_scores():
            self.problems_pane.say_in_title()
            self.tree_pane.refresh_marks()
            self.form_pane.refresh_scores()
            self.place_panes()
            self.search_again()
            self.keys.update()
        if self._is_asked and not self.session.scores.is_running:
            self._is_asked = False
            self.status.say(" · ".join(filter(None, [self._said(), self._turned()])))
        if self._saved is not None and not self.session.scores.is_running and self.session.scores.runs > self._saved[1]:
            (said, _), self._saved = self._saved, None
            self._say_turned(said)
        if self.pane in ("tree", "run"):
            self.status.hint(self.hint_at_rest())
        self.show_score_of_row()

    def _said(self) -> str:
        scores = self.session.scores
        if not scores.has_any:
            return self.run_pane.empty()
        counts = scores.counts
        words = (("passed", "passed"), ("failed", "failed"), ("not_evaluated", "not evaluated"))
        return "scored: " + ", ".join(f"{counts[status]:,} {word}" for status, word in words if counts[status])

    def _say_turned(self, said: str) -> None:
        """Say beside what was `said` of a save which cases pass or fail since, unless something else is being said."""
        turned = self._turned()
        for screen in self.app.screen_stack if turned else ():
            if isinstance(screen, PanesScreen) and screen.status.text in (said, ""):
                counted = self.session.scores.counted()
                screen.status.say(" · ".join(filter(None, [screen.status.text, turned, counted])))

    def _turned(self) -> str:
        """Which cases pass or fail now and did not before; a case by its name, several by their number."""
        turned = self.session.scores.told_turned()
        if len(turned) == 1:
            case, status = turned[0]
            return f"{case_title(case)} {_NOW[status][0]} now"
        counts: Counter[str] = Counter(status for _, status in turned)
        some = [(counts[status], words) for status, words in _NOW.items() if counts[status]]
        said = [f"{count:,} {words[count > 1]} now" for count, words in some]
        if said:
            said[0] = said[0].replace(" ", f" case{'s' * (some[0][0] > 1)} ", 1)
        return ", ".join(said)

    def hint_at_rest(self) -> str:
        """Where there is no room for the panes below, how many cases pass; where some fail, before the problems."""
        if self.pane == "run":
            return self.run_pane.left_out()
        hint = super().hint_at_rest()
        counted = self.session.scores.counted()
        has_errors = any(problem.severity == "error" for problem in self.session.problems.all[:1])  # worst first
        is_second = bool(hint) and (has_errors or not self.session.scores.counts["failed"])
        if is_second or not counted or self.pane != "tree" or self.run_pane.display:
            return hint
        return " · ".join(filter(None, [f"scores {counted} (press {key_of('list.run')})", hint]))

    def show_score_of_row(self) -> None:
        """Name the metric whose score stands beside the selected row of the tree."""
        # Where there is one pane only, the hint at the left says more: how to get to the others.
        named = self.tree_pane.score_named(short=self.is_narrow) if self.pane == "tree" else ""
        self.status.hint_beside(named)

    # --- going to a case -------------------------------------------------------------------------------------

    def action_step_failing(self, step: int) -> None:
        """Go to the next or previous failing turn, of one case after another; round at the ends."""
        scores = self.session.scores
        found = scores.next_failing(cast(Scoring, self.outermost).tree_pane.selected, step)
        if found is None:
            self.status.say(scores.none_failed())
            return
        self.go_to_case(found.case, found.node, stay=True)
        eval_set = self.session.eval_set
        where = title(eval_set, found.node) if eval_set is not None else ""
        said = f"{self._place_said(found, step)}: {where}"
        screen = cast(Scoring, self.app.screen)
        screen.call_after_refresh(lambda: screen.status.say(said))

    def _place_said(self, found: FailingPlace, step: int) -> str:
        """Which failing turn it is; where the search came round the end of the set, that it did."""
        if not found.came_round:
            turns = f", failing turn {found.turn_number:,} of {found.turns:,}" if found.turns > 1 else ""
            return f"failing case {found.case_number:,} of {found.cases:,}{turns}"
        turn_count, whole_count = self.session.scores.count_failing()
        what = "turns" if not whole_count else "turns and cases" if turn_count else "cases"
        if turn_count + whole_count == 1:
            return f"The only failing {what.removesuffix('s')}"
        return f"Back at the {'first' if step > 0 else 'last'} of {turn_count + whole_count:,} failing {what}"

    @on(GoToCase)
    def _go_to_asked_case(self, event: GoToCase) -> None:
        event.stop()
        self.go_to_case(event.case)

    @on(Read)
    def _read(self, event: Read) -> None:
        from evaltui.tui.screens.text_screen import TextScreen

        event.stop()
        self.app.push_screen(TextScreen(event.title, event.text))

    def go_to_case(self, case: Node, turn: Node | None = None, *, stay: bool = False) -> None:
        """Show a turn of a case, by default the first that fails, and why; with `stay`, the keys act where they did."""
        root = self.session.document.root
        if root is None or not case.is_in(root):
            self.status.say("This case is no more in the set.")
            return
        self.form_pane.stop_editing()
        outermost = cast(Scoring, self.outermost)
        while self.app.screen is not outermost:
            self.app.pop_screen()
        if outermost is not self:
            outermost.refresh_all()
        outermost.status.say("")
        outermost.run_pane.select(case)
        outermost._open_case(case, turn or self.session.scores.first_failing_turn(case), stay=stay)

    def _open_case(self, case: Node, turn: Node | None, *, stay: bool) -> None:
        row = next((node for node in (turn, case) if node is not None and self.tree_pane.go_to(node)), None)
        if row is None:
            self.status.say(f"The filter hides {case_title(case)}; esc in the tree shows all rows.")
            return
        self.trail.clear()
        self.form_pane.show(row)
        if not stay:
            self.show_pane("form")
        if self.form_pane.display:
            self.form_pane.go_to_why(select=self.pane != "tree")

    def action_why(self) -> None:
        """Go to what tells why the selected turn or case, or the one around it, has its scores."""
        self.form_pane.stop_editing()
        scores, here = self.session.scores, self.tree_pane.selected
        if self.pane == "run" and self.run_pane.case is not None:
            here = self.run_pane.case
        scored = (at for at in (here, *here.ancestors()) if scores.verdict(at) is not None)
        row = next((at for at in scored if self.tree_pane.go_to(at)), None)
        if row is None:
            self.status.say(
                "Only a case or turn that was scored tells why." if scores.has_any else scores.none_failed()
            )
            return
        if row is not self.form_pane.node:
            self.trail.clear()
        self.form_pane.show(row)
        self.show_pane("form")
        self.form_pane.go_to_why()

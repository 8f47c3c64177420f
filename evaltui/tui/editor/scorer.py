"""Scoring the cases of the open file beside the keys, and the sentence about what came out."""

from __future__ import annotations

from collections import Counter

from evaltui.document.document import Change
from evaltui.evalset.titles import case_title
from evaltui.printable import printable
from evaltui.tui.editor.saver import SaveEnd
from evaltui.tui.editor.stage import Stage
from evaltui.tui.launch_arguments import ScoredWith
from evaltui.tui.panes.bars import StatusBar
from evaltui.tui.session.scoring_runs import ScoringRuns
from evaltui.tui.session.session import Session

_NOW: dict[str, tuple[str, str]] = {
    "passed": ("passes", "pass"),
    "failed": ("fails", "fail"),
    "not_evaluated": ("is not evaluated", "are not evaluated"),
}
"""The verb of one case with a status, and of several."""


class Scorer:
    """Scores the cases when they were saved or when asked, and has all screens show the scores."""

    def __init__(self, session: Session, stage: Stage, named: ScoredWith) -> None:
        """`named` are the recordings and the config that were named on the command line."""
        self._session = session
        self._stage = stage
        self.runs = ScoringRuns(session.scores, named, self._show, lambda: stage.last_input)
        self._asked_from: StatusBar | None = None
        """The status line where the person waits for the run that goes on."""
        self._saved: tuple[str, int] | None = None
        """The message about the last save, and after how many runs, until its scores are there."""

    def note_change(self, change: Change) -> bool:
        """A case that was edited is stale from now on; whether any case came to look otherwise."""
        return self._session.scores.changed(change)

    def score(self, *, anew: bool = False) -> None:
        """Score the cases; with `anew`, read recordings and config again before."""
        self.runs.want(anew=anew)
        self._stage.run_once("score", self._score)

    async def _score(self) -> None:
        try:
            await self.runs.run()
        except Exception as error:  # a fault of our own must not end the session
            self._stage.note_fault(error)
            name = type(error).__name__
            self._stage.say(f"The cases cannot be scored ({name}); you can go on editing and saving.")

    def save_ended(self, end: SaveEnd) -> None:
        """Score what was saved; where another folder may have other recordings, with those that are there."""
        if end.is_saved and not (end.job.is_copy or end.leaves or self._session.saving):
            self.score_saved(end.said, elsewhere=end.job.is_elsewhere)

    def score_saved(self, said: str, *, elsewhere: bool = False) -> None:
        """The text was saved, of which a screen says `said`: score its cases."""
        self._saved = printable(said), self._session.scores.runs
        self.score(anew=elsewhere)

    def action_run_again(self) -> None:
        """Score all cases again, with recordings and config read anew."""
        if self._session.eval_set is None:
            self._stage.say("Only the cases of an eval set are scored.")
            return
        self._stage.write_typed()
        self._stage.say("scoring …")
        self._asked_from = self._stage.front.panes.status if self._stage.front is not None else None
        self.score(anew=True)

    def _show(self) -> None:
        """Show on all screens what the last run says, and say what is different now."""
        self._stage.show_scores()
        scores = self._session.scores
        if scores.is_running:
            return
        if self._asked_from is not None:
            self._asked_from.say(" · ".join(filter(None, [self._said(), self._turned()])))
            self._asked_from = None
        if self._saved is not None and scores.runs > self._saved[1]:
            (said, _), self._saved = self._saved, None
            self._say_turned(said)

    def _said(self) -> str:
        """The counts of the last run, or why there are none."""
        scores = self._session.scores
        if not scores.has_any:
            return self._stage.outermost.panes.run.empty()
        words = (("passed", "passed"), ("failed", "failed"), ("not_evaluated", "not evaluated"))
        counted = (f"{scores.counts[status]:,} {word}" for status, word in words if scores.counts[status])
        return "scored: " + ", ".join(counted)

    def _say_turned(self, said: str) -> None:
        """Say beside what was `said` of a save which cases pass or fail since, unless something else is being said."""
        turned = self._turned()
        for view in self._stage.views if turned else ():
            status = view.panes.status
            if status.text in (said, ""):
                status.say(" · ".join(filter(None, [status.text, turned, self._session.scores.counted()])))

    def _turned(self) -> str:
        """Which cases pass or fail now and did not before; a case by its name, several by their number."""
        turned = self._session.scores.told_turned()
        if len(turned) == 1:
            case, status = turned[0]
            return f"{case_title(case)} {_NOW[status][0]} now"
        counts: Counter[str] = Counter(status for _, status in turned)
        some = [(counts[status], words) for status, words in _NOW.items() if counts[status]]
        said = [f"{count:,} {words[count > 1]} now" for count, words in some]
        if said:
            said[0] = said[0].replace(" ", f" case{'s' * (some[0][0] > 1)} ", 1)
        return ", ".join(said)

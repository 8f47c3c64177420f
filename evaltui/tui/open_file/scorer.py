"""Scores of the open file: when to score, live scores, and the messages about the results."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.evalset.titles import case_title
from evaltui.printable import printable
from evaltui.runs.run_options import RunChoices
from evaltui.tui.commands import key_of
from evaltui.tui.lines import counted
from evaltui.tui.open_file.run_facts import RunFacts
from evaltui.tui.open_file.score_sentences import NOT_SCORED, why_none
from evaltui.tui.open_file.scoring_runs import ScoringRuns
from evaltui.tui.panes.title_and_status import StatusBar

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile


_NOW: dict[str, tuple[str, str]] = {
    "passed": ("passes", "pass"),
    "failed": ("fails", "fail"),
    "not_evaluated": ("is not evaluated", "are not evaluated"),
}
"""The verb for one case with a status, and for several cases."""
_FEW = 8
"""The most edited cases scored in the frame of an edit; more, such as after a replacement, need a run."""
_QUIET = 0.2
"""Seconds without a key before such a run starts."""


class Scorer:
    """Scores the cases after a save, in live mode after each edit, or on request; shows the scores on all screens."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self.runs = ScoringRuns(file)
        self.choices = RunChoices(all_runs=file.options.all_runs)
        self._changed: str | None = None
        """A clause about files that changed on disk, until the new scores are shown; "" if other files count."""
        self._last = RunFacts()
        self._asked_from: StatusBar | None = None
        """The status line in which the person asked for the current run."""
        self._saved: tuple[str, int, bool] | None = None
        """The message about the last save and the number of runs before it, until its scores are shown."""

    def score(self, *, anew: bool = False) -> None:
        """Score the cases; with `anew`, read recordings and config again first."""
        self.runs.want(anew=anew)
        self._file.app.run_once("score", self._score)

    async def _score(self) -> None:
        try:
            await self.runs.run()
        except Exception as error:  # a bug of ours must not end the session
            self._file.app.note_fault(error)
            trouble = f"Scoring failed ({type(error).__name__})"
            self._file.scores.finish(RunFacts(trouble=trouble))  # so that old scores are not shown as current
            self._file.show_scores()
            self._file.say(f"{trouble}. You can still edit and save.")

    def use(self, choices: RunChoices, message: str = "") -> None:
        """Score the cases with other choices; `message` is what a screen says of them. Only added files are read."""
        self.choices = choices
        self._saved = printable(message), self._file.scores.runs, False
        self.score()

    def add_recordings(self, paths: Iterable[Path]) -> None:
        """Score with these files, too, from the next run on."""
        for path in paths:
            self.choices = self.choices.adding(str(path))

    def score_changed(self, clause: str) -> None:
        """Score again after sources changed on disk, as the clause tells, and report the result."""
        self._changed = clause or self._changed or ""
        self.score(anew=True)

    def score_saved(self, message: str, *, elsewhere: bool = False, counts: bool = False) -> None:
        """Score the cases of a saved text; `message` is what the screens say of the save.

        With `counts`, the message then says that the cases were scored again, and how many pass.
        """
        # In another folder other recordings apply, so even paused scores would be of another set.
        if self._file.scores.is_paused and not elsewhere:
            return
        self._saved = printable(message), self._file.scores.runs, counts
        self.score(anew=elsewhere)

    def run_again(self) -> None:
        """Score all cases again; recordings and config are read again."""
        if self._file.case_file is None:
            self._file.say(NOT_SCORED)
            return
        self._file.write_typed()
        self._file.say("scoring …")
        self._file.scores.failed_run = ""  # the person wants the earlier recordings scored all the same
        self._asked_from = self._file.front.panes.status if self._file.front is not None else None
        self.score(anew=True)

    # --- live mode -------------------------------------------------------------------------------------------

    def toggle_live(self) -> None:
        """Switch live scores on or off; switching them on scores outdated cases at once."""
        scores = self._file.scores
        if not scores.has_any:
            self._file.say(why_none(scores))
            return
        scores.is_live = not scores.is_live
        if scores.is_live and (scores.stale or scores.unscored):
            self.score()
        self._file.show_scores()
        key = key_of("list.live")
        on = f"Live scores on: each edit is scored at once. Press {key} to turn them off."
        off = f"Live scores off: press {key_of('save')} or {key_of('run.again')} to score edited cases."
        self._file.say(on if scores.is_live else off)

    def score_live(self) -> bool:
        """After an edit, score outdated cases. Returns whether any score changed."""
        scores = self._file.scores
        is_on = scores.is_live and not scores.is_paused and scores.has_any and not scores.has_old_inputs
        if not is_on or not (scores.stale or scores.unscored):
            return False
        from evaltui.tui.open_file.case_rescoring import score_case

        # A copy, because scoring a case takes it out of the set.
        is_few = len(scores.stale) <= _FEW
        done = [score_case(self._file, case, is_asked=False) for case in [*scores.stale]] if is_few else [False]
        if scores.unscored or not all(done):
            self._file.app.run_once("live", self._score_when_quiet)
        return any(done)

    async def _score_when_quiet(self) -> None:
        while self._file.scores.is_live:
            rest = _QUIET - (time.monotonic() - self._file.app.input_order.last_input)
            if rest <= 0:
                self.score()
                return
            await asyncio.sleep(rest)

    # --- messages ------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Show the results of the last run on all screens, and report what changed."""
        scores = self._file.scores
        if scores.is_live and not scores.is_running:
            self.score_live()  # cases may have been edited during the run
        self._file.show_scores()
        if scores.is_running:
            return
        previous, self._last = self._last, scores.facts or RunFacts()
        has_changed = self._changed is not None and not self.runs.is_unsettled
        if self._asked_from is None and self._saved is None and not has_changed:
            scores.tell_turned()  # nobody waits for the result: these changes must not be reported by a later message
            return
        if self._asked_from is not None:
            self._asked_from.say(" · ".join(filter(None, [self._counted(), self.turned()])))
            self._asked_from = None
        if has_changed:
            clause, self._changed = self._changed or "", None
            if clause or self._saved is None:  # else the message about the save tells of the scores
                self._say_changed(clause, previous)
        if self._saved is not None and scores.runs > self._saved[1]:
            (message, _, counts), self._saved = self._saved, None
            turned = self.turned()
            result = ", ".join(filter(None, [turned, self._passing() if counts else ""]))
            addition = f" Scored again: {result}." if message.endswith(".") else f" · {result}"
            statuses = [view.panes.status for view in self._file.views]
            for status in dict.fromkeys([*statuses, *self._file.app.screen.query(StatusBar)]) if result else ():
                if message and status.text.strip() == message:
                    status.say(f"{message}{addition}")
                elif turned and not status.text:
                    status.say(turned)

    def _counted(self) -> str:
        """The counts of the last run, or a sentence about why there are none."""
        scores = self._file.scores
        if not scores.has_any:
            return why_none(scores)
        if scores.facts is not None and scores.facts.outdated:
            return f"The scores are outdated: {printable(scores.facts.outdated)}"
        counts = [(scores.counts[status], status.replace("_", " ")) for status in _NOW]
        return f"scored: {', '.join(f'{count:,} {word}' for count, word in counts if count)}"

    def _say_changed(self, clause: str, previous: RunFacts) -> None:
        """Report changed verdicts or outdated scores after files changed on disk; nothing if all is the same.

        `clause` tells which files changed, `previous` are the facts of the run before.
        """
        file, facts, scores, turned = self._file, self._last, self._file.scores, self.turned()
        used = {source.path for source in previous.files}
        names = [source.path.name for source in facts.files if source.recording is not None and source.path not in used]
        if names and (previous.config or previous.searched):  # there was a run before
            clause = f"{names[0]} is used now" if len(names) == 1 else f"{len(names):,} recordings are used now"
        clause = printable(clause)
        if not clause:
            return
        if facts.outdated or facts.trouble:
            file.say(f"The scores are outdated: {printable(facts.outdated or facts.trouble)}")
        elif facts.outdated_files:
            broken = next(source for source in facts.files if source.path in facts.outdated_files)
            why = broken.trouble.removeprefix(f"{broken.path.parent}{os.sep}")
            file.say(f"{counted(len(scores.stale), 'case')} outdated: {printable(why)}")
        elif previous.recordings and not scores.has_any:
            file.say(why_none(scores))
        elif turned or (scores.has_any and not previous.recordings):
            file.say(" · ".join(filter(None, [clause, turned or self._passing()])))
        elif file.front is None:
            return  # the front screen shows its own message
        elif previous.config and facts.config != previous.config:
            file.say(f"{clause} · scored with {printable(facts.config)}")
        elif previous.outdated or previous.trouble or previous.outdated_files:
            file.say(f"{clause} · the scores are up to date again")
        elif scores.has_changed:
            file.say(f"{clause} · no verdict changed")

    def _passing(self) -> str:
        """`3 of 6 cases pass`; "" if nothing is scored."""
        scores = self._file.scores
        if not scores.has_any or (scores.facts is not None and scores.facts.outdated):
            return ""
        cases, passed = len(scores.cases), scores.counts["passed"]
        trial = " with the trial criteria" if scores.trial.criteria is not None else ""
        return f"{passed:,} of {counted(cases, 'case')} {'passes' if 1 in (passed, cases) else 'pass'}{trial}"

    def turned(self) -> str:
        """A clause about changed verdicts: one case by its name, several by their number."""
        turned = self._file.scores.tell_turned()
        if len(turned) == 1:
            case, status = turned[0]
            return f"{case_title(case)} {_NOW[status][0]} now"
        counts: Counter[str] = Counter(status for _, status in turned)
        numbers = [(counts[status], words) for status, words in _NOW.items() if counts[status]]
        clauses = [f"{count:,} {words[count > 1]} now" for count, words in numbers]
        if clauses:
            clauses[0] = clauses[0].replace(" ", f" case{'s' * (numbers[0][0] > 1)} ", 1)
        return ", ".join(clauses)

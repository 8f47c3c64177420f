"""Keys of the review that try other criteria (match type, ignored arguments, a threshold), and write or drop them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError, EditError
from evaltui.report.scores_text import short_name
from evaltui.scoring.criteria import CriteriaError
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES, NAME, ToolTrajectory
from evaltui.scoring.trial_scores import TrialOptions
from evaltui.tui.commands import key_of
from evaltui.tui.open_file.criteria_trial import NO_TRIAL
from evaltui.tui.open_file.score_sentences import why_none
from evaltui.tui.review.entry_display import EntryDisplay
from evaltui.tui.review.review_queue import ReviewQueue

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile


class Trial:
    """Tries other criteria: the scores of the turn change at once, the totals of all cases soon after."""

    def __init__(self, file: OpenFile, queue: ReviewQueue, display: EntryDisplay) -> None:
        self._file, self._queue, self._display = file, queue, display
        self._asked_at = -1
        """The number of keys and clicks when the key to write was pressed first."""

    def try_match_type(self) -> None:
        """Try the next match type of tool calls."""
        asked = self._trajectory()
        if asked is not None:
            following = MATCH_TYPES[(MATCH_TYPES.index(asked.match_type) + 1) % len(MATCH_TYPES)]
            self._try(TrialOptions(match_type=following))

    def try_ignore_args(self) -> None:
        """Try ignore_args, or try without it."""
        asked = self._trajectory()
        if asked is not None:
            self._try(TrialOptions(ignore_args=not asked.ignore_args))

    def _trajectory(self) -> ToolTrajectory | None:
        criteria = self._file.scores.criteria
        if criteria is None:
            self._display.status.say(why_none(self._file.scores, in_editor=False))
            return None
        asked = criteria.of(NAME)
        if not isinstance(asked, ToolTrajectory):
            self._display.status.say(f"The config has no criterion {short_name(NAME)}: no match type to try.")
            return None
        return asked

    def try_threshold(self) -> None:
        """Ask for another threshold of the metric that fails, else of another metric with a score."""
        from evaltui.tui.screens.name_dialog import NameDialog

        name = self._metric()
        criteria = self._file.scores.criteria
        if criteria is None:
            self._display.status.say(why_none(self._file.scores, in_editor=False))
            return
        if name is None or (asked := criteria.of(name)) is None:
            self._display.status.say("No metric of this turn has a score, so there is no threshold to try.")
            return

        def check(text: str) -> float:
            try:
                return float(text)
            except ValueError:
                raise EditError("a threshold is a number, such as 0.8") from None

        def answered(text: str | None) -> None:
            if text is not None:
                self._try(TrialOptions(thresholds={name: check(text)}))

        question = f"Threshold of {short_name(name)} to try (now {asked.threshold:g})"
        self._file.app.push_screen(NameDialog(question, f"{asked.threshold:g}", check), answered)

    def _metric(self) -> str | None:
        """The metric whose threshold is asked for: first one that fails, last the trajectory, whose score is 0 or 1."""
        entry = self._queue.entry
        item = self._queue.item(entry) if entry is not None and not self._queue.is_over else None
        scored = (
            [each for each in item.metrics if each.score is not None and each.threshold is not None] if item else []
        )
        scored.sort(key=lambda each: (each.status != "failed", each.name == NAME))
        return scored[0].name if scored else None

    def write_config(self) -> None:
        """Write the tried criteria to the config at the second press, and score all cases."""
        status, desk, inputs = self._display.status, self._file.trial, self._file.app.input_order.inputs
        if why := desk.why_not_written():
            status.say(why)
        elif inputs != self._asked_at + 1:
            self._asked_at = inputs
            status.say(f"Press {key_of('review.write_config')} again to write {desk.called}: {desk.said()}")
        else:
            said, is_done = desk.write()
            status.say(f"{said}. Scoring again …" if is_done else said)

    def drop_trial(self) -> None:
        """Drop the tried criteria."""
        is_dropped = self._file.trial.drop()
        self._display.status.say(self._file.trial.said_dropped if is_dropped else NO_TRIAL)

    def open_criteria(self) -> None:
        """Open the criteria as a form."""
        from evaltui.tui.criteria.criteria_screen import open_criteria

        open_criteria(self._file, self._display.status.say)

    # --- trying ------------------------------------------------------------------------------------------------

    def _try(self, options: TrialOptions) -> None:
        try:
            self._file.trial.try_options(options, self._say_counted)
        except (CriteriaError, DocumentError) as error:
            self._display.status.say(f"{error}.")

    def _say_counted(self) -> None:
        """Say how many cases pass with the tried criteria, and how many with the config."""
        scores = self._file.scores
        pairs = [(each, scores.of(case)) for case in scores.rows if (each := scores.by_config(case)) is not None]
        now = sum(each.result.status == "passed" for each, _ in pairs)
        then = Counter(shown.result.status for _, shown in pairs if shown is not None)["passed"]
        if scores.trial.criteria is None:
            ended = f"Trial ended. {_passing(now, len(pairs))} with {self._file.trial.in_force_called}."
            self._display.status.say(ended)
            return
        before = "as before" if then == now else f"{now:,} before"
        self._display.status.say(f"Trial: {_passing(then, len(pairs))}, {before} · {self._file.trial.said()}")


def _passing(passed: int, cases: int) -> str:
    """The number of cases that pass: `1 of 7 cases passes`."""
    return f"{passed:,} of {cases:,} case{'s' * (cases != 1)} {'passes' if 1 in (passed, cases) else 'pass'}"

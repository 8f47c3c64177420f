"""Keys of the review that try other criteria (match type, ignored arguments, a threshold), and write or drop them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError, EditError
from evaltui.report.scores_text import short_name
from evaltui.scoring.criteria import Criteria, CriteriaError
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES, NAME, ToolTrajectory
from evaltui.scoring.trial_scores import criteria_on_trial
from evaltui.tui.open_file.criteria_trial import NO_TRIAL
from evaltui.tui.open_file.score_sentences import why_none
from evaltui.tui.screens.text_dialogs import NameDialog

if TYPE_CHECKING:
    from evaltui.tui.review.review_screen import ReviewScreen


class ReviewTrial:
    """Tries other criteria: the scores of the turn change at once, the totals of all cases soon after."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._file, self._queue, self._status = screen.file, screen.queue, screen.status

    def try_match_type(self) -> None:
        """Try the next match type of tool calls."""
        following = dict(zip(MATCH_TYPES, (*MATCH_TYPES[1:], MATCH_TYPES[0]), strict=True))
        self._try_calls(lambda calls: partial(criteria_on_trial, match_type=following[calls.match_type]))

    def try_ignore_args(self) -> None:
        """Try ignore_args, or try without it."""
        self._try_calls(lambda calls: partial(criteria_on_trial, ignore_args=not calls.ignore_args))

    def _try_calls(self, change_of: Callable[[ToolTrajectory], Callable[[Criteria], Criteria]]) -> None:
        criteria = self._file.scores.criteria
        criterion = criteria.of(NAME) if criteria is not None else None
        if isinstance(criterion, ToolTrajectory):
            self._try(change_of(criterion))
        elif criteria is not None:
            self._status.say(f"The config has no criterion {short_name(NAME)}: no match type to try.")
        else:
            self._status.say(why_none(self._file.scores, in_editor=False))

    def try_threshold(self) -> None:
        """Ask for another threshold of the metric that fails, else of another metric with a score."""
        item, criteria = self._queue.shown_item, self._file.scores.criteria
        if criteria is None:
            self._status.say(why_none(self._file.scores, in_editor=False))
            return
        metrics = item.metrics if item is not None else ()
        scored = [metric.name for metric in metrics if metric.score is not None and metric.threshold is not None]
        failed = {metric.name for metric in metrics if metric.status == "failed"}
        # First a metric that fails; last the trajectory, whose score is 0 or 1.
        name = min(scored, key=lambda name: (name not in failed, name == NAME), default="")
        if (criterion := criteria.of(name)) is None:
            self._status.say("No metric of this turn has a score, so there is no threshold to try.")
            return

        def check(text: str) -> float:
            try:
                return float(text)
            except ValueError:
                raise EditError("a threshold is a number, such as 0.8") from None

        question = f"Threshold of {short_name(name)} to try (now {criterion.threshold:g})"
        dialog = NameDialog(question, f"{criterion.threshold:g}", check)
        self._file.app.ask(dialog, lambda tried: self._try(partial(criteria_on_trial, thresholds={name: tried})))

    def _try(self, tried: Callable[[Criteria], Criteria]) -> None:
        try:
            self._file.trial.try_options(tried, self._say_counts)
        except (CriteriaError, DocumentError) as error:
            self._status.say(f"{error}.")

    def _say_counts(self) -> None:
        scores, trial = self._file.scores, self._file.trial
        pairs = [(scored, scores.of(case)) for case in scores.rows if (scored := scores.by_config(case)) is not None]
        by_config = sum(scored.status == "passed" for scored, _ in pairs)
        tried = sum(scored is not None and scored.status == "passed" for _, scored in pairs)
        if scores.trial.criteria is None:
            self._status.say(f"Trial ended. {_passing(by_config, len(pairs))} with {trial.in_force_called}.")
            return
        comparison = "as before" if tried == by_config else f"{by_config:,} before"
        self._status.say(f"Trial: {_passing(tried, len(pairs))}, {comparison} · {trial.said()}")

    def write_config(self) -> None:
        """Write the tried criteria to the config at the second press, and score all cases."""
        message, is_written = self._file.trial.write("review.write_config")
        self._status.say(f"{message}. Scoring again …" if is_written else message)

    def drop_trial(self) -> None:
        """Drop the tried criteria."""
        self._status.say(self._file.trial.drop() or NO_TRIAL)

    def open_criteria(self) -> None:
        """Open the criteria as a form."""
        from evaltui.tui.criteria.criteria_screen import open_criteria

        open_criteria(self._file, self._status.say)


def _passing(passed: int, cases: int) -> str:
    """The number of cases that pass: `1 of 7 cases passes`."""
    return f"{passed:,} of {cases:,} case{'s' * (cases != 1)} {'passes' if 1 in (passed, cases) else 'pass'}"

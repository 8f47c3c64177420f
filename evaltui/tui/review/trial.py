"""Criteria that are tried in the review: match type, ignored arguments and thresholds, until they are written."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

from textual.screen import Screen

from evaltui.document.errors import DocumentError, EditError
from evaltui.garbage import seldom_collected
from evaltui.report.scores_text import short_name
from evaltui.scoring.criteria import Criteria, CriteriaError
from evaltui.scoring.eval_config import NAME as CONFIG_NAME
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES, NAME, ToolTrajectory
from evaltui.scoring.what_if import WhatIf, criteria_if, rescored
from evaltui.tui.commands import key_of
from evaltui.tui.editor.open_file import OpenFile
from evaltui.tui.review.entry_display import EntryDisplay
from evaltui.tui.session.review_queue import ReviewQueue
from evaltui.tui.session.session import READ_ONLY

_SLICE, _REST = 0.002, 0.001
"""Seconds of scoring between two looks at the keyboard, and how long to rest then."""
_MANY = 500
"""So many cases take a while."""


class Trial:
    """Tries other criteria: the scores of the turn change at once, the totals of all cases soon after."""

    def __init__(self, file: OpenFile, queue: ReviewQueue, screen: Screen[str], display: EntryDisplay) -> None:
        self._file, self._queue = file, queue
        self._screen, self._display = screen, display
        self._options = WhatIf()
        self._asked_at = -1
        """The number of keys and clicks when the key to write was pressed first."""

    # --- keys --------------------------------------------------------------------------------------------------

    def action_try_match_type(self) -> None:
        """Try the next match type of tool calls."""
        asked = self._trajectory()
        if asked is not None:
            following = MATCH_TYPES[(MATCH_TYPES.index(asked.match_type) + 1) % len(MATCH_TYPES)]
            self._try(self._tried_options._replace(match_type=following))

    def action_try_ignore_args(self) -> None:
        """Try what happens if arguments do not count, or if they do."""
        asked = self._trajectory()
        if asked is not None:
            self._try(self._tried_options._replace(ignore_args=not asked.ignore_args))

    def _trajectory(self) -> ToolTrajectory | None:
        criteria = self._queue.items.shown_criteria
        asked = criteria.of(NAME) if criteria is not None else None
        if not isinstance(asked, ToolTrajectory):
            self._display.status.say(f"{short_name(NAME)} is not among the criteria, so there is no match type to try.")
            return None
        return asked

    def action_try_threshold(self) -> None:
        """Ask for another threshold of the metric that fails, else of another metric with a score."""
        from evaltui.tui.screens.name_dialog import NameDialog

        name = self._metric()
        criteria = self._queue.items.shown_criteria
        if name is None or criteria is None or (asked := criteria.of(name)) is None:
            self._display.status.say("No metric of this turn has a score.")
            return

        def check(text: str) -> float:
            try:
                return float(text)
            except ValueError:
                raise EditError("a threshold is a number, such as 0.8") from None

        def answered(text: str | None) -> None:
            if text is not None:
                options = self._tried_options
                self._try(options._replace(thresholds={**options.thresholds, name: check(text)}))

        question = f"Threshold of {short_name(name)} to try, now {asked.threshold:g}"
        self._file.stage.ask(NameDialog(question, f"{asked.threshold:g}", check), answered)

    def _metric(self) -> str | None:
        """A metric with a score; one that fails comes first, the trajectory of a turn, which is 0 or 1, last."""
        entry = self._queue.entry
        item = self._queue.item(entry) if entry is not None and not self._queue.is_over else None
        scored = (
            [each for each in item.metrics if each.score is not None and each.threshold is not None] if item else []
        )
        scored.sort(key=lambda each: (each.status != "failed", each.name == NAME))
        return scored[0].name if scored else None

    def action_write_config(self) -> None:
        """Write what is being tried into the config, and score all cases by it."""
        from evaltui.runs.config_edits import write_criteria

        before, after = self._queue.items.criteria, self._queue.items.shown_criteria
        status, session = self._display.status, self._file.session
        if before is None or after is None or after is before:
            status.say("Nothing is being tried, so there is nothing to write into the config.")
        elif session.readonly:
            status.say(READ_ONLY)
        elif self._file.stage.inputs != self._asked_at + 1:
            self._asked_at = self._file.stage.inputs
            name = before.path.name if before.path is not None else f"a new {CONFIG_NAME}"
            key = key_of("review.write_config")
            status.say(f"{key} again writes into {name}: {self._said(before, after)}")
        else:
            try:
                write_criteria(before, after, session.document.path)
            except DocumentError as error:
                status.say(f"Not written: {error}")
                return
            name = before.path.name if before.path is not None else CONFIG_NAME
            said = self._said(before, after)
            self._show(WhatIf(), before)
            status.say(f"Wrote into {name}: {said}. Scoring again …")
            self._file.scorer.score(anew=True)

    @property
    def is_on(self) -> bool:
        """Whether something is being tried."""
        return self._queue.items.is_trial

    @property
    def _tried_options(self) -> WhatIf:
        """The options that are tried; none, once the config is another."""
        return self._options if self.is_on else WhatIf()

    def stop(self) -> None:
        """Show the scores as the config has them."""
        if (criteria := self._queue.items.criteria) is not None:
            self._show(WhatIf(), criteria)
            self._display.status.say("As the config has it again.")

    # --- trying ------------------------------------------------------------------------------------------------

    def _try(self, options: WhatIf) -> None:
        criteria = self._queue.items.criteria
        if criteria is None:
            return
        try:
            tried = criteria_if(criteria, options)
        except CriteriaError as error:
            self._display.status.say(f"{error}.")
            return
        self._show(options if tried is not criteria else WhatIf(), tried)
        self._file.stage.call_in_next_frame(self._screen, lambda: self._begin_to_count(criteria, tried))

    def _begin_to_count(self, before: Criteria, after: Criteria) -> None:
        self._screen.run_worker(self._count(before, after), exclusive=True, group="trial")

    def _show(self, options: WhatIf, tried: Criteria) -> None:
        """Show the turn under these criteria."""
        row = self._display.rows.row
        self._options = options
        self._queue.items.try_criteria(tried)
        self._display.show_entry(key=row.key if row is not None else None)

    def _said(self, before: Criteria, after: Criteria) -> str:
        if after is before:
            return "As the config has it."
        changed = [one for one, other in zip(after.judged, before.judged, strict=True) if one != other]
        return ", ".join(f"{short_name(each.name)} ≥ {each.threshold:g}{each.options_text()}" for each in changed)

    async def _count(self, before: Criteria, after: Criteria) -> None:
        """Count how many cases pass under both, between the keys, and say it."""
        results = self._file.session.scores.results()
        counts: Counter[str] = Counter()
        end = time.monotonic() + _SLICE
        with seldom_collected(len(results) > _MANY):
            for result in rescored(results, before, after):
                counts[result.status] += 1
                if time.monotonic() > end:
                    await asyncio.sleep(_REST)
                    end = time.monotonic() + _SLICE
        now = Counter(result.status for result in results)
        text = f"{counts['passed']:,} of {len(results):,} cases pass"
        if after is before:
            self._display.status.say(f"As the config has it: {text}")
            return
        aside = f"{key_of('review.write_config')} writes it"
        would = f"{counts['passed']:,} of {len(results):,} cases would pass, {now['passed']:,} do now"
        self._display.status.say(f"What if: {would} ({self._said(before, after)})", aside)

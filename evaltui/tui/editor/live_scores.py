"""Live scores: each edit scores its case at once, in the frame of the edit."""

from __future__ import annotations

import asyncio
import time

from evaltui.tui.commands import key_of
from evaltui.tui.editor.scorer import Scorer
from evaltui.tui.editor.stage import Stage
from evaltui.tui.session.score_sentences import why_none
from evaltui.tui.session.session import Session

_FEW = 8
"""The most cases scored in the frame of an edit; more, such as after a replacement, need a run."""
_QUIET = 0.2
"""Seconds without a key before such a run starts."""


class LiveScores:
    """Switches live scores on and off, and follows edits while they are on.

    A case keeps its recording unless an edit changed a value that matches it; then scoring takes about a millisecond.
    Otherwise it is outdated until typing pauses and a run matches recordings and cases again.
    """

    def __init__(self, session: Session, stage: Stage, scorer: Scorer) -> None:
        self._session = session
        self._stage = stage
        self._scorer = scorer
        scorer.after_run = self.follow

    def toggle_live(self) -> None:
        """Switch live scores on or off; switching them on scores outdated cases at once."""
        scores = self._session.scores
        if not scores.has_any:
            self._stage.say(why_none(scores))
            return
        scores.is_live = not scores.is_live
        if scores.is_live and (scores.stale or scores.unscored):
            self._scorer.score()
        self._stage.show_scores()
        key = key_of("list.live")
        on = f"Live scores on: each edit is scored at once. Press {key} to turn them off."
        off = f"Live scores off: press {key_of('save')} or {key_of('run.again')} to score edited cases."
        self._stage.say(on if scores.is_live else off)

    def follow(self) -> bool:
        """After an edit, score outdated cases. Returns whether any score changed."""
        scores = self._session.scores
        is_on = scores.is_live and not scores.is_paused and scores.has_any and not scores.has_old_inputs
        if not is_on or not (scores.stale or scores.unscored):
            return False
        from evaltui.tui.session.case_rescoring import score_edited

        is_few = len(scores.stale) <= _FEW
        done = [score_edited(self._session, case) for case in [*scores.stale]] if is_few else [False]
        if scores.unscored or not all(done):
            self._stage.run_once("live", self._score_when_quiet)
        return any(done)

    async def _score_when_quiet(self) -> None:
        while self._session.scores.is_live:
            rest = _QUIET - (time.monotonic() - self._stage.last_input)
            if rest <= 0:
                self._scorer.score()
                return
            await asyncio.sleep(rest)

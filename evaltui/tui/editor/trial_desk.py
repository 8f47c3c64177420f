"""The criteria of the open set on trial: edited, scored at once, then written into the config or dropped."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError
from evaltui.garbage import seldom_collected
from evaltui.printable import printable
from evaltui.tui.editor.stage import Stage
from evaltui.tui.session.scored_with import ScoredWith
from evaltui.tui.session.session import Session

if TYPE_CHECKING:
    from evaltui.runs.tried_config import TriedConfig
    from evaltui.scoring.criteria import Criteria
    from evaltui.scoring.what_if import WhatIf

_SLICE, _REST = 0.002, 0.001
"""Seconds of scoring between two looks at the keyboard, and how long to rest then."""
_MANY = 500
"""So many cases take a while."""
LAPSED = "The config changed on disk. The tried criteria were dropped."


class TrialDesk:
    """Keeps the one config that is tried, and has all screens show the scores under it.

    The trial ends when it is written, dropped, or when the config turns out to be another on disk.
    """

    def __init__(self, session: Session, stage: Stage, named: ScoredWith, score_anew: Callable[[], object]) -> None:
        """`score_anew` reads config and recordings again and scores all cases."""
        self._session, self._stage, self._named = session, stage, named
        self._score_anew = score_anew
        self._config: TriedConfig | None = None
        self._set_path: Path | None = None
        """The eval set that the config was found for: saved elsewhere, it may have another."""
        self.form: Session | None = None
        """The config as the session of its form, with drafts and undo steps of its own."""
        self.trouble = ""
        """Why the config as edited gives no criteria, a sentence; "" if it does."""
        session.scores.after_run = self._take_up_run

    # --- what there is ---------------------------------------------------------------------------------------

    @property
    def in_force(self) -> Criteria | None:
        """The criteria in force; None before the first run, and where the config cannot be used."""
        facts = self._session.scores.facts
        return facts.criteria if facts is not None else None

    @property
    def is_unwritten(self) -> bool:
        """Whether anything is tried that is not written."""
        return self._session.scores.trial.is_unwritten

    def config(self) -> TriedConfig:
        """The config that is tried, opened when it is first needed. Raises `DocumentError` if it cannot be read."""
        if self._config is None:
            from evaltui.runs.tried_config import open_config
            from evaltui.tui.session.config_problems import ConfigProblems

            path, named = self._session.document.path, self._named
            self._set_path = path
            self._config = config = open_config(path, named.config, named.profile, self.in_force)
            form = self.form = Session(config.document)
            form.problems = ConfigProblems(lambda: form.document, [], form.drafts)
            self._criteria()
        return self._config

    @property
    def opened(self) -> TriedConfig | None:
        """The config that is tried, if it is open."""
        return self._config

    def without_folder(self, said: str) -> str:
        """A sentence that begins with the path of the config, without its folder: its beginning is what is in sight."""
        path = self._config.document.path if self._config is not None else None
        return said.removeprefix(f"{path.parent}{os.sep}") if path is not None else said

    @property
    def is_readonly(self) -> bool:
        """Whether nothing is written, since evaltui was started so."""
        return self._session.readonly

    def reopen_unless_tried(self) -> None:
        """Read the config again if nothing is tried and the file may be another."""
        config = self._config
        if config is not None and not config.is_changed and config.is_outdated():
            self._forget()

    @property
    def called(self) -> str:
        """The name of the config for sentences: `test_config.json`, `a new test_config.json`."""
        config = self._config
        path = config.document.path if config is not None else None
        name = printable(path.name) if path is not None else "the config"
        return f"a new {name}" if config is not None and config.is_new else name

    # --- trying ----------------------------------------------------------------------------------------------

    def try_options(self, options: WhatIf, counted: Callable[[], object]) -> None:
        """Try other options of metrics that are computed here; `counted` is called once all cases are scored.

        Raises `CriteriaError` for options that cannot be tried, and `DocumentError` for a config that is another now.
        """
        from evaltui.scoring.what_if import criteria_if

        config, in_force, shown = self.config(), self.in_force, self._session.scores.criteria
        if in_force is None or shown is None:
            return
        config.refuse_other(in_force)
        edits = config.edits_to(in_force, shown, criteria_if(shown, options))
        if edits:
            config.document.apply(edits, "try other criteria")
            config.document.history.seal()
        self.changed(counted)

    def changed(self, counted: Callable[[], object] = lambda: None) -> None:
        """The config was edited, or an edit undone: show the scores under it, first in front, then of all cases."""
        config = self._config
        if config is None:
            return
        tried = self._criteria()
        scores = self._session.scores
        scores.trial.begin(self.in_force, tried, is_unwritten=config.is_changed)
        scores.version += 1
        self._stage.show_scores_in_front()
        self._stage.run("trial", partial(self._count, counted))

    def _criteria(self) -> Criteria | None:
        """The criteria on trial; None where the config gives none, or nothing is in force to compare with."""
        from evaltui.scoring.criteria import CriteriaError, criteria_of

        self.trouble = ""
        if self._config is None:
            return None
        try:
            return self._config.criteria(self.in_force or criteria_of(None, self._named.profile))
        except (DocumentError, CriteriaError) as error:
            self.trouble = self.without_folder(str(error))
            return None

    async def _count(self, counted: Callable[[], object] = lambda: None) -> None:
        """Make the scores of all cases, between the keys, then bring counts and order up to date."""
        scores = self._session.scores
        end = time.monotonic() + _SLICE
        with seldom_collected(len(scores.rows) > _MANY):
            for _ in scores.try_all():
                if time.monotonic() > end:
                    await asyncio.sleep(_REST)
                    end = time.monotonic() + _SLICE
        scores.arrange()
        self._stage.show_scores()
        counted()

    def _take_up_run(self) -> None:
        """A run is over: go on with the trial where its config holds, else drop it."""
        config, in_force = self._config, self.in_force
        if config is None:
            return
        if not config.is_changed and config.is_outdated():
            self._forget()
            return
        if in_force is None:  # a config that cannot be used may be repaired
            return
        if config.holds(in_force) and self._set_path == self._session.document.path:
            if config.is_changed:
                self._session.scores.trial.begin(in_force, self._criteria(), is_unwritten=True)
                self._stage.run("trial", self._count)
            else:
                self._session.scores.trial.begin(in_force, None, is_unwritten=False)
            return
        was_tried = config.is_changed
        self._forget()
        if was_tried:
            self._stage.run("trial", self._say_lapsed)

    async def _say_lapsed(self) -> None:
        self._stage.say(LAPSED)

    def _forget(self) -> None:
        self._config = self.form = None
        self._session.scores.trial.begin(self.in_force, None, is_unwritten=False)

    # --- ending ----------------------------------------------------------------------------------------------

    def drop(self) -> bool:
        """Go back to the config as it is on disk, as one step that undo takes back; False if nothing was tried."""
        config = self._config
        root = config.document.root if config is not None else None
        if config is None or root is None or not config.is_changed:
            return False
        from evaltui.document.document import Document
        from evaltui.evalset.merge.identity import paired

        saved = Document(config.document.saved_bytes).root
        assert saved is not None
        config.document.restore(root, saved.source(), paired, "drop the tried criteria")
        self.changed()
        return True

    def reopen(self) -> None:
        """The config was edited by another program: read it again."""
        self._forget()
        self._score_anew()

    def why_not_written(self) -> str:
        """Why nothing can be written now, a sentence; "" if something can."""
        if self._session.readonly:
            return self._session.refusal
        if not self.is_unwritten or self._config is None:
            return "Nothing to write: no criteria are being tried."
        if self._config.unwritable:
            return f"Not written: {self._config.unwritable}."
        if self.trouble:
            return f"Not written: {self.trouble}"
        return ""

    def write(self) -> tuple[str, bool]:
        """Write what is tried into the config, then score all cases by it; returns what came of it, and if it was done.

        The sentence is without an end where it was.
        """
        if why := self.why_not_written():
            return why, False
        config, said = self.config(), self.said()
        name = self.called.removeprefix("a new ")
        try:
            config.refuse_other(self.in_force)
            config.write()
        except DocumentError as error:
            return f"Not written: {error}", False
        trial = self._session.scores.trial
        trial.is_unwritten = False  # the scores stay those that were tried until they are made anew
        self._score_anew()
        return f"Wrote into {name}: {said}", True

    # --- words -----------------------------------------------------------------------------------------------

    def said(self) -> str:
        """The criteria that differ from those in force: `response_match ≥ 0.5, + safety, − tool_trajectory`."""
        from evaltui.report.scores_text import short_name

        before, after = self.in_force, self._session.scores.trial.criteria
        if before is None or after is None:
            return "as edited" if self.is_unwritten else ""
        changed = [asked for asked in after.judged if asked != before.of(asked.name)]
        words = []
        for asked in changed:
            sign = "" if before.of(asked.name) is not None else "+ "
            least = f" ≥ {asked.threshold:g}" if asked.threshold is not None else ""
            words.append(f"{sign}{printable(short_name(asked.name))}{least}{asked.options_text()}")
        words += [f"− {printable(short_name(each.name))}" for each in before.judged if after.of(each.name) is None]
        return ", ".join(words) or "new order"

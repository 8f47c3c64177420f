"""The Textual app: one session, its screens, and what holds for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from textual import work
from textual.screen import Screen

from evaltui.document import Document, Node
from evaltui.evalset.eval_set import EvalCase
from evaltui.settings import Settings
from evaltui.tui.base_app import BaseApp
from evaltui.tui.journalling import INTERVAL, Journalling
from evaltui.tui.live_checks import LiveChecks
from evaltui.tui.live_validation import Wanted
from evaltui.tui.opening import NOTHING_NAMED, ScoredWith
from evaltui.tui.scoring_runs import ScoringRuns
from evaltui.tui.screens.edit_screen import EditScreen
from evaltui.tui.screens.panes_screen import PanesScreen
from evaltui.tui.session import Session
from evaltui.tui.session_journal import say_kept

_SLICE = 20
"""Cases inspected between two looks at the keyboard."""


class EvaltuiApp(BaseApp):
    """evaltui on one file."""

    def __init__(
        self,
        session: Session,
        case: str | None = None,
        settings: Settings | None = None,
        journalling: Journalling | None = None,
        notice: str = "",
        *,
        watches: bool = False,
        scored_with: ScoredWith = NOTHING_NAMED,
    ) -> None:
        """`notice` is what the person should know at the start. With `watches`, the file is followed on disk.

        `scored_with` are the recordings and the config that were named.
        """
        super().__init__(settings)
        self.session = session
        self._journalling = journalling
        self._notice = " · ".join(filter(None, [notice, self.settings.said()]))
        self._case = case
        self._watches = watches
        self.checks = LiveChecks(session.problems, self.show_problems, self._value_on_screen, lambda: self.last_input)
        """What checks the set while it is edited."""
        self.scoring = ScoringRuns(session.scores, scored_with, self.show_scores, lambda: self.last_input)
        """What scores the cases."""
        if scored_with.config is not None:
            session.problems.config_path = Path(scored_with.config)
        session.problems.wake = self._check
        session.problems.wanted = Wanted(self.settings.ignored_in(session.document.path))
        if "inline_data_limit" in self.settings.given:
            from evaltui.evalset.editing.inline_files import allow_files_of

            allow_files_of(self.settings.inline_data_limit)

    @property
    def open_document(self) -> Document:
        """The document that is edited."""
        return self.session.document

    def get_default_screen(self) -> Screen[Any]:
        """What an earlier session left unsaved, where there is such a thing; otherwise the screen for the file."""
        if self._journalling is not None and self._journalling.left:
            from evaltui.tui.screens.recovery_screen import RecoveryScreen

            return RecoveryScreen(self.session, self._journalling.left, self._journalling.flush, self._open_file)
        return self._file_screen()

    def _open_file(self, said: str) -> None:
        """Show the file, and what was done before."""
        self._notice = " · ".join(filter(None, [said, self._notice]))
        # A stack of screens of its own: the first one of a stack cannot be switched.
        self.add_mode("file", self._file_screen)
        self.switch_mode("file")
        self._begin()

    def _file_screen(self) -> Screen[Any]:
        """The editor, or the repair view where the file is not JSON."""
        outline = self.session.outline()
        if outline is None:
            from evaltui.tui.screens.repair_screen import RepairScreen

            return RepairScreen(self.session)
        return EditScreen(self.session, outline, self._start())

    @property
    def is_journalled(self) -> bool:
        """Whether what is unsaved outlives this process."""
        return self._journalling is not None and not self._journalling.problem

    def keep_work(self) -> None:
        """Write the journal now."""
        if self._journalling is not None:
            self._journalling.flush()

    @contextmanager
    def suspend(self) -> Iterator[None]:
        """Leave the terminal to another program, for as long as which nothing is journalled."""
        self.keep_work()
        failed: Exception | None = None
        with super().suspend():
            try:
                yield
            except Exception as error:
                failed = error
        if failed is not None:
            raise failed

    def on_mount(self) -> None:
        """Keep the journal from now on."""
        if self._journalling is not None:
            self.set_interval(INTERVAL, self._keep_journal)
        if self._journalling is None or not self._journalling.left:
            self._begin()

    def _begin(self) -> None:
        """Look for oddities of the file once it is on screen."""
        self.call_after_refresh(self._say, self._notice)
        self.call_after_refresh(self._inspect)
        self.call_after_refresh(self.session.problems.begin)
        self.call_after_refresh(self.score, anew=True)
        # After SIGTSTP and SIGCONT the terminal shows an empty screen, and of its own Textual draws only changes.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        if self._watches and isinstance(self.screen, EditScreen):
            self.call_after_refresh(self.screen.watch_disk)
        if not self.session.readonly:
            self.call_after_refresh(self._remove_leftovers)

    @work(group="leftovers")
    async def _remove_leftovers(self) -> None:
        """Tidy up what a killed save left beside the file."""
        from evaltui.document.temporary_file import remove_leftovers

        path = self.session.document.path
        if path is not None:
            for kept in await asyncio.to_thread(remove_leftovers, path):
                name = self.session.file_name
                self._say(f"Another program changed {name} during a save that was killed. Its text: {kept.name}")

    def inspect_again(self) -> None:
        """The text is another: look for its oddities, and check it."""
        self._inspect()
        self.session.problems.begin()
        self.session.scores.compare()
        self.score()

    def _say(self, text: str) -> None:
        if text and isinstance(self.screen, PanesScreen):
            self.screen.status.say(text)

    def _keep_journal(self) -> None:
        assert self._journalling is not None
        before = self._journalling.problem
        self._journalling.look()
        if self._journalling.problem != before:
            self._say(self._journalling.problem or "The journal is written again.")
            for screen in self.screen_stack:
                if isinstance(screen, PanesScreen) and screen.is_mounted:
                    screen.title_bar.update()

    def ended(self, code: int) -> None:
        """Keep the journal for the next time, where the app was ended and something is unsaved."""
        wanted = code != 0 or (self.session.keeps_drafts and not self.session.document.is_dirty)
        kept = self._journalling is not None and self._journalling.end(wanted=wanted)
        if code >= 128 and kept:
            say_kept(code - 128, self.session.file_name)

    def keep_unsaved(self) -> bool:
        """Have the journal write all at once, before the loop stands still or the app ends."""
        return self._journalling is not None and self._journalling.flush()

    def words_on_crash(self) -> str:
        """That the journal has it all, too."""
        kept = self.keep_unsaved()
        return "The journal has them as well: open the file again to be offered them." if kept else ""

    def _start(self) -> Node | None:
        """The case that the command line names."""
        eval_set = self.session.eval_set
        if eval_set is None or self._case is None:
            return None
        return next((node for node in eval_set.cases if EvalCase(node).eval_id == self._case), None)

    @work(exclusive=True, group="inspect")
    async def _inspect(self) -> None:
        """Collect the findings in slices, so that keys are never kept waiting."""
        from evaltui.document.inspection import inspect

        problems, document = self.session.problems, self.session.document
        had_some = bool(problems.inspected)
        problems.inspected.clear()
        # Of an eval set the rules say all that is odd, and more.
        for number, finding in enumerate(() if problems.is_of_rules else inspect(document)):
            if finding is not None:
                problems.inspected.append(finding)
            elif number % _SLICE == 0:
                await asyncio.sleep(0)
        problems.inspected.sort(key=lambda each: (each.line, each.column))
        if problems.inspected or had_some:
            problems.arrange()
            self.show_problems()

    # --- problems ------------------------------------------------------------------------------------------

    def _check(self) -> None:
        """Check what waits for that, unless that is being done already."""
        if not any(worker.group == "check" and not worker.is_finished for worker in self.workers):
            self.run_worker(self._check_all(), group="check")

    async def _check_all(self) -> None:
        try:
            await self.checks.run()
        except Exception as error:
            if self.is_headless:
                raise
            # A fault of our own must not end the session.
            self._say(f"The problems cannot be found out ({type(error).__name__}); you can go on editing and saving.")

    # --- scores --------------------------------------------------------------------------------------------

    def score(self, *, anew: bool = False) -> None:
        """Score the cases; with `anew`, read recordings and config again before."""
        self.scoring.want(anew=anew)
        if not any(worker.group == "score" and not worker.is_finished for worker in self.workers):
            self.run_worker(self._score_all, group="score")  # type: ignore[arg-type]

    async def _score_all(self) -> None:
        try:
            await self.scoring.run()
        except Exception as error:
            if self.is_headless:
                raise
            # A fault of our own must not end the session.
            self._say(f"The cases cannot be scored ({type(error).__name__}); you can go on editing and saving.")

    def show_scores(self) -> None:
        """Show on all screens what the last run says."""
        for screen in self.screen_stack:
            if isinstance(screen, EditScreen) and screen.is_mounted:
                screen.show_scores()

    def _value_on_screen(self) -> Node | None:
        screen = self.screen
        return screen.form_pane.node if isinstance(screen, PanesScreen) and screen.is_mounted else None

    def show_problems(self) -> None:
        """Show on all screens what was found."""
        for screen in self.screen_stack:
            if isinstance(screen, EditScreen) and screen.is_mounted:  # else it will, once it has its panes
                screen.show_problems()

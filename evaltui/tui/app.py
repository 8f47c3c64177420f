"""The Textual app for one open file: its session, its screens, and what all screens share."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from textual import work
from textual.screen import Screen

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.evalset.editing.field_edits import allow_files_of
from evaltui.settings.user_settings import Settings
from evaltui.tui.agent.agent_runner import AgentEnded
from evaltui.tui.base_app import BaseApp
from evaltui.tui.editor.edit_screen import EditScreen
from evaltui.tui.editor.navigator import StartsAt
from evaltui.tui.editor.open_file import OpenFile
from evaltui.tui.editor.source_follower import SourcesTouched
from evaltui.tui.session.journal_keeper import INTERVAL, JournalKeeper, say_kept
from evaltui.tui.session.problems import ShownRules
from evaltui.tui.session.review_start import ReviewStart
from evaltui.tui.session.scored_with import NOTHING_NAMED, ScoredWith
from evaltui.tui.session.session import Session


class EvaltuiApp(BaseApp):
    """The editor and review app for one file."""

    def __init__(
        self,
        session: Session,
        case: str | None = None,
        settings: Settings | None = None,
        journalling: JournalKeeper | None = None,
        notice: str = "",
        *,
        watches: bool = False,
        review: ReviewStart | None = None,
        scored_with: ScoredWith = NOTHING_NAMED,
    ) -> None:
        """`notice` is a message for the status line at the start. `watches` follows the file on disk. `review` starts
        the app in the review.

        `scored_with` holds the recordings and the config that the command line names.
        """
        super().__init__(settings)
        self.session = session
        self._journalling = journalling
        self._notice = " · ".join(filter(None, [notice, self.settings.first_complaint()]))
        self._case = case
        self._watches, self._review = watches, review
        self.file = OpenFile(session, self, scored_with)
        """Saver, disk follower, checker and scorer of the file."""
        if scored_with.config is not None:
            session.problems.config_path = Path(scored_with.config)
        session.problems.wanted = ShownRules(self.settings.ignored_in(session.document.path))
        allow_files_of(self.settings.inline_data_limit)

    @property
    def open_document(self) -> Document:
        """The document that is edited."""
        return self.session.document

    @property
    def is_readonly(self) -> bool:
        """Whether the open file refuses every edit with a sentence."""
        return self.session.readonly

    def get_default_screen(self) -> Screen[Any]:
        """The recovery screen if an earlier session left unsaved changes, else the screen of the file."""
        if self._journalling is not None and self._journalling.left:
            from evaltui.tui.screens.recovery_screen import RecoveryScreen

            self.read_rest_of_css()
            return RecoveryScreen(self.session, self._journalling.left, self._journalling.flush, self._open_file)
        return self._file_screen()

    def _open_file(self, said: str) -> None:
        """Show the file after the recovery or conversion; `said` says what was done."""
        self._notice = " · ".join(filter(None, [said, self._notice]))
        # A mode has its own stack of screens. Without one, the first screen of the stack could not be replaced.
        self.add_mode("file", self._file_screen)
        self.switch_mode("file")
        self._begin()

    def _file_screen(self) -> Screen[Any]:
        """The editor, or the repair view where the file is not JSON."""
        reading = self.session.reading
        if reading is not None and not reading.is_done:
            from evaltui.tui.conversion.reading_screen import ReadingScreen

            self.read_rest_of_css()
            return ReadingScreen(self.file, reading, self._open_file)
        outline = self.session.outline()
        if outline is None:
            from evaltui.tui.screens.repair_screen import RepairScreen

            self.read_rest_of_css()
            return RepairScreen(self.session, self.file.stage)
        return EditScreen(
            self.file, outline, StartsAt(self._start(), is_first=self.is_first_start), remembers=self.remembers_views
        )

    def keep_work(self) -> None:
        """Write the journal now."""
        if self._journalling is not None:
            self._journalling.flush()

    @contextmanager
    def suspend(self) -> Iterator[None]:
        """Leave the terminal to another program. The journal is not written meanwhile."""
        self.keep_work()
        with super().suspend():
            yield

    def on_mount(self) -> None:
        """Start the journal timer."""
        if self._journalling is not None:
            self.set_interval(INTERVAL, self._keep_journal)
        is_converted = self.session.reading is None or self.session.reading.is_done
        if is_converted and (self._journalling is None or not self._journalling.left):
            self._begin()

    def _begin(self) -> None:
        """Start checks, scores and the disk follower once the file is on screen."""
        self.call_after_refresh(self._say, self._notice)
        self.call_after_refresh(self.file.begin)
        is_editor = isinstance(self.screen, EditScreen)
        if self._review is not None and self.session.case_file is not None:
            from evaltui.tui.review.review_screen import ReviewScreen

            self.read_rest_of_css()
            self.push_screen(
                ReviewScreen(self.file, self._start(), start=self._review), lambda said: self._say(said or "")
            )
        # After SIGTSTP and SIGCONT the terminal is empty, but Textual would draw only what changed.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        if self._watches and is_editor:
            self.call_after_refresh(self.file.disk.follow)
            self.call_after_refresh(self.file.sources.follow)
        if not self.session.readonly:
            self.call_after_refresh(self._remove_leftovers)

    @work(group="leftovers")
    async def _remove_leftovers(self) -> None:
        """Remove temporary files that a killed save left beside the file."""
        from evaltui.document.disk.temporary_file import remove_leftovers

        path = self.session.document.path
        if path is not None:
            for kept in await asyncio.to_thread(remove_leftovers, path):
                name = self.session.file_name
                self._say(
                    f"A save was interrupted while another program changed {name}. {kept.name} has the other version."
                )

    def _say(self, text: str) -> None:
        if text and isinstance(self.screen, EditScreen):
            self.screen.panes.status.say(text)

    def on_disk_touched(self) -> None:
        """React to a change of the file on disk."""
        self.file.disk.look()

    def on_sources_touched(self, event: SourcesTouched) -> None:
        """React to changes of recordings or the config."""
        self.file.sources.touched(event.paths)

    def on_agent_ended(self, event: AgentEnded) -> None:
        """React to the end of the agent command."""
        self.file.agent.ended(event.run)

    def on_unmount(self) -> None:
        """Stop following files, and end a running agent."""
        self.file.disk.stop()
        self.file.sources.stop()
        self.file.agent.end()

    def _keep_journal(self) -> None:
        assert self._journalling is not None
        before = self._journalling.problem
        self._journalling.look()
        if self._journalling.problem != before:
            self._say(self._journalling.problem or "The journal works again.")
            for screen in self.screen_stack:
                if isinstance(screen, EditScreen) and screen.is_mounted:
                    screen.panes.title.update()

    def ended(self, code: int) -> None:
        """End the journal. Unsaved work stays in it if the app was ended by an error or a signal."""
        wanted = code != 0 or (self.session.keeps_drafts and not self.session.document.is_dirty)
        kept = self._journalling is not None and self._journalling.end(wanted=wanted)
        if code >= 128 and kept:
            say_kept(code - 128, self.session.file_name)

    def keep_unsaved(self) -> bool:
        """Write the journal synchronously, before the event loop stops or the app ends."""
        return self._journalling is not None and self._journalling.flush()

    def words_on_crash(self) -> str:
        """The sentence of a crash report about the journal; "" if the journal has nothing unsaved."""
        kept = self.keep_unsaved()
        return "The journal also has the unsaved changes. Open the file again to restore them." if kept else ""

    def _start(self) -> Node | None:
        """The case that the command line names; None without one."""
        case_file = self.session.case_file
        if case_file is None or self._case is None:
            return None
        return next((node for node in case_file.cases if case_file.case_id(node) == self._case), None)

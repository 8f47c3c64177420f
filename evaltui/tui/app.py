"""The Textual app for one open file: its screens, and what starts and ends with it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from textual import work
from textual.screen import Screen

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.evalset.editing.field_edits import allow_files_of
from evaltui.runs.run_options import RunOptions
from evaltui.settings.user_settings import Settings
from evaltui.tui.base_app import BaseApp
from evaltui.tui.editor.edit_screen import EditScreen
from evaltui.tui.editor.navigator import StartsAt
from evaltui.tui.open_file.foreign_file import show_as_set
from evaltui.tui.open_file.journal_keeper import INTERVAL, say_kept
from evaltui.tui.open_file.open_file import OpenFile

if TYPE_CHECKING:
    from evaltui.tui.review.review_queue import ReviewStart


class EvaltuiApp(BaseApp):
    """The editor and review app for one file."""

    follows_files = False
    """Whether it follows changes on disk. False for tests, pictures and measurements."""

    def __init__(
        self,
        document: Document,
        case: str | None = None,
        settings: Settings | None = None,
        *,
        readonly: bool = False,
        as_json: bool = False,
        review: ReviewStart | None = None,
        scored_with: RunOptions = RunOptions(),
    ) -> None:
        """`as_json` edits the JSON of a file of another format; else the file is shown as an eval set.

        `review` starts the app in the review. `scored_with` are the recordings and the config that the command line
        names.
        """
        super().__init__(settings)
        self.file: OpenFile = OpenFile(document, self, scored_with, readonly=readonly)
        self.notices = [show_as_set(self.file, as_json=as_json)]
        """Messages for the status line at the start."""
        self._case = case
        self._review = review
        self.file.problems.ignored = self.settings.ignored_in(document.path)
        allow_files_of(self.settings.inline_data_limit)

    def get_default_screen(self) -> Screen[Any]:
        """The recovery screen if an earlier session left unsaved changes, else the screen of the file."""
        if self._has_left_work:
            from evaltui.tui.screens.recovery_screen import RecoveryScreen

            self.read_rest_of_css()
            return RecoveryScreen(self.file, self._open_file)
        return self._file_screen()

    def _open_file(self, outcome: str) -> None:
        """Show the file after the recovery or conversion; `outcome` says what was done."""
        self.notices.insert(0, outcome)
        # A mode has its own stack of screens. Without one, the first screen of the stack could not be replaced.
        self.add_mode("file", self._file_screen)
        self.switch_mode("file")
        self._begin()

    def _file_screen(self) -> Screen[Any]:
        """The editor, or the repair view where the file is not JSON."""
        reading = self.file.reading
        if reading is not None and self.file.document is reading.source:
            from evaltui.tui.conversion.converter import ReadingScreen

            self.read_rest_of_css()
            return ReadingScreen(self.file, reading, self._open_file)
        outline = self.file.outline()
        if outline is None:
            from evaltui.tui.screens.repair_screen import RepairScreen

            self.read_rest_of_css()
            return RepairScreen(self.file)
        return EditScreen(
            self.file, outline, StartsAt(self._start(), is_first=self.is_first_start), remembers=self.remembers_views
        )

    def on_mount(self) -> None:
        """Start the journal timer."""
        if self.file.journal is not None:
            self.set_interval(INTERVAL, self._write_journal)
        is_converted = self.file.reading is None or self.file.document is not self.file.reading.source
        if is_converted and not self._has_left_work:
            self._begin()

    @property
    def _has_left_work(self) -> bool:
        return self.file.journal is not None and bool(self.file.journal.left)

    def _begin(self) -> None:
        """Start checks, scores and the disk follower once the file is on screen."""
        self.call_after_refresh(self._say, " · ".join(filter(None, [*self.notices, self.settings.first_complaint()])))
        self.call_after_refresh(self.file.begin)
        is_editor = isinstance(self.screen, EditScreen)
        if self._review is not None and self.file.case_file is not None:
            from evaltui.tui.review.review_screen import ReviewScreen

            self.read_rest_of_css()
            self.push_screen(
                ReviewScreen(self.file, self._start(), start=self._review), lambda message: self._say(message or "")
            )
        # After SIGTSTP and SIGCONT the terminal is empty, but Textual would draw only what changed.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        if self.follows_files and is_editor:
            self.call_after_refresh(self._follow_files)
        if not self.file.readonly:
            self.call_after_refresh(self._remove_leftovers)

    def _follow_files(self) -> None:
        # Both are loaded here, after the first frame.
        self.file.disk.follow()
        self.file.sources.follow()

    @work(group="leftovers")
    async def _remove_leftovers(self) -> None:
        """Remove temporary files that a killed save left beside the file."""
        from evaltui.document.disk.temporary_file import remove_leftovers

        path = self.file.document.path
        if path is not None:
            for version in await asyncio.to_thread(remove_leftovers, path):
                name, interrupted = self.file.file_name, "A save was interrupted while another program changed"
                self._say(f"{interrupted} {name}. {version.name} has the other version.")

    def _say(self, text: str) -> None:
        if text and isinstance(self.screen, EditScreen):
            self.screen.panes.status.say(text)

    def on_unmount(self) -> None:
        """Stop following files, and end a running agent."""
        self.file.disk.stop()
        self.file.sources.stop()
        if self.file.is_agent_running:
            self.file.agent.end()

    def _write_journal(self) -> None:
        journal = self.file.journal
        assert journal is not None
        problem = journal.problem
        journal.look()
        if journal.problem != problem:
            self._say(journal.problem or "The journal works again.")
            for screen in self.screen_stack:
                if isinstance(screen, EditScreen) and screen.is_mounted:
                    screen.panes.title.update()

    def ended(self, code: int) -> None:
        """End the journal. Unsaved work stays in it if the app was ended by an error or a signal."""
        keeps = code != 0 or (self.file.keeps_drafts and not self.file.document.is_dirty)
        is_kept = self.file.journal is not None and self.file.journal.end(keeps=keeps)
        if code >= 128 and is_kept:
            say_kept(code - 128, self.file.file_name)

    def keep_unsaved(self) -> bool:
        """Write the journal synchronously, before the event loop stops or the app ends."""
        return self.file.journal is not None and self.file.journal.flush()

    def _start(self) -> Node | None:
        """The case that the command line names; None without one."""
        case_file = self.file.case_file
        if case_file is None or self._case is None:
            return None
        return next((node for node in case_file.cases if case_file.case_id(node) == self._case), None)

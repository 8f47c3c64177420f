"""The person's command that a watch runs (`--exec`): when it runs, and the sentences about its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from evaltui.file_access import has_working_directory
from evaltui.files.disk_watch import Signs
from evaltui.printable import say
from evaltui.runs.command_process import CommandError, CommandProcess
from evaltui.runs.watched_sets import NO_FOLDER
from evaltui.runs.watched_sources import signs_of_code

_LAST_LINES = 20
"""Lines of a failing command that are shown."""
_MANY_STARTS = 3
"""After so many starts, and each time again, a message asks whether the command writes its own sources."""
_WAKE = 0.05
"""Seconds between two checks whether the code changed again, or the command has ended."""
_PATIENCE = 5.0
"""The most seconds that a signal waits for the end of the command. Its supervisor takes about a second at most."""


class WatchedCommand:
    """The command line of `evaltui watch --exec`. It runs when code changes, and writes the recordings to score."""

    def __init__(self, command: str, globs: Sequence[str], spared: Callable[[], Signs]) -> None:
        """`spared` are the sources of scores: they do not count as code, even if a glob matches them."""
        self.line, self._globs, self._spared = command, globs, spared
        self._process: CommandProcess | None = None
        self.ended: CommandProcess | None = None
        """The last run, which has ended; None if it could not start."""
        self._is_over = False
        self.at_start = self.signs()
        """The code as it was when the watch began."""

    def signs(self) -> Signs:
        """The state of the code on disk, for a watch."""
        spared, _ = self._spared()
        return signs_of_code(self._globs, spared)

    def run(self, is_outdated: Callable[[], bool], report: Callable[[Sequence[str]], object]) -> list[str]:
        """Run the command, and restart it if the code changes during the run. Returns sentences about its end.

        `report` is called during the run with sentences about restarts.
        """
        self.ended, starts = None, 0
        while not self._is_over:
            if not has_working_directory():
                return [NO_FOLDER]
            starts += 1
            if starts % _MANY_STARTS == 0:
                report([f"the command started {starts} times: it may write files that match --on itself"])
            process = self._process = CommandProcess(["sh", "-c", self.line], Path.cwd())
            try:
                process.start()
            except CommandError as error:
                return [str(error)]
            while not process.wait(_WAKE):
                if is_outdated():
                    process.cancel()
            if self._is_over:
                break
            others = process.others
            if process.is_cancelled:
                if others:
                    report([f"the code changed, so the command starts again; {sentence}" for sentence in others])
                continue
            self.ended = process
            failure = [f"the command failed ({process.outcome}); its last lines:", *process.output.tail(_LAST_LINES)]
            return [*(failure if process.code else ()), *others]
        return []

    def cancel(self) -> None:
        """End the command, for good."""
        self._is_over = True
        if self._process is not None:
            self._process.cancel()

    def kill(self) -> None:
        """End the command at once, and name the processes that end with it; also from a signal handler."""
        self._is_over = True
        if (process := self._process) is None or not process.is_running:
            return
        process.kill()
        deadline = time.monotonic() + _PATIENCE
        # The handler may have interrupted the thread that has the lock of `wait`, so it must not wait for that lock.
        while process.code is None and time.monotonic() < deadline:
            time.sleep(_WAKE)
        for sentence in process.others:
            say(sentence)

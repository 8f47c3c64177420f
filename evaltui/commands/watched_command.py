"""The person's command of `evaltui watch --exec`. It runs when code changes, and writes the recordings to score."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from evaltui.commands.watched_sets import NO_FOLDER
from evaltui.document.errors import DocumentError
from evaltui.file_access import has_working_directory, is_folder
from evaltui.files.file_signature import Signature, signature
from evaltui.files.folder_search import Bounds, Walk, matching
from evaltui.files.source_watch import Signs
from evaltui.printable import say
from evaltui.runs.command_process import CommandEnd, CommandError, CommandProcess

_LAST_LINES = 20
"""Lines of a failing command that are shown."""
_SECONDS = 5.0
"""The most seconds of a search for code files. Files that it has not reached are not watched."""
_COMPILED = "__pycache__"
_MANY = 3
"""After so many restarts, and each time again, a message asks whether the command writes its own sources."""
_WAKE = 0.05
"""Seconds between two checks whether the code changed again, or the command has ended."""
_PATIENCE = 5.0
"""The most seconds that a signal waits for the end of the command. Its supervisor takes about a second at most."""


class WatchedCommand:
    """A command line for the shell, run when a file that matches one of the globs changes."""

    def __init__(self, command: str, globs: Sequence[str], spared: Callable[[], Signs]) -> None:
        """`spared` are the sources of scores: they do not count as code, even if a glob matches them."""
        self.line, self._globs, self._spared = command, globs, spared
        self._process: CommandProcess | None = None
        self.end: CommandEnd | None = None
        """The end of the last run; None if it could not start."""
        self._is_over = False
        self.at_start = self.signs()
        """The code as it was when the watch began."""

    def signs(self) -> Signs:
        """The state of the code on disk, for a watch."""
        files: dict[Path, Signature] = {}
        folders = {Path()}
        bounds = Bounds(seconds=_SECONDS)
        spared = self._spared().files
        with suppress(DocumentError):
            for path in (path for pattern in self._globs for path in matching(Path(), pattern, bounds)):
                if is_folder(path):
                    folders.add(path)
                    found = list(Walk(path, bounds, entered=folders.add))
                else:
                    found = [path]
                for each in found:
                    if each not in spared and _COMPILED not in each.parts:
                        files[each] = signature(each)
                        folders.add(each.parent)
        return Signs(files, frozenset(folders))

    def run(self, is_outdated: Callable[[], bool], tell: Callable[[Sequence[str]], object]) -> list[str]:
        """Run the command, and restart it if the code changes during the run. Returns sentences about its end.

        `tell` is called during the run with sentences about restarts.
        """
        self.end, begun = None, 0
        while not self._is_over:
            if not has_working_directory():
                return [NO_FOLDER]
            begun += 1
            if begun % _MANY == 0:
                tell([f"the command started {begun} times: it may write files that match --on itself"])
            process = self._process = CommandProcess(["sh", "-c", self.line], Path.cwd())
            try:
                process.start()
            except CommandError as error:
                return [str(error)]
            while (end := process.wait(_WAKE)) is None:
                if is_outdated():
                    process.cancel()
            if self._is_over:
                break
            if end.is_cancelled:
                if end.others:
                    tell([f"the code changed, so the command starts again; {said}" for said in end.others])
                continue
            self.end = end
            failure = [f"the command failed ({end.brief}); its last lines:", *process.output.tail(_LAST_LINES).lines]
            return [*(failure if end.code else ()), *end.others]
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
        until = time.monotonic() + _PATIENCE
        while process.end is None and time.monotonic() < until:  # a handler must not wait for a lock
            time.sleep(_WAKE)
        for said in process.end.others if process.end is not None else ():
            say(said)

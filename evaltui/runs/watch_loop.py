"""The loop of a watch: wait for changes, run the person's command if there is one, score, pass on the run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Literal, Protocol

from evaltui.file_access import has_working_directory
from evaltui.files.disk_watch import DiskWatch, Signs
from evaltui.files.file_changes import REST
from evaltui.printable import say
from evaltui.runs.command_process import CommandError, CommandProcess
from evaltui.runs.score_sets import ScoredRun
from evaltui.runs.watched_sets import NO_FOLDER, Look, WatchedSets
from evaltui.runs.watched_sources import signs_of_code
from evaltui.scoring.results import CaseResult

_QUIET = REST + 0.1
"""Seconds without an event after which a broken source counts as written to its end."""
_BEAT = 0.25
"""The longest wait for events, in seconds. A signal just before a wait does not end the wait."""
_MOST_OVERTAKEN = 10
"""The most runs in a row that are dropped because their sources changed meanwhile. The next one is shown."""
_CASES_FAILED = 1
"""The exit code with which `adk eval` and other tools say that a case failed."""
_FAILED = "the command failed, so the last scores are of earlier code"
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


class RunSink(Protocol):
    """Receives the results of a watch."""

    def write(self, scored: ScoredRun, trigger: Sequence[str] | None) -> None:
        """Scores after a change of the sources in `trigger`; None if none changed. A source may have been deleted."""

    def complain(self, troubles: Sequence[str]) -> None:
        """Sentences about broken or deleted sources; none if all are usable."""

    def say(self, sentences: Sequence[str]) -> None:
        """Sentences about the end of the person's command; none if it did not fail and left no process."""

    def begin(self, command: str = "") -> None:
        """Work begins: the person's command or, with "", a look at the sources."""

    def rest(self) -> None:
        """The work is done until the next change."""


_Event = frozenset[Path | Literal["code", "look"]]
"""Sources that may have changed; `code` if code changed, so that the command runs; `look` if the person wants one.

Several events together are their union.
"""
_CODE: _Event = frozenset({"code"})


def _sources_in(event: _Event) -> frozenset[Path]:
    return frozenset(part for part in event if isinstance(part, Path))


class WatchLoop:
    """Scores sets again after each change, until `stop`. `run` may be called in a thread."""

    def __init__(self, watched: WatchedSets, sink: RunSink, command: WatchedCommand | None = None) -> None:
        self._watched, self._sink, self._command = watched, sink, command
        self._events: SimpleQueue[_Event] = SimpleQueue()
        self._watches = [DiskWatch(watched.signs, self._events.put)]
        if command is not None:
            # Code that changed before the watch began its work starts the command, too.
            self._watches.append(DiskWatch(command.signs, self._code_touched, command.at_start))
        self._is_over = self._is_paused = False
        self._outdated: tuple[str, ...] = ()
        """Why the scores are outdated although all sources are usable."""

    def run(self) -> None:
        """Look after each change; returns once stopped."""
        for watch in self._watches:
            watch.start()
        while not self._is_over:
            event = self._next_event(None)
            # A look that the person asks for is made during a pause as well.
            while self._is_paused and "look" not in event and not self._is_over:
                event |= self._next_event(None)
            if not self._is_over:
                self._handle(event)

    def stop(self) -> None:
        """End the loop and the command that it runs; from any thread."""
        self._is_over = True
        for watch in self._watches:
            watch.stop()
        if self._command is not None:
            self._command.cancel()
        self._events.put(frozenset())  # wakes the loop

    def pause(self, *, is_paused: bool) -> None:
        """Pause or continue automatic scoring; from any thread."""
        self._is_paused = is_paused
        self._events.put(frozenset())

    def score_again(self) -> None:
        """Look at all sources now; from any thread."""
        self._events.put(frozenset({"look"}))

    def _handle(self, event: _Event) -> None:
        sentences = None
        if "code" in event and self._command is not None:
            self._sink.begin(self._command.line)
            sentences = self._run_command(self._command)
        if self._is_over:
            return
        self._sink.begin()
        look = self._settled_look(_sources_in(event))
        if sentences is not None and self._command is not None:
            sentences = self._judge_end(self._command, sentences, look)
        self._pass_on(look)
        if sentences is not None:
            self._sink.say(sentences)
        self._sink.rest()

    def _run_command(self, command: WatchedCommand) -> list[str]:
        waiting: _Event = frozenset()

        def is_outdated() -> bool:
            nonlocal waiting
            event = self._next_event(0) if not self._events.empty() else frozenset()
            # Recordings that the command writes are read after its end: half of them would give half of the scores.
            waiting |= event - _CODE
            return "code" in event

        sentences = command.run(is_outdated, self._sink.say)
        self._events.put(waiting)
        return sentences

    def _judge_end(self, command: WatchedCommand, sentences: list[str], look: Look) -> list[str]:
        """The sentences about the end of the command, or the number of failed cases in their place."""
        ended, results = command.ended, _new_results(look)
        # A command that failed and wrote no recording left scores of earlier code: they are outdated from here on.
        self._outdated = (_FAILED,) if not results and (ended is None or ended.code) else ()
        if ended is None or ended.code != _CASES_FAILED or not results:
            return sentences
        failed = sum(result.status == "failed" for result in results)
        counted = f"{failed:,} case{'s' * (failed != 1)} failed" if failed else "no case failed"
        return [f"{counted}; the command ended with {ended.outcome}", *ended.others]

    # --- looks -------------------------------------------------------------------------------------------------

    def _pass_on(self, look: Look) -> None:
        scored, trigger, troubles = look
        if _new_results(look):
            self._outdated = ()
        if not self._outdated:
            self._sink.complain(troubles)
        if scored is not None and (trigger is not None or not self._outdated):
            self._sink.write(scored, trigger)
        # A run clears the complaints that are shown, so this one comes after it.
        if self._outdated:
            self._sink.complain((*troubles, *self._outdated))

    def _settled_look(self, touched: frozenset[Path]) -> Look:
        """Look until no source is half written, and no change came during the run."""
        (scored, trigger, troubles), is_code = self._watched.look(touched), False
        while not self._watched.is_settled and not self._is_over:
            event = self._next_event(_QUIET)
            is_code |= "code" in event
            scored, trigger, troubles = self._watched.look(sources := _sources_in(event))
            if not sources:
                break
        for _ in range(_MOST_OVERTAKEN):
            if trigger is None or self._events.empty():
                break
            event = self._next_event(None)
            is_code |= "code" in event
            newer, new_trigger, new_troubles = self._watched.look(_sources_in(event))
            if new_trigger is not None:
                scored, trigger, troubles = newer, tuple(dict.fromkeys((*trigger, *new_trigger))), new_troubles
            elif new_troubles or not self._watched.is_settled:
                # These scores are whole, so they are shown. The next look tells the trouble.
                self._events.put(frozenset())
                break
        # Code that changed meanwhile waits until the scores are shown: each command then has its own run.
        if is_code:
            self._events.put(_CODE)
        return scored, trigger, troubles

    # --- events ------------------------------------------------------------------------------------------------

    def _code_touched(self, paths: frozenset[Path]) -> None:
        if paths:  # the first look of a watch reports no paths
            self._events.put(_CODE)

    def _next_event(self, seconds: float | None) -> _Event:
        """Wait for an event, and join it with all others that have come; an empty event after so many seconds."""
        event = None
        while event is None:
            try:
                event = self._events.get(timeout=_BEAT if seconds is None else seconds)
            except Empty:
                if seconds is not None:
                    return frozenset()
        while not self._events.empty():
            event |= self._events.get()
        return event


def _new_results(look: Look) -> list[CaseResult]:
    scored, trigger, _ = look
    results = (result for run in (scored.runs if scored is not None and trigger else ()) for result in run.cases)
    return [case for case in results if case.run is not None and str(case.run.conversation.path) in (trigger or ())]

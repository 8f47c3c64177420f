"""`evaltui watch --format jsonl`: one `run` document a line on stdout, and new messages on stderr."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence

from evaltui.commands.run_outputs import finish_watched_run
from evaltui.commands.watch_loop import WatchLoop
from evaltui.commands.watched_command import WatchedCommand
from evaltui.commands.watched_sets import WatchedSets
from evaltui.document.errors import DocumentError
from evaltui.interrupt import CODE, deferred, ending_on_signals, exiting_with
from evaltui.printable import say
from evaltui.report.json_text import json_pieces
from evaltui.report.run_json import runs_document
from evaltui.runs.score_sets import ScoredRun


def print_runs(watched: WatchedSets, options: Namespace, command: WatchedCommand | None, first: ScoredRun) -> int:
    """Print each run until Ctrl-C, which gives the exit code of the last one. Raises `DocumentError` for the first."""
    output = _PrintedRuns(options)
    kill = command.kill if command is not None else lambda: None
    try:
        with exiting_with(lambda: output.exit_code):
            output.print_run(first, ())
            with ending_on_signals(kill):
                WatchLoop(watched, output, command).run()
    except KeyboardInterrupt:  # came while a line was written
        pass
    return output.exit_code


class _PrintedRuns:
    """Prints each run as a line of JSON, and new messages on stderr."""

    def __init__(self, options: Namespace) -> None:
        self._options = options
        self._said: set[str] = set()
        self._troubles: Sequence[str] = ()
        self.exit_code = CODE
        """The exit code of the last run, or that of Ctrl-C before the first."""

    def write(self, scored: ScoredRun, trigger: Sequence[str]) -> None:
        """Print a run. If a report or the baseline cannot be used, say so, and print the run without it."""
        try:
            self.print_run(scored, trigger)
        except DocumentError as error:
            say(error)
            self._print(scored, trigger, scored.exit_code(allow_not_evaluated=self._options.allow_not_evaluated))

    def print_run(self, scored: ScoredRun, trigger: Sequence[str]) -> None:
        """Print a run, and write the reports. Raises `DocumentError` for a file that cannot be used."""
        notes, code = finish_watched_run(self._options, scored)
        for line in notes:
            if line not in self._said:
                say(line)
        self._said = set(notes)
        self._print(scored, trigger, code)

    def _print(self, scored: ScoredRun, trigger: Sequence[str], code: int) -> None:
        self._troubles = ()
        document = {**runs_document(scored.runs), "trigger": list(trigger)}
        text = "".join(json_pieces(document, indent=None)).encode("utf-8", "backslashreplace")
        with deferred():
            sys.stdout.buffer.write(text + b"\n")
            sys.stdout.buffer.flush()
            self.exit_code = code

    def keep(self, scored: ScoredRun) -> None:
        """Print nothing: no source changed."""

    def complain(self, troubles: Sequence[str]) -> None:
        """Print sentences about broken or deleted sources, each once until it changes."""
        for line in troubles:
            if line not in self._troubles:
                say(line)
        self._troubles = troubles

    def say(self, sentences: Sequence[str]) -> None:
        """Say how the command failed."""
        for line in sentences:
            say(line)

    def begin(self, command: str = "") -> None:
        """Say nothing: only the outcome counts."""

    def rest(self) -> None:
        """Say nothing: only the outcome counts."""

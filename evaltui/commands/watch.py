"""`evaltui watch`: sets scored at once, and again after each change of a set, its config or a recording.

Without a terminal, one `run` document a line goes to stdout.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence

from evaltui.commands.report_files import Reports
from evaltui.commands.run_baselines import RunBaselines
from evaltui.commands.scored_sets import RefusedInput, ScoredSets, run_options
from evaltui.commands.set_arguments import set_arguments
from evaltui.commands.watch_loop import WatchLoop
from evaltui.commands.watched_command import WatchedCommand
from evaltui.commands.watched_sets import WatchedSets
from evaltui.document.errors import DocumentError
from evaltui.interrupt import deferred, exiting_with, saying_at_the_end
from evaltui.printable import say
from evaltui.report.output import json_text
from evaltui.report.run_json import runs_as_data
from evaltui.report.run_notes import note_lines
from evaltui.runs.inputs import STDIN


def run(given: Namespace) -> int:
    """Watch until Ctrl-C, which gives the exit code of the last run; 2 with a sentence if nothing can be scored."""
    try:
        _refuse(given)
        watched = WatchedSets(set_arguments(given.sets), run_options(given))
        command = _command(given, watched)
        output = _PrintedRuns(given)
        first = watched.first()
    except RefusedInput as error:
        say(error)
        return 2
    kill = command.kill if command is not None else lambda: None
    try:
        output.print_run(first, ())
        with exiting_with(lambda: output.exit_code), saying_at_the_end(kill):
            WatchLoop(watched, output, command).run()
    except DocumentError as error:  # a report that cannot be written
        say(error)
        return 2
    except KeyboardInterrupt:  # came while a line was written
        pass
    return output.exit_code


def _refuse(given: Namespace) -> None:
    if given.format == "json":
        raise DocumentError("evaltui watch prints one document a line: use --format jsonl")
    if any(each.name == STDIN for each in set_arguments(given.sets)):
        raise DocumentError("standard input does not change: name the file of the eval set")


def _command(given: Namespace, watched: WatchedSets) -> WatchedCommand | None:
    if given.exec is None:
        if given.on:
            raise DocumentError("--on names the files whose change runs a command: give the command with --exec")
        return None
    if not given.on:
        raise DocumentError("--exec needs --on GLOB: the files whose change runs the command")
    return WatchedCommand(given.exec, given.on, watched.signs)


class _PrintedRuns:
    """Prints each run as a line of JSON, and what is new beside it on stderr."""

    def __init__(self, given: Namespace) -> None:
        self._given = given
        self._allow: bool = given.allow_not_evaluated
        self._reports = Reports(given.output)
        RunBaselines(given)  # read again for each run; one that cannot be read is said before the first
        self._said: set[str] = set()
        self._troubles: Sequence[str] = ()
        self.exit_code = 0
        """The exit code of the last run."""

    def write(self, scored: ScoredSets, trigger: Sequence[str]) -> None:
        """Print a run; say so instead where a report or a baseline cannot be used."""
        try:
            self.print_run(scored, trigger)
        except DocumentError as error:
            say(error)

    def print_run(self, scored: ScoredSets, trigger: Sequence[str]) -> None:
        """Print a run, and write the reports. Raises `DocumentError` for a file that cannot be used."""
        baselines = RunBaselines(self._given)
        self._reports.spare_inputs(scored, baselines.inputs)
        baselines.compare(scored)
        self._reports.write(scored, allow_not_evaluated=self._allow)
        notes = [*scored.said, *note_lines(scored.runs)]
        for line in notes:
            if line not in self._said:
                say(line)
        self._said, self._troubles = set(notes), ()
        document = {**runs_as_data(scored.runs), "trigger": list(trigger)}
        text = json_text(document, indent=None).encode("utf-8", "backslashreplace")
        with deferred():
            sys.stdout.buffer.write(text + b"\n")
            sys.stdout.buffer.flush()
            self.exit_code = baselines.exit_code(scored, allow_not_evaluated=self._allow)

    def complain(self, troubles: Sequence[str]) -> None:
        """Say what is broken or gone, each state once."""
        for line in troubles:
            if line not in self._troubles:
                say(line)
        self._troubles = troubles

    def say(self, sentences: Sequence[str]) -> None:
        """Say how the command failed."""
        for line in sentences:
            say(line)

"""`evaltui watch`: sets scored at once, and again after each change of a set, its config or a recording.

On a terminal a live table, elsewhere one `run` document a line.
"""

from __future__ import annotations

import gc
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from evaltui.commands import set_options
from evaltui.commands.parser import CommandParser
from evaltui.document.errors import DocumentError
from evaltui.printable import say

if TYPE_CHECKING:
    from evaltui.runs.score_sets import ScoredRun
    from evaltui.runs.watch_loop import WatchedCommand
    from evaltui.runs.watched_runs import ComparedRun
    from evaltui.runs.watched_sets import WatchedSets
    from evaltui.tui.watch.watch_screen import WatchScreen

USAGE = "watch [OPTIONS] SET[:ID,ID…]…"
DESCRIPTION = "Score eval sets now, and again after each change of a set, its config or a recording."
EXAMPLE = "evaltui watch trip_planner.evalset.json -r recordings"


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui watch`."""
    set_options.add_sets(parser, takes_stdin=False)
    set_options.add_recordings(parser)
    set_options.add_criteria(parser)
    agent = parser.add_argument_group("Agent")
    command = "A shell command that makes new recordings. It runs after a change of a file that matches --on."
    agent.add_argument("--exec", metavar="CMD", help=command)
    code_files = "Files to watch for --exec, such as 'agent/**/*.py'. Repeatable."
    agent.add_argument("--on", metavar="GLOB", action="append", default=[], help=code_files)
    formats = (
        "Format of standard output: table, or jsonl with one document a line. Default: table on a terminal, else jsonl."
    )
    # `run --format json` is known to many: it is parsed so that the error can name jsonl.
    output = set_options.add_format(parser, ("table", "jsonl", "json"), formats, None)
    set_options.add_reports(output, "Also write a report to FILE after each run.")
    parser.add_argument_group("Baselines").add_argument("--baseline", metavar="FILE", help=set_options.BASELINE)
    set_options.add_exit_code(parser, can_regress=True)
    # A run would compare the next one with itself. `RunOutputs` reads the option all the same.
    parser.set_defaults(save_baseline=None)


def run(options: Namespace) -> int:
    """Watch until the person ends it. Returns the exit code of the last run."""
    from functools import partial
    from pathlib import Path

    from evaltui.commands.run_outputs import RunOutputs
    from evaltui.report.run_reports import report_case
    from evaltui.report.terminal_output import progress
    from evaltui.runs.set_reader import STDIN
    from evaltui.runs.watched_sets import WatchedSets

    # All usage errors, and those of the first run, are reported before the screen opens.
    has_table = _has_table(options)
    watched = WatchedSets(
        set_options.set_arguments(options.sets),
        set_options.run_options(options),
        [Path(options.baseline)] if options.baseline not in (None, STDIN) else [],
        # Prepared JSON stays in the run cache with its case, so only changed cases are explained again.
        None if has_table else lambda _cases: partial(report_case, has_json=True),
        progress if sys.stderr.isatty() else None,
    )
    command = _watched_command(options, watched)
    RunOutputs(options)  # refuses unusable files before the first run, which may take long
    show = _show_table if has_table else _print_lines
    return show(watched, options, command, watched.first())


def _has_table(options: Namespace) -> bool:
    """Whether runs are shown in a table. Raises `DocumentError` for options that are not possible here."""
    from evaltui.runs.set_reader import STDIN

    if options.format == "json":
        raise DocumentError("evaltui watch prints one document a line: use --format jsonl")
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if options.format == "table" and not is_terminal:
        raise DocumentError("the table of evaltui watch needs a terminal: use --format jsonl")
    has_table: bool = options.format == "table" or (options.format is None and is_terminal)
    # A set of standard input never changes, so there is nothing to watch.
    if any(name == STDIN for name, _ in set_options.set_arguments(options.sets)):
        raise DocumentError("watch cannot read the eval set from standard input: give a file name")
    if has_table and STDIN in (*options.recording, options.config, options.baseline):
        raise DocumentError("the table uses standard input for the keyboard: give a file name, or use --format jsonl")
    return has_table


def _watched_command(options: Namespace, watched: WatchedSets) -> WatchedCommand | None:
    from evaltui.runs.watch_loop import WatchedCommand

    if options.exec is None:
        if options.on:
            raise DocumentError("--on needs --exec COMMAND: the command that runs when one of these files changes")
        return None
    if not all(options.on or ("",)):
        raise DocumentError("--exec needs --on GLOB: the command runs when one of these files changes")
    return WatchedCommand(options.exec, options.on, watched.signs)


# --- lines of JSON -------------------------------------------------------------------------------------------------


def _print_lines(watched: WatchedSets, options: Namespace, command: WatchedCommand | None, first: ScoredRun) -> int:
    """Print each run until Ctrl-C, which gives the exit code of the last one. Raises `DocumentError` for the first."""
    from evaltui.interrupt import ending_on_signals, exiting_with
    from evaltui.runs.watch_loop import WatchLoop

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
    """Sink of a watch: prints each run as a line of JSON, and new messages on stderr."""

    def __init__(self, options: Namespace) -> None:
        from evaltui.interrupt import CODE

        self._options = options
        self._notes: set[str] = set()
        """The notes of the last run. They are printed again only after a run without them."""
        self._troubles: Sequence[str] = ()
        self.exit_code = CODE
        """The exit code of the last run, or that of Ctrl-C before the first."""

    def write(self, scored: ScoredRun, trigger: Sequence[str] | None) -> None:
        """Print a run, and what is wrong with its reports; a run without a trigger is not printed."""
        if trigger is None:  # programs that read the lines need only outcomes
            return
        try:
            self.print_run(scored, trigger)
        except DocumentError as error:
            # The report or the baseline cannot be used. The scores are right all the same.
            say(error)
            self._print(scored, trigger, scored.exit_code(allow_not_evaluated=self._options.allow_not_evaluated))

    def print_run(self, scored: ScoredRun, trigger: Sequence[str]) -> None:
        """Print a run, and write the reports. Raises `DocumentError` for a file that cannot be used."""
        from evaltui.commands.run_outputs import finish_watched_run

        notes, code = finish_watched_run(self._options, scored)
        for line in notes:
            if line not in self._notes:
                say(line)
        self._notes = set(notes)
        self._print(scored, trigger, code)

    def _print(self, scored: ScoredRun, trigger: Sequence[str], code: int) -> None:
        from evaltui.interrupt import deferred
        from evaltui.report.json_text import json_pieces
        from evaltui.report.run_json import runs_document

        self._troubles = ()
        document = {**runs_document(scored.runs), "trigger": list(trigger)}
        data = "".join(json_pieces(document, indent=None)).encode("utf-8", "backslashreplace")
        # Ctrl-C between the line and its code would end with the code of an earlier run.
        with deferred():
            sys.stdout.buffer.write(data + b"\n")
            sys.stdout.buffer.flush()
            self.exit_code = code

    def complain(self, troubles: Sequence[str]) -> None:
        # The loop looks again and again at a broken file. Each sentence is printed once until it changes.
        for line in troubles:
            if line not in self._troubles:
                say(line)
        self._troubles = troubles

    def say(self, sentences: Sequence[str]) -> None:
        for line in sentences:
            say(line)

    def begin(self, command: str = "") -> None: ...

    def rest(self) -> None:
        # A look leaves documents, whose nodes point at each other and hold the text of a file. Python counts objects,
        # not bytes: it would collect the first of them after hundreds of megabytes.
        gc.collect()


# --- the table -------------------------------------------------------------------------------------------------------


def _show_table(watched: WatchedSets, options: Namespace, command: WatchedCommand | None, first: ScoredRun) -> int:
    """Show the table until the person ends it: the exit code of the last run. Raises `DocumentError` for the first."""
    from evaltui.commands.edit import import_asyncio_without_tls
    from evaltui.runs.watch_loop import WatchLoop

    sink = _TableRuns(options)
    compared = sink.compared_run(first, ())
    watched.progress = None  # it would draw over the table
    import_asyncio_without_tls()  # before the app, which imports asyncio
    from evaltui.tui.launch import run_app, settings_in_force
    from evaltui.tui.process_end import end_at_all_events
    from evaltui.tui.watch.watch_screen import WatchApp

    app = WatchApp(compared, WatchLoop(watched, sink, command), settings_in_force())
    sink.tell = app.tell
    run_app(app)
    code = app.return_code or 0
    end_at_all_events(code)  # Python would wait for all threads, and one may hang
    return code


class _TableRuns:
    """Sink of a watch: passes results to the app. Runs in the thread of the loop, where it makes the rows as well."""

    def __init__(self, options: Namespace) -> None:
        from evaltui.runs.watched_runs import ComparedRuns

        self._options = options
        self._runs = ComparedRuns(options.baseline or "")
        self._troubles: tuple[str, ...] = ()
        """Sentences that the loop has just reported."""
        self.tell: Callable[[Callable[[WatchScreen], None]], None] = lambda _: None
        """Has the table take news."""

    def compared_run(self, scored: ScoredRun, trigger: Sequence[str] | None) -> ComparedRun:
        """A run compared with the previous run. Raises `DocumentError` for an unusable report or baseline."""
        from evaltui.commands.run_outputs import finish_watched_run

        # If no source changed, the reports that were written are right.
        notes, code = finish_watched_run(self._options, scored, writes=trigger is not None)
        return self._runs.compare(scored.runs, scored.seconds, code, notes, trigger or ())

    def write(self, scored: ScoredRun, trigger: Sequence[str] | None) -> None:
        """Show a run in the table, or why its report or baseline is unusable."""
        troubles = self._troubles
        try:
            run = self.compared_run(scored, trigger)
        except DocumentError as error:
            sentences = (str(error),)
            self.tell(lambda table: table.take_troubles(sentences))  # the scores on screen are outdated
        else:
            self.tell(lambda table: table.take_run(run, troubles))

    def complain(self, troubles: Sequence[str]) -> None:
        self._troubles = sentences = tuple(troubles)
        if sentences:
            self.tell(lambda table: table.take_troubles(sentences))

    def say(self, sentences: Sequence[str]) -> None:
        self.tell(lambda table: table.take_failure(sentences))

    def begin(self, command: str = "") -> None:
        self.tell(lambda table: table.begin_work(command))

    def rest(self) -> None:
        self.tell(lambda table: table.end_work())

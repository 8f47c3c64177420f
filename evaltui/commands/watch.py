"""`evaltui watch`: sets scored at once, and again after each change of a set, its config or a recording.

Without a terminal, one `run` document a line goes to stdout.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from queue import Empty, SimpleQueue

from evaltui.commands.report_files import Reports
from evaltui.commands.scored_sets import RefusedInput, ScoredSets, run_options
from evaltui.commands.set_arguments import set_arguments
from evaltui.commands.watched_sets import Look, WatchedSets
from evaltui.document.errors import DocumentError
from evaltui.files.file_rest import REST
from evaltui.files.source_watch import SourceWatch
from evaltui.interrupt import deferred, exiting_with
from evaltui.printable import say
from evaltui.report.output import json_text
from evaltui.report.run_json import runs_as_data
from evaltui.report.run_notes import note_lines
from evaltui.runs.inputs import STDIN

_QUIET = REST + 0.1
"""Seconds without an event after which a broken source counts as written to its end."""
_MOST_OVERTAKEN = 10
"""So many times in a row a run whose sources changed meanwhile is not printed: then it is, so that something shows."""


def run(given: Namespace) -> int:
    """Watch until Ctrl-C, which gives the exit code of the last run; 2 with a sentence if nothing can be scored."""
    try:
        _refuse(given)
        watched = WatchedSets(set_arguments(given.sets), run_options(given))
        output = _PrintedRuns(given)
        first = watched.first()
    except RefusedInput as error:
        say(error)
        return 2
    try:
        output.write(first, ())
        with exiting_with(lambda: output.exit_code):
            _follow(watched, output)
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


class _PrintedRuns:
    """Prints each run as a line of JSON, and what is new beside it on stderr."""

    def __init__(self, given: Namespace) -> None:
        self._allow: bool = given.allow_not_evaluated
        self._reports = Reports(given.output)
        self._said: set[str] = set()
        self._troubles: Sequence[str] = ()
        self.exit_code = 0
        """The exit code of the last run."""

    def write(self, scored: ScoredSets, trigger: Sequence[str]) -> None:
        """Print a run, and write the reports. Raises `DocumentError` for a report that cannot be written."""
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
            self.exit_code = scored.exit_code(allow_not_evaluated=self._allow)

    def complain(self, troubles: Sequence[str]) -> None:
        """Say what is broken or gone, each state once."""
        for line in troubles:
            if line not in self._troubles:
                say(line)
        self._troubles = troubles


def _follow(watched: WatchedSets, output: _PrintedRuns) -> None:
    """Score after each change, for ever."""
    events: SimpleQueue[frozenset[Path]] = SimpleQueue()
    watch = SourceWatch(watched.signs, events.put)
    watch.start()
    while True:
        look = _settled_look(watched, _touched(events), events)
        output.complain(look.troubles)
        if look.scored is None:
            continue
        try:
            output.write(look.scored, look.trigger)
        except DocumentError as error:
            say(error)


def _settled_look(watched: WatchedSets, touched: frozenset[Path], events: SimpleQueue[frozenset[Path]]) -> Look:
    """Look until no source is half written, and no run is overtaken by the next change."""
    look = watched.look(touched)
    while not look.is_settled:
        more = _touched(events, _QUIET)
        look = watched.look(more)
        if not more:
            break
    trigger = dict.fromkeys(look.trigger)
    for _ in range(_MOST_OVERTAKEN):
        if look.scored is None or events.empty():
            break
        newer = watched.look(_touched(events))
        if not newer.is_settled or newer.troubles:
            events.put(frozenset())  # look again for that
            break
        trigger |= dict.fromkeys(newer.trigger)
        look = newer if newer.scored is not None else look
    return look._replace(trigger=tuple(trigger))


def _touched(events: SimpleQueue[frozenset[Path]], seconds: float | None = None) -> frozenset[Path]:
    """The paths of all events that have come, once there is one; none if there is none for so many seconds."""
    try:
        found = events.get(timeout=seconds)
    except Empty:
        return frozenset()
    while not events.empty():
        found |= events.get()
    return found

"""The table of `evaltui watch` on a terminal: each run goes to the app that draws it."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from evaltui.commands.edit import import_asyncio_without_tls
from evaltui.commands.run_outputs import finish_watched_run
from evaltui.commands.watch_loop import WatchLoop
from evaltui.commands.watched_command import WatchedCommand
from evaltui.commands.watched_sets import WatchedSets
from evaltui.document.errors import DocumentError
from evaltui.runs.score_sets import ScoredRun
from evaltui.tui.watch.compared_runs import ComparedRuns
from evaltui.tui.watch.shown_run import FailureNews, News, RestNews, RunNews, TroubleNews, WorkNews

if TYPE_CHECKING:
    from evaltui.tui.watch.shown_run import ShownRun


def show_runs(watched: WatchedSets, options: Namespace, command: WatchedCommand | None, first: ScoredRun) -> int:
    """Show the table until the person ends it: the exit code of the last run. Raises `DocumentError` for the first."""
    sink = _TableRuns(options)
    news = RunNews(sink.shown(first, ()))
    watched.shows_progress = False
    import_asyncio_without_tls()
    from evaltui.tui.watch.watch_app import show_watch

    return show_watch(news, WatchLoop(watched, sink, command), sink.listen)


class _TableRuns:
    """Passes the results of the loop to the app. Runs in the thread of the loop."""

    def __init__(self, options: Namespace) -> None:
        self._options = options
        self._compared = ComparedRuns(options.baseline or "")
        self._troubles: tuple[str, ...] = ()
        """Sentences that the loop has just reported."""
        self._tell: Callable[[News], None] = lambda _: None

    def listen(self, tell: Callable[[News], None]) -> None:
        """Set the receiver of news."""
        self._tell = tell

    def shown(self, scored: ScoredRun, trigger: Sequence[str], *, writes: bool = True) -> ShownRun:
        """A run compared with the previous run. Raises `DocumentError` for an unusable report or baseline."""
        notes, code = finish_watched_run(self._options, scored, writes=writes)
        return self._compared.take(scored.runs, scored.seconds, code, notes, trigger)

    def write(self, scored: ScoredRun, trigger: Sequence[str]) -> None:
        """Show a run. If a report or baseline cannot be used, show the error: the shown scores are outdated."""
        self._show(scored, trigger, writes=True)

    def keep(self, scored: ScoredRun) -> None:
        """Show a run of the same sources, or without deleted sources. Writes no report, because no source changed."""
        self._show(scored, (), writes=False)

    def _show(self, scored: ScoredRun, trigger: Sequence[str], *, writes: bool) -> None:
        try:
            run = self.shown(scored, trigger, writes=writes)
        except DocumentError as error:
            self._tell(TroubleNews((str(error),)))
        else:
            self._tell(RunNews(run, self._troubles))

    def complain(self, troubles: Sequence[str]) -> None:
        """Report broken or deleted sources."""
        self._troubles = tuple(troubles)
        if troubles:
            self._tell(TroubleNews(self._troubles))

    def say(self, sentences: Sequence[str]) -> None:
        """Report how the command failed; no sentences mean success."""
        self._tell(FailureNews(tuple(sentences)))

    def begin(self, command: str = "") -> None:
        """Report the start of work."""
        self._tell(WorkNews(command))

    def rest(self) -> None:
        """Report the end of work."""
        self._tell(RestNews())

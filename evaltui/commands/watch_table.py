"""The table of `evaltui watch` on a terminal: each run goes to the app that draws it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from evaltui.commands.edit import import_asyncio_without_tls
from evaltui.commands.scored_sets import ScoredSets
from evaltui.commands.watch_loop import WatchLoop
from evaltui.commands.watch_outputs import WatchOutputs
from evaltui.commands.watched_command import WatchedCommand
from evaltui.commands.watched_sets import WatchedSets
from evaltui.document.errors import DocumentError
from evaltui.tui.watch.compared_runs import ComparedRuns
from evaltui.tui.watch.shown_run import FailureNews, News, RestNews, RunNews, TroubleNews, WorkNews

if TYPE_CHECKING:
    from evaltui.tui.watch.shown_run import ShownRun


def show_runs(watched: WatchedSets, outputs: WatchOutputs, command: WatchedCommand | None, first: ScoredSets) -> int:
    """Show the table until the person ends it: the exit code of the last run. Raises `DocumentError` for the first."""
    sink = _TableRuns(outputs)
    news = RunNews(sink.shown(first, ()))
    watched.shows_progress = False
    import_asyncio_without_tls()
    from evaltui.tui.watch.watch_app import show_watch

    return show_watch(news, WatchLoop(watched, sink, command), sink.listen)


class _TableRuns:
    """Tells the app what the loop finds out; used in the thread of the loop."""

    def __init__(self, outputs: WatchOutputs) -> None:
        self._outputs = outputs
        self._compared = ComparedRuns(outputs.baseline)
        self._troubles: tuple[str, ...] = ()
        """Sources that the loop has just complained of."""
        self._tell: Callable[[News], None] = lambda _: None

    def listen(self, tell: Callable[[News], None]) -> None:
        """Tell all news from now on."""
        self._tell = tell

    def shown(self, scored: ScoredSets, trigger: Sequence[str], *, writes: bool = True) -> ShownRun:
        """A run compared with the one before. Raises `DocumentError` for a report or baseline that cannot be used."""
        notes, code = self._outputs.settle(scored, writes=writes)
        return self._compared.take(scored.runs, scored.seconds, code, notes, trigger)

    def write(self, scored: ScoredSets, trigger: Sequence[str]) -> None:
        """Show a run; where a report or a baseline cannot be used, all that is shown is outdated."""
        self._show(scored, trigger, writes=True)

    def keep(self, scored: ScoredSets) -> None:
        """Show a run of the same sources, or without those that are gone. Writes no report: no source changed."""
        self._show(scored, (), writes=False)

    def _show(self, scored: ScoredSets, trigger: Sequence[str], *, writes: bool) -> None:
        try:
            run = self.shown(scored, trigger, writes=writes)
        except DocumentError as error:
            self._tell(TroubleNews((str(error),)))
        else:
            self._tell(RunNews(run, self._troubles))

    def complain(self, troubles: Sequence[str]) -> None:
        """Tell what is broken or gone."""
        self._troubles = tuple(troubles)
        if troubles:
            self._tell(TroubleNews(self._troubles))

    def say(self, sentences: Sequence[str]) -> None:
        """Tell how the command failed, or that it did not."""
        self._tell(FailureNews(tuple(sentences)))

    def begin(self, command: str = "") -> None:
        """Tell that work has begun."""
        self._tell(WorkNews(command))

    def rest(self) -> None:
        """Tell that all is done until the next change."""
        self._tell(RestNews())

"""The table of a watch for a test: real scores of files in a folder, and a loop that does only what the test says."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from evaltui.commands.set_options import set_arguments
from evaltui.report.run_notes import note_lines
from evaltui.runs.run_options import RunOptions
from evaltui.runs.score_sets import score_sets
from evaltui.runs.watch_loop import WatchLoop
from evaltui.runs.watched_runs import ComparedRun, ComparedRuns
from evaltui.tui.base_app import OpenNext
from evaltui.tui.watch.watch_screen import WatchApp, WatchScreen
from evaltui.tui.watch.watch_table import WatchState
from tests.tui.hands import Hands

NARROW, WIDE = (80, 24), (140, 40)


News = Callable[[WatchScreen], None]


def troubles(*sentences: str) -> News:
    return lambda table: table.take_troubles(sentences)


def failure(*lines: str) -> News:
    return lambda table: table.take_failure(lines)


def work(command: str) -> News:
    return lambda table: table.begin_work(command)


class StillLoop(WatchLoop):
    """A loop of a watch that notes what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def run(self) -> None:
        self.asked.append("run")

    def stop(self) -> None:
        self.asked.append("stop")

    def pause(self, *, is_paused: bool) -> None:
        self.asked.append("pause" if is_paused else "go on")

    def score_again(self) -> None:
        self.asked.append("score again")


class RunsOfFolder:
    """Scores the sets of a folder as they are now."""

    def __init__(self, folder: Path, sets: Sequence[str], recordings: Sequence[str]) -> None:
        self._sets = set_arguments([str(folder / name) for name in sets])
        self._options = RunOptions([str(folder / name) for name in recordings])
        self._compared = ComparedRuns("")

    def next(self, *trigger: str, code: int = 0) -> ComparedRun:
        scored = score_sets(self._sets, self._options)
        notes = [*scored.notes, *note_lines(scored.runs)]
        return self._compared.compare(scored.runs, 0.12, code, notes, trigger)


class Table(Hands):
    """A running table."""

    app: WatchApp  # type: ignore[assignment]

    def __init__(self, app: WatchApp, pilot: Pilot[OpenNext | None], loop: StillLoop, runs: RunsOfFolder) -> None:
        self.app, self.pilot, self.loop, self.runs = app, pilot, loop, runs

    @property
    def state(self) -> WatchState:
        return self.app.table.state

    async def tell(self, *news: News) -> None:
        """The table takes news of the loop, one after another."""
        for news_of_loop in news:
            self.app.tell(news_of_loop)
        await self.settle()

    async def change(self, *trigger: str, code: int = 0) -> None:
        """Sources changed and were scored again."""
        run = self.runs.next(*trigger, code=code)
        await self.tell(lambda table: table.take_run(run))

    def lines(self) -> list[str]:
        """The lines on screen, with single blanks."""
        return [" ".join(line.split()) for line in self.screen()]


@asynccontextmanager
async def table(
    folder: Path,
    files: Mapping[str, str],
    size: tuple[int, int] = NARROW,
    *,
    sets: Sequence[str] = ("set.evalset.json",),
    recordings: Sequence[str] = ("actual.json",),
    code: int = 0,
) -> AsyncIterator[Table]:
    """The table of some files in a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    runs, loop = RunsOfFolder(folder, sets, recordings), StillLoop()
    app = WatchApp(runs.next(code=code), loop)
    async with app.run_test(size=size) as pilot:
        running = Table(app, pilot, loop, runs)
        await running.settle()
        yield running

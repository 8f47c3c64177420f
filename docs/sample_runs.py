"""A later run of the agent of the sample sets, and the table of `evaltui watch` on them, for pictures."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from textual.app import App

from evaltui.commands.set_options import set_arguments
from evaltui.runs.run_options import RunOptions
from evaltui.runs.score_sets import score_sets
from evaltui.runs.watch_loop import WatchLoop
from evaltui.runs.watched_runs import ComparedRun, ComparedRuns
from evaltui.tui.watch.watch_screen import WatchApp

_SECONDS = 0.12
_LATER = "trip_planner_third.evalset_result.json"
_CHANGES = {
    "trip_planner_first": {
        "1795000000": "1795405000",
        '"passengers": "1"': '"passengers": 1',
        "Cancelling is free until 26 February; from then on it costs €120, the rest goes to your card.": (
            "You can cancel free of charge until Friday 26 February. After that there is a €120 fee, and the rest is "
            "refunded to your card."
        ),
        "adk-eval-session-": "adk-eval-session-1",
    },
    "trip_planner_second": {
        "1795090000": "1795405000",
        "I can look up and book flights, trains and hotels, change or cancel a booking, and put together a day-by-day "
        "plan. Where would you like to go?": "I book flights, trains and hotels. Where to?",
        "adk-eval-session-": "adk-eval-session-1",
    },
}
"""By recording of the samples: what differs in a later run of the agent, with its time and ids."""


def write_later_run(folder: Path) -> None:
    """Add the recording of a later run: one case passes now, another fails.

    It is one file that comes in one step, so that an app that follows the folder scores it once.
    """
    runs: list[dict[str, Any]] = []
    for name, changes in _CHANGES.items():
        text = (folder / "recordings" / f"{name}.evalset_result.json").read_text("utf-8")
        for old, new in changes.items():
            text = text.replace(old, new)
        runs.append(json.loads(text))
    runs[0]["eval_case_results"] += runs[1]["eval_case_results"]
    (folder / _LATER).write_text(json.dumps(runs[0], ensure_ascii=False), "utf-8")
    (folder / _LATER).rename(folder / "recordings" / _LATER)


async def run_later(_: App[Any], folder: Path) -> None:
    """The agent runs again while the app is open."""
    write_later_run(folder)


class StillWatch(WatchLoop):
    """A watch that never hears of a change."""

    def __init__(self) -> None:
        """Watch nothing."""

    def run(self) -> None:
        """End at once."""

    def stop(self) -> None:
        """Do nothing."""

    def pause(self, *, is_paused: bool) -> None:
        """Do nothing."""

    def score_again(self) -> None:
        """Do nothing."""


class _Runs:
    """Scores the trip planner with the recordings of a folder, and compares each run with the one before."""

    def __init__(self, folder: Path, recordings: Sequence[str]) -> None:
        self._sets = set_arguments([str(folder / "trip_planner.evalset.json")])
        self._options = RunOptions([str(folder / name) for name in recordings])
        self._compared = ComparedRuns("")

    def next(self, *trigger: str) -> ComparedRun:
        scored = score_sets(self._sets, self._options)
        return self._compared.compare(scored.runs, _SECONDS, 1, (), trigger)


class WatchedTrips(WatchApp):
    """The table of the trip planner, which a later run of the agent changes."""

    def __init__(self, folder: Path) -> None:
        self._runs = _Runs(folder, ["recordings"])
        super().__init__(self._runs.next(), StillWatch())

    async def run_later(self, folder: Path) -> None:
        """Score the later run."""
        write_later_run(folder)
        run = await asyncio.to_thread(self._runs.next, _LATER)
        self.tell(lambda table: table.take_run(run))


async def watch_later(app: App[Any], folder: Path) -> None:
    """The agent runs again while its recordings are watched."""
    assert isinstance(app, WatchedTrips)
    await app.run_later(folder)

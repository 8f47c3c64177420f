"""Values that the watch sends to its table: runs with their changes, troubles, work, failures. No widgets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

from evaltui.runs.run_comparison import RunCase, RunTotals
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.score_change import RunChange


class CaseKey(NamedTuple):
    """The identity of a case from run to run."""

    set_name: str
    """The file of its set, as it was given."""
    eval_id: str
    repeat: int
    """The number of cases before it in the set with the same eval_id."""


class ShownSet(NamedTuple):
    """A set of a run."""

    name: str
    """The file, as it was given."""
    cases: tuple[RunCase[CaseKey], ...]
    """In the order of the set."""
    totals: RunTotals
    criteria: Criteria
    recordings: int
    """The number of recordings that were read."""


class ShownRun(NamedTuple):
    """A run with its changes."""

    sets: tuple[ShownSet, ...]
    changes: Mapping[CaseKey, RunChange]
    """The cases that differ from the run before or from the baseline; cases that are gone may be among them."""
    totals: RunTotals
    rates: tuple[float, ...]
    """The share of cases that passed in each of the last runs, the last at the end."""
    notes: tuple[str, ...]
    """Sentences about the run: recordings that were not used, metrics that were not evaluated."""
    trigger: tuple[str, ...]
    """The sources whose change started the run; empty for the first run."""
    baseline: str
    """The file that the changes are relative to; "" for the run before."""
    written: Mapping[Path, float]
    """When recordings without a time of their own were written, in seconds since 1970."""
    at: float
    """When it ended, in seconds since 1970."""
    seconds: float
    """How long reading and scoring took."""
    exit_code: int
    """The exit code of `evaltui run` for it."""


class RunNews(NamedTuple):
    """All sources were scored as they are now."""

    run: ShownRun
    troubles: tuple[str, ...] = ()
    """Sentences about deleted sources; the scores are without them."""


class TroubleNews(NamedTuple):
    """A source is broken or deleted, so the scores shown are outdated."""

    sentences: tuple[str, ...]


class WorkNews(NamedTuple):
    """Work has begun."""

    command: str
    """The person's command that runs; "" while sets are scored."""


class RestNews(NamedTuple):
    """All work is done until the next change."""


class FailureNews(NamedTuple):
    """The person's command has ended."""

    lines: tuple[str, ...]
    """How it failed and its last lines, safe to show; empty if it did not fail."""


News = RunNews | TroubleNews | WorkNews | RestNews | FailureNews


class WatchControl(Protocol):
    """The loop of a watch. Any thread may call the methods, except `run`."""

    def run(self) -> None:
        """Watch until stopped; called in a thread of its own."""

    def stop(self) -> None:
        """End the watch and the command that it runs."""

    def pause(self, *, is_paused: bool) -> None:
        """Stop scoring after changes on disk, or resume."""

    def score_again(self) -> None:
        """Look at all sources now."""

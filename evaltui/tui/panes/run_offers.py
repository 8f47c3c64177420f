"""Keys that the Scores pane offers: only those that would change what it shows."""

from __future__ import annotations

from evaltui.tui.command import Command
from evaltui.tui.open_file.set_scores import Scores

_SHOWN = {"run.failing": "failing", "run.changed": "changed", "run.all": "all"}
"""The cases that a command shows."""


def offered_title(command: Command, scores: Scores) -> str:
    """The title of a command of the Scores pane; "" if it is of no use."""
    if command.id in _SHOWN:
        return command.title if _shows_others(_SHOWN[command.id], scores) else ""
    if command.id == "run.cancel":
        return command.title if scores.is_running else ""
    if command.id == "run.all_runs":
        return title_of_all_runs(command, is_on=scores.facts is not None and scores.facts.all_runs)
    if command.id == "run.pause":
        return "resume" if scores.is_paused else command.title
    if command.id == "run.order":
        return command.title if len(scores.rows) > 1 and scores.has_any else ""
    if command.id == "run.baseline":
        is_kept = scores.past is not None and scores.past.baseline_at is not None
        return "drop baseline" if is_kept else command.title if scores.has_any else ""
    return command.title


def title_of_all_runs(command: Command, *, is_on: bool) -> str:
    """The title of the command that scores all runs of a case, or only the run that counts."""
    return "one run" if is_on else command.title


def _shows_others(shown: str, scores: Scores) -> bool:
    if shown == scores.shown_cases:
        return False
    counts = {"failing": scores.counts["failed"], "changed": scores.changed_counts.total()}
    return bool(counts.get(shown, len(scores.cases)))

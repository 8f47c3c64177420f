"""Recordings, config and criteria that the command line names."""

from __future__ import annotations

from typing import Literal, NamedTuple


class ScoredWith(NamedTuple):
    """Inputs named on the command line to score cases with; others are found beside the set."""

    recordings: tuple[str, ...] = ()
    """Absolute paths; if empty, recordings are found beside the set."""
    config: str | None = None
    """An absolute path; None for the config that google-adk would find."""
    metrics: tuple[str, ...] = ()
    """Each `NAME` or `NAME=THRESHOLD`; they replace the criteria of the config."""
    match_type: str | None = None
    ignore_args: bool = False
    profile: Literal["adk", "adk-rs"] = "adk"
    all_runs: bool = False
    """Whether every recording of a case is scored at the start, not only the latest."""


NOTHING_NAMED = ScoredWith()

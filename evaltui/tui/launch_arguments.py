"""Arguments of a launch: the file to open next, and what its cases are scored with."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class OpenNext(NamedTuple):
    """The file to open next; without one, the list of eval sets."""

    path: Path | None = None


class ScoredWith(NamedTuple):
    """Recordings and config named on the command line to score cases with."""

    recordings: tuple[str, ...] = ()
    """Absolute paths; where there are none, recordings are found beside the set."""
    config: str | None = None
    """An absolute path; None for the config that google-adk would find."""


NOTHING_NAMED = ScoredWith()

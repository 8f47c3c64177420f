"""Options of a run, and the sets that a command line names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # the editor imports this module before anything is scored
    from evaltui.scoring.criteria import Profile


class RunOptions(NamedTuple):
    """Options for scoring sets. Missing options are found beside the set, or are google-adk's defaults."""

    recordings: Sequence[str] = ()
    config: str | None = None
    metrics: Sequence[str] = ()
    """Each `NAME` or `NAME=THRESHOLD`."""
    match_type: str | None = None
    ignore_args: bool = False
    profile: Profile = "adk"
    all_runs: bool = False
    """Whether all recordings of a case count, not only the last."""


SetArgument = tuple[str, tuple[str, ...]]
"""One SET of a command line: `SET` or `SET:ID,ID` as in `adk eval`, with globs.

The file, or `-`, and ids or globs of ids; none for all cases.
"""

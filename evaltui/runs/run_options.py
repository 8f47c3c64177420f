"""Options of a run, and the sets that a command line names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from evaltui.document.errors import DocumentError
from evaltui.printable import quoted

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


@dataclass(frozen=True, slots=True)
class SetArgument:
    """One SET of a command line: `SET` or `SET:ID,ID` as in `adk eval`, with globs."""

    name: str
    """The file, or `-`."""
    ids: tuple[str, ...] = ()
    """Ids or globs of ids; none for all cases."""

    def chosen(self, eval_ids: Iterable[str]) -> frozenset[str]:
        """Ids chosen by the argument. Raises `DocumentError` for a pattern that matches none."""
        all_ids = frozenset(eval_ids)
        chosen: set[str] = set()
        for pattern in self.ids:
            # An id that is also a glob, such as "cost[1]", means the case with this id.
            matching = {pattern} & all_ids or {eval_id for eval_id in all_ids if fnmatchcase(eval_id, pattern)}
            if not matching:
                from difflib import get_close_matches  # noqa: PLC0415 - only for a misspelt id

                near = get_close_matches(pattern, sorted(all_ids), 1)
                hint = f"; did you mean {near[0]}?" if near else ""
                raise DocumentError(f"{self.name}: no case has the eval_id {quoted(pattern)}{hint}")
            chosen |= matching
        return frozenset(chosen)

"""The facts of a run beside its results: recordings that were not used, files not read, metrics not evaluated."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from evaltui.recordings.case_matches import Unmatched
    from evaltui.runs.rescorer import Rescorer
    from evaltui.scoring.criteria import Criteria


class Remark(NamedTuple):
    """A sentence about a run as a whole: a recording that matches no case, a file that cannot be read."""

    severity: str
    """error, warning or info."""
    text: str


class RunFacts(NamedTuple):
    """The facts of a run beside the results of its cases."""

    config: str = ""
    """The name of the config, or whose defaults apply."""
    recordings: int = 0
    """The number of recordings that were read."""
    remarks: tuple[Remark, ...] = ()
    criteria: Criteria | None = None
    """The criteria that cases were judged by, which explain their scores."""
    unmatched: tuple[Unmatched, ...] = ()
    """The recorded conversations that belong to no case."""
    trouble: str = ""
    """A sentence why nothing could be scored; "" if it could."""
    silent: tuple[Remark, ...] = ()
    """The remarks about metrics that are not evaluated: under other criteria they are others."""


def facts_of(rescoring: Rescorer) -> RunFacts:
    """Collect the facts of a run."""
    inputs, matching = rescoring.inputs, rescoring.matching
    if inputs is None:
        return RunFacts()
    config = inputs.criteria.path.name if inputs.criteria.path is not None else "google-adk's defaults"
    rejected = [f"google-adk rejects this set: {rescoring.fault}"] if rescoring.fault is not None else []
    short = _without_folders(rescoring)
    remarks = [Remark("error", short(text)) for text in (*rejected, *inputs.troubles)]
    silent = silent_remarks(rescoring.silent)
    remarks += silent
    remarks += [Remark("warning", text) for text in _not_used(matching.unmatched if matching is not None else ())]
    remarks += [Remark("warning", short(text)) for text in (matching.warnings if matching is not None else ())]
    remarks += [Remark("warning", short(text)) for text in inputs.said]
    for recording in inputs.recordings:
        remarks += [Remark("info", f"{recording.path.name}: {text}") for text in recording.warnings]
    unmatched = matching.unmatched if matching is not None else ()
    return RunFacts(config, len(inputs.recordings), tuple(remarks), inputs.criteria, tuple(unmatched), silent=silent)


def silent_remarks(silent: Mapping[tuple[str, str], int]) -> tuple[Remark, ...]:
    """A remark for each metric that is not evaluated, given its name, the reason, and the number of cases."""
    return tuple(
        Remark("warning", f"{name} is not evaluated for {count:,} case{'s' * (count != 1)}: {reason}")
        for (name, reason), count in silent.items()
    )


def _without_folders(rescoring: Rescorer) -> Callable[[str], str]:
    """Leaves the folders of named recordings out of sentences, whose beginning is what is in sight."""
    inputs = rescoring.inputs
    read = [recording.path for recording in inputs.recordings] if inputs is not None else []
    folders = {f"{path.parent}{os.sep}" for path in (*map(Path, rescoring.options.recordings), *read)}

    def short(text: str) -> str:
        for folder in folders:
            text = text.removeprefix(folder)
        return text

    return short


def _not_used(unmatched: Sequence[Unmatched]) -> Iterator[str]:
    """A sentence for the conversations of a file that are not used for the same reason."""
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for each in unmatched:
        found[each.conversation.path.name, each.reason].append(each.conversation.id)
    for (name, reason), ids in found.items():
        if len(ids) == 1:
            yield f"{name}: {ids[0]} is not used: {reason}"
        else:
            yield f"{name}: {len(ids):,} conversations are not used, each: {reason}"

"""Facts of a run apart from its results: skipped recordings, unreadable files, metrics not evaluated."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from evaltui.document.node import Node
    from evaltui.recordings.conversation import Recording
    from evaltui.recordings.matching import Matching, Unmatched
    from evaltui.recordings.user_messages import MatchFacts
    from evaltui.runs.editor_scores import EditorRun
    from evaltui.runs.recording_sources import RecordingSource
    from evaltui.scoring.criteria import Criteria
    from evaltui.scoring.results import CaseRun


Remark = tuple[str, str]
"""A severity (error, warning or info) and a sentence about a run as a whole, such as on an unreadable file."""


class RunFacts(NamedTuple):
    """The facts of a run apart from the results of its cases."""

    config: str = ""
    """The name of the config, or `google-adk's defaults`."""
    recordings: int = 0
    """The number of recordings that were read."""
    remarks: tuple[Remark, ...] = ()
    criteria: Criteria | None = None
    """The criteria of the run, which explain its scores."""
    unmatched: tuple[Unmatched, ...] = ()
    """The recorded conversations that belong to no case."""
    written: Mapping[Path, float] = {}
    """When the files of recordings without a time of their own were written, in seconds since 1970."""
    trouble: str = ""
    """Why nothing could be scored; "" if the run succeeded."""
    silent: Mapping[tuple[str, str], int] = {}
    """The number of scored cases in which a metric is not evaluated, by metric and reason; without a remark here."""
    files: tuple[RecordingSource, ...] = ()
    """All files of recordings, including dropped and unreadable ones."""
    dropped: int = 0
    all_runs: bool = False
    """Whether each run of a case was scored."""
    used: tuple[Recording, ...] = ()
    """The recordings that cases were scored with."""
    matching: Matching | None = None
    """The conversations of each case."""
    cases: Mapping[Node, MatchFacts] = {}
    """The cases that were matched with recordings, and the facts by which they were."""
    databases: tuple[Path, ...] = ()
    """The session databases near a set without recordings; cases can be made of their conversations."""
    searched: tuple[str, ...] = ()
    """Sentences about the places in which no recording was found; none if there are recordings."""
    rivals: tuple[str, ...] = ()
    """Sentences about several agents with results of the set, if nothing names its agent."""
    outdated: str = ""
    """Why all scores are outdated, such as a config that can no longer be used; "" if they are current."""
    outdated_files: frozenset[Path] = frozenset()
    """Recordings that can no longer be read. Scores against them are outdated."""

    def why_outdated(self, run: CaseRun | None) -> str:
        """Why a score is outdated because its config or recording can no longer be used; "" if it is not."""
        if self.outdated or run is None or run.conversation.path not in self.outdated_files:
            return self.outdated
        return f"{run.conversation.path.name} cannot be read any more"

    def as_before(self, trouble: str) -> RunFacts:
        """The facts of this run, with `trouble` as the reason why scores are outdated now."""
        remarks = [(severity, text) for severity, text in self.remarks if text != self.outdated]
        return self._replace(remarks=(("error", trouble), *remarks), outdated=trouble)


def facts_of(rescoring: EditorRun, written: Mapping[Path, float], cases: Sequence[Node]) -> RunFacts:
    """Collect the facts of a run of these cases; `written` are the modification times of recordings."""
    from evaltui.recordings.evaluation_datasets import warnings_as_own
    from evaltui.report.run_notes import skipped_lines

    log, criteria, matching = rescoring.files, rescoring.criteria, rescoring.matching
    if log is None or criteria is None:
        return RunFacts()
    config = criteria.path.name if criteria.path is not None else "google-adk's defaults"
    rejected = [f"google-adk rejects this set: {rescoring.fault}"] if rescoring.fault is not None else []
    # Without the folders of known files, so that the visible start of a sentence is the file name.
    read = [recording.path for recording in log.recordings]
    paths = (*map(Path, rescoring.options.recordings), *read, *filter(None, [criteria.path]))
    folders = {f"{path.parent}{os.sep}" for path in paths}

    def short(text: str) -> str:
        for folder in folders:
            text = text.removeprefix(folder)
        return text

    files, choices = tuple(log.sources.values()), rescoring.choices
    # A file that the person dropped may be unreadable: nobody waits for it.
    gone = tuple(source.trouble for source in files if source.trouble and choices.drops(source.path))
    troubles = [*log.troubles, *filter(None, [rescoring.config_trouble]), *log.outdated.values()]
    troubles = [text for text in troubles if text not in gone]
    remarks = [("error", short(text)) for text in (*rejected, *troubles)]
    remarks += [("warning", text) for text in (choices.lost(matching) if matching is not None else ())]
    unmatched = tuple(matching.unmatched) if matching is not None else ()
    skipped = ((match.conversation.path.name, match.conversation.id, match.reason) for match in unmatched)
    remarks += [("warning", text) for text in skipped_lines(skipped)]
    remarks += [("warning", short(text)) for text in (matching.warnings if matching is not None else ())]
    remarks += [("warning", short(text)) for text in log.skipped if not (gone and text.startswith(gone))]
    # A dataset can be its own recording; its scores already show the cases without a response.
    own = {source.path for source in files if source.origin == "own"}
    for recording in rescoring.recordings:
        warnings = warnings_as_own(recording.warnings) if recording.path in own else recording.warnings
        remarks += [("info", f"{recording.path.name}: {text}") for text in warnings]
    used = tuple(rescoring.recordings)
    facts = RunFacts(config, len(used), tuple(remarks), criteria, unmatched, written, silent=rescoring.silent)
    return facts._replace(
        outdated=short(rescoring.config_trouble),
        outdated_files=frozenset(path for path in log.outdated if not choices.drops(path)),
        files=files,
        dropped=sum(choices.drops(source.path) for source in files),
        all_runs=choices.all_runs,
        used=used,
        matching=matching,
        cases=dict(zip(cases, matching.case_facts, strict=True)) if matching is not None else {},
    )


def silent_remarks(silent: Mapping[tuple[str, str], int]) -> tuple[Remark, ...]:
    """A remark for each metric that is not evaluated, given its name, the reason, and the number of cases."""
    from evaltui.report.run_notes import reason_for

    return tuple(
        ("warning", f"{name} is not evaluated for {count:,} case{'s' * (count != 1)}: {reason_for(count, reason)}")
        for (name, reason), count in silent.items()
        if count > 0
    )

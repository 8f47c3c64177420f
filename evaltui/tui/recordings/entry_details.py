"""Everything about a line of the recordings picker, as sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from evaltui.evalset.titles import case_title
from evaltui.recordings.conversation import Conversation
from evaltui.report.scores_text import date_text
from evaltui.tui.lines import STATUS_MARKS
from evaltui.tui.panes.score_lines import metric_text
from evaltui.tui.recordings.recording_files import MATCHED_BY, RecordingFile, RecordingFiles, first_words
from evaltui.tui.recordings.recording_words import FORMATS, ORIGINS_IN_FULL, counted, run_text
from evaltui.tui.recordings.run_lines import RunEntry

if TYPE_CHECKING:
    from evaltui.scoring.results import CaseRun


def details_of(files: RecordingFiles, entry: object) -> list[str]:
    """The sentences about a file, a conversation or a run. They may have unsafe characters from files."""
    if isinstance(entry, RecordingFile):
        return list(_of_file(entry))
    if isinstance(entry, Conversation):
        return list(_of_conversation(files, entry))
    return list(_of_run(entry)) if isinstance(entry, RunEntry) else []


def _of_file(file: RecordingFile) -> Iterator[str]:
    source = file.source
    yield f"{source.path} · {ORIGINS_IN_FULL[source.origin]}"
    if file.is_dropped:
        yield "Dropped for this session. The file is still on disk."
    if source.trouble:
        stands_in = source.recording is not None
        yield f"{source.trouble}{'; evaltui uses the last readable version' if stands_in else ''}"
    if source.recording is not None:
        at = f", latest from {date_text(file.recorded_at)}" if file.recorded_at is not None else ""
        total = counted(len(file.conversations), "conversation")
        kind = FORMATS.get(source.recording.format, source.recording.format)
        yield f"{kind}: {total}, {file.matched:,} matched{at}"
        yield from source.recording.warnings


def _of_conversation(files: RecordingFiles, conversation: Conversation) -> Iterator[str]:
    found, case = files.belonging(conversation), files.case_of(conversation)
    if found is not None:
        title = case_title(case) if case is not None else "Deleted case"
        runs = f", {run_text(found.run_number, found.runs)}" if found.runs > 1 else ""
        yield f"{title}: matched {MATCHED_BY[found.matched_by]}{runs}"
    elif reason := files.reason(conversation):
        yield f"Skipped: {reason}"
    at = f" · {date_text(conversation.recorded_at)}" if conversation.recorded_at is not None else ""
    yield f"{conversation.id} · {counted(len(conversation.turns), 'turn')}{at}"
    yield f"User message: {first_words(conversation) or 'none'}"
    yield from (said for said in (conversation.failure, conversation.unread) if said)


def _of_run(entry: RunEntry) -> Iterator[str]:
    conversation = entry.match.conversation
    counts = "; this run is used" if entry.counts else ""
    yield f"{run_text(entry.number, entry.of)}, matched {MATCHED_BY[entry.match.matched_by]}{counts}".capitalize()
    yield f"{conversation.path} · {conversation.id}"
    if entry.scored is not None:
        yield from _scores(entry.scored)


def _scores(run: CaseRun) -> Iterator[str]:
    if run.reason:
        yield run.reason
    for metric in run.metrics:
        if metric.status != "informational":
            why = f": {metric.reason}" if metric.reason and not run.reason else ""
            yield f"{STATUS_MARKS[metric.status][0]}{metric_text(metric)}{why}"

"""Recordings as callers of the API see them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evaltui.api.inputs import AnyPath, paths_of, refusals, without_options
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.recordings.conversation import Recording
from evaltui.recordings.default_recordings import shared_folders, where_searched
from evaltui.recordings.recording_file import open_recording
from evaltui.report.run_json import ReportedRecording, reported_recording
from evaltui.runs import recording_reader
from evaltui.runs.input_recordings import recording_files
from evaltui.runs.recording_reader import JoinedTraces


@dataclass(frozen=True)
class Recordings:
    """Recordings that were read, for any number of eval sets."""

    files: tuple[ReportedRecording, ...]
    """The files, in the order in which they were given. The files of a folder are in the order of their paths."""
    warnings: tuple[str, ...]
    """A sentence for each file that is skipped."""
    _of_traces: tuple[Recording, ...] = field(repr=False, compare=False)
    _of_conversations: tuple[Recording, ...] = field(repr=False, compare=False)
    _shared_folders: frozenset[Path] = field(default=frozenset(), repr=False, compare=False)

    def __repr__(self) -> str:
        return f"Recordings(files={len(self.files)}, warnings={len(self.warnings)})"


def read_recordings(paths: AnyPath | Iterable[AnyPath]) -> Recordings:
    """Read recordings: a file, a folder with all its recordings at any depth, or several of both.

    `session.db#ID` is one session of a database. Raises `EvaltuiError` for a file that is not a recording; in a folder,
    such files are skipped.
    """
    with refusals():
        return _read([str(path) for path in paths_of(paths, "paths")], ExpectedSet("", None, None, ()))


def recordings_of(value: Recordings | AnyPath | Iterable[AnyPath] | None, expected: ExpectedSet) -> Recordings:
    """The recordings that a caller names, read if they are paths; for None, those that the command line would find.

    Raises `EvaltuiError`.
    """
    if isinstance(value, Recordings):
        return value
    if value is not None:
        return read_recordings(paths_of(value, "recordings"))
    with refusals():
        shared = shared_folders(expected.path, (), is_dataset=expected.is_dataset)
        recordings = replace(_read([], expected), _shared_folders=shared)
    if recordings.files:
        return recordings
    where = where_searched(expected.path, expected.eval_set_id, is_dataset=expected.is_dataset)
    warning = without_options(f"{expected.name}: no recordings{where}")
    return replace(recordings, warnings=(*recordings.warnings, warning))


def fit_to_each_other(expected: ExpectedSet, recordings: Recordings) -> tuple[ExpectedSet, list[Recording]]:
    """The set and the recordings as they are matched. Traces are grouped as the cases of the set need it."""
    files = recordings._of_conversations if expected.is_multi_turn else recordings._of_traces
    joined = JoinedTraces().across_files(list(files), multi_turn=expected.is_multi_turn)
    return replace(expected, shared_folders=recordings._shared_folders), joined


def _read(names: Sequence[str], expected: ExpectedSet) -> Recordings:
    warnings: dict[str, None] = {}

    def say(sentence: str) -> None:
        warnings[without_options(sentence)] = None

    files = recording_files(names, expected, say, lambda _: None)
    of_traces = recording_reader.read_recordings(files, open_recording, say)
    # Both groupings are read now, because the files may be gone when a set is scored.
    # Only traces without the name of a session differ: each is a conversation of its own for a set of single turns.
    of_conversations = [
        open_recording(Path(recording.path), multi_turn=True)
        if recording.traces and not any(trace.is_named for trace in recording.traces)
        else recording
        for recording in of_traces
    ]
    joined = JoinedTraces().across_files(of_traces, multi_turn=False)
    return Recordings(
        tuple(map(reported_recording, joined)), tuple(warnings), tuple(of_traces), tuple(of_conversations)
    )

"""Scoring of a set against recordings, for the command line and the editor."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from evaltui.evalset.expected_set import ExpectedSet
from evaltui.garbage import without_collecting
from evaltui.recordings.conversation import Recording
from evaltui.recordings.default_recordings import shared_folders
from evaltui.recordings.known_items import KnownItems
from evaltui.recordings.recording_cache import RecordingCache
from evaltui.recordings.recording_file import open_recording
from evaltui.runs.config_file import read_named_config
from evaltui.runs.inputs import STDIN, JoinedTraces, Note, Say, read_recordings
from evaltui.scoring.criteria import Criteria, Profile, criteria_of
from evaltui.scoring.eval_config import find_config
from evaltui.scoring.scored_set import ScoredSet, score_set


@dataclass(frozen=True, slots=True)
class RunOptions:
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


class Score(Protocol):
    """Scores a set, as `score_set` does."""

    def __call__(
        self,
        subject: ExpectedSet,
        criteria: Criteria,
        recordings: Sequence[Recording],
        *,
        all_runs: bool = False,
        tick: Callable[[int], None] | None = None,
    ) -> ScoredSet:
        """The scores of all cases. `tick` is called with the size of each case in bytes."""


class Recordings:
    """Opens recordings, each once."""

    def __init__(self, tick: Callable[[int], None] | None = None, known: KnownItems | None = None) -> None:
        self._tick, self._known = tick, known
        self._opened: dict[tuple[Path, bool], Recording] = {}
        self._stdin: bytes | None = None

    def open(self, path: Path, multi_turn: bool) -> Recording:
        """The recording in a file; `-` is standard input. Raises `RecordingError`."""
        key = (path, multi_turn)
        if key not in self._opened:
            data = self._from_stdin() if str(path) == STDIN else None
            self._opened[key] = open_recording(
                path, multi_turn=multi_turn, progress=self._tick, data=data, known=self._known
            )
        return self._opened[key]

    def _from_stdin(self) -> bytes:
        if self._stdin is None:
            self._stdin = sys.stdin.buffer.read()
        return self._stdin


def criteria_for(subject: ExpectedSet, options: RunOptions) -> Criteria:
    """Criteria of a set. Raises `DocumentError` for a config and `CriteriaError` for an option that fails."""
    path = config_path(subject, options)
    return criteria_of(
        read_named_config(path) if path is not None else None,
        options.profile,
        metrics=options.metrics,
        match_type=options.match_type,
        ignore_args=options.ignore_args,
    )


def config_path(subject: ExpectedSet, options: RunOptions) -> Path | None:
    """The config of a set: the named one, else the one beside the set; None if there is none."""
    if options.config is not None:
        return Path(options.config)
    return find_config(subject.path, of_dataset=subject.is_dataset) if subject.path is not None else None


def run_set(
    subject: ExpectedSet,
    options: RunOptions,
    recordings: Recordings | RecordingCache,
    say: Say,
    tick: Callable[[int], None] | None = None,
    note: Note = lambda _: None,
    score: Score = score_set,
) -> ScoredSet:
    """Score a set. Raises `DocumentError` or `RecordingError` for a named file that cannot be used.

    `tick` is called with the size of each scored case in bytes, `note` with each file that was read. With
    `ResultCache.score_set` as `score`, only cases without a cached result are scored.
    """
    criteria = criteria_for(subject, options)
    found = read_recordings(options.recordings, subject, say, recordings.open, note=note)
    joined = JoinedTraces().across_files(found, subject)
    shared = shared_folders(subject.path, options.recordings, is_dataset=subject.is_dataset)
    subject = replace(subject, shared_folders=shared) if shared else subject
    with without_collecting():
        return score(subject, criteria, joined, all_runs=options.all_runs, tick=tick)

"""Scores a set again after each change. Only changed cases, configs and recordings are read and scored again.

It works in small steps, so that the caller can pause between any two steps: the editor draws then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from subprocess import Popen

from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.evalset.expected_set import ExpectedCase, ExpectedSet
from evaltui.files.folder_search import Bounds
from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.default_recordings import shared_folders
from evaltui.recordings.matching import CaseMatch, Matching
from evaltui.recordings.reader_process import is_worth_a_process, open_in_process
from evaltui.recordings.recording_cache import KnownItems
from evaltui.recordings.recording_file import open_recording
from evaltui.runs.config_file import config_path, criteria_for
from evaltui.runs.input_recordings import recording_files
from evaltui.runs.recording_reader import read_recordings
from evaltui.runs.recording_sources import Origin, SourceLog
from evaltui.runs.run_cache import RunCache
from evaltui.runs.run_options import RunChoices, RunOptions
from evaltui.runs.score_blocks import PreparedResult, ScoreSettings
from evaltui.runs.set_reader import fault_of_rest
from evaltui.scoring.case_scores import score_expected
from evaltui.scoring.criteria import Criteria, CriteriaError
from evaltui.scoring.results import CaseResult
from evaltui.settings.project_settings import SettingsError


class EditorRun:
    """Scores one set after each change. `tick` is called often while a file is read.

    After the steps, `criteria`, `files` and `matching` describe the run; `matching` is None if there was no recording.
    """

    def __init__(self, options: RunOptions, tick: Callable[[int], None] = lambda _: None) -> None:
        self.options = options
        self.choices = RunChoices(all_runs=options.all_runs)
        """The choices of a person. They may change before each run."""
        self.criteria: Criteria | None = None
        """The criteria that cases are scored with; None before the first run, as `files`."""
        self.config_trouble = ""
        """Why the config can no longer be used. The criteria are from its last good state."""
        self.files: SourceLog | None = None
        """The files of recordings, including dropped and unreadable ones."""
        self.recordings: list[Recording] = []
        """The recordings of the last run: read and not dropped."""
        self.matching: Matching | None = None
        self.fault: str | None = None
        """Why google-adk rejects the set apart from its cases."""
        self.silent: Counter[tuple[str, str]] = Counter()
        """The number of scored cases in which a metric is not evaluated, by metric and reason."""
        self._tick = tick
        self._memo = RunCache(self._open)
        self._of_set = self._memo.of_set("")
        self._process: Popen[bytes] | None = None
        self._shared_folders = frozenset[Path]()
        """Folders with recordings of other datasets, too (`ExpectedSet.shared_folders`)."""
        self._is_ended = False

    @property
    def is_unsettled(self) -> bool:
        """Whether a file is being written at the moment: score again soon, with `anew`."""
        return self._memo.rest.is_waiting

    def steps(
        self, subject: ExpectedSet, sources: Sequence[bytes], rest: bytes, *, anew: bool
    ) -> Iterator[tuple[int, CaseResult] | None]:
        """Score a set in steps: yield the number and result of each case. `anew` reads recordings and config again.

        `subject` is without its cases: `sources` are their texts, `rest` is the text of the set with an empty list of
        them. A step without a result is None. Raises `DocumentError` or `CriteriaError` if nothing can be scored.
        """
        self.matching = None
        cases: list[ExpectedCase] = []
        for number, source in enumerate(sources):
            cases.append(self._of_set.case(source, number, subject.is_dataset))
            yield None
        self.fault = fault_of_rest(Node(rest)) if not subject.is_dataset else None
        subject = replace(subject, cases=tuple(cases), fault=self.fault)
        files, multi_turn = self.files, subject.is_multi_turn
        if anew or files is None or files.multi_turn != multi_turn or files.lacks(self.choices):
            files = self._read_inputs(subject)
            yield None
        subject = replace(subject, shared_folders=self._shared_folders)
        read = [*files.recordings, *files.unread]
        used = [recording for recording in read if not self.choices.drops(recording.path)]
        self.recordings = self._of_set.joined.across_files(used, multi_turn=multi_turn)
        if not self.recordings:
            return
        by_hand = self.choices.by_hand
        self.matching = matching = self._of_set.match(subject, self.recordings, tick=self._tick, by_hand=by_hand)
        yield None
        assert self.criteria is not None
        yield from self._score(subject.cases, self.criteria, matching)

    def _read_inputs(self, subject: ExpectedSet) -> SourceLog:
        """Read criteria and recordings. If it raises, those of the last run stay."""
        memo, multi_turn = self._memo, subject.is_multi_turn
        memo.begin()
        criteria, config_trouble = self._read_criteria(subject)
        files = SourceLog(memo, self.choices, subject.path, multi_turn=multi_turn)
        named: list[tuple[str, Origin | None]] = [(name, "named") for name in self.options.recordings]
        for name, origin in [*(named or [("", None)]), *((name, "added") for name in self.choices.added)]:
            open_file, say = partial(files.read, origin), files.skipped.append
            bounds = Bounds(cancelled=lambda: self._is_ended)
            try:
                found_files = recording_files([name] if name else [], subject, say, lambda _: None, bounds)
                read_recordings(found_files, open_file, say, cancelled=lambda: self._is_ended)
            except (RecordingError, DocumentError) as error:
                files.note_refused(name, origin, str(error))
        shared = frozenset[Path]()
        with suppress(SettingsError):  # reading the recordings has reported it
            shared = shared_folders(subject.path, self.options.recordings, is_dataset=subject.is_dataset)
        self.criteria, self.config_trouble, self.files, self._shared_folders = criteria, config_trouble, files, shared
        return files

    def _read_criteria(self, subject: ExpectedSet) -> tuple[Criteria, str]:
        """The criteria, and a sentence if they are the previous ones. Raises if there are no previous criteria."""
        try:
            return criteria_for(subject, self.options), ""
        except (DocumentError, CriteriaError) as error:
            if self.criteria is None:
                raise
            path = config_path(subject, self.options)
            is_over = path is None or self._memo.rest.is_at_rest(path, was_good=True)
            sentence = (
                str(error) if is_over else f"{path}: another program is writing this file; evaltui will read it again"
            )
            return self.criteria, sentence

    def _open(self, path: Path, multi_turn: bool, known_items: KnownItems) -> Recording:
        if is_worth_a_process(path):
            return open_in_process(path, multi_turn=multi_turn, progress=self._tick, began=self._began)
        return open_recording(path, multi_turn=multi_turn, progress=self._tick, known_items=known_items)

    def _began(self, process: Popen[bytes]) -> None:
        self._process = process
        if self._is_ended:
            process.kill()

    def end(self) -> None:
        """Stop reading: the result is no longer needed."""
        self._is_ended = True
        if self._process is not None:
            self._process.kill()

    def _score(
        self, cases: Sequence[ExpectedCase], criteria: Criteria, matching: Matching
    ) -> Iterator[tuple[int, CaseResult] | None]:
        results: list[CaseResult] = []
        choices = self.choices
        settings = ScoreSettings(criteria, choices.all_runs)
        self._of_set.judge_by(settings)
        for number, (case, matches, reason) in enumerate(zip(cases, matching.cases, matching.reasons, strict=True)):
            counting = choices.place_in(matches)
            score = partial(_score_case, case, matches, settings, reason, counting)
            result, _ = self._of_set.outcome(case, (matches, reason, counting), score)
            results.append(result)
            yield number, result
        self.silent = Counter(metric for result in results for metric in result.silent_metrics)
        self._of_set.keep(cases)


def _score_case(
    case: ExpectedCase, matches: Sequence[CaseMatch], settings: ScoreSettings, reason: str | None, counting: int
) -> PreparedResult:
    all_runs = settings.all_runs
    return score_expected(case, matches, settings.criteria, reason, all_runs=all_runs, counts=counting), None

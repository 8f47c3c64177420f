"""Cache of one run of several sets, so that the next run reads and scores only what changed."""

from __future__ import annotations

from evaltui.evalset.expected_set import ExpectedSet
from evaltui.files.file_contents import FileContents
from evaltui.files.file_rest import FileRest
from evaltui.recordings.recording_cache import RecordingCache
from evaltui.runs.case_cache import CaseCache
from evaltui.runs.inputs import ReadCase
from evaltui.runs.set_run import Recordings, Score
from evaltui.scoring.result_cache import ResultCache


class ScoreMemory:
    """Recordings by content; the cases and results of each set."""

    def __init__(self) -> None:
        self.rest = FileRest()
        self.contents = FileContents()
        self.recordings = RecordingCache(
            lambda path, multi_turn, known: Recordings(known=known).open(path, multi_turn), self.rest, self.contents
        )
        self._cases: dict[str, CaseCache] = {}
        self._results: dict[str, ResultCache] = {}

    def begin(self) -> None:
        """A new run begins."""
        self.rest.begin()
        self.recordings.begin()

    def case_reader(self, set_name: str) -> ReadCase:
        """The reader for the cases of a set."""
        return self._cases.setdefault(set_name, CaseCache()).read

    def scorer(self, subject: ExpectedSet) -> Score:
        """The function that scores a set with its cached results."""
        self._cases.setdefault(subject.name, CaseCache()).keep(subject.cases)
        return self._results.setdefault(subject.name, ResultCache()).score_set

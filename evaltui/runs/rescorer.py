"""A set scored again and again: only what is another than before is read and scored anew.

It goes in small steps, so that whoever drives it can stop between any two: the editor draws then.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from subprocess import Popen

from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.evalset.expected_set import ExpectedCase, ExpectedSet
from evaltui.garbage import without_collecting
from evaltui.recordings.case_matches import Matching
from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.reader_process import open_in_process
from evaltui.recordings.recording_file import open_recording
from evaltui.runs.inputs import expected_case, read_recordings
from evaltui.runs.rescored_case import silent_metrics
from evaltui.runs.set_run import RunOptions, criteria_for
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult
from evaltui.scoring.scored_set import matched, score_expected
from evaltui.validation.model_errors import errors_in_set_without_cases

_AT_ONCE = 64
"""So many cases that are known already make one step."""
_LARGE, _LARGE_PACKED = 1_000_000, 100_000
"""Bytes from which on a recording is read in a process of its own; packed ones are about ten times as large."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A set as it is at one moment."""

    name: str
    path: Path | None
    eval_set_id: str | None
    sources: Sequence[bytes]
    """The text of each case."""
    rest: bytes
    """The text of the set with an empty list for its cases."""


@dataclass(slots=True)
class Inputs:
    """Criteria and recordings that cases are scored with."""

    criteria: Criteria
    recordings: list[Recording]
    of_several_turns: bool
    """Whether the traces of one conversation were taken together, since some case has several turns."""
    troubles: list[str]
    """Sentences about named inputs that cannot be used."""
    said: list[str]
    """Sentences about other inputs that were left out."""


class Rescorer:
    """Scores one set after each change of it; `tick` is called now and then while a file is read.

    After the steps, `inputs` and `matching` say what was scored with; None where there was no recording.
    """

    def __init__(self, options: RunOptions, tick: Callable[[int], None] = lambda _: None) -> None:
        self.options = options
        self.inputs: Inputs | None = None
        self.matching: Matching | None = None
        self.fault: str | None = None
        """Why google-adk rejects the set apart from its cases."""
        self.silent: Counter[tuple[str, str]] = Counter()
        """Metrics that are not evaluated in cases that were scored, with the reason, and in how many."""
        self._tick = tick
        self._cases: dict[bytes, ExpectedCase] = {}
        self._results: dict[bytes, tuple[object, CaseResult]] = {}
        """By the text of the case, with what it was scored against."""
        self._process: Popen[bytes] | None = None
        self._is_ended = False
        self._matched: tuple[object, Matching] | None = None
        """The last matching, with the facts it was made from."""

    def steps(self, snapshot: Snapshot, *, anew: bool) -> Iterator[tuple[int, CaseResult] | None]:
        """Score a set; gives the number and result of each case. With `anew`, recordings and config are read again.

        Raises `DocumentError` or `CriteriaError` where nothing can be scored.
        """
        self.matching = None
        cases: list[ExpectedCase] = []
        for case in self._read(snapshot.sources):
            if case is not None:
                cases.append(case)
            yield None
        faults = errors_in_set_without_cases(Node(snapshot.rest))
        self.fault = faults[0].message if faults else None
        subject = ExpectedSet(snapshot.name, snapshot.path, snapshot.eval_set_id, tuple(cases), self.fault)
        inputs = self.inputs
        if anew or inputs is None or inputs.of_several_turns != subject.is_multi_turn:
            self._results.clear()
            inputs = self.inputs = self._read_inputs(subject)
            yield None
        if not inputs.recordings:
            return
        self.matching = matching = self._match(subject, inputs.recordings)
        yield None
        yield from self._score(subject.cases, inputs.criteria, matching)

    def _read(self, sources: Sequence[bytes]) -> Iterator[ExpectedCase | None]:
        """The cases; None now and then in between, where many were known already."""
        for number, source in enumerate(sources):
            case = self._cases.get(source)
            if case is None:
                with without_collecting():
                    case = self._cases[source] = expected_case(source, number)
            elif number % _AT_ONCE == 0:
                yield None
            yield case if case.number == number else replace(case, number=number)

    def _read_inputs(self, subject: ExpectedSet) -> Inputs:
        criteria = criteria_for(subject, self.options)
        troubles: list[str] = []
        said: list[str] = []
        recordings: dict[str, Recording] = {}
        for names in [[name] for name in self.options.recordings] or [[]]:
            try:
                found = read_recordings(names, subject, said.append, self._open, cancelled=lambda: self._is_ended)
            except (RecordingError, DocumentError) as error:
                troubles.append(str(error))
                continue
            for each in found:
                recordings.setdefault(os.path.realpath(each.path), each)
        return Inputs(criteria, list(recordings.values()), subject.is_multi_turn, troubles, said)

    def _match(self, subject: ExpectedSet, recordings: list[Recording]) -> Matching:
        """Match recordings with cases. This depends on few facts of a set, so it is seldom repeated."""
        known = [(case.eval_id, case.first_user_text, len(case.turns)) for case in subject.cases]
        from_what = recordings, subject.eval_set_id, known
        if self._matched is None or self._matched[0] != from_what:
            self._matched = from_what, matched(subject, recordings, self._tick)
        return self._matched[1]

    def _open(self, path: Path, multi_turn: bool) -> Recording:
        try:
            is_large = path.stat().st_size > (_LARGE_PACKED if path.suffix == ".gz" else _LARGE)
        except OSError:
            is_large = False  # of which opening it tells
        if is_large:
            return open_in_process(path, multi_turn=multi_turn, progress=self._tick, began=self._began)
        return open_recording(path, multi_turn=multi_turn, progress=self._tick)

    def _began(self, process: Popen[bytes]) -> None:
        self._process = process
        if self._is_ended:
            process.kill()

    def end(self) -> None:
        """Let go of what is being read: nobody waits any more."""
        self._is_ended = True
        if self._process is not None:
            self._process.kill()

    def _score(
        self, cases: Sequence[ExpectedCase], criteria: Criteria, matching: Matching
    ) -> Iterator[tuple[int, CaseResult] | None]:
        results: list[CaseResult] = []
        for number, (case, matches, reason) in enumerate(zip(cases, matching.cases, matching.reasons, strict=True)):
            made = self._results.get(case.source)
            if made is None or made[0] != (matches, reason):
                result = score_expected(case, matches, criteria, reason)
                made = self._results[case.source] = (matches, reason), result
            elif number % _AT_ONCE == 0:
                yield None
            results.append(made[1])
            yield number, made[1] if made[1].number == number else made[1]._replace(number=number)
        self.silent = Counter(each for result in results for each in silent_metrics(result))
        there = {case.source for case in cases}
        self._results = {source: made for source, made in self._results.items() if source in there}
        self._cases = {source: case for source, case in self._cases.items() if source in there}

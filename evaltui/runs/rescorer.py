"""A set scored again and again: only what is another than before is read and scored anew.

It goes in small steps, so that whoever drives it can stop between any two: the editor draws then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
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
from evaltui.runs.inputs import expected_case, joined_recordings, read_recordings
from evaltui.runs.recording_sources import Origin, SourceLog
from evaltui.runs.run_choices import RunChoices
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
    files: SourceLog
    """The files that were looked at, also those that are dropped or could not be read."""
    of_several_turns: bool
    """Whether the traces of one conversation were taken together, since some case has several turns."""
    troubles: list[str]
    """Sentences about named inputs that cannot be used."""
    said: list[str]
    """Sentences about other inputs that were left out."""

    @property
    def recordings(self) -> list[Recording]:
        """The recordings that were read, each file once; dropped ones may be among them."""
        return [each.recording for each in self.files.sources.values() if each.recording is not None]


class Rescorer:
    """Scores one set after each change of it; `tick` is called now and then while a file is read.

    After the steps, `inputs` and `matching` say what was scored with; None where there was no recording.
    """

    def __init__(self, options: RunOptions, tick: Callable[[int], None] = lambda _: None) -> None:
        self.options = options
        self.choices = RunChoices(all_runs=options.all_runs)
        """The choices of a person, which may be others before each run. Only added files are read then."""
        self.inputs: Inputs | None = None
        self.recordings: list[Recording] = []
        """The recordings that the last run scored with: those that were read and are not dropped."""
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
        self._used: tuple[list[Recording], list[Recording]] | None = None
        """The recordings in use, with those that they were taken from."""

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
        elif unread := self._unread(inputs):
            self._read_files(inputs, unread, subject)
            yield None
        self.recordings = self._in_use(inputs, subject)
        if not self.recordings:
            return
        self.matching = matching = self._match(subject, self.recordings)
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
        files = SourceLog(self._open, self._drops)
        inputs = Inputs(criteria, files, subject.is_multi_turn, [], [])
        named: list[tuple[str, Origin | None]] = [(name, "named") for name in self.options.recordings]
        self._read_files(inputs, [*(named or [("", None)]), *self._unread(inputs)], subject)
        return inputs

    def _drops(self, path: Path) -> bool:
        return self.choices.drops(path)

    def _unread(self, inputs: Inputs) -> list[tuple[str, Origin | None]]:
        """The names of files that were added, or dropped and brought back, and were not read yet."""
        files, choices = inputs.files, self.choices
        back = [(str(each.path), each.origin) for each in files.sources.values() if each.is_unread]
        return [
            *((name, origin) for name, origin in back if not choices.drops(Path(name))),
            *((name, "added") for name in choices.added if name not in files.added),
        ]

    def _read_files(self, inputs: Inputs, names: Iterable[tuple[str, Origin | None]], subject: ExpectedSet) -> None:
        """Read what has these names; for the name "" what is found for the set."""
        for name, origin in names:
            read = inputs.files.reading(origin)
            if origin == "added":
                inputs.files.added.add(name)
            named = [name] if name else []
            try:
                read_recordings(named, subject, inputs.said.append, read, cancelled=lambda: self._is_ended)
            except (RecordingError, DocumentError) as error:
                inputs.troubles.append(str(error))
                if origin is not None:
                    inputs.files.note_refused(name, origin, str(error))

    def _in_use(self, inputs: Inputs, subject: ExpectedSet) -> list[Recording]:
        """The recordings that are not dropped; traces of one conversation in several files are taken together."""
        kept = [each for each in inputs.recordings if not self.choices.drops(each.path)]
        before = self._used[0] if self._used is not None else None
        if self._used is None or list(map(id, kept)) != list(map(id, before or [])):
            self._used = kept, joined_recordings(kept, subject)
        return self._used[1]

    def _match(self, subject: ExpectedSet, recordings: list[Recording]) -> Matching:
        """Match recordings with cases. This depends on few facts of a set, so it is seldom repeated."""
        by_hand = self.choices.by_hand
        known = [(case.eval_id, case.first_user_text, len(case.turns)) for case in subject.cases]
        from_what = recordings, subject.eval_set_id, known, by_hand
        if self._matched is None or self._matched[0] != from_what:
            self._matched = from_what, matched(subject, recordings, self._tick, by_hand)
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
        choices = self.choices
        for number, (case, matches, reason) in enumerate(zip(cases, matching.cases, matching.reasons, strict=True)):
            made = self._results.get(case.source)
            at = choices.place_in(matches)
            from_what = matches, reason, at, choices.all_runs
            if made is None or made[0] != from_what:
                result = score_expected(case, matches, criteria, reason, all_runs=choices.all_runs, counts=at)
                made = self._results[case.source] = from_what, result
            elif number % _AT_ONCE == 0:
                yield None
            results.append(made[1])
            yield number, made[1] if made[1].number == number else made[1]._replace(number=number)
        self.silent = Counter(each for result in results for each in _silent(result))
        there = {case.source for case in cases}
        self._results = {source: made for source, made in self._results.items() if source in there}
        self._cases = {source: case for source, case in self._cases.items() if source in there}


def _silent(result: CaseResult) -> Iterator[tuple[str, str]]:
    """The metrics of a case that was scored which are not evaluated, and why."""
    if result.reason is None:
        for metric in result.metrics:
            if metric.status == "not_evaluated":
                yield metric.name, metric.reason or "no score"

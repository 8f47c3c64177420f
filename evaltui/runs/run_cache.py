"""Inputs and outcomes of the last run, so that the next run reads and scores only what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from evaltui.document.disk.file_content import bytes_of_stdin
from evaltui.evalset.expected_set import ExpectedCase, ExpectedSet
from evaltui.files.file_changes import FileContents, WritePause
from evaltui.garbage_collection import without_collecting
from evaltui.recordings.conversation import ConversationKey, Recording
from evaltui.recordings.matching import Matching
from evaltui.recordings.recording_cache import KnownItems, OpenRecording, RecordingCache
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.user_messages import MatchFacts, match_facts
from evaltui.runs.recording_reader import JoinedTraces
from evaltui.runs.score_blocks import PreparedResult
from evaltui.runs.set_reader import STDIN, expected_case


class SetCache:
    """The cases, the matching and the outcomes of one set."""

    def __init__(self) -> None:
        self.joined = JoinedTraces()
        self._cases: dict[bytes, tuple[ExpectedCase, MatchFacts]] = {}
        """By their text, so that moved cases are found, too."""
        self._is_dataset = False
        self._matched: tuple[object, Matching] | None = None
        """The last matching, and its inputs."""
        self._outcomes: dict[bytes, tuple[object, PreparedResult]] = {}
        """By the text of the case, each with the conversations that it was scored against."""
        self._judged_by: object = None

    def case(self, source: bytes, number: int, is_of_dataset: bool) -> ExpectedCase:
        """The case with this text, at its place in the set from 0. `is_of_dataset` is the same for a whole set."""
        if is_of_dataset != self._is_dataset:  # the file changed from one format to the other
            self._cases.clear()
            self._is_dataset = is_of_dataset
        case_with_facts = self._cases.get(source)
        if case_with_facts is None:
            with without_collecting():
                case = expected_case(source, number, is_of_dataset)
                case_with_facts = self._cases[source] = case, match_facts(case)
        case = case_with_facts[0]
        return case if case.number == number else replace(case, number=number)

    def match(
        self,
        subject: ExpectedSet,
        recordings: Sequence[Recording],
        *,
        tick: Callable[[int], object] = lambda _: None,
        by_hand: Mapping[ConversationKey, str] | None = None,
    ) -> Matching:
        """The conversations of the cases. They depend on few facts of a set, so they are seldom matched again."""
        facts = [self._cases[case.source][1] for case in subject.cases]
        set_id, shared = subject.eval_set_id, subject.shared_folders
        inputs = [recording.conversations for recording in recordings], set_id, shared, facts, by_hand
        if self._matched is None or self._matched[0] != inputs:
            matching = Matching(facts, recordings, set_id, by_hand=by_hand, shared_folders=shared, tick=tick)
            self._matched = inputs, matching
        return self._matched[1]

    def judge_by(self, settings: object) -> None:
        """Forget the outcomes of other settings."""
        if self._judged_by != settings:
            self._judged_by = settings
            self._outcomes.clear()

    def outcome(self, case: ExpectedCase, inputs: object, score: Callable[[], PreparedResult]) -> PreparedResult:
        """The outcome of a case under the settings of `judge_by`. `inputs` are all else that counts."""
        outcome_with_inputs = self._outcomes.get(case.source)
        if outcome_with_inputs is None or outcome_with_inputs[0] != inputs:
            outcome_with_inputs = self._outcomes[case.source] = inputs, score()
        result, prepared = outcome_with_inputs[1]
        return result if result.number == case.number else result._replace(number=case.number), prepared

    def keep(self, cases: Iterable[ExpectedCase]) -> None:
        """Forget all other cases."""
        sources = {case.source for case in cases}
        self._cases = {source: case for source, case in self._cases.items() if source in sources}
        self._outcomes = {source: outcome for source, outcome in self._outcomes.items() if source in sources}


def _open_at_once(path: Path, multi_turn: bool, known_items: KnownItems) -> Recording:
    data = bytes_of_stdin() if str(path) == STDIN else None
    return open_recording(path, multi_turn=multi_turn, data=data, known_items=known_items)


class RunCache:
    """The recordings by their content, and the cache of each set."""

    def __init__(self, open_file: OpenRecording = _open_at_once) -> None:
        """`open_file` opens a recording; by default here and at once."""
        self.rest = WritePause()
        self.contents = FileContents()
        self.recordings = RecordingCache(open_file, self.rest, self.contents)
        self._sets: dict[str, SetCache] = {}

    def begin(self) -> None:
        """A new run begins."""
        self.rest.begin()
        self.recordings.begin()

    def of_set(self, name: str) -> SetCache:
        """The cache of the set with this name."""
        return self._sets.setdefault(name, SetCache())

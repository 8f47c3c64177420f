"""The sets of a run on a cluster, with their cases on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from evaltui.evalset.expected_set import ExpectedSet
from evaltui.recordings.default_recordings import shared_folders
from evaltui.recordings.recording_copies import copies_among
from evaltui.runs.batch.stored_cases import CaseSources, CaseTable, PlacedCase, StoredCases, StoredSet, facts_of
from evaltui.runs.batch.work_folder import RecordFile, WorkFolder
from evaltui.runs.found_recordings import FindCopies
from evaltui.runs.run_options import RunOptions


@dataclass(slots=True)
class BatchRun:
    """The sets of one run, and the recordings that they share."""

    folder: WorkFolder
    options: RunOptions
    tick: Callable[[int], object] = lambda _: None
    """Called with the number of bytes read or scored."""
    sets: list[tuple[StoredSet, Sequence[int] | None]] = field(default_factory=list)
    """The sets, each with the places of the chosen cases; None for all."""
    find_copies: FindCopies = field(default_factory=lambda: cache(copies_among))
    """Finds copies of recordings, once for all sets that share them."""
    _sources: RecordFile | None = None

    def add(self, subject: ExpectedSet, chosen: Sequence[int] | None) -> None:
        """Score this set, too; `chosen` are the places of its chosen cases, None for all."""
        if self._sources is None:
            self._sources = RecordFile(self.folder.path / "cases")
        sources = self._sources
        has_several_turns = is_answered = False

        def placed() -> Iterator[PlacedCase]:
            nonlocal has_several_turns, is_answered
            for number, case in enumerate(subject.cases):
                place, facts = sources.add(case.source), facts_of(case)
                has_several_turns |= facts.turns > 1
                is_answered |= case.dataset is not None and case.dataset.is_answered
                yield PlacedCase(place.offset, place.length, facts, subject.line_of(number))

        table = CaseTable(self.folder.index, len(self.sets))
        count = table.fill(placed())
        sources.flush()
        texts = CaseSources(str(self.folder.path / "cases"), None, is_of_dataset=subject.is_dataset)
        stored = StoredSet(
            *(subject.name, subject.path, subject.eval_set_id, StoredCases(table, texts, count)),
            *(subject.fault, subject.is_dataset),
            shared_folders=shared_folders(subject.path, self.options.recordings, is_dataset=subject.is_dataset),
            has_several_turns=has_several_turns,
            is_answered=is_answered,
        )
        self.sets.append((stored, chosen))

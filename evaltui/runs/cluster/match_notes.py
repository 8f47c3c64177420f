"""Notes about conversations that come back from a cluster, in any order, put together for a set."""

from __future__ import annotations

from collections import Counter, defaultdict

from evaltui.recordings.case_matches import NO_RECORDING
from evaltui.runs.batch.unmatched_table import UnmatchedTable
from evaltui.runs.batch.work_folder import RecordFile, RecordPlace, packed
from evaltui.runs.cluster.conversation_matcher import MatchNotes, Rivals


class JoinedNotes:
    """The notes about all conversations of a set."""

    def __init__(self, table: UnmatchedTable, file: RecordFile) -> None:
        """`table` and `file` keep the long lists."""
        self.counts: Counter[int] = Counter()
        """The number of conversations by the number of their file."""
        self.outlines: defaultdict[int, list[RecordPlace]] = defaultdict(list)
        """The places of outlines by the number of their file."""
        self._table, self._file = table, file
        self._rivals: list[Rivals] = []

    def add(self, notes: MatchNotes) -> None:
        """Add the notes about some conversations."""
        self.counts.update(notes.counts)
        self._table.add(notes.unmatched)
        self._table.warn(notes.warnings)
        self._rivals += notes.rivals
        for number, outlines in notes.outlines.items():
            self.outlines[number].append(self._file.add(packed(outlines)))

    def reasons(self) -> defaultdict[int, str]:
        """By the number of a case, the reason as a clause if it has no conversation."""
        found: defaultdict[int, str] = defaultdict(lambda: NO_RECORDING)
        told: set[tuple[int, int]] = set()
        for rivals in sorted(self._rivals, key=lambda each: each.place):
            key = rivals.numbers[0], len(rivals.numbers)
            if key not in told:
                told.add(key)
                for number in rivals.numbers:
                    found.setdefault(number, rivals.reason)
        return found

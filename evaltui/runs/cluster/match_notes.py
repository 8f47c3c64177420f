"""Notes about conversations that come back from a cluster, in any order, put together for a set."""

from __future__ import annotations

from collections import Counter, defaultdict

from evaltui.recordings.matching import NO_RECORDING
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
        self._rivals: dict[tuple[int, int], Rivals] = {}
        """The first of the conversations that fit the same cases, by the first and the number of these cases."""

    def add(self, notes: MatchNotes) -> None:
        """Add the notes about some conversations."""
        self.counts.update(notes.counts)
        self._table.add(notes.unmatched)
        self._table.warn(notes.warnings)
        for rivals in notes.rivals:
            key = rivals.numbers[0], len(rivals.numbers)
            self._rivals[key] = min(self._rivals.get(key, rivals), rivals, key=lambda each: each.place)
        for number, outlines in notes.outlines.items():
            self.outlines[number].append(self._file.add(packed(outlines)))

    def reasons(self) -> defaultdict[int, str]:
        """By the number of a case, the reason as a clause if it has no conversation."""
        found: defaultdict[int, str] = defaultdict(lambda: NO_RECORDING)
        for rivals in sorted(self._rivals.values(), key=lambda each: each.place):
            for number in rivals.numbers:
                found.setdefault(number, rivals.reason)
        return found

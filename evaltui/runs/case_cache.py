"""A cache of parsed cases by their text, so moved cases are found, too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from evaltui.evalset.expected_set import ExpectedCase
from evaltui.garbage import without_collecting
from evaltui.runs.inputs import expected_case


class CaseCache:
    """The cases of one set by their text."""

    def __init__(self) -> None:
        self._cases: dict[bytes, ExpectedCase] = {}
        self._are_of_dataset = False

    def knows(self, source: bytes) -> bool:
        """Whether a case with this text was read."""
        return source in self._cases

    def read(self, source: bytes, number: int, is_of_dataset: bool) -> ExpectedCase:
        """The case with this text, at its place in the set from 0. `is_of_dataset` is the same for a whole set."""
        if is_of_dataset != self._are_of_dataset:  # the file changed from one format to the other
            self._cases.clear()
            self._are_of_dataset = is_of_dataset
        case = self._cases.get(source)
        if case is None:
            with without_collecting():
                case = self._cases[source] = expected_case(source, number, is_of_dataset)
        return case if case.number == number else replace(case, number=number)

    def keep(self, cases: Iterable[ExpectedCase]) -> None:
        """Forget all other cases."""
        there = {case.source for case in cases}
        self._cases = {source: case for source, case in self._cases.items() if source in there}

"""Checks that compare the cases of a set, without keeping their facts: a set may have very many cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from evaltui.validation.case_facts import CaseFacts, NumberedDiagnostic
from evaltui.validation.rule import Diagnostic

NumberedFacts = tuple[int, CaseFacts]
"""The facts of a case with its number, from 0."""


class FirstNumbers(Protocol):
    """The number of the first case with an id; a dictionary is one."""

    def setdefault(self, key: str, default: int, /) -> int:
        """The number of the first case with this id, which is `default` for a new id."""

    def __contains__(self, key: object, /) -> bool:
        """Whether a case has this id."""


class SetCheck:
    """A check across the cases of a set. It notes the facts of all cases in order, and keeps only a summary.

    After that, it gives the diagnostics of the set and, given the facts of a case again, those of the case.
    """

    def note(self, cases: Iterable[NumberedFacts]) -> list[int]:
        """Take in the facts of the next cases; returns the numbers of cases that may have a diagnostic."""
        raise NotImplementedError

    def of_set(self) -> Iterator[Diagnostic]:
        """The diagnostics of the set itself, with pointers relative to the file."""
        yield from ()

    @property
    def finds_in_cases(self) -> bool:
        """Whether any case can have a diagnostic, now that all are noted."""
        return True

    def of_case(self, number: int, facts: CaseFacts) -> Iterator[Diagnostic]:
        """The diagnostics of a case with a number that `note` returned. Cases come in order, each once."""
        raise NotImplementedError


def check_across(checks: Iterable[SetCheck], cases: Sequence[CaseFacts]) -> Iterator[NumberedDiagnostic]:
    """The diagnostics of `checks` for a set whose facts are all in memory."""
    for check in checks:
        suspects = check.note(enumerate(cases))
        yield from ((None, each) for each in check.of_set())
        for number in suspects if check.finds_in_cases else ():
            yield from ((number, each) for each in check.of_case(number, cases[number]))

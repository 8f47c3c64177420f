"""What is accepted and still wrong: for each topic the checks of one case, on plain data."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.validation.case_data import Case
from evaltui.validation.checks import calls, conversations, ids, rubrics
from evaltui.validation.diagnostic import Diagnostic

_CHECKS = (ids.check, conversations.check, calls.check, rubrics.check)


def check_case(case: Case) -> Iterator[Diagnostic]:
    """The findings of group `meaning` in a case."""
    for check in _CHECKS:
        yield from check(case)

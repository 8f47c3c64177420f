"""What is accepted and still wrong: for each topic the checks of one case, on plain data."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.validation.case_data import Case
from evaltui.validation.checks import calls, conversations, ids, keys, rubrics, scenarios, secrets, timestamps
from evaltui.validation.diagnostic import Diagnostic

_CHECKS = (
    keys.check,
    ids.check,
    timestamps.check,
    conversations.check,
    scenarios.check,
    calls.check,
    rubrics.check,
)


def check_case(case: Case, source: bytes) -> Iterator[Diagnostic]:
    """The findings of group `meaning` in a case; `source` is its JSON text."""
    for check in _CHECKS:
        yield from check(case)
    yield from secrets.check(case.place, source)

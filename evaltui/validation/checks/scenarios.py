"""Checks of scenarios."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.validation.case_data import Case
from evaltui.validation.diagnostic import Diagnostic
from evaltui.validation.rules.scenarios import EMPTY_SCENARIO


def check(case: Case) -> Iterator[Diagnostic]:
    """Scenarios that say nothing."""
    scenario = case.place.member("conversation_scenario")
    if scenario is None:
        return
    for name in ("starting_prompt", "conversation_plan"):
        text = scenario.text(name)
        if text is not None and not text.strip():
            yield EMPTY_SCENARIO.at(scenario.below(scenario.key(name) or ""), f"{name} is empty")

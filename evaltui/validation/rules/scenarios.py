"""Scenarios from which google-adk simulates a user."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.validation.diagnostic import Diagnostic
from evaltui.validation.pointed_values import PointedCase
from evaltui.validation.rule import Rule, a_case

EMPTY_SCENARIO = Rule(
    "empty-scenario",
    "meaning",
    "warning",
    "The starting prompt or the plan of a scenario is empty.",
    "`LlmBackedUserSimulator` (google.adk.evaluation.simulation) sends the starting prompt as the first message and "
    "gives the plan to the model that plays the user: without a prompt it raises `RuntimeError: Failed to generate a "
    "user message`, which fails the case, and without a plan the user does what he likes.",
    a_case('{"eval_id": "refund", "conversation_scenario": {"starting_prompt": "Hi", "conversation_plan": ""}}'),
    a_case(
        '{"eval_id": "refund", "conversation_scenario": {\n'
        '  "starting_prompt": "Hi", "conversation_plan": "Ask for a refund of order 12."}}'
    ),
)


def check_scenario(case: PointedCase) -> Iterator[Diagnostic]:
    """Scenarios that say nothing."""
    scenario = case.root.member("conversation_scenario")
    if scenario is None:
        return
    for name in ("starting_prompt", "conversation_plan"):
        text = scenario.text(name)
        if text is not None and not text.strip():
            yield EMPTY_SCENARIO.at(scenario.below(scenario.key(name) or ""), f"{name} is empty")

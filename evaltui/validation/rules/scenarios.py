"""Rules of scenarios."""

from __future__ import annotations

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

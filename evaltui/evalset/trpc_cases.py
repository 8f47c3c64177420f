"""Cases of trpc-agent-go and trpc-agent-python, recognized by members and messages that google-adk's eval sets lack."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of, member

_SAMPLED = 20
"""The number of cases, and of turns of a case, that are looked at."""
_RECORDED = ("eval_mode", "actual_conversation")
_CASE = (*_RECORDED, "context_messages", "expected_runner_enabled")
_SCENARIO = ("driver", "stop_signal", "max_allowed_invocations")
_TURN = ("tools", "tool_mock", "metric_names")


def first_cases(root: Node) -> list[Node]:
    """The first cases of a set or of a list of cases."""
    listed = root.items if root.kind == "array" else items_of(root, "eval_cases")
    return [case for case in listed[:_SAMPLED] if case.kind == "object"]


def has_cases_of_trpc(root: Node) -> bool:
    """Whether any of the first cases has members or messages that only trpc-agent-go knows."""
    return any(map(is_case_of_trpc, first_cases(root)))


def has_recorded_turns(root: Node) -> bool:
    """Whether any of the first cases has members of trpc-agent-go and trpc-agent-python about recorded turns."""
    return any(filled(case, name) is not None for case in first_cases(root) for name in _RECORDED)


def has_scenarios_of_trpc(root: Node) -> bool:
    """Whether the scenario of any of the first cases has members that only trpc-agent-go knows."""
    scenarios = [filled(case, "conversation_scenario") for case in first_cases(root)]
    return any(member(each, name) is not None for each in scenarios if each for name in _SCENARIO)


def is_case_of_trpc(case: Node) -> bool:
    """Whether a case has members or messages that only trpc-agent-go knows."""
    if any(filled(case, name) is not None for name in _CASE):
        return True
    return any(map(_is_turn, items_of(case, "conversation")[:_SAMPLED]))


def _is_turn(turn: Node) -> bool:
    contents = (filled(turn, "user_content"), filled(turn, "final_response"))
    return any(member(turn, name) is not None for name in _TURN) or any(map(_has_text_content, contents))


def _has_text_content(content: Node | None) -> bool:
    """Whether a message has its text in `content`; google's models have a list `parts`."""
    text = filled(content, "content")
    return text is not None and text.kind == "string"

"""The expectations of a dataset case: what an agent should do after the last message of the user.

All before that message is given, as `agents-cli eval generate` 1.11 gives it to the agent (`split_case_history`):
nobody expects the agent to say it again. The expected calls stand in `intermediate_events`, the expected final
response in `reference`. What follows the last message in `agent_data` is what an agent did.

Nothing else is expected: the metrics of agentplatform 2.7 refuse a case without a text in `reference`
(`_evals_metric_handlers`), and its readers skip absent `intermediate_events`. They skip an empty list as well, but
agents-cli keeps it when it generates, so the list states that no call is expected.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from evaltui.evalset.case_data import get
from evaltui.evalset.datasets.exchanges import (
    Exchange,
    content_in,
    exchanges_of,
    intermediate_events,
    is_answered,
    turns_of,
)
from evaltui.evalset.turn import Turn, TurnPart, turn_of

_OF_DATASETS = (
    *("eval_case_id", "prompt", "responses", "agent_data", "conversation_history", "user_scenario"),
    *("reference", "intermediate_events"),
)
_OF_EVAL_SETS = ("eval_id", "conversation", "conversation_scenario")
"""Keys of google-adk's cases. A case with one of them is never a case of a dataset."""


class DatasetExpectations(NamedTuple):
    """A dataset case as it is scored."""

    case_id: str
    """The `eval_case_id`; "" if there is none."""
    given: tuple[Turn, ...]
    """The turns before the last user message."""
    turns: tuple[Turn, ...]
    """The turn that the last user message begins; empty without a user message."""
    is_scenario: bool
    """Whether a simulated user plays it, so that nothing is expected."""
    is_answered: bool
    """Whether the case records a response of an agent."""
    shares_calls: bool
    """Whether its `intermediate_events` are also the only record of what the agent did."""


def is_dataset_case(case: Any) -> bool:
    """Whether a case (as plain data) is a dataset case, judged by its keys."""
    has_own = any(get(case, name) is not None for name in _OF_DATASETS)
    return has_own and not any(get(case, name) is not None for name in _OF_EVAL_SETS)


def expectations_of(case: Any) -> DatasetExpectations:
    """The expectations of a dataset case (as plain data)."""
    identifier = get(case, "eval_case_id")
    case_id = identifier if isinstance(identifier, str) else ""
    is_scenario = get(case, "user_scenario") is not None and get(case, "reference") is None
    exchanges = exchanges_of(case, with_intermediate=False)
    has_answer = is_answered(case)
    has_own_calls = bool(turns_of(case)) or get(case, "predicted_trajectory") is not None
    shares = has_answer and not has_own_calls and get(case, "intermediate_events") is not None
    if is_scenario or not exchanges:
        return DatasetExpectations(case_id, (), (), is_scenario, has_answer, shares)
    given = tuple(_turn(each, each.events, get(each.final, "content")) for each in exchanges[:-1])
    expected = _turn(exchanges[-1], [*intermediate_events(case)], content_in(get(get(case, "reference"), "response")))
    expected = replace(expected, unstated=frozenset(_unstated(case, expected)))
    return DatasetExpectations(case_id, given, (expected,), is_scenario, has_answer, shares)


def _unstated(case: Any, expected: Turn) -> Iterator[TurnPart]:
    if get(case, "intermediate_events") is None:
        yield "calls"
    if not expected.response:
        yield "response"


def _turn(exchange: Exchange, events: list[dict[str, Any]], response: Any) -> Turn:
    return turn_of(
        {
            "invocation_id": exchange.identifier,
            "user_content": exchange.user_content,
            "intermediate_data": {"invocation_events": events},
            "final_response": response,
        }
    )

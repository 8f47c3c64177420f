"""The efficiency of an agent: means of tool calls, model calls, tokens and seconds. They pass and fail nothing.

Source: google.adk.evaluation._efficiency_evaluators.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from evaltui.evalset.case_data import as_number
from evaltui.evalset.turn import Turn


def _mean(values: Sequence[float | None], digits: int | None = None, *, of_all: bool = False) -> float | None:
    """The mean over the turns with a value, rounded to `digits`, or `of_all` turns; None if no turn has a value."""
    present = [value for value in values if value is not None]
    if not present:
        return None
    mean = sum(present) / len(values if of_all else present)
    return mean if digits is None else round(mean, digits)


_Measurement = tuple[Callable[[Turn], float | None], Callable[[Sequence[float | None]], float | None], str]

MEASUREMENTS: Mapping[str, _Measurement] = MappingProxyType(
    {
        "tool_call_count_v1": (
            # A recording with a response has the calls before it as well, so no calls are 0 calls then.
            lambda turn: None if turn.unrecorded >= {"calls", "response"} else float(len(turn.calls)),
            _mean,
            "the recording has no tool calls",
        ),
        "inference_call_count_v1": (
            lambda turn: as_number(turn.inference_calls),
            _mean,
            "the recording has no count of model calls",
        ),
        "token_usage_v1": (
            lambda turn: as_number(turn.tokens),
            # google-adk counts a turn without a count as 0 tokens, and leaves out such a turn in the other metrics.
            partial(_mean, of_all=True),
            "the recording has no token counts",
        ),
        "invocation_duration_v1": (
            lambda turn: as_number(turn.seconds),
            partial(_mean, digits=3),  # google-adk reports milliseconds
            "the recording has no durations",
        ),
    }
)
"""The informational metrics, in the order in which google-adk adds them to every run.

Each has the value of a turn, its mean over a case, and the reason if there is none. None means that nobody measured a
value; it is never 0.
"""

"""Informational metrics: tool calls, model calls, tokens and seconds of a turn.

Source: google.adk.evaluation._efficiency_evaluators.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from evaltui.evalset.case_data import as_number
from evaltui.evalset.turn import Turn
from evaltui.scoring.metrics.metric import Measurement, Metric


def _mean(values: Sequence[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return sum(present) / len(present) if present else None


def _mean_of_seconds(values: Sequence[float | None]) -> float | None:
    mean = _mean(values)
    return None if mean is None else round(mean, 3)


def _mean_of_tokens(values: Sequence[float | None]) -> float | None:
    """The mean over all turns; None if no turn has a count. A turn without a count counts as 0 tokens."""
    present = [value for value in values if value is not None]
    return sum(present) / len(values) if present else None


def _count_of_calls(turn: Turn) -> float | None:
    return None if turn.unrecorded >= {"calls", "response"} else float(len(turn.calls))


_reported = partial(Metric, since="2.10", range=None)

METRICS = (
    _reported(
        name="tool_call_count_v1",
        measurement=Measurement(_count_of_calls, _mean, "the recording has no tool calls"),
    ),
    _reported(
        name="inference_call_count_v1",
        measurement=Measurement(
            lambda turn: as_number(turn.inference_calls), _mean, "the recording has no count of model calls"
        ),
    ),
    _reported(
        name="token_usage_v1",
        measurement=Measurement(
            lambda turn: as_number(turn.tokens.total) if turn.tokens else None,
            _mean_of_tokens,
            "the recording has no token counts",
        ),
    ),
    _reported(
        name="invocation_duration_v1",
        measurement=Measurement(
            lambda turn: as_number(turn.durations.total) if turn.durations else None,
            _mean_of_seconds,
            "the recording has no durations",
        ),
    ),
)

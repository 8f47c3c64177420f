"""What google-adk reports of every run without judging it (`_efficiency_evaluators`): calls, tokens, seconds a turn.

None stands for what nobody counted or measured, and is never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType

from evaltui.evalset.lenient_values import as_number
from evaltui.evalset.turn import Turn


def _mean(values: Sequence[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return sum(present) / len(present) if present else None


def _mean_of_seconds(values: Sequence[float | None]) -> float | None:
    mean = _mean(values)
    return None if mean is None else round(mean, 3)


def _mean_of_tokens(values: Sequence[float | None]) -> float | None:
    """Over all turns: a model leaves out a count that it did not spend."""
    present = [value for value in values if value is not None]
    return sum(present) / len(values) if present else None


_VALUES: dict[str, Callable[[Turn], float | None]] = {
    "tool_call_count_v1": lambda turn: float(len(turn.calls)),
    "inference_call_count_v1": lambda turn: as_number(turn.inference_calls),
    "token_usage_v1": lambda turn: as_number(turn.tokens.total) if turn.tokens else None,
    "invocation_duration_v1": lambda turn: as_number(turn.durations.total) if turn.durations else None,
}
_MEANS: dict[str, Callable[[Sequence[float | None]], float | None]] = {
    "tool_call_count_v1": _mean,
    "inference_call_count_v1": _mean,
    "token_usage_v1": _mean_of_tokens,
    "invocation_duration_v1": _mean_of_seconds,
}
INFORMATIONAL = tuple(_VALUES)
"""Their names, in the order in which google-adk adds them to every run."""
ABSENT = MappingProxyType(
    {
        "inference_call_count_v1": "the recording does not tell when a model was asked",
        "token_usage_v1": "the recording counts no tokens",
        "invocation_duration_v1": "the recording has no durations",
    }
)
"""Why there is no value, where there is none."""


def value_of(name: str, turn: Turn) -> float | None:
    """What an informational metric says of an actual turn."""
    return _VALUES[name](turn)


def mean_of(name: str, values: Sequence[float | None]) -> float | None:
    """What it says of a case: the mean over its turns."""
    return _MEANS[name](values)

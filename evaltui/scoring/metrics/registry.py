"""google-adk's metrics: what each is given, what it compares, and where it can be computed.

From `PrebuiltMetrics` (google.adk.evaluation.eval_metrics), the evaluators that `metric_evaluator_registry`
registers for them, and the ranges of `metric_info_providers`, of google-adk 2.13.0; first versions from its wheels.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Criterion = Literal["plain", "trajectory", "judge", "rubrics", "hallucinations", "user_simulator"]
"""The kind of criterion; each but `plain` has keys of its own."""
Need = Literal["tool_calls", "final_response", "rubrics", "scenario", "nothing"]
"""What a case must have for a metric to say something."""
Runner = Literal["here", "judge", "cloud"]
"""Who computes it: plain Python, a judge model, or Vertex AI's evaluation service."""

_OF_ALL = ("threshold", "include_intermediate_responses_in_final")
CRITERION_KEYS: MappingProxyType[Criterion, tuple[str, ...]] = MappingProxyType(
    {
        "plain": _OF_ALL,
        "trajectory": (*_OF_ALL, "match_type", "ignore_args"),
        "judge": (*_OF_ALL, "judge_model_options"),
        "rubrics": (*_OF_ALL, "judge_model_options", "rubrics"),
        "hallucinations": (*_OF_ALL, "judge_model_options", "evaluate_intermediate_nl_responses"),
        "user_simulator": (*_OF_ALL, "judge_model_options", "stop_signal"),
    }
)
"""The keys that google-adk reads of each kind, in snake_case."""

MATCH_TYPES = ("EXACT", "IN_ORDER", "ANY_ORDER")
"""In the order of their numbers: 0, 1, 2 mean the same."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric of google-adk."""

    name: str
    needs: Need
    runs: Runner
    since: str
    """The first google-adk that has it."""
    criterion: Criterion = "plain"
    rubric_type: str = ""
    """Which rubrics of a case or turn it reads: those of this type; "" where it reads none."""
    range: tuple[float, float] | None = (0.0, 1.0)
    """The scores that it can give; None where there is no bound."""
    informational: bool = False
    """Whether it only reports; a threshold is refused then."""


_METRICS = (
    Metric("tool_trajectory_avg_score", "tool_calls", "here", "0.1", "trajectory"),
    Metric("response_match_score", "final_response", "here", "0.1"),
    Metric("response_evaluation_score", "final_response", "cloud", "0.1", range=(1.0, 5.0)),
    Metric("safety_v1", "nothing", "cloud", "1.7"),
    Metric("final_response_match_v2", "final_response", "judge", "1.8", "judge"),
    Metric("rubric_based_final_response_quality_v1", "rubrics", "judge", "1.15", "rubrics", "FINAL_RESPONSE_QUALITY"),
    Metric("rubric_based_tool_use_quality_v1", "rubrics", "judge", "1.16", "rubrics", "TOOL_USE_QUALITY"),
    Metric("hallucinations_v1", "nothing", "judge", "1.16", "hallucinations"),
    Metric("per_turn_user_simulator_quality_v1", "scenario", "judge", "1.22", "user_simulator"),
    Metric("multi_turn_task_success_v1", "nothing", "cloud", "1.28"),
    Metric("multi_turn_trajectory_quality_v1", "nothing", "cloud", "1.28"),
    Metric("multi_turn_tool_use_quality_v1", "nothing", "cloud", "1.28"),
    Metric("rubric_based_multi_turn_trajectory_quality_v1", "rubrics", "judge", "2.2", "rubrics", "TRAJECTORY_QUALITY"),
    Metric("tool_call_count_v1", "nothing", "here", "2.10", range=None, informational=True),
    Metric("inference_call_count_v1", "nothing", "here", "2.10", range=None, informational=True),
    Metric("token_usage_v1", "nothing", "here", "2.10", range=None, informational=True),
    Metric("invocation_duration_v1", "nothing", "here", "2.10", range=None, informational=True),
)

METRICS: MappingProxyType[str, Metric] = MappingProxyType({metric.name: metric for metric in _METRICS})
"""All metrics by name."""


def match_type(value: object) -> str | None:
    """The match type that google-adk reads in a value of JSON; None where it refuses it.

    Texts in any case, with blanks around and `-` or blanks for `_`, and the numbers 0, 1, 2
    (`ToolTrajectoryCriterion._coerce_match_type`; true and 1.0 are 1, as an enum of Python has it).
    """
    if isinstance(value, str):
        name = value.strip().upper().replace("-", "_").replace(" ", "_")
        return name if name in MATCH_TYPES else None
    if isinstance(value, int | float) and value in (0, 1, 2):
        return MATCH_TYPES[int(value)]
    return None

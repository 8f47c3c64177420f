"""All metrics of google-adk. One that is computed here has a file of its own and a line in `METRICS`.

From `PrebuiltMetrics` (google.adk.evaluation.eval_metrics), the evaluators that `metric_evaluator_registry`
registers for them, and the ranges of `metric_info_providers`, of google-adk 2.13.0; first versions from its wheels.
"""

from __future__ import annotations

from types import MappingProxyType

from evaltui.scoring.metrics import efficiency, response_match, tool_trajectory
from evaltui.scoring.metrics.metric import Metric

_JUDGE = ("judge_model_options",)
_RUBRICS = (*_JUDGE, "rubrics")

_ELSEWHERE = (
    Metric(
        name="response_evaluation_score",
        needs="final_response",
        runs="cloud",
        since="0.1",
        range=(1.0, 5.0),
    ),
    Metric(name="safety_v1", runs="cloud", since="1.7"),
    Metric(
        name="final_response_match_v2",
        needs="final_response",
        runs="judge",
        since="1.8",
        criterion="judge",
        own_keys=_JUDGE,
    ),
    Metric(
        name="rubric_based_final_response_quality_v1",
        needs="rubrics",
        runs="judge",
        since="1.15",
        criterion="rubrics",
        own_keys=_RUBRICS,
        rubric_type="FINAL_RESPONSE_QUALITY",
    ),
    Metric(
        name="rubric_based_tool_use_quality_v1",
        needs="rubrics",
        runs="judge",
        since="1.16",
        criterion="rubrics",
        own_keys=_RUBRICS,
        rubric_type="TOOL_USE_QUALITY",
    ),
    Metric(
        name="hallucinations_v1",
        runs="judge",
        since="1.16",
        criterion="hallucinations",
        own_keys=(*_JUDGE, "evaluate_intermediate_nl_responses"),
    ),
    Metric(
        name="per_turn_user_simulator_quality_v1",
        needs="scenario",
        runs="judge",
        since="1.22",
        criterion="user_simulator",
        own_keys=(*_JUDGE, "stop_signal"),
    ),
    Metric(name="multi_turn_task_success_v1", runs="cloud", since="1.28"),
    Metric(name="multi_turn_trajectory_quality_v1", runs="cloud", since="1.28"),
    Metric(name="multi_turn_tool_use_quality_v1", runs="cloud", since="1.28"),
    Metric(
        name="rubric_based_multi_turn_trajectory_quality_v1",
        needs="rubrics",
        runs="judge",
        since="2.2",
        criterion="rubrics",
        own_keys=_RUBRICS,
        rubric_type="TRAJECTORY_QUALITY",
    ),
)
"""Metrics that need a judge model or Vertex AI, which are never called here."""

METRICS: MappingProxyType[str, Metric] = MappingProxyType(
    {
        metric.name: metric
        for metric in (
            tool_trajectory.METRIC,
            response_match.METRIC,
            *_ELSEWHERE,
            *efficiency.METRICS,
        )
    }
)
"""All metrics by name."""

MEASUREMENTS = MappingProxyType({name: each.measurement for name, each in METRICS.items() if each.measurement})
"""The metrics that only report, in the order in which google-adk adds them to every run."""

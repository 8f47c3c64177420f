"""All metrics of google-adk. A metric that evaltui computes has a file of its own and a line in `METRICS`.

Source: `PrebuiltMetrics` (google.adk.evaluation.eval_metrics), the evaluators that `metric_evaluator_registry`
registers for them, and the ranges of `metric_info_providers`, of google-adk 2.13.0; first versions from its wheels.
"""

from __future__ import annotations

from functools import partial
from types import MappingProxyType

from evaltui.scoring.metrics import response_match, tool_trajectory
from evaltui.scoring.metrics.efficiency import MEASUREMENTS
from evaltui.scoring.metrics.metric import Metric

_JUDGE = ("judge_model_options",)
_by_judge = partial(Metric, runs="judge", criterion="judge", own_keys=_JUDGE)
_by_rubrics = partial(Metric, needs="rubrics", runs="judge", criterion="rubrics", own_keys=(*_JUDGE, "rubrics"))
_by_vertex = partial(Metric, runs="cloud")

_ELSEWHERE = (
    _by_vertex(name="response_evaluation_score", needs="final_response", since="0.1", range=(1.0, 5.0)),
    _by_vertex(name="safety_v1", since="1.7"),
    _by_judge(name="final_response_match_v2", needs="final_response", since="1.8"),
    _by_rubrics(name="rubric_based_final_response_quality_v1", since="1.15", rubric_type="FINAL_RESPONSE_QUALITY"),
    _by_rubrics(name="rubric_based_tool_use_quality_v1", since="1.16", rubric_type="TOOL_USE_QUALITY"),
    _by_judge(
        name="hallucinations_v1",
        since="1.16",
        criterion="hallucinations",
        own_keys=(*_JUDGE, "evaluate_intermediate_nl_responses"),
    ),
    _by_judge(
        name="per_turn_user_simulator_quality_v1",
        needs="scenario",
        since="1.22",
        criterion="user_simulator",
        own_keys=(*_JUDGE, "stop_signal"),
    ),
    _by_vertex(name="multi_turn_task_success_v1", since="1.28"),
    _by_vertex(name="multi_turn_trajectory_quality_v1", since="1.28"),
    _by_vertex(name="multi_turn_tool_use_quality_v1", since="1.28"),
    _by_rubrics(name="rubric_based_multi_turn_trajectory_quality_v1", since="2.2", rubric_type="TRAJECTORY_QUALITY"),
)
"""Metrics that need a judge model or Vertex AI. evaltui never calls these."""


METRICS: MappingProxyType[str, Metric] = MappingProxyType(
    {
        metric.name: metric
        for metric in (
            tool_trajectory.METRIC,
            response_match.METRIC,
            *_ELSEWHERE,
            *(Metric(name=name, since="2.10", range=None, informational=True) for name in MEASUREMENTS),
        )
    }
)
"""All metrics by name."""

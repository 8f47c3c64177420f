"""Custom metrics that a config defines."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.printable import one_line
from evaltui.validation.diagnostic import Diagnostic
from evaltui.validation.pointed_values import PointedValue
from evaltui.validation.rules.criteria import NOT_EVALUATED, config_rule

BAD_FUNCTION_PATH = config_rule(
    "bad-function-path",
    "The function of a custom metric is given without its module.",
    NOT_EVALUATED
    + "`_get_metric_function` (google.adk.evaluation.custom_metric_evaluator) splits the path at its last dot "
    "and raises `ImportError` where there is none.",
    '{"criteria": {"politeness": 0.5}, "custom_metrics": {"politeness": {"code_config": {"name": "politeness"}}}}',
    '{"criteria": {"politeness": 0.5}, "custom_metrics": {"politeness": {"code_config": {"name": "metrics.polite"}}}}',
)
UNUSED_CUSTOM_METRIC = config_rule(
    "unused-custom-metric",
    "A custom metric is defined and has no criterion.",
    "`get_eval_metrics_from_config` goes by `criteria` alone, so the metric is never computed.",
    '{"criteria": {"response_match_score": 0.8},\n'
    ' "custom_metrics": {"politeness": {"code_config": {"name": "metrics.politeness"}}}}',
    severity="info",
)


def check_custom_metrics(config: PointedValue) -> Iterator[Diagnostic]:
    """Custom metrics of a config that are never computed, or whose function cannot be imported."""
    customs = config.member("custom_metrics")
    if customs is None:
        return
    criteria = config.member("criteria")
    for name in customs.data if isinstance(customs.data, dict) else ():
        custom = customs.below(name)
        if criteria is None or not isinstance(criteria.data, dict) or name not in criteria.data:
            said = f"the custom metric {one_line(name, 40)!r} has no criterion, so it is never computed"
            yield UNUSED_CUSTOM_METRIC.at(custom, said, at_key=True)
        code = custom.member("code_config")
        path = code.text("name") if code is not None else None
        if code is not None and path is not None and "." not in path:
            said = f"{one_line(path, 40)!r} names no module: a function is given as module.function"
            yield BAD_FUNCTION_PATH.at(code.below("name"), said)

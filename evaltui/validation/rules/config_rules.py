"""Rules about configs: what google-adk accepts but does not read or does not evaluate."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import TYPE_CHECKING, Any

from evaltui.document.edits import Rename
from evaltui.printable import one_line, quoted
from evaltui.scoring.eval_config import NO_METRICS, metrics_beside_criteria, why_ignored, why_without_metrics
from evaltui.scoring.metrics.registry import METRICS
from evaltui.validation.checked_case import PointedValue
from evaltui.validation.misspellings import meant
from evaltui.validation.rule_types import Diagnostic, Fix
from evaltui.validation.rules.criterion_rules import NOT_EVALUATED, check_criterion, config_rule, misspelt_keys

if TYPE_CHECKING:
    from pydantic import BaseModel


def check_config(data: Any) -> list[Diagnostic]:
    """The diagnostics of a config, given as the data of its JSON text."""
    config = PointedValue(data)
    # Also if google-adk rejects the config. Values that cannot be read are skipped: the schema reports those.
    if not isinstance(data, dict):
        return []
    return [*_misspelt_keys(config), *_check_criteria(config), *_check_custom_metrics(config)]


MISSPELT_CONFIG_KEY = config_rule(
    "misspelt-config-key",
    "A config has an unknown key that looks like a known key.",
    "`EvalConfig`, its live model config and its custom metrics ignore unknown keys. A simulated user keeps unknown "
    "keys but does not read them. So the default value is used.",
    '{"criteria": {"response_match_score": 0.8}, "user_simulator": {"max_allowed_invocations": 5}}',
    fix="Renames the key, in the style (snake_case or camelCase) of the keys around it.",
)


def _misspelt_keys(config: PointedValue) -> Iterator[Diagnostic]:
    # Imported here, because `evaltui rule` and the checks of eval sets do not need the models of configs.
    from evaltui.evalset.schema.config_models import (
        CustomMetricConfig,
        EvalConfig,
        LiveModelConfig,
        LlmAudioUserSimulatorConfig,
        LlmBackedUserSimulatorConfig,
    )

    customs, simulator = config.member("custom_metrics"), config.member("user_simulator_config")
    is_spoken = simulator is not None and simulator.text("type") == "llm_audio"
    places: list[tuple[PointedValue | None, type[BaseModel]]] = [
        (config, EvalConfig),
        (config.member("live_model_config"), LiveModelConfig),
        *((custom, CustomMetricConfig) for custom in (customs.members() if customs is not None else ())),
        (simulator, LlmAudioUserSimulatorConfig if is_spoken else LlmBackedUserSimulatorConfig),
    ]
    for place, model in places:
        if place is not None:
            yield from misspelt_keys(MISSPELT_CONFIG_KEY, place, list(model.model_fields))


NO_CRITERIA = config_rule(
    "no-criteria",
    "A config has no metrics.",
    "For such a config, `get_eval_metrics_from_config` returns only the efficiency metrics. These metrics are "
    "informational, so every case is NOT_EVALUATED. The default criteria are used only if there is no config. Metrics "
    "must be under `criteria`, not beside it.",
    '{"criteria": {}}',
)
METRIC_BESIDE_CRITERIA = config_rule(
    "metric-beside-criteria",
    "A metric is at the top of a config or under `metrics`, and not under `criteria`.",
    "`EvalConfig` ignores unknown keys at the top, and `get_eval_metrics_from_config` reads only `criteria`. So the "
    "metric is never computed.",
    '{"criteria": {"response_match_score": 0.8}, "tool_trajectory_avg_score": 1.0}',
    '{"criteria": {"response_match_score": 0.8, "tool_trajectory_avg_score": 1.0}}',
)


def _check_criteria(config: PointedValue) -> Iterator[Diagnostic]:
    criteria = config.member("criteria")
    beside = metrics_beside_criteria(config.data)
    message = "; ".join(filter(None, (NO_METRICS, why_without_metrics(beside))))
    if criteria is None:
        # The rule about misspelled keys names the key that may be meant.
        if not any(meant(key, ["criteria"]) for key in config.data):
            yield NO_CRITERIA.at("/criteria", message)
        return
    if criteria.data == {}:
        yield NO_CRITERIA.at(criteria, message)
    # Beside empty criteria, the message of `no-criteria` already names such metrics.
    for metric in beside if criteria.data else ():
        path, _ = metric
        place = reduce(PointedValue.below, path, config)
        yield METRIC_BESIDE_CRITERIA.at(place, why_ignored(metric), at_key=isinstance(path[-1], str))
    customs = config.member("custom_metrics")
    for name in _keys(criteria):
        custom = customs.below(name) if customs is not None and name in _keys(customs) else None
        if custom is None and name not in METRICS:
            yield _unknown_metric(criteria, name, customs)
        else:
            yield from check_criterion(criteria.below(name), name, custom)


def _keys(place: PointedValue | None) -> list[str]:
    return list(place.data) if place is not None and isinstance(place.data, dict) else []


UNKNOWN_METRIC = config_rule(
    "unknown-metric",
    "The metric of a criterion is unknown to google-adk, and the config does not define it.",
    "`MetricEvaluatorRegistry.get_evaluator` raises `NotFoundError` for such a metric. " + NOT_EVALUATED,
    '{"criteria": {"response_match": 0.8}}',
    fix="Renames the criterion, if only one metric has a similar name.",
)


def _unknown_metric(criteria: PointedValue, name: str, customs: PointedValue | None) -> Diagnostic:
    metrics = [metric for metric in (*METRICS, *_keys(customs)) if metric not in criteria.data]
    # A name without its version or its last words is meant for the only metric that begins with it.
    longer = [metric for metric in metrics if metric.startswith(f"{name}_")]
    similar = longer[0] if len(longer) == 1 else meant(name, metrics)
    place = criteria.below(name)
    message = f"google-adk has no metric {quoted(name, 40)}, so it is not evaluated"
    # Metrics of two versions are not misspellings of each other.
    if not similar or _version(name) not in ("", _version(similar)):
        return UNKNOWN_METRIC.at(place, message, at_key=True)
    fix = Fix(f"Rename it to {similar}", True, (Rename(place.pointer, similar),))
    message += f"; the name is similar to {one_line(similar, 50)}"
    return UNKNOWN_METRIC.at(place, message, at_key=True, fix=fix)


def _version(metric: str) -> str:
    stem, _, last = metric.rpartition("_")
    return last if stem and last[:1] in ("v", "V") and last[1:].isdigit() else ""


BAD_FUNCTION_PATH = config_rule(
    "bad-function-path",
    "The path of a custom metric's function has no module.",
    "`_get_metric_function` (google.adk.evaluation.custom_metric_evaluator) splits the path at the last dot. Without "
    "a dot, google-adk raises `ImportError`. " + NOT_EVALUATED,
    '{"criteria": {"politeness": 0.5}, "custom_metrics": {"politeness": {"code_config": {"name": "politeness"}}}}',
    '{"criteria": {"politeness": 0.5}, "custom_metrics": {"politeness": {"code_config": {"name": "metrics.polite"}}}}',
)
UNUSED_CUSTOM_METRIC = config_rule(
    "unused-custom-metric",
    "A custom metric has a definition but no criterion.",
    "`get_eval_metrics_from_config` reads only `criteria`, so the metric is never computed.",
    '{"criteria": {"response_match_score": 0.8},\n'
    ' "custom_metrics": {"politeness": {"code_config": {"name": "metrics.politeness"}}}}',
    severity="info",
)


def _check_custom_metrics(config: PointedValue) -> Iterator[Diagnostic]:
    customs, criteria = config.member("custom_metrics"), config.member("criteria")
    if customs is None:
        return
    for name in _keys(customs):
        custom = customs.below(name)
        if name not in _keys(criteria):
            message = f"the custom metric {quoted(name, 40)} has no criterion, so it is never computed"
            yield UNUSED_CUSTOM_METRIC.at(custom, message, at_key=True)
        code = custom.member("code_config")
        path = code.text("name") if code is not None else None
        if code is not None and path is not None and "." not in path:
            message = f"{quoted(path, 40)} has no module: write module.function"
            yield BAD_FUNCTION_PATH.at(code.below("name"), message)

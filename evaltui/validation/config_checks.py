"""Checks of a config alone: what google-adk accepts of it, and then does not evaluate or does not read.

They work on plain data (`json.loads`), and need not know whether google-adk accepts the config: what cannot be read
at all is said by `config_schema`, and passed over here.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from evaltui.document import Rename
from evaltui.evalset.metrics import METRICS
from evaltui.evalset.schema.eval_config import CustomMetricConfig, EvalConfig, LiveModelConfig
from evaltui.evalset.schema.user_simulator import LlmAudioUserSimulatorConfig, LlmBackedUserSimulatorConfig
from evaltui.printable import one_line
from evaltui.validation.criterion_checks import check_criterion
from evaltui.validation.diagnostic import Diagnostic, Fix
from evaltui.validation.misspelt_keys import misspelt
from evaltui.validation.model_walk import known_keys
from evaltui.validation.nearness import meant
from evaltui.validation.place import Place
from evaltui.validation.rules import config as rules


def check_config(data: Any) -> list[Diagnostic]:
    """The findings of a config, which is the data of its JSON text."""
    config = Place(data)
    if not isinstance(data, dict):
        return []
    return list(chain(_own_keys(config), _criteria(config), _custom_metrics(config)))


def _criteria(config: Place) -> Iterator[Diagnostic]:
    criteria = config.member("criteria")
    if criteria is None:
        if not any(meant(key, ["criteria"]) for key in config.data):
            yield rules.NO_CRITERIA.at("/criteria", "the config names no metric, so no case is evaluated")
        return
    if criteria.data == {}:
        yield rules.NO_CRITERIA.at(criteria, "the config names no metric, so no case is evaluated")
    customs = config.member("custom_metrics")
    for name in _keys(criteria):
        criterion = criteria.below(name)
        custom = customs.below(name) if customs is not None and name in _keys(customs) else None
        if custom is None and name not in METRICS:
            yield _unknown_metric(criteria, name, customs)
        else:
            yield from check_criterion(criterion, name, custom)


def _unknown_metric(criteria: Place, name: str, customs: Place | None) -> Diagnostic:
    own = _keys(customs) if customs is not None else []
    near = _near(name, [other for other in (*METRICS, *own) if other not in criteria.data])
    place = criteria.below(name)
    said = f"google-adk has no metric {one_line(name, 40)!r}, so it is not evaluated"
    if not near or _version(name) not in ("", _version(near)):
        return rules.UNKNOWN_METRIC.at(place, said, at_key=True)
    fix = Fix(f"Rename it to {near}", True, (Rename(place.pointer, near),))
    return rules.UNKNOWN_METRIC.at(place, f"{said}; {one_line(near, 50)} is near", at_key=True, fix=fix)


def _near(name: str, metrics: list[str]) -> str:
    """The metric that a name is misspelt for, or which alone begins with it."""
    longer = [metric for metric in metrics if metric.startswith(f"{name}_")]
    return longer[0] if len(longer) == 1 else meant(name, metrics)


def _version(metric: str) -> str:
    """The version that a metric's name ends with: metrics of two versions are not the same misspelt."""
    stem, _, last = metric.rpartition("_")
    return last if stem and last[:1] in ("v", "V") and last[1:].isdigit() else ""


def _custom_metrics(config: Place) -> Iterator[Diagnostic]:
    customs = config.member("custom_metrics")
    if customs is None:
        return
    criteria = config.member("criteria")
    for name in _keys(customs):
        custom = customs.below(name)
        if criteria is None or name not in _keys(criteria):
            said = f"the custom metric {one_line(name, 40)!r} has no criterion, so it is never computed"
            yield rules.UNUSED_CUSTOM_METRIC.at(custom, said, at_key=True)
        code = custom.member("code_config")
        path = code.text("name") if code is not None else None
        if code is not None and path is not None and "." not in path:
            said = f"{one_line(path, 40)!r} names no module: a function is given as module.function"
            yield rules.BAD_FUNCTION_PATH.at(code.below("name"), said)


def _own_keys(config: Place) -> Iterator[Diagnostic]:
    """Misspelt keys of the objects in which google-adk lets unknown ones pass."""
    yield from misspelt(rules.MISSPELT_CONFIG_KEY, config, known_keys(EvalConfig))
    if (live := config.member("live_model_config")) is not None:
        yield from misspelt(rules.MISSPELT_CONFIG_KEY, live, known_keys(LiveModelConfig))
    if (customs := config.member("custom_metrics")) is not None:
        for custom in customs.members():
            yield from misspelt(rules.MISSPELT_CONFIG_KEY, custom, known_keys(CustomMetricConfig))
    if (simulator := config.member("user_simulator_config")) is not None:
        is_spoken = simulator.text("type") == "llm_audio"
        model = LlmAudioUserSimulatorConfig if is_spoken else LlmBackedUserSimulatorConfig
        yield from misspelt(rules.MISSPELT_CONFIG_KEY, simulator, known_keys(model))


def _keys(place: Place) -> list[str]:
    return list(place.data) if isinstance(place.data, dict) else []

"""The criteria in force for a run: each metric with its threshold and options.

They come from the config of the set, read as `get_eval_metrics_from_config` of google-adk reads it. Without a config,
the defaults of google-adk apply. Options of the command line override both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from evaltui.evalset.case_data import get
from evaltui.printable import one_line, printable
from evaltui.scoring.eval_config import LoadedConfig, LoadedCriterion
from evaltui.scoring.metrics import adk_rs
from evaltui.scoring.metrics.metric import Criterion, CriterionError, Metric
from evaltui.scoring.metrics.registry import MEASUREMENTS, METRICS
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES, NAME, MatchType, match_type, with_options

Profile = Literal["adk", "adk-rs"]
_SHOWN = 80
"""The most characters of a wrong value that a message shows."""
NameOption = Callable[[str], str]
"""Gives the name of an option, such as `match_type`, as messages have it."""

DEFAULTS = {name: each.default_threshold for name, each in METRICS.items() if each.default_threshold is not None}
"""google-adk's criteria for a set without a config (`_DEFAULT_EVAL_CONFIG`)."""


class CriteriaError(ValueError):
    """An option is invalid, such as an unknown metric. The message is a sentence that names the valid values."""


class Criteria(NamedTuple):
    """All criteria of a run."""

    judged: tuple[Criterion, ...]
    informational: tuple[str, ...] = tuple(MEASUREMENTS)
    """The informational metrics, which have no threshold."""
    path: Path | None = None
    """The config; None if there is none."""
    is_default: bool = False
    """Whether these are the defaults of the profile: neither the config nor an option names a metric."""
    profile: Profile = "adk"
    config: Mapping[str, Any] | None = None
    """The config as plain data; None if there is none."""

    def of(self, name: str) -> Criterion | None:
        """The criterion of a metric; None if the metric has no criterion."""
        return next((criterion for criterion in self.judged if criterion.name == name), None)

    def to_json(self) -> dict[str, dict[str, Any]]:
        """The criteria as reports list them."""
        return {criterion.name: criterion.to_json() for criterion in self.judged}


def name_of_option(name: str) -> str:
    """The name of an option on the command line."""
    return f"--{name.replace('_', '-')}"


def criteria_of(
    config: LoadedConfig | None,
    profile: Profile = "adk",
    *,
    metrics: Sequence[str] = (),
    match_type: str | None = None,
    ignore_args: bool = False,
    option: NameOption = name_of_option,
) -> Criteria:
    """The criteria in force for a run. Raises CriteriaError for invalid options.

    Each of `metrics` is `NAME` or `NAME=THRESHOLD`. They replace the metrics of the config.
    """
    if profile == "adk-rs":
        if match_type is not None or ignore_args:
            both, theirs = f"{option('match_type')} and {option('ignore_args')}", f"{option('profile')} adk-rs"
            raise CriteriaError(f"{both} do not work with {theirs}, which always compares call by call")
        return _criteria_of_adk_rs(config, metrics, option)
    loaded = dict(config.criteria) if config else {name: _plain(name, default) for name, default in DEFAULTS.items()}
    if metrics:
        loaded = _chosen(metrics, loaded, METRICS, option)
    wanted = _match_type(match_type, option)
    if (found := loaded.get(NAME)) is not None:
        raw = with_options(found.raw, found.threshold, wanted=wanted, ignore_args=ignore_args or None)
        loaded[NAME] = replace(found, raw=raw)
    customs = config.custom_metrics if config else frozenset()
    return Criteria(
        judged=tuple(criterion_of(each, is_custom=name in customs) for name, each in loaded.items()),
        informational=tuple(name for name in MEASUREMENTS if name not in loaded),
        path=config.path if config else None,
        is_default=config is None and not metrics,
        config=config.raw if config else None,
    )


def criterion_of(loaded: LoadedCriterion, *, is_custom: bool = False) -> Criterion:
    """The criterion of a metric in a config. `is_custom` means that the config defines the metric itself."""
    if is_custom:
        why = _why_custom(loaded.raw)
        return Criterion(loaded.name, loaded.threshold, loaded.raw, why, may_be_recorded=True, reads_rubrics=True)
    metric = METRICS.get(loaded.name)
    if metric is None:
        return Criterion(loaded.name, loaded.threshold, loaded.raw, _why_unknown(loaded.name))
    return read_criterion(metric, loaded.threshold, loaded.raw)


def read_criterion(metric: Metric, threshold: float | None, raw: Any) -> Criterion:
    """The criterion of a built-in metric of google-adk. `raw` is its value in the config."""
    if metric.informational:
        why = "this metric is informational: delete it from the criteria; every run reports it anyway"
        return Criterion(metric.name, threshold, raw, why)
    if metric.offline is None:
        why, by_rubrics = _why_elsewhere(metric), bool(metric.rubric_type)
        return Criterion(metric.name, threshold, raw, why, may_be_recorded=True, reads_rubrics=by_rubrics)
    try:
        return metric.offline.read(metric.name, threshold, raw)
    except CriterionError as error:
        return Criterion(metric.name, threshold, raw, str(error))


def _why_custom(raw: Any) -> str:
    if get(raw, "type") == "remote":
        return "it is a remote evaluator, which evaltui never runs"
    return "it is a custom metric with code of its own, which evaltui never runs"


def _why_unknown(name: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only who errs waits for it

    near = get_close_matches(name, METRICS, 1)
    return f"google-adk has no metric with this name{f'; did you mean {near[0]}?' if near else ''}"


def _why_elsewhere(metric: Metric) -> str:
    if metric.runs == "cloud":
        return "it needs Vertex AI, which evaltui never calls"
    return "it needs a judge model, which evaltui never calls"


def _criteria_of_adk_rs(config: LoadedConfig | None, metrics: Sequence[str], option: NameOption) -> Criteria:
    """The criteria of the two metrics of adk-rs. It has no config, so thresholds come from a google-adk config."""
    given = {name: each.threshold for name, each in config.criteria.items()} if config else {}
    loaded = {
        name: _plain(name, each.default_threshold if (found := given.get(name)) is None else found)
        for name, each in adk_rs.METRICS.items()
    }
    is_default = not metrics and not loaded.keys() & given.keys()
    if metrics:
        loaded = _chosen(metrics, loaded, loaded, option)
    judged = tuple(read_criterion(adk_rs.METRICS[name], each.threshold, None) for name, each in loaded.items())
    path, raw = (config.path, config.raw) if config else (None, None)
    return Criteria(judged, (), path, is_default, "adk-rs", raw)


def _plain(name: str, threshold: float | None) -> LoadedCriterion:
    return LoadedCriterion(name, METRICS.get(name), threshold, (), threshold)


def _chosen(
    metrics: Sequence[str], loaded: Mapping[str, LoadedCriterion], known: Mapping[str, Any], option: NameOption
) -> dict[str, LoadedCriterion]:
    """The criteria of `--metric` options. If a name is repeated, the last one counts."""
    chosen: dict[str, LoadedCriterion] = {}
    for metric in metrics:
        name, equals, text = metric.partition("=")
        if name not in loaded and name not in known:
            near = _near(name, [*loaded, *known])
            raise CriteriaError(f"{option('metric')} {one_line(name, _SHOWN)}: there is no such metric; {near}")
        if name in MEASUREMENTS and name not in loaded:
            if equals:
                raise CriteriaError(f"{option('metric')} {name} takes no threshold: the metric is informational")
            continue
        criterion = loaded.get(name) or _plain(name, DEFAULTS.get(name))
        if equals:
            if (threshold := _number(text)) is None:
                given = f"{option('metric')} {one_line(metric, _SHOWN)}"
                raise CriteriaError(f"{given}: the threshold after = is not a number")
            raw = {**criterion.raw, "threshold": threshold} if isinstance(criterion.raw, dict) else threshold
            criterion = replace(criterion, threshold=threshold, raw=raw)
        chosen[name] = criterion
    return chosen


def _near(name: str, names: Sequence[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only who errs waits for it

    longer = [each for each in names if name and each.startswith(name)]
    near = longer or get_close_matches(name, names, 1)
    return f"did you mean {printable(near[0])}?" if near else f"use one of {printable(', '.join(dict.fromkeys(names)))}"


def _number(text: str) -> float | None:
    """The finite number in a text; None if there is none."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _match_type(text: str | None, option: NameOption) -> MatchType | None:
    if text is not None and match_type(text) is None:
        given = f"{option('match_type')} {one_line(text, _SHOWN)}"
        raise CriteriaError(f"{given}: there is no such match type; use {', '.join(MATCH_TYPES)}")
    return match_type(text) if text is not None else None

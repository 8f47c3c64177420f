"""The criteria in force for a run: each metric with its threshold and options.

They come from the config of the set, read as `get_eval_metrics_from_config` of google-adk reads it. Without a config,
the defaults of google-adk apply. Options of the command line override both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from evaltui.document.errors import InputError
from evaltui.evalset.case_data import get
from evaltui.printable import one_line, printable
from evaltui.scoring.eval_config import LoadedConfig, threshold_of
from evaltui.scoring.metrics.efficiency import MEASUREMENTS
from evaltui.scoring.metrics.metric import Criterion, Metric
from evaltui.scoring.metrics.registry import METRICS
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES, NAME, raw_with_options, read_match_type

Profile = Literal["adk", "adk-rs"]
_SHOWN = 80
"""The most characters of a wrong value that a message shows."""
NameOption = Callable[[str], str]
"""Gives the name of an option, such as `match_type`, as messages have it."""

DEFAULTS = {name: metric.default_threshold for name, metric in METRICS.items() if metric.default_threshold is not None}
"""google-adk's criteria for a set without a config (`_DEFAULT_EVAL_CONFIG`)."""


class CriteriaError(InputError):
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


def criteria_of(
    config: LoadedConfig | None,
    profile: Profile = "adk",
    *,
    metrics: Sequence[str] = (),
    match_type: str | None = None,
    ignore_args: bool = False,
    option: NameOption = lambda name: f"--{name.replace('_', '-')}",
) -> Criteria:
    """The criteria in force for a run. Raises CriteriaError for invalid options.

    Each of `metrics` is `NAME` or `NAME=THRESHOLD`. They replace the metrics of the config.
    """
    if profile == "adk-rs":
        if match_type is not None or ignore_args:
            options = f"{option('match_type')} and {option('ignore_args')}"
            raise CriteriaError(
                f"{options} do not work with {option('profile')} adk-rs, which always compares call by call"
            )
        return _criteria_of_adk_rs(config, metrics, option)
    loaded: dict[str, Any] = dict(config.criteria if config else DEFAULTS)
    if metrics:
        loaded = _chosen(metrics, loaded, [*loaded, *METRICS], option)
    kind = read_match_type(match_type)
    if match_type is not None and kind is None:
        words = f"{option('match_type')} {one_line(match_type, _SHOWN)}"
        raise CriteriaError(f"{words}: there is no such match type; use {', '.join(MATCH_TYPES)}")
    if NAME in loaded:
        # Only the option sets ignore_args; without it, the config decides.
        raw, threshold = loaded[NAME], threshold_of(loaded[NAME])
        loaded[NAME] = raw_with_options(raw, threshold, match_type=kind, ignore_args=ignore_args or None)
    customs = config.custom_metrics if config else frozenset()
    return Criteria(
        judged=tuple(
            criterion_of(name, threshold_of(raw), raw, is_custom=name in customs) for name, raw in loaded.items()
        ),
        # google-adk rejects an informational metric with a threshold, so it is not reported twice.
        informational=tuple(name for name in MEASUREMENTS if name not in loaded),
        path=config.path if config else None,
        is_default=config is None and not metrics,
        config=config.raw if config else None,
    )


def criterion_of(name: str, threshold: float | None, raw: Any, *, is_custom: bool = False) -> Criterion:
    """The criterion of a metric in a config. `is_custom` means that the config defines the metric itself."""
    if is_custom:
        refusal = "it is a custom metric with code of its own, which evaltui never runs"
        if get(raw, "type") == "remote":
            refusal = "it is a remote evaluator, which evaltui never runs"
        # Nobody knows what the code of a custom metric reads, so a recorded score holds only for the same rubrics.
        return Criterion(name, threshold, raw, refusal, may_be_recorded=True, reads_rubrics=True)
    if (metric := METRICS.get(name)) is not None:
        return read_criterion(metric, threshold, raw)
    from difflib import get_close_matches  # noqa: PLC0415 - only who errs waits for it

    near = get_close_matches(name, METRICS, 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return Criterion(name, threshold, raw, f"google-adk has no metric with this name{hint}")


def read_criterion(metric: Metric, threshold: float | None, raw: Any) -> Criterion:
    """The criterion of a built-in metric of google-adk. `raw` is its value in the config."""
    if metric.informational:
        refusal = "this metric is informational: delete it from the criteria; every run reports it anyway"
        return Criterion(metric.name, threshold, raw, refusal)
    if metric.offline is None:
        what = "Vertex AI" if metric.runs == "cloud" else "a judge model"
        refusal, reads_rubrics = f"it needs {what}, which evaltui never calls", bool(metric.rubric_type)
        return Criterion(metric.name, threshold, raw, refusal, may_be_recorded=True, reads_rubrics=reads_rubrics)
    return metric.offline.read(metric.name, threshold, raw)


def _criteria_of_adk_rs(config: LoadedConfig | None, metrics: Sequence[str], option: NameOption) -> Criteria:
    from evaltui.scoring.metrics import adk_rs  # noqa: PLC0415 - few sets are of adk-rs

    # adk-rs has no config of its own, so the thresholds come from one of google-adk.
    configured = config.criteria if config else {}
    loaded = {}
    for name, metric in adk_rs.METRICS.items():
        threshold = threshold_of(configured.get(name))
        loaded[name] = metric.default_threshold if threshold is None else threshold
    is_default = not metrics and not loaded.keys() & configured.keys()
    if metrics:
        loaded = _chosen(metrics, loaded, list(loaded), option)
    judged = tuple(read_criterion(adk_rs.METRICS[name], threshold, None) for name, threshold in loaded.items())
    path, raw = (config.path, config.raw) if config else (None, None)
    return Criteria(judged, (), path, is_default, "adk-rs", raw)


def _chosen(
    metrics: Sequence[str], loaded: Mapping[str, Any], valid_names: Sequence[str], option: NameOption
) -> dict[str, Any]:
    """The criteria of `--metric` options. If a name is repeated, the last one counts."""
    chosen: dict[str, Any] = {}
    for metric in metrics:
        name, equals, text = metric.partition("=")
        if name not in valid_names:
            raise CriteriaError(
                f"{option('metric')} {one_line(name, _SHOWN)}: there is no such metric; {_suggest(name, valid_names)}"
            )
        if name in MEASUREMENTS and name not in loaded:
            if equals:
                raise CriteriaError(f"{option('metric')} {name} takes no threshold: the metric is informational")
            continue  # every run reports it anyway
        raw = loaded[name] if name in loaded else DEFAULTS.get(name)
        if equals:
            try:
                threshold = float(text)
            except ValueError:
                threshold = math.nan
            if not math.isfinite(threshold):
                words = f"{option('metric')} {one_line(metric, _SHOWN)}"
                raise CriteriaError(f"{words}: the threshold after = is not a number")
            raw = {**raw, "threshold": threshold} if isinstance(raw, dict) else threshold
        chosen[name] = raw
    return chosen


def _suggest(name: str, valid_names: Sequence[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only who errs waits for it

    names = list(dict.fromkeys(valid_names))
    # A name that is cut off is the usual error: `tool_trajectory` for `tool_trajectory_avg_score`.
    longer = [metric for metric in names if name and metric.startswith(name)]
    near = longer or get_close_matches(name, names, 1)
    return f"did you mean {printable(near[0])}?" if near else f"use one of {printable(', '.join(names))}"

"""Criteria as callers of the API choose them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from numbers import Real
from typing import Any, get_args

from evaltui.api.inputs import AnyPath, EvaltuiError, check_flag, path_of, refusals, shown_value, wrong_type
from evaltui.runs.config_file import read_named_config
from evaltui.scoring import criteria as scoring
from evaltui.scoring.criteria import Profile, criteria_of

_PROFILES = get_args(Profile)


@dataclass(frozen=True)
class Criteria:
    """Metrics with their thresholds and options."""

    path: str | None
    """The config that they come from; None without a config."""
    metrics: Mapping[str, Mapping[str, Any]] = field(hash=False)
    """The options of each metric by its name, such as `{"threshold": 1.0, "match_type": "EXACT"}`."""
    _in_force: scoring.Criteria = field(repr=False, compare=False)

    def __repr__(self) -> str:
        thresholds = {name: options.get("threshold") for name, options in self.metrics.items()}
        return f"Criteria(path={self.path!r}, thresholds={thresholds!r})"

    def as_dict(self) -> dict[str, Any]:
        """The field `config` in the JSON of `evaltui run`."""
        return {"path": self.path, "criteria": {name: dict(options) for name, options in self.metrics.items()}}


def criteria(
    config: AnyPath | None = None,
    metrics: Mapping[str, float | None] | None = None,
    *,
    match_type: str | None = None,
    ignore_args: bool = False,
    profile: Profile = "adk",
    **thresholds: float | None,
) -> Criteria:
    """Choose criteria: from a config, else the defaults of google-adk.

    Metrics and thresholds replace the metrics of the config. They are keywords, such as `response_match_score=0.7`, or
    items of `metrics`. With None as threshold, a metric keeps its threshold of the config, else its default. Raises
    `EvaltuiError`.
    """
    if not isinstance(metrics, Mapping | None):
        raise wrong_type("metrics", "a mapping from names to thresholds", metrics)
    if profile not in _PROFILES:
        near = get_close_matches(shown_value(profile), _PROFILES, 1)
        advice = f"did you mean {near[0]}?" if near else f"use {' or '.join(_PROFILES)}"
        raise EvaltuiError(f"profile {shown_value(profile)}: there is no such profile; {advice}")
    return choose_criteria(
        config, {**(metrics or {}), **thresholds}, match_type=match_type, ignore_args=ignore_args, profile=profile
    )


def choose_criteria(
    config: AnyPath | None,
    thresholds: Mapping[str, float | None],
    *,
    match_type: str | None,
    ignore_args: bool,
    profile: Profile = "adk",
    option: Callable[[str], str] = str,
) -> Criteria:
    """Choose criteria. `option` gives the name of a parameter as errors have it. Raises `EvaltuiError`, `TypeError`."""
    options = tuple(_spell_options(thresholds))
    if not isinstance(match_type, str | None):
        raise wrong_type("match_type", "a str", match_type)
    check_flag("ignore_args", ignore_args)
    file = path_of(config, "config") if config is not None else None
    with refusals():  # one way for all, so that the sentences are those of the command line
        loaded = read_named_config(file) if file is not None else None
        chosen = criteria_of(
            loaded, profile, metrics=options, match_type=match_type, ignore_args=ignore_args, option=option
        )
    return Criteria(str(chosen.path) if chosen.path is not None else None, chosen.to_json(), chosen)


def criteria_in_force(chosen: Criteria) -> scoring.Criteria:
    """The criteria as they score. Raises `TypeError` for another value."""
    if not isinstance(chosen, Criteria):
        raise wrong_type("criteria", "the result of criteria(), or None", chosen)
    return chosen._in_force


def _spell_options(thresholds: Mapping[str, float | None]) -> Iterator[str]:
    for name, threshold in thresholds.items():
        if not isinstance(name, str):
            raise wrong_type("metrics", "a mapping from names (str) to thresholds", name)
        if "=" in name:  # an option of the command line would read it as NAME=THRESHOLD
            raise EvaltuiError(f"metrics: {shown_value(name)} is not the name of a metric")
        if threshold is None:
            yield name
            continue
        # Numbers of numpy and fractions count, but not True, which is an int.
        if isinstance(threshold, bool) or not isinstance(threshold, Real):
            raise wrong_type(shown_value(name), "a number or None", threshold)
        try:
            number = float(threshold)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise EvaltuiError(f"{shown_value(name)}: the threshold {shown_value(threshold)} is not a finite number")
        yield f"{name}={number!r}"  # `repr` of a float keeps all its digits

"""Criteria as callers of the API choose them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from evaltui.api.errors import refusals
from evaltui.api.paths import AnyPath, path_of
from evaltui.runs.config import config_to_score_by
from evaltui.scoring import criteria as scoring
from evaltui.scoring.criteria import Profile, criteria_of


@dataclass(frozen=True)
class Criteria:
    """Metrics with their thresholds and options."""

    path: str | None
    """The config that they come from; None without a config."""
    metrics: Mapping[str, Mapping[str, Any]]
    """The options of each metric by its name, such as `{"threshold": 1.0, "match_type": "EXACT"}`."""
    _in_force: scoring.Criteria = field(repr=False, compare=False)

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
    options = tuple(_options({**(metrics or {}), **thresholds}))
    file = path_of(config) if config is not None else None
    with refusals():
        loaded = config_to_score_by(file) if file is not None else None
        found = criteria_of(loaded, profile, metrics=options, match_type=match_type, ignore_args=ignore_args)
    return Criteria(str(found.path) if found.path is not None else None, found.to_json(), found)


def criteria_in_force(chosen: Criteria) -> scoring.Criteria:
    """The criteria as they score."""
    return chosen._in_force


def _options(thresholds: Mapping[str, float | None]) -> Iterator[str]:
    """The metrics as options of the command line. `str` of a number keeps all its digits."""
    for name, threshold in thresholds.items():
        yield name if threshold is None else f"{name}={threshold}"

"""What is asked of one metric, and why no score can be computed for some."""

from __future__ import annotations

import difflib
import json
from typing import Any, NamedTuple, cast

from evaltui.evalset.case_data import get
from evaltui.evalset.configs import LoadedCriterion
from evaltui.evalset.metrics import METRICS, Metric, match_type
from evaltui.printable import one_line
from evaltui.scoring.plain_json import plain
from evaltui.scoring.trajectory import MATCH_TYPES, MatchType

TRAJECTORY = "tool_trajectory_avg_score"
RESPONSE = "response_match_score"

_TRUE, _FALSE = frozenset({"1", "on", "t", "true", "y", "yes"}), frozenset({"0", "off", "f", "false", "n", "no"})


class Criterion(NamedTuple):
    """What is asked of one metric."""

    name: str
    threshold: float | None
    match_type: MatchType = "EXACT"
    ignore_args: bool = False
    """Both of the trajectory only."""
    refusal: str | None = None
    """Why no score is computed, a sentence without its end; None for the metrics that are computed here."""
    may_be_recorded: bool = False
    """Whether a recording may hold the score that is not computed here."""
    reads_rubrics: bool = False
    raw: Any = None
    """The criterion as it stands in the config: a number or an object."""

    def to_json(self) -> dict[str, Any]:
        """The criterion as reports list it."""
        shown: dict[str, Any] = {"threshold": plain(self.threshold)}
        if self.name == TRAJECTORY and self.refusal is None:
            shown["match_type"] = self.match_type
            if self.ignore_args:
                shown["ignore_args"] = True
        return shown


def criterion_of(loaded: LoadedCriterion, *, is_custom: bool = False) -> Criterion:
    """What a config asks of a metric; `is_custom` where the config says itself how it is computed."""
    judged = Criterion(loaded.name, loaded.threshold, raw=loaded.raw)
    if is_custom:
        return _refused(judged, _why_custom(loaded.raw), may_be_recorded=True, reads_rubrics=True)
    metric = METRICS.get(loaded.name)
    if metric is None:
        return _refused(judged, _why_unknown(loaded.name))
    if metric.informational:
        return _refused(
            judged, "it only reports and takes no threshold: leave it out of the criteria, it is in every run"
        )
    if metric.runs != "here":
        return _refused(judged, _why_elsewhere(metric), may_be_recorded=True, reads_rubrics=bool(metric.rubric_type))
    return _trajectory(judged) if loaded.name == TRAJECTORY else judged


def _trajectory(judged: Criterion) -> Criterion:
    kind, ignoring = "EXACT", False
    if isinstance(judged.raw, dict):
        members = judged.raw.keys()
        if members & {"match_type", "matchType"}:
            value = get(judged.raw, "match_type")
            found = match_type(value)
            if found is None:
                return _refused(judged, f"its match_type {_shown(value)} is none of {', '.join(MATCH_TYPES)}")
            kind = found
        if members & {"ignore_args", "ignoreArgs"}:
            value = get(judged.raw, "ignore_args")
            is_set = _as_bool(value)
            if is_set is None:
                return _refused(judged, f"its ignore_args {_shown(value)} is neither true nor false")
            ignoring = is_set
    return Criterion(judged.name, judged.threshold, cast("MatchType", kind), ignoring, raw=judged.raw)


def _refused(
    judged: Criterion, refusal: str, *, may_be_recorded: bool = False, reads_rubrics: bool = False
) -> Criterion:
    return Criterion(
        judged.name,
        judged.threshold,
        refusal=refusal,
        may_be_recorded=may_be_recorded,
        reads_rubrics=reads_rubrics,
        raw=judged.raw,
    )


def _why_custom(raw: Any) -> str:
    if get(raw, "type") == "remote":
        return "a remote evaluator is fetched and run, which evaltui never does"
    return "it runs code of the project, which evaltui never does"


def _why_unknown(name: str) -> str:
    near = difflib.get_close_matches(name, METRICS, 1)
    return f"google-adk has no metric of this name{f'; there is {near[0]}' if near else ''}"


def _why_elsewhere(metric: Metric) -> str:
    if metric.runs == "cloud":
        return "it needs Vertex AI, which evaltui never calls"
    return "it needs a judge model, which evaltui never calls"


def _as_bool(value: Any) -> bool | None:
    """The truth value that pydantic takes a value of JSON for."""
    if isinstance(value, str):
        lowered = value.lower()
        return True if lowered in _TRUE else False if lowered in _FALSE else None
    return bool(value) if isinstance(value, int | float) and value in (0, 1) else None


def _shown(value: Any) -> str:
    return one_line(f'"{value}"' if isinstance(value, str) else json.dumps(value), 40)

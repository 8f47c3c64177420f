"""The config of a set: its metrics, each with threshold and rubrics.

It is read without google-adk's models: that is faster, and a set can be checked although its config has errors.
`errors_in_config` (validation/diagnostics.py) tells whether google-adk accepts a config.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from evaltui.document.binary_files import why_binary
from evaltui.document.plain_values import plain_value
from evaltui.evalset.case_data import as_number, get
from evaltui.evalset.formats import format_of
from evaltui.evalset.keys import snake
from evaltui.file_access import read_regular, why_unreadable
from evaltui.printable import one_line
from evaltui.scoring.metrics.metric import Metric
from evaltui.scoring.metrics.registry import METRICS

NAME = "test_config.json"
"""The file that google-adk looks for beside a set (`adk eval` for a single file, `AgentEvaluator` for each)."""
_OF_DATASETS = "eval_config.json"
"""The config of older agents-cli projects, with criteria of google-adk. Newer ones have `eval_config.yaml`."""


_OBJECTS = ("criteria", "custom_metrics", "user_simulator_config", "live_model_config")
"""Members of a config that are objects (`google.adk.evaluation.eval_config.EvalConfig`)."""
_MOST_NAMED = 5
_LARGEST = 20_000_000
"""Bytes of a config that lies beside a set. Nobody named it, so it may be anything."""


class UnreadableConfigError(ValueError):
    """A config cannot be read, or is not a JSON object. The message names the file and the reason."""


NO_METRICS = "the config has no metrics, so no case is evaluated"

_is_name_of_metric = re.compile(r".+(?:_score|_v[0-9]+)").fullmatch
"""The names of google-adk's metrics end so, also misspelled ones and those of other versions."""


@dataclass(frozen=True, slots=True)
class LoadedCriterion:
    """A criterion of a config."""

    name: str
    metric: Metric | None
    """None for a custom metric, and for a name that google-adk does not know."""
    threshold: float | None
    """None if it is absent or not a number."""
    rubric_ids: tuple[str, ...]
    raw: Any
    """The number or object in the config."""


@dataclass(frozen=True, slots=True)
class LoadedConfig:
    """A config of a set."""

    path: Path
    criteria: Mapping[str, LoadedCriterion]
    """By the name of the metric, in the order of the file."""
    custom_metrics: frozenset[str]
    raw: Mapping[str, Any]

    def needing(self, need: str) -> list[Metric]:
        """The metrics of this config with this need (see `Metric.needs`)."""
        metrics = (criterion.metric for criterion in self.criteria.values())
        return [metric for metric in metrics if metric is not None and metric.needs == need]

    @property
    def rubric_types(self) -> frozenset[str]:
        """The types of rubrics that the metrics of this config read."""
        return frozenset(metric.rubric_type for metric in self.needing("rubrics"))

    @property
    def rubric_ids(self) -> frozenset[str]:
        """The ids of all rubrics of this config."""
        return frozenset(identifier for criterion in self.criteria.values() for identifier in criterion.rubric_ids)


def find_config(set_path: Path, *, of_dataset: bool = False) -> Path | None:
    """The config beside a set; None if there is none. An unreachable config counts: loading it gives the reason.

    A dataset may also have an `eval_config.json` with criteria of google-adk.
    """
    path = set_path.parent / NAME
    try:
        if stat.S_ISREG(path.stat().st_mode):
            return path
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError:
        return path
    other = set_path.parent / _OF_DATASETS
    return other if of_dataset and _has_criteria(other) else None


def _has_criteria(path: Path) -> bool:
    try:
        return format_of(plain_value(read_regular(path, _LARGEST))) == "eval_config"
    except (OSError, ValueError, RecursionError):
        return False


def load_config(path: Path) -> LoadedConfig:
    """The config in a file. Raises UnreadableConfigError."""
    try:
        data = read_regular(path, _LARGEST)
    except OSError as error:
        raise UnreadableConfigError(f"{path} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise UnreadableConfigError(f"{path} cannot be read: {error}") from error
    return config_in(data, path)


def config_in(data: bytes, path: Path) -> LoadedConfig:
    """Parse a config from the bytes of a file. Raises UnreadableConfigError."""
    try:
        value = plain_value(data.decode())
    except (ValueError, RecursionError) as error:
        if found := why_binary(data, str(path)):
            raise UnreadableConfigError(f"{path}: {found}") from error
        raise UnreadableConfigError(f"{path} is not valid JSON: {why_unreadable(error)}") from error
    if not isinstance(value, dict):
        raise UnreadableConfigError(f"{path} is not a config: a config is a JSON object with criteria")
    return config_of(value, path)


def config_of(value: Mapping[str, Any], path: Path) -> LoadedConfig:
    """The config in a JSON object."""
    criteria = value.get("criteria")
    customs = get(value, "custom_metrics")
    names = frozenset(customs) if isinstance(customs, dict) else frozenset()
    loaded = {
        name: LoadedCriterion(
            name, None if name in names else METRICS.get(name), _threshold(raw), tuple(_rubric_ids(raw)), raw
        )
        for name, raw in (criteria.items() if isinstance(criteria, dict) else ())
    }
    return LoadedConfig(path, loaded, names, value)


class BesideCriteria(NamedTuple):
    """A metric of a config that google-adk ignores, because it is not under `criteria`."""

    path: tuple[str | int, ...]
    """The keys and indexes of its value."""
    name: str
    """As `criteria` must have it."""

    @property
    def told(self) -> str:
        """Its name, with the spelling in the file if that differs."""
        written = self.path[-1]
        return f"{written} (as {self.name})" if isinstance(written, str) and written != self.name else self.name

    @property
    def why_ignored(self) -> str:
        """A sentence about a metric beside the criteria of a config; safe to show."""
        where = f"under {one_line(str(self.path[0]), 40)}" if len(self.path) > 1 else "beside criteria"
        return f"{one_line(self.told, 90)} is {where}, so google-adk ignores it; move it under criteria"


def metrics_beside_criteria(config: Mapping[str, Any]) -> list[BesideCriteria]:
    """The metrics of a config outside of its `criteria`, in either spelling.

    They are at its top, under `metrics`, or in an object that google-adk does not know: `{"config": {"criteria": …}}`.
    """
    customs = get(config, "custom_metrics")
    known = {*METRICS, *(customs if isinstance(customs, dict) else ())}
    found: list[BesideCriteria] = []
    for key, raw in config.items():
        if name := _known(key, known):
            found.append(BesideCriteria((key,), name))
        elif _is_criterion(raw) and (isinstance(raw, dict) or _is_name_of_metric(snake(key))):
            found.append(BesideCriteria((key,), key))
        elif snake(key) == "metrics" and isinstance(raw, dict | list):
            items = raw.items() if isinstance(raw, dict) else enumerate(map(_name_in, raw))
            named = ((at, at if isinstance(at, str) else value) for at, value in items)
            found += [BesideCriteria((key, at), name) for at, value in named if (name := _known(value, known))]
        elif isinstance(raw, dict) and snake(key) not in _OBJECTS:
            named = ((at, at) for at in raw)
            found += [BesideCriteria((key, at), name) for at, value in named if (name := _known(value, known))]
            below = raw.get("criteria")
            found += [BesideCriteria((key, "criteria", at), at) for at in (below if isinstance(below, dict) else ())]
    return found


def _name_in(item: Any) -> Any:
    """The name in an item of a list of metrics, which may be the name itself."""
    return item.get("name") if isinstance(item, dict) else item


def _known(name: Any, known: Container[str]) -> str:
    """The name of a known metric in the spelling of `criteria`; "" for anything else."""
    spellings = (name, snake(name)) if isinstance(name, str) else ()
    return next((each for each in spellings if each in known), "")


def listed(beside: Sequence[BesideCriteria]) -> str:
    """The first metrics, and how many others there are; safe to show."""
    shown = [one_line(each.told, 90) for each in beside[:_MOST_NAMED]]
    rest = [f"{len(beside) - _MOST_NAMED} more"] if len(beside) > _MOST_NAMED else []
    *first, last = [*shown, *rest]
    return f"{', '.join(first)} and {last}" if first else last


def why_without_metrics(beside: Sequence[BesideCriteria]) -> str:
    """A clause about the metrics `beside` the criteria of a config without metrics; "" if there are none."""
    at_top = " at the top" if any("criteria" in each.path[1:] for each in beside) else ""
    return f"{listed(beside)} must be under criteria{at_top}" if beside else ""


def notes_on_metrics(config: LoadedConfig) -> list[str]:
    """Sentences about the metrics of a config that google-adk ignores, and about a config without metrics."""
    beside = metrics_beside_criteria(config.raw)
    if config.criteria:
        return [each.why_ignored for each in beside]
    return ["; ".join(filter(None, (NO_METRICS, why_without_metrics(beside))))]


def _is_criterion(raw: Any) -> bool:
    if isinstance(raw, dict):
        return "threshold" in raw
    return isinstance(raw, int | float) and not isinstance(raw, bool)


def _threshold(raw: Any) -> float | None:
    return as_number(raw.get("threshold") if isinstance(raw, dict) else raw)


def _rubric_ids(raw: Any) -> Iterator[str]:
    rubrics = raw.get("rubrics") if isinstance(raw, dict) else None
    for rubric in rubrics if isinstance(rubrics, list) else ():
        if isinstance(identifier := get(rubric, "rubric_id"), str):
            yield identifier

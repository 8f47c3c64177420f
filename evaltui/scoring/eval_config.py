"""The config of a set: its metrics, each with threshold and rubrics.

It is read without google-adk's models: that is faster, and a set can be checked although its config has errors.
`errors_in_config` (validation/case_checks.py) tells whether google-adk accepts a config.

Configs of agentevals are YAML with a list of `evaluators` (agentevals.eval_config_loader of agentevals 0.11). Each
evaluator is read as the google-adk criterion that agentevals creates from it.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaltui.document.binary_files import why_binary
from evaltui.document.disk.file_content import read_file
from evaltui.document.errors import ReadError
from evaltui.document.scanner import read_json
from evaltui.evalset.case_data import as_number, get
from evaltui.evalset.file_formats import format_of
from evaltui.evalset.keys import snake
from evaltui.file_access import read_regular, refuse_larger, why_unreadable
from evaltui.printable import one_line
from evaltui.scoring.metrics.metric import Metric
from evaltui.scoring.metrics.registry import METRICS
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES

NAME = "test_config.json"
"""The file that google-adk looks for beside a set (`adk eval` for a single file, `AgentEvaluator` for each)."""
_OF_DATASETS = "eval_config.json"
"""The config of older agents-cli projects, with criteria of google-adk. Newer ones have `eval_config.yaml`."""
_OBJECTS = ("criteria", "custom_metrics", "user_simulator_config", "live_model_config")
"""Members of a config that are objects (`google.adk.evaluation.eval_config.EvalConfig`)."""
_MOST_NAMED = 5
_LARGEST = 20_000_000
"""Bytes of a config that lies beside a set. Nobody named it, so it may be anything."""
_LARGEST_YAML = 200_000
"""The most bytes of a YAML config. The YAML parser is slow."""
_MOST_YAML_VALUES = 50_000
"""The most values of a YAML config. A value that aliases repeat counts each time."""
_EVALUATOR_TYPES = ("builtin", "code", "remote")
_THRESHOLD_OF_AGENTEVALS = 0.5
_LEGACY_KEYS = ("metrics", "custom_evaluators", "judge_model", "threshold", "trajectory_match_type")

NO_METRICS = "the config has no metrics, so no case is evaluated"

_is_name_of_metric = re.compile(r".+(?:_score|_v[0-9]+)").fullmatch
"""The names of google-adk's metrics end so, also misspelled ones and those of other versions."""


class UnreadableConfigError(ValueError):
    """A config cannot be read, or is not a JSON object. The message names the file and the reason."""


@dataclass(frozen=True, slots=True)
class LoadedConfig:
    """A config of a set."""

    path: Path
    criteria: Mapping[str, Any]
    """The number or object of each criterion, by the name of the metric, in the order of the file."""
    custom_metrics: frozenset[str]
    raw: Mapping[str, Any]

    def needing(self, need: str) -> list[Metric]:
        """The metrics of this config with this need (see `Metric.needs`)."""
        # google-adk looks a name up in custom_metrics first, also the name of a metric of its own.
        metrics = (METRICS[name] for name in self.criteria if name in METRICS and name not in self.custom_metrics)
        return [metric for metric in metrics if metric.needs == need]

    @property
    def rubric_types(self) -> frozenset[str]:
        """The types of rubrics that the metrics of this config read."""
        return frozenset(metric.rubric_type for metric in self.needing("rubrics"))

    @property
    def rubric_ids(self) -> frozenset[str]:
        """The ids of all rubrics of this config."""
        return frozenset(identifier for raw in self.criteria.values() for identifier in rubric_ids_of(raw))


def threshold_of(raw: Any) -> float | None:
    """The threshold of a criterion, a number or an object; None if it is absent or not a number."""
    return as_number(raw.get("threshold") if isinstance(raw, dict) else raw)


def rubric_ids_of(raw: Any) -> tuple[str, ...]:
    """The ids of the rubrics of a criterion."""
    rubrics = raw.get("rubrics") if isinstance(raw, dict) else None
    ids = (get(rubric, "rubric_id") for rubric in (rubrics if isinstance(rubrics, list) else ()))
    return tuple(identifier for identifier in ids if isinstance(identifier, str))


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
    if not of_dataset:
        return None
    # The name is common, so the content decides.
    path = set_path.parent / _OF_DATASETS
    try:
        return path if format_of(read_json(read_regular(path, _LARGEST))) == "eval_config" else None
    except (OSError, ValueError):
        return None


def load_config(path: Path) -> LoadedConfig:
    """The config in a file: agentevals' format for .yaml and .yml, else google-adk's.

    Raises UnreadableConfigError.
    """
    from evaltui.document.yaml_root import YAML_NAMES  # noqa: PLC0415 - many sets have no config

    if path.suffix.lower() in YAML_NAMES:
        return _load_yaml(path)
    try:
        data = read_regular(path, _LARGEST)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UnreadableConfigError(f"{path} cannot be read: {reason}") from error
    return config_in(data, path)


def config_in(data: bytes, path: Path) -> LoadedConfig:
    """Parse a config from the bytes of a file. Raises UnreadableConfigError."""
    try:
        value = read_json(data.decode())
    except ValueError as error:
        if reason := why_binary(data, str(path)):
            raise UnreadableConfigError(f"{path}: {reason}") from error
        raise UnreadableConfigError(f"{path} is not valid JSON: {why_unreadable(error)}") from error
    if not isinstance(value, dict):
        raise UnreadableConfigError(f"{path} is not a config: a config is a JSON object with criteria")
    return config_of(value, path)


def config_of(value: Mapping[str, Any], path: Path) -> LoadedConfig:
    """The config in a JSON object."""
    criteria, customs = value.get("criteria"), get(value, "custom_metrics")
    names = frozenset(customs) if isinstance(customs, dict) else frozenset()
    return LoadedConfig(path, criteria if isinstance(criteria, dict) else {}, names, value)


# --- metrics beside the criteria -------------------------------------------------------------------------------------


BesideCriteria = tuple[tuple[str | int, ...], str]
"""A metric of a config that google-adk ignores, because it is not under `criteria`.

The keys and indexes of its value, and its name as `criteria` must have it.
"""


def _label_of(metric: BesideCriteria) -> str:
    """Its name, with the spelling in the file if that differs; safe to show."""
    (*_, written), name = metric
    return one_line(f"{written} (as {name})" if isinstance(written, str) and written != name else name, 90)


def why_ignored(metric: BesideCriteria) -> str:
    """A sentence about a metric beside the criteria of a config; safe to show."""
    path, _ = metric
    where = f"under {one_line(str(path[0]), 40)}" if len(path) > 1 else "beside criteria"
    return f"{_label_of(metric)} is {where}, so google-adk ignores it; move it under criteria"


def metrics_beside_criteria(config: Mapping[str, Any]) -> list[BesideCriteria]:
    """The metrics of a config outside of its `criteria`, in either spelling.

    They are at its top, under `metrics`, or in an object that google-adk does not know: `{"config": {"criteria": …}}`.
    """
    customs = get(config, "custom_metrics")
    metric_names = {*METRICS, *(customs if isinstance(customs, dict) else ())}
    beside: list[BesideCriteria] = []
    for key, raw in config.items():
        is_criterion = isinstance(raw, int | float) and not isinstance(raw, bool) and _is_name_of_metric(snake(key))
        if name := _known_metric(key, metric_names):
            beside.append(((key,), name))
        elif is_criterion or (isinstance(raw, dict) and "threshold" in raw):
            # A name that google-adk does not know either; a number alone may be any option.
            beside.append(((key,), key))
        else:
            beside += _metrics_inside(key, raw, metric_names)
    return beside


def _metrics_inside(key: str, raw: Any, metric_names: Container[str]) -> Iterator[BesideCriteria]:
    names: dict[str | int, Any]
    is_metrics = snake(key) == "metrics"
    if isinstance(raw, list) and is_metrics:  # an item is an object with a name, or the name itself
        names = {index: item.get("name") if isinstance(item, dict) else item for index, item in enumerate(raw)}
    elif isinstance(raw, dict) and snake(key) not in _OBJECTS:
        names = dict(zip(raw, raw, strict=True))
    else:
        return
    for place, written in names.items():
        if name := _known_metric(written, metric_names):
            yield (key, place), name
    inner = raw.get("criteria") if isinstance(raw, dict) and not is_metrics else None
    for name in inner if isinstance(inner, dict) else ():
        yield (key, "criteria", name), name


def _known_metric(name: Any, metric_names: Container[str]) -> str:
    """The name of a known metric in the spelling of `criteria`; "" for anything else."""
    spellings = (name, snake(name)) if isinstance(name, str) else ()
    return next((spelling for spelling in spellings if spelling in metric_names), "")


def why_without_metrics(beside: Sequence[BesideCriteria]) -> str:
    """A clause about the metrics `beside` the criteria of a config without metrics; "" if there are none."""
    if not beside:
        return ""
    labels = [*map(_label_of, beside[:_MOST_NAMED])]
    *first, last = [*labels, *([f"{len(beside) - _MOST_NAMED} more"] if len(beside) > _MOST_NAMED else [])]
    # A config can have a list of criteria already, in another object, so the sentence says where they belong.
    at_top = " at the top" if any("criteria" in path[1:] for path, _ in beside) else ""
    listed = f"{', '.join(first)} and {last}" if first else last
    return f"{listed} must be under criteria{at_top}"


def notes_on_metrics(config: LoadedConfig) -> list[str]:
    """Sentences about the metrics of a config that google-adk ignores, and about a config without metrics."""
    beside = metrics_beside_criteria(config.raw)
    if config.criteria:
        return [*map(why_ignored, beside)]
    return ["; ".join(filter(None, (NO_METRICS, why_without_metrics(beside))))]


# --- agentevals ------------------------------------------------------------------------------------------------------


def _load_yaml(path: Path) -> LoadedConfig:
    import yaml  # noqa: PLC0415 - takes 15 ms, and few configs are YAML

    from evaltui.document.yaml_root import yaml_root  # noqa: PLC0415 - as above

    try:
        data = read_file(path)
        refuse_larger(len(data), _LARGEST_YAML)
        root = yaml_root(data, _MOST_YAML_VALUES)
        value = None if root is None else yaml.constructor.SafeConstructor().construct_document(root)
    except ReadError as error:
        raise UnreadableConfigError(str(error)) from error
    except (LookupError, TypeError, AttributeError) as error:
        # pyyaml raises these for `!!int []` and the like.
        raise UnreadableConfigError(f"{path} is not valid YAML: a value does not fit its tag") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UnreadableConfigError(f"{path} is not valid YAML: {why_unreadable(error)}") from error
    if not isinstance(value, dict) or not isinstance(value.get("evaluators"), list):
        raise UnreadableConfigError(f"{path} is not a config: a config in YAML has a list of evaluators")
    if legacy := [key for key in _LEGACY_KEYS if key in value]:
        raise UnreadableConfigError(f"{path} has {', '.join(legacy)}, which agentevals rejects: use evaluators instead")
    criteria: dict[str, Any] = {}
    customs: dict[str, Any] = {}
    for number, entry in enumerate(value["evaluators"], 1):
        if fault := _fault_of_evaluator(entry, number):
            raise UnreadableConfigError(f"{path}: {fault}")
        criteria[entry["name"]] = _criterion_of_evaluator(entry)
        if entry["type"] != "builtin":
            customs[entry["name"]] = {}
    return config_of({"criteria": criteria, "custom_metrics": customs}, path)


def _fault_of_evaluator(entry: Any, number: int) -> str | None:
    """Why agentevals rejects an entry of `evaluators`; None if it accepts it."""
    if not isinstance(entry, dict):
        return f"evaluator {number} is not a mapping with name and type"
    name, kind, threshold = entry.get("name"), entry.get("type"), entry.get("threshold")
    if not isinstance(name, str) or not name:
        return f"evaluator {number} has no name"
    if kind not in _EVALUATOR_TYPES:
        return f"the type of evaluator {number} ({name}) is not one of {', '.join(_EVALUATOR_TYPES)}"
    share = as_number(threshold)
    if threshold is not None and (share is None or not 0 <= share <= 1):
        return f"the threshold of evaluator {number} ({name}) is not a number from 0 to 1"
    # agentevals reads the name of a match type without spaces or numbers, unlike google-adk.
    kind = get(entry, "trajectory_match_type")
    if kind is not None and (not isinstance(kind, str) or kind.upper() not in MATCH_TYPES):
        return f"the match type of evaluator {number} ({name}) is not one of {', '.join(MATCH_TYPES)}"
    return None


def _criterion_of_evaluator(entry: dict[str, Any]) -> dict[str, Any]:
    threshold = entry.get("threshold")
    criterion: dict[str, Any] = {"threshold": _THRESHOLD_OF_AGENTEVALS if threshold is None else as_number(threshold)}
    if (match_type := get(entry, "trajectory_match_type")) is not None:
        criterion["match_type"] = match_type
    if (judge := get(entry, "judge_model")) is not None:
        criterion["judge_model_options"] = {"judge_model": judge}
    if isinstance(entry.get("rubrics"), list):
        criterion["rubrics"] = entry["rubrics"]
    return criterion if entry["type"] == "builtin" else {**criterion, "type": entry["type"]}

"""Configs of agentevals: YAML with a list of `evaluators` (agentevals.eval_config_loader of agentevals 0.11).

Each evaluator is read as the google-adk criterion that agentevals creates from it. The default threshold is 0.5.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evaltui.document.disk.file_content import read_file
from evaltui.document.errors import ReadError
from evaltui.document.yaml_root import yaml_root
from evaltui.evalset.case_data import as_number, get
from evaltui.file_access import refuse_larger, why_unreadable
from evaltui.scoring.eval_config import LoadedConfig, UnreadableConfigError, config_of, load_config
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES

_THRESHOLD = 0.5
_LARGEST = 200_000
"""The most bytes of a YAML config. The YAML parser is slow."""
_MOST_VALUES = 50_000
"""The most values of a config. A value that aliases repeat counts each time."""
_TYPES = ("builtin", "code", "remote")
_LEGACY = ("metrics", "custom_evaluators", "judge_model", "threshold", "trajectory_match_type")


def load_any_config(path: Path) -> LoadedConfig:
    """Load the config in a file: agentevals' format for .yaml and .yml, else google-adk's.

    Raises UnreadableConfigError.
    """
    if path.suffix.lower() not in (".yaml", ".yml"):
        return load_config(path)
    value = _parsed(path)
    if not isinstance(value, dict) or not isinstance(value.get("evaluators"), list):
        raise UnreadableConfigError(f"{path} is not a config: a config in YAML has a list of evaluators")
    if legacy := [key for key in _LEGACY if key in value]:
        raise UnreadableConfigError(f"{path} has {', '.join(legacy)}, which agentevals rejects: use evaluators instead")
    try:
        entries = [_entry(entry, number) for number, entry in enumerate(value["evaluators"], 1)]
    except ValueError as error:
        raise UnreadableConfigError(f"{path}: {error}") from error
    criteria = {entry["name"]: _criterion(entry) for entry in entries}
    customs: dict[str, Any] = {entry["name"]: {} for entry in entries if entry["type"] != "builtin"}
    return config_of({"criteria": criteria, "custom_metrics": customs}, path)


def _parsed(path: Path) -> Any:
    import yaml  # noqa: PLC0415 - only who has such a config waits for it

    try:
        data = read_file(path)
        refuse_larger(len(data), _LARGEST)
        root = yaml_root(data, _MOST_VALUES)
        return None if root is None else yaml.constructor.SafeConstructor().construct_document(root)
    except ReadError as error:
        raise UnreadableConfigError(str(error)) from error
    except (LookupError, TypeError, AttributeError) as error:
        raise UnreadableConfigError(f"{path} is not valid YAML: a value does not fit its tag") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UnreadableConfigError(f"{path} is not valid YAML: {why_unreadable(error)}") from error


def _entry(entry: Any, number: int) -> dict[str, Any]:
    """Check an entry of `evaluators` as agentevals does. Raises ValueError with a sentence."""
    if not isinstance(entry, dict):
        raise ValueError(f"evaluator {number} is not a mapping with name and type")  # noqa: TRY004 - a sentence for people
    name, kind, threshold = entry.get("name"), entry.get("type"), entry.get("threshold")
    if not isinstance(name, str) or not name:
        raise ValueError(f"evaluator {number} has no name")
    if kind not in _TYPES:
        raise ValueError(f"the type of evaluator {number} ({name}) is not one of {', '.join(_TYPES)}")
    share = as_number(threshold)
    if threshold is not None and (share is None or not 0 <= share <= 1):
        raise ValueError(f"the threshold of evaluator {number} ({name}) is not a number from 0 to 1")
    matching = get(entry, "trajectory_match_type")
    if matching is not None and (not isinstance(matching, str) or matching.upper() not in MATCH_TYPES):
        raise ValueError(f"the match type of evaluator {number} ({name}) is not one of {', '.join(MATCH_TYPES)}")
    return entry


def _criterion(entry: dict[str, Any]) -> dict[str, Any]:
    threshold = entry.get("threshold")
    criterion: dict[str, Any] = {"threshold": _THRESHOLD if threshold is None else as_number(threshold)}
    if (matching := get(entry, "trajectory_match_type")) is not None:
        criterion["match_type"] = matching
    if (judge := get(entry, "judge_model")) is not None:
        criterion["judge_model_options"] = {"judge_model": judge}
    if isinstance(entry.get("rubrics"), list):
        criterion["rubrics"] = entry["rubrics"]
    return criterion if entry["type"] == "builtin" else {**criterion, "type": entry["type"]}

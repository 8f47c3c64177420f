"""Options and ini values of the pytest plug-in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from evaltui.file_access import exists


@dataclass(frozen=True, slots=True)
class PluginOptions:
    """The options in force: those of the command line, else those of the ini file."""

    recordings: tuple[str, ...]
    config: str | None
    metrics: tuple[str, ...]
    """Each `NAME` or `NAME=THRESHOLD`."""
    match_type: str | None
    ignore_args: bool
    runs: Literal["latest", "all"]
    allow_not_evaluated: bool

    def thresholds(self) -> dict[str, float | None]:
        """The threshold of each metric. Raises `pytest.UsageError`."""
        return dict(map(_threshold, self.metrics))


def add_options(parser: pytest.Parser) -> None:
    """Add the options to pytest."""
    group = parser.getgroup("evaltui", "eval sets of LLM agents (evaltui)")
    group.addoption(
        "--evaltui-recordings",
        action="append",
        metavar="PATH",
        help="recordings to score cases with: a file or a folder. You can repeat it.",
    )
    group.addoption("--evaltui-config", metavar="FILE", help="config to use, not the one beside each eval set")
    group.addoption(
        "--evaltui-metric",
        action="append",
        metavar="NAME[=THRESHOLD]",
        help="metric to use, not the ones of the config. You can repeat it.",
    )
    group.addoption(
        "--evaltui-match-type", choices=("EXACT", "IN_ORDER", "ANY_ORDER"), help="how tool calls are compared"
    )
    group.addoption(
        "--evaltui-ignore-args", action="store_const", const=True, help="compare only the names of tool calls"
    )
    group.addoption(
        "--evaltui-runs",
        choices=("latest", "all"),
        help="recordings of a case that count: the latest (default), or all",
    )
    group.addoption(
        "--evaltui-allow-not-evaluated",
        action="store_const",
        const=True,
        help="skip cases that cannot be evaluated. Otherwise they fail.",
    )
    for name, about, type_ in _INI:
        parser.addini(f"evaltui_{name}", f"like --evaltui-{about}", type=type_, default=None)


_INI: tuple[tuple[str, str, Any], ...] = (
    ("recordings", "recordings; paths are relative to the ini file", "paths"),
    ("config", "config; the path is relative to the ini file", "paths"),
    ("metrics", "metric; one for each line", "linelist"),
    ("match_type", "match-type", "string"),
    ("ignore_args", "ignore-args", "bool"),
    ("runs", "runs", "string"),
    ("allow_not_evaluated", "allow-not-evaluated", "bool"),
)


def options_of(config: pytest.Config) -> PluginOptions:
    """The options of a run of pytest. Raises `pytest.UsageError`."""
    configs = config.getini("evaltui_config") or []
    if len(configs) > 1:
        raise pytest.UsageError("evaltui_config: give one path")
    return PluginOptions(
        recordings=tuple(map(str, _value(config, "recordings") or ())),
        config=config.getoption("evaltui_config") or next(map(str, configs), None),
        metrics=tuple(config.getoption("evaltui_metric") or config.getini("evaltui_metrics") or ()),
        match_type=_value(config, "match_type") or None,
        ignore_args=bool(_value(config, "ignore_args")),
        runs=_value(config, "runs") or "latest",
        allow_not_evaluated=bool(_value(config, "allow_not_evaluated")),
    )


def missing_recordings(options: PluginOptions) -> str | None:
    """The first path of recordings that does not exist. `session.db#ID` is a session of a file."""
    return next((name for name in options.recordings if not _exists(name)), None)


def _exists(name: str) -> bool:
    file, sign, _ = name.rpartition("#")
    return exists(Path(name)) or (bool(sign) and exists(Path(file)))


def _value(config: pytest.Config, name: str) -> Any:
    given = config.getoption(f"evaltui_{name}")
    return given if given is not None else config.getini(f"evaltui_{name}")


def _threshold(option: str) -> tuple[str, float | None]:
    name, equals, text = option.partition("=")
    try:
        return name, float(text) if equals else None
    except ValueError:
        raise pytest.UsageError(f"--evaltui-metric {option}: the threshold after = is not a number") from None

"""Options and ini values of the pytest plug-in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from evaltui.file_access import exists

MARKER = "evaltui"
"""The marker of each case: `-m evaltui` runs only cases, `-m "not evaltui"` runs all other tests."""
_CONFIG = "evaltui_config"
FOR_WORKERS = "evaltui"
"""The key of the options in the input of a worker of pytest-xdist."""


@dataclass(frozen=True, slots=True)
class PluginOptions:
    """The options in force: those of the command line, else those of the ini file. All paths are absolute."""

    folder: str
    """The folder in which pytest was started. Messages name paths from there."""
    recordings: tuple[str, ...]
    config: str | None
    baselines: tuple[str, ...]
    only_regressions: bool
    """Whether a case fails only if it is worse than in its baseline."""
    thresholds: dict[str, float | None]
    """The metrics of the options, each with its threshold."""
    match_type: str | None
    ignore_args: bool
    runs: Literal["latest", "all"]
    allow_not_evaluated: bool


_OPTIONS = pytest.StashKey[PluginOptions]()


_INI: tuple[tuple[str, str, Any], ...] = (
    ("recordings", "recordings; paths are relative to the ini file", "paths"),
    ("config", "config; the path is relative to the ini file", "paths"),
    ("metrics", "metric; one for each line", "linelist"),
    ("match_type", "match-type", "string"),
    ("ignore_args", "ignore-args", "bool"),
    ("runs", "runs", "string"),
    ("allow_not_evaluated", "allow-not-evaluated", "bool"),
    ("baseline", "baseline; paths are relative to the ini file", "paths"),
    ("fail_on", "fail-on", "string"),
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and the ini values."""
    group = parser.getgroup("evaltui", "eval sets of LLM agents (evaltui)")
    recordings = "recordings to score cases with: a file or a folder. You can repeat it."
    group.addoption("--evaltui-recordings", action="append", metavar="PATH", help=recordings)
    group.addoption("--evaltui-config", metavar="FILE", help="config to use, not the one beside each eval set")
    metric = "metric to use, not the ones of the config. You can repeat it."
    group.addoption("--evaltui-metric", action="append", metavar="NAME[=THRESHOLD]", help=metric)
    match_types = ("EXACT", "IN_ORDER", "ANY_ORDER")
    group.addoption("--evaltui-match-type", choices=match_types, help="how tool calls are compared")
    names = "compare only the names of tool calls"
    group.addoption("--evaltui-ignore-args", action="store_const", const=True, help=names)
    runs = "recordings of a case that count: the latest (default), or all"
    group.addoption("--evaltui-runs", choices=("latest", "all"), help=runs)
    allow = "skip cases that cannot be evaluated. Otherwise they fail."
    group.addoption("--evaltui-allow-not-evaluated", action="store_const", const=True, help=allow)
    baseline = (
        "baseline to compare the cases with, written by evaltui run --save-baseline. Repeat it for each eval set."
    )
    group.addoption("--evaltui-baseline", action="append", metavar="FILE", help=baseline)
    fail_on = "cases that fail: all failing cases (any, the default), or only those that regressed (regression)"
    group.addoption("--evaltui-fail-on", choices=("any", "regression"), help=fail_on)
    for name, about, type_ in _INI:
        parser.addini(f"evaltui_{name}", f"like --evaltui-{about}", type=type_, default=None)


def check_options(config: pytest.Config) -> None:
    """Read and check the options for `options_of`. Raises `pytest.UsageError`.

    A worker of pytest-xdist gets them from the run that started it. A `conftest.py` may have changed the working
    directory since then.
    """
    values = getattr(config, "workerinput", {}).get(FOR_WORKERS)
    options = PluginOptions(**values) if values is not None else _read(config)
    if options.only_regressions and not options.baselines:
        raise pytest.UsageError("--evaltui-fail-on regression needs --evaltui-baseline FILE")
    config.stash[_OPTIONS] = options


def options_of(config: pytest.Config) -> PluginOptions:
    """The options of a run of pytest."""
    return config.stash[_OPTIONS]


def _read(config: pytest.Config) -> PluginOptions:
    metrics = config.getoption("evaltui_metric") or config.getini("evaltui_metrics") or ()
    return PluginOptions(
        folder=str(config.invocation_params.dir),
        recordings=tuple(_read_paths(config, "evaltui_recordings")),
        config=next(_read_paths(config, _CONFIG), None),
        baselines=tuple(_read_paths(config, "evaltui_baseline")),
        only_regressions=_read_choice(config, "fail_on", ("any", "regression")) == "regression",
        thresholds=dict(map(_parse_threshold, metrics)),
        match_type=_read_value(config, "match_type") or None,
        ignore_args=bool(_read_value(config, "ignore_args")),
        runs=_read_choice(config, "runs", ("latest", "all")),
        allow_not_evaluated=bool(_read_value(config, "allow_not_evaluated")),
    )


def _read_paths(config: pytest.Config, name: str) -> Iterator[str]:
    """The paths of an option, else of its ini value. Raises `pytest.UsageError`.

    They begin at the folder in which pytest was started: a test may change the working directory before they are read.
    """
    value, folder = config.getoption(name), config.invocation_params.dir
    option = name if value is None else f"--{name.replace('_', '-')}"
    of_ini = config.getini(name) or () if value is None else ()
    if name == _CONFIG and len(of_ini) > 1:
        raise pytest.UsageError(f"{name}: give one path")
    for text in [value] if isinstance(value, str) else value or map(str, of_ini):
        if not text:
            raise pytest.UsageError(f"{option} is empty; give the name of a file")
        path = folder / text
        file, sign, _ = str(path).rpartition("#")  # a session of a database may be named: session.db#ID
        if not (exists(path) or (sign and exists(Path(file)))):
            raise pytest.UsageError(f"{option} {text}: there is no such file or folder")
        yield str(path)


def _read_value(config: pytest.Config, name: str) -> Any:
    value = config.getoption(f"evaltui_{name}")
    return value if value is not None else config.getini(f"evaltui_{name}")


def _read_choice(config: pytest.Config, name: str, choices: tuple[str, str]) -> Any:
    """The value of an option with choices; the first one is the default. An ini file may have any text."""
    value = _read_value(config, name) or choices[0]
    if value not in choices:
        raise pytest.UsageError(f"evaltui_{name} {value}: there is no such choice; use {' or '.join(choices)}")
    return value


def _parse_threshold(option: str) -> tuple[str, float | None]:
    name, equals, text = option.partition("=")
    try:
        return name, float(text) if equals else None
    except ValueError:
        raise pytest.UsageError(f"--evaltui-metric {option}: the threshold after = is not a number") from None

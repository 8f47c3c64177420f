"""The eval config for a set: the one that was given, or the one beside the set as google-adk finds it."""

from __future__ import annotations

from pathlib import Path

from evaltui.document import Document, DocumentError
from evaltui.document.storage import read_file
from evaltui.evalset.configs import LoadedConfig, UnreadableConfigError, find_config, load_config
from evaltui.printable import printable, write_line


class ConfigError(DocumentError):
    """A config that was given cannot be used; the message says which and why."""


def given_config(path: Path) -> LoadedConfig:
    """The config at `path`. Raises `DocumentError` where it cannot be read, or google-adk rejects it."""
    from evaltui.validation.validating_configs import config_diagnostics

    document = Document(read_file(path), path)
    if document.fault is not None:
        line, column = document.line_and_column(document.fault.offset)
        raise ConfigError(f"{path}:{line}:{column}: not JSON: {document.fault.message}")
    errors = [each for each in config_diagnostics(document) if each.severity == "error"]
    if errors:
        where = f" at {errors[0].pointer}" if errors[0].pointer else ""
        raise ConfigError(f"{path}: google-adk rejects this config{where}: {errors[0].message}")
    try:
        return load_config(path)
    except UnreadableConfigError as error:
        raise ConfigError(str(error)) from error


def config_to_score_by(path: Path) -> LoadedConfig:
    """The config at `path`, google-adk's, or agentevals' in YAML. Raises `DocumentError` like `given_config`."""
    from evaltui.scoring.agentevals_config import load_any_config

    if path.suffix.lower() not in (".yaml", ".yml"):
        return given_config(path)
    try:
        return load_any_config(path)
    except UnreadableConfigError as error:
        raise ConfigError(str(error)) from error


def config_beside(path: Path) -> LoadedConfig | None:
    """The config beside a set; None where there is none, or, with a sentence on stderr, none that can be read."""
    found = find_config(path)
    if found is None:
        return None
    try:
        return load_config(found)
    except UnreadableConfigError as error:
        write_line("stderr", printable(f"evaltui: {error}; it is left out"))
        return None

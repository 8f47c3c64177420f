"""The config of a set: from the command line, or beside the set, as google-adk finds it."""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from evaltui.comparison.run_document import is_run_document
from evaltui.document.binary_files import refuse_binary
from evaltui.document.disk.file_content import read_file
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.evalset.formats import format_of_document
from evaltui.recordings.evaluation_datasets import is_agents_cli_result
from evaltui.scoring.eval_config import LoadedConfig, UnreadableConfigError, config_in, find_config, load_config

if TYPE_CHECKING:
    from evaltui.validation.rule import Diagnostic


STDIN = "-"
_OTHER_FILES: dict[str, str] = {
    "eval_set": "an eval set",
    "trpc_eval_set": "an eval set of trpc-agent-go",
    "evaluation_dataset": "a dataset",
    "legacy_cases": "a legacy list of cases",
    "legacy_turns": "a legacy list of turns",
    "ces_evaluation": "a CES evaluation",
    "eval_set_result": "a result of google-adk",
    "adk_session": "a session of google-adk",
}
"""Files that google-adk may accept as a config without metrics, because it ignores unknown keys."""


class ConfigError(DocumentError):
    """A named config cannot be used. `sentences` has one sentence for each error."""

    def __init__(self, *sentences: str) -> None:
        more = f" (and {len(sentences) - 1} more)" if len(sentences) > 1 else ""
        super().__init__(f"{sentences[0]}{more}")
        self.sentences = sentences


def given_config(path: Path) -> LoadedConfig:
    """The config at `path`, or on standard input for `-`.

    Raises `DocumentError` if it cannot be read, or google-adk rejects it.
    """
    data = _from_stdin(sys.stdin) if str(path) == STDIN else read_file(path)
    return config_of_document(Document(data, path), path)


def config_of_document(document: Document, path: Path) -> LoadedConfig:
    """The config in a document. Raises `ConfigError` if it is not JSON, another file, or rejected by google-adk."""
    from evaltui.validation.diagnostics import config_diagnostics

    if document.fault is not None:
        from evaltui.interop.source_documents import why_not_json

        raise ConfigError(why_not_json(document, str(path)))
    if (other := _other_file(document)) is not None:
        raise ConfigError(f"{path}: the file is {other}, not a config; a config is a JSON object with criteria")
    errors = [each for each in config_diagnostics(document) if each.severity == "error"]
    if errors:
        raise ConfigError(*(f"{path}: google-adk rejects this config{_where(each)}" for each in errors))
    try:
        return config_in(document.to_bytes(), path)
    except UnreadableConfigError as error:
        raise ConfigError(str(error)) from error


def _other_file(document: Document) -> str | None:
    """The kind of a document without criteria, by its content; None if it may be a config."""
    root = document.root
    if root is None or root.member("criteria") is not None:
        return None
    if (name := _OTHER_FILES.get(format_of_document(root))) is not None:
        return name
    value = root.value() if root.kind == "object" else None
    if is_run_document(value):
        return "a result of evaltui run"
    return "a result of agents-cli" if is_agents_cli_result(value) else None


@lru_cache(maxsize=1)
def _from_stdin(stream: TextIO) -> bytes:
    """Input that can be read only once, kept for several sets."""
    data = stream.buffer.read()
    refuse_binary(data, STDIN)
    return data


def _where(error: Diagnostic) -> str:
    return f" at {error.pointer}: {error.message}" if error.pointer else f": {error.message}"


def config_to_score_by(path: Path) -> LoadedConfig:
    """The config at `path`, google-adk's, or agentevals' in YAML. Raises `DocumentError` like `given_config`."""
    if path.suffix.lower() not in (".yaml", ".yml"):
        return given_config(path)
    from evaltui.scoring.agentevals_config import load_any_config

    try:
        return load_any_config(path)
    except UnreadableConfigError as error:
        raise ConfigError(str(error)) from error


def config_beside(path: Path) -> tuple[LoadedConfig | None, str]:
    """The config beside a set, or None; and a sentence if it cannot be read, or ""."""
    found = find_config(path)
    if found is None:
        return None, ""
    try:
        return load_config(found), ""
    except UnreadableConfigError as error:
        return None, f"{error}; the config is not used"

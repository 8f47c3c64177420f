"""The config of a set: from the command line, or beside the set, as google-adk finds it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.disk.file_content import read_file, read_stdin
from evaltui.document.errors import DocumentError
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.evalset.file_formats import format_of_document, is_agents_cli_result
from evaltui.runs.run_options import RunOptions
from evaltui.scoring.criteria import Criteria, criteria_of
from evaltui.scoring.eval_config import LoadedConfig, UnreadableConfigError, config_in, find_config, load_config

if TYPE_CHECKING:
    from evaltui.document.document import Document

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


class RejectedConfigError(DocumentError):
    """google-adk rejects a config. `sentences` has one sentence for each error; a command prints them all."""

    def __init__(self, *sentences: str) -> None:
        more = f" (and {len(sentences) - 1} more)" if len(sentences) > 1 else ""
        super().__init__(f"{sentences[0]}{more}")
        self.sentences = sentences


def read_named_config(path: Path) -> LoadedConfig:
    """The config at `path`, google-adk's in JSON or agentevals' in YAML; `-` is standard input.

    Raises `DocumentError` if it cannot be read, or google-adk rejects it.
    """
    if path.suffix.lower() in (".yaml", ".yml"):
        try:
            return load_config(path)
        except UnreadableConfigError as error:
            raise DocumentError(str(error)) from error
    from evaltui.document.document import Document

    data = read_stdin() if str(path) == STDIN else read_file(path)
    return config_of_document(Document(data, path), path)


def config_of_document(document: Document, path: Path) -> LoadedConfig:
    """The config in a document. Raises `DocumentError` if it is not JSON, another file, or rejected by google-adk."""
    from evaltui.validation.case_checks import config_diagnostics  # the models of configs, only for a named config

    if document.fault is not None:
        from evaltui.interop.document_texts import why_not_json

        raise DocumentError(why_not_json(document, str(path)))
    # google-adk accepts other files as configs without metrics, because it ignores unknown keys.
    if (kind := _other_kind(document)) is not None:
        raise DocumentError(f"{path}: the file is {kind}, not a config; a config is a JSON object with criteria")
    errors = [diagnostic for diagnostic in config_diagnostics(document) if diagnostic.severity == "error"]
    if errors:
        places = (
            f" at {error.pointer}: {error.message}" if error.pointer else f": {error.message}" for error in errors
        )
        raise RejectedConfigError(*(f"{path}: google-adk rejects this config{place}" for place in places))
    try:
        return config_in(document.to_bytes(), path)
    except UnreadableConfigError as error:
        raise DocumentError(str(error)) from error


def _other_kind(document: Document) -> str | None:
    """The kind of a document without criteria, by its content; None if it may be a config."""
    root = document.root
    if root is None or root.member("criteria") is not None:
        return None
    if (name := _OTHER_FILES.get(format_of_document(root))) is not None:
        return name
    from evaltui.result_files.result_file import is_run_document  # nearly all configs have criteria

    value = root.value() if root.kind == "object" else None
    if is_run_document(value):
        return "a result of evaltui run"
    return "a result of agents-cli" if is_agents_cli_result(value) else None


def config_beside(path: Path) -> tuple[LoadedConfig | None, str]:
    """The config beside a set, or None; and a sentence if it cannot be read, or ""."""
    config = find_config(path)
    if config is None:
        return None, ""
    try:
        return load_config(config), ""
    except UnreadableConfigError as error:
        # Nobody named this file, so it stops nothing: the set is checked or scored without it.
        return None, f"{error}; the config is not used"


def criteria_for(eval_set: ExpectedSet, options: RunOptions) -> Criteria:
    """Criteria of a set. Raises `DocumentError` for a config and `CriteriaError` for an option that fails."""
    path, metrics = config_path(eval_set, options), options.metrics
    config = read_named_config(path) if path is not None else None
    match_type, ignore_args = options.match_type, options.ignore_args
    return criteria_of(config, options.profile, metrics=metrics, match_type=match_type, ignore_args=ignore_args)


def config_path(eval_set: ExpectedSet, options: RunOptions) -> Path | None:
    """The config of a set: the named one, else the one beside the set; None if there is none."""
    if options.config is not None:
        return Path(options.config)
    return find_config(eval_set.path, of_dataset=eval_set.is_dataset) if eval_set.path is not None else None

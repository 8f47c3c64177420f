"""Opening of result files: the content selects the reader."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from evaltui.document.binary_files import HEAD, kind_of_binary
from evaltui.document.json_stream import JsonTextError
from evaltui.document.yaml_root import LARGEST_LOOK, is_yaml
from evaltui.evalset.case_data import text
from evaltui.evalset.file_formats import format_of, is_agents_cli_result
from evaltui.garbage_collection import without_collecting
from evaltui.recordings.adk_files import result_in_text
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.json_documents import JsonDocuments
from evaltui.recordings.recording_bytes import Progress, RecordingBytes
from evaltui.result_files.judged_results import JudgedCase, JudgedResult, ResultError, cases_by_id
from evaltui.result_files.result_readers import (
    cases_of_adk_result,
    cases_of_agents_cli_result,
    cases_of_run_document,
    is_run_document,
)

_KNOWN = (
    "results are *.evalset_result.json of google-adk, results_*.json of agents-cli, "
    "and documents of evaltui run --format json"
)
_ResultKind = Literal["adk_result", "agents_cli_result", "run_document"]
_VERSION = 1
"""The version of documents of `evaltui run`."""


def open_result(name: str, data: bytes | None = None, progress: Progress | None = None) -> JudgedResult:
    """The result in the file `name`, packed or not, or in `data` if that is given. Raises `ResultError`.

    Several google-adk results in one file are several runs of their cases. Of other documents, only the last counts.
    """
    try:
        with without_collecting():
            return _read(name, JsonDocuments(RecordingBytes(Path(name), data), progress))
    except JsonTextError as error:
        # Only now: nearly all files are JSON, and the fault of JSON helps nobody whose file is something else.
        head = RecordingBytes(Path(name), data).head(LARGEST_LOOK + 1)
        if kind := kind_of_binary(head[:HEAD]):
            raise ResultError(f"{name}: this is {kind}, not a result; {_KNOWN}") from error
        if is_yaml(head, name):
            raise ResultError(f"{name}: this is YAML, not a result; {_KNOWN}") from error
        raise ResultError(f"{name}:{error.line}:{error.column}: {error.sentence}") from error
    except RecordingError as error:
        raise ResultError(str(error)) from error
    except RecursionError:
        raise ResultError(f"{name}: values are nested too deeply to read") from None
    except MemoryError:
        raise ResultError(f"{name}: the file does not fit into memory") from None


def _read(name: str, documents: JsonDocuments) -> JudgedResult:
    kind: _ResultKind | None = None
    eval_set_id: str | None = None
    cases: list[JudgedCase] = []
    warnings: list[str] = []
    count = 0
    for document in documents:
        count += 1
        value = result_in_text(document)
        document_kind = _kind(value, name)
        if kind not in (None, document_kind):
            raise ResultError(f"{name}: contains results of several kinds; compare one kind at a time")
        set_id, document_cases, sentences = _read_document(value, document_kind, name)
        if document_kind != "adk_result":
            cases, warnings = [], []
        elif eval_set_id is not None and set_id not in (None, eval_set_id):
            sets = f"the sets {eval_set_id} and {set_id}"
            raise ResultError(f"{name}: contains results of {sets}; compare one set at a time")
        kind, eval_set_id = document_kind, set_id or eval_set_id
        cases += document_cases
        warnings += sentences
    if kind is None:
        raise ResultError(f"{name}: the file is empty; {_KNOWN}")
    if count > 1 and kind != "adk_result":
        warnings.append(f"the file has {count} documents; evaltui compares the last one")
    return JudgedResult(name, eval_set_id, cases_by_id(cases), (*warnings, *documents.warnings()))


def _kind(value: Any, name: str) -> _ResultKind:
    if is_run_document(value):
        return "run_document"
    if format_of(value) == "eval_set_result":
        return "adk_result"
    if is_agents_cli_result(value):
        return "agents_cli_result"
    if isinstance(value, dict) and {"version", "criteria", "cases"} <= value.keys():
        raise ResultError(f"{name}: this is a baseline; evaltui run --baseline compares with it")
    raise ResultError(f"{name}: this is not a result; {_KNOWN}")


def _read_document(value: Any, kind: _ResultKind, name: str) -> tuple[str | None, list[JudgedCase], list[str]]:
    """The eval_set_id, the cases and the warnings of one document."""
    if kind == "adk_result":
        return cases_of_adk_result(value, Path(name))
    if kind == "agents_cli_result":
        return None, *cases_of_agents_cli_result(value, Path(name))
    runs = value.get("runs")
    if isinstance(runs, list) and len(runs) != 1:
        raise ResultError(f"{name}: contains the runs of {len(runs)} sets; use evaltui run with one SET")
    run = runs[0] if isinstance(runs, list) else value
    version = run.get("version") if isinstance(run, dict) else None
    if version != _VERSION or isinstance(version, bool):
        raise ResultError(f"{name}: the version of the result is not {_VERSION}; make a new result with evaltui run")
    return text(run.get("set"), "eval_set_id"), *cases_of_run_document(run)

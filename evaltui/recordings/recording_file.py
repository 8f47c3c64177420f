"""Opens recording files: the content shows the format, and the format selects the reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaltui.document.binary_files import HEAD, SQLITE, kind_of_binary
from evaltui.document.disk.file_content import while_unchanged
from evaltui.document.json_stream import JsonTextError, TextLimitError
from evaltui.evalset.file_formats import format_of, is_agents_cli_result
from evaltui.files.session_source import is_database, session_file
from evaltui.garbage_collection import without_collecting
from evaltui.printable import as_argument
from evaltui.recordings.adk_files import (
    conversation_of_item,
    conversations_of_result,
    conversations_of_set,
    result_in_text,
)
from evaltui.recordings.conversation import (
    Conversation,
    ConversationsRead,
    Recording,
    RecordingChangedError,
    RecordingError,
    RecordingFormat,
)
from evaltui.recordings.json_documents import JsonDocuments
from evaltui.recordings.recording_bytes import Progress, unpacked_head

if TYPE_CHECKING:
    from evaltui.recordings.recording_cache import KnownItems

_GRADED = "agents_cli_result"
FORMATS: dict[str, RecordingFormat] = {
    "eval_set_result": "adk_result",
    "evaluation_dataset": "evaluation_dataset",
    "eval_set": "eval_set",
    "adk_session": "adk_session",
    _GRADED: "evaluation_dataset",
}
"""The formats of one JSON value for each conversation or more, by the names of `format_of`."""
_OTHERS = {
    "eval_config": "an eval config",
    "legacy_cases": "a legacy list of cases, which has expected responses but no recorded responses",
    "legacy_turns": "a legacy list of turns, which has expected responses but no recorded responses",
    "ces_evaluation": "an evaluation of CX Agent Studio",
}
_LOOKED_AT = 20
"""The most members of an unknown value in which keys of traces are searched."""
_MOST_STRANGE = 10_000
"""The most values that are skipped before a recording."""
_KNOWN = (
    "result files and sessions of google-adk, traces (Jaeger, OTLP, Tempo), datasets with responses, "
    "results of agents-cli, and eval sets"
)
_SPAN_KEYS = {"traceId", "traceID", "spanID", "trace_id", "span_id", "resourceSpans"}
_OTHER_TRACE = "a trace in a form that evaltui does not read. Export it as OTLP, or as JSON from Jaeger"


def open_recording(
    path: Path,
    *,
    multi_turn: bool = False,
    progress: Progress | None = None,
    data: bytes | None = None,
    known_items: KnownItems | None = None,
    for_cases: bool = False,
) -> Recording:
    """Read a recording of any format, packed or not. With `data`, read these bytes; `path` is then only their name.

    The name of a session database may end with `#ID`, for one of its sessions. With `multi_turn`, the traces of one
    conversation are joined; this is right if a case of the set has several turns. Items that are `known_items` from an
    earlier read are not read again. With `for_cases`, conversations have all that a case is made of.

    Raises `RecordingError`. A fault in a part of the file is a warning of the recording.
    """
    if data is None and is_database(session_file(path)):
        from evaltui.recordings.sessions.session_database import open_session_database  # noqa: PLC0415 - 5 ms: sqlite3

        return _explained(path, None, lambda: open_session_database(path, progress, for_cases=for_cases))

    def opened(items: KnownItems | None) -> Recording:
        """The recording; read again without known items if they are of no eval set."""
        if items is not None:
            items.begin(partial(conversation_of_item, path=path), progress)
        documents = JsonDocuments(path, data, progress, items)
        try:
            recording = _read(documents, path, data, multi_turn, for_cases)
            if items is None or not items.has_read:
                return recording
            if recording.format == "eval_set":
                items.keep()
                return recording
        except RecordingError:
            if items is None or not items.has_read:
                raise
        except JsonTextError as error:
            if isinstance(error, TextLimitError) or (documents_again := documents.in_other_form()) is None:
                raise
            return _read(documents_again, path, data, multi_turn, for_cases)
        return opened(None)  # its items are of no eval set

    # Known items have no invocations.
    read = partial(_explained, path, data, partial(opened, None if for_cases else known_items))
    return read() if data is not None else while_unchanged(path, read, RecordingChangedError)


def _explained(path: Path, data: bytes | None, read: Callable[[], Recording]) -> Recording:
    """The result of `read`, whose errors become a `RecordingError`."""
    try:
        with without_collecting():
            return read()
    except TextLimitError as error:
        raise RecordingError(f"{path}:{error.line}:{error.column}: {error.message}") from error
    except JsonTextError as error:
        if path.suffix.lower() in (".db", ".db3", ".sqlite", ".sqlite3"):
            raise RecordingError(f"{path}: not a readable SQLite database: damaged or encrypted") from error
        _refuse_binary(path, data)
        from evaltui.document.yaml_root import LARGEST_LOOK, is_yaml  # noqa: PLC0415 - nearly all files are JSON

        if is_yaml(unpacked_head(path, LARGEST_LOOK + 1, data), path.name):
            raise RecordingError(f"{path}: this is YAML, not a recording. Recordings are {_KNOWN}") from error
        place = f"{path}:{error.line}:{error.column}"
        raise RecordingError(f"{place}: {error.sentence}; record the file again or leave it out") from error
    except RecursionError:
        raise RecordingError(f"{path}: values are nested too deeply; leave the file out") from None
    except MemoryError:
        raise RecordingError(f"{path}: the file does not fit into memory; split it") from None


def _refuse_binary(path: Path, data: bytes | None) -> None:
    head = unpacked_head(path, HEAD, data)
    if head.startswith(SQLITE):  # in gzip, or on standard input
        use = f"unpack it (`gunzip -k {as_argument(str(path))}`)" if data is None else "give its file name"
        raise RecordingError(f"{path}: a session database is read only from a file of its own; {use}")
    if kind := kind_of_binary(head):
        raise RecordingError(f"{path}: this is {kind}, not a recording. Recordings are {_KNOWN}")


def _read(documents: JsonDocuments, path: Path, data: bytes | None, multi_turn: bool, for_cases: bool) -> Recording:
    """The recording in all documents. The first known document sets the format."""
    iterator = iter(documents)
    unknown: list[str] = []
    first_unknown: Any = None
    for value in iterator:
        document = result_in_text(value)
        kind, recording = _kind_of(document), None
        if kind in FORMATS:
            recording = _read_values(chain([document], iterator), kind, path, for_cases)
        elif kind == "json":
            from evaltui.recordings.traces import trace_file  # noqa: PLC0415 - results need none of it

            if (form := trace_file.trace_format(document)) is not None:
                recording = trace_file.read_traces(
                    chain([document], iterator),
                    path,
                    form,
                    multi_turn=multi_turn,
                    has_lost=lambda: bool(unknown) or documents.has_lost_spans,
                )
                if for_cases:
                    conversations = tuple(map(trace_file.with_invocations, recording.conversations))
                    recording = replace(recording, conversations=conversations)
        if recording is not None:
            skipped = f"{len(unknown)} value{'s' * (len(unknown) != 1)} at the start skipped: not a recording"
            warnings = (*[skipped][: len(unknown)], *documents.warnings(), *recording.warnings)
            return replace(recording, warnings=warnings)
        first_unknown = first_unknown if unknown else document
        unknown.append(kind)
        if len(unknown) == _MOST_STRANGE:
            break
    if not unknown:
        _refuse_binary(path, data)
        raise RecordingError(f"{path}: {'; '.join(documents.warnings()) or 'the file is empty'}; record the file again")
    seen = _OTHERS.get(unknown[0]) or (_OTHER_TRACE if _has_span_keys(first_unknown) else None)
    raise RecordingError(f"{path}: this is {seen or 'another kind of JSON file'}. Recordings are {_KNOWN}")


def _has_span_keys(value: Any) -> bool:
    """Whether a value, or one just within it, has a key that only traces have."""
    inner = value.values() if isinstance(value, dict) else value[:1] if isinstance(value, list) else ()
    first = [item[0] if isinstance(item, list) and item else item for item in islice(inner, _LOOKED_AT)]
    return any(isinstance(item, dict) and _SPAN_KEYS & item.keys() for item in (value, *first))


def _read_values(values: Iterable[Any], kind: str, path: Path, for_cases: bool) -> Recording:
    conversations: list[Conversation] = []
    warnings: list[str] = []
    strange = 0
    for value in values:
        if _kind_of(value) != kind:
            strange += 1
            continue
        read_conversations, sentences = conversations_in(value, kind, path, for_cases=for_cases)
        conversations += read_conversations
        warnings += sentences
    if strange:
        warnings.append(f"{strange} value{'s' * (strange != 1)} skipped: not in the format of the first value")
    if not conversations and kind != "eval_set_result":
        warnings = warnings or ["the file has no cases"]
        more = f" (and {len(warnings) - 1} more)" if len(warnings) > 1 else ""
        raise RecordingError(f"{path}: no recorded conversation in this file; {warnings[0]}{more}")
    seen: dict[str, int] = {}
    for place, conversation in enumerate(conversations):  # ids become unique: later ones with the same id get a number
        seen[conversation.id] = number = seen.get(conversation.id, 0) + 1
        if number > 1:
            conversations[place] = replace(conversation, id=f"{conversation.id}#{number}")
    return Recording(path, FORMATS[kind], tuple(conversations), tuple(warnings))


def conversations_in(
    value: Any, kind: str, path: Path, *, for_cases: bool = False, first: int = 1
) -> ConversationsRead:
    """The conversations in a JSON value of one of the `FORMATS`. `first` is the number of its first case."""
    if kind == "eval_set_result":
        return conversations_of_result(value, path, for_cases=for_cases)
    if kind == "eval_set":
        return conversations_of_set(value, path, for_cases=for_cases, first=first)
    if kind == "adk_session":
        from evaltui.recordings.sessions.adk_session import conversations_of_sessions  # noqa: PLC0415 - few runs

        return conversations_of_sessions(value, path, for_cases=for_cases)
    from evaltui.recordings import evaluation_datasets  # noqa: PLC0415 - most recordings are no datasets

    if kind == _GRADED:
        return evaluation_datasets.conversations_of_agents_cli_result(value, path, for_cases=for_cases)
    return evaluation_datasets.conversations_of_dataset(value, path, for_cases=for_cases, first=first)


def _kind_of(value: Any) -> str:
    kind = format_of(value)
    return _GRADED if kind == "json" and is_agents_cli_result(value) else kind

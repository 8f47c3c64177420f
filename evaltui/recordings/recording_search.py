"""Search for recordings in folders, by the names and the beginnings of files."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from evaltui.evalset.file_formats import ENDING_OF_SIDECARS, ENDINGS_OF_SETS
from evaltui.file_access import exists, is_file, is_folder
from evaltui.files.folder_search import Bounds, SearchLimitError, walk
from evaltui.printable import one_line
from evaltui.recordings.conversation import LostSpans, Recording, RecordingError
from evaltui.recordings.recording_bytes import unpacked_head

HISTORY = Path(".adk") / "eval_history"
"""The path of google-adk's results in the folder of an agent."""
RESULT = ".evalset_result.json"
"""The end of the names of google-adk's results."""
BESIDE = "recordings"
"""The name of the folder beside a set that advice names."""
_LONGEST_LOOK = 1.0
"""Seconds of the search for advice."""
_ENDINGS = 40
"""The most characters that name the endings of other files."""
_MOST_SETS = 100
"""The most files in which a search for an eval set looks."""
_HEAD = 1 << 18
"""The number of first bytes that show the format of a recording."""
_PACKED = (".zst", ".bz2", ".xz", ".lz4", ".br", ".zip", ".7z")
"""The ends of names of packed files that evaltui does not unpack."""
_NAMES = tuple(f"{name}{packed}" for name in (RESULT, ".session.json") for packed in ("", ".gz", *_PACKED))
"""The ends of names of recordings: results, and sessions of `adk run --save_session`."""
_NAMES_OF_PACKED = tuple(f"{name}{packed}" for name in (".json", ".jsonl", ".ndjson", ".otlp") for packed in _PACKED)
"""The ends of names of packed files that are probably recordings."""
_OPENING = (b"{", b"[", b'"')
# google-adk up to 1.21 wrote results as a JSON string that holds the JSON, so quotes may be escaped.
_has_recording_key = re.compile(
    rb'\\?"(?:eval_?set_?result_?id|eval_?case_?results|resource_?spans|resource_?logs|batches|trace_?id|span_?id'
    rb'|responses|agent_?data|intermediate_?events)\\?"\s*:',
    re.IGNORECASE,
).search
has_spans = re.compile(rb'"(?:resource_?spans|resource_?logs|batches|trace_?id|span_?id)"\s*:', re.IGNORECASE).search
"""Finds a key that only traces have."""
_has_set_key = re.compile(rb'"(?:eval_?set_?id|eval_?cases|eval_?id)"\s*:', re.IGNORECASE).search
_has_session_keys = re.compile(rb'(?is)(?=.*"events"\s*:)(?=.*"app_?name"\s*:)(?=.*"user_?id"\s*:)').match
"""Finds the keys that a session has together; one of them alone may be in any file."""
_has_set_keys = re.compile(rb'(?is)(?=.*"eval_?cases"\s*:)(?=.*"conversation"\s*:)').match


class FoundRecordings(NamedTuple):
    """Recordings, and other files beside them."""

    paths: list[Path]
    other_files: tuple[Path, ...] = ()
    unused: tuple[Path, ...] = ()
    """Results in google-adk's histories that are of another set, or of `rivals`."""
    rivals: tuple[Path, ...] = ()
    """The histories of several agents with results of the set, if nothing names its agent."""
    outside: tuple[Path, ...] = ()
    """Files outside of the repository, to which a link or the setting `agent` leads. Only -r names them."""
    skipped: tuple[Path, ...] = ()
    """Entries of a folder in which nobody looked: hidden ones, links to folders, and folders of tools."""

    @property
    def hidden_recordings(self) -> list[Path]:
        """The skipped files with the name of a recording."""
        return [path for path in self.skipped if path.name.endswith(_NAMES)]


# --- folders ---------------------------------------------------------------------------------------------------------


def recordings_in(folder: Path, bounds: Bounds | None = None) -> FoundRecordings:
    """The recordings in a folder, at any depth, by name; sessions only as JSON: databases must be named.

    Names that begin with a dot are skipped, except `.adk`; links to folders are not followed. Sidecars of sets are
    skipped. An unreadable file counts as a recording, and so does a link to nothing with the name of one: opening it
    reports the fault. Raises `SearchLimitError` and `SearchCancelledError`.
    """
    bounds = bounds or Bounds()
    files: list[Path] = []
    skipped: list[Path] = []
    paths = walk(folder, bounds, lambda path, _: files.append(path), hidden=HISTORY.parts[:1], skipped=skipped.append)
    for path in paths:
        may_be_recording = not path.name.startswith(".") and (is_file(path) or path.name.endswith(_NAMES))
        (files if may_be_recording else skipped).append(path)
    return sort_recordings(sorted(files), folder, bounds)._replace(skipped=tuple(skipped))


def recordings_beside(eval_set: Path) -> Path | None:
    """The folder `recordings` beside a set, if it holds a recording. No run uses it unless it is named."""
    folder = eval_set.parent / BESIDE
    with suppress(SearchLimitError):
        if is_folder(folder) and recordings_in(folder, Bounds(seconds=_LONGEST_LOOK)).paths:
            return folder
    return None


def sort_recordings(files: list[Path], folder: Path, bounds: Bounds) -> FoundRecordings:
    """The recordings among files of a folder, without the sidecars of sets. Raises like `Bounds.count`."""
    recordings: list[Path] = []
    other_files: list[Path] = []
    for path in files:
        bounds.count(folder)
        if not path.name.endswith(ENDING_OF_SIDECARS):
            (recordings if looks_like_recording(path) else other_files).append(path)
    return FoundRecordings(recordings, tuple(other_files))


# --- the beginning of a file -----------------------------------------------------------------------------------------


def looks_like_recording(path: Path, data: bytes | None = None) -> bool:
    """Whether the beginning of a file has a key that only recordings have, or keys that only a session has together.

    A file with the name of a result or session passes, and so do an unreadable one, and one in a packed form that is
    not read: opening it reports its fault. With `data`, look at these bytes; `path` is then only their name.
    """
    if path.name.endswith((*_NAMES, *_NAMES_OF_PACKED)):
        return True
    try:
        head = read_head(path, data)
    except RecordingError:
        return True
    if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in _OPENING:
        return False
    # Eval sets do not count: a set in a folder of recordings would be its own recording.
    return bool(_has_recording_key(head) or (not _has_set_key(head) and _has_session_keys(head)))


def unread_recording(path: Path, data: bytes | None = None) -> Recording | None:
    """The place of a file that cannot be read among recordings; None if it has no spans of traces in other files.

    With `data`, look at these bytes; `path` is then only their name.
    """
    if path.name.endswith(_NAMES) or (data is None and not exists(path)):
        return None
    with suppress(RecordingError):
        head = read_head(path, data)
        if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in _OPENING and not has_spans(head):
            return None
    return Recording(path, "otlp", (), lost=(LostSpans(),), is_unread=True)


def read_head(path: Path, data: bytes | None = None) -> bytes:
    """The first bytes of a file, or of `data`, in UTF-8. Raises `RecordingError`."""
    head = unpacked_head(path, _HEAD, data)
    return head.decode(json.detect_encoding(head), "replace").encode("utf-8", "replace")


# --- sentences -------------------------------------------------------------------------------------------------------


def others_text(other_files: Sequence[Path], where: str) -> str:
    """`2 files in DIR (.py) are not recordings`. How many of its recordings can be read is not known yet."""
    endings = one_line(", ".join(dict.fromkeys(path.suffix or path.name for path in other_files)), _ENDINGS)
    if len(other_files) == 1:
        return f"1 file {where} ({endings}) is not a recording"
    return f"{len(other_files)} files {where} ({endings}) are not recordings"


def skipped_text(skipped: Sequence[Path]) -> str:
    """The number of skipped entries, as the end of a sentence; "" for none."""
    count = len(skipped)
    subject = "1 entry is" if count == 1 else f"{count:,} entries are"
    return f"; {subject} skipped (hidden, a link, or a folder of a tool)" if count else ""


def use_of_sets(other_files: Sequence[Path], own: Path | None, option: str = "") -> str:
    """Advice how to use an eval set among files that are not recordings, as the end of a sentence; "" for none.

    `own` is the set that is scored: it would pass against itself. `option` stands before the name of the file.
    """
    real = os.path.realpath(own) if own is not None else None
    # The name tells most sets; others are opened only if no name does.
    named = (path for path in other_files if path.name.endswith(ENDINGS_OF_SETS))
    of_any_name = islice((path for path in other_files if path.suffix == ".json"), _MOST_SETS)
    sets = chain(named, filter(_looks_like_set, of_any_name))
    eval_set = next((path for path in sets if os.path.realpath(path) != real), None)
    return f"; to use the responses of an eval set, give its file: {option}{eval_set}" if eval_set is not None else ""


def _looks_like_set(path: Path) -> bool:
    with suppress(RecordingError):
        head = read_head(path)
        return head.lstrip().startswith(b"{") and _has_set_keys(head) is not None
    return False


def lost_text(files: Iterable[tuple[Path, bool, Sequence[LostSpans]]]) -> str:
    """A sentence if a file of traces was not read, or not all of it, beside other files of traces; "" if not.

    Each file has its path, whether it has traces, and the spans that are in no turn.
    """
    files = [*files]
    lossy = [path for path, _, lost in files if any(span.trace_id is None and not span.start for span in lost)]
    # Spans may be missing from the traces of other files only.
    if not lossy or not any(has_traces and [path] != lossy for path, has_traces, _ in files):
        return ""
    more = f" (and {len(lossy) - 1} more)" if len(lossy) > 1 else ""
    clause = "its unread spans may belong to traces of other files, whose tool calls count as not recorded"
    return f"{lossy[0]}{more}: {clause}"

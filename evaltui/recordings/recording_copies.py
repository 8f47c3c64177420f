"""Copies of recordings: files with the same content, and traces that a result repeats. Each session counts once."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaltui.document.binary_files import GZIP
from evaltui.document.disk.file_content import blake2b
from evaltui.document.scanner import read_json
from evaltui.evalset.case_data import get, items_in
from evaltui.evalset.keys import camel
from evaltui.file_access import exists, open_regular, read_regular
from evaltui.files.session_source import session_source
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.recording_bytes import unpacked_head, unpacked_pieces

if TYPE_CHECKING:
    from evaltui.files.file_changes import Signature

_HEAD = 1 << 16
"""Bytes at the beginning that tell most files of one size apart. google-adk writes the id of a result first."""
_LARGEST = 64 << 20
"""Bytes of a result whose values are compared with those of another one."""
RESULTS = "results_*.json"
"""The names of results of agents-cli."""
_LARGEST_GRADED = 50_000_000
"""The most bytes of a trace or result of agents-cli whose events are compared."""
_find_times = re.compile(rb'"event_time"\s*:\s*"([^"]{1,64})"').findall
_TURNS = "eval_metric_result_per_invocation"
_result_id = re.compile(r'"eval_?set_?result_?id\\?"\s{0,9}:\s{0,9}\\?"([^"\\]{1,999})\\?"', re.IGNORECASE).search
"""Finds the id in either spelling of its key, also with the escaped quotes of a result that is JSON within a string."""


def copies_among(paths: Sequence[Path]) -> dict[int, int]:
    """The index of each copy among the paths, with the index of the first file that has its content.

    Copies have the same bytes when they are unpacked. Results of google-adk with one id also are copies if they have
    the same sessions with the same recorded turns, in any layout and whatever a tool added beside them. Of such
    results, the one with the most values counts.
    """
    sources = [session_source(path) for path in paths]
    copies: dict[int, int] = {}
    # Each step reads more of fewer files: nearly all files are told apart by their size alone.
    for same_size in _groups(range(len(paths)), lambda index: _unpacked_size(*sources[index])):
        for same_head in _groups(same_size, lambda index: _digest(sources[index][0], _HEAD)):
            for first, *duplicates in _groups(same_head, lambda index: _digest(sources[index][0])):
                copies.update(dict.fromkeys(duplicates, first))
    rest = [index for index in range(len(paths)) if index not in copies]
    for same_id in _groups(rest, lambda index: _id_of_result(paths[index])) if len(rest) > 1 else ():
        # A script may write one id into each result, so the ids alone say nothing.
        results = {index: result for index in same_id if (result := _read_result(paths[index])) is not None}
        digests = {index: digest for index, (digest, _) in results.items()}
        for same_turns in _groups(digests, digests.get):
            first = max(same_turns, key=lambda index: (results[index][1], -index))
            duplicates = [index for index in same_turns if index != first]
            # A copy of a duplicate, byte for byte, is now one of the result that counts.
            copies.update((copy, first) for copy, original in [*copies.items()] if original in duplicates)
            copies.update(dict.fromkeys(duplicates, first))
    return copies


def graded_traces(paths: Iterable[Path]) -> dict[Path, Path]:
    """The traces of agents-cli that a result repeats, each with this result: each run of a case counts once."""
    paths = [*paths]
    named = [path for path in paths if fnmatchcase(path.name, RESULTS)]
    if not named:
        return {}
    from evaltui.files.file_changes import signature  # noqa: PLC0415 - few folders have results of agents-cli

    results = {path: _event_times(path, signature(path)) for path in named}
    traces = [path for path in paths if path not in results]
    # The times of events, to the microsecond, tell one run from another: the two files share no id.
    times = {path: _event_times(path, signature(path)) for path in traces}
    by_last_event = {max(times[path]): path for path in traces if times[path]}  # a trace without times stays
    return {
        trace: result
        for result, graded in results.items()
        for time in by_last_event.keys() & graded
        if times[trace := by_last_event[time]] <= graded
    }


# A dataset is scored again while somebody types, so its files are read only once in each state.
@lru_cache(maxsize=1_000)
def _event_times(path: Path, _state: Signature) -> frozenset[bytes]:
    """The times in a file; none if it was cut off, because then it cannot stand for another file."""
    try:
        data = read_regular(path, _LARGEST_GRADED)
    except (OSError, ValueError):
        return frozenset()
    return frozenset(_find_times(data)) if data.rstrip().endswith(b"}") else frozenset()


def copies_text(copies: Sequence[tuple[Path, Path]]) -> str:
    """A sentence about copies, each with the file of which it is one."""
    copy, original = copies[0]
    if len(copies) == 1:
        return f"{copy}: this is a copy of {original}, so each session in it counts once"
    count = f"{len(copies):,} files are copies of other recordings"
    return f"{count}, so each session in them counts once; the first is {copy}, a copy of {original}"


def _groups(indexes: Iterable[int], key_of: Callable[[int], Hashable]) -> Iterator[list[int]]:
    """Groups of two or more indexes with one key. An index whose key is None is in no group."""
    groups: defaultdict[Hashable, list[int]] = defaultdict(list)
    for index in indexes:
        if (key := key_of(index)) is not None:
            groups[key].append(index)
    return (group for group in groups.values() if len(group) > 1)


def _unpacked_size(path: Path, session_id: str | None) -> Hashable:
    """The unpacked bytes of a file, and its chosen session; None if it is empty, or a database with more in its log."""
    try:
        with open_regular(path) as file:
            is_packed = file.read(len(GZIP)) == GZIP
            size = file.seek(0, 2)
            if is_packed:  # the last four bytes are the size, modulo 4 GB
                file.seek(-4, 2)
                size = int.from_bytes(file.read(4), "little")
    except (OSError, ValueError):
        return None
    return (size, session_id) if size and not exists(Path(f"{path}-wal")) else None


def _digest(path: Path, most: int | None = None) -> bytes | None:
    """A digest of the first unpacked bytes of a file, or of all; None if it cannot be read."""
    digest = blake2b(digest_size=16)
    try:
        for piece in islice(unpacked_pieces(path), None if most is None else 1):
            digest.update(piece[:most])
    except RecordingError:
        return None
    return digest.digest()


def _id_of_result(path: Path) -> str | None:
    """The id of a result file; None for other files, and for one that names it late."""
    with suppress(RecordingError):
        head = unpacked_head(path, _HEAD)
        match = _result_id(head.decode(json.detect_encoding(head), "ignore"))
        return match[1] if match else None
    return None


def _read_result(path: Path) -> tuple[bytes, int] | None:
    """A digest of the sessions of a result with their turns, or of the whole value if it has none, and its length.

    None if it is large, or not JSON.
    """
    try:
        data = unpacked_head(path, _LARGEST + 1)
        if len(data) > _LARGEST:
            return None
        value = read_json(data.decode(json.detect_encoding(data)))
        if isinstance(value, str):  # google-adk up to 1.21 wrote a text with the JSON in it
            value = read_json(value)
        text = json.dumps(value, sort_keys=True)
    except (RecordingError, ValueError):
        return None
    cases = items_in(value, "eval_case_results")
    turns = ([_in_camel_case(get(turn, "actual_invocation")) for turn in items_in(case, _TURNS)] for case in cases)
    sessions = [(get(case, "eval_id"), get(case, "session_id"), own) for case, own in zip(cases, turns, strict=True)]
    recorded = json.dumps(sessions or value, sort_keys=True)
    return blake2b(recorded.encode(), digest_size=16).digest(), len(text)


def _in_camel_case(value: Any) -> Any:
    """A value with its keys in one spelling, without those that are null: versions of google-adk differ in both."""
    if isinstance(value, dict):
        return {camel(key): _in_camel_case(member) for key, member in value.items() if member is not None}
    return [_in_camel_case(item) for item in value] if isinstance(value, list) else value

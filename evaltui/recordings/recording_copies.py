"""Copies of recordings: files with the same content. However many there are, each session in them counts once."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from evaltui.document.binary_files import GZIP
from evaltui.document.blake2 import blake2b
from evaltui.document.plain_values import plain_value
from evaltui.evalset.case_data import get, items_in
from evaltui.evalset.keys import camel
from evaltui.file_access import exists, open_regular
from evaltui.files.session_source import SessionSource, session_source
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.recording_bytes import PIECE, RecordingBytes

_HEAD = 1 << 16
"""Bytes at the beginning that tell most files of one size apart. google-adk writes the id of a result first."""
_LARGEST = 64 << 20
"""Bytes of a result whose values are compared with those of another one."""
_TURNS = "eval_metric_result_per_invocation"
_result_id = re.compile(r'"eval_?set_?result_?id\\?"\s{0,9}:\s{0,9}\\?"([^"\\]{1,999})\\?"', re.IGNORECASE).search
"""Finds the id in either spelling of its key, also with the escaped quotes of a result that is JSON within a string."""


class _Result(NamedTuple):
    """The facts of a google-adk result that show whether it is a copy of another one with its id."""

    digest: bytes
    """A digest of its sessions and their recorded turns, in any layout."""
    length: int
    """The characters of its values in one layout."""


def copies_among(paths: Sequence[Path]) -> dict[int, int]:
    """The index of each copy among the paths, with the index of the first file that has its content.

    Copies have the same bytes when they are unpacked. Results of google-adk with one id also are copies if they have
    the same sessions with the same recorded turns, in any layout and whatever a tool added beside them. A script may
    write one id into each result, so the ids alone say nothing. Of such results, the one with the most values counts.
    """
    sources = [session_source(path) for path in paths]
    found: dict[int, int] = {}
    for of_one_size in _alike(range(len(paths)), lambda index: _size(sources[index])):
        for begun_alike in _alike(of_one_size, lambda index: _digest(sources[index].file, _HEAD)):
            for first, *others in _alike(begun_alike, lambda index: _digest(sources[index].file)):
                found.update(dict.fromkeys(others, first))
    rest = [index for index in range(len(paths)) if index not in found]
    for of_one_id in _alike(rest, lambda index: _id_of_result(paths[index])) if len(rest) > 1 else ():
        for first, others in _copied_results({index: _result_at(paths[index]) for index in of_one_id}):
            found.update((copy, first) for copy, original in [*found.items()] if original in others)
            found.update(dict.fromkeys(others, first))
    return found


def _copied_results(results: Mapping[int, _Result | None]) -> Iterator[tuple[int, list[int]]]:
    """The index of each result that counts, and those of its copies."""
    read = {index: result for index, result in results.items() if result is not None}
    for alike in _alike(read, lambda index: read[index].digest):
        first = max(alike, key=lambda index: (read[index].length, -index))
        yield first, [index for index in alike if index != first]


def copies_text(copies: Sequence[tuple[Path, Path]]) -> str:
    """A sentence about copies, each with the file of which it is one."""
    copy, original = copies[0]
    if len(copies) == 1:
        return f"{copy}: this is a copy of {original}, so each session in it counts once"
    count = f"{len(copies):,} files are copies of other recordings"
    return f"{count}, so each session in them counts once; the first is {copy}, a copy of {original}"


def _alike(indexes: Iterable[int], key: Callable[[int], Hashable]) -> Iterator[list[int]]:
    """Groups of two or more indexes with one key. An index whose key is None is in no group."""
    groups: defaultdict[Hashable, list[int]] = defaultdict(list)
    for index in indexes:
        if (found := key(index)) is not None:
            groups[found].append(index)
    return (group for group in groups.values() if len(group) > 1)


def _size(source: SessionSource) -> Hashable:
    """The unpacked bytes of a file, and its chosen session; None if it is empty, or a database with more in its log."""
    try:
        with open_regular(source.file) as file:
            is_packed = file.read(len(GZIP)) == GZIP
            size = file.seek(0, 2)
            if is_packed:  # the last four bytes are the size, modulo 4 GB
                file.seek(-4, 2)
                size = int.from_bytes(file.read(4), "little")
    except (OSError, ValueError):
        return None
    return (size, source.session_id) if size and not exists(Path(f"{source.file}-wal")) else None


def _digest(path: Path, most: int | None = None) -> bytes | None:
    """A digest of the first unpacked bytes of a file, or of all; None if it cannot be read."""
    seen = blake2b(digest_size=16)
    try:
        for piece in islice(RecordingBytes(path).pieces(), None if most is None else -(-most // PIECE)):
            seen.update(piece[:most])
    except RecordingError:
        return None
    return seen.digest()


def _id_of_result(path: Path) -> str | None:
    """The id of a result file; None for other files, and for one that names it late."""
    try:
        head = RecordingBytes(path).head(_HEAD)
    except RecordingError:
        return None
    found = _result_id(head.decode(json.detect_encoding(head), "ignore"))
    return found[1] if found else None


def _result_at(path: Path) -> _Result | None:
    """The result in a file, which may be JSON within a string; None if it is large, or not JSON."""
    try:
        data = RecordingBytes(path).head(_LARGEST + 1)
        if len(data) > _LARGEST:
            return None
        value = plain_value(data.decode(json.detect_encoding(data)))
        if isinstance(value, str):
            value = plain_value(value)
        text = json.dumps(value, sort_keys=True)
    except (RecordingError, ValueError, RecursionError):
        return None
    digest = blake2b(json.dumps(_recorded(value), sort_keys=True).encode(), digest_size=16).digest()
    return _Result(digest, len(text))


def _recorded(result: Any) -> Any:
    """The sessions of a result with their turns; the whole value if it has none."""
    return [
        (
            *(get(case, name) for name in ("eval_id", "session_id")),
            [_in_camel_case(get(turn, "actual_invocation")) for turn in items_in(case, _TURNS)],
        )
        for case in items_in(result, "eval_case_results")
    ] or result


def _in_camel_case(value: Any) -> Any:
    """A value with its keys in one spelling, without those that are null."""
    if isinstance(value, dict):
        return {camel(key): _in_camel_case(member) for key, member in value.items() if member is not None}
    return [_in_camel_case(item) for item in value] if isinstance(value, list) else value

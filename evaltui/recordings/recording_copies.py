"""Copies of recordings: files with the same bytes. However many there are, each session in them counts once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from pathlib import Path

from evaltui.document.blake2 import blake2b
from evaltui.file_access import exists, open_regular
from evaltui.files.session_source import SessionSource, session_source

_HEAD = 1 << 16
"""Bytes at the beginning that tell most files of one size apart."""
_PIECE = 1 << 20


def copies_among(paths: Sequence[Path]) -> dict[int, int]:
    """The index of each copy among the paths, with the index of the first file that has its bytes."""
    sources = [session_source(path) for path in paths]
    found: dict[int, int] = {}
    for of_one_size in _alike(range(len(paths)), lambda index: _size(sources[index])):
        for begun_alike in _alike(of_one_size, lambda index: _digest(sources[index].file, _HEAD)):
            for first, *others in _alike(begun_alike, lambda index: _digest(sources[index].file)):
                found.update(dict.fromkeys(others, first))
    return found


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
    """The bytes of a file, and its chosen session; None if it is empty, or a database that has more in its log."""
    try:
        size = source.file.stat().st_size
    except (OSError, ValueError):
        return None
    return (size, source.session_id) if size and not exists(Path(f"{source.file}-wal")) else None


def _digest(path: Path, most: int | None = None) -> bytes | None:
    """A digest of the first bytes of a file, or of all; None if it cannot be read."""
    seen = blake2b(digest_size=16)
    try:
        with open_regular(path) as file:
            if most is not None:
                return blake2b(file.read(most), digest_size=16).digest()
            while piece := file.read(_PIECE):
                seen.update(piece)
    except (OSError, ValueError):
        return None
    return seen.digest()

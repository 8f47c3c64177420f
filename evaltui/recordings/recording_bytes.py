"""The bytes of a recording, piece by piece, unpacked if they are gzip."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from evaltui.document.binary_files import GZIP
from evaltui.document.disk.file_content import is_fresh
from evaltui.file_access import NOT_A_FILE, open_regular, size_of
from evaltui.recordings.conversation import RecordingChangedError, RecordingError

Progress = Callable[[int], None]
"""Takes how many bytes of the file have been read since the last time."""

_PIECE = 1 << 20
LARGEST = 2 << 30
"""The most unpacked bytes of a file: more would not fit into memory, or is an attack."""
TIGHT = 64 << 20
TIGHTEST = 100
"""From `TIGHT` unpacked bytes on, the highest compression ratio; more is an attack. Traces reach a ratio of 50."""
LARGE = 16_000_000
"""Bytes from which on a file is read conversation by conversation (`large_recording`); smaller ones as a whole."""
PACKED = 10
"""The usual ratio of unpacked to packed size."""
_GROWTH = 64 << 20
"""Bytes by which a file may grow while it is read."""
_SMALL = 16 << 20
"""Bytes up to which a file that was just written is read twice; reading more takes longer than a step of its time."""


def is_large(path: Path, data: bytes | None = None) -> bool:
    """Whether a file, or `data` in its place, is so large that its conversations are read one by one."""
    size = size_of(path) if data is None else len(data)
    return size * (PACKED if path.suffix == ".gz" else 1) >= LARGE


def unpacked_pieces(path: Path, data: bytes | None = None, progress: Progress | None = None) -> Iterator[bytes]:
    """The unpacked bytes of a file, or of `data` in its place (standard input). Raises `RecordingError`."""
    try:
        with _opened(path) if data is None else io.BytesIO(data) as file:
            yield from _unpacked(path, file, progress)
    except FileNotFoundError:
        raise RecordingError(f"{path}: there is no such file") from None
    except EOFError:
        raise RecordingError(f"{path}: the gzip data is incomplete; copy the file again") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise RecordingError(f"{path}: the gzip data is damaged; copy the file again") from error
    except OSError as error:
        fault = f"cannot be read: {(error.strerror or str(error)).lower()}"
        if error.strerror == NOT_A_FILE:
            fault = "this is a device or pipe, not a file; write its content to a file first"
        raise RecordingError(f"{path}: {fault}") from error
    except ValueError as error:  # a NUL in the path
        if isinstance(error, RecordingError):
            raise
        raise RecordingError(f"{path}: not a valid file name") from error


def unpacked_head(path: Path, size: int, data: bytes | None = None) -> bytes:
    """At most `size` first bytes of a file, or of `data`, unpacked. Raises `RecordingError`."""
    head = b""
    for piece in unpacked_pieces(path, data):
        head += piece
        if len(head) >= size:
            break
    return head[:size]


def _opened(path: Path) -> IO[bytes]:
    if path.is_dir():
        raise RecordingError(f"{path}: this is a folder that cannot be read")
    file = open_regular(path)
    size = os.fstat(file.fileno()).st_size
    if not (0 < size <= _SMALL and is_fresh(path)):
        return file
    with file:  # read twice, because a time that is fresh may hide a write of the same length
        data = file.read(size)
        file.seek(0)
        again = file.read(size)
    if len(again) == len(data) and again != data:
        raise RecordingChangedError(f"{path}: the file changed while it was read")
    return io.BytesIO(data)


def _unpacked(path: Path, file: IO[bytes], progress: Progress | None) -> Iterator[bytes]:
    is_packed = file.read(len(GZIP)) == GZIP
    file.seek(0, io.SEEK_END)
    most = 2 * file.tell() + _GROWTH
    file.seek(0)
    stream = gzip.GzipFile(fileobj=file) if is_packed else file
    reported = size = 0
    while piece := stream.read(_PIECE):
        size += len(piece)
        if not is_packed and size > most:  # a file such as those of /proc
            raise RecordingError(f"{path}: the file has more bytes than its size says; leave it out")
        # A few kilobytes of gzip can unpack to terabytes, so each piece is counted before the next one is read.
        if is_packed and size > LARGEST:
            raise RecordingError(f"{path}: the file has more than 2 GB of uncompressed data; split the file")
        if is_packed and size > TIGHT and size > TIGHTEST * file.tell():
            raise RecordingError(f"{path}: the file is compressed too much for a recording; leave it out")
        if progress is not None:
            progress(file.tell() - reported)
            reported = file.tell()
        yield piece

"""Records that may be more than the memory: a list of objects, or pickles in an unnamed file once they are large."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any, TypeVar, overload
from weakref import finalize

from evaltui.document.errors import DocumentError

MOST = 8_000_000
"""Bytes of records in JSON up to which they stay objects, which take five to six times as much memory."""

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@contextmanager
def _explained_faults() -> Iterator[None]:
    """Raise `DocumentError` for a file that cannot be made or written."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise DocumentError(f"the temporary folder cannot be used: {reason}; set TMPDIR to another folder") from error


def dumped(record: object) -> bytes:
    """The pickle of a record. Raises `DocumentError` for values in too many levels, which pickle walks recursively."""
    import pickle  # noqa: PLC0415 - small runs pickle nothing

    try:
        return pickle.dumps(record, pickle.HIGHEST_PROTOCOL)
    except RecursionError as error:
        raise DocumentError("a value is nested too deeply to be kept in a file; leave it out") from error


def loaded(data: bytes) -> Any:
    """The record in a pickle that a process of this run has made. Nothing of a foreign file is ever loaded so."""
    import pickle  # noqa: PLC0415 - as above

    return pickle.loads(data)


def _close(file: IO[bytes]) -> None:
    with suppress(OSError):  # the disk is full, which writing has reported
        file.close()


class LazySequence(Sequence[T_co]):
    """A sequence whose elements are made when somebody asks for them."""

    def __init__(self, count: int, make: Callable[[int], T_co]) -> None:
        self._places, self._make = range(count), make

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> T_co: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T_co]: ...
    def __getitem__(self, index: int | slice) -> T_co | Sequence[T_co]:
        places = self._places[index]
        return self._make(places) if isinstance(places, int) else [*map(self._make, places)]


class Spool(Sequence[T]):
    """Records in the order in which they are appended.

    The file has no name and ends with its process, so nothing is left behind, however the process ends.
    """

    def __init__(self) -> None:
        self._records: list[T] = []
        self._size = 0
        self._file: IO[bytes] | None = None
        self._ends = array("Q", [0])
        """The ends of the records in the file."""
        self._is_flushed = True

    def __len__(self) -> int:
        return len(self._records) if self._file is None else len(self._ends) - 1

    def append(self, record: T, size: int) -> None:
        """Add a record that has this number of bytes in JSON. Raises `DocumentError` if the disk is full."""
        if self._file is not None:
            self.append_pickled(dumped(record))
            return
        self._records.append(record)
        self._size += size
        if self._size <= MOST:
            return
        from tempfile import TemporaryFile  # noqa: PLC0415 - small runs write no file

        with _explained_faults():
            self._file = TemporaryFile(prefix="evaltui-")  # noqa: SIM115 - it lives as long as the spool
        finalize(self, _close, self._file)
        records, self._records = self._records, []
        for earlier in records:
            self.append_pickled(dumped(earlier))

    def append_pickled(self, data: bytes) -> None:
        """Add a record that another process has pickled. Raises `DocumentError` if the disk is full."""
        if self._file is None:
            self.append(loaded(data), len(data))
            return
        with _explained_faults():
            self._file.write(data)
        self._ends.append(self._ends[-1] + len(data))
        self._is_flushed = False

    def pickled(self, index: int) -> bytes:
        """The pickle of a record, for another process."""
        if self._file is None:
            return dumped(self._records[index])
        start, end = self._ends[index : index + 2]
        if not self._is_flushed:
            with _explained_faults():
                self._file.flush()
            self._is_flushed = True
        if hasattr(os, "pread"):  # leaves the place where the next record is written
            return os.pread(self._file.fileno(), end - start, start)
        self._file.seek(start)
        data = self._file.read(end - start)
        self._file.seek(0, os.SEEK_END)
        return data

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if self._file is None:
            return self._records[index]
        places = range(len(self))[index]
        return (
            loaded(self.pickled(places))
            if isinstance(places, int)
            else [loaded(self.pickled(place)) for place in places]
        )


class SpoolPart(LazySequence[T]):
    """The records of a spool from `start` up to `stop`."""

    def __init__(self, spool: Spool[T], start: int, stop: int) -> None:
        super().__init__(stop - start, lambda place: spool[start + place])
        self._spool, self._start = spool, start

    def pickled(self, index: int) -> bytes:
        """The pickle of a record, for another process."""
        return self._spool.pickled(self._start + index)

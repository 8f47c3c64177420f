"""Rows of datasets: each is a pickled record, with its kind and the keys by which Ray Data groups rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Any, Generic, NamedTuple, TypeVar

import pyarrow as pa
import ray

from evaltui.files.spool import dumped, loaded

T = TypeVar("T")

_MOST_KNOWN = 4
"""The number of broadcast values that a process keeps."""
_known: dict[str, Any] = {}


class Broadcast(Generic[T]):
    """A value in the object store: a machine fetches it once, and each of its processes reads it once."""

    def __init__(self, value: T) -> None:
        self._place = ray.put(value)

    @property
    def value(self) -> T:
        """The value, in any process."""
        name = self._place.hex()
        if name not in _known:
            while len(_known) >= _MOST_KNOWN:
                del _known[next(iter(_known))]
            _known[name] = ray.get(self._place)
        value: T = _known[name]
        return value


class RowKind(IntEnum):
    """The kinds of rows."""

    FILES = 0
    """A list of `ClusterFile` that nobody has read."""
    FILE = 1
    """A `ClusterFile` that was read."""
    CONVERSATION = 2
    """The `PlacedPickle` of a conversation."""
    FACTS = 3
    """A list of the `PlacedPickle` of facts."""
    TRACE = 4
    """The place of a trace, and the `RecordedTrace`."""
    BLOCK = 5
    """A list of `CaseToScore`, whose conversations have their places only."""
    RESULTS = 6
    """The number of a block; its `PackedBlock` and the bytes of its cases."""


ConversationPlace = tuple[int, int, int]
"""The place of a conversation among all of a run, which gives their order.

The number of its file; the number of the file in which it begins, another one only for traces in several files; and its
number there.
"""


class ClusterRow(NamedTuple):
    """A row of a dataset."""

    kind: RowKind
    record: Any
    block: int = 0
    """The number of the block of cases."""
    conversation: bytes = b""
    """A key that the traces of one conversation share."""
    trace: bytes = b""
    """A key that the parts of one trace share."""


_SCHEMA = pa.schema(
    [
        ("kind", pa.int8()),
        ("block", pa.int64()),
        ("conversation", pa.binary()),
        ("trace", pa.binary()),
        ("record", pa.large_binary()),
    ]
)


def table_of(rows: Iterable[ClusterRow]) -> pa.Table:
    """The rows as an Arrow table."""
    return pa.Table.from_pylist([{**row._asdict(), "record": dumped(row.record)} for row in rows], _SCHEMA)


def only(table: pa.Table, *kinds: RowKind) -> pa.Table:
    """The rows of these kinds."""
    chosen = pa.compute.is_in(table["kind"], pa.array([int(kind) for kind in kinds], pa.int8()))
    return table.filter(chosen)


def records_in(table: pa.Table, kind: RowKind) -> Iterator[Any]:
    """The records of the rows of one kind, one after another."""
    for chunk in only(table, kind)["record"].chunks:
        for value in chunk:
            yield loaded(value.as_buffer())

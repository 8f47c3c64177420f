"""Rows of datasets: each is a record in bytes, with its kind and the keys by which Ray Data groups rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Any, NamedTuple

import pyarrow as pa

from evaltui.runs.batch.work_folder import packed, unpacked


class RowKind(IntEnum):
    """The kinds of rows."""

    FILES = 0
    """A list of `FileToRead`."""
    FILE = 1
    """`FileFacts`."""
    CONVERSATION = 2
    """`ReadConversation`."""
    TRACE = 3
    """`ReadTrace`."""
    NOTES = 4
    """`MatchNotes`."""
    MATCH = 5
    """`ClusterMatch`."""
    BLOCK = 6
    """`ClusterBlock`."""
    RESULTS = 7
    """`BlockResults`."""


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
    columns: tuple[list[Any], ...] = ([], [], [], [], [])
    for row in rows:
        values = (int(row.kind), row.block, row.conversation, row.trace, packed(row.record))
        for column, value in zip(columns, values, strict=True):
            column.append(value)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, _SCHEMA, strict=True)]
    return pa.Table.from_arrays(arrays, schema=_SCHEMA)


def only(table: pa.Table, *kinds: RowKind) -> pa.Table:
    """The rows of these kinds."""
    chosen = pa.compute.is_in(table["kind"], pa.array([int(kind) for kind in kinds], pa.int8()))
    return table.filter(chosen)


def records_in(table: pa.Table, kind: RowKind) -> Iterator[Any]:
    """The records of the rows of one kind, one after another."""
    for chunk in only(table, kind)["record"].chunks:
        for value in chunk:
            yield unpacked(value.as_buffer())

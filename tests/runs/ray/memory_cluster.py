"""The parts of Ray that a run uses, in this process: rows come in random order, and all values are pickled."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest


class MemoryData:
    """A dataset: a list of Arrow tables."""

    def __init__(self, tables: Sequence[Any], chance: random.Random) -> None:
        self._tables, self._chance = tables, chance

    def map_batches(self, function: Callable[..., Any], fn_args: tuple[Any, ...] = (), **_: object) -> MemoryData:
        return self._of(table for each in self._tables for table in _called(function, each, fn_args))

    def union(self, other: MemoryData) -> MemoryData:
        return self._of([*self._tables, *other._tables])

    def groupby(self, key: str, num_partitions: int) -> MemoryData:
        import pyarrow as pa

        assert num_partitions > 0
        whole = pa.concat_tables(self._tables)
        rows = {value: whole.filter(pa.compute.equal(whole[key], value)) for value in whole[key].unique()}
        return self._of(rows.values())

    map_groups = map_batches

    def iter_internal_ref_bundles(self) -> Iterator[Any]:
        return (SimpleNamespace(block_refs=[table]) for table in self._tables)

    def materialize(self) -> MemoryData:
        return self

    def iter_batches(self, **_: object) -> Iterator[Any]:
        return iter(self._tables)

    def iter_rows(self) -> Iterator[dict[str, Any]]:
        return (row for table in self._tables for row in table.to_pylist())

    def size_bytes(self) -> int:
        return sum(table.nbytes for table in self._tables)

    def _of(self, tables: Any) -> MemoryData:
        found = list(tables)
        self._chance.shuffle(found)
        return MemoryData(found, self._chance)


def _called(function: Callable[..., Any], table: Any, arguments: tuple[Any, ...]) -> Iterator[Any]:
    function, arguments = pickle.loads(pickle.dumps((function, arguments)))
    found = function(table, *arguments)
    yield from found if isinstance(found, Iterator) else [found]


class _Place(int):
    """The place of a value in the object store."""

    def hex(self) -> str:
        return str(int(self))


def use_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs on a cluster use this process. Skips the test if Ray is not installed."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'evaltui[ray]'")
    values: list[bytes] = []
    chance = random.Random(3)

    def put(value: object) -> _Place:
        values.append(pickle.dumps(value))
        return _Place(len(values) - 1)

    def get(place: int) -> Any:
        return pickle.loads(values[place])

    data = SimpleNamespace(
        from_arrow=lambda tables: MemoryData(tables, chance),
        from_arrow_refs=lambda places: MemoryData(
            [get(each) if isinstance(each, _Place) else each for each in places], chance
        ),
    )
    ray = SimpleNamespace(put=put, get=get, cluster_resources=lambda: {"CPU": 2.0}, data=data)
    monkeypatch.setattr("evaltui.runs.ray.ray_run.ray", ray)
    monkeypatch.setattr("evaltui.runs.ray.ray_rows.ray", ray)
    monkeypatch.setattr("evaltui.runs.ray.ray_rows._known", {})
    monkeypatch.setattr("evaltui.runs.ray.connection.connected", lambda *_: nullcontext())

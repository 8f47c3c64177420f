"""`evaltui run --engine ray` on one node and on two with a processor each, and the work of a block by itself.

It needs Ray (`pip install 'evaltui[ray]'`). The times of the command include its start and the connection, but not the
start of the nodes.
"""

import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, MeasurementError, ratio
from benchmarks.large_set import large_results, large_set
from benchmarks.processes import PROJECT, evaltui, fresh_environment

SIZES = (10_000, 30_000, 100_000)
HALF_A_MILLION = (500_000,)
_LARGEST_INDEX = SIZES[-1]
_ROUNDS = 5
_BLOCK = 200
_IN_A_FILE = 1000
_STORE_BYTES = 2_000_000_000
_FAILED = 1
"""The exit code: each third case fails."""


def figures(sizes: Sequence[int] = SIZES) -> Iterator[Figure]:
    """One after another, each as soon as it is measured."""
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_idle_worker_killing_time_threshold_ms": "600000"}
    try:
        import ray.cluster_utils  # noqa: F401
    except ImportError as error:
        raise MeasurementError("Ray is not installed: pip install 'evaltui[ray]'") from error
    yield from _commands(sizes)
    yield from _work()


def half_a_million() -> Iterator[Figure]:
    """The figures of 500,000 cases, which take some minutes."""
    return figures(HALF_A_MILLION)


def _commands(sizes: Sequence[int]) -> Iterator[Figure]:
    for cases in sizes:
        words = ["run", large_set(cases), "-r", large_results(cases), "--format", "json"]
        by_nodes = []
        for nodes in (1, 2):
            with _cluster(nodes) as address:
                there = ["--engine", "ray", "--address", address]
                _seconds(["run", large_set(_BLOCK), "-r", large_results(_BLOCK), *there])  # its workers load Ray Data
                seconds = _seconds([*words, *there])
            name = f"run --engine ray, {cases:,} cases × 2 turns, {nodes} node{'s' * (nodes > 1)}"
            by_nodes.append(Figure(name, [1000 * seconds]))
            yield by_nodes[-1]
        yield ratio("  one node / two", *by_nodes)


def _seconds(words: Sequence[str | Path]) -> float:
    with fresh_environment() as env:
        start = time.perf_counter()
        done = subprocess.run(
            evaltui(*words), env=env, cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
        )
    if done.returncode != _FAILED:
        raise MeasurementError(f"it ended with {done.returncode} and said: {done.stderr.decode()[-300:]}")
    return time.perf_counter() - start


@contextmanager
def _cluster(nodes: int) -> Iterator[str]:
    """The address of a new cluster."""
    from ray.cluster_utils import Cluster

    facts: dict[str, Any] = {"num_cpus": 1, "object_store_memory": _STORE_BYTES}
    cluster = Cluster(initialize_head=True, head_node_args={**facts, "include_dashboard": False})
    try:
        for _ in range(nodes - 1):
            cluster.add_node(**facts)
        yield cluster.address
    finally:
        cluster.shutdown()


# --- the work of one task, without Ray -------------------------------------------------------------------------------


def _work() -> Iterator[Figure]:
    """What tasks read and score, and the matching of their conversations by the command."""
    import pyarrow as pa

    from evaltui import __version__
    from evaltui.recordings.matching import Matching
    from evaltui.report.run_reports import preparation_of
    from evaltui.runs.config_file import criteria_for
    from evaltui.runs.input_sets import read_sets
    from evaltui.runs.ray.ray_rows import ClusterRow, RowKind, records_in, table_of
    from evaltui.runs.ray.ray_run import _reading_of
    from evaltui.runs.ray.recording_tasks import read_files
    from evaltui.runs.ray.score_tasks import needed_by, needed_conversations, scored_block
    from evaltui.runs.ray.store_files import ClusterFile
    from evaltui.runs.run_options import RunOptions
    from evaltui.runs.score_blocks import ScoreSettings, blocks_of
    from evaltui.runs.score_sets import ScoredRun

    file = sorted(large_results(_LARGEST_INDEX).glob("*.json"))[0]
    settings = str(PROJECT), (), True, False, __version__
    files = table_of([ClusterRow(RowKind.FILES, [ClusterFile(str(file), file.stat().st_size, True)])])
    yield _timed(
        f"task: read a file of {_IN_A_FILE:,} conversations ({file.stat().st_size / 1e6:.1f} MB)",
        lambda: list(read_files(files, *settings)),
    )
    (read,) = read_files(files, *settings)
    yield Figure("  its conversations and their facts, packed", [read.nbytes / 1e6], "MB")
    ((subject, facts, _),) = read_sets([(str(large_set(_LARGEST_INDEX)), ())], (), ScoredRun())
    numbers = range(_BLOCK)
    headers = [*records_in(read, RowKind.FILE)]
    rows = _Rows(read)

    def matched() -> Matching:
        recordings, *_ = _reading_of(rows, headers)
        return Matching(facts, recordings, subject.eval_set_id)

    yield _timed(f"command: index {_LARGEST_INDEX:,} cases, match {_IN_A_FILE:,} conversations with them", matched)
    (_, order, _), matching = _reading_of(rows, headers), matched()
    wanted = _Value(needed_by(order, matching, numbers, _BLOCK, all_runs=False))
    yield _timed("task: choose the conversations that count", lambda: needed_conversations(read, wanted))
    block = next(blocks_of(subject, numbers, matching, all_runs=False, form="number", size=_BLOCK))
    conversations = needed_conversations(read, wanted)
    group = pa.concat_tables([table_of([ClusterRow(RowKind.BLOCK, block)]), conversations])
    yield Figure(f"task: a block of {_BLOCK} cases moves", [group.nbytes / 1e6], "MB")
    criteria = criteria_for(subject, RunOptions())
    settings = _Value(ScoreSettings(criteria, prepare=preparation_of(True, _BLOCK), keeps_turns=False))
    yield _timed("  it is scored", lambda: scored_block(group, settings))
    yield Figure("  its results", [scored_block(group, settings).nbytes / 1e6], "MB")


class _Rows:
    """Stands for a dataset with one table."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def map_batches(self, function: Callable[..., Any], fn_args: tuple[Any, ...], **_: object) -> Any:
        return _Rows(function(self._table, *fn_args))

    def iter_batches(self, **_: object) -> list[Any]:
        return [self._table]


class _Value:
    """Stands for a `Broadcast`."""

    def __init__(self, value: object) -> None:
        self.value = value


def _timed(name: str, call: Callable[[], object]) -> Figure:
    call()
    samples = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        call()
        samples.append(1000 * (time.perf_counter() - start))
    return Figure(name, samples)

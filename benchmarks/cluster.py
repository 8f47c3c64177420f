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
    """The maps and the reduce on one block, and the broadcast of the facts of a large set."""
    import pyarrow as pa

    from evaltui.report.run_reports import preparation_of
    from evaltui.runs.batch.batch_run import BatchRun
    from evaltui.runs.batch.packed_results import ResultOptions
    from evaltui.runs.batch.work_folder import work_folder
    from evaltui.runs.cluster.block_scorer import ClusterBlock, ScoreOptions, score_block
    from evaltui.runs.cluster.conversation_matcher import CaseBlocks, SetToMatch, match_conversations
    from evaltui.runs.cluster.recording_reader import FileToRead, ReadOptions, read_files
    from evaltui.runs.cluster.rows import ClusterRow, RowKind, only, table_of
    from evaltui.runs.config_file import criteria_for
    from evaltui.runs.run_options import RunOptions, SetArgument
    from evaltui.runs.sets_to_score import SetsToScore

    file = sorted(large_results(_LARGEST_INDEX).glob("*.json"))[0]
    options = ReadOptions(str(PROJECT), True, False, ())
    files = table_of([ClusterRow(RowKind.FILES, [FileToRead(0, str(file))])])
    yield _timed(
        f"map: read a file of {_IN_A_FILE:,} conversations ({file.stat().st_size / 1e6:.1f} MB)",
        lambda: list(read_files(files, options)),
    )
    read = next(read_files(files, options))
    yield Figure("  its conversations, packed", [read.nbytes / 1e6], "MB")
    with work_folder() as folder:
        run = BatchRun(folder, RunOptions())
        (to_score,) = SetsToScore((), print).read([SetArgument(str(large_set(_LARGEST_INDEX)))])
        run.add(to_score.subject, None)
        subject, _ = run.sets[0]
        index = folder.index.serialize()
        yield Figure(f"broadcast: facts of {_LARGEST_INDEX:,} cases", [len(index) / 1e6], "MB")
        blocks = CaseBlocks(None, len(subject.cases), _BLOCK)
        facts = (_Value(index), 0, subject.eval_set_id, blocks)
        switches = {"all_runs": False, "is_only_one": False, "has_outlines": False}
        yield _timed("  a process opens them", lambda: SetToMatch(*facts, **switches).finder)
        to_match = _Value(SetToMatch(*facts, **switches))
        yield _timed(f"map: match {_IN_A_FILE:,} conversations", lambda: match_conversations(read, to_match))
        matches = only(match_conversations(read, to_match), RowKind.MATCH)
        numbers = range(_BLOCK)
        texts = [subject.source_of(number) for number in numbers]
        block = table_of([ClusterRow(RowKind.BLOCK, ClusterBlock(list(numbers), texts, [""] * _BLOCK), 0)])
        group = pa.concat_tables([block, matches.filter(pa.compute.equal(matches["block"], 0))])
        made = ResultOptions(criteria_for(subject, RunOptions()), False, preparation_of(True, _BLOCK))
        yield Figure(f"reduce: a block of {_BLOCK} cases moves", [group.nbytes / 1e6], "MB")
        settings = _Value(ScoreOptions(made, False))
        yield _timed("  it is scored", lambda: score_block(group, settings))
        yield Figure("  its results", [score_block(group, settings).nbytes / 1e6], "MB")


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

"""`evaltui run` from spawn to end, alternating with `agentevals run` if that is installed.

EVALTUI_AGENTEVALS_PYTHON names the Python of a virtual environment with agentevals-cli. With EVALTUI_SHARED both score
agentevals' own sample; otherwise evaltui scores a sample set of this project.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.figures import Figure, ratio
from benchmarks.large_set import large_set
from benchmarks.processes import PROJECT, evaltui, fresh_environment, seconds_and_mb

ROUNDS = 5
_METRICS = ("tool_trajectory_avg_score", "response_match_score")
_ENDS = (0, 1)
"""Exit codes of a scored set: all cases passed, or some failed."""


def figures() -> Iterator[Figure]:
    """One after another, each as soon as it is measured."""
    yield from _of_a_trace()
    yield from _of_a_large_set()


def _of_a_trace() -> Iterator[Figure]:
    shared = os.environ.get("EVALTUI_SHARED")
    samples = Path(shared, "recordings") if shared else PROJECT / "sample_sets"
    eval_set = samples / "eval_set_helm.json" if shared else samples / "trip_planner.evalset.json"
    trace = samples / "helm.json" if shared else samples / "recordings"
    ours = evaltui("run", eval_set, "-r", trace, *(part for name in _METRICS for part in ("--metric", name)))
    commands = [ours, *_peer(trace, eval_set if shared else None)]
    with fresh_environment() as env:
        rounds = [[seconds_and_mb(argv, env, _ENDS) for argv in commands] for _ in range(ROUNDS + 1)][1:]
    time = Figure("run a trace: spawn → end", [1000 * each[0][0] for each in rounds], target=350.0)
    memory = Figure("  most memory", [each[0][1] for each in rounds], "MB")
    yield from (time, memory)
    if len(commands) > 1:
        peer = Figure("  agentevals run, by turns with it", [1000 * each[1][0] for each in rounds])
        peer_memory = Figure("  its most memory", [each[1][1] for each in rounds], "MB")
        yield from (peer, peer_memory)
        yield ratio("  ratio of the times", time, peer, 1 / 15)
        yield ratio("  ratio of the memory", memory, peer_memory, 0.25)


def _peer(trace: Path, eval_set: Path | None) -> Sequence[list[str]]:
    python = os.environ.get("EVALTUI_AGENTEVALS_PYTHON")
    if not python or eval_set is None:
        return ()
    metrics = [part for name in _METRICS for part in ("-m", name)]
    return ([str(Path(python).with_name("agentevals")), "run", str(trace), "--eval-set", str(eval_set), *metrics],)


def _of_a_large_set() -> Iterator[Figure]:
    """10,000 cases of two turns, scored against another set as the recording."""
    path = large_set()
    with fresh_environment() as env:
        argv = evaltui("run", path, "-r", path)
        rounds = [seconds_and_mb(argv, env, _ENDS) for _ in range(3)][1:]
    yield Figure("run 10,000 cases × 2 turns: spawn → end", [1000 * each[0] for each in rounds], target=4000.0)
    yield Figure("  most memory", [each[1] for each in rounds], "MB")

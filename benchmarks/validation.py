"""`evaltui validate` from spawn to end, alternating with google-adk's model if that is installed.

EVALTUI_ADK_PYTHON names the Python of a virtual environment with google-adk.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure, ratio
from benchmarks.large_set import large_set
from benchmarks.processes import PROJECT, evaltui, fresh_environment, run_seconds

ROUNDS = 5
SMALL = PROJECT / "sample_sets" / "trip_planner.evalset.json"
_BARE = (
    "import sys\nfrom google.adk.evaluation.eval_set import EvalSet\n"
    "with open(sys.argv[1], 'rb') as file:\n    EvalSet.model_validate_json(file.read())"
)


def figures() -> Iterator[Figure]:
    """One after another, each as soon as it is measured."""
    for name, path, target in (("a small set", SMALL, 250.0), ("10,000 cases", large_set(), None)):
        yield from _compared(name, path, target)


def _compared(name: str, path: Path, target: float | None) -> Iterator[Figure]:
    peer = os.environ.get("EVALTUI_ADK_PYTHON")
    with fresh_environment() as env:
        commands = [evaltui("validate", path), *([[peer, "-c", _BARE, str(path)]] if peer else [])]
        samples = [[1000 * run_seconds(argv, env) for argv in commands] for _ in range(ROUNDS + 1)][1:]
    ours = Figure(f"validate {name}: spawn → end", [each[0] for each in samples], target=target)
    yield ours
    if peer:
        theirs = Figure("  google-adk's model_validate_json, by turns with it", [each[1] for each in samples])
        yield theirs
        yield ratio("  ratio of the two", ours, theirs, 1.0)

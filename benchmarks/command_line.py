"""Time from spawn to end of the commands that need no screen."""

import sys
from collections.abc import Iterator

from benchmarks.figures import Figure
from benchmarks.processes import evaltui, fresh_environment, run_seconds

ROUNDS = 15
COMMANDS = (
    ("python -c pass, for comparison", [sys.executable, "-c", "pass"], None),
    ("evaltui --version: spawn → end", evaltui("--version"), 100),
    ("evaltui --help: spawn → end", evaltui("--help"), 100),
)


def figures() -> Iterator[Figure]:
    """One after another, each as soon as it is measured."""
    for name, argv, target in COMMANDS:
        with fresh_environment() as env:
            run_seconds(argv, env)  # fills the caches
            yield Figure(name, [1000 * run_seconds(argv, env) for _ in range(ROUNDS)], target=target)

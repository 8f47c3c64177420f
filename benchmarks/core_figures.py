"""The document without a screen: open, edit, undo and save, each time in a fresh process."""

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.large_set import CASES, large_set, many_nodes_set
from benchmarks.processes import fresh_environment, output_of

ROUNDS = 5

# Each figure: its key in the output of the process, its name, unit and target.
Row = tuple[str, str, str, float | None]
LARGE: tuple[Row, ...] = (
    ("open", f"document of {CASES:,} cases: open", "ms", None),
    ("peak", "  peak memory after that", "MB", 300),
    ("first", "  first edit of a case", "ms", 33),
    ("undo", "  undo", "ms", 33),
    ("second", "  second edit of that case", "ms", 33),
    ("save", "  save", "ms", None),
)
PARSED: tuple[Row, ...] = (
    ("open", "json.loads of the same file, for comparison", "ms", None),
    ("peak", "  peak memory after that", "MB", None),
)
NODES: tuple[Row, ...] = (
    ("open", "case of 100,000 nodes: open", "ms", None),
    ("first", "  first edit in it", "ms", None),
    ("second", "  second edit in it, elsewhere", "ms", 33),
    ("undo", "  undo", "ms", 33),
)


def figures() -> Iterator[Figure]:
    """One after another, each as soon as it is measured."""
    yield from _rounds("large", large_set(), LARGE)
    yield from _rounds("parsed", large_set(), PARSED)
    yield from _rounds("nodes", many_nodes_set(), NODES)


def _rounds(kind: str, path: Path, rows: tuple[Row, ...]) -> Iterator[Figure]:
    answers: list[dict[str, float]] = []
    with fresh_environment() as env, tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS + 1):
            own = shutil.copy(path, folder)  # a save must not change the set that the next run uses
            said = output_of([sys.executable, "-m", "benchmarks.core_process", kind, own], env)
            if number > 0:  # the first fills the caches
                answers.append(json.loads(said))
    for key, name, unit, target in rows:
        yield Figure(name, [answer[key] for answer in answers], unit, target)

"""The process that `core_figures` starts: `python -m benchmarks.core_process large|parsed|nodes FILE`.

It prints milliseconds and megabytes as JSON.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from benchmarks.processes import peak_mb
from evaltui.document.document import Document
from evaltui.document.edits import Set

IN_THE_MIDDLE = "/eval_cases/5000/eval_id"
AMONG_NODES = "/eval_cases/0/session_input/state/readings"

T = TypeVar("T")


def large(path: Path) -> dict[str, float]:
    """One case of many is edited."""
    opening, document = _timed(lambda: Document.open(path))
    answer = {"open": opening, "peak": peak_mb()}
    answer["first"], _ = _timed(lambda: document.apply([Set(IN_THE_MIDDLE, b'"x"')], label="x"))
    answer["undo"], _ = _timed(document.undo)
    answer["second"], _ = _timed(lambda: document.apply([Set(IN_THE_MIDDLE, b'"y"')], label="y"))
    answer["save"], _ = _timed(document.save)
    return answer


def parsed(path: Path) -> dict[str, float]:
    """Time and memory of Python's own parser, which keeps no bytes of the text."""
    opening, _ = _timed(lambda: json.loads(path.read_bytes()))
    return {"open": opening, "peak": peak_mb()}


def nodes(path: Path) -> dict[str, float]:
    """Two numbers of very many in one case are edited."""
    opening, document = _timed(lambda: Document.open(path))
    answer = {"open": opening}
    answer["first"], _ = _timed(lambda: document.apply([Set(f"{AMONG_NODES}/5/50/50", b"-1")], label="x"))
    answer["second"], _ = _timed(lambda: document.apply([Set(f"{AMONG_NODES}/9/99/99", b"-2")], label="y"))
    answer["undo"], _ = _timed(document.undo)
    return answer


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    start = time.perf_counter()
    result = work()
    return 1000 * (time.perf_counter() - start), result


if __name__ == "__main__":
    measures = {"large": large, "parsed": parsed, "nodes": nodes}
    print(json.dumps(measures[sys.argv[1]](Path(sys.argv[2]))))

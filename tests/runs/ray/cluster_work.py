"""Sets and results for runs on a cluster, the command that scores them, and the workers that do it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.commands.runs import case, eval_set, result, turn


def run_evaltui(words: Sequence[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
    project = str(Path(__file__).parents[3])
    return subprocess.run(
        [sys.executable, "-m", "evaltui", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": project},
        capture_output=True,
        check=False,
    )


def set_of(folder: Path, cases: int, turns: int = 1) -> str:
    path = folder / "s.evalset.json"
    path.write_text(json.dumps(eval_set(*(_case(number, True, turns) for number in range(cases)))))
    return str(path)


def result_of(number: int, is_good: bool, turns: int = 1) -> bytes:
    return json.dumps(result(_case(number, is_good, turns))).encode()


def _case(number: int, is_good: bool, turns: int) -> object:
    answer = "a good answer" if is_good else "nothing at all"
    return case(f"case_{number}", *(turn(f"question {number} {each}", answer) for each in range(turns)))


def workers(work: bytes = b"MapBatches") -> list[int]:
    """The workers that do this work now, by default that read, match or score. Ray writes its name into their title."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                title = (entry / "cmdline").read_bytes()
            except OSError:  # it has ended
                continue
            if title.startswith(b"ray::") and work in title:
                found.append(int(entry.name))
    return found

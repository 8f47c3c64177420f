"""Time from spawn to the first frame: a small set, the smallest Textual app, and the large set."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.figures import Figure, ratio
from benchmarks.large_set import CASES, FIRST_CASE, large_set
from benchmarks.processes import PROJECT, evaltui, fresh_environment
from benchmarks.pty_session import PtySession

SMALL_SET = PROJECT / "sample_sets" / "trip_planner.evalset.json"
MINIMAL_APP = PROJECT / "benchmarks" / "minimal_app.py"
ROUNDS = 9
LARGE_ROUNDS = 5


def figures() -> Iterator[Figure]:
    """One after another, each as soon as it is measured."""
    yield from _small_set()
    yield from _large_set()


def _small_set() -> Iterator[Figure]:
    """Alternating with the smallest app, so that both run under the same load."""
    peer, editor = [sys.executable, str(MINIMAL_APP)], evaltui("edit", SMALL_SET)
    shown = _first_case(SMALL_SET)
    peers, editors = [], []
    with fresh_environment() as env:
        for number in range(ROUNDS + 1):
            peer_ms, editor_ms = _first_frame(peer, "READY", env), _first_frame(editor, shown, env)
            if number > 0:  # the first pair fills the caches
                peers.append(peer_ms)
                editors.append(editor_ms)
    ours = Figure("edit a small set: spawn → first frame", editors, target=350)
    theirs = Figure("  the smallest Textual app, by turns with it", peers)
    yield from (ours, theirs, ratio("  ratio of the two", ours, theirs, target=1.4))


def _large_set() -> Iterator[Figure]:
    path = large_set()
    first_frames, peaks = [], []
    with fresh_environment() as env:
        for _ in range(LARGE_ROUNDS):
            with PtySession(evaltui("edit", path), env) as session:
                first_frames.append(1000 * session.wait_for(FIRST_CASE))
                session.settle()
                peaks.append(session.peak_mb())
    yield Figure(f"edit {CASES:,} cases: spawn → first frame", first_frames, target=1500)
    yield Figure("  peak memory, once at rest", peaks, "MB", target=300)


def _first_frame(argv: Sequence[str], text: str, env: Mapping[str, str]) -> float:
    with PtySession(argv, env) as session:
        return 1000 * session.wait_for(text)


def _first_case(path: Path) -> str:
    """The start of its name, because a narrow tree may cut the rest."""
    return str(json.loads(path.read_bytes())["eval_cases"][0]["eval_id"])[:12]

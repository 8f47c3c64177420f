"""The review desk: time from keys to frames, with 1,000 failing turns among 1,000 and 10,000 cases."""

import json
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure
from benchmarks.key_latency import DOWN, HOME, SIZES, Scene, measured
from benchmarks.processes import evaltui, fresh_environment
from benchmarks.pty_session import PtySession

FAILING = 1_000
COUNTS = (FAILING, 10_000)
NEXT, ACCEPT_TURN, UNDO, REJECT, TRY = b"J", b"A", b"u", b"r", b"m"
_ANSWER = "The booking is confirmed: flight ZX 318 leaves Lisbon on Friday at 10:25 and lands in Montreal at 13:15. "

SCENES = (
    Scene("next turn", (HOME,), timed=(NEXT,), target=50, target_at_rest=50),
    Scene("↓ among differences", (HOME,), timed=(DOWN,), back=(HOME,), every=1),
    Scene("accept a turn", (), timed=(ACCEPT_TURN,), back=(UNDO,), every=1, target_at_rest=66),
    Scene("undo that", (ACCEPT_TURN,), timed=(UNDO,), back=(ACCEPT_TURN,), every=1, target_at_rest=66),
    Scene("agent is wrong", (UNDO,), timed=(REJECT,), target_at_rest=50),
    Scene("another match type", (), timed=(TRY,), target_at_rest=1_000),
)


def figures() -> Iterator[Figure]:
    """One after another, each as soon as it is measured."""
    for cases, (columns, rows) in product(COUNTS, SIZES):
        with tempfile.TemporaryDirectory() as folder:  # a new one each time: decisions stay beside the set
            argv = evaltui("review", *_arguments(Path(folder), cases))
            with fresh_environment() as env, PtySession(argv, env, (columns, rows)) as session:
                session.wait_for(f"[1/{FAILING:,}]", timeout=120)
                for scene in SCENES:
                    yield from measured(scene, session, f"{cases:,} cases, {columns}×{rows}: {scene.name}")


def _arguments(folder: Path, cases: int) -> tuple[Path, str, Path]:
    """A set and a recording in which 1,000 of its cases fail, as arguments of a command."""
    every = cases // FAILING
    expected = [_case(number, "1", _ANSWER) for number in range(cases)]
    actual = [
        _case(number, 1, f"{_ANSWER}Enjoy it.") if number % every == 0 else case for number, case in enumerate(expected)
    ]
    paths = folder / "set.evalset.json", folder / "actual.evalset.json"
    for path, listed in zip(paths, (expected, actual), strict=True):
        path.write_text(json.dumps({"eval_set_id": "set", "eval_cases": listed}, indent=2))
    return paths[0], "-r", paths[1]


def _case(number: int, flight: Any, answer: str) -> dict[str, Any]:
    calls = [{"name": "search", "args": {"to": "YUL"}}, {"name": "book", "args": {"flight_id": flight, "n": number}}]
    turn = {
        "invocation_id": "t1",
        "user_content": {"parts": [{"text": f"Book flight {number} to Montreal"}], "role": "user"},
        "final_response": {"parts": [{"text": answer}], "role": "model"},
        "intermediate_data": {"tool_uses": calls, "tool_responses": []},
    }
    return {"eval_id": f"case_{number}", "conversation": [turn]}

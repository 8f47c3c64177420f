"""Time from a save to scores on screen, and typing in live mode."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.key_latency import DOWN, ENTER, HOME, RIGHT
from benchmarks.large_set import CASES, FIRST_CASE, cache_folder, large_set
from benchmarks.live_problems import letters_typed
from benchmarks.processes import evaltui, fresh_environment
from benchmarks.pty_session import PtySession

ROUNDS = 20
LETTERS = 40
_SAVE, _BACKSPACE, _LIVE = b"\x13", b"\x7f", b"L"


def figures() -> Iterator[Figure]:
    """One after another, each as soon as it is measured."""
    yield _saved(1_000)
    yield _saved(CASES)
    yield _typing_live()


def recording(cases: int) -> Path:
    """A recording of each case of the large set. Every second response differs."""
    source = large_set(cases)
    path = source.with_name(source.name.replace(".evalset", ".actual"))
    if not path.exists():
        value = json.loads(source.read_bytes())
        for case in value["eval_cases"][::2]:
            case["conversation"][1]["final_response"]["parts"][0]["text"] = "Something else was booked for you."
        path.write_text(json.dumps(value))
    return path


def _copy_of(cases: int) -> Path:
    """A copy of the large set to save into."""
    path = cache_folder() / f"scored-{cases}.evalset.json"
    shutil.copyfile(large_set(cases), path)
    return path


def _saved(cases: int) -> Figure:
    """A letter makes a case outdated, and a save scores it: from the key to the counts of all cases in the title."""
    file, stale, half = _copy_of(cases), " 1 ~", f"{cases // 2:,} ✓ {cases // 2:,} ✗ "
    with (
        fresh_environment() as env,
        PtySession(evaltui("edit", file, "-r", recording(cases)), env, (140, 40)) as session,
    ):
        session.wait_for(FIRST_CASE)
        session.wait_for(half, 120)
        session.settle(1)
        for key in (HOME, DOWN, RIGHT, DOWN, ENTER, ENTER):  # into the user message
            session.press(key)
            session.settle()
        samples = []
        for number in range(ROUNDS):
            session.press_until(_BACKSPACE if number % 2 else b"x", stale)
            session.settle(0.5)
            samples.append(1000 * session.press_until(_SAVE, half))
            session.settle(0.2)
    return Figure(f"{cases:,} cases: save → scores", samples, target=250 if cases <= 1_000 else None, judged="p95")


def _typing_live() -> Figure:
    """A letter in live mode. Its frame also has the new score of the case."""
    with (
        fresh_environment() as env,
        PtySession(evaltui("edit", _copy_of(CASES), "-r", recording(CASES)), env, (140, 40)) as session,
    ):
        session.wait_for(FIRST_CASE)
        session.wait_for(f"{CASES // 2:,} ✓", 120)
        session.settle(1)
        for key in (_LIVE, HOME, DOWN, RIGHT, DOWN, ENTER, ENTER):  # into the user message
            session.press(key)
            session.settle()
        samples = letters_typed(session, LETTERS)
    return Figure(f"{CASES:,} cases: a letter in live mode", samples, target=16, judged="p95")

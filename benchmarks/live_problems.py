"""Time from an edit to its problem on screen, and typing while all cases are checked."""

import time
from collections.abc import Iterator

from benchmarks.figures import Figure, MeasurementError
from benchmarks.key_latency import DOWN, ENTER, ESC, HOME, RIGHT
from benchmarks.large_set import CASES, FIRST_CASE, large_set
from benchmarks.processes import evaltui, fresh_environment
from benchmarks.pty_session import PtySession

PAUSE = 0.15
"""Seconds without a key before typed text is checked. They are part of the measured time."""
ROUNDS = 20
LETTERS = 60
_BETWEEN = 0.06
"""Seconds between two letters of a fast typist."""
_PROBLEM = "1 warning"
_BACKSPACE = b"\x7f"


def figures() -> Iterator[Figure]:
    """One after another, each as soon as it is measured."""
    for cases in (10, CASES):
        yield from _shown(cases)
    yield _typing_while_checking()


def _shown(cases: int) -> Iterator[Figure]:
    """A comma in an eval_id is a problem. Undo removes it, redo brings it back."""
    with fresh_environment() as env, PtySession(evaltui("edit", large_set(cases)), env) as session:
        session.wait_for(FIRST_CASE)
        session.settle(1)
        for key in (HOME, DOWN, ENTER, ENTER):  # to the form of the first case, into its first field
            session.press(key)
            session.settle()
        typed = []
        for _ in range(ROUNDS):
            typed.append(session.press_until(b",", _PROBLEM))
            session.press(_BACKSPACE)
            session.settle(0.4)
        session.press_until(b",", _PROBLEM)
        redone = []
        for key in (ESC, b"u"):
            session.press(key)
            session.settle(0.4)
        for _ in range(ROUNDS):
            redone.append(session.press_until(b"U", _PROBLEM))
            session.press(b"u")
            session.settle(0.4)
    after = [1000 * (seconds - PAUSE) for seconds in typed]
    yield Figure(f"{cases:,} cases: end of the pause after a letter → problem", after, target=100, judged="p95")
    yield Figure(f"{cases:,} cases: redo → problem", [1000 * seconds for seconds in redone], target=100, judged="p95")


def letters_typed(session: PtySession, count: int) -> list[float]:
    """Milliseconds from each letter, pressed one after another, to the frame that shows it."""
    samples = []
    for number in range(count):
        letter = "abcdefghijklmnopqrstuvwxyz"[number % 26]
        time.sleep(_BETWEEN)
        session.drain()
        samples.append(1000 * session.press_until(letter.encode(), letter))
    return samples


def _typing_while_checking() -> Figure:
    with fresh_environment() as env, PtySession(evaltui("edit", large_set()), env) as session:
        session.wait_for(FIRST_CASE)
        for key in (HOME, DOWN, RIGHT, DOWN, ENTER, ENTER):  # into the user message
            session.press(key)
        samples = letters_typed(session, LETTERS)
        if not session.still_says("checking "):
            raise MeasurementError("all cases were checked before the typing was over")
    return Figure(f"{CASES:,} cases: a letter while they are checked", samples, target=16, judged="p95")

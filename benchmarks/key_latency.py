"""Time from a key to its frame: cursor, page and letter, with 100 and 10,000 cases, in two terminal sizes."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice

from benchmarks.figures import Figure, MeasurementError
from benchmarks.large_set import CASES, FIRST_CASE, large_set
from benchmarks.processes import evaltui, fresh_environment
from benchmarks.pty_session import Frame, PtySession

DOWN, RIGHT, HOME, PAGE_DOWN = b"\x1b[B", b"\x1b[C", b"\x1b[H", b"\x1b[6~"
ENTER, ESC = b"\r", b"\x1b"
ALT_UP, ALT_DOWN = b"\x1b[1;3A", b"\x1b[1;3B"
CTRL_F, CTRL_U = b"\x06", b"\x15"


def _letters(text: str) -> tuple[bytes, ...]:
    return tuple(letter.encode() for letter in text)


@dataclass(frozen=True)
class Scene:
    """Keys that lead on from the end of the previous scene, then keys that are timed again and again."""

    name: str
    reach: tuple[bytes, ...]
    timed: tuple[bytes, ...]
    back: tuple[bytes, ...] = ()
    """Keys pressed without timing after `every` timed keys: at the end of the list, a page key draws no frame."""
    every: int = 0
    says: str = ""
    """A text of the first frame. If it is absent, the keys led to a wrong place."""
    echoed: bool = False
    """Whether the frame must show the letter. If it does not, the keys led to a wrong place."""
    target: float = 16
    """Milliseconds until the frame with the new cursor or letter."""
    target_at_rest: float = 33
    """Milliseconds until all consequences are drawn: the form beside the cursor, marks, the status."""


# The only place to adjust if keys change. A session begins in the tree, on the first row.
SCENES = (
    Scene("↓", reach=(HOME,), timed=(DOWN,)),
    Scene("page down", reach=(HOME,), timed=(PAGE_DOWN,), back=(HOME,), every=2),
    Scene(
        "a letter into the user's text",
        reach=(HOME, DOWN, RIGHT, DOWN, ENTER, ENTER),  # to the form, into its first field
        timed=_letters("the quick brown fox "),
        echoed=True,
    ),
    # The first letter is typed while the words of the cases are still being read. ^u clears the filter.
    Scene("a letter into the filter", reach=(CTRL_F,), timed=(*_letters("oslo"), CTRL_U), target=50, target_at_rest=50),
)
ROWS = (
    # Esc leaves the filter line. A new case is being named then: esc leaves the field, 1 goes back to the tree.
    Scene(
        "add a case, from the tree",
        (ESC, HOME, DOWN),
        timed=(b"a",),
        back=(ESC, b"1", b"u", HOME, DOWN),
        every=1,
        says="added",
        target=33,
    ),
    Scene("clone a case", (HOME, DOWN), timed=(b"c",), back=(b"u", HOME, DOWN), every=1, says="cloned", target=33),
    Scene("delete a case", (HOME, DOWN), timed=(b"d",), back=(b"u",), every=1, says="deleted", target=33),
    Scene("move a case", (HOME, DOWN), timed=(ALT_DOWN,), back=(ALT_UP,), every=1, says="moved", target=33),
    Scene("undo that", (HOME, DOWN, b"d"), timed=(b"u",), back=(b"d",), every=1, says="Undone", target=33),
)
SIZES = ((80, 24), (140, 40))
COUNTS = (100, CASES)
PRESSES = 60


def figures() -> Iterator[Figure]:
    """One after another, each as soon as it is measured."""
    for cases in COUNTS:
        for columns, rows in SIZES:
            with (
                fresh_environment() as env,
                PtySession(evaltui("edit", large_set(cases)), env, (columns, rows)) as session,
            ):
                session.wait_for(FIRST_CASE)
                for scene in (*SCENES, *(ROWS if cases == CASES else ())):
                    yield from measured(scene, session, f"{cases:,} cases, {columns}×{rows}: {scene.name}")


def measured(scene: Scene, session: PtySession, name: str) -> Iterator[Figure]:
    """Press the keys of a scene and time their frames."""
    for key in scene.reach:
        session.settle()
        session.press(key)
    frames: list[Frame] = []
    for number, key in enumerate(islice(cycle(scene.timed), PRESSES), 1):
        session.settle(0.06)
        if (frame := session.press(key)) is None:
            raise MeasurementError(f"{name}: press {number} of {key!r} brought no frame")
        if scene.echoed and key.decode().strip() not in frame.text:
            raise MeasurementError(f"{name}: press {number} did not show {key!r} but {frame.text!r}")
        if number == 1 and scene.says not in frame.text:
            raise MeasurementError(f"{name}: {key!r} did not say {scene.says!r} but {frame.text!r}")
        frames.append(frame)
        for back in scene.back if scene.every and number % scene.every == 0 else ():
            session.settle(0.06)
            session.press(back)
    yield Figure(name, [1000 * frame.first for frame in frames], target=scene.target, judged="p95")
    yield Figure(
        "  and all at rest", [1000 * frame.last for frame in frames], target=scene.target_at_rest, judged="p95"
    )

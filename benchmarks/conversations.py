"""The screen of conversations with 5,000 of them: time to the first rows, to read all, and from keys to frames."""

import json
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure
from benchmarks.key_latency import CTRL_F, CTRL_U, DOWN, ENTER, ESC, HOME, PAGE_DOWN, SIZES, Scene, measured
from benchmarks.large_set import CITIES
from benchmarks.processes import evaltui, fresh_environment
from benchmarks.pty_session import PtySession

SESSIONS = 5_000
COUNTS = (SESSIONS, 100_000)
"""Numbers of sessions in the databases; the screen lists the newest 1,000 first."""
PORTION = 1_000
ADDED = 1_000
ROUNDS = 5
_SHOW, _MORE, _TICK, _TICK_ALL, _CHAT, _LIST, _UNTICK, _UNDO = b"+", b"n", b" ", b"A", b"\x1b[C", b"\t", b"c", b"\x1a"
_START = 1_795_000_000.0
_TABLES = """
CREATE TABLE sessions (app_name TEXT NOT NULL, user_id TEXT NOT NULL, id TEXT NOT NULL, state TEXT NOT NULL,
    create_time REAL NOT NULL, update_time REAL NOT NULL, PRIMARY KEY (app_name, user_id, id));
CREATE TABLE events (id TEXT NOT NULL, app_name TEXT NOT NULL, user_id TEXT NOT NULL, session_id TEXT NOT NULL,
    invocation_id TEXT NOT NULL, timestamp REAL NOT NULL, event_data TEXT NOT NULL,
    PRIMARY KEY (app_name, user_id, session_id, id));
"""
_SET = {"eval_set_id": "trips", "eval_cases": []}

SCENES = (
    Scene("↓", (HOME,), timed=(DOWN,), target_at_rest=50),
    Scene("page down", (HOME,), timed=(PAGE_DOWN,), target_at_rest=50),
    Scene("tick", (HOME,), timed=(_TICK,), target_at_rest=50),
    Scene("→ chat", (_UNTICK, HOME), timed=(_CHAT,), back=(_LIST, DOWN), every=1, target_at_rest=50),
    Scene("↓ in the chat", (HOME, _CHAT), timed=(DOWN,), back=(HOME,), every=5),
    Scene(
        "a letter into the filter",
        (_LIST, CTRL_F),
        timed=(*(letter.encode() for letter in "oslo"), CTRL_U),
        target_at_rest=50,
    ),
)


def figures() -> Iterator[Figure]:
    """One after another, each as soon as it is measured."""
    with tempfile.TemporaryDirectory() as folder:
        for count in COUNTS:
            yield from _listed(_set_beside(Path(folder), count), count)
        file = _set_beside(Path(folder), SESSIONS)
        for size in SIZES:
            yield from _keys(file, size)
        yield from _added(file)


def _listed(file: Path, count: int) -> Iterator[Figure]:
    """From `+` to the first rows and to the end of the first portion, each time in a fresh process."""
    first, all_listed = [], []
    for _ in range(ROUNDS):
        with fresh_environment() as env, PtySession(evaltui("edit", file), env, (140, 40)) as session:
            session.wait_for("trips")
            session.settle(0.5)
            first.append(1000 * session.press_until(_SHOW, _words(count - 1), 30))
            all_listed.append(
                first[-1] + 1000 * session.do_until(lambda: None, "The newest conversations are read.", 60)
            )
    yield Figure(f"{count:,} sessions: first rows after +", first, target=500)
    yield Figure(f"newest {PORTION:,} of {count:,} sessions listed", all_listed, target=2_000)


def _keys(file: Path, size: tuple[int, int]) -> Iterator[Figure]:
    """Keys to frames after all portions are listed."""
    name = f"{SESSIONS:,} conversations, {size[0]}×{size[1]}"
    with fresh_environment() as env, PtySession(evaltui("edit", file), env, size) as session:
        session.wait_for("trips")
        session.settle(0.5)
        session.press_until(_SHOW, "The newest conversations are read.", 60)
        for _ in range(1, SESSIONS // PORTION):
            session.settle(1)
            session.press(_MORE)
        session.settle(1)
        session.press_until(_MORE, "All conversations are read.")
        for scene in SCENES:
            yield from measured(scene, session, f"{name}: {scene.name}")


def _added(file: Path) -> Iterator[Figure]:
    """A whole portion added as cases in one step, then undone."""
    with fresh_environment() as env, PtySession(evaltui("edit", file), env, (140, 40)) as session:
        session.wait_for("trips")
        session.settle(0.5)
        session.press_until(_SHOW, "The newest conversations are read.", 60)
        session.settle(1)
        yield Figure(f"{ADDED:,} conversations ticked", [1000 * session.press_until(_TICK_ALL, "ticked.", 30)])
        session.settle(0.5)
        yield Figure(f"{ADDED:,} cases added", [1000 * session.press_until(ENTER, "added", 60)])
        session.settle(1)
        session.press(ESC)
        session.settle(0.5)
        yield Figure("undo that", [1000 * session.press_until(_UNDO, "Undone", 30)])


def _words(number: int) -> str:
    return f"Book trip {number} to"


def _set_beside(folder: Path, count: int) -> Path:
    """A set without cases, beside a session database as `adk web` writes it; made once."""
    file = folder / f"{count}" / "trips.evalset.json"
    if not file.exists():
        database = file.parent / ".adk" / "session.db"
        database.parent.mkdir(parents=True)
        file.write_text(json.dumps(_SET, indent=2))
        _write_sessions(database, count)
    return file


def _write_sessions(path: Path, count: int) -> None:
    """Sessions of two turns with a call each, 20 MB for 5,000."""
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(_TABLES)
        for number in range(count):
            at = _START + 60 * number
            events = list(_events(number, at))
            row = ("trip", "user", f"s{number:06}", "{}", at, events[-1]["timestamp"])
            database.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?)", row)
            database.executemany(
                "INSERT INTO events VALUES (?, 'trip', 'user', ?, ?, ?, ?)",
                ((each["id"], row[2], each["invocation_id"], each["timestamp"], json.dumps(each)) for each in events),
            )


def _events(number: int, start: float) -> Iterator[dict[str, Any]]:
    city, at = CITIES[number % len(CITIES)], start
    said = (f"Book trip {number} to {city}, please.", f"Is trip {number} to {city} refundable?")
    for turn, (user, tool) in enumerate(zip(said, ("book_trip", "read_terms"), strict=True)):
        call_id, args = f"c{number}-{turn}", {"city": city, "number": number, "day": "2026-11-29"}
        answer = {"reference": f"K{number:05}Q", "terms": "Refundable until a day before you leave. " * 3}
        parts: tuple[tuple[str, dict[str, Any]], ...] = (
            ("user", {"text": user}),
            ("trip", {"function_call": {"id": call_id, "name": tool, "args": args}}),
            ("trip", {"function_response": {"id": call_id, "name": tool, "response": answer}}),
            ("trip", {"text": f"Done: the reference of your trip to {city} is K{number:05}Q."}),
        )
        for author, part in parts:
            at += 1
            yield {
                "id": f"{number}-{at - start:.0f}",
                "author": author,
                "invocation_id": f"e-{number}-{turn}",
                "timestamp": at,
                "content": {"parts": [part], "role": "user" if author == "user" else "model"},
                "actions": {"state_delta": {}},
            }

"""Session databases as `adk web` leaves them, written for tests: a chat is a list of turns, a turn a few words."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from tests.recordings.session_files import SQLITE

START = 1_795_000_000.0
"""When the first chat began, in seconds since 1970; the next ones a minute later each."""
_STATES = """
CREATE TABLE app_states (app_name TEXT PRIMARY KEY, state TEXT NOT NULL, update_time REAL NOT NULL);
CREATE TABLE user_states (app_name TEXT NOT NULL, user_id TEXT NOT NULL, state TEXT NOT NULL,
    update_time REAL NOT NULL, PRIMARY KEY (app_name, user_id));
"""


class ChatTurn(NamedTuple):
    """What the user says, the call that the agent makes, and what it answers."""

    user: str
    answer: str = ""
    call: tuple[str, dict[str, Any]] | None = None
    response: Any = None
    rewinds_to: int | None = None
    """The turn, from 0, that the conversation goes back to before."""
    error: str = ""


class Chat(NamedTuple):
    """A conversation of one user with an app."""

    id: str
    turns: Sequence[ChatTurn]
    app: str = "trip"
    user: str = "user"


def write_chats(path: Path, chats: Iterable[Chat]) -> Path:
    """The database with these chats, the first one the oldest."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(SQLITE + _STATES)
        for number, chat in enumerate(chats):
            at = START + 60 * number
            events = list(_events(chat, at))
            database.execute(
                "INSERT INTO sessions VALUES (?, ?, ?, '{}', ?, ?)",
                (chat.app, chat.user, chat.id, at, events[-1]["timestamp"] if events else at),
            )
            rows = (
                (each["id"], chat.app, chat.user, chat.id, each["invocation_id"], each["timestamp"], json.dumps(each))
                for each in events
            )
            database.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    return path


def _events(chat: Chat, start: float) -> Iterable[dict[str, Any]]:
    count = 0
    for number, turn in enumerate(chat.turns):

        def event(author: str, parts: list[dict[str, Any]], role: str, **more: Any) -> dict[str, Any]:
            nonlocal count
            count += 1
            content = {"content": {"parts": parts, "role": role}} if parts else {}
            return {
                "id": f"{chat.id}-{count}",
                "author": author,
                "invocation_id": f"e-{chat.id}-{number}",  # noqa: B023 - called at once
                "timestamp": start + count,
                "actions": {"state_delta": {}},
                **content,
                **more,
            }

        if turn.rewinds_to is not None:
            actions = {"state_delta": {}, "rewind_before_invocation_id": f"e-{chat.id}-{turn.rewinds_to}"}
            yield event("user", [], "user", actions=actions)
            continue
        if turn.user:
            yield event("user", [{"text": turn.user}], "user")
        if turn.call is not None:
            name, args = turn.call
            yield event(chat.app, [{"function_call": {"id": f"c{number}", "name": name, "args": args}}], "model")
            answer = {"id": f"c{number}", "name": name, "response": turn.response or {"ok": True}}
            yield event(chat.app, [{"function_response": answer}], "user")
        if turn.error:
            yield event(chat.app, [], "model", error_code="500", error_message=turn.error)
        elif turn.answer:
            yield event(chat.app, [{"text": turn.answer}], "model")


BOOKED = Chat(
    "booked",
    [
        ChatTurn("hi", "Hello!"),
        ChatTurn(
            "book flight 1 for tomorrow",
            "Booked, your code is K7QX91.",
            ("book", {"flight": "1", "day": "2026-11-24"}),
            {"ok": True, "ref": "K7QX91"},
        ),
        ChatTurn("send it to me", "Sent.", ("send", {"ref": "K7QX91"})),
    ],
)
REWOUND = Chat(
    "rewound",
    [
        ChatTurn("is there a train to Bern", "There is none."),
        ChatTurn("", rewinds_to=0),
        ChatTurn("is there a bus to Bern", "There is one at nine."),
    ],
)
FAILED = Chat("failed", [ChatTurn("sing", error="quota exceeded")])
HELLO = Chat("hello", [ChatTurn("Good morning", "Hello")])
"""Has the user texts of the first case of `tests.terminal.desk`."""
CHATS = (BOOKED, REWOUND, FAILED, HELLO)


def many(count: int) -> Iterable[Chat]:
    """So many short chats."""
    for number in range(count):
        call = ("look_up", {"city": f"city {number % 100}"})
        yield Chat(f"s{number:06}", [ChatTurn(f"what is the weather in city {number}", f"Rain {number}.", call)])

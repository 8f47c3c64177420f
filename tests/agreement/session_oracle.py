"""Asks google-adk, in a Python of its own, which turns it makes of events, and to write databases of sessions."""

from __future__ import annotations

from typing import Any

from tests.agreement.score_oracle import answers

TURNS = """
import json, sys, warnings, logging
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
from google.adk.events.event import Event
from google.adk.evaluation.evaluation_generator import EvaluationGenerator
for line in sys.stdin:
    try:
        events = [Event.model_validate_json(json.dumps(each)) for each in json.loads(line)]
        turns = EvaluationGenerator.convert_events_to_eval_invocations(events)
        said = [turn.model_dump(mode="json", exclude_none=True) for turn in turns]
        data = json.dumps(said)
    except Exception as error:
        data = json.dumps({"error": f"{type(error).__name__}: {error}"[:500]})
    print(data, flush=True)
"""
LIVE = """
import json, sys
from google.adk.events.event import Event
from google.adk.events._rewind_events import _apply_rewinds
for line in sys.stdin:
    events = [Event.model_validate(each) for each in json.loads(line)]
    print(json.dumps([each.id for each in _apply_rewinds(events)]), flush=True)
"""
DATABASES = """
import asyncio, json, sys, warnings
warnings.simplefilter("ignore")
from google.adk.events.event import Event
from google.adk.evaluation.evaluation_generator import EvaluationGenerator
from google.adk.sessions.sqlite_session_service import SqliteSessionService
from google.adk.sessions.database_session_service import DatabaseSessionService

def service(kind, path):
    if kind == "sqlite":
        return SqliteSessionService(db_path=path)
    return DatabaseSessionService(db_url="sqlite+aiosqlite:///" + path)

async def written(kind, path, sessions):
    store = service(kind, path)
    for number, events in enumerate(sessions):
        session = await store.create_session(app_name="trip", user_id="user", session_id=f"s{number}")
        for event in events:
            await store.append_event(session, Event.model_validate(event))
    found = {}
    for number in range(len(sessions)):
        session = await store.get_session(app_name="trip", user_id="user", session_id=f"s{number}")
        turns = EvaluationGenerator.convert_events_to_eval_invocations(session.events)
        found[session.id] = [turn.model_dump(mode="json", exclude_none=True) for turn in turns]
    return found

for line in sys.stdin:
    print(json.dumps(asyncio.run(written(*json.loads(line)))), flush=True)
"""


def turns_of(python: str, lists: list[list[Any]]) -> list[Any]:
    """The invocations that google-adk makes of each list of events, or a dict with its `error`."""
    return answers(python, TURNS, lists)


def live_ids(python: str, lists: list[list[Any]]) -> list[list[str]]:
    """The ids of the events that no rewind took back."""
    return answers(python, LIVE, lists)


def write_database(python: str, kind: str, path: str, sessions: list[list[Any]]) -> dict[str, Any]:
    """Write sessions with a real service (`sqlite` or `sqlalchemy`); gives the invocations of each by its id."""
    found: dict[str, Any] = answers(python, DATABASES, [[kind, path, sessions]])[0]
    return found

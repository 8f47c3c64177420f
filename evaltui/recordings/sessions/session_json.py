"""Sessions as JSON, from `adk run --save_session` and the export of adk web."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evaltui.evalset.case_data import as_number, get, objects_in
from evaltui.recordings.conversation import ConversationsRead
from evaltui.recordings.json_members import moment, text
from evaltui.recordings.sessions.session import StoredSession, conversation_of_session


def conversations_of_sessions(value: Any, path: Path, *, with_details: bool = False) -> ConversationsRead:
    """A conversation for the session, or for each of a list of them."""
    values = value if isinstance(value, list) else [value]
    sessions = list(objects_in(values))
    warnings: list[str] = []
    found = [
        conversation_of_session(_session(each, number), path, warnings, with_details=with_details)
        for number, each in enumerate(sessions, 1)
    ]
    if strange := len(values) - len(sessions):
        warnings.append(f"{strange} item{'s' * (strange != 1)} skipped: not a session")
    return found, warnings


def _session(value: dict[str, Any], number: int) -> StoredSession:
    events = get(value, "events")
    return StoredSession(
        id=text(value, "id") or f"session {number}",
        app_name=text(value, "app_name"),
        user_id=text(value, "user_id"),
        events=[_with_timestamp(event) for event in events] if isinstance(events, list) else (),
        updated=moment(as_number(get(value, "last_update_time"))),
        unread=None if isinstance(events, list | None) else "events is not a list",
    )


def _with_timestamp(event: Any) -> Any:
    """The event; adk-go up to 0.4 has the seconds in `time` (`server/restapi/models/event.go`)."""
    if not isinstance(event, dict) or "timestamp" in event or type(event.get("time")) is not int:
        return event
    return {"timestamp" if key == "time" else key: value for key, value in event.items()}

"""Sessions as recordings: databases and JSON, all sessions or one that is named, and lists with details."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from evaltui.recordings.conversation_list import ConversationList
from evaltui.recordings.reader_process import open_in_process
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.recording_search import recordings_in
from tests.recordings.session_files import (
    START,
    Json,
    bytes_of,
    call,
    event,
    exchange,
    part,
    refusal,
    response,
    session,
    write_json,
    write_older,
    write_sqlalchemy,
    write_sqlite,
)

Write = Callable[..., Path]
SESSIONS = [
    session("first", *exchange("e1", "hi", "Hello")),
    session("second", *exchange("e2", "book", "Booked"), *exchange("e3", "thanks", "Welcome")),
]


def without_index(path: Path, *sessions: Json) -> Path:
    return write_sqlalchemy(path, *sessions, index="")


@pytest.mark.parametrize("write", [write_sqlite, write_sqlalchemy, without_index, write_older])
def test_a_database_has_its_sessions_newest_first(tmp_path: Path, write: Write) -> None:
    path = write(tmp_path / "session.db", *SESSIONS)
    recording = open_recording(path, for_cases=True)
    assert recording.format == "adk_session_db"
    assert [(each.id, [turn.user_text for turn in each.turns]) for each in recording.conversations] == [
        ("second", ["book", "thanks"]),
        ("first", ["hi"]),
    ]
    newest = recording.conversations[0]
    assert (newest.path, newest.recorded_at, newest.unread) == (path, START + 3, None)
    assert (newest.agent_names.app, newest.user_id, newest.started) == ("trip", "user", START)
    assert [recorded.invocation for recorded in open_recording(path).conversations[0].recorded_turns] == [{}, {}]


@pytest.mark.parametrize("write", [write_sqlite, without_index])
def test_one_session_is_named_behind_a_number_sign(tmp_path: Path, write: Write) -> None:
    write(tmp_path / "my #1 session.db", *SESSIONS)
    recording = open_recording(tmp_path / "my #1 session.db#first")
    assert [each.id for each in recording.conversations] == ["first"]
    assert recording.conversations[0].path == tmp_path / "my #1 session.db"
    assert len(open_recording(tmp_path / "my #1 session.db").conversations) == 2


@pytest.mark.parametrize("name", ["a b.db", "a?mode=rw.db", "a%20b#.db", "ä.db", "a&b.db"])
def test_any_name_of_a_database_is_read(tmp_path: Path, name: str) -> None:
    path = write_sqlite(tmp_path / name, *SESSIONS)
    before = bytes_of(tmp_path)
    assert len(open_recording(path).conversations) == 2
    assert bytes_of(tmp_path) == before


def test_a_link_to_a_database_is_followed(tmp_path: Path) -> None:
    write_sqlite(tmp_path / "session.db", *SESSIONS)
    (tmp_path / "link").symlink_to("session.db")
    assert len(open_recording(tmp_path / "link").conversations) == 2


def test_an_unknown_session_is_refused_with_near_ones(tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "session.db", *SESSIONS)
    assert refusal(tmp_path / "session.db#secnd") == f"{path}: there is no session secnd; similar ids: second"
    assert "similar ids: first" in refusal(tmp_path / "session.db#fi")


def test_sessions_with_one_id_have_full_names(tmp_path: Path) -> None:
    path = write_sqlite(
        tmp_path / "session.db",
        session("s", *exchange("e1", "of ann", "Hello"), user="ann"),
        session("s", *exchange("e2", "of bob", "Hello"), *exchange("e3", "more", "Hello"), user="bob"),
    )
    assert [each.id for each in open_recording(path).conversations] == ["trip/bob/s", "trip/ann/s"]
    newest = open_recording(tmp_path / "session.db#s")
    assert [each.id for each in newest.conversations] == ["trip/bob/s"]
    assert newest.warnings == (
        "2 sessions have the id s. evaltui uses the one that changed last, trip/bob/s. "
        "To use another session, give #trip/ann/s",
    )
    for name in ("ann/s", "trip/ann/s"):
        named = open_recording(tmp_path / f"session.db#{name}")
        assert [each.id for each in named.conversations] == ["trip/ann/s"]
        assert not named.warnings


def test_a_session_an_export_a_list_and_lines_of_sessions_are_read(tmp_path: Path) -> None:
    lines = tmp_path / "all.jsonl"
    lines.write_text("\n".join(map(json.dumps, SESSIONS)))
    for path, ids in (
        (write_json(tmp_path / "one.session.json", SESSIONS[0]), ["first"]),
        (write_json(tmp_path / "list.json", SESSIONS), ["first", "second"]),
        (lines, ["first", "second"]),
    ):
        recording = open_recording(path)
        assert recording.format == "adk_session"
        assert [each.id for each in recording.conversations] == ids


@pytest.mark.parametrize(
    ("form", "zone", "end"),
    [
        ("%Y-%m-%d %H:%M:%S.%f +0000 UTC", 0, ""),
        ("%Y-%m-%d %H:%M:%S +0530 IST", 19_800, " m=+0.012345678"),
        ("%Y-%m-%d %H:%M:%S.%f -0700 -07", -25_200, ""),
        ("%Y-%m-%d %H:%M:%S.%f000+02:00", 7_200, ""),
    ],
)
def test_a_database_of_adk_go_has_its_times_and_actions(tmp_path: Path, form: str, zone: int, end: str) -> None:
    """SQLite drivers for Go write `time.Time.String`, or with an offset; the service writes actions as JSON."""

    def date(seconds: float) -> str:
        return datetime.fromtimestamp(seconds + zone, UTC).strftime(form) + end

    shown = event("e1", "trip", {"text": "Booked"}, response("book", ok=True), actions={"skipSummarization": True})
    events = [event("e1", "user", part("book")), event("e1", "trip", call("book")), shown]
    back = event("e3", "user", actions={"rewindBeforeInvocationId": "e2"})
    given = session("go", *events, *exchange("e2", "no", "No"), back)
    given = {**given, "events": [{**each, "timestamp": START + 0.5 + n} for n, each in enumerate(given["events"])]}
    (expected,) = open_recording(write_json(tmp_path / "a.session.json", given), for_cases=True).conversations
    recording = open_recording(write_older(tmp_path / "go.db", given, date=date), for_cases=True)
    (conversation,) = recording.conversations
    assert recording.warnings == ()
    assert conversation.unread is None
    assert conversation.turns == expected.turns
    assert (conversation.turns[0].response, len(conversation.turns)) == ("Booked", 1)
    times = (conversation.started, conversation.recorded_at)
    assert times == ((START, expected.recorded_at) if "%f" in form else (START - 0.5, START + 4.5))


def test_actions_that_are_damaged_leave_the_session_of_adk_go_unread(tmp_path: Path) -> None:
    path = write_older(tmp_path / "go.db", SESSIONS[1], date=lambda _: "2026-11-22 01:31:05 +0000 UTC")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE events SET actions = '{' WHERE id = 'i1'")
        database.execute("UPDATE events SET actions = NULL WHERE id = 'i2'")
    (conversation,) = open_recording(path).conversations
    assert conversation.unread == "event 2: actions is not valid JSON"


def test_actions_that_are_null_are_no_pickles(tmp_path: Path) -> None:
    path = write_older(tmp_path / "go.db", SESSIONS[1], date=lambda _: "2026-11-22 01:31:05 +0000 UTC")
    for some in (" WHERE id = 'i1'", ""):
        with closing(sqlite3.connect(path)) as database, database:
            database.execute(f"UPDATE events SET actions = NULL{some}")
        assert open_recording(path).warnings == ()


def test_a_folder_gives_its_sessions_but_no_database(tmp_path: Path) -> None:
    """An export has camelCase; a session from a list or with lines has any name."""
    write_sqlite(tmp_path / "session.db", *SESSIONS)
    exported = {"id": "a", "appName": "trip", "userId": "u", "state": {}, "events": [], "lastUpdateTime": 1.5}
    for name, value in (
        ("one.session.json", SESSIONS[0]),
        ("deep/two.json", SESSIONS),
        ("exported.json", exported),
        ("a.txt", [exported]),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write_json(tmp_path / name, value)
    (tmp_path / "all.jsonl").write_text("\n".join(map(json.dumps, SESSIONS)))
    cases = [{"eval_id": "a", "session_input": {"app_name": "trip", "user_id": "u", "state": {"events": []}}}]
    write_json(tmp_path / "a.evalset.json", {"eval_set_id": "s", "eval_cases": cases})
    write_json(tmp_path / "log.json", {"app_name": "trip", "events": []})
    found = recordings_in(tmp_path)
    names = {path.name for path in found.paths}
    assert names == {"one.session.json", "two.json", "exported.json", "a.txt", "all.jsonl"}
    assert {path.name for path in found.other_files} == {"session.db", "a.evalset.json", "log.json"}
    assert {open_recording(path).format for path in found.paths} == {"adk_session"}


def test_a_process_reads_a_database(tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "session.db", *SESSIONS)
    assert open_in_process(path) == open_recording(path)
    assert open_in_process(tmp_path / "session.db#first") == open_recording(tmp_path / "session.db#first")


def test_a_list_gives_the_newest_conversations(tmp_path: Path) -> None:
    many = [session(f"s{n}", *exchange(f"e{n}", str(n), "ok")) for n in range(50)]
    for n, each in enumerate(many):
        each["last_update_time"] = START + n
    for path in (write_sqlite(tmp_path / "session.db", *many), write_json(tmp_path / "sessions.json", many)):
        found = ConversationList(path)
        assert found.count == 50
        conversations = [*found.conversations(45)]
        assert [each.id for each in conversations] == [f"s{n}" for n in range(49, 4, -1)]
        assert all(each.recorded_turns[0].invocation for each in conversations)
        assert [each.id for each in found.conversations(3, skipped=45)] == ["s4", "s3", "s2"]
    one = ConversationList(tmp_path / "session.db", "s7")
    assert (one.count, one.session_id) == (1, "s7")
    assert [each.id for each in one.conversations()] == ["s7"]
    assert ConversationList(tmp_path / "session.db#s7").session_id == "s7"


def test_an_empty_database_says_so(tmp_path: Path) -> None:
    recording = open_recording(write_sqlite(tmp_path / "session.db"))
    assert recording.conversations == ()
    assert recording.warnings == ("the database has no sessions",)

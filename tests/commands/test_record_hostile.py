"""`evaltui record` with sources, options and sets that are broken, odd or made to do harm."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import Evaltui
from tests.commands.runs import case, eval_set, turn, write
from tests.commands.sessions import BOOKED, REWOUND, Chat
from tests.recordings.session_files import event, exchange, part, session, write_sqlite

JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
SESSIONS, DATABASE, NEW, SET = "chats.json", "chats.db", "new.evalset.json", "trips.evalset.json"


def report(evaltui: Evaltui, *options: object) -> Any:
    """The JSON of a command that ends well."""
    done = evaltui("record", *options, "--format", "json")
    assert done.code in (0, 3), done.err
    return json.loads(done.out)


def refusal(evaltui: Evaltui, *options: object) -> str:
    """The one sentence of a command that is refused."""
    done = evaltui("record", *options)
    assert (done.code, done.out) == (2, b"")
    assert done.err.count("\n") == 1
    return done.err


# --- databases -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda path: path.write_bytes(b"x" * 28 + b"\0victim.txt" + JOURNAL_MAGIC), "beside it names another file"),
        (lambda path: path.write_bytes(b"x" * 999), "beside it is not a journal of SQLite"),
        (lambda path: path.symlink_to("../victim.txt"), "beside it is a link"),
        (os.mkfifo, "beside it is not a regular file"),
    ],
)
def test_a_database_with_a_journal_made_to_do_harm_is_refused_or_left_out(
    evaltui: Evaltui, tmp_path: Path, make: Callable[[Path], object], sentence: str
) -> None:
    (tmp_path / "victim.txt").write_text("precious")
    (tmp_path / ".adk").mkdir()
    write_sqlite(tmp_path / ".adk" / "session.db", session("s1", *exchange("i1", "hi", "hello")))
    make(tmp_path / ".adk" / "session.db-journal")
    write(tmp_path / SESSIONS, [BOOKED.value])
    write(tmp_path / SET, eval_set(case("a", turn("hi", "hello"))))
    for options in (["--list"], ["-o", NEW], [".adk/session.db", "--list"], [".adk/session.db#s1", "--list"]):
        assert sentence in refusal(evaltui, *options)
    done = evaltui("run", SET, "-r", ".adk/session.db")
    assert (done.code, done.out) == (2, b"")
    assert sentence in done.err
    in_folder = evaltui("record", ".", "--list")
    assert in_folder.code == 0
    assert f"{sentence}" in in_folder.err
    assert "; skipped\n" in in_folder.err
    assert (tmp_path / "victim.txt").read_text() == "precious"


# --- conversations ---------------------------------------------------------------------------------------------------


def test_a_conversation_that_lacks_an_event_becomes_no_case(evaltui: Evaltui, tmp_path: Path) -> None:
    """The lost event may be a call; the case would expect none, and a run would not score it."""
    broken = session("broken", *exchange("i1", "Book", "Done"), event("i1", "trip", content="no object"))
    write_sqlite(tmp_path / DATABASE, broken, session("whole", *exchange("i2", "hi", "hello")))
    made = report(evaltui, DATABASE, "-o", NEW)
    assert [each["conversation"] for each in made["added"]] == ["whole"]
    reason = "part of it cannot be read: event 3 (i2): content is not an object"
    assert made["left_out"] == [{"conversation": "broken", "turn": None, "reason": reason}]
    listed = evaltui("record", DATABASE, "--list").out.decode()
    assert listed.count("cannot be read") == 1
    assert "    part of it cannot be read: event 3 (i2): content is not an object\n" in listed
    assert evaltui("run", NEW, "-r", DATABASE).code == 0


@pytest.mark.parametrize("shape", ["tool_uses", "events"])
def test_a_set_is_never_too_deep_for_google_adk(evaltui: Evaltui, tmp_path: Path, shape: str) -> None:
    chats = []
    for levels in (150, 185, 190, 195):
        args: dict[str, Any] = {}
        for _ in range(levels):
            args = {"a": args}
        chats.append(Chat(f"deep{levels}").user(f"deep {levels}").call("f", args, {}).agent("ok").value)
    write(tmp_path / SESSIONS, chats)
    made = report(evaltui, SESSIONS, "-o", NEW, "--shape", shape)
    assert "deep150" in [each["conversation"] for each in made["added"]]
    assert "deep195" in [each["conversation"] for each in made["left_out"]]
    checked = json.loads(evaltui("validate", NEW, "--format", "json").out)
    assert checked["files"][0]["accepted_by_adk"] is True


def test_an_argument_that_is_no_json_is_noted(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SESSIONS, [Chat("odd").user("go").call("f", {"n": float("inf")}, {}).agent("ok").value])
    done = evaltui("record", SESSIONS, "-o", NEW)
    assert done.code == 0
    assert "turn 1 of odd: an argument is NaN or Infinity. JSON has no such numbers" in done.err
    assert b"Infinity" not in (tmp_path / NEW).read_bytes()


def test_sessions_with_one_id_are_named_with_their_user(evaltui: Evaltui, tmp_path: Path) -> None:
    same = [session("s", *exchange("i1", text, "ok"), user=user) for user, text in (("ann", "hi"), ("bob", "yo"))]
    write_sqlite(tmp_path / DATABASE, *same, session("t", *exchange("i1", "na", "ok")))
    for name in ("bob/s", "trip/bob/s"):
        listed = report(evaltui, DATABASE, "--list", "--conversation", name)
        assert [each["id"] for each in listed["conversations"]] == ["trip/bob/s"]
    assert [
        each["id"] for each in report(evaltui, DATABASE, "--list", "--conversation", "user/t")["conversations"]
    ] == ["t"]
    write(tmp_path / SESSIONS, [{**BOOKED.value, "id": f"trip/{user}/s"} for user in ("ann", "bob")])
    said = refusal(evaltui, SESSIONS, "-o", NEW, "--conversation", "s")
    assert '2 conversations have the id "s"; use one of these: trip/ann/s, trip/bob/s' in said


# --- sources ---------------------------------------------------------------------------------------------------------


def test_a_source_that_is_named_in_several_ways_is_read_once(evaltui: Evaltui, tmp_path: Path) -> None:
    write_sqlite(tmp_path / DATABASE, session("one", *exchange("i1", "hi", "ok")), session("two"))
    (tmp_path / "link.db").symlink_to(DATABASE)
    listed = report(evaltui, DATABASE, tmp_path / DATABASE, "link.db", f"{DATABASE}#one", "--list")
    assert sorted(each["id"] for each in listed["conversations"]) == ["one", "two"]
    made = report(evaltui, f"{DATABASE}#one", DATABASE, "-o", NEW, "--conversation", "one")
    assert [each["conversation"] for each in made["added"]] == ["one"]


def test_a_folder_that_was_named_and_cannot_be_read_is_refused(
    evaltui: Evaltui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "closed").mkdir()
    scan = os.scandir

    def closed(path: Any) -> Any:
        if Path(os.fsdecode(path)).name == "closed":
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", closed)
    assert "closed: this is a folder that cannot be read" in refusal(evaltui, "closed", "--list")


def test_sources_may_stand_behind_options(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SESSIONS, [BOOKED.value])
    write(tmp_path / "more.json", [REWOUND.value])
    listed = report(evaltui, SESSIONS, "--list", "more.json")
    assert [each["id"] for each in listed["conversations"]] == ["rewound", "booked"]
    assert "record has no option --nonsense (see `evaltui record --help`)" in refusal(
        evaltui, SESSIONS, "--list", "--nonsense"
    )


def test_a_database_on_standard_input_is_refused(evaltui: Evaltui, tmp_path: Path) -> None:
    data = write_sqlite(tmp_path / DATABASE, session("one")).read_bytes()
    done = evaltui("record", "-", "--list", stdin=data)
    assert (done.code, done.out) == (2, b"")
    assert done.err == "evaltui: -: a session database cannot be read from standard input; give its file name\n"


def test_a_source_without_conversations_is_said(evaltui: Evaltui, tmp_path: Path) -> None:
    write_sqlite(tmp_path / DATABASE)
    done = evaltui("record", DATABASE, "--list")
    assert (done.code, done.out, done.err) == (0, b"", "evaltui: there are no conversations\n")
    assert report(evaltui, DATABASE, "--list") == {"version": 1, "conversations": []}


# --- options and sets ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("", "--list"), "SOURCE is empty"),
        (("--list", "--conversation", ""), "--conversation is empty"),
        (("-o", NEW, "--conversation", " , "), "--conversation is empty"),
        (("-o", NEW, "--eval-id", "\udcff"), "--eval-id \ufffd is not valid UTF-8"),
        (("-o", NEW, "--turns=--"), "argument --turns: -- is not a value"),
    ],
)
def test_values_that_mean_nothing_are_refused(
    evaltui: Evaltui, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    write(tmp_path / SESSIONS, [BOOKED.value])
    assert said in refusal(evaltui, SESSIONS, *options)
    assert not (tmp_path / NEW).exists()


def test_a_set_whose_cases_stand_twice_is_refused_by_name(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SESSIONS, [BOOKED.value])
    text = '{"eval_set_id": "t", "eval_cases": [], "eval_cases": []}'
    (tmp_path / SET).write_text(text)
    said = refusal(evaltui, SESSIONS, "--into", SET)
    assert said.startswith(f'evaltui: {SET}: /eval_cases: the object has the key "eval_cases" 2 times')
    assert said.endswith("; nothing was written\n")
    assert (tmp_path / SET).read_text() == text


def test_neither_list_nor_diff_touches_the_set(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SESSIONS, [BOOKED.value])
    path = write(tmp_path / SET, eval_set(case("a", turn("hi"))))
    before = (tmp_path / SET).stat()
    for words in (("--list",), ("--diff",), ("--diff", "--format", "json")):
        assert evaltui("record", SESSIONS, "--into", SET, *words).code == 0
    after = (tmp_path / SET).stat()
    assert (after.st_mtime_ns, after.st_ino, after.st_size) == (before.st_mtime_ns, before.st_ino, before.st_size)
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted([SESSIONS, SET]), path


def test_no_text_of_a_failure_acts_on_a_terminal(evaltui: Evaltui, tmp_path: Path) -> None:
    odd = "\x1b[2J\u202e\x9b"
    failed = [event(f"i{odd}", "user", part(f"hi {odd}")), event(f"i{odd}", "trip", error_message=f"no{odd}")]
    write_sqlite(tmp_path / DATABASE, session(f"s{odd}", *failed, app=f"a{odd}", user=f"u{odd}"))
    for words in (("--list",), ("-o", NEW, "--diff"), ("-o", NEW, "--conversation", f"x{odd}"), ("-o", NEW)):
        done = evaltui("record", DATABASE, *words)
        assert not any(sign in done.out.decode() + done.err for sign in odd if not sign.isascii() or sign == "\x1b")

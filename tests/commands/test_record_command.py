"""`evaltui record` as docs/cli.md has it: conversations become cases."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from tests.commands.conftest import Evaltui
from tests.commands.runs import case, eval_set, result, turn, write
from tests.commands.sessions import BOOKED, FAILED, REWOUND, START, Chat

SESSIONS, NEW, SET = "chats.json", "new.evalset.json", "trips.evalset.json"
PROJECT = Path(__file__).resolve().parents[2]
EMPTY_TEXT = Chat("silent").user("").agent("Hello?")


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    write(tmp_path / SESSIONS, [BOOKED.value, REWOUND.value, FAILED.value])


def record(evaltui: Evaltui, *options: str) -> Any:
    """The report of a command that ends well."""
    done = evaltui("record", SESSIONS, *options, "--format", "json")
    assert done.code in (0, 3), done.err
    return json.loads(done.out)


def new_set(tmp_path: Path) -> Any:
    return json.loads((tmp_path / NEW).read_bytes())


def reasons(report: Any) -> list[tuple[str, int | None, str]]:
    return [(each["conversation"], each["turn"], each["reason"]) for each in report["left_out"]]


# --- the list ------------------------------------------------------------------------------------------------------


def test_the_list_has_each_conversation_the_newest_first(evaltui: Evaltui) -> None:
    listed = record(evaltui, "--list")
    assert [each["id"] for each in listed["conversations"]] == ["failed", "rewound", "booked"]
    assert listed["conversations"][2] == {
        "path": SESSIONS,
        "format": "adk_session",
        "id": "booked",
        "app_name": "trip",
        "user_id": "ann",
        "started": "2026-09-21T14:13:20Z",
        "turns": [
            {"turn": 1, "text": "Book flight 1", "calls": ["book"], "answered": True, "rewound": False},
            {"turn": 2, "text": "Thanks!", "calls": [], "answered": True, "rewound": False},
        ],
        "known_as": None,
    }
    assert [each["rewound"] for each in listed["conversations"][1]["turns"]] == [False, True, False]
    assert [each["answered"] for each in listed["conversations"][0]["turns"]] == [False]


def test_the_list_names_the_case_with_the_same_user_texts(evaltui: Evaltui, tmp_path: Path) -> None:
    cases = case("other", turn("Book flight 1")), case("a_booking", turn("book  FLIGHT 1"), turn("Thanks!"))
    write(tmp_path / SET, eval_set(*cases))
    before = (tmp_path / SET).read_bytes()
    listed = record(evaltui, "--list", "--into", SET)
    assert [each["known_as"] for each in listed["conversations"]] == [None, None, "a_booking"]
    assert (tmp_path / SET).read_bytes() == before


def test_the_list_says_which_conversation_is_not_whole(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SESSIONS, [Chat("whole").user("hi").value, Chat("cut").user("hi", actions=[]).value])
    listed = {each["id"]: each.get("unread") for each in record(evaltui, "--list")["conversations"]}
    assert listed == {"whole": None, "cut": "event 1 (event-0): actions is not an object"}


def test_the_list_for_people_fits_a_terminal_and_acts_on_none(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SESSIONS, [Chat("evil\x1b[2J").user("hi \u202e\x1b]0;x\x07" + "long " * 50).agent("ok").value])
    done = evaltui("record", SESSIONS, "--list")
    text = done.out.decode()
    assert done.code == 0
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert all(len(line) <= 80 for line in text.splitlines())
    assert text.splitlines()[0] == "evil␛[2J  2026-09-21 14:13 UTC  1 turn"


def test_the_list_says_what_went_wrong_in_a_conversation(evaltui: Evaltui) -> None:
    text = evaltui("record", SESSIONS, "--list").out.decode()
    assert "the agent failed in 1 turn" in text
    assert "1 turn rewound" in text


def test_wide_letters_fit_a_terminal(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SESSIONS, [Chat("id").user("東京への便を予約" * 20).agent("ok").value])
    lines = evaltui("record", SESSIONS, "--list").out.decode().splitlines()
    assert lines[1].startswith("    東京への便を")
    assert lines[1].endswith("…")
    assert 78 <= cell_len(lines[1]) <= 80


def test_the_list_can_be_of_one_conversation(evaltui: Evaltui) -> None:
    listed = record(evaltui, "--list", "--conversation", "booked")
    assert [each["id"] for each in listed["conversations"]] == ["booked"]


# --- a new set -----------------------------------------------------------------------------------------------------


def test_a_new_set_has_the_cases_in_the_order_in_which_they_happened(evaltui: Evaltui, tmp_path: Path) -> None:
    report = record(evaltui, "-o", NEW)
    assert report["version"] == 1
    assert report["set"] == NEW
    assert report["added"] == [
        {"eval_id": "book_flight_1", "conversation": "booked", "turns": 2},
        {"eval_id": "book_a_hotel", "conversation": "rewound", "turns": 2},
        {"eval_id": "break", "conversation": "failed", "turns": 1},
    ]
    assert [each["eval_id"] for each in new_set(tmp_path)["eval_cases"]] == ["book_flight_1", "book_a_hotel", "break"]
    text = (tmp_path / NEW).read_text("utf-8")
    assert text.startswith('{\n  "eval_set_id": "new",\n  "eval_cases": [\n    {\n      "eval_id": "book_flight_1",\n')
    assert text.endswith("}\n")


def test_a_case_has_what_was_said_and_done(evaltui: Evaltui, tmp_path: Path) -> None:
    record(evaltui, "-o", NEW, "--conversation", "booked")
    (made,) = new_set(tmp_path)["eval_cases"]
    assert made["session_input"] == {"app_name": "trip", "user_id": "ann", "state": {}}
    assert made["conversation"][0] == {
        "invocation_id": "booked-1",
        "user_content": {"parts": [{"text": "Book flight 1"}], "role": "user"},
        "final_response": {"parts": [{"text": "Booked as K7."}], "role": "model"},
        "intermediate_data": {
            "tool_uses": [{"id": "call-1", "args": {"flight": "1", "note": None}, "name": "book"}],
            "tool_responses": [{"id": "call-1", "name": "book", "response": {"ref": "K7"}}],
            "intermediate_responses": [["trip", [{"text": "Let me see."}]]],
        },
        "creation_timestamp": START,
    }


def test_events_are_written_where_they_are_asked_for(evaltui: Evaltui, tmp_path: Path) -> None:
    record(evaltui, "-o", NEW, "--conversation", "booked", "--shape", "events")
    first, second = new_set(tmp_path)["eval_cases"][0]["conversation"]
    call = {"id": "call-1", "args": {"flight": "1", "note": None}, "name": "book"}
    assert first["intermediate_data"]["invocation_events"][0] == {
        "author": "trip",
        "content": {"parts": [{"text": "Let me see."}, {"function_call": call}], "role": "model"},
    }
    assert second["intermediate_data"] == {"invocation_events": [{"author": "trip"}]}


def test_a_new_set_never_takes_the_place_of_a_file(evaltui: Evaltui, tmp_path: Path) -> None:
    for name in (SESSIONS, NEW):
        (tmp_path / NEW).write_text("mine")
        before = (tmp_path / name).read_bytes()
        done = evaltui("record", SESSIONS, "-o", name)
        assert (done.code, done.out) == (2, b"")
        assert "this file already exists" in done.err
        assert (tmp_path / name).read_bytes() == before


def test_results_become_a_set_that_they_belong_to(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SESSIONS, result(case("greeting", turn("Hi there", "Hello")), name="desk"))
    assert evaltui("record", SESSIONS, "-o", NEW).code == 0
    assert new_set(tmp_path)["eval_set_id"] == "desk"
    assert evaltui("run", NEW, "-r", SESSIONS).code == 0


# --- into a set ----------------------------------------------------------------------------------------------------


def test_a_set_gets_the_cases_at_its_end_and_no_other_byte_changes(evaltui: Evaltui, tmp_path: Path) -> None:
    source = (PROJECT / "sample_sets" / "mixed_case.evalset.json").read_bytes()
    (tmp_path / SET).write_bytes(source)
    report = record(evaltui, "--into", SET, "--conversation", "booked")
    assert [each["eval_id"] for each in report["added"]] == ["book_flight_1"]
    after = (tmp_path / SET).read_bytes()
    begin = after.index(b',\n\t\t{\n\t\t\t"evalId": "book_flight_1"')
    end = begin + len(after) - len(source)
    assert after[:begin] + after[end:] == source
    call = b'{"id": "call-1", "name": "book", "args": {"flight": "1", "note": null}}'
    assert call in after[begin:end]
    assert evaltui("validate", SET).code == 0


def test_the_set_decides_about_the_shape_unless_one_is_given(evaltui: Evaltui, tmp_path: Path) -> None:
    with_events = {"user_content": {"parts": []}, "intermediate_data": {"invocation_events": []}}
    for shape, found in ((), "invocation_events"), (("--shape", "tool_uses"), "tool_uses"):
        write(tmp_path / SET, eval_set(case("a", with_events)))
        record(evaltui, "--into", SET, "--conversation", "booked", *shape)
        added = json.loads((tmp_path / SET).read_bytes())["eval_cases"][1]
        assert found in added["conversation"][0]["intermediate_data"]


def test_an_id_that_is_taken_gets_a_number(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(case("book_flight_1", turn("Other")), case("book_flight_1_2", turn("Another"))))
    report = record(evaltui, "--into", SET, "--conversation", "booked")
    assert [each["eval_id"] for each in report["added"]] == ["book_flight_1_3"]


def test_a_conversation_that_the_set_has_is_left_out_unless_again(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(case("a_booking", turn("Book flight 1"), turn("thanks!"))))
    before = (tmp_path / SET).read_bytes()
    done = evaltui("record", SESSIONS, "--into", SET, "--conversation", "booked", "--format", "json")
    assert done.code == 3
    report = json.loads(done.out)
    reason = 'case "a_booking" has the same user messages (--again adds it anyway)'
    assert (report["added"], reasons(report)) == ([], [("booked", None, reason)])
    assert (tmp_path / SET).read_bytes() == before
    again = record(evaltui, "--into", SET, "--conversation", "booked", "--again")
    assert [each["eval_id"] for each in again["added"]] == ["book_flight_1"]


def test_of_conversations_with_the_same_texts_the_newest_is_taken(evaltui: Evaltui, tmp_path: Path) -> None:
    chats = [Chat(name, START + at).user("Hi").agent(name).value for name, at in (("b", 5), ("c", 9), ("a", 0))]
    write(tmp_path / SESSIONS, chats)
    report = record(evaltui, "-o", NEW)
    assert [each["conversation"] for each in report["added"]] == ["c"]
    assert [each["conversation"] for each in report["left_out"]] == ["b", "a"]
    (tmp_path / NEW).unlink()
    assert [each["conversation"] for each in record(evaltui, "-o", NEW, "--again")["added"]] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "invalid JSON"),
        ("[]", "its outermost value must be an object"),
        ('{"eval_set_id": "s", "eval_cases": {}}', "eval_cases must be a list and is JSON object"),
        ('{"criteria": {}}', "is a config"),
    ],
)
def test_a_file_that_is_no_set_is_refused_and_stays(evaltui: Evaltui, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / SET).write_text(text)
    done = evaltui("record", SESSIONS, "--into", SET)
    assert (done.code, done.out) == (2, b"")
    assert said in done.err
    assert (tmp_path / SET).read_text() == text


@pytest.mark.parametrize(
    "text",
    ['{"eval_set_id": "s", "eval_cases": []}', '{"eval_set_id":"s"}', '{"eval_set_id": "s",\r\n"eval_cases": null}'],
)
def test_a_set_without_cases_gets_its_first(evaltui: Evaltui, tmp_path: Path, text: str) -> None:
    (tmp_path / SET).write_bytes(text.encode())
    assert len(record(evaltui, "--into", SET)["added"]) == 3
    assert evaltui("validate", SET).code == 0
    assert evaltui("run", SET, "-r", SESSIONS, "--metric", "tool_trajectory_avg_score").code == 0


# --- which turns ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turns", "kept"), [("1", [1]), ("2-3", [3]), ("1-1", [1]), ("3-", [3]), ("-2", [1]), ("2-", [3])]
)
def test_turns_are_chosen_by_their_numbers(evaltui: Evaltui, tmp_path: Path, turns: str, kept: Sequence[int]) -> None:
    record(evaltui, "-o", NEW, "--conversation", "rewound", f"--turns={turns}")
    (made,) = new_set(tmp_path)["eval_cases"]
    assert [each["invocation_id"] for each in made["conversation"]] == [f"rewound-{4 if n == 3 else n}" for n in kept]


def test_turns_that_were_taken_back_are_left_out_unless_they_are_kept(evaltui: Evaltui, tmp_path: Path) -> None:
    report = record(evaltui, "-o", NEW, "--conversation", "rewound")
    reason = "a rewind removed this turn (--rewound keeps it)"
    assert ("rewound", 2, reason) in reasons(report)
    (tmp_path / NEW).unlink()
    report = record(evaltui, "-o", NEW, "--conversation", "rewound", "--rewound")
    assert report["added"][0]["turns"] == 3
    assert all(reason not in each for each in reasons(report))


def test_turns_without_user_text_are_left_out(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SESSIONS, EMPTY_TEXT.value)
    done = evaltui("record", SESSIONS, "-o", NEW)
    assert (done.code, done.out) == (3, b"")
    assert "turn 1 of silent skipped: it has no user message" in done.err
    assert not (tmp_path / NEW).exists()


def test_calls_that_ask_a_person_are_left_out_and_said(evaltui: Evaltui, tmp_path: Path) -> None:
    chat = Chat("asked").user("Pay").call("adk_request_confirmation", {"x": 1}, {"ok": True}).agent("Paid.")
    write(tmp_path / SESSIONS, chat.value)
    report = record(evaltui, "-o", NEW)
    assert any(name == "asked" and "adk_request_confirmation" in reason for name, _, reason in reasons(report))
    assert "adk_request_confirmation" not in (tmp_path / NEW).read_text("utf-8")


def test_a_turn_without_an_answer_is_added_with_a_note(evaltui: Evaltui) -> None:
    done = evaltui("record", SESSIONS, "-o", NEW, "--conversation", "failed", "--format", "json")
    assert "turn 1 of failed: the agent gave no response (the agent failed with " in done.err
    assert json.loads(done.out)["added"][0]["turns"] == 1


def test_an_id_can_be_given_for_one_conversation(evaltui: Evaltui, tmp_path: Path) -> None:
    report = record(evaltui, "-o", NEW, "--conversation", "booked", "--eval-id", "my booking")
    assert [each["eval_id"] for each in report["added"]] == ["my booking"]
    done = evaltui("record", SESSIONS, "--into", NEW, "--eval-id", "x")
    assert (done.code, done.out) == (2, b"")
    assert "--eval-id needs one conversation, but there are 3" in done.err
    done = evaltui("record", SESSIONS, "--into", NEW, "--conversation", "rewound", "--eval-id", "my booking")
    assert done.code == 2
    assert 'another case has the eval_id "my booking"' in done.err


def test_conversations_are_added_in_the_order_they_are_named(evaltui: Evaltui) -> None:
    report = record(evaltui, "-o", NEW, "--conversation", "rewound,booked", "--conversation", "failed")
    assert [each["conversation"] for each in report["added"]] == ["rewound", "booked", "failed"]


# --- shown, said and refused -----------------------------------------------------------------------------------------


def test_a_diff_is_shown_and_nothing_is_written(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(case("a", turn("Hi"))))
    before = (tmp_path / SET).read_bytes()
    for target in (("--into", SET), ("-o", NEW)):
        done = evaltui("record", SESSIONS, *target, "--conversation", "booked", "--diff")
        assert done.code == 0
        assert done.out.decode().startswith(f"--- a/{target[1]}\n+++ b/{target[1]}\n")
        assert f"{target[1]}: 1 case would be added; nothing was written" in done.err
    assert (tmp_path / SET).read_bytes() == before
    assert not (tmp_path / NEW).exists()


def test_people_read_what_was_added(evaltui: Evaltui) -> None:
    done = evaltui("record", SESSIONS, "-o", NEW, "--conversation", "booked")
    lines = ["book_flight_1: 2 turns from booked", f"1 case added to {NEW}"]
    assert (done.code, done.out.decode().splitlines(), done.err) == (0, lines, "")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "record needs --list, -o NEW or --into SET"),
        (("--list", "-o", NEW), "--list writes no file"),
        (("-o", NEW, "--into", SET), "-o NEW and --into SET cannot be used together"),
        (("-o", "-"), "record cannot write to standard output"),
        (("--into", "."), "this is a folder"),
        (("--into", "absent.json"), "use -o to write a new set"),
        (("-o", NEW, "--turns", "0"), "--turns 0 is invalid; write N"),
        (("-o", NEW, "--turns", "x"), "--turns x is invalid; write N"),
        (("-o", NEW, "--turns", "3-2"), "the first turn comes after the last"),
        (("-o", NEW, "--conversation", "nobody"), 'no conversation has the id "nobody"'),
        (("-o", NEW, "--shape", "odd"), "invalid choice"),
        (("-o", "absent/new.json"), "there is no folder absent"),
        (("missing.db", "-o", NEW), "missing.db"),
    ],
)
def test_wrong_usage_is_a_sentence_and_nothing_is_written(
    evaltui: Evaltui, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    files = sorted(tmp_path.iterdir())
    done = evaltui("record", SESSIONS, *options)
    assert (done.code, done.out) == (2, b"")
    assert said in done.err
    assert done.err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == files


def test_without_a_source_there_must_be_sessions_nearby(evaltui: Evaltui) -> None:
    done = evaltui("record", "--list")
    assert done.code == 2
    assert "session.db" in done.err


def test_standard_input_is_a_source(evaltui: Evaltui, tmp_path: Path) -> None:
    done = evaltui("record", "-", "-o", NEW, stdin=json.dumps(BOOKED.value).encode())
    assert done.code == 0
    assert len(new_set(tmp_path)["eval_cases"]) == 1
    done = evaltui("record", "-", SESSIONS, SESSIONS, "--list", stdin=json.dumps(BOOKED.value).encode())
    assert done.code == 0
    done = evaltui("record", "-", "-", "--list")
    assert (done.code, done.err) == (2, "evaltui: only one source can be standard input\n")


def test_a_folder_is_every_recording_in_it(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "all" / "one.json", result(case("greeting", turn("Hi there", "Hello"))))
    write(tmp_path / "all" / "note.json", {"a": 1})
    done = evaltui("record", "all", "-o", NEW)
    assert done.code == 0
    assert "1 file in all (.json) is not a recording" in done.err
    write(tmp_path / "none" / "note.json", {"a": 1})
    assert evaltui("record", "none", "-o", "other.json").code == 2
    write(tmp_path / "none" / "a.evalset.json", {"eval_set_id": "a", "eval_cases": []})
    refused = evaltui("record", "none", "-o", "other.json").err
    advice = "to use the responses of an eval set, give its file: none/a.evalset.json"
    counted = "2 files in it (.json) are not recordings"
    assert f"there is no recording and no session in this folder; {counted}; {advice}" in refused


def test_only_some_of_many_omissions_are_told(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SESSIONS, [Chat(f"c{n}", START + n).user("Hi").agent("Hello").value for n in range(50)])
    done = evaltui("record", SESSIONS, "-o", NEW)
    assert (done.code, done.err.count(' skipped: conversation "c')) == (0, 20)
    assert "29 more skipped; --format json lists all" in done.err


def test_nothing_in_a_session_acts_on_a_terminal_or_ends_the_command(evaltui: Evaltui, tmp_path: Path) -> None:
    deep: dict[str, Any] = {}
    for _ in range(400):
        deep = {"a": deep}
    chats = [
        Chat("esc\x1b[31m").user("hi\x1b]0;x\x07 \u202e").call("f\x1b", {"\x1b": "\x1b"}, {}).agent("ok\x1b"),
        Chat("deep").user("deep").call("f", deep, {}).agent("ok"),
        Chat("half\ud800").user("half \ud800").agent("ok"),
        Chat("number").user({"text": 5}).agent("ok"),
        Chat("strange").user("strange", {"nonsense": 5}).agent("ok").user("Fine").agent("ok"),
        Chat("huge").user("huge").call("f", {"n": 10**400}, {}).agent("ok"),
    ]
    write(tmp_path / SESSIONS, [each.value for each in chats])
    for words in (("-o", NEW), ("--list",), ("--into", NEW, "--again", "--diff"), ("--into", NEW)):
        done = evaltui("record", SESSIONS, *words)
        assert done.code in (0, 3)
        assert not any(sign in done.out.decode() + done.err for sign in "\x1b\x07\u202e\ud800")
    assert [each["eval_id"] for each in new_set(tmp_path)["eval_cases"]] == ["hi_0_x", "fine", "huge"]
    assert evaltui("validate", NEW).code == 0
    assert evaltui("run", NEW, "-r", SESSIONS).code == 0
    assert len(record(evaltui, "--list")["conversations"]) == 6


# --- round trips -----------------------------------------------------------------------------------------------------

RECORDED = sorted((PROJECT / "sample_sets" / "recordings").glob("*.json*"))


def failing(evaltui: Evaltui, source: Path, shape: str) -> dict[str, str]:
    """The cases that do not pass with the recording that their set was made of; the set must be without problems."""
    name = f"{shape}.evalset.json"
    done = evaltui("record", source, "-o", name, "--shape", shape, "--format", "json")
    report = json.loads(done.out)
    assert report["added"]
    assert evaltui("validate", name).code == 0
    cases = json.loads(evaltui("run", name, "-r", source, "--format", "json").out)["cases"]
    assert len(cases) == len(report["added"])
    Path(name).unlink()
    noted = set(re.findall(r"^evaltui: turn [0-9]+ of (.*): the (?:agent gave no )?response", done.err, re.MULTILINE))
    silent = {each["eval_id"] for each in report["added"] if each["conversation"] in noted}
    failed = {each["eval_id"]: each["status"] for each in cases if each["status"] != "passed"}
    assert silent == failed.keys(), "a turn without a response cannot pass, and is said"
    return failed


@pytest.mark.parametrize("shape", ["tool_uses", "events"])
@pytest.mark.parametrize("source", RECORDED, ids=lambda path: path.name)
def test_a_set_that_is_made_of_a_recording_passes_with_it(evaltui: Evaltui, source: Path, shape: str) -> None:
    assert failing(evaltui, source, shape) == {}


@pytest.mark.parametrize("shape", ["tool_uses", "events"])
def test_shared_recordings_pass_with_sets_that_are_made_of_them(
    evaltui: Evaltui, shared_folder: Path, shape: str
) -> None:
    folder = shared_folder / "recordings"
    sources = [*folder.glob("*.json"), *folder.glob("sessions/*.db"), *folder.glob("sessions/*.session.json")]
    assert len(sources) > 8
    found = {source.name: failing(evaltui, source, shape) for source in sources}
    silent = {"is_17_prime": "failed"}
    assert {name: each for name, each in found.items() if each} == {
        "sample.evalset_result.json": silent,
        "sample_legacy_double_encoded.evalset_result.json": silent,
    }


def test_the_sessions_beside_a_set_are_found(evaltui: Evaltui, shared_folder: Path, tmp_path: Path) -> None:
    database = (shared_folder / "recordings" / "sessions" / "session.db").read_bytes()
    (tmp_path / "agent" / ".adk").mkdir(parents=True)
    (tmp_path / "agent" / ".adk" / "session.db").write_bytes(database)
    done = evaltui("record", "-o", f"agent/{NEW}", "--format", "json")
    assert [each["turns"] for each in json.loads(done.out)["added"]] == [2]
    listed = json.loads(evaltui("record", "agent", "--list", "--format", "json").out)["conversations"]
    assert [each["format"] for each in listed] == ["adk_session_db"]
    identifier = listed[0]["id"]
    done = evaltui("record", f"agent/.adk/session.db#{identifier}", "-o", "one.json")
    assert done.code == 0
    done = evaltui("record", "agent", "--conversation", identifier, "-o", "two.json")
    assert done.code == 0
    assert sorted(path.name for path in (tmp_path / "agent" / ".adk").iterdir()) == ["session.db"]


def test_the_list_names_the_file_of_each_conversation_where_there_are_several(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "all" / "one" / "run.json", result(case("greeting", turn("Hi there", "Hello"))))
    write(tmp_path / "all" / "two.json", result(case("parting", turn("Bye", "See you"))))
    both = evaltui("record", "all", "--list").out.decode()
    assert [("one/run.json" in both), ("two.json" in both)] == [True, True]
    assert "all/" not in both
    assert "two.json" not in evaltui("record", "all/two.json", "--list").out.decode()


@pytest.mark.parametrize("settings", ["", 'agent = "rail"', "agent = 7"])
def test_without_a_source_the_sessions_of_the_agent_are_taken(evaltui: Evaltui, tmp_path: Path, settings: str) -> None:
    path = tmp_path / "evals" / SET
    path.parent.mkdir()
    write(path, {"eval_set_id": "trips", "eval_cases": [{"eval_id": "a", "session_input": {"app_name": "rail"}}]})
    (tmp_path / "evaltui.toml").write_text(settings)
    (tmp_path / "rail").mkdir()
    (tmp_path / "rail" / "agent.py").touch()
    searched = ["evals", *["rail"] * (settings != "agent = 7")]
    none = evaltui("record", "--list", "--into", f"evals/{SET}")
    said = " or in ".join(str(tmp_path / folder) for folder in (*searched, ""))
    assert (none.code, none.err) == (2, f"evaltui: there is no .adk/session.db in {said}; give a SOURCE\n")
    for folder in reversed(searched):
        (tmp_path / folder / ".adk").mkdir()
        write(tmp_path / folder / ".adk" / "session.db", [BOOKED.value])
        done = evaltui("record", "--list", "--into", f"evals/{SET}", "--format", "json")
        (listed,) = json.loads(done.out)["conversations"]
        assert listed["path"].endswith(f"{folder}/.adk/session.db")

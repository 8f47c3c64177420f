"""`evaltui record --into DATASET`, and the ids that cases keep from the `eval_case_id` of a dataset."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.evalset.keys import camel
from evaltui.tui.open_file.foreign_file import new_set_text
from tests.answered_dataset import ANSWERED, DATASET, said
from tests.commands.conftest import Evaltui
from tests.commands.runs import write
from tests.commands.sessions import BOOKED, REWOUND

SESSIONS, NAME = "chats.json", "desk.json"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    write(tmp_path / SESSIONS, [BOOKED.value, REWOUND.value])
    (tmp_path / NAME).write_text(DATASET)


def cases(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_bytes())["eval_cases"]
    return found


def test_conversations_become_cases_that_pass_with_their_recording(evaltui: Evaltui, tmp_path: Path) -> None:
    done = evaltui("record", SESSIONS, "--into", NAME, "--format", "json")
    assert done.code == 0
    report = json.loads(done.out)
    assert [each["eval_id"] for each in report["added"]] == ["book_flight_1", "book_a_hotel"]
    text = (tmp_path / NAME).read_text()
    assert text.startswith(DATASET.removesuffix("\n  ]\n}\n"))
    added = cases(tmp_path / NAME)[3:]
    assert [each["eval_case_id"] for each in added] == ["book_flight_1", "book_a_hotel"]
    assert added[0]["intermediate_events"] == []
    assert "reference" in added[0]
    run = evaltui("run", f"{NAME}:book_*", "-r", SESSIONS, "--format", "json")
    assert (run.code, {each["status"] for each in json.loads(run.out)["cases"]}) == (0, {"passed"})


def test_the_turns_before_the_last_message_are_given_and_events_keep_their_agents(
    evaltui: Evaltui, tmp_path: Path
) -> None:
    evaltui("record", SESSIONS, "--into", NAME, "--conversation", "booked", "--turns", "1")
    (added,) = cases(tmp_path / NAME)[3:]
    assert "agent_data" not in added
    assert {event["author"] for event in added["intermediate_events"]} == {"trip"}
    evaltui("record", SESSIONS, "--into", NAME, "--conversation", "booked")
    turns = cases(tmp_path / NAME)[4]["agent_data"]["turns"]
    assert [event["author"] for event in turns[-1]["events"]] == ["user"]
    assert {event["author"] for event in turns[0]["events"]} == {"user", "trip"}


def test_a_dataset_in_camel_case_stays_so(evaltui: Evaltui, tmp_path: Path) -> None:
    case = {camel("eval_case_id"): "hello", "prompt": said("Hello")}
    (tmp_path / NAME).write_text(json.dumps({"evalCases": [case]}, indent=2))
    assert evaltui("record", SESSIONS, "--into", NAME, "--turns", "1", "--conversation", "booked").code == 0
    added = json.loads((tmp_path / NAME).read_text())["evalCases"][1]
    assert list(added)[:2] == ["evalCaseId", "prompt"]
    assert "functionResponse" in added["intermediateEvents"][1]["content"]["parts"][0]


def test_a_conversation_that_the_dataset_has_is_left_out_unless_again(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "trace.json").write_text(ANSWERED)
    done = evaltui("record", "trace.json", "--into", NAME, "--format", "json")
    assert (done.code, json.loads(done.out)["added"]) == (3, [])
    assert [each["reason"] for each in json.loads(done.out)["left_out"]] == [
        f'case "{name}" has the same user messages (--again adds it anyway)' for name in ("refund", "open")
    ]
    listed = json.loads(evaltui("record", "trace.json", "--into", NAME, "--list", "--format", "json").out)
    assert [each["known_as"] for each in listed["conversations"]] == ["refund", "open"]
    assert evaltui("record", "trace.json", "--into", NAME, "--again").code == 0
    assert [each["eval_case_id"] for each in cases(tmp_path / NAME)[3:]] == ["refund_2", "open_2"]


def test_what_is_not_recorded_is_not_stated(evaltui: Evaltui, tmp_path: Path) -> None:
    answered = json.dumps({"eval_cases": [json.loads(ANSWERED)["eval_cases"][1]]})  # a response without events
    (tmp_path / "trace.json").write_text(answered)
    evaltui("record", "trace.json", "--into", NAME, "--again")
    (added,) = cases(tmp_path / NAME)[3:]
    assert "intermediate_events" not in added
    assert added["reference"]["response"]["parts"] == [{"text": "Yes, until six."}]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--eval-id", "open", "--conversation", "booked"], 'desk.json: another case has the eval_id "open"'),
        (["--shape", "tool_uses"], "desk.json: --shape tool_uses is for eval sets; a dataset has its calls in events"),
    ],
)
def test_wrong_usage_is_a_sentence_and_nothing_is_written(
    evaltui: Evaltui, tmp_path: Path, options: list[str], reason: str
) -> None:
    done = evaltui("record", SESSIONS, "--into", NAME, *options)
    assert (done.code, done.out) == (2, b"")
    assert reason in done.err
    assert (tmp_path / NAME).read_text() == DATASET


@pytest.mark.parametrize(("option", "why"), [("-o", "this is the name of a dataset"), ("--into", "no such file")])
def test_a_dataset_that_does_not_exist_is_made_in_the_editor(
    evaltui: Evaltui, tmp_path: Path, option: str, why: str
) -> None:
    done = evaltui("record", SESSIONS, option, "new-dataset.json")
    assert (done.code, done.out) == (2, b"")
    assert why in done.err.lower()
    steps = "; make the dataset with evaltui edit new-dataset.json, then use --into new-dataset.json\n"
    assert done.err.endswith(steps)
    assert not (tmp_path / "new-dataset.json").exists()


def test_an_existing_dataset_is_named_as_the_target_of_into(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "old-dataset.json").write_text(DATASET)
    done = evaltui("record", SESSIONS, "-o", "old-dataset.json")
    assert done.code == 2
    assert "already exists; give another file name, or add to this one with --into" in done.err


@pytest.mark.parametrize("name", ["new-dataset.json", "dataset.json"])
def test_the_new_file_of_the_editor_takes_recorded_cases(evaltui: Evaltui, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(new_set_text(name))
    assert evaltui("record", SESSIONS, "--into", name).code == 0
    assert [each["eval_case_id"] for each in cases(tmp_path / name)] == ["case_1", "book_flight_1", "book_a_hotel"]


def test_a_bare_list_of_cases_is_refused(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(json.dumps(json.loads(DATASET)["eval_cases"]))
    done = evaltui("record", SESSIONS, "--into", NAME)
    assert (done.code, done.out) == (2, b"")
    assert "desk.json: this dataset has no list eval_cases; use -o to write a new set" in done.err


def test_a_diff_writes_nothing(evaltui: Evaltui, tmp_path: Path) -> None:
    done = evaltui("record", SESSIONS, "--into", NAME, "--diff")
    assert done.code == 0
    assert b'+      "eval_case_id": "book_flight_1"' in done.out
    assert (tmp_path / NAME).read_text() == DATASET


def test_a_case_of_a_set_keeps_the_id_of_the_case_that_was_recorded(evaltui: Evaltui, tmp_path: Path) -> None:
    trace = json.loads(ANSWERED)
    trace["eval_cases"][1]["eval_case_id"] = "hidden\u200b\x1b[31m"
    (tmp_path / "trace.json").write_text(json.dumps(trace))
    assert evaltui("record", "trace.json", "-o", "new.evalset.json").code == 0
    made = json.loads((tmp_path / "new.evalset.json").read_bytes())["eval_cases"]
    assert [each["eval_id"] for each in made] == ["refund", "are_you_open"]
    assert evaltui("record", "trace.json", "--into", "new.evalset.json", "--again").code == 0
    made = json.loads((tmp_path / "new.evalset.json").read_bytes())["eval_cases"]
    assert [each["eval_id"] for each in made[2:]] == ["refund_2", "are_you_open_2"]

"""`evaltui review` with a format, as docs/cli.md has it."""

import fcntl
import json
import os
import pty
import shlex
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import Evaltui, Process
from tests.commands.runs import ACTUAL, EXPECTED, GREETING, case, eval_set, result, turn, write

SET, TRACE = "trips.evalset.json", "run.json"
ID = "book_flight/1/calls/2/book/flight_id@"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    """A set of two cases, and a result in which one fails."""
    write(tmp_path / SET, eval_set(EXPECTED, GREETING))
    write(tmp_path / TRACE, result(ACTUAL, GREETING))


def document(out: bytes) -> dict[str, Any]:
    return dict(json.loads(out))


def test_the_json_is_that_of_the_contract(evaltui: Evaltui) -> None:
    done = evaltui("review", SET, "-r", TRACE, "--format", "json")
    said = document(done.out)
    assert (done.code, done.err, said["version"]) == (1, "", 1)
    assert said["set"] == {"path": SET, "eval_set_id": "trips", "rejected": None}
    assert said["summary"] == {
        "items": 1,
        "changes": {"fill": 0, "text": 1, "args": 1, "sequence": 1},
        "cases": 2,
        "not_evaluated": 0,
    }
    (item,) = said["items"]
    assert {key: item[key] for key in ("eval_id", "turn", "invocation_id", "status", "reason")} == {
        "eval_id": "book_flight",
        "turn": 1,
        "invocation_id": "",
        "status": "failed",
        "reason": None,
    }
    assert item["recording"]["path"] == TRACE
    judged = [(each["name"], each["status"]) for each in item["metrics"] if each["status"] != "informational"]
    assert judged == [("tool_trajectory_avg_score", "failed"), ("response_match_score", "failed")]
    assert item["metrics"][0]["explanation"]["rows"]
    assert item["expected"]["calls"][1] == {"name": "book", "args": {"flight_id": "1"}}
    assert item["actual"]["response"] == "Your flight is booked"
    assert (item["decisions"], item["contradiction"], said["accepted"]) == ([], False, [])


def test_a_change_has_id_kind_sentence_pointer_and_patch(evaltui: Evaltui) -> None:
    (item,) = document(evaltui("review", SET, "-r", TRACE, "--format", "json").out)["items"]
    args, sequence, text = item["changes"]
    pointer = "/eval_cases/0/conversation/0/intermediate_data/tool_uses/1/args/flight_id"
    assert args["id"].startswith(ID)
    assert {key: args[key] for key in ("kind", "summary", "pointer", "patch")} == {
        "kind": "args",
        "summary": 'flight_id: "1" → 1 (type differs)',
        "pointer": pointer,
        "patch": [{"op": "replace", "path": pointer, "value": 1}],
    }
    assert (sequence["kind"], sequence["summary"]) == ("sequence", "add call mail() after book")
    assert (text["kind"], text["patch"][0]["value"]) == ("text", "Your flight is booked")
    assert len(item["patch"]) == 3


def test_the_patch_of_an_item_makes_it_pass(evaltui: Evaltui) -> None:
    (item,) = document(evaltui("review", SET, "-r", TRACE, "--format", "json").out)["items"]
    assert evaltui("patch", SET, "-", stdin=json.dumps(item["patch"]).encode()).code == 0
    assert evaltui("review", SET, "-r", TRACE, "--all", "--format", "json").code == 0


def test_with_all_also_passing_turns_that_differ_are_listed(evaltui: Evaltui, tmp_path: Path) -> None:
    said = case("greeting", turn("Hi there", "Hello, how can I help you?"))
    write(tmp_path / TRACE, result(EXPECTED, said))
    assert evaltui("review", SET, "-r", TRACE, "--format", "json").code == 0
    done = evaltui("review", SET, "-r", TRACE, "--format", "json", "--all")
    assert [(each["eval_id"], each["status"]) for each in document(done.out)["items"]] == [("greeting", "passed")]
    assert done.code == 1


def test_turns_beyond_those_of_the_other_side_are_one_item(evaltui: Evaltui, tmp_path: Path) -> None:
    longer = case("greeting", *GREETING["conversation"], turn("And now?", "Now this."), turn("Bye", "Bye."))
    write(tmp_path / TRACE, result(EXPECTED, longer))
    (item,) = document(evaltui("review", SET, "-r", TRACE, "--format", "json").out)["items"]
    assert (item["turn"], item["expected"], [each["kind"] for each in item["changes"]]) == (2, None, ["sequence"] * 2)
    assert "3 turns" in item["reason"]
    assert all(each["patch"] for each in item["changes"])


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_turn_of_a_case_without_scores_has_no_verdict(evaltui: Evaltui, tmp_path: Path, form: str) -> None:
    asked, thanks = EXPECTED["conversation"][0], turn("Thanks", "Bye.")
    write(tmp_path / SET, eval_set(case("longer", turn("Hi there", "Hello to you"), asked, thanks)))
    hello = turn("Hi there", "Hello to you", [("look", {})])
    write(tmp_path / TRACE, result(case("longer", hello, *ACTUAL["conversation"])))
    chosen = ("--metric", "response_match_score=0.1", "--all", "--format", form)
    shown = " ".join(evaltui("review", SET, "-r", TRACE, *chosen).out.decode().replace("`", "").split())
    assert shown.count("the case fails: 2 turns recorded, 3 expected. In this turn: response_match ") == 2
    assert "≥" not in shown
    assert "✓" not in shown
    run = evaltui("run", SET, "-r", TRACE, *chosen[:2], "--format", "json")
    assert document(run.out)["cases"][0]["turns"] == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["-r", TRACE], 1),
        (["-r", "same.json"], 0),
        (["-r", "part.json"], 3),
        (["-r", "part.json", "--allow-not-evaluated"], 0),
        (["-r", TRACE, "--ignore-args", "--match-type", "IN_ORDER", "--metric", "tool_trajectory_avg_score"], 0),
        (["-r", "none.json"], 2),
        (["-r", TRACE, "--runs", "all"], 2),
        (["-r", TRACE, "--metric", "nothing"], 2),
    ],
)
def test_exit_codes(evaltui: Evaltui, tmp_path: Path, arguments: list[str], code: int) -> None:
    write(tmp_path / "same.json", result(EXPECTED, GREETING))
    write(tmp_path / "part.json", result(GREETING))
    for form in ("json", "text", "markdown"):
        done = evaltui("review", SET, *arguments, "--format", form)
        assert done.code == code
        assert (done.out == b"") == (code == 2)
        assert (done.err.count("\n") == 1) == (code in (2, 3)) or "part.json" in arguments


def test_ids_after_the_set_choose_cases(evaltui: Evaltui) -> None:
    assert evaltui("review", f"{SET}:greeting", "-r", TRACE, "--format", "json").code == 0
    assert evaltui("review", f"{SET}:book*", "-r", TRACE, "--format", "json").code == 1
    assert evaltui("review", f"{SET}:none", "-r", TRACE, "--format", "json").code == 2


def test_several_sets_are_several_reviews(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "b.evalset.json", eval_set(GREETING))
    done = evaltui("review", SET, "b.evalset.json", "-r", TRACE, "--format", "json")
    said = document(done.out)
    assert [each["set"]["path"] for each in said["reviews"]] == [SET, "b.evalset.json"]
    assert (said["version"], said["summary"]["items"], done.code) == (1, 1, 1)


def test_a_set_on_standard_input_is_reviewed_without_commands(evaltui: Evaltui, tmp_path: Path) -> None:
    done = evaltui("review", "-", "-r", TRACE, "--format", "text", stdin=(tmp_path / SET).read_bytes())
    assert done.code == 1
    assert b"evaltui accept" not in done.out
    assert f"change {ID}".encode() in done.out


def test_recordings_of_no_case_are_listed(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / TRACE, result(EXPECTED, GREETING, case("nobody", turn("Strange", "Thing"))))
    done = evaltui("review", SET, "-r", TRACE, "--format", "json")
    assert [each["path"] for each in document(done.out)["unmatched_recordings"]] == [TRACE]
    assert done.code == 0
    assert b"Conversations without a case" in evaltui("review", SET, "-r", TRACE, "--format", "markdown").out


@pytest.mark.parametrize("name", [SET, "odd name's.json", "sub/-x.json"])
def test_the_command_under_a_change_accepts_it(evaltui: Evaltui, tmp_path: Path, name: str) -> None:
    write(tmp_path / name, eval_set(EXPECTED, GREETING))
    options = ["-r", TRACE, "--metric", "tool_trajectory_avg_score=1.0", "--match-type", "ANY_ORDER"]
    commands = [
        shlex.split(line)
        for line in evaltui("review", name, *options, "--format", "text").out.decode().splitlines()
        if line.strip().startswith("evaltui accept")
    ]
    assert [words[:3] for words in commands] == [["evaltui", "accept", name]] * 4
    before = (tmp_path / name).read_bytes()
    *changes, together = commands
    for words in changes:
        done = evaltui(*words[1:])
        assert (done.code, done.err) == (0, "")
    after = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(before)
    assert evaltui(*together[1:]).code == 0
    assert json.loads((tmp_path / name).read_bytes()) == json.loads(after)
    assert evaltui("review", name, *options, "--format", "text", "--all").code == 0


def test_decisions_and_contradictions_are_shown_with_names(evaltui: Evaltui, tmp_path: Path) -> None:
    """The hash of what was seen is taken from the line that an acceptance with a note leaves."""
    before = (tmp_path / SET).read_bytes()
    identifier = document(evaltui("review", SET, "-r", TRACE, "--format", "json").out)["items"][0]["changes"][0]["id"]
    assert evaltui("accept", SET, "-r", TRACE, "--change", identifier, "--note", "numbers").code == 0
    sidecar = tmp_path / f"{SET}.review.jsonl"
    line = document(sidecar.read_bytes())
    other = {**line, "id": "b", "author": "Bo <bo@example.org>", "decision": "agent is wrong", "seen": line["became"]}
    del other["became"], other["changes"]
    sidecar.write_text(json.dumps(line) + "\n" + json.dumps(other) + "\nnothing\n")
    done = evaltui("review", SET, "-r", TRACE, "--format", "json")
    (item,) = document(done.out)["items"]
    assert [each["decision"] for each in item["decisions"]] == ["accepted", "agent is wrong"]
    assert item["contradiction"] is True
    assert document(done.out)["accepted"] == [line]
    assert done.err == f"evaltui: {SET}.review.jsonl: line 3 is not a decision; skipped\n"
    assert (
        ": 1 turn in the review, 1 of them decided"
        in evaltui("review", SET, "-r", TRACE, "--format", "text").out.decode()
    )
    text = evaltui("review", SET, "-r", TRACE, "--format", "markdown").out.decode()
    assert "**People disagree**" in text
    assert "by Bo `<bo@example.org>`)" in text
    assert "people disagree" in " ".join(evaltui("review", SET, "-r", TRACE, "--format", "text").out.decode().split())
    (tmp_path / SET).write_bytes(before)
    (item,) = document(evaltui("review", SET, "-r", TRACE, "--format", "json").out)["items"]
    assert item["decisions"] == []


def test_a_sidecar_that_cannot_be_read_is_exit_2(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / f"{SET}.review.jsonl").mkdir()
    done = evaltui("review", SET, "-r", TRACE, "--format", "json")
    assert (done.code, done.out) == (2, b"")
    assert done.err == f"evaltui: {SET}.review.jsonl: cannot be read: not a regular file\n"


def test_without_a_format_and_a_terminal_the_twins_are_named(process: Process) -> None:
    done = process("review", SET, "-r", TRACE)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith("evaltui: review needs a terminal. Elsewhere, use `evaltui review SET --f")


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_the_text_fits_the_terminal_but_for_commands(process: Process, width: int) -> None:
    controlling, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    command = ("review", SET, "-r", TRACE, "--format", "text", "--color", "never")
    done = process(*command, stdout=terminal)
    os.close(terminal)
    shown = os.read(controlling, 100_000).decode().replace("\r", "")
    os.close(controlling)
    assert done.returncode == 1
    too_long = [line for line in shown.splitlines() if len(line) > width]
    kept_whole = [line for line in too_long if "evaltui accept" in line or line.startswith(("✗", SET))]
    assert all(len(line.split()) <= 2 for line in too_long if line not in kept_whole)
    assert "evaltui accept" in shown


def test_colour_only_where_it_is_wanted(evaltui: Evaltui) -> None:
    command = ("review", SET, "-r", TRACE, "--format", "text")
    assert b"\x1b[" not in evaltui(*command).out
    assert b"\x1b[" in evaltui(*command, "--color", "always").out


def test_the_screen_and_its_libraries_are_not_loaded() -> None:
    script = (
        "import sys; from evaltui.cli import main\n"
        f"main(['review', {SET!r}, '-r', {TRACE!r}, '--format', 'json'])\n"
        "print('textual' in sys.modules, 'rich' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == "False False\n"


def test_a_case_that_failed_as_a_whole_has_no_turn_and_no_changes(evaltui: Evaltui, tmp_path: Path) -> None:
    raised = result(EXPECTED, GREETING)
    raised["eval_case_results"][1] |= {"eval_metric_result_per_invocation": [], "final_eval_status": 2}
    write(tmp_path / TRACE, raised)
    (item,) = document(evaltui("review", SET, "-r", TRACE, "--format", "json").out)["items"]
    assert (item["eval_id"], item["turn"], item["changes"], item["patch"]) == ("greeting", None, [], [])
    assert item["reason"]
    for form in ("text", "markdown"):
        assert item["reason"].split(";")[0].encode() in evaltui("review", SET, "-r", TRACE, "--format", form).out


def test_recorded_conversations_without_a_case_are_not_counted_and_said(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / TRACE, result(ACTUAL, GREETING, case("stranger", turn("Who?", "Me."))))
    document = json.loads(evaltui("review", SET, "-r", TRACE, "--format", "json").out)
    text = evaltui("review", SET, "-r", TRACE, "--format", "text").out.decode()
    assert text.splitlines()[0].endswith(f": {document['summary']['items']} turn to review")
    assert text.splitlines()[1] == "3 changes: 1 response, 1 argument, 1 call or turn"
    shown = " ".join(text.split())
    assert "1 recorded conversation has no case. It is not counted. The app shows it after the turns." in shown


def test_conversations_of_another_app_are_listed_but_not_said_to_be_in_the_app(
    evaltui: Evaltui, tmp_path: Path
) -> None:
    recorded = result(ACTUAL, GREETING, case("stranger", turn("Who?", "Me.")))
    for each in recorded["eval_case_results"]:
        each["session_details"] = {"app_name": "other" if each["eval_id"] == "stranger" else "trip"}
    write(tmp_path / TRACE, recorded)
    (unmatched,) = document(evaltui("review", SET, "-r", TRACE, "--format", "json").out)["unmatched_recordings"]
    assert sorted(unmatched) == ["id", "path", "reason"]
    assert b"has no case. It is not counted" not in evaltui("review", SET, "-r", TRACE, "--format", "text").out
    assert b"without a case" not in evaltui("review", SET, "-r", TRACE, "--format", "markdown").out


def test_markdown_leaves_out_conversations_of_other_sets(evaltui: Evaltui, tmp_path: Path) -> None:
    stranger = case("stranger", turn("Who?", "Me."))
    write(tmp_path / "runs" / "ours.json", result(ACTUAL, GREETING, stranger))
    write(tmp_path / "runs" / "theirs.json", result(EXPECTED, name="another"))
    markdown = evaltui("review", SET, "-r", "runs", "--format", "markdown").out.decode()
    assert "- `runs/ours.json`: 1 conversation:" in markdown
    assert "theirs.json" not in markdown

"""`evaltui accept` as docs/cli.md has it: what is recorded is written, and no other byte."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import Evaltui
from tests.commands.runs import ACTUAL, EXPECTED, GREETING, case, eval_set, result, turn, write

SET, TRACE = "trips.evalset.json", "run.json"
SIDECAR = f"{SET}.review.jsonl"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    """A set of three cases: two with differences, and one that expects no response."""
    nothing = case("nothing", turn("Say something"))
    write(tmp_path / SET, eval_set(EXPECTED, GREETING, nothing))
    write(tmp_path / TRACE, result(ACTUAL, GREETING, case("nothing", turn("Say something", "Something."))))


def changes(evaltui: Evaltui, *options: str) -> dict[str, dict[str, Any]]:
    """The changes of the review by kind."""
    done = evaltui("review", SET, "-r", TRACE, "--format", "json", *options)
    return {change["kind"]: change for item in json.loads(done.out)["items"] for change in item["changes"]}


def accept(evaltui: Evaltui, *options: str) -> tuple[int, list[str], str]:
    done = evaltui("accept", SET, "-r", TRACE, *options)
    return done.code, done.out.decode().splitlines(), done.err


def test_one_change_touches_only_its_own_bytes(evaltui: Evaltui, tmp_path: Path) -> None:
    before = (tmp_path / SET).read_bytes()
    said = accept(evaltui, "--change", changes(evaltui)["args"]["id"])
    lines = ['book_flight › turn 1 · args: flight_id: "1" → 1 (type differs)', "1 change accepted"]
    assert said == (0, lines, "")
    assert (tmp_path / SET).read_bytes() == before.replace(b'"flight_id": "1"', b'"flight_id": 1')
    assert not (tmp_path / SIDECAR).exists()


def test_what_the_patch_does_and_what_is_accepted_are_one(evaltui: Evaltui, tmp_path: Path) -> None:
    before = (tmp_path / SET).read_bytes()
    for change in changes(evaltui).values():
        (tmp_path / SET).write_bytes(before)
        assert accept(evaltui, "--change", change["id"])[0] == 0
        accepted = json.loads((tmp_path / SET).read_bytes())
        (tmp_path / SET).write_bytes(before)
        assert evaltui("patch", SET, "-", stdin=json.dumps(change["patch"]).encode()).code == 0
        assert json.loads((tmp_path / SET).read_bytes()) == accepted


def test_several_ids_are_accepted_in_one_go_each_once(evaltui: Evaltui) -> None:
    found = changes(evaltui)
    ids = [found[kind]["id"] for kind in ("text", "args", "text", "fill")]
    code, lines, _ = accept(evaltui, *(word for each in ids for word in ("--change", each)))
    assert (code, lines[-1]) == (0, "3 changes accepted")
    assert list(changes(evaltui)) == ["sequence"]


def test_a_case_a_turn_and_kinds_choose(evaltui: Evaltui) -> None:
    assert accept(evaltui, "--case", "book_flight", "--turn", "1", "--kind", "args", "--kind", "sequence")[0] == 0
    assert sorted(changes(evaltui)) == ["fill", "text"]
    assert accept(evaltui, "--case", "book_flight")[1][-1] == "1 change accepted"
    assert list(changes(evaltui)) == ["fill"]


def test_fills_are_accepted_together(evaltui: Evaltui) -> None:
    code, lines, _ = accept(evaltui, "--fills")
    assert (code, lines) == (0, ['nothing › turn 1 · fill: response: nothing → "Something."', "1 change accepted"])
    assert sorted(changes(evaltui)) == ["args", "sequence", "text"]


def test_a_passing_turn_is_accepted_with_all_or_by_its_id(evaltui: Evaltui, tmp_path: Path) -> None:
    said = case("greeting", turn("Hi there", "Hello, how can I help you?"))
    write(tmp_path / SET, eval_set(GREETING))
    write(tmp_path / TRACE, result(said))
    before = (tmp_path / SET).read_bytes()
    code, lines, error = accept(evaltui, "--case", "greeting")
    assert (code, lines) == (0, [])
    assert "the case passes; --all accepts its changes, too" in error
    assert (tmp_path / SET).read_bytes() == before
    assert accept(evaltui, "--case", "greeting", "--all")[1][-1] == "1 change accepted"
    (tmp_path / SET).write_bytes(before)
    assert accept(evaltui, "--change", changes(evaltui, "--all")["text"]["id"])[1][-1] == "1 change accepted"


def test_the_diff_is_one_that_git_applies_and_nothing_is_written(evaltui: Evaltui, tmp_path: Path) -> None:
    before = (tmp_path / SET).read_bytes()
    done = evaltui("accept", SET, "-r", TRACE, "--case", "book_flight", "--note", "why", "--diff")
    assert (done.code, done.err) == (0, f"evaltui: {SET}: 3 changes would be accepted; nothing was written\n")
    assert (tmp_path / SET).read_bytes() == before
    assert not (tmp_path / SIDECAR).exists()
    subprocess.run(["git", "apply", "-"], input=done.out, cwd=tmp_path, check=True)
    assert list(changes(evaltui)) == ["fill"]


def test_a_note_adds_one_line_an_item_with_what_became_of_it(evaltui: Evaltui, tmp_path: Path) -> None:
    found = changes(evaltui)
    ids = [found[kind]["id"] for kind in ("text", "args", "fill")]
    assert accept(evaltui, *(word for each in ids for word in ("--change", each)), "--note", "née")[0] == 0
    lines = [json.loads(line) for line in (tmp_path / SIDECAR).read_text().splitlines()]
    assert [(each["eval_id"], each["turn"], each["decision"], each["note"]) for each in lines] == [
        ("book_flight", 1, "accepted", "née"),
        ("nothing", 1, "accepted", "née"),
    ]
    assert [sorted(each["changes"]) for each in lines] == [sorted(ids[:2]), ids[2:]]
    said = json.loads(evaltui("review", SET, "-r", TRACE, "--format", "json").out)
    assert [each["eval_id"] for each in said["accepted"]] == ["book_flight", "nothing"]
    assert [each["decision"] for each in said["items"][0]["decisions"]] == ["accepted"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "accept needs exactly one of --change ID, --case ID and --fills"),
        (["--fills", "--case", "book_flight"], "accept needs exactly one of"),
        (["--fills", "--kind", "fill"], "--turn and --kind need --case ID"),
        (["--change", "a/1/b@0", "--turn", "1"], "--turn and --kind need --case ID"),
        (["--change", "book_flight/1/response@0123456789ab"], "run evaltui review again"),
        (["--change", "\x1b[31m"], 'no change has the id "␛[31m'),
        (["--case", "nobody"], 'no case has the eval_id "nobody"'),
        (["--case", "book_flight", "--turn", "2"], 'case "book_flight" has no turn 2; its turns are 1 to 1'),
        (["--case", "book_flight", "--kind", "none"], "invalid choice: 'none'"),
        (["--case", "book_flight", "--turn", "x"], "invalid int value: 'x'"),
        (["--fills", "--runs", "all"], "--runs all works only with evaltui run"),
        (["--fills", "--config", "nowhere.json"], "nowhere.json"),
    ],
)
def test_wrong_usage_and_unknown_names_write_nothing(
    evaltui: Evaltui, tmp_path: Path, options: list[str], sentence: str
) -> None:
    before = (tmp_path / SET).read_bytes()
    code, lines, error = accept(evaltui, *options, "--note", "why")
    assert (code, lines, error.count("\n")) == (2, [], 1)
    assert sentence in error
    assert (tmp_path / SET).read_bytes() == before
    assert not (tmp_path / SIDECAR).exists()


def test_one_stale_id_keeps_the_others_from_being_written(evaltui: Evaltui, tmp_path: Path) -> None:
    found = changes(evaltui)
    assert accept(evaltui, "--change", found["args"]["id"])[0] == 0
    before = (tmp_path / SET).read_bytes()
    assert accept(evaltui, "--change", found["text"]["id"], "--change", found["args"]["id"])[0] == 2
    assert (tmp_path / SET).read_bytes() == before


def test_an_id_is_stale_once_the_recording_is_another(evaltui: Evaltui, tmp_path: Path) -> None:
    identifier = changes(evaltui)["text"]["id"]
    write(tmp_path / TRACE, result(case("book_flight", turn("Book the first flight", "No."))))
    assert accept(evaltui, "--change", identifier)[0] == 2


@pytest.mark.parametrize("name", ["-", "-:a", "folder", "folder:a", "none.json", ""])
def test_only_a_file_is_changed(evaltui: Evaltui, tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    done = evaltui("accept", name, "-r", TRACE, "--fills", stdin=(tmp_path / SET).read_bytes())
    assert (done.code, done.out) == (2, b"")
    assert done.err.count("\n") == 1


def test_nothing_to_accept_is_said_and_no_failure(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / TRACE, result(GREETING))
    before = (tmp_path / SET).stat()
    reason = "no change fills an empty expectation; nothing was written"
    assert accept(evaltui, "--fills") == (0, [], f"evaltui: {SET}: nothing to accept: {reason}\n")
    alone = evaltui("accept", SET, "--fills")
    assert (alone.code, "there are no recordings of this set in .adk/eval_history; the agent" in alone.err) == (0, True)
    code, lines, error = accept(evaltui, "--case", "book_flight", "--note", "why")
    assert (code, lines) == (0, [])
    assert 'nothing to accept in case "book_flight": there is no recording of this case' in error
    assert (tmp_path / SET).stat().st_mtime_ns == before.st_mtime_ns
    assert not (tmp_path / SIDECAR).exists()


def test_an_eval_id_of_several_cases_is_refused(evaltui: Evaltui, tmp_path: Path) -> None:
    other = case("book_flight", turn("Another", "Yes"))
    write(tmp_path / SET, eval_set(EXPECTED, other))
    code, _, error = accept(evaltui, "--case", "book_flight")
    assert code == 2
    assert '2 cases have the eval_id "book_flight"; use --change ID in place of --case ID' in error


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_sidecar_that_cannot_be_written_keeps_the_set_as_it_is(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / SIDECAR).touch(mode=0o400)
    _refused_note(evaltui, tmp_path)


def test_a_sidecar_that_is_a_folder_keeps_the_set_as_it_is(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / SIDECAR).mkdir()
    _refused_note(evaltui, tmp_path)


def _refused_note(evaltui: Evaltui, folder: Path) -> None:
    before = (folder / SET).read_bytes()
    code, lines, error = accept(evaltui, "--fills", "--note", "why")
    assert (code, lines) == (2, [])
    assert error == f"evaltui: {SIDECAR}: cannot be written\n"
    assert (folder / SET).read_bytes() == before


def test_a_key_that_stands_twice_on_the_way_is_refused(evaltui: Evaltui, tmp_path: Path) -> None:
    text = (tmp_path / SET).read_text().replace('"args": {"flight_id": "1"}', '"args": {}, "args": {"flight_id": "1"}')
    (tmp_path / SET).write_text(text)
    code, lines, error = accept(evaltui, "--case", "book_flight", "--kind", "args")
    assert (code, lines, error.count("\n")) == (2, [], 1)
    assert error.startswith(f"evaltui: {SET}: the changes cannot be accepted: /eval_cases/0/")
    assert (tmp_path / SET).read_text() == text


# --- files of other people -------------------------------------------------------------------------------------------

PAIRS = [
    ("eval_set_helm.json", "helm.json"),
    ("eval_set_helm.json", "helm_2.json"),
    ("evalset_helm_3_2026-02-23.json", "helm_3.json"),
    ("evalset_k8s_2026-02-20.json", "k8s.json"),
    ("eval_set_helm.json", "tempo_export_with_batches.json"),
]


@pytest.mark.parametrize(("name", "recording"), PAIRS)
def test_altered_expectations_are_brought_back_change_by_change(
    evaltui: Evaltui, tmp_path: Path, shared_folder: Path, name: str, recording: str
) -> None:
    """Each accept gives exactly what its patch gives, until nothing differs and every case that is recorded passes."""
    (tmp_path / name).write_bytes((shared_folder / "recordings" / name).read_bytes())
    trace = str(shared_folder / "recordings" / recording)
    _alter(tmp_path / name)
    steps = 0
    while items := json.loads(evaltui("review", name, "-r", trace, "--all", "--format", "json").out)["items"]:
        change = next(change for item in items for change in item["changes"])
        before = (tmp_path / name).read_bytes()
        assert evaltui("patch", name, "-", "-o", "patched.json", stdin=json.dumps(change["patch"]).encode()).code == 0
        done = evaltui("accept", name, "-r", trace, "--change", change["id"])
        assert (done.code, done.out.decode().splitlines()[-1]) == (0, "1 change accepted")
        after = (tmp_path / name).read_bytes()
        assert json.loads(after) == json.loads((tmp_path / "patched.json").read_bytes())
        assert after != before
        steps += 1
        assert steps < 100
    assert steps
    scores = json.loads(evaltui("run", name, "-r", trace, "--format", "json").out)["cases"]
    found = [metric for each in scores if each["recording"] for metric in each["metrics"] if metric["threshold"]]
    assert found
    assert all(metric["score"] == 1.0 for metric in found if metric["status"] != "not_evaluated")


def _alter(path: Path) -> None:
    """Other arguments, another response, and a call less in each turn."""
    found = json.loads(path.read_bytes())
    for each in found["eval_cases"]:
        for one in each["conversation"]:
            one["final_response"] = {"role": "model", "parts": [{"text": "Something else."}]}
            uses = (one.get("intermediate_data") or {}).get("tool_uses") or []
            for use in uses[:1]:
                use["args"] = {"other": 1, **(use.get("args") or {})}
            del uses[1:2]
    path.write_text(json.dumps(found, indent=2))


@pytest.mark.parametrize("name", ["sample.evalset_result.json", "sample_legacy_double_encoded.evalset_result.json"])
def test_a_set_that_expects_nothing_is_filled_from_results_of_google_adk(
    evaltui: Evaltui, tmp_path: Path, shared_folder: Path, name: str
) -> None:
    trace = shared_folder / "recordings" / name
    told = json.loads(trace.read_bytes())
    told = json.loads(told) if isinstance(told, str) else told
    cases = {}
    for each in told["eval_case_results"]:
        turns = [one["actual_invocation"]["user_content"] for one in each["eval_metric_result_per_invocation"]]
        cases[each["eval_id"]] = case(each["eval_id"], *({"user_content": user} for user in turns))
    write(tmp_path / SET, eval_set(*cases.values(), name=told["eval_set_id"]))
    done = evaltui("accept", SET, "-r", trace, "--fills")
    assert (done.code, done.out.decode().endswith("accepted\n")) == (0, True)
    items = json.loads(evaltui("review", SET, "-r", trace, "--all", "--format", "json").out)["items"]
    assert [change for item in items for change in item["changes"]] == []

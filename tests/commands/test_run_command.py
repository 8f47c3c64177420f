"""`evaltui run` as docs/cli.md has it."""

import json
import sqlite3
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from evaltui.settings.project_settings import read_settings_again
from tests.commands.conftest import Evaltui
from tests.commands.runs import ACTUAL, ASK, BOOKED, EXPECTED, GREETING, case, eval_set, result, turn, write
from tests.recordings.session_files import exchange, session

SET, TRACE = "trips.evalset.json", "run.json"


@pytest.fixture
def files(tmp_path: Path) -> None:
    """A set of two cases, and a result in which one fails."""
    write(tmp_path / SET, eval_set(EXPECTED, GREETING))
    write(tmp_path / TRACE, result(ACTUAL, GREETING))


def document(out: bytes) -> dict[str, Any]:
    return dict(json.loads(out))


def by_id(out: bytes) -> dict[str, dict[str, Any]]:
    return {each["eval_id"]: each for each in document(out)["cases"]}


@pytest.mark.usefixtures("files")
def test_the_json_has_scores_and_why(evaltui: Evaltui) -> None:
    done = evaltui("run", SET, "-r", TRACE, "--format", "json")
    said = document(done.out)
    assert (done.code, said["version"]) == (1, 1)
    assert said["set"] == {"path": SET, "eval_set_id": "trips", "rejected": None}
    assert said["config"] == {
        "path": None,
        "criteria": {
            "tool_trajectory_avg_score": {"threshold": 1.0, "match_type": "EXACT"},
            "response_match_score": {"threshold": 0.8},
        },
    }
    assert said["recordings"] == [{"path": TRACE, "format": "adk_result", "conversations": 2, "warnings": []}]
    failing, passing = said["cases"]
    assert (failing["eval_id"], failing["status"]) == ("book_flight", "failed")
    assert failing["recording"]["path"] == TRACE
    assert failing["recording"]["matched_by"] == "eval_id"
    assert (passing["eval_id"], passing["status"]) == ("greeting", "passed")
    assert said["unmatched_recordings"] == []
    assert {key: said["summary"][key] for key in ("cases", "passed", "failed", "not_evaluated")} == {
        "cases": 2,
        "passed": 1,
        "failed": 1,
        "not_evaluated": 0,
    }


@pytest.mark.usefixtures("files")
def test_a_turn_explains_its_scores(evaltui: Evaltui) -> None:
    (only,) = by_id(evaltui("run", SET, "-r", TRACE, "--format", "json").out)["book_flight"]["turns"]
    told = {each["name"]: each for each in only["metrics"]}
    calls = told["tool_trajectory_avg_score"]["explanation"]
    assert {key: calls[key] for key in ("rows", "passes", "passes_ignoring_args")} == {
        "rows": [
            {"state": "matched", "expected": 0, "actual": 0},
            {
                "state": "arguments_differ",
                "expected": 1,
                "actual": 1,
                "arguments": [{"pointer": "/flight_id", "state": "type_differs", "expected": "1", "actual": 1}],
            },
            {"state": "extra", "actual": 2},
        ],
        "passes": {"EXACT": False, "IN_ORDER": False, "ANY_ORDER": False},
        "passes_ignoring_args": {"EXACT": False, "IN_ORDER": True, "ANY_ORDER": True},
    }
    words = told["response_match_score"]["explanation"]
    assert (words["shared"], words["missing"], words["added"]) == (
        ["flight", "is", "booked"],
        ["the", "first", "for", "you"],
        ["your"],
    )
    assert (words["precision"], words["recall"]) == (3 / 4, 3 / 7)


@pytest.mark.usefixtures("files")
def test_the_table_has_the_failing_case_first_with_the_reason(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(GREETING, EXPECTED))
    done = evaltui("run", SET, "-r", TRACE)
    lines = done.out.decode().splitlines()
    assert done.code == 1
    assert max(map(len, lines)) <= 80
    first = next(line for line in lines if line.startswith(("✗", "✓")))
    assert first.split()[:2] == ["✗", "book_flight"]
    text = " ".join(done.out.decode().split())
    assert "flight_id" in text
    assert "mail is called but not expected" in text
    assert "2 cases: 1 passed, 1 failed" in text
    assert "google-adk's defaults" in text


@pytest.mark.usefixtures("files")
def test_ids_are_never_cut(evaltui: Evaltui, tmp_path: Path) -> None:
    long = "a" * 120
    write(tmp_path / SET, eval_set(case(long, turn(ASK, BOOKED)), GREETING))
    write(tmp_path / TRACE, result(case(long, turn(ASK, "No")), GREETING))
    assert long in evaltui("run", SET, "-r", TRACE).out.decode()


@pytest.mark.usefixtures("files")
def test_cases_are_chosen_by_id_and_by_glob(evaltui: Evaltui) -> None:
    def chosen(ids: str) -> list[str]:
        return list(by_id(evaltui("run", f"{SET}:{ids}", "-r", TRACE, "--format", "json").out))

    assert chosen("greeting") == ["greeting"]
    assert chosen("book_flight,greeting") == ["book_flight", "greeting"]
    assert chosen("gr*") == ["greeting"]
    refused = evaltui("run", f"{SET}:greetin", "-r", TRACE)
    assert (refused.code, refused.out) == (2, b"")
    assert "greetin" in refused.err
    assert "did you mean greeting?" in refused.err


@pytest.mark.usefixtures("files")
def test_a_case_without_a_recording_is_never_a_pass(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / TRACE, result(GREETING))
    done = evaltui("run", SET, "-r", TRACE, "--format", "json")
    found = by_id(done.out)["book_flight"]
    assert (done.code, found["status"], found["recording"]) == (3, "not_evaluated", None)
    assert found["reason"]
    assert "book_flight" in done.err
    assert evaltui("run", SET, "-r", TRACE, "--allow-not-evaluated").code == 0


def test_nothing_at_all_is_exit_3_also_where_that_is_allowed(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set())
    write(tmp_path / TRACE, result(GREETING))
    assert evaltui("run", SET, "-r", TRACE).code == 3
    assert evaltui("run", SET, "-r", TRACE, "--allow-not-evaluated").code == 3


@pytest.mark.usefixtures("files")
def test_unequal_turns_fail_and_name_both_counts(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / TRACE, result(case("greeting", *GREETING["conversation"], turn("More", "Yes")), EXPECTED))
    done = evaltui("run", SET, "-r", TRACE, "--format", "json")
    found = by_id(done.out)["greeting"]
    assert (done.code, found["status"]) == (1, "failed")
    assert [each["score"] for each in found["metrics"] if each["status"] == "failed"] == [None, None]
    reason = found["metrics"][0]["reason"]
    assert "1" in reason
    assert "2" in reason
    assert "recorded turns: 1 Hi there · 2 More" in " ".join(evaltui("run", SET, "-r", TRACE).out.decode().split())


@pytest.mark.usefixtures("files")
def test_an_unmatched_recording_is_said_and_changes_nothing(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(GREETING, case("other", turn("Something", "else"))))
    write(tmp_path / TRACE, result(GREETING, case("other", turn("Something", "else")), case("gone", turn("Who?", "I"))))
    done = evaltui("run", SET, "-r", TRACE, "--format", "json")
    (unmatched,) = document(done.out)["unmatched_recordings"]
    assert done.code == 0
    assert unmatched["path"] == TRACE
    assert unmatched["reason"] in done.err


@pytest.mark.usefixtures("files")
def test_a_case_with_a_schema_error_is_not_evaluated_and_the_others_are(evaltui: Evaltui, tmp_path: Path) -> None:
    broken = {"eval_id": "book_flight", "conversation": [{"user_contents": {}}]}
    write(tmp_path / SET, eval_set(broken, GREETING))
    done = evaltui("run", SET, "-r", TRACE, "--format", "json")
    found = by_id(done.out)
    assert (done.code, found["greeting"]["status"]) == (3, "passed")
    assert found["book_flight"]["status"] == "not_evaluated"
    assert "user_contents should be user_content" in found["book_flight"]["reason"]


@pytest.mark.usefixtures("files")
def test_options_take_the_place_of_the_config(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "test_config.json", {"criteria": {"tool_trajectory_avg_score": 0.5, "hallucinations_v1": 0.5}})

    def criteria(*options: str) -> dict[str, Any]:
        said = document(evaltui("run", SET, "-r", TRACE, "--format", "json", *options).out)
        return dict(said["config"]["criteria"])

    assert list(criteria()) == ["tool_trajectory_avg_score", "hallucinations_v1"]
    assert criteria("--metric", "tool_trajectory_avg_score") == {
        "tool_trajectory_avg_score": {"threshold": 0.5, "match_type": "EXACT"}
    }
    assert criteria("--metric", "response_match_score=0.25") == {"response_match_score": {"threshold": 0.25}}
    assert criteria("--metric", "response_match_score") == {"response_match_score": {"threshold": 0.8}}
    either = criteria("--match-type", "IN_ORDER", "--ignore-args")["tool_trajectory_avg_score"]
    assert (either["match_type"], either["ignore_args"]) == ("IN_ORDER", True)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "options",
    [
        ("--metric", "no_such_metric"),
        ("--metric", "response_match_score=high"),
        ("--metric", "response_match_score=nan"),
        ("--metric", ""),
        ("--match-type", "SOMEHOW"),
        ("--config", "nowhere.json"),
        ("-r", "nowhere.json"),
        ("-o", "report.pdf"),
        ("-o", "no/such/folder/report.json"),
        ("--profile", "other"),
        ("--runs", "some"),
    ],
)
def test_what_cannot_be_used_is_one_sentence_and_exit_2(evaltui: Evaltui, options: tuple[str, ...]) -> None:
    done = evaltui("run", SET, "-r", TRACE, *options)
    assert (done.code, done.out) == (2, b"")
    assert len(done.err.splitlines()) == 1


@pytest.mark.usefixtures("files")
def test_two_values_behind_one_option_are_refused_with_the_way_to_write_them(evaltui: Evaltui) -> None:
    done = evaltui("run", SET, "-r", TRACE, TRACE)
    assert (done.code, done.out) == (2, b"")
    assert "-r A -r B" in done.err


def test_a_set_that_cannot_be_scored_is_exit_2(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / TRACE, result(GREETING))
    for content in ("{", "[1, 2]", '{"criteria": {}}', '{"eval_set_id": "a", "eval_cases": {}}'):
        (tmp_path / SET).write_text(content)
        done = evaltui("run", SET, "-r", TRACE)
        assert (done.code, done.out) == (2, b""), content
        assert SET in done.err


@pytest.mark.usefixtures("files")
def test_a_judge_is_never_imitated(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "test_config.json", {"criteria": {"response_match_score": 0.1, "hallucinations_v1": 0.5}})
    done = evaltui("run", SET, "-r", TRACE, "--format", "json")
    metrics = {each["name"]: each for each in by_id(done.out)["greeting"]["metrics"]}
    assert (done.code, metrics["response_match_score"]["status"]) == (3, "passed")
    assert (metrics["hallucinations_v1"]["status"], metrics["hallucinations_v1"]["score"]) == ("not_evaluated", None)
    assert metrics["hallucinations_v1"]["reason"] in done.err


@pytest.mark.usefixtures("files")
def test_several_runs_count_for_the_last_or_for_all(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "again.json", result(EXPECTED, GREETING, at=1_800_000_000.0))
    latest = evaltui("run", SET, "-r", "again.json", "-r", TRACE, "--format", "json")
    assert (latest.code, by_id(latest.out)["book_flight"]["recording"]["path"]) == (0, "again.json")
    every = evaltui("run", SET, "-r", "again.json", "-r", TRACE, "--format", "json", "--runs", "all")
    found = by_id(every.out)["book_flight"]
    assert (every.code, found["passed_runs"], [each["status"] for each in found["runs"]]) == (
        1,
        1,
        ["failed", "passed"],
    )
    means = {each["name"]: each["score"] for each in found["metrics"]}
    assert means["tool_trajectory_avg_score"] == 0.5
    assert "passed 1 of 2" in evaltui("run", SET, "-r", "again.json", "-r", TRACE, "--runs", "all").out.decode()


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("options", [("--config", "o.json"), ("--config", "c.json"), ("--metric", "token_usage_v1")])
def test_where_nothing_is_judged_that_is_said(evaltui: Evaltui, tmp_path: Path, options: tuple[str, ...]) -> None:
    write(tmp_path / "c.json", {"criteria": {}})
    write(tmp_path / "o.json", {"owner": "desk"})  # google-adk ignores unknown keys
    done = evaltui("run", SET, "-r", TRACE, "--format", "json", *options)
    reason = "there are no criteria"
    assert (done.code, [each["reason"] for each in document(done.out)["cases"]]) == (3, [reason] * 2)
    assert f"{SET}: 2 cases (book_flight, greeting) are not evaluated: {reason}" in done.err


@pytest.mark.usefixtures("files")
def test_a_run_without_a_score_is_said_although_the_others_pass(evaltui: Evaltui, tmp_path: Path) -> None:
    broken = result(case("greeting", {**turn("Hi there", "Hello"), "intermediate_data": "none"}))
    write(tmp_path / "broken.json", broken)
    write(tmp_path / "good.json", result(GREETING, at=1_800_000_000.0))
    done = evaltui(
        "run", f"{SET}:greeting", "-r", "broken.json", "-r", "good.json", "--runs", "all", "--format", "json"
    )
    (found,) = document(done.out)["cases"]
    said = "part of the recording cannot be read: turn 1: intermediate_data is not an object"
    assert (done.code, found["status"], found["passed_runs"]) == (3, "passed", 1)
    assert [each["reason"] for each in found["runs"]] == [said, None]
    assert f"response_match_score is not evaluated for greeting: {said}" in done.err


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", [SET, TRACE, "test_config.json", "other.evalset.json"])
def test_a_report_takes_the_place_of_no_input(evaltui: Evaltui, tmp_path: Path, name: str) -> None:
    write(tmp_path / "test_config.json", {"criteria": {"response_match_score": 0.1}})
    write(tmp_path / "other.evalset.json", eval_set(GREETING))
    before = (tmp_path / name).read_bytes()
    done = evaltui("run", SET, "-r", TRACE, "-o", "report.json", "-o", name)
    assert (done.code, done.out, (tmp_path / name).read_bytes()) == (2, b"", before)
    assert done.err.startswith(f"evaltui: {name}: ")
    assert not (tmp_path / "report.json").exists()


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xff\xfe"])
def test_a_set_that_google_adk_cannot_decode_is_said(evaltui: Evaltui, tmp_path: Path, mark: bytes) -> None:
    text = json.dumps(eval_set(GREETING))
    (tmp_path / SET).write_bytes(mark + text.encode("utf-8" if mark[0] == 0xEF else "utf-16-le"))
    write(tmp_path / TRACE, result(GREETING))
    assert f"{SET}: google-adk rejects this set: the file " in evaltui("run", SET, "-r", TRACE).err


def test_a_case_that_cannot_be_read_keeps_its_id(evaltui: Evaltui, tmp_path: Path) -> None:
    source = json.dumps(eval_set(EXPECTED, GREETING)).encode().replace(b"Hello", b"Hell\xf6")
    (tmp_path / SET).write_bytes(source.replace(b'"eval_cases": [', b'"eval_cases": [5, '))
    write(tmp_path / TRACE, result(EXPECTED, GREETING))
    done = evaltui("run", SET, "-r", TRACE, "--format", "json")
    assert (done.code, list(by_id(done.out))) == (3, ["", "book_flight", "greeting"])
    assert "case 1 is not evaluated: google-adk rejects this case: a case must be an object" in done.err
    assert "greeting is not evaluated: google-adk rejects this case: /conversation/0/final_response/" in done.err
    assert "not in this eval set" not in done.err


@pytest.mark.usefixtures("files")
def test_junit_lists_the_criteria_as_json(evaltui: Evaltui) -> None:
    suite = ElementTree.fromstring(evaltui("run", SET, "-r", TRACE, "--format", "junit").out)
    properties = {each.get("name"): json.loads(each.get("value") or "") for each in suite.iter("property")}
    assert properties["response_match_score"] == {"threshold": 0.8}


def test_several_sets_make_one_document(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "a.evalset.json", eval_set(GREETING, name="a"))
    write(tmp_path / "b.evalset.json", eval_set(EXPECTED, name="b"))
    write(tmp_path / "runs" / "a.json", result(GREETING, name="a"))
    write(tmp_path / "runs" / "deep" / "b.json", result(ACTUAL, name="b"))
    (tmp_path / "runs" / "notes.txt").write_text("no recording")
    done = evaltui("run", "a.evalset.json", "b.evalset.json", "-r", "runs", "--format", "json")
    said = document(done.out)
    assert (done.code, [each["set"]["eval_set_id"] for each in said["runs"]]) == (1, ["a", "b"])
    assert (said["summary"]["cases"], said["summary"]["passed"], said["summary"]["failed"]) == (2, 1, 1)
    assert "1 file in runs (.txt) is not a recording" in done.err


def test_a_recording_that_any_of_the_sets_has_a_case_for_is_no_stranger(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "a.evalset.json", eval_set(GREETING, name="a"))
    write(tmp_path / "b.evalset.json", eval_set(EXPECTED, name="b"))
    for number in (1, 2):
        write(tmp_path / "runs" / f"a{number}.json", result(GREETING, name="a", at=number * 1e9))
    write(tmp_path / "runs" / "b.json", result(EXPECTED, name="b"))
    write(tmp_path / "runs" / "c.json", result(EXPECTED, name="c"))
    done = evaltui("run", "a.evalset.json", "b.evalset.json", "-r", "runs")
    assert done.code == 0
    assert [line.split(": ")[1] for line in done.err.splitlines()] == ["runs/c.json"]


@pytest.mark.usefixtures("files")
def test_which_of_several_recordings_was_taken_is_said(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "older.json", result(EXPECTED, GREETING, at=1_600_000_000.0))
    latest = evaltui("run", SET, "-r", "older.json", "-r", TRACE).out.decode()
    said = f"scored with {TRACE}, the latest of 2 recordings. Use --runs all for the mean of all recordings."
    assert said in " ".join(latest.split())
    every = evaltui("run", SET, "-r", "older.json", "-r", TRACE, "--runs", "all").out.decode()
    assert f"run 2 in {TRACE} · turn 1" in every
    assert "run 1" not in every


def test_a_folder_gives_sessions_and_names_what_it_cannot_use(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(GREETING))
    folder = tmp_path / "runs"
    folder.mkdir()
    chat = session("s1", *exchange("e1", "Hi there", "Hello"))
    write(folder / "chat.json", chat)
    write(folder / "recorded.evalset.json", eval_set(GREETING))
    (folder / "cut.evalset_result.json").write_text('{"eval_set_id": ')
    done = evaltui("run", SET, "-r", "runs", "--format", "json")
    (recording,) = document(done.out)["recordings"]
    assert (recording["path"], recording["format"]) == ("runs/chat.json", "adk_session")
    assert document(done.out)["cases"][0]["recording"]["id"] == "s1"
    assert done.err.splitlines() == [
        "evaltui: 1 file in runs (.json) is not a recording; "
        "to use the responses of an eval set, give its file: -r runs/recorded.evalset.json",
        "evaltui: runs/cut.evalset_result.json:1:17: invalid JSON: the JSON text ends too early; "
        "record the file again or leave it out; skipped",
    ]


def test_no_recordings_at_all_is_said_once(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(GREETING))
    (tmp_path / "empty").mkdir()
    done = evaltui("run", SET, "-r", "empty")
    assert done.code == 3
    assert "empty: there is no recording in this folder" in done.err
    assert "no recordings; give the recordings with -r" in done.err


def test_skipped_recordings_of_a_folder_are_said(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(GREETING))
    write(tmp_path / "runs" / ".a b.session.json", {})
    write(tmp_path / "runs" / ".ci" / "x.session.json", {})
    said = "there is no recording in this folder; 2 entries are skipped (hidden, a link, or a folder of a tool)"
    assert evaltui("run", SET, "-r", "runs").err.splitlines()[:2] == [
        "evaltui: runs/.a b.session.json: hidden files are skipped; to use it, give its file: "
        "-r 'runs/.a b.session.json'",
        f"evaltui: runs: {said}",
    ]
    assert "no session in this folder; 2 entries are skipped" in evaltui("record", "runs", "--list").err
    (tmp_path / "runs" / "gone.evalset_result.json").symlink_to(tmp_path / "nothing")
    done = evaltui("run", SET, "-r", "runs")
    assert "evaltui: runs/gone.evalset_result.json: there is no such file; skipped" in done.err
    assert "there is no recording in this folder" not in done.err


def test_without_recordings_the_reason_is_said_once_and_the_folder_beside_the_set_is_named(
    evaltui: Evaltui, tmp_path: Path
) -> None:
    write(tmp_path / "sets of mine" / SET, eval_set(GREETING, case("second", turn("A", "B"))))
    write(tmp_path / "sets of mine" / "recordings" / "one.json", result(EXPECTED, GREETING))
    (tmp_path / "sets of mine" / "recordings" / "make.py").write_text("print()")
    done = evaltui("run", f"sets of mine/{SET}")
    assert done.code == 3
    assert done.out.decode().count("there is no recording") == 1
    assert "2 cases: there is no recording of these cases" in done.out.decode()
    (note,) = done.err.splitlines()
    command = f"evaltui run 'sets of mine/{SET}' -r 'sets of mine/recordings'"
    unknown = "the agent is unknown: app_name in a case, or agent in evaltui.toml, names it"
    searched = f"no recordings of this set in sets of mine/.adk/eval_history; {unknown}"
    assert note.endswith(f'are not evaluated: {searched}; to use the folder "recordings" beside the set: {command}')
    used = evaltui("run", f"sets of mine/{SET}", "-r", "sets of mine/recordings")
    assert "1 file in sets of mine/recordings (.py) is not a recording" in used.err


def test_an_agent_that_nothing_names_is_found_by_its_results_unless_there_are_several(
    evaltui: Evaltui, tmp_path: Path
) -> None:
    write(tmp_path / "evals" / SET, eval_set(GREETING))
    for name, code in (("rail", 0), ("bus", 3)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "agent.py").touch()
        write(folder / ".adk" / "eval_history" / "1.evalset_result.json", result(GREETING))
        done = evaltui("run", f"evals/{SET}")
        assert done.code == code
    assert done.err.splitlines()[0].endswith(
        'Results of eval set "trips" are in bus/.adk/eval_history and rail/.adk/eval_history. '
        'Write agent = "bus" into evaltui.toml to choose.'
    )
    (tmp_path / "evaltui.toml").write_text('agent = "bus"')
    read_settings_again()
    assert evaltui("run", f"evals/{SET}").code == 0


def test_a_folder_beside_the_set_without_recordings_is_not_named(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(GREETING))
    (tmp_path / "recordings").mkdir()
    (tmp_path / "recordings" / "notes.txt").write_text("none yet")
    assert "give the recordings with -r" in evaltui("run", SET).err


def test_an_eval_set_in_a_folder_of_recordings_is_named_as_what_could_be_used(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(GREETING))
    (tmp_path / "rec").mkdir()
    write(tmp_path / "rec" / SET, eval_set(GREETING))
    done = evaltui("run", SET, "-r", "rec")
    assert done.code == 3
    assert f"to use the responses of an eval set, give its file: -r rec/{SET}" in done.err
    assert evaltui("run", SET, "-r", f"rec/{SET}").code == 0


@pytest.mark.usefixtures("files")
def test_a_metric_that_is_nearly_right_is_suggested(evaltui: Evaltui) -> None:
    assert "did you mean response_match_score?" in evaltui("run", SET, "-r", TRACE, "--metric", "response_match").err
    assert "did you mean safety_v1?" in evaltui("run", SET, "-r", TRACE, "--metric", "saftey_v1").err


def test_results_beside_the_set_are_found(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(GREETING))
    history = tmp_path / ".adk" / "eval_history"
    write(history / "a.evalset_result.json", result(GREETING))
    write(history / "b.evalset_result.json", result(GREETING, name="another"))
    done = evaltui("run", SET, "--format", "json")
    assert (done.code, by_id(done.out)["greeting"]["status"]) == (0, "passed")


@pytest.mark.usefixtures("files")
def test_standard_input_is_a_set_or_a_recording(evaltui: Evaltui, tmp_path: Path) -> None:
    from_set = evaltui("run", "-", "-r", TRACE, "--format", "json", stdin=(tmp_path / SET).read_bytes())
    from_recording = evaltui("run", SET, "-r", "-", "--format", "json", stdin=(tmp_path / TRACE).read_bytes())
    assert (from_set.code, from_recording.code) == (1, 1)
    assert document(from_set.out)["summary"] == document(from_recording.out)["summary"]
    assert document(from_set.out)["set"]["path"] == "-"


def test_junit_says_what_failed_and_not_what_passed(evaltui: Evaltui, tmp_path: Path) -> None:
    answers = [("Hello, how can I help?", [("search", {})]), ("Nothing of the kind", [])]
    write(tmp_path / SET, eval_set(*(case(f"c{n}", turn(f"Hi {n}", "Hello, how can I help?")) for n in range(2))))
    write(tmp_path / TRACE, result(*(case(f"c{n}", turn(f"Hi {n}", *each)) for n, each in enumerate(answers))))
    suite = ElementTree.fromstring(evaltui("run", SET, "-r", TRACE, "--format", "junit").out)
    messages = [each.get("message") or "" for each in suite.iter("failure")]
    assert [message.partition(" ")[0] for message in messages] == ["tool_trajectory_avg_score", "response_match_score"]
    assert not any(";" in message for message in messages)


def test_a_set_that_google_adk_rejects_is_scored_and_counts_for_nothing(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, {**eval_set(GREETING), "creation_timestamp": "yesterday"})
    write(tmp_path / TRACE, result(GREETING))
    done = evaltui("run", SET, "-r", TRACE, "--format", "json")
    said = document(done.out)
    assert (done.code, by_id(done.out)["greeting"]["status"]) == (3, "passed")
    assert "creation_timestamp" in said["set"]["rejected"]
    assert f"{SET}: google-adk rejects this set: {said['set']['rejected']}" in done.err
    assert evaltui("run", SET, "-r", TRACE, "--allow-not-evaluated").code == 0
    write(tmp_path / TRACE, result(case("greeting", turn("Hi there", "No"))))
    assert evaltui("run", SET, "-r", TRACE).code == 1


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("given", [("--config", "c.json"), ()])
def test_all_faults_of_a_config_are_said(evaltui: Evaltui, tmp_path: Path, given: tuple[str, ...]) -> None:
    name = "c.json" if given else "test_config.json"
    (tmp_path / name).write_text('{"criteria": {"response_match_score": "high", "a\\nb": []}, "custom_metrics": 5}')
    done = evaltui("run", SET, "-r", TRACE, *given)
    assert (done.code, done.out) == (2, b"")
    lines = done.err.splitlines()
    assert len(lines) >= 3
    assert all(line.startswith(f"evaltui: {name}: google-adk rejects this config at /") for line in lines)
    assert evaltui("validate", SET, "--config", name).err.splitlines() == lines


@pytest.mark.usefixtures("files")
def test_standard_input_is_a_config_or_cases_of_a_set(evaltui: Evaltui, tmp_path: Path) -> None:
    config = b'{"criteria": {"response_match_score": 0.25}}'
    write(tmp_path / "b.evalset.json", eval_set(GREETING, name="b"))
    both = evaltui("run", SET, "b.evalset.json", "-r", TRACE, "--config", "-", "--format", "json", stdin=config)
    criteria = [list(each["config"]["criteria"].values()) for each in document(both.out)["runs"]]
    assert criteria == [[{"threshold": 0.25}]] * 2
    chosen = evaltui("run", "-:greeting", "-r", TRACE, "--format", "json", stdin=(tmp_path / SET).read_bytes())
    assert (chosen.code, list(by_id(chosen.out))) == (0, ["greeting"])


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "arguments",
    [("run", "-", "-r", "-"), ("run", "-:greeting", "--config", "-"), ("run", SET, "-r", "-", "--config", "-")],
)
def test_standard_input_is_only_one_thing(evaltui: Evaltui, arguments: tuple[str, ...]) -> None:
    done = evaltui(*arguments)
    assert (done.code, done.out) == (2, b"")
    assert (
        done.err == "evaltui: only one input can be standard input (set, recording or config); "
        "give file names for the others\n"
    )


def test_chats_beside_a_set_are_named_as_what_could_be_used(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(GREETING))
    (tmp_path / ".adk").mkdir()
    sqlite3.connect(tmp_path / ".adk" / "session.db").executescript("CREATE TABLE events (id)").connection.close()
    done = evaltui("run", SET)
    assert (done.code, "-r .adk/session.db has the sessions of adk web and adk run" in done.err) == (3, True)
    done = evaltui("run", SET, "-r", ".")
    assert f"give its file: -r {SET}; to use a session database, give its file: -r .adk/s" in done.err
    assert "file in . is" not in done.err and "files in . are" not in done.err


@pytest.mark.usefixtures("files")
def test_a_failing_turn_is_told_with_the_mean_if_the_case_passes_its_metric(evaltui: Evaltui, tmp_path: Path) -> None:
    expected = case("talk", turn("Hi", "one two three four"), turn("And", "five six"))
    actual = case("talk", turn("Hi", "one two three four", [("search", {})]), turn("And", "five seven"))
    write(tmp_path / SET, eval_set(expected))
    write(tmp_path / "actual.json", result(actual))
    shown = evaltui(
        "run", SET, "-r", "actual.json", "--metric", "response_match_score=0.7", "--metric", "tool_trajectory_avg_score"
    ).out
    said = " ".join(shown.decode().split())
    assert "turn 2 · response_match 0.50 < 0.70 (the mean of the case passes: 0.75 ≥ 0.70): 1 of 2 expected" in said
    assert "; 0.50 is 0.20 below 0.70" in said

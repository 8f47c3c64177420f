"""`run`, `review`, `accept` and `watch` on EvaluationDatasets, as docs/cli.md has them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from evaltui.recordings.matching import NO_RECORDING
from evaltui.scoring.metrics.metric import NOTHING_STATED
from tests.answered_dataset import ANSWERED, DATASET, calls, said
from tests.commands.conftest import Evaltui
from tests.commands.watched import WatchProcess

NAME, TRACE = "desk.json", "traces/trace.json"
OWN = "evaltui: desk.json: scored with its own responses (2 of 3 cases); use -r to score another recording"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(ANSWERED)
    (tmp_path / "traces").mkdir()
    (tmp_path / TRACE).write_text(ANSWERED)


def run(evaltui: Evaltui, *options: str) -> tuple[int, dict[str, Any], list[str]]:
    done = evaltui("run", NAME, "--format", "json", *options)
    return done.code, json.loads(done.out), done.err.splitlines()


def statuses(document: dict[str, Any]) -> dict[str, str]:
    return {case["eval_id"]: case["status"] for case in document["cases"]}


def test_a_dataset_is_scored_against_its_own_responses_and_says_so(evaltui: Evaltui) -> None:
    code, document, said = run(evaltui)
    assert code == 1
    assert document["set"] == {"path": NAME, "eval_set_id": None, "rejected": None}
    assert [each["path"] for each in document["recordings"]] == [NAME]
    assert statuses(document) == {"refund": "failed", "open": "not_evaluated", "nobody": "not_evaluated"}
    nothing = "2 cases (open, nobody) are not evaluated: the cases state no expectation: they have no"
    assert said == [OWN, f"evaltui: desk.json: {nothing} intermediate_events and no text in reference"]


def test_only_the_turn_of_the_last_message_is_scored(evaltui: Evaltui) -> None:
    _, document, _ = run(evaltui)
    refund = document["cases"][0]
    assert refund["recording"] == {"path": NAME, "id": "refund", "matched_by": "eval_id"}
    assert [turn["turn"] for turn in refund["turns"]] == [1]
    assert refund["metrics"][1]["score"] == refund["turns"][0]["metrics"][1]["score"] == 0.0


def test_recordings_that_are_named_take_the_place_of_its_own(evaltui: Evaltui, tmp_path: Path) -> None:
    other = ANSWERED.replace('"Refunded in full."', '"Your money is on its way."').replace("Yes, until six.", "No.")
    (tmp_path / TRACE).write_text(other)
    _, document, said = run(evaltui, "-r", TRACE)
    assert {each["recording"]["path"] for each in document["cases"] if each["recording"]} == {TRACE}
    assert OWN not in said
    assert document["cases"][0]["metrics"][1]["status"] == "passed"


def test_a_dataset_that_nobody_answered_has_no_recording(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(DATASET)
    code, document, said = run(evaltui)
    assert (code, document["recordings"]) == (3, [])
    assert any(re.search("no recordings.*; give the recordings with -r", each) for each in said)
    assert [case["reason"] for case in document["cases"]] == [NO_RECORDING, NOTHING_STATED, NOTHING_STATED]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of agents-cli, whose trace was graded. Its dataset is `DATASET`, which nobody answered."""
    project = tmp_path / "shop"
    result = {
        "eval_case_results": [
            {"response_candidate_results": [{"metric_results": {"politeness": {"score": 0.75}}}]},
            {"response_candidate_results": [{"metric_results": {"politeness": {"error_message": "no judge"}}}]},
        ],
        "evaluation_dataset": [json.loads(ANSWERED)],
        "metadata": {"creation_timestamp": "2026-06-06T07:41:27Z"},
    }
    files = {
        "agents-cli-manifest.yaml": "",
        "tests/eval/datasets/desk.json": DATASET,
        "artifacts/traces/traces_1.json": ANSWERED,
        "artifacts/grade_results/results_1.json": json.dumps(result),
        "artifacts/grade_results/results_1.html": "<p>",
    }
    for name, text in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    return project


def test_traces_and_results_of_the_project_are_its_recordings_with_the_scores_of_graders(
    evaltui: Evaltui, project: Path
) -> None:
    name = "shop/tests/eval/datasets/desk.json"
    found, named = (
        json.loads(evaltui("run", name, "--format", "json", *options).out)
        for options in ((), ("-r", "shop/artifacts/grade_results"))
    )
    files = ["shop/artifacts/traces/traces_1.json", "shop/artifacts/grade_results/results_1.json"]
    assert [each["path"] for each in found["recordings"]] == files
    assert [each["path"] for each in named["recordings"]] == files[1:]
    refund = found["cases"][0]
    assert refund["recording"]["path"] == files[1]
    (grade,) = (each for each in refund["metrics"] if each["name"] == "politeness")
    assert (grade["score"], grade["status"], grade["recorded_at"]) == (0.75, "informational", 1_780_731_687.0)
    assert found["cases"][1]["metrics"][-1]["reason"] == "the grader failed: no judge"
    assert [case["metrics"] for case in found["cases"]] == [case["metrics"] for case in named["cases"]]
    table = evaltui("run", name).out.decode()
    assert re.search(r"tool_trajectory +response_match +politeness\n", table)
    assert re.search(r"✗ refund .* 0\.75 ·\n", table)
    assert "politeness: mean 0.75, recorded\n" in table
    assert "`politeness` 0.75 (recorded)\n" in evaltui("run", name, "--format", "markdown").out.decode()


@pytest.mark.parametrize("names", [(), ("artifacts",), ("artifacts/traces", "artifacts/grade_results")])
def test_a_run_that_was_graded_counts_once(
    evaltui: Evaltui, project: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]
) -> None:
    monkeypatch.chdir(project)
    trace = json.loads(ANSWERED)
    for number, event in enumerate(trace["eval_cases"][0]["agent_data"]["turns"][1]["events"]):
        event["event_time"] = f"2026-06-06T07:41:0{number}Z"
    (project / "artifacts/traces/traces_1.json").write_text(json.dumps(trace))
    result = json.loads((project / "artifacts/grade_results/results_1.json").read_text())
    (project / "artifacts/grade_results/results_1.json").write_text(
        json.dumps({**result, "evaluation_dataset": [trace]})
    )
    words = [word for name in names for word in ("-r", name)]
    done = evaltui("run", "tests/eval/datasets/desk.json", "--runs", "all", "--format", "json", *words)
    refund = json.loads(done.out)["cases"][0]
    assert [run["recording"]["path"] for run in refund["runs"]] == ["artifacts/grade_results/results_1.json"]
    skipped = "the first is artifacts/traces/traces_1.json, in artifacts/grade_results/results_1.json"
    assert (f"1 trace is part of a result, so each run counts once; {skipped}" in done.err) == bool(names)
    named = evaltui(
        "run",
        "tests/eval/datasets/desk.json",
        "--runs",
        "all",
        "--format",
        "json",
        *words,
        "-r",
        "artifacts/traces/traces_1.json",
    )
    assert "artifacts/traces/traces_1.json" in str(json.loads(named.out)["cases"][0]["runs"])


def test_results_of_google_adk_in_the_same_folder_are_not_used(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(DATASET)
    history = tmp_path / ".adk" / "eval_history"
    history.mkdir(parents=True)
    (history / "desk_1.evalset_result.json").write_text('{"eval_set_result_id": "1", "eval_case_results": []}')
    assert run(evaltui)[1]["recordings"] == []


def test_a_dataset_passes_with_0_once_all_is_accepted(evaltui: Evaltui, tmp_path: Path) -> None:
    for case in ("refund", "open"):
        assert evaltui("accept", NAME, "--case", case).code == 0
    code, document, said = run(evaltui)
    assert (code, statuses(document)) == (3, {"refund": "passed", "open": "passed", "nobody": "not_evaluated"})
    why = "tool_trajectory_avg_score is not evaluated for open: the case states no expected tool calls: it has no"
    advice = 'write "intermediate_events": [] if no tool is to be called, or score only responses with --metric'
    assert f"evaltui: desk.json: {why} intermediate_events; {advice} response_match_score" in said
    table = evaltui("run", NAME).out.decode()
    assert re.search(r"^✓ open +– +1\.00 ✓$", table, re.MULTILINE)
    assert "tool_trajectory_avg_score: mean 1.00, 2 cases not evaluated" in table
    assert (
        f"\n- `{why[:25]}`{why[25:]} `intermediate_events`; "
        in evaltui("run", NAME, "--format", "markdown").out.decode()
    )
    assert evaltui("run", f"{NAME}:refund,open", "--metric", "response_match_score").code == 0
    after = json.loads((tmp_path / NAME).read_text())["eval_cases"]
    assert [case.get("agent_data") for case in after] == [
        case.get("agent_data") for case in json.loads(ANSWERED)["eval_cases"]
    ]


def test_what_is_accepted_goes_into_the_dataset_that_is_given_to_agents_cli(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(DATASET)
    done = evaltui("accept", NAME, "-r", TRACE, "--fills")
    assert done.out.decode().splitlines() == [
        'open › turn 1 · fill: response: nothing → "Yes, until six."',
        "1 change accepted",
    ]
    before, after = (json.loads(text)["eval_cases"] for text in (DATASET, (tmp_path / NAME).read_text()))
    answer = {"response": {"role": "model", "parts": [{"text": "Yes, until six."}]}}
    assert after == [before[0], before[1] | {"reference": answer}, before[2]]


@pytest.mark.parametrize("author", ["desk", None])
def test_an_accepted_call_has_the_author_that_the_trace_names(
    evaltui: Evaltui, tmp_path: Path, author: str | None
) -> None:
    (tmp_path / NAME).write_text(json.dumps({"eval_cases": [json.loads(DATASET)["eval_cases"][1]]}))
    events = [calls("hours", day=1), {"author": "desk", "content": said("Yes.", "model")}]
    trace = json.loads(DATASET)["eval_cases"][1] | {"agent_data": {"turns": [{"events": events}]}}
    events[0]["author"] = author
    (tmp_path / TRACE).write_text(json.dumps({"eval_cases": [trace]}))
    assert evaltui("accept", NAME, "-r", TRACE, "--fills").code == 0
    (after,) = json.loads((tmp_path / NAME).read_text())["eval_cases"]
    assert [event["author"] for event in after["intermediate_events"]] == [author or "agent"]


def test_the_review_names_the_changes_with_patches_that_hold_for_the_file(evaltui: Evaltui, tmp_path: Path) -> None:
    done = evaltui("review", NAME, "--format", "json")
    items = json.loads(done.out)["items"]
    found = {change["summary"]: change for item in items for change in item["changes"]}
    assert done.code == 1
    assert {summary: change["kind"] for summary, change in found.items()} == {
        'order: "7" → 7 (type differs)': "args",
        'add call mail(to="a@b.c") after refund': "sequence",
        'response: "Your money is on its way." → "Refunded in full."': "text",
        'response: nothing → "Yes, until six."': "fill",
    }
    for change in found.values():
        (tmp_path / NAME).write_text(ANSWERED)
        assert evaltui("accept", NAME, "--change", change["id"]).code == 0
        accepted = (tmp_path / NAME).read_bytes()
        (tmp_path / NAME).write_text(ANSWERED)
        assert evaltui("patch", NAME, "-", stdin=json.dumps(change["patch"]).encode()).code == 0
        assert json.loads((tmp_path / NAME).read_bytes()) == json.loads(accepted)


def test_one_argument_changes_its_own_bytes_alone(evaltui: Evaltui, tmp_path: Path) -> None:
    assert evaltui("accept", NAME, "--case", "refund", "--kind", "args").code == 0
    assert (tmp_path / NAME).read_text() == ANSWERED.replace('"order": "7"', '"order": 7')


def test_calls_that_only_intermediate_events_tell_are_compared_with_themselves_and_that_is_said(
    evaltui: Evaltui, tmp_path: Path
) -> None:
    dataset = json.loads(DATASET)
    dataset["eval_cases"][0]["responses"] = [{"response": "Refunded"}]
    (tmp_path / NAME).write_text(json.dumps(dataset))
    _, document, said = run(evaltui)
    assert document["cases"][0]["metrics"][0]["reason"] == "the tool calls are not recorded"  # no event of the agent
    dataset["eval_cases"][0] |= {"prompt": "Refund order 7", "agent_data": None}
    (tmp_path / NAME).write_text(json.dumps(dataset))
    _, document, said = run(evaltui)
    assert document["cases"][0]["metrics"][0]["score"] == 1.0
    dataset["eval_cases"][1] |= {"responses": [{"response": "Yes"}], "intermediate_events": []}
    (tmp_path / NAME).write_text(json.dumps(dataset))
    both = "2 cases have tool calls only in intermediate_events, so the calls are compared with themselves"
    assert f"evaltui: desk.json: {both}" in run(evaltui)[2]
    shared = "1 case has tool calls only in intermediate_events, so the calls are compared with themselves"
    assert f"evaltui: desk.json: {shared}" in said


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        ({"eval_case_id": "a", "reference": "No"}, "this case cannot be read: reference is not an object"),
        (5, "this case cannot be read: a case must be an object"),
        (
            {"eval_case_id": "a", "user_scenario": {"starting_prompt": "Hi"}},
            "the case is a scenario without expected turns, so there is nothing to compare",
        ),
        ({"eval_case_id": "a", "prompt": "Hi"}, NOTHING_STATED),
        ({"eval_case_id": "a", "prompt": "Hi", "intermediate_events": []}, NO_RECORDING),
    ],
)
def test_a_case_that_cannot_be_scored_says_why_and_the_others_are_scored(
    evaltui: Evaltui, tmp_path: Path, case: Any, reason: str
) -> None:
    dataset = json.loads(ANSWERED)
    dataset["eval_cases"][2] = case
    (tmp_path / NAME).write_text(json.dumps(dataset))
    _, document, _ = run(evaltui)
    assert document["cases"][2]["reason"] == reason
    assert [each["status"] for each in document["cases"]] == ["failed", "not_evaluated", "not_evaluated"]


def test_a_list_of_cases_is_refused_with_the_place(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(json.dumps(json.loads(ANSWERED)["eval_cases"]))
    done = evaltui("run", NAME)
    assert (done.code, done.out) == (2, b"")
    assert "there is no list eval_cases" in done.err


@pytest.mark.parametrize(
    ("config", "path"),
    [
        ({"criteria": {"response_match_score": 0.0}}, "eval_config.json"),
        ({"metrics": ["general_quality"]}, None),
        ([], None),
    ],
)
def test_an_eval_config_beside_it_counts_where_it_has_criteria(
    evaltui: Evaltui, tmp_path: Path, config: Any, path: str | None
) -> None:
    (tmp_path / "eval_config.json").write_text(json.dumps(config))
    assert run(evaltui)[1]["config"]["path"] == path
    (tmp_path / "test_config.json").write_text(json.dumps({"criteria": {"tool_trajectory_avg_score": 1.0}}))
    assert run(evaltui)[1]["config"]["path"] == "test_config.json"


def test_a_baseline_holds_for_a_dataset(evaltui: Evaltui, tmp_path: Path) -> None:
    evaltui("run", NAME, "--save-baseline", "base.json")
    assert evaltui("accept", NAME, "--case", "open").code == 0
    _, document, _ = run(evaltui, "--baseline", "base.json")
    assert [case["change"] for case in document["cases"]] == ["same", "edited", "not_evaluated"]


def test_a_baseline_of_another_dataset_is_refused(evaltui: Evaltui, tmp_path: Path) -> None:
    evaltui("run", NAME, "--save-baseline", "base.json")
    assert json.loads((tmp_path / "base.json").read_text())["set"] == NAME
    (tmp_path / "other-dataset.json").write_text(ANSWERED)
    done = evaltui("run", "other-dataset.json", "--baseline", "base.json", "--fail-on", "regression")
    refused = f'this baseline is for set "{NAME}", but the run is for set "other-dataset.json"'
    assert (done.code, done.out, done.err) == (2, b"", f"evaltui: base.json: {refused}; save a baseline for this set\n")
    unnamed = (tmp_path / "base.json").read_text().replace(f'"set": "{NAME}"', '"set": null')
    (tmp_path / "base.json").write_text(unnamed)
    assert evaltui("run", "other-dataset.json", "--baseline", "base.json", "--fail-on", "regression").code == 0


def test_a_watch_scores_the_dataset_again_when_its_responses_change(tmp_path: Path) -> None:
    with WatchProcess(tmp_path, NAME) as watch:
        first = watch.document()
        assert statuses(first) == {"refund": "failed", "open": "not_evaluated", "nobody": "not_evaluated"}
        dataset = json.loads(ANSWERED)
        dataset["eval_cases"][1]["reference"] = dataset["eval_cases"][1]["responses"][0]
        (tmp_path / NAME).write_text(json.dumps(dataset))
        second = watch.document()
    assert (second["trigger"], statuses(second)["open"]) == ([NAME], "passed")

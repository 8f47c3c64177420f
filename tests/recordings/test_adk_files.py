"""Result files of google-adk, old and new."""

import json
from pathlib import Path

import pytest

from evaltui.evalset.turn import TurnCall
from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.recording_file import open_recording
from tests.recordings.files import Json, call, case_result, invocation, metric, result, write


def opened(tmp_path: Path, value: object) -> Recording:
    return open_recording(write(tmp_path / "r.evalset_result.json", value))


def camel(value: object) -> object:
    if isinstance(value, dict):
        return {
            head + "".join(word.title() for word in rest): camel(each)
            for key, each in value.items()
            for head, *rest in [key.split("_")]
        }
    return [camel(each) for each in value] if isinstance(value, list) else value


def test_a_case_result_is_a_conversation_with_its_scores(tmp_path: Path) -> None:
    turns = invocation("Hi", "Hello", call("greet", to="you")), invocation("Bye", "See you")
    recording = opened(tmp_path, result(case_result("greeting", *turns)))
    (found,) = recording.conversations
    assert (recording.format, recording.warnings) == ("adk_result", ())
    assert (found.id, found.eval_id, found.eval_set_id) == ("session of greeting", "greeting", "desk")
    assert found.recorded_at == 1791797400.5
    assert [(turn.user_text, turn.response) for turn in found.turns] == [("Hi", "Hello"), ("Bye", "See you")]
    assert found.turns[0].calls == (TurnCall("greet", {"to": "you"}, "c1"),)
    assert found.stored is not None
    assert [(each.name, each.score, each.status, each.threshold) for each in found.stored[0]] == [
        ("response_match_score", 0.5, 2, 0.8)
    ]
    assert [(expected, len(scores)) for expected, _, scores in found.stored[1]] == [(invocation(), 1)] * 2
    assert found.failure is None


def test_the_rubrics_that_a_judge_had_go_with_the_scores(tmp_path: Path) -> None:
    rubrics = [{"rubric_id": "short"}]
    recording = opened(tmp_path, result(case_result("greeting", {**invocation(), "rubrics": rubrics}, invocation())))
    assert recording.conversations[0].stored is not None
    assert [own for _, own, _ in recording.conversations[0].stored[1]] == [rubrics, None]


@pytest.mark.parametrize("spelt", [camel, json.dumps, lambda value: json.dumps(camel(value))])
def test_all_spellings_say_the_same(tmp_path: Path, spelt: object) -> None:
    assert callable(spelt)
    now = opened(tmp_path, result(case_result("greeting", invocation("Hi", "Hello", call("greet", to="you")))))
    other = opened(tmp_path, spelt(result(case_result("greeting", invocation("Hi", "Hello", call("greet", to="you"))))))
    assert [each.turns for each in other.conversations] == [each.turns for each in now.conversations]
    assert other.conversations[0].eval_id == "greeting"
    assert other.conversations[0].stored is not None
    assert other.conversations[0].stored[0][0].threshold == 0.8


def test_several_runs_of_a_case_have_ids_of_their_own(tmp_path: Path) -> None:
    runs = [case_result("greeting", invocation(), session_id="") for _ in range(3)]
    assert [each.id for each in opened(tmp_path, result(*runs)).conversations] == [
        "greeting",
        "greeting#2",
        "greeting#3",
    ]


def test_a_failed_inference_is_said(tmp_path: Path) -> None:
    (found,) = opened(tmp_path, result(case_result("greeting"))).conversations
    assert found.turns == ()
    assert found.failure == "the agent failed; google-adk does not store the reason"


def test_a_case_without_turns_that_did_not_fail_has_no_failure(tmp_path: Path) -> None:
    (found,) = opened(tmp_path, result(case_result("greeting", final_eval_status=3))).conversations
    assert found.failure is None


def test_without_a_timestamp_the_id_tells_the_time(tmp_path: Path) -> None:
    (found,) = opened(tmp_path, result(creation_timestamp=0.0)).conversations
    assert found.recorded_at == 1791797400.5
    (found,) = opened(tmp_path, result(creation_timestamp=0.0, eval_set_result_id="desk_7")).conversations
    assert found.recorded_at is None


def test_scores_of_google_adk_1_0_are_pairs(tmp_path: Path) -> None:
    pair = [{"metric_name": "response_match_score", "threshold": 0.8}, {"score": 1.0, "eval_status": 1}]
    case = case_result("greeting", invocation(), overall_eval_metric_results=[], eval_metric_results=[pair])
    (found,) = opened(tmp_path, result(case)).conversations
    assert found.stored is not None
    assert [(each.name, each.score, each.threshold) for each in found.stored[0]] == [("response_match_score", 1.0, 0.8)]


def test_what_has_another_type_counts_as_absent_and_is_said(tmp_path: Path) -> None:
    odd = metric() | {"score": 10**400, "eval_status": "PASSED", "criterion": [1], "threshold": float("nan")}
    case = case_result("greeting", invocation(), overall_eval_metric_results=[odd, 3])
    case["eval_metric_result_per_invocation"] += [{"actual_invocation": None}, "turn"]
    recording = opened(tmp_path, result(case, 5))
    (found,) = recording.conversations
    assert found.stored is not None
    assert [(each.score, each.status, each.threshold) for each in found.stored[0]] == [(None, 3, None)]
    assert [turn.user_text for turn in found.turns] == ["Hi", "", ""]
    assert recording.warnings == (
        "greeting, turn 2: actual_invocation is missing",
        "greeting, turn 3: actual_invocation is missing",
        "1 of 2 case results skipped: not an object",
    )


def test_a_result_without_cases_is_read_and_one_without_a_list_is_not(tmp_path: Path) -> None:
    assert opened(tmp_path, result() | {"eval_case_results": []}).warnings == ("the file has no case results",)
    with pytest.raises(RecordingError, match="eval_case_results is not a list"):
        opened(tmp_path, result() | {"eval_case_results": {}})


def calls_in(invocation: Json) -> list[tuple[str, object]]:
    data = invocation["intermediate_data"] or {}
    parts = [part for each in data.get("invocation_events", ()) for part in (each["content"] or {"parts": []})["parts"]]
    uses = data.get("tool_uses") or [part["function_call"] for part in parts if part["function_call"]]
    return [(use["name"], use["args"]) for use in uses]


@pytest.mark.parametrize("name", ["sample", "sample_legacy_double_encoded"])
def test_the_shared_samples_give_what_is_in_them(shared_folder: Path, name: str) -> None:
    path = shared_folder / "recordings" / f"{name}.evalset_result.json"
    data = json.loads(path.read_text("utf-8"))
    data = json.loads(data) if isinstance(data, str) else data
    recording = open_recording(path)
    for case, found in zip(data["eval_case_results"], recording.conversations, strict=True):
        assert (found.eval_id, found.recorded_at) == (case["eval_id"], data["creation_timestamp"])
        turns = case["eval_metric_result_per_invocation"]
        assert [turn.invocation_id for turn in found.turns] == [
            each["actual_invocation"]["invocation_id"] for each in turns
        ]
        for turn, each in zip(found.turns, turns, strict=True):
            assert [(used.name, used.args) for used in turn.calls] == calls_in(each["actual_invocation"])
        assert found.stored is not None
        assert [(each.name, each.score) for each in found.stored[0]] == [
            (each["metric_name"], each["score"]) for each in case["overall_eval_metric_results"]
        ]
        assert [expected for expected, _, _ in found.stored[1]] == [each["expected_invocation"] for each in turns]
    assert [bool(each.failure) for each in recording.conversations] == [True, False, False]

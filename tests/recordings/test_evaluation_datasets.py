"""EvaluationDatasets, trace files of agents-cli, and eval sets taken as what an agent did."""

from pathlib import Path

import pytest

from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.recording_file import open_recording
from tests.recordings.files import Json, agent_data, content, dataset, eval_set, event, invocation, lines, write

ASKS = event("user", {"text": "Is it open?"}, role="user")
CALLS = event("desk", {"function_call": {"id": "a", "name": "hours", "args": {"day": 1}}})
TOLD = event("desk", {"function_response": {"id": "a", "name": "hours", "response": {"open": True}}}, role="user")
SAYS = event("desk", {"text": "Yes."})


def opened(tmp_path: Path, value: object) -> Recording:
    return open_recording(write(tmp_path / "dataset.json", value))


def said(recording: Recording) -> list[list[tuple[str, list[str | None], str]]]:
    return [
        [(turn.user_text, [call.name for call in turn.calls], turn.response) for turn in each.turns]
        for each in recording.conversations
    ]


def test_a_response_answers_the_prompt(tmp_path: Path) -> None:
    recording = opened(tmp_path, dataset(responses=[{"response": content("Hello", "model")}]))
    assert recording.format == "evaluation_dataset"
    assert said(recording) == [[("Hi", [], "Hello")]]
    assert recording.conversations[0].eval_id == recording.conversations[0].id == "greeting"


def test_each_response_is_a_run(tmp_path: Path) -> None:
    recording = opened(tmp_path, dataset(responses=[{"response": content(text)} for text in ("One", "Two")]))
    assert said(recording) == [[("Hi", [], "One")], [("Hi", [], "Two")]]
    assert [each.id for each in recording.conversations] == ["greeting", "greeting#2"]


def test_events_of_agents_cli_follow_the_prompt(tmp_path: Path) -> None:
    value = dataset(responses=[{"response": content("Yes.")}], agent_data=agent_data([CALLS, TOLD, SAYS]))
    recording = opened(tmp_path, value)
    assert said(recording) == [[("Hi", ["hours"], "Yes.")]]
    assert recording.conversations[0].turns[0].calls[0].response == {"open": True}


def test_users_begin_turns(tmp_path: Path) -> None:
    turns = agent_data([ASKS, CALLS, TOLD, SAYS], [ASKS, SAYS, CALLS, ASKS, SAYS])
    expected = [("Is it open?", ["hours"], "Yes.")] * 2 + [("Is it open?", [], "Yes.")]
    assert said(opened(tmp_path, dataset(agent_data=turns))) == [expected]


def test_the_number_of_model_calls_is_unknown(tmp_path: Path) -> None:
    recording = opened(tmp_path, dataset(agent_data=agent_data([ASKS, CALLS, TOLD, SAYS])))
    assert [turn.inference_calls for turn in recording.conversations[0].turns] == [None]


def test_messages_with_nothing_between_them_are_one_turn(tmp_path: Path) -> None:
    found = opened(tmp_path, dataset(agent_data=agent_data([ASKS, {"author": "user", "state_delta": {}}, ASKS, SAYS])))
    assert said(found) == [[("Is it open?\nIs it open?", [], "Yes.")]]


def test_history_and_intermediate_events_surround_the_prompt(tmp_path: Path) -> None:
    value = dataset(
        conversation_history=[{"content": content("Hey")}, {"content": content("Ho", "model")}],
        intermediate_events=[CALLS, TOLD],
        responses=[{"response": content("Yes.")}],
    )
    assert said(opened(tmp_path, value)) == [[("Hey", [], "Ho"), ("Hi", ["hours"], "Yes.")]]


def test_the_last_event_tells_the_time(tmp_path: Path) -> None:
    timed = agent_data([ASKS | {"event_time": "2026-11-21T20:00:00Z"}, SAYS | {"event_time": "2026-11-21T20:00:05Z"}])
    assert opened(tmp_path, dataset(agent_data=timed)).conversations[0].recorded_at == 1795291205.0


@pytest.mark.parametrize("case", [{}, {"agent_data": agent_data([ASKS, SAYS, ASKS])}])
def test_a_dataset_that_nobody_answered_is_no_recording(tmp_path: Path, case: dict[str, object]) -> None:
    with pytest.raises(RecordingError, match="greeting: no response yet; `agents-cli eval generate` records one"):
        opened(tmp_path, dataset(**case))


def test_a_case_without_answer_is_said_and_the_others_are_read(tmp_path: Path) -> None:
    value = dataset(responses=[{"response": content("Hello")}])
    value["eval_cases"] += dataset()["eval_cases"]
    recording = opened(tmp_path, value)
    assert len(recording.conversations) == 1
    assert recording.warnings == ("greeting: no response yet; `agents-cli eval generate` records one",)


def test_cases_may_stand_one_a_line(tmp_path: Path) -> None:
    (case,) = dataset(responses=[{"response": content("Hello")}])["eval_cases"]
    assert len(opened(tmp_path, lines([case], [case])).conversations) == 2


def test_an_eval_set_is_what_an_agent_did(tmp_path: Path) -> None:
    recording = opened(tmp_path, eval_set(invocation(), invocation("Bye", "See you")))
    assert (recording.format, said(recording)) == ("eval_set", [[("Hi", [], "Hello"), ("Bye", [], "See you")]])
    assert (recording.conversations[0].eval_id, recording.conversations[0].eval_set_id) == ("greeting", None)


def test_a_turn_that_is_none_keeps_its_place(tmp_path: Path) -> None:
    value = eval_set(invocation()) | {"eval_cases": [{"eval_id": "a", "conversation": [invocation(), 1]}]}
    recording = opened(tmp_path, value)
    assert said(recording) == [[("Hi", [], "Hello"), ("", [], "")]]
    assert recording.warnings == ("a, turn 2: the turn is empty",)


def test_a_set_without_turns_is_no_recording(tmp_path: Path) -> None:
    value = {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation_scenario": {}}]}
    with pytest.raises(RecordingError, match="no recorded conversation in this file; a: the case has no turns"):
        opened(tmp_path, value)


def test_the_shared_datasets_are_read_or_refused(shared_folder: Path) -> None:
    read = {}
    for path in sorted((shared_folder / "corpus").glob("*platform_dataset*")):
        try:
            read[path.name[:3]] = [len(each.turns) for each in open_recording(path).conversations]
        except RecordingError as error:
            assert "no response yet" in str(error)
    assert read == {"191": [1, 1, 1], "194": [2]}


def test_expected_events_without_a_response_are_no_answer(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="no response yet"):
        opened(tmp_path, dataset(intermediate_events=[CALLS, TOLD, SAYS]))


def graded(*datasets: object, **members: object) -> Json:
    """A result of agents-cli."""
    metrics = {"tool_use_quality_v1": {"metric_name": "tool_use_quality_v1", "score": 1.0}}
    results = [{"eval_case_index": 0, "response_candidate_results": [{"response_index": 0, "metric_results": metrics}]}]
    metadata = {"candidate_names": ["candidate_1"], "creation_timestamp": "2026-06-06T07:41:27Z"}
    return {
        "eval_case_results": results,
        "summary_metrics": [],
        "evaluation_dataset": list(datasets),
        "metadata": metadata,
        **members,
    }


def test_a_result_of_agents_cli_has_the_responses_that_it_graded(tmp_path: Path) -> None:
    told = dataset(agent_data=agent_data([ASKS, CALLS, TOLD, SAYS]), responses=[{"response": content("Yes.")}])
    for value in (graded(told), graded(None, evaluation_dataset=told), [graded(told)][0] | {"agent_info": None}):
        recording = opened(tmp_path, value)
        assert recording.format == "evaluation_dataset"
        assert said(recording) == [[("Is it open?", ["hours"], "Yes.")]]
        assert recording.conversations[0].eval_id == "greeting"
        assert recording.conversations[0].recorded_at == 1_780_731_687.0


def test_each_agent_that_was_graded_gives_a_run(tmp_path: Path) -> None:
    one, two = (dataset(responses=[{"response": content(text)}]) for text in ("One", "Two"))
    recording = opened(tmp_path, graded(one, two))
    assert [(each.id, each.turns[0].response) for each in recording.conversations] == [
        ("greeting", "One"),
        ("greeting#2", "Two"),
    ]


@pytest.mark.parametrize("members", [{"evaluation_dataset": None}, {"evaluation_dataset": []}])
def test_a_result_of_agents_cli_without_responses_names_the_command_for_it(tmp_path: Path, members: Json) -> None:
    with pytest.raises(RecordingError, match="scores without responses; `evaltui compare` reads its scores"):
        opened(tmp_path, graded(**members))


def grades(recording: Recording) -> list[list[tuple[str, float | None, str | None]]]:
    return [[(each.name, each.score, each.error) for each in found.grades] for found in recording.conversations]


def test_scores_of_graders_are_those_of_the_case_and_response_that_were_graded(tmp_path: Path) -> None:
    polite = {"polite": {"score": 0.5}, "broken": {"score": None, "error_message": "no judge"}}
    results = [
        {"eval_case_index": 1, "response_candidate_results": [{"response_index": 1, "metric_results": polite}]},
        {"response_candidate_results": [{"metric_results": {"second": {"score": 1}}}]},  # of the place
    ]
    answered = dataset(responses=[{"response": content(text)} for text in ("One", "Two")])["eval_cases"][0]
    cases = [{**answered, "eval_case_id": name} for name in ("one", "two")]
    found = opened(tmp_path, graded({"eval_cases": cases}, eval_case_results=results))
    assert [each.id for each in found.conversations] == ["one", "one#2", "two", "two#2"]
    assert grades(found) == [[], [], [("second", 1.0, None)], [("polite", 0.5, None), ("broken", None, "no judge")]]


def test_of_several_agents_a_response_has_the_number_of_its_agent(tmp_path: Path) -> None:
    candidates = [{"metric_results": {"polite": {"score": score}}} for score in (0.25, 0.75)]
    results = [{"eval_case_index": 0, "response_candidate_results": candidates}]
    one, two = (dataset(responses=[{"response": content(text)}]) for text in ("One", "Two"))
    found = opened(tmp_path, graded(one, two, eval_case_results=results))
    assert grades(found) == [[("polite", 0.25, None)], [("polite", 0.75, None)]]


@pytest.mark.parametrize("odd", [None, 7, "x", [7], [{"metric_results": 7}], [{"metric_results": {"a": 7}}]])
def test_odd_scores_of_graders_are_no_scores(tmp_path: Path, odd: object) -> None:
    results = [7, {"eval_case_index": True, "response_candidate_results": odd}]
    told = dataset(responses=[{"response": content("Yes.")}])
    assert grades(opened(tmp_path, graded(told, eval_case_results=results))) == [[]]
    named = [{"eval_case_index": 0, "response_candidate_results": [{"metric_results": {"a": {"score": odd}}}]}]
    shown = [[("a", 7.0 if odd == 7 else None, None)]]
    assert grades(opened(tmp_path, graded(told, eval_case_results=named))) == shown

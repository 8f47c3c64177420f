"""What a recording does not hold is marked as not recorded. Files of other programs are refused, not read as empty."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.evalset.turn import ALL_PARTS, Turn
from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.recording_file import open_recording
from tests.recordings.files import agent_data, call, case_result, content, dataset, eval_set, event, invocation, result
from tests.recordings.files import write as written
from tests.recordings.spans import Json, agent, asks, assistant, chat, export, read, tool, user

MODEL = {"gen_ai.usage.input_tokens": 5}
ADK = "gcp.vertex.agent."
EMPTY = {f"{ADK}tool_call_args": "{}", f"{ADK}tool_response": "{}"}
NONE = {f"{ADK}tool_call_args": "{}", f"{ADK}tool_response": '{"result": null}'}
OFF = {f"{ADK}llm_request": "{}", f"{ADK}llm_response": "{}"}
SILENT = {f"{ADK}llm_request": '{"contents": []}', f"{ADK}llm_response": '{"finish_reason": "STOP"}'}
ON, NO_TEXT = [user("Hi")], {"parts": [], "role": "model"}


def opened(tmp_path: Path, value: object) -> Recording:
    return open_recording(written(tmp_path / "recording.json", value), for_cases=True)


def turns(tmp_path: Path, value: object) -> list[Turn]:
    return [turn for each in opened(tmp_path, value).conversations for turn in each.turns]


def traced(*inner: Json, **outer: Any) -> Turn:
    around = agent(**outer)
    ((turn,),) = (
        each.turns for each in read(export([around, *({**each, "parentSpanId": around["spanId"]} for each in inner)]))
    )
    return turn


def of(turn: Turn) -> set[str]:
    return set(turn.unrecorded)


def test_a_trace_tells_what_its_recorder_left_out() -> None:
    assert of(traced(chat(more=MODEL), tool("a"))) == {"user_text", "arguments", "response"}
    assert of(traced(chat(ON, [assistant("Yes")]), tool("a", '{"x": 1}'))) == set()
    assert of(traced(chat(ON), tool("a", {}))) == {"response"}, "the input alone"
    assert of(traced(chat(ON, [assistant("Yes")]), tool("a"), tool("b", {}))) == {"arguments"}
    asking = chat(ON, [assistant(asks("a", {}))], more=MODEL)
    assert of(traced(asking, chat(ON))) == {"calls", "response"}, "the last answer, which may call another tool"
    assert of(traced(chat(ON, [assistant("<REDACTED>")]))) == {"calls", "response"}
    finish = {"gen_ai.response.finish_reasons": ["tool_calls"]}
    assert of(traced(chat(ON, more=finish))) == {"calls", "response"}, "the model asked for tools"


def test_what_an_agent_said_is_recorded_as_nothing_only_if_it_failed() -> None:
    assert of(traced(chat(more=SILENT))) == set(ALL_PARTS), "nothing at all was read"
    assert of(traced(chat(more=SILENT), tool("a", {}))) == {"user_text", "response"}
    failed = {"status": {"code": 2}}
    assert of(traced(chat(ON), tool("a", {}), **failed)) == set()
    assert traced(chat(ON), tool("a", {}), **failed).failure == "an error"
    named = {"error.type": "TimeoutError"}
    assert traced(chat(ON), tool("a", {}), attributes=named, **failed).failure == "TimeoutError"
    assert of(traced(chat(ON), tool("a", {}), attributes=named)) == {"response"}, "the status does not say so"
    assert traced(chat(ON, [assistant("Yes")]), tool("a", {}), **failed).failure == ""
    assert of(traced(chat(), tool("a", {}), **failed)) == {"user_text", "response"}, "messages are not recorded"


def test_google_adk_writes_empty_objects_in_place_of_content() -> None:
    without = traced(chat(more=OFF), tool("a", more=EMPTY))
    assert of(without) == {"user_text", "arguments", "response"}
    assert [(each.args, each.has_args) for each in without.calls] == [({}, False)]
    assert [each.has_args for each in traced(chat(more=OFF), tool("a", more=NONE)).calls] == [True]


def test_a_trace_without_a_text_or_call_tells_nothing() -> None:
    assert of(traced(chat(more=MODEL))) == set(ALL_PARTS)
    silent, spoken = read(export([chat(more=MODEL), chat(ON, [assistant("Yes")], trace=2)]))
    assert [of(each.turns[0]) for each in (silent, spoken)] == [set(ALL_PARTS), set()]
    joined = {"gen_ai.conversation.id": "one"}
    both = [chat(more=joined), chat(ON, [assistant("Yes")], more=joined, trace=2)]
    (conversation,) = read(export(both), multi_turn=True)
    assert list(map(of, conversation.turns)) == [{"user_text", "calls", "response"}, set()]


ASKED: Json = {"user_content": content("Hi")}
SAID = {"final_response": content("Hello", "model")}
BOTH = {"calls", "response"}


def between(**members: object) -> Json:
    return {"intermediate_data": members}


@pytest.mark.parametrize(
    ("members", "missing"),
    [
        ({}, BOTH),
        ({"final_response": None, "intermediate_data": None}, BOTH),
        ({"final_response": {}, "intermediate_data": {}}, BOTH),
        (SAID, {"calls"}),
        (SAID | between(tool_uses=None), {"calls"}),
        (SAID | between(tool_uses=[]), set()),
        (SAID | {"intermediateData": {"invocationEvents": []}}, set()),
        (between(tool_uses=[]), set()),
        (between(invocation_events=[]) | {"final_response": content("", "model")}, set()),
        (between(tool_uses=[]) | {"final_response": NO_TEXT}, {"response"}),
        (between(tool_uses=[call("a")]) | {"final_response": {}}, {"response"}),
    ],
)
def test_a_result_states_calls_in_intermediate_data_and_a_response_beside_them(
    tmp_path: Path, members: Json, missing: set[str]
) -> None:
    first = ASKED | SAID | between(tool_uses=[])
    found = opened(tmp_path, result(case_result("a", ASKED | members, first), case_result("b", first, ASKED | members)))
    assert [list(map(of, each.turns)) for each in found.conversations] == [[missing, set()], [set(), missing]]
    assert found.warnings == ()


def test_a_turn_without_an_invocation_is_not_recorded(tmp_path: Path) -> None:
    silent = invocation() | {"final_response": None}
    lost: Json = {"eval_metric_result_per_invocation": [{"actual_invocation": None}, {"actual_invocation": silent}]}
    found = opened(tmp_path, result(case_result("a", **lost)))
    assert list(map(of, found.conversations[0].turns)) == [set(ALL_PARTS), set()]
    assert found.warnings == ("a, turn 1: actual_invocation is missing",)
    other = {"input": "Hi", "output": "Hello"}
    found = opened(tmp_path, result(case_result("a", other)))
    assert list(map(of, found.conversations[0].turns)) == [set(ALL_PARTS)]
    where = f"{USES} and the response in final_response.parts"
    assert found.warnings == (f"a, turn 1: input, output is not read: {where}",)


USES = "google-adk has tool calls in intermediate_data.tool_uses"
NAMES = "google-adk has the name of a tool call in name, and its arguments in args"
ARGS = "google-adk has the arguments of a tool call in args"
PARTS = f"{USES} and the response in final_response.parts"
IN_EVENTS = "invocation_events."
VERTEX = {"tool_name": "a", "tool_input": {"x": 1}}


@pytest.mark.parametrize(
    ("members", "missing", "said"),
    [
        ({"response": content("Hello")} | between(tool_uses=[]), BOTH, f"response is not read: {PARTS}"),
        (
            {"final_response": {"parts": [{"content": "Hello"}]}} | between(tool_uses=[]),
            BOTH,
            f"final_response.parts.content is not read: {PARTS}",
        ),
        (
            {"final_response": {"text": "Hello"}} | between(tool_uses=[]),
            BOTH,
            f"final_response.text is not read: {PARTS}",
        ),
        (SAID | between(tool_uses=[VERTEX]), {"calls"}, f"tool_name, tool_input is not read: {NAMES}"),
        (SAID | between(tool_uses=[{}]), {"calls"}, "a tool call has no name"),
        (
            SAID | between(tool_uses=[{"name": "a", "arguments": {"x": 1}}]),
            {"arguments"},
            f"arguments is not read: {ARGS}",
        ),
        (
            SAID | between(tool_uses=[{"name": "a", "args": None, "tool_input": "{}"}]),
            {"arguments"},
            f"tool_input is not read: {ARGS}",
        ),
        (
            SAID | between(invocation_events=[VERTEX]),
            {"calls"},
            f"{IN_EVENTS}tool_name, {IN_EVENTS}tool_input is not read: {USES}",
        ),
        (
            SAID | between(invocation_events=[{"content": {"parts": [{"text": "…"}], "tool_calls": [VERTEX]}}]),
            {"calls"},
            f"{IN_EVENTS}content.tool_calls is not read: {USES}",
        ),
        (
            SAID | between(invocation_events=[event("desk", {"functionCall": {"name": "a", "input": {"x": 1}}})]),
            {"arguments"},
            f"input is not read: {ARGS}",
        ),
    ],
)
def test_parts_of_an_invocation_in_another_place_are_said(
    tmp_path: Path, members: Json, missing: set[str], said: str
) -> None:
    for value in (result(case_result("a", ASKED | members)), eval_set(ASKED | members, eval_id="a")):
        found = opened(tmp_path, value)
        (turn,) = found.conversations[0].turns
        assert of(turn) == missing
        assert found.warnings == (f"a, turn 1: {said}",)
        assert [each.has_args for each in turn.calls] == ([False] if missing == {"arguments"} else [])


def test_absent_arguments_of_google_adk_are_recorded(tmp_path: Path) -> None:
    told = {"id": "c", "name": "a", "args": None, "will_continue": None}
    (turn,) = turns(tmp_path, result(case_result("a", ASKED | SAID | between(tool_uses=[told]))))
    assert (of(turn), turn.calls[0].has_args) == (set(), True)


def test_a_set_does_not_record_a_part_that_it_does_not_state(tmp_path: Path) -> None:
    stated = [
        ASKED,
        ASKED | {"final_response": NO_TEXT},
        ASKED | {"final_response": None, "intermediate_data": {"tool_uses": [call("a")]}},
        ASKED | SAID,
        ASKED | SAID | {"intermediate_data": {}},
        ASKED | {"final_response": content("", "model"), "intermediate_data": {}},
    ]
    missing = [BOTH, BOTH, {"response"}, {"calls"}, set[str](), {"response"}]
    assert list(map(of, turns(tmp_path, eval_set(*stated)))) == missing


def test_expected_calls_under_another_key_are_said_in_a_set(tmp_path: Path) -> None:
    found = opened(tmp_path, eval_set(ASKED | SAID | {"expected_tool_use": [VERTEX]}, eval_id="a"))
    assert list(map(of, found.conversations[0].turns)) == [{"calls"}]
    assert found.warnings == (f"a, turn 1: expected_tool_use is not read: {USES}",)


def test_messages_of_a_dataset_do_not_tell_its_tool_calls(tmp_path: Path) -> None:
    answered = {"responses": [{"response": content("Hello", "model")}]}
    assert list(map(of, turns(tmp_path, dataset(**answered)))) == [{"calls"}]
    assert list(map(of, turns(tmp_path, dataset(**answered, intermediate_events=[])))) == [set()]
    assert list(map(of, turns(tmp_path, dataset(responses=[{"response": NO_TEXT}])))) == [{"calls", "response"}]
    told = agent_data([event("desk", {"text": "Hello"})])
    assert list(map(of, turns(tmp_path, dataset(agent_data=told)))) == [set()]


CALLS = [{"tool_name": "hours", "tool_input": {"day": 1}}, {"tool_name": "close"}]


@pytest.mark.parametrize("key", ["predicted_trajectory", "predictedTrajectory"])
def test_a_predicted_trajectory_has_the_calls(tmp_path: Path, key: str) -> None:
    expected = [event("desk", {"function_call": {"name": "expected", "args": {}}})]
    answered = {"responses": [{"response": content("Hello", "model")}]}
    found = opened(tmp_path, dataset(**answered, intermediate_events=expected, **{key: CALLS}))
    ((turn,),) = (each.turns for each in found.conversations)
    assert [(each.name, each.args, each.has_args) for each in turn.calls] == [
        ("hours", {"day": 1}, True),
        ("close", {}, False),
    ]
    assert of(turn) == {"arguments"}
    assert found.warnings == ()
    (recorded,) = found.conversations[0].recorded_turns
    assert [each["content"]["parts"] for each in recorded.invocation["intermediate_data"]["invocation_events"]] == [
        [{"function_call": {"name": "hours", "args": {"day": 1}}}],
        [{"function_call": {"name": "close", "args": None}}],
    ]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("predicted_trajectory", ["hours"]),
        ("predicted_trajectory", [{"name": "hours"}]),
        ("actual_trajectory", CALLS),
        ("tool_calls", [{"name": "hours"}]),
        ("predictedToolCalls", CALLS),
        ("tools_called", ["hours"]),
    ],
)
def test_calls_in_another_place_are_said_and_not_counted_as_none(tmp_path: Path, key: str, value: object) -> None:
    answered = {"responses": [{"response": content("Hello", "model")}], "intermediate_events": []}
    found = opened(tmp_path, dataset(**answered, **{key: value}, reference_trajectory=CALLS, expected_tool_calls=CALLS))
    assert list(map(of, found.conversations[0].turns)) == [{"calls"}]
    where = "evaltui reads tool calls in agent_data, intermediate_events and predicted_trajectory"
    assert found.warnings == (f"greeting: {key} is not read: {where}",)


WHERE = "evaltui reads tool calls in agent_data, intermediate_events and predicted_trajectory"
PARTS = "texts and tool calls of an event are in content.parts"
LOST = "an event has no content that can be read"
ANSWERED: Json = {"responses": [{"response": content("Hello", "model")}]}
TOLD = event("desk", {"text": "Hello"})
ASKS = event("user", {"text": "Hi"})


@pytest.mark.parametrize(
    ("members", "missing", "said"),
    [
        (
            {"agent_data": agent_data([ASKS, TOLD]), "predicted_trajectory": CALLS},
            {"calls"},
            f"predicted_trajectory is not read: {WHERE}",
        ),
        ({"agent_data": {"turns": [{"turn_index": 0}]}} | ANSWERED, {"calls"}, ""),
        ({"agent_data": agent_data([ASKS])} | ANSWERED, {"calls"}, ""),
        (ANSWERED | {"intermediate_events": [{"event_id": "x"}]}, {"calls"}, LOST),
        (
            ANSWERED | {"intermediate_events": [{"author": "desk"} | CALLS[0]]},
            {"calls"},
            f"tool_name, tool_input is not read: {PARTS}",
        ),
        (ANSWERED | {"intermediate_events": [TOLD]}, set(), ""),
        ({"responses": [{"response": content("", "model")}]}, {"calls", "response"}, ""),
        ({"responses": [{"response": ""}]}, {"calls", "response"}, ""),
        (
            {"agent_data": agent_data([ASKS, {"author": "desk", "content": TOLD["content"] | {"tool_calls": CALLS}}])},
            {"calls"},
            f"content.tool_calls is not read: {PARTS}",
        ),
        (
            {
                "agent_data": agent_data(
                    [ASKS, event("desk", {"inline_data": {"mime_type": "image/png", "data": "AA"}})]
                )
            },
            {"response"},
            "",
        ),
    ],
)
def test_a_dataset_does_not_record_a_part_that_it_does_not_state(
    tmp_path: Path, members: Json, missing: set[str], said: str
) -> None:
    found = opened(tmp_path, dataset(**members))
    assert list(map(of, found.conversations[0].turns)) == [missing]
    assert found.warnings == ((f"greeting: {said}",) if said else ())


def test_arguments_of_events_under_another_key_are_said(tmp_path: Path) -> None:
    calls = event("desk", {"function_call": {"name": "a", "arguments": {"x": 1}}})
    found = opened(tmp_path, dataset(agent_data=agent_data([ASKS, calls, TOLD])))
    assert list(map(of, found.conversations[0].turns)) == [{"arguments"}]
    assert found.warnings == (f"greeting: arguments is not read: {ARGS}",)


@pytest.mark.parametrize("key", ["tool_calls", "toolsCalled", "trajectory"])
def test_calls_of_an_invocation_in_another_place_are_said(tmp_path: Path, key: str) -> None:
    answered = {"user_content": content("Hi"), "final_response": content("Hello", "model")}
    told = "is not read: google-adk has tool calls in intermediate_data.tool_uses"
    known = invocation("Hi", "Hello", call("b")) | {key: CALLS}
    for place, turn in (
        (key, answered | {key: CALLS}),
        (f"intermediate_data.{key}", answered | {"intermediate_data": {key: CALLS}}),
        (key, known),
    ):
        for value in (result(case_result("a", turn)), eval_set(turn, eval_id="a")):
            found = opened(tmp_path, value)
            assert list(map(of, found.conversations[0].turns)) == [{"calls"}]
            assert found.warnings == (f"a, turn 1: {place} {told}",)


def test_a_call_without_a_name_but_with_a_function_cannot_be_read(tmp_path: Path) -> None:
    other = invocation() | {"intermediate_data": {"tool_uses": [{"id": "c", "function": {"name": "calc"}}]}}
    (conversation,) = opened(tmp_path, result(case_result("a", other))).conversations
    assert conversation.unread == "turn 1: intermediate_data/tool_uses/0 has a function in place of a name and args"


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"response": "Hello"}, "response is not read: evaltui reads the responses of agents in responses and agent_"),
        ({"responses": ["Hello"]}, "responses/0 is not read: it is not an object with a response"),
    ],
)
def test_a_response_in_another_place_is_said(tmp_path: Path, members: Json, reason: str) -> None:
    with pytest.raises(RecordingError, match=f"no recorded conversation in this file; greeting: {reason}"):
        opened(tmp_path, dataset(**members))


TRPC = {
    "userContent": {"role": "user", "content": "add 2 and 3"},
    "finalResponse": {"role": "assistant", "content": "five"},
    "tools": [{"id": "c0", "name": "calc", "arguments": {"a": 2}, "result": 5}],
}
WITH_PARTS = {"userContent": content("add"), "finalResponse": content("five", "model"), "tools": TRPC["tools"]}


@pytest.mark.parametrize("invoked", [TRPC, WITH_PARTS, {"userContent": TRPC["userContent"]}])
def test_files_of_trpc_agent_go_are_refused(tmp_path: Path, invoked: Json) -> None:
    with pytest.raises(RecordingError, match=r"recording\.json: this is a result of trpc-agent-go, which evaltui does"):
        opened(tmp_path, result(case_result("a", invocation()), case_result("b", invoked)))
    command = "`evaltui convert .*recording.json --to evalset`"
    with pytest.raises(RecordingError, match=f"this is an eval set of trpc-agent-go; {command}"):
        opened(tmp_path, eval_set(invocation(), invoked))


@pytest.mark.parametrize(
    "value",
    [
        [{"id": "rain", "session_input": {"messages": [{"role": "user", "content": "Will it rain?"}]}}],
        {"eval_cases": [{"name": "rain", "messages": [{"role": "user", "content": "Will it rain?"}]}]},
        {"name": "w", "evalCases": [{"name": "rain", "userMessage": "Will it rain?", "expectedToolCalls": ["get"]}]},
        [{"id": "rain", "conversation": [{"role": "user", "content": "Will it rain?"}]}],
        {"eval_cases": [{"eval_id": "rain", "conversation": ["Will it rain?"]}]},
    ],
)
def test_cases_of_other_tools_are_no_recording(tmp_path: Path, value: object) -> None:
    with pytest.raises(
        RecordingError, match=r"no recorded conversation in this file; (rain|case 1): (the case has )?no turn"
    ):
        opened(tmp_path, value)


CALLED = {"content": {"role": "model", "parts": [{"functionCall": {"name": "a", "args": {"x": 1}}}]}}
PICTURE = {"content": {"role": "model", "parts": [{"inlineData": {"mimeType": "image/png", "data": "AAAA"}}]}}
FAILED = {"errorCode": "500", "errorMessage": "boom"}
SPOKEN = {"outputTranscription": {"text": "Hello", "finished": True}}


@pytest.mark.parametrize(
    ("events", "missing"),
    [
        ([], BOTH),
        ([{"content": {"role": "model", "content": "Hello"}}], BOTH),
        ([{"content": {"role": "model", "parts": [{"content": "Hello"}]}}], BOTH),
        ([CALLED], BOTH),
        ([CALLED, PICTURE], {"response"}),
        ([CALLED, SPOKEN], set()),
        ([CALLED, SPOKEN | {"partial": True}], BOTH),
        ([{"content": SAID["final_response"] | {"tool_calls": CALLS}}], {"calls"}),
        ([{"content": SAID["final_response"]}], set()),
        ([{"content": content("", "model")}], set()),
    ],
)
def test_a_session_does_not_record_what_no_event_of_the_agent_says(
    tmp_path: Path, events: list[Json], missing: set[str]
) -> None:
    asked = {"author": "user", "content": content("Hi")}
    told = [{"id": str(at), "invocationId": "e", "author": "desk"} | each for at, each in enumerate([asked, *events])]
    (conversation,) = opened(tmp_path, {"id": "s", "appName": "a", "userId": "u", "events": told}).conversations
    assert list(map(of, conversation.turns)) == [missing]
    made = conversation.recorded_turns[0].invocation
    assert ("intermediate_data" in made) == ("calls" not in missing)
    assert ("final_response" in made) == ("response" not in missing or PICTURE in events)


@pytest.mark.parametrize("events", [[FAILED], [CALLED, FAILED]])
def test_a_session_in_which_the_agent_failed_is_recorded_as_failed(tmp_path: Path, events: list[Json]) -> None:
    """Its turn gets the scores that google-adk gives it, but no review makes a golden of it."""
    asked = {"author": "user", "content": content("Hi")}
    told = [{"id": str(at), "invocationId": "e", "author": "desk"} | each for at, each in enumerate([asked, *events])]
    (conversation,) = opened(tmp_path, {"id": "s", "appName": "a", "userId": "u", "events": told}).conversations
    assert list(map(of, conversation.turns)) == [set()]
    assert [turn.failure for turn in conversation.turns] == ["500: boom"]

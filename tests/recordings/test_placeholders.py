"""Values that a recorder left out: its placeholders are neither texts nor arguments of the agent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli import main
from evaltui.evalset.case_data import PlainTurn
from evaltui.evalset.turn import Turn, TurnCall, UnrecordedArguments, is_placeholder, placeholder_in
from evaltui.recordings.recording_file import open_recording
from evaltui.scoring.metrics import adk_rs
from evaltui.scoring.metrics.metric import OfflineCriterion
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES, ToolTrajectory
from tests.recordings import session_files
from tests.recordings.files import case_result, content, dataset, eval_set, event, invocation, result, write
from tests.recordings.spans import Json, agent, assistant, chat, export, read, tool, user, warnings

PLACEHOLDERS = [
    *("<elided>", "<REDACTED>", "<not serializable>", "__REDACTED__", "[redacted]", "[Scrubbed due to 'password']"),
    " <elided>\n",
]
ASKED = [user("Price?")]
ADK_RS = adk_rs.AdkRsTrajectory("tool_trajectory_avg_score", 1.0)


@pytest.mark.parametrize("text", ["", "elided", "Write <elided> here", "[1]", "redacted", "[Scrubbed]", "****"])
def test_other_texts_are_values(text: str) -> None:
    assert not is_placeholder(text)
    assert placeholder_in({"a": [text, 1, None, {text: {}}]}) is None


def test_a_placeholder_is_found_at_any_depth() -> None:
    deep: Any = "<elided>"
    for _ in range(5000):
        deep = {"in": [deep]}
    assert placeholder_in(deep) == "<elided>"


def traced(*inner: Json) -> Json:
    outer = agent()
    return export([outer, *({**each, "parentSpanId": outer["spanId"]} for each in inner)])


@pytest.mark.parametrize("text", PLACEHOLDERS)
def test_a_trace_with_a_placeholder_records_neither_the_response_nor_the_arguments(text: str) -> None:
    ((turn,),) = (each.turns for each in read(traced(tool("price", {"item": "x"}), chat(ASKED, [assistant(text)]))))
    assert (turn.response, turn.unrecorded) == ("", {"response"})
    for args in ({"item": text}, {"item": "x", "more": [{"deep": text}]}, [text]):
        written = traced(tool("price", json.dumps(args)), chat(ASKED, [assistant("500")]))
        ((turn,),) = (each.turns for each in read(written))
        assert (turn.unrecorded, turn.calls[0].has_args) == ({"arguments"}, False)
        assert warnings(written) == (
            "the recorder left out a value in the arguments of 1 tool call, which count as not recorded (tool price)",
        )


CALL = {"id": "k", "name": "price", "args": {"item": "phone", "deep": [{"x": "<elided>"}]}}


def in_session() -> Json:
    events = [
        session_files.event("e1", "user", session_files.part("Hi")),
        session_files.event("e1", "desk", content={"role": "model", "parts": [{"function_call": CALL}]}),
        session_files.event("e1", "desk", session_files.part("Hello")),
    ]
    return session_files.session("s", *events)


def in_events() -> Json:
    data = {"invocation_events": [event("desk", {"functionCall": CALL})]}
    return invocation() | {"intermediate_data": data}


ANSWERED = {"responses": [{"response": content("Hello", "model")}]}
RECORDINGS: dict[str, Any] = {
    "s.session.json": in_session(),
    "result.json": result(case_result("greeting", invocation("Hi", "Hello", CALL))),
    "set.evalset.json": eval_set(in_events()),
    "dataset.json": dataset(**ANSWERED, intermediate_events=[event("desk", {"function_call": CALL})]),
    "predicted.json": dataset(**ANSWERED, predicted_trajectory=[{"tool_name": "price", "tool_input": CALL["args"]}]),
}


@pytest.mark.parametrize("name", RECORDINGS)
def test_arguments_with_a_placeholder_are_not_recorded(tmp_path: Path, name: str) -> None:
    found = open_recording(write(tmp_path / name, RECORDINGS[name]), for_cases=True)
    ((turn,),) = (each.turns for each in found.conversations)
    assert (turn.unrecorded, [each.name for each in turn.calls]) == ({"arguments"}, ["price"])
    assert found.warnings[0].endswith("price has <elided> in place of an argument that is not recorded")
    (kept,) = found.conversations[0].recorded_turns
    assert [each["args"] for each in PlainTurn(kept.invocation).calls] == [None]
    assert "<elided>" not in json.dumps(kept.invocation)


# --- scores -------------------------------------------------------------------------------------------------------


def expecting(*calls: TurnCall) -> Turn:
    return Turn("Hi", calls)


def recorded(*calls: TurnCall) -> Turn:
    known = [call if placeholder_in(call.args) is None else hidden(call) for call in calls]
    return Turn("Hi", tuple(known), unrecorded=frozenset({"arguments"}))


def hidden(call: TurnCall) -> TurnCall:
    return call._replace(args=UnrecordedArguments(call.args or {}))


PRICE, ELIDED = TurnCall("price", {"item": "phone"}), TurnCall("price", {"item": "<elided>"})
STOCK = TurnCall("stock", {"item": "<elided>"})


@pytest.mark.parametrize("criterion", [*(ToolTrajectory("t", 1.0, match_type=each) for each in MATCH_TYPES), ADK_RS])
def test_a_call_with_a_placeholder_matches_a_set_that_has_it_too(criterion: OfflineCriterion) -> None:
    for ours, theirs in ((ELIDED,), (ELIDED,)), ((PRICE, STOCK), (PRICE, STOCK)):
        assert criterion.why_unknown(expecting(*ours), recorded(*theirs)) is None
        assert criterion.score(expecting(*ours), recorded(*theirs)) == 1.0
    why = criterion.why_unknown(expecting(PRICE, STOCK), recorded(ELIDED, STOCK))
    assert why is not None
    assert why.startswith("the arguments of price and stock are not recorded")
    unknown = Turn("Hi", (TurnCall("price", UnrecordedArguments()),), unrecorded=frozenset({"arguments"}))
    assert criterion.why_unknown(expecting(TurnCall("price", {})), unknown) is not None


def test_a_placeholder_is_no_change_of_a_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = str(write(tmp_path / "s.session.json", in_session()))
    theirs = write(tmp_path / "set.evalset.json", eval_set(invocation("Hi", "Hello", CALL)))
    assert main(["run", str(theirs), "-r", session]) == 0
    other = write(tmp_path / "other.evalset.json", eval_set(invocation("Hi", "Hello", CALL | {"args": {"item": "x"}})))
    before = other.read_bytes()
    main(["accept", str(other), "-r", session, "--case", "greeting"])
    assert other.read_bytes() == before
    assert "the arguments of price are not recorded" in capsys.readouterr().err

"""Recordings without content, and files of other programs, in all commands: nothing scores 0.0 or is offered."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import Evaltui
from tests.commands.runs import case, eval_set, result, turn, write
from tests.recordings.spans import Json, agent, chat, export, tool, user

SET, RECORDING = "shop.evalset.json", "recording.json"
PRICE: Json = turn("Price?", "It costs 500.", [("get_price", {"item": "phone"})])
CALLS, WORDS = "tool_trajectory_avg_score", "response_match_score"
NO_ARGS = "the arguments of get_price are not recorded"
IGNORING = "the tool calls would pass if the config had ignore_args"
NO_RESPONSE, NO_CALLS = "the response is not recorded", "the tool calls are not recorded"


@pytest.fixture(autouse=True)
def _set(tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(case("price", PRICE), name="shop"))


def traced(messages: list[Json] | None = None) -> Json:
    """A trace of google-adk without content; with `messages` it has those of the user."""
    outer = agent()
    return export([outer, chat(messages, within=outer), tool("get_price", within=outer)])


def blank(key: str) -> Json:
    return result(case("price", {key: "Price?", "output": "It costs 500."}), name="shop")


def resulting(**members: Any) -> Json:
    return result(case("price", ASKED | members), name="shop")


ASKED: Json = {"user_content": PRICE["user_content"]}
SAID: Json = {"final_response": PRICE["final_response"]}
RESPONSES = [{"response": PRICE["final_response"]}]
DATASET: Json = {"eval_cases": [{"eval_case_id": "price", "prompt": PRICE["user_content"], "responses": RESPONSES}]}
WITHOUT: dict[str, tuple[Json, dict[str, str]]] = {
    "trace": (traced(), {CALLS: f"{NO_ARGS}; {IGNORING}", WORDS: NO_RESPONSE}),
    "trace with user message": (traced([user("Price?")]), {CALLS: f"{NO_ARGS}; {IGNORING}", WORDS: NO_RESPONSE}),
    "trace of a model": (export([chat([user("Price?")])]), {CALLS: NO_CALLS, WORDS: NO_RESPONSE}),
    "empty trace": (export([chat(more={"gen_ai.usage.input_tokens": 5})]), {CALLS: NO_CALLS, WORDS: NO_RESPONSE}),
    "result of another shape": (blank("input"), {CALLS: NO_CALLS, WORDS: NO_RESPONSE}),
    "result without intermediate data": (resulting(**SAID), {CALLS: NO_CALLS}),
    "result of a user message": (resulting(), {CALLS: NO_CALLS, WORDS: NO_RESPONSE}),
    "result with names of Vertex AI": (
        resulting(**SAID, intermediate_data={"tool_uses": [{"tool_name": "get_price", "tool_input": {"item": "tv"}}]}),
        {CALLS: NO_CALLS},
    ),
    "result with arguments of OpenAI": (
        resulting(**SAID, intermediate_data={"tool_uses": [{"name": "get_price", "arguments": {"item": "tv"}}]}),
        {CALLS: f"{NO_ARGS}; {IGNORING}"},
    ),
    "set without intermediate data": (eval_set(case("price", ASKED | SAID), name="other"), {CALLS: NO_CALLS}),
    "set of messages": (eval_set(case("price", ASKED), name="other"), {CALLS: NO_CALLS, WORDS: NO_RESPONSE}),
    "dataset": (DATASET, {CALLS: NO_CALLS}),
}


@pytest.mark.parametrize("name", WITHOUT)
def test_what_is_not_recorded_is_not_evaluated_and_never_written(evaltui: Evaltui, tmp_path: Path, name: str) -> None:
    recording, reasons = WITHOUT[name]
    write(tmp_path / RECORDING, recording)
    before = (tmp_path / SET).read_bytes()
    done = evaltui("run", SET, "-r", RECORDING, "--format", "json")
    (scored,) = json.loads(done.out)["cases"]
    judged = {each["name"]: each for each in scored["metrics"] if each["name"] in (CALLS, WORDS)}
    assert done.code == 3
    assert {each: (judged[each]["status"], judged[each]["score"], judged[each]["reason"]) for each in reasons} == {
        each: ("not_evaluated", None, reason) for each, reason in reasons.items()
    }
    assert scored["turns"][0]["actual"]["unrecorded"], "the document says so, too"
    for metric, reason in reasons.items():
        assert f"evaltui: {SET}: {metric} is not evaluated for price: {reason}\n" in done.err
    reviewed = evaltui("review", SET, "-r", RECORDING, "--all", "--format", "json")
    assert [change for item in json.loads(reviewed.out)["items"] for change in item["changes"]] == []
    assert reviewed.code == 3
    accepted = evaltui("accept", SET, "-r", RECORDING, "--case", "price", "--all")
    assert accepted.code == 0
    assert f'nothing to accept in case "price": {"; ".join(reasons.values())}; nothing was written' in accepted.err
    assert (tmp_path / SET).read_bytes() == before


@pytest.mark.parametrize("results", [[], None])
def test_a_result_without_turns_is_not_scored(evaltui: Evaltui, tmp_path: Path, results: object) -> None:
    recording = result(case("price"), name="shop")
    recording["eval_case_results"][0] |= {"eval_metric_result_per_invocation": results, "final_eval_status": 3}
    write(tmp_path / RECORDING, recording)
    done = evaltui("run", SET, "-r", RECORDING, "--format", "json")
    (scored,) = json.loads(done.out)["cases"]
    assert (done.code, scored["status"], scored["reason"]) == (3, "not_evaluated", "no turn is recorded")


def test_with_ignore_args_the_names_alone_decide(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / RECORDING, traced())
    done = evaltui("run", SET, "-r", RECORDING, "--metric", CALLS, "--ignore-args", "--format", "json")
    assert (done.code, json.loads(done.out)["cases"][0]["status"]) == (0, "passed")


def test_cases_made_of_a_recording_say_what_it_does_not_hold(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / RECORDING, traced())
    assert evaltui("record", RECORDING, "-o", "new.json").code == 3
    write(tmp_path / RECORDING, traced([user("Price?")]))
    done = evaltui("record", RECORDING, "-o", "new.json")
    said = "the response and the arguments of tool calls are not recorded. The case then expects no response, so "
    assert done.code == 0
    assert said in done.err
    (made,) = json.loads((tmp_path / "new.json").read_bytes())["eval_cases"]
    (invocation,) = made["conversation"]
    assert "final_response" not in invocation
    assert invocation["intermediate_data"]["tool_uses"] == [{"name": "get_price"}]


def test_a_case_made_of_a_recording_without_calls_expects_nothing_about_them(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / RECORDING, DATASET)
    done = evaltui("record", RECORDING, "-o", "new.json")
    assert done.code == 0
    assert "the tool calls are not recorded. The case then expects nothing about tool calls" in done.err
    (made,) = json.loads((tmp_path / "new.json").read_bytes())["eval_cases"]
    assert made["conversation"] == [{"user_content": PRICE["user_content"], **SAID}]
    assert evaltui("run", "new.json", "-r", RECORDING).code == 0


TRPC: dict[str, Any] = {
    "userContent": {"role": "user", "content": "Price?"},
    "finalResponse": {"role": "assistant", "content": "It costs 500."},
    "tools": [{"id": "c0", "name": "get_price", "arguments": {"item": "phone"}, "result": 500}],
}


def test_a_result_of_trpc_agent_go_is_refused_by_every_command(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / RECORDING, result(case("price", TRPC), name="shop"))
    said = f"evaltui: {RECORDING}: this is a result of trpc-agent-go, which evaltui does not read; "
    for command in (
        ("run", SET, "-r", RECORDING),
        ("review", SET, "-r", RECORDING, "--format", "text"),
        ("accept", SET, "-r", RECORDING, "--case", "price"),
        ("record", RECORDING, "--list"),
        ("compare", RECORDING, RECORDING),
    ):
        done = evaltui(*command)
        assert (done.code, done.out) == (2, b""), command
        assert done.err.startswith(said), command
    (tmp_path / "recordings").mkdir()
    (tmp_path / RECORDING).rename(tmp_path / "recordings" / RECORDING)
    done = evaltui("run", SET, "-r", "recordings")
    assert "this is a result of trpc-agent-go" in done.err, "in a folder it is said"


def test_a_set_of_trpc_agent_go_is_refused_with_the_command_for_it(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "trpc.json", {"evalSetId": "s", "evalCases": [{"evalId": "price", "conversation": [TRPC]}]})
    write(tmp_path / RECORDING, DATASET)
    before = (tmp_path / "trpc.json").read_bytes()
    said = (
        "evaltui: trpc.json: google-adk rejects this: the file is an eval set of trpc-agent-go; "
        "`evaltui convert trpc.json --to evalset` makes one of google-adk"
    )
    for command in (
        ("run", "trpc.json", "-r", RECORDING),
        ("review", "trpc.json", "-r", RECORDING, "--format", "json"),
        ("accept", "trpc.json", "-r", RECORDING, "--case", "price"),
        ("record", RECORDING, "--into", "trpc.json"),
    ):
        done = evaltui(*command)
        assert (done.code, done.out) == (2, b""), command
        assert done.err.startswith(said), command
    assert (tmp_path / "trpc.json").read_bytes() == before


def test_a_case_with_recorded_turns_never_passes_by_its_own_expectation(evaltui: Evaltui, tmp_path: Path) -> None:
    expected = turn("Price?", "It costs 500.", [("get_price", {"item": "phone"})])
    write(tmp_path / "own.evalset.json", {"eval_set_id": "s", "eval_cases": [
        {"eval_id": "price", "eval_mode": "trace", "conversation": [expected],
         "actual_conversation": [turn("Price?", "I do not know.")]},
    ]})  # fmt: skip
    done = evaltui("run", "own.evalset.json", "-r", "own.evalset.json", "--format", "json")
    assert done.code == 1
    assert "the agent calls no tool" in done.out.decode()
    made = evaltui("record", "own.evalset.json", "-o", "new.json")
    assert made.code == 0
    assert "I do not know." in (written := (tmp_path / "new.json").read_text())
    assert "It costs 500." not in written


def test_a_change_that_leaves_its_turn_failing_is_said_before_it_is_written(evaltui: Evaltui, tmp_path: Path) -> None:
    write(
        tmp_path / RECORDING,
        result(case("price", turn("Price?", "👍", [("get_price", {"item": "\ud83d"})])), name="shop"),
    )
    rejected = "the case is rejected then, because a text has half a surrogate pair"
    no_words = f"{WORDS} stays 0.0, because the response has no words"
    reviewed = evaltui("review", SET, "-r", RECORDING, "--format", "json")
    changes = [change for item in json.loads(reviewed.out)["items"] for change in item["changes"]]
    assert [change["summary"].rpartition(" (")[2] for change in changes] == [f"{rejected})", f"{no_words})"]
    for options in (["--diff"], []):
        done = evaltui("accept", SET, "-r", RECORDING, "--case", "price", *options)
        assert done.err.splitlines()[:2] == [
            f"evaltui: {SET}: price › turn 1 · args: {rejected}",
            f"evaltui: {SET}: price › turn 1 · text: {no_words}",
        ]


def test_a_comparison_of_runs_claims_no_difference_that_is_not_recorded(evaltui: Evaltui, tmp_path: Path) -> None:
    other = turn("Price?", "It costs 700.", [("get_price", {"item": "book"})])
    for name, recording in (("base", result(case("price", other), name="shop")), ("candidate", traced())):
        write(tmp_path / RECORDING, recording)
        (tmp_path / f"{name}.json").write_bytes(evaltui("run", SET, "-r", RECORDING, "--format", "json").out)
    done = evaltui("compare", "base.json", "candidate.json", "--format", "markdown")
    said = done.out.decode()
    assert "price" in said
    assert "response:" not in said
    assert "arguments differ" not in said
    assert "none" not in said

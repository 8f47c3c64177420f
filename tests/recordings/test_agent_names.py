"""Conversations of another app are told by the names in recordings, and only where both sides have names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaltui.evalset.expected_set import read_case
from evaltui.evalset.turn import Turn
from evaltui.recordings.agent_names import NO_NAMES, AgentNames, is_of_apps, joined_names
from evaltui.recordings.conversation import Conversation
from evaltui.recordings.matching import unmatched_of_set
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.user_messages import MatchFacts
from tests.recordings.files import case_result, eval_set, invocation, result, write
from tests.recordings.matched import case_to_match, match
from tests.recordings.session_files import exchange, session, write_sqlite
from tests.recordings.spans import agent, assistant, chat, read, user

CASES = [case_to_match("greet", "Hello there", 1), case_to_match("book", "Book a flight", 2)]
OTHER, OWN = AgentNames("support_desk"), AgentNames("trip_planner")


def traced(service: str | None, *agents: str) -> AgentNames:
    return AgentNames(None, service, frozenset(agents))


def said(text: str, names: AgentNames = NO_NAMES, **members: Any) -> Conversation:
    return Conversation(Path("r.json"), text, (Turn(text),), agent_names=names, **members)


@pytest.mark.parametrize(
    ("own", "names", "expected"),
    [
        ([OWN], OWN, True),
        ([OWN], OTHER, False),
        ([OWN], AgentNames(" Trip-Planner"), True),
        ([OWN], AgentNames(""), None),
        ([OWN], AgentNames("EvaluationGenerator"), None),
        ([AgentNames("EvaluationGenerator")], OWN, None),
        ([OWN, OTHER], OTHER, True),
        ([OWN], NO_NAMES, None),
        ([], OTHER, None),
        ([OWN], traced("support_desk", "triage"), None),
        ([traced("trip", "planner")], OTHER, None),
        ([traced("trip", "planner")], traced("support_desk", "triage"), False),
        ([traced("trip", "planner")], traced("trip-test", "planner"), True),
        ([traced("trip", "planner")], traced("trip", "packer"), True),
        ([traced("trip", "planner")], traced(None, "triage"), None),
        ([traced("trip", "planner")], traced("support_desk"), None),
        ([traced(None, "planner")], traced("support_desk", "triage"), None),
    ],
)
def test_names_tell_only_where_both_sides_have_them(
    own: list[AgentNames], names: AgentNames, expected: bool | None
) -> None:
    assert is_of_apps(names, joined_names(own), joined_names([])) is expected


@pytest.mark.parametrize(
    ("likely", "names", "expected"),
    [
        (traced("trip_planner", "planner"), traced("support_desk", "triage"), False),
        (traced("web", "trip_planner"), traced("support_desk", "triage"), False),
        (traced("trip_planner", "planner"), traced("trip_planner", "packer"), True),
        (traced("trip_planner", "planner"), traced("trip-test", "planner"), True),
        (traced("web", "planner"), traced("support_desk", "triage"), None),
        (traced("trip_planner"), traced("support_desk", "triage"), None),
    ],
)
def test_a_likely_trace_with_the_name_of_the_app_shows_how_its_traces_are_named(
    likely: AgentNames, names: AgentNames, expected: bool | None
) -> None:
    assert is_of_apps(names, joined_names([OWN]), joined_names([likely])) is expected


def offered(cases: list[MatchFacts], *found: Conversation, **named: Any) -> list[str]:
    matching = match(cases, found, "desk", **named)
    return [each.conversation.id for each in unmatched_of_set(matching.unmatched, "desk")]


@pytest.mark.parametrize("app_name", [None, "trip_planner"])
def test_conversations_of_another_app_need_no_decision(app_name: str | None) -> None:
    matched = said("Hello there", OWN if app_name is None else NO_NAMES, eval_id="greet")
    found = [matched, said("Refund me", OTHER), said("Pack my bag", OWN), said("Sing")]
    cases = [CASES[0]._replace(app_name=app_name), CASES[1]]
    matching = match(cases, found, "desk")
    assert [each.conversation.id for each in matching.unmatched] == ["Refund me", "Pack my bag", "Sing"]
    assert {each.reason for each in matching.unmatched} == {"no case has the same first user message"}
    assert offered(cases, *found) == ["Pack my bag", "Sing"]


@pytest.mark.parametrize(
    "alike",
    [
        said("Hello there", OTHER),
        said("Good evening", OTHER, eval_id="greet"),
        said("Good evening", OTHER, case_id="greet", eval_set_id="desk"),
    ],
    ids=["greeting", "eval_id", "attribute"],
)
def test_a_conversation_that_only_looks_like_a_case_hides_no_other(alike: Conversation) -> None:
    assert offered(CASES, alike, said("Pack my bag", OWN), said("Sing", OTHER)) == ["Pack my bag", "Sing"]


def test_the_only_conversation_of_the_only_case_proves_no_app() -> None:
    matching = match(CASES[:1], [said("Good evening", OTHER)], "desk")
    assert matching.cases[0][0].matched_by == "only_one"
    assert is_of_apps(OWN, *matching.apps) is None


def test_an_app_of_a_likely_recording_is_one_of_the_set() -> None:
    cases = [CASES[0], CASES[1]._replace(app_name="trip_planner")]
    found = [said("Hello there", AgentNames("trip_planner_v2")), said("Pack", AgentNames("trip_planner_v2"))]
    assert offered(cases, *found, said("Refund me", OTHER)) == ["Pack"]


def test_a_trace_of_the_same_greeting_hides_no_other() -> None:
    desk, trips = traced("support_desk", "triage"), traced("trips", "planner")
    assert offered(CASES, said("Hello there", desk), said("Pack my bag", trips)) == ["Pack my bag"]
    named = said("Hello there", trips, case_id="greet")
    assert offered(CASES, named, said("Refund me", desk), said("Pack my bag", trips)) == ["Pack my bag"]


def test_without_a_known_app_of_the_set_all_are_offered() -> None:
    matching = match(CASES, [said("Hello there"), said("Refund me", OTHER)], "desk")
    assert len(unmatched_of_set(matching.unmatched, "desk")) == 1


def test_a_conversation_that_a_person_matched_is_of_the_set() -> None:
    by_hand, other = said("Refund me", OTHER), said("Refund her", OTHER)
    cases = [CASES[0]._replace(app_name="trip_planner"), CASES[1]]
    matching = match(cases, [by_hand, other], "desk", by_hand={by_hand.key: "book"})
    assert [each.conversation for each in unmatched_of_set(matching.unmatched, "desk")] == [other]


def of_result(path: Path) -> Path:
    return write(path, result(case_result("greeting", invocation(), session_details={"app_name": "trip"})))


def of_set(path: Path) -> Path:
    made = eval_set(invocation())
    made["eval_cases"][0]["session_input"] = {"app_name": "trip", "user_id": "user"}
    return write(path, made)


def of_sessions(path: Path) -> Path:
    return write_sqlite(path, session("one", *exchange("e1", "hi", "Hello"), app="trip"))


@pytest.mark.parametrize("make", [of_result, of_set, of_sessions])
@pytest.mark.parametrize("for_cases", [False, True])
def test_results_sets_and_sessions_name_the_app(tmp_path: Path, make: Callable[[Path], Path], for_cases: bool) -> None:
    (found,) = open_recording(make(tmp_path / "r"), for_cases=for_cases).conversations
    assert found.agent_names == AgentNames("trip")


def exported(service: str, trace: int, name: str) -> dict[str, Any]:
    outer = agent({"gen_ai.agent.name": name, "gen_ai.conversation.id": "c"}, trace=trace)
    inner = chat([user("question")], [assistant("answer")], within=outer)
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": service}}]}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": [outer, inner]}]}]}


def test_traces_name_the_service_and_all_agents() -> None:
    (found,) = read(exported("trips", 1, "planner"), exported("trips", 2, "packer"), multi_turn=True)
    assert found.agent_names == traced("trips", "planner", "packer")


@pytest.mark.parametrize("service", ["unknown_service", "unknown_service:python"])
def test_a_service_without_a_name_tells_nothing(service: str) -> None:
    (found,) = read(exported(service, 1, "planner"))
    assert found.agent_names == traced(None, "planner")


def test_a_case_names_the_app_of_its_session() -> None:
    assert read_case(b'{"session_input": {"app_name": "trip"}}', 0).app_name == "trip"
    assert read_case(b'{"sessionInput": {"appName": "trip"}}', 0).app_name == "trip"
    for other in (b'{"session_input": {"app_name": 5}}', b'{"session_input": []}', b"{}", b"["):
        assert read_case(other, 0).app_name is None

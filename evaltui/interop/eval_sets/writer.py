"""Eval sets of google-adk, written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.interop.eval_sets.reader import (
    CASE_MEMBERS,
    CHANGES_OF_EVENTS,
    SET_MEMBERS,
    read_eval_set,
    read_scenarios,
)
from evaltui.interop.fields import HELD, Holding, SetField, SourceFields
from evaltui.interop.format_type import FormatType, OutputDocument, TargetReader, WriteOptions
from evaltui.interop.genai_contents import (
    bare_content_tree,
    call_tree,
    content_tree,
    fair_members,
    model_tree,
    own_members,
    part_tree,
    response_tree,
)
from evaltui.interop.output_tree import (
    Invented,
    LeftOutItem,
    Made,
    OwnKey,
    Tree,
    Value,
    missing,
    remade,
    sources_of,
    text_in,
    value_of,
)
from evaltui.interop.portable_set import (
    CallPart,
    PortableAgent,
    PortableCase,
    PortableContent,
    PortableEvent,
    PortableRubric,
    PortableScenario,
    PortableSession,
    PortableSet,
    PortableTurn,
    ResponsePart,
    Shape,
)
from evaltui.interop.unread_content import turns_tree, user_tree

if TYPE_CHECKING:
    from evaltui.evalset.schema.eval_case import EvalSet

CALLS_BESIDE = "the turn also has tool calls or tool responses"
DEFAULT_AUTHOR = "agent"
"""The author of calls without an author in the source (as in google-adk's conversions and agents-cli's migration)."""


def natural_shape(turn: PortableTurn) -> Shape:
    """Lists if they hold everything, else events.

    Lists have no authors of calls, no token counts, no order between texts and calls.
    """
    return "tool_uses" if _fits_lists(turn.events) else "events"


def shape_to_write(turn: PortableTurn) -> Shape:
    """The shape of the source, else the natural shape."""
    if turn.shape is None and turn.no_calls is not None and _has_only_texts(turn.events):
        return "tool_uses"  # events cannot say that no call is expected
    return turn.shape or natural_shape(turn)


def _has_only_texts(events: list[PortableEvent]) -> bool:
    return all(
        event.content is not None
        and not event.others
        and event.content.role is None
        and not any(isinstance(part, CallPart | ResponsePart) for part in event.content.parts)
        for event in events
    )


def no_calls_tree(turn: PortableTurn) -> Tree:
    """The empty list of calls that says that a turn has none."""
    return remade(turn.no_calls, []) if turn.no_calls is not None else []


def calls_tree(turn: PortableTurn, calls: list[Tree]) -> Tree:
    """The list of calls of a turn. Beside calls, a value that expects none is lost."""
    if not calls:
        return no_calls_tree(turn)
    return [*calls, *([LeftOutItem(turn.no_calls, CALLS_BESIDE)] if turn.no_calls is not None else [])]


def _fits_lists(events: list[PortableEvent]) -> bool:
    called = False
    for event in events:
        if event.content is None or event.content.role is not None or event.others:
            return False
        parts = event.content.parts
        of_tools = sum(isinstance(part, CallPart | ResponsePart) for part in parts)
        if not parts or of_tools not in (0, len(parts)):
            return False
        if not of_tools:
            if called or event.author is None or event.is_of_user:
                return False
            continue
        called = True
        has_more = any(isinstance(part, CallPart | ResponsePart) and part.part_others for part in parts)
        if has_more or (event.author is not None and text_in(event.author) != DEFAULT_AUTHOR):
            return False
    return True


_TWO = (
    "a case in google-adk has turns or a scenario, not both. evaltui keeps the scenario as user_scenario, which "
    "google-adk ignores"
)
_OTHER_MEANING = "a field with this name has another meaning in google-adk, so evaltui leaves it out"
_APART = "Move the scenario to a separate case."
_EXTRA = "kept as an extra field of the case, which google-adk ignores"


def write_eval_set(portable: PortableSet, options: WriteOptions) -> Sequence[OutputDocument]:
    """The set as one document, with members in the order of google-adk's models."""
    set_id = portable.id if portable.id is not None else options.name
    tree = _given(
        {
            "eval_set_id": _set_id(portable, set_id),
            "name": portable.name,
            "description": portable.description,
            **own_members(fair_members(portable.others, SET_MEMBERS, portable.fields, _OTHER_MEANING)),
            "eval_cases": [_case(case, number, portable.fields) for number, case in enumerate(portable.cases, 1)],
            "creation_timestamp": portable.time,
        }
    )
    return [OutputDocument({OwnKey(name): value for name, value in tree.items()})]


def _set_id(portable: PortableSet, set_id: object) -> Tree:
    if not isinstance(set_id, str):
        return portable.id
    return Invented(set_id, portable.root, "/eval_set_id", f"{missing('google-adk')}. evaltui uses the file name")


def _case(case: PortableCase, number: int, fields: SourceFields) -> Tree:
    members: dict[str, Tree] = {"eval_id": case.id}
    if case.id is None:
        members["eval_id"] = _required(f"case_{number}", case.node, "eval_id")
    if case.turns or case.scenario is None:
        turns: list[Tree] = [_turn(turn) for turn in case.turns or ()]
        members["conversation"] = turns_tree(case, turns, fields, "google-adk")
        members["user_scenario"] = _second_scenario(case.scenario) if case.scenario is not None else None
    else:
        members["conversation_scenario"] = _scenario(case.scenario)
    members["session_input"] = _session(case.session) if case.session is not None else None
    members["creation_timestamp"] = case.time
    members["rubrics"] = _rubrics(case.rubrics) or None
    members["final_session_state"] = case.final_state
    others = fair_members(case.others, CASE_MEMBERS, fields, _OTHER_MEANING)
    return {**_given(members), **_extras(case), **own_members(others)}


def _extras(case: PortableCase) -> dict[str, Tree]:
    """Fields that google-adk does not know, under their own keys: `EvalCase` accepts extra fields and ignores them."""
    texts = {"name": case.name, "description": case.description}
    extras: dict[str, Tree] = {OwnKey(name): _extra(each) for name, each in texts.items() if each is not None}
    if case.tags:
        extras[OwnKey("tags")] = [_extra(each) for each in case.tags]
    return extras


def _extra(value: Value) -> Made:
    return remade(value, value_of(value), "changed", _EXTRA)


def _turn(turn: PortableTurn) -> Tree:
    return _given(
        {
            "invocation_id": turn.id,
            "user_content": user_tree(turn, _content(turn.user, "user"), "google-adk"),
            "final_response": _content(turn.final, "model") if turn.final is not None else None,
            "intermediate_data": _data(turn),
            "creation_timestamp": turn.time,
            **turn.durations,
            "rubrics": _rubrics(turn.rubrics) or None,
            "app_details": {"agent_details": dict(map(_agent, turn.agents))} if turn.agents else None,
        }
    )


def _content(content: PortableContent, role: str) -> Tree:
    return bare_content_tree(content) if content.lacks_role else content_tree(content, role)


def _data(turn: PortableTurn) -> Tree:
    if not turn.events:
        is_list = turn.expects_no_calls and turn.shape != "events"
        return {"tool_uses": no_calls_tree(turn)} if is_list else _empty_data(turn)
    if shape_to_write(turn) == "events":
        beside = [LeftOutItem(turn.no_calls, CALLS_BESIDE)] if turn.no_calls is not None else []
        return {"invocation_events": [*(_event(each) for each in turn.events), *beside]}
    listed = [event for event in turn.events if not event.keeps_calls]
    parts = list(chain.from_iterable(event.content.parts for event in listed if event.content is not None))
    lists: dict[str, Tree] = {
        "tool_uses": calls_tree(turn, [call_tree(part) for part in parts if isinstance(part, CallPart)]),
        "tool_responses": [response_tree(part) for part in parts if isinstance(part, ResponsePart)],
        "intermediate_responses": [each for event in turn.events for each in _texts(event)],
    }
    expected = ("tool_uses",) if turn.expects_no_calls else ()
    return {name: listed for name, listed in lists.items() if listed or name in expected}


def _empty_data(turn: PortableTurn) -> Tree:
    """Data without anything in it, as google-adk writes it for a turn without calls."""
    if turn.shape in (None, "absent"):
        return None
    return {"invocation_events": []} if turn.shape == "events" else {}


def _texts(event: PortableEvent) -> list[Tree]:
    """The parts of an event that are not in a list of calls, as an intermediate response; empty if there are none."""
    if event.content is None:
        return []
    parts = [
        part_tree(part)
        for part in event.content.parts
        if event.keeps_calls or not isinstance(part, CallPart | ResponsePart)
    ]
    if event.content.parts and not parts:
        return []
    return [[event.author if event.author is not None else DEFAULT_AUTHOR, parts]]


def _event(event: PortableEvent) -> Tree:
    author = event.author if event.author is not None else DEFAULT_AUTHOR
    role = "user" if event.is_of_user else "model"
    content = _content(event.content, role) if event.content is not None else None
    others: dict[str, Tree] = {
        name: model_tree(each) for name, each in event.others.items() if name not in CHANGES_OF_EVENTS
    }
    return _given({"author": author, "content": content, **others})


def _scenario(scenario: PortableScenario) -> Tree:
    members = {"starting_prompt": scenario.prompt, "conversation_plan": scenario.plan}
    needed = {name: each if each is not None else _required("", scenario.node, name) for name, each in members.items()}
    return _given({**needed, "user_persona": scenario.persona})


def _second_scenario(scenario: PortableScenario) -> Tree:
    """A scenario beside a conversation, under the name that EvaluationDataset has for it."""
    members = {
        "starting_prompt": scenario.prompt,
        "conversation_plan": scenario.plan,
        "user_persona": scenario.persona,
    }
    return {
        name: Made(value_of(each), sources_of(each), "changed", _TWO, _APART)
        for name, each in members.items()
        if each is not None
    }


def _session(session: PortableSession) -> Tree:
    state: dict[str, Tree] = {OwnKey(name): value for name, value in session.state.items()}
    members = _given({"app_name": session.app_name, "user_id": session.user_id, "state": state or None})
    for name in ("app_name", "user_id"):
        if name not in members:
            members[name] = _required("", session.node, name)
    return {**members, **own_members(session.others)}


def _rubrics(rubrics: list[PortableRubric]) -> list[Tree]:
    return [_rubric(each, number) for number, each in enumerate(rubrics, 1)]


def _rubric(rubric: PortableRubric, number: int) -> Tree:
    content = {"text_property": rubric.text} if rubric.text is not None else {}
    rubric_id = rubric.id if rubric.id is not None else _required(f"rubric_{number}", rubric.node, "rubric_id")
    members: dict[str, Tree] = {"rubric_id": rubric_id, "rubric_content": content}
    return _given({**members, "description": rubric.description, "type": rubric.type})


def _agent(agent: PortableAgent) -> tuple[OwnKey, Tree]:
    tree = {"name": agent.name, "instructions": agent.instruction, "tool_declarations": agent.tools}
    return OwnKey(agent.key or text_in(agent.name)), _given(tree)


def _required(value: str, at: Node, name: str) -> Invented:
    return Invented(value, at, f"/{name}", missing("google-adk"))


def _given(members: Mapping[str, Tree]) -> dict[str, Tree]:
    """The members that there are."""
    return {name: value for name, value in members.items() if value is not None}


def eval_set_notes(portable: PortableSet) -> Iterator[str]:
    """A sentence about the cases that state no tool calls. In an eval set, a turn without calls expects none."""
    last = [case.turns[-1] for case in portable.cases if case.turns]
    if count := sum(1 for turn in last if not turn.events and not turn.expects_no_calls and turn.shape is None):
        cases = "1 case states" if count == 1 else f"{count:,} cases state"
        yield f"{cases} no tool calls for the last turn, so the written turn expects that no tool is called."


_HOLDINGS = {
    **dict.fromkeys(SetField, HELD),
    SetField.SET_OTHER: Holding("changed", "kept as an extra field of the set, which google-adk ignores"),
    SetField.CASE_OTHER: Holding("changed", _EXTRA),
    SetField.CASE_NAME: Holding("changed", _EXTRA),
    SetField.CASE_DESCRIPTION: Holding("changed", _EXTRA),
    SetField.CASE_TAGS: Holding("changed", _EXTRA),
    SetField.RUBRIC_DETAILS: Holding(
        "no_place", "rubrics in google-adk have only an id, a text, a description and a type"
    ),
    SetField.SCENARIO_TITLE: Holding("no_place", "scenarios in google-adk have no title"),
    SetField.SCENARIO_OTHER: Holding("no_place", "scenarios in google-adk have only a prompt, a plan and a persona"),
    SetField.TURN_OTHER: Holding("no_place", "google-adk rejects turns with unknown fields"),
    SetField.EVENT_TIME: Holding(
        "changed", "ids and times become extra fields of events, which google-adk ignores; a response cannot keep them"
    ),
    SetField.STATE_CHANGES: Holding(
        "no_place", "google-adk has session state only at the start and at the end of a case"
    ),
    SetField.AGENT_DETAILS: Holding("no_place", "agents in app_details have only a name, instructions and tools"),
    SetField.SYSTEM_INSTRUCTION: Holding("no_place", "in google-adk, instructions belong to the agent's code"),
    SetField.RECORDED: Holding(
        "no_place",
        "an eval set contains expected responses, not recorded ones",
        "Keep the source and use it as a recording: `evaltui run SET -r SOURCE`.",
    ),
    SetField.ARGUMENT_RULES: Holding(
        "no_place",
        "google-adk compares all arguments exactly, or no arguments with ignore_args",
        "If arguments vary, set ignore_args in the config.",
    ),
    SetField.EXPECTATION_OPTIONS: Holding("no_place", "expectations in google-adk have no notes, skips or thresholds"),
    SetField.CRITERIA: Holding("no_place", "google-adk has rubrics with texts, but no criteria with resource names"),
}


def _model() -> type[EvalSet]:
    from evaltui.evalset.schema.eval_case import EvalSet  # noqa: PLC0415 - loading it takes 0.1 s

    return EvalSet


GOOGLE_ADK = TargetReader("google-adk", _model)
"""google-adk as the reader of an eval set."""
EVAL_SET = FormatType(
    source_word="evalset",
    option="evalset",
    title="google-adk's EvalSet",
    ending=".evalset.json",
    holdings=_HOLDINGS,
    read=read_eval_set,
    write=write_eval_set,
    notes=eval_set_notes,
    keeps_extras=True,
    reader=GOOGLE_ADK,
    takes_camel=True,
)
SCENARIOS = FormatType(
    source_word="scenarios",
    option="",
    title="the scenarios file of `adk eval_set add_eval_case`",
    ending=".json",
    holdings=_HOLDINGS,
    read=read_scenarios,
)

"""Eval sets of google-adk, written, and what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaltui.interop.eval_sets.reader import CASE_MEMBERS, CHANGES_OF_EVENTS, SET_MEMBERS, EvalSetReader, read_scenarios
from evaltui.interop.fields import HELD, Reason, SetField, SourceFields, changed, no_place
from evaltui.interop.genai_contents import call_tree, content_tree, fair_members, model_tree, part_tree, response_tree
from evaltui.interop.output_tree import (
    OwnKey,
    Tree,
    Value,
    present,
    remade,
    required,
    text_in,
    with_default,
    with_own_keys,
    with_reason,
)
from evaltui.interop.portable_set import (
    CallPart,
    FormatType,
    Part,
    PortableCase,
    PortableContent,
    PortableEvent,
    PortableRubric,
    PortableScenario,
    PortableSet,
    PortableTurn,
    ResponsePart,
    Shape,
)

DEFAULT_AUTHOR = "agent"
"""The author of calls without an author in the source (as in google-adk's conversions and agents-cli's migration)."""
_READER = "google-adk"
_FILE_NAME = ". evaltui uses the file name"
_TWO = changed(
    "a case in google-adk has turns or a scenario, not both. evaltui keeps the scenario as user_scenario, which "
    "google-adk ignores",
    "Move the scenario to a separate case.",
)
_OTHER_MEANING = "a field with this name has another meaning in google-adk, so evaltui leaves it out"
_EXTRA = changed("kept as an extra field of the case, which google-adk ignores")
RECORDED = no_place(
    "an eval set contains expected responses, not recorded ones",
    "Keep the source and use it as a recording: `evaltui run SET -r SOURCE`.",
)
_CALLS_BESIDE = no_place("the turn also has tool calls or tool responses")


def write_eval_set(portable: PortableSet) -> list[Tree]:
    """The set as one document, with members in the order of google-adk's models."""
    tree = present(
        {
            "eval_set_id": set_id_tree(portable, _READER),
            "name": portable.name,
            "description": portable.description,
            **with_own_keys(fair_members(portable.extras, SET_MEMBERS, portable.fields, _OTHER_MEANING)),
            "eval_cases": [_case(case, number, portable.fields) for number, case in enumerate(portable.cases, 1)],
            "creation_timestamp": portable.time,
        }
    )
    # google-adk reads the keys of the set itself in snake_case only.
    return [with_own_keys(tree)]


def set_id_tree(portable: PortableSet, reader: str) -> Tree:
    """The id of a set, which `reader` requires."""
    if not isinstance(portable.id, str):
        return portable.id
    return required(portable.id, portable.root, "eval_set_id", reader, more=_FILE_NAME)


def _case(case: PortableCase, number: int, fields: SourceFields) -> Tree:
    members: dict[str, Tree] = {"eval_id": with_default(case.id, f"case_{number}", case.node, "eval_id", _READER)}
    if case.turns or case.scenario is None:
        turns: list[Tree] = [_turn(turn, fields) for turn in case.turns or ()]
        members["conversation"] = case.turns_tree(turns, fields, _READER)
        if case.scenario is not None:
            # An EvaluationDataset has this name for a scenario beside a conversation.
            members["user_scenario"] = {
                name: with_reason(value, _TWO) for name, value in _scenario_members(case.scenario).items()
            }
    else:
        needed = ("starting_prompt", "conversation_plan")
        texts = {name: required("", case.scenario.node, name, _READER) for name in needed}
        members["conversation_scenario"] = {**texts, **_scenario_members(case.scenario)}
    members["session_input"] = session_tree(case)
    members["creation_timestamp"] = case.time
    members["rubrics"] = _rubrics(case.rubrics) or None
    members["final_session_state"] = case.final_state
    # `EvalCase` accepts extra fields, and google-adk ignores them.
    extras = fair_members(case.extras, CASE_MEMBERS, fields, _OTHER_MEANING)
    return {**present(members), **with_own_keys({**texts_of_case(case, _EXTRA), **extras})}


def texts_of_case(case: PortableCase, reason: Reason) -> dict[str, Tree]:
    """The name, the description and the tags of a case, which are reported for a `reason`."""
    texts = {"name": case.name, "description": case.description}
    tree: dict[str, Tree] = {name: with_reason(text, reason) for name, text in texts.items() if text is not None}
    return {**tree, "tags": [with_reason(tag, reason) for tag in case.tags]} if case.tags else tree


def _scenario_members(scenario: PortableScenario) -> dict[str, Value]:
    members = {"starting_prompt": scenario.prompt, "conversation_plan": scenario.plan, "user_persona": scenario.persona}
    return {name: value for name, value in members.items() if value is not None}


def session_tree(case: PortableCase, *, with_extras: bool = True) -> dict[str, Tree] | None:
    """The session at the start of a case, with the members that google-adk requires; None without one."""
    if case.session is None:
        return None
    members: dict[str, Tree] = {"app_name": case.app_name, "user_id": case.user_id}
    tree = present({**members, "state": with_own_keys(case.state) or None})
    for name in members:
        tree.setdefault(name, required("", case.session, name, _READER))
    return {**tree, **with_own_keys(case.session_extras)} if with_extras else tree


def _rubrics(rubrics: list[PortableRubric]) -> list[Tree]:
    trees: list[Tree] = []
    for number, rubric in enumerate(rubrics, 1):
        rubric_id = with_default(rubric.id, f"rubric_{number}", rubric.node, "rubric_id", _READER)
        content = {"text_property": rubric.text} if rubric.text is not None else {}
        members: dict[str, Tree] = {"rubric_id": rubric_id, "rubric_content": content}
        trees.append(present({**members, "description": rubric.description, "type": rubric.type}))
    return trees


def _turn(turn: PortableTurn, fields: SourceFields) -> Tree:
    agents: dict[str, Tree] = {}
    for agent in turn.agents:
        tree = {"name": agent.name, "instructions": agent.instruction, "tool_declarations": agent.tools}
        agents[OwnKey(agent.key or text_in(agent.name))] = present(tree)
    return present(
        {
            "invocation_id": turn.id,
            "user_content": turn.user_tree(_content(turn.user, "user"), _READER),
            "final_response": _content(turn.final, "model") if turn.final is not None else None,
            "intermediate_data": _data(turn, fields),
            "creation_timestamp": turn.time,
            **turn.durations,
            "rubrics": _rubrics(turn.rubrics) or None,
            "app_details": {"agent_details": agents} if agents else None,
        }
    )


def _content(content: PortableContent, role: str) -> Tree:
    return content_tree(content, None if content.lacks_role else role)


# --- intermediate data: lists of tool calls and tool responses, or events ------------------------------------------


def _data(turn: PortableTurn, fields: SourceFields) -> Tree:
    if not turn.events:
        if turn.expects_no_calls and turn.shape != "events":
            return {"tool_uses": no_calls_tree(turn)}
        # google-adk itself writes data without anything in it for a turn without calls.
        return {"events": {"invocation_events": []}, "tool_uses": {}}.get(turn.shape or "absent")
    shape = turn.shape or natural_shape(turn.events)
    contents = [None if event.extras else event.content for event in turn.events]
    if (
        turn.shape is None
        and turn.no_calls is not None
        and all(content is not None and content.role is None and not content.tool_parts for content in contents)
    ):
        shape = "tool_uses"  # events cannot say that no call is expected
    if shape == "events":
        if turn.no_calls is not None:
            fields.leave_out(turn.no_calls, _CALLS_BESIDE)
        events: list[Tree] = []
        for event in turn.events:
            message = event.content
            content = _content(message, "user" if event.is_of_user else "model") if message is not None else None
            extras = {name: model_tree(value) for name, value in event.extras.items() if name not in CHANGES_OF_EVENTS}
            events.append(present({"author": author_of(event), "content": content, **extras}))
        return {"invocation_events": events}
    parts = listed_parts(turn)
    lists: dict[str, Tree] = {
        "tool_uses": calls_tree(turn, [call_tree(part) for part in parts if isinstance(part, CallPart)], fields),
        "tool_responses": [response_tree(part) for part in parts if isinstance(part, ResponsePart)],
        "intermediate_responses": [
            [author_of(event), texts]
            for event in turn.events
            if (texts := unlisted_parts(event)) or (event.content is not None and not event.parts)
        ],
    }
    # An empty list of calls says that none is expected, other empty lists say nothing.
    needed = ("tool_uses",) if turn.expects_no_calls else ()
    return {name: items for name, items in lists.items() if items or name in needed}


def natural_shape(events: Sequence[PortableEvent]) -> Shape:
    """Lists if they hold everything, else events."""
    has_calls = False
    for event in events:
        parts, tool_parts = event.parts, event.content.tool_parts if event.content is not None else []
        # Lists have no token counts, and an item of them is a call, a response or words, not a mix of them.
        if not parts or event.extras or len(tool_parts) not in (0, len(parts)):
            return "events"
        if event.content is not None and event.content.role is not None:
            return "events"
        # Lists have no order between texts and calls, and every text has an author.
        if not tool_parts and (has_calls or event.author is None or event.is_of_user):
            return "events"
        has_calls = has_calls or bool(tool_parts)
        # Calls in lists have no author.
        is_named = event.author is not None and text_in(event.author) != DEFAULT_AUTHOR
        if tool_parts and (is_named or any(part.part_extras for part in tool_parts)):
            return "events"
    return "tool_uses"


def listed_parts(turn: PortableTurn) -> list[Part]:
    """The parts of messages that may go to lists of calls and responses."""
    return [part for event in turn.events if not event.keeps_calls for part in event.parts]


def no_calls_tree(turn: PortableTurn) -> Tree:
    """The empty list of calls that says that a turn has none."""
    return remade(turn.no_calls, []) if turn.no_calls is not None else []


def calls_tree(turn: PortableTurn, calls: list[Tree], fields: SourceFields) -> Tree:
    """The list of calls of a turn. Beside calls, a value that expects none is lost."""
    if not calls:
        return no_calls_tree(turn)
    if turn.no_calls is not None:
        fields.leave_out(turn.no_calls, _CALLS_BESIDE)
    return calls


def unlisted_parts(event: PortableEvent) -> list[Tree]:
    """The parts of an event that are not in a list of calls."""
    parts = [part for part in event.parts if event.keeps_calls or not isinstance(part, CallPart | ResponsePart)]
    return [*map(part_tree, parts)]


def author_of(event: PortableEvent) -> Value | str:
    """The author of an event, or the default for an event that has none."""
    return event.author if event.author is not None else DEFAULT_AUTHOR


# --- the formats ---------------------------------------------------------------------------------------------------


def eval_set_notes(portable: PortableSet) -> Iterator[str]:
    """A sentence about the cases that state no tool calls. In an eval set, a turn without calls expects none."""
    turns = [case.turns[-1] for case in portable.cases if case.turns]
    if count := sum(1 for turn in turns if not turn.events and not turn.expects_no_calls and turn.shape is None):
        cases = "1 case states" if count == 1 else f"{count:,} cases state"
        yield f"{cases} no tool calls for the last turn, so the written turn expects that no tool is called."


_HOLDINGS = {
    **dict.fromkeys(SetField, HELD),
    SetField.SET_OTHER: changed("kept as an extra field of the set, which google-adk ignores"),
    **dict.fromkeys((SetField.CASE_NAME, SetField.CASE_DESCRIPTION, SetField.CASE_TAGS, SetField.CASE_OTHER), _EXTRA),
    SetField.RUBRIC_DETAILS: no_place("rubrics in google-adk have only an id, a text, a description and a type"),
    SetField.SCENARIO_TITLE: no_place("scenarios in google-adk have no title"),
    SetField.SCENARIO_OTHER: no_place("scenarios in google-adk have only a prompt, a plan and a persona"),
    SetField.TURN_OTHER: no_place("google-adk rejects turns with unknown fields"),
    SetField.EVENT_TIME: changed(
        "ids and times become extra fields of events, which google-adk ignores; a response cannot keep them"
    ),
    SetField.STATE_CHANGES: no_place("google-adk has session state only at the start and at the end of a case"),
    SetField.AGENT_DETAILS: no_place("agents in app_details have only a name, instructions and tools"),
    SetField.SYSTEM_INSTRUCTION: no_place("in google-adk, instructions belong to the agent's code"),
    SetField.RECORDED: RECORDED,
    SetField.ARGUMENT_RULES: no_place(
        "google-adk compares all arguments exactly, or no arguments with ignore_args",
        "If arguments vary, set ignore_args in the config.",
    ),
    SetField.EXPECTATION_OPTIONS: no_place("expectations in google-adk have no notes, skips or thresholds"),
    SetField.CRITERIA: no_place("google-adk has rubrics with texts, but no criteria with resource names"),
}
EVAL_SET = FormatType(
    source_word="evalset",
    option="evalset",
    title="google-adk's EvalSet",
    ending=".evalset.json",
    holdings=_HOLDINGS,
    read=EvalSetReader.read_set,
    write=write_eval_set,
    notes=eval_set_notes,
    keeps_extras=True,
    reader="google-adk",
    takes_camel=True,
)
SCENARIOS = FormatType(
    source_word="scenarios",
    title="the scenarios file of `adk eval_set add_eval_case`",
    ending=".json",
    read=read_scenarios,
)

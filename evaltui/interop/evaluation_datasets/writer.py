"""EvaluationDatasets that agents-cli 1.11.0 can generate from (`split_case_history`), written, and what they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from evaltui.document.node import Node
from evaltui.evalset.keys import filled
from evaltui.interop.eval_sets.reader import CASE_MEMBERS as ADK_MEMBERS
from evaltui.interop.eval_sets.reader import CHANGES_OF_EVENTS, TIMES_OF_EVENTS
from evaltui.interop.eval_sets.writer import DEFAULT_AUTHOR, author_of, natural_shape, no_calls_tree, texts_of_case
from evaltui.interop.evaluation_datasets.agents_and_rubrics import (
    NO_DESCRIPTION,
    OF_THE_CASE,
    agents_tree,
    rubric_groups,
)
from evaltui.interop.evaluation_datasets.kept_details import (
    AUTHOR_OF_USERS,
    EXTRA,
    KEPT_FINAL,
    KEPT_GROUP,
    KEPT_NO_CALLS,
    KEPT_SHAPE,
    KNOWN_MEMBERS,
    SET_MEMBERS,
    TURN_DETAILS,
    UNNAMED_AUTHORS,
    UNREAD_DETAIL,
)
from evaltui.interop.fields import HELD, Reason, SetField, SourceFields, changed, no_place
from evaltui.interop.genai_contents import content_tree, fair_members, model_tree, part_tree
from evaltui.interop.output_tree import (
    Made,
    Tree,
    Value,
    plain_value,
    present,
    remade,
    text_in,
    value_of,
    with_own_keys,
    with_reason,
)
from evaltui.interop.portable_set import FormatType, PortableCase, PortableEvent, PortableSet, PortableTurn

_NO_MESSAGES = changed(
    "`agents-cli eval generate` rejects a file if a case has neither prompt nor agent_data",
    "Add a turn, or delete the case.",
)
_ONLY_A_SCENARIO = changed(
    "kept in user_scenario, but `agents-cli eval generate` rejects a file with a case that has only a scenario",
    "Move scenarios to a separate file, and run them with agentplatform's run_inference.",
)
_STATE = changed(
    "a case without turns has no event that sets state, so evaltui keeps the state in session_input, which "
    "agentplatform ignores"
)
_OTHER_MEANING = "a field with this name has another meaning in a dataset, so evaltui leaves it out"
_TURNS = ("conversation", "golden", "data", "turns")
"""Keys of formats for the turns of a case."""
_OWN = KNOWN_MEMBERS | (set(ADK_MEMBERS) - {"eval_id"})
_SCENARIO_ONLY = no_place("scenarios in a dataset have only a prompt, a plan and a title")
_ENVELOPE = no_place("an EvaluationDataset contains only eval_cases")
_HOLDINGS = {
    **dict.fromkeys(SetField, HELD),
    **dict.fromkeys((SetField.SET_ID, SetField.SET_NAME, SetField.SET_DESCRIPTION), _ENVELOPE),
    **dict.fromkeys((SetField.SET_TIME, SetField.SET_OTHER), _ENVELOPE),
    **dict.fromkeys((SetField.CASE_NAME, SetField.CASE_DESCRIPTION, SetField.CASE_TAGS, SetField.CASE_OTHER), EXTRA),
    SetField.FINAL_STATE: EXTRA,
    SetField.RUBRIC_DESCRIPTION: NO_DESCRIPTION,
    SetField.TURN_RUBRICS: OF_THE_CASE._replace(advice=""),
    SetField.SCENARIO_PROMPT: changed("`agents-cli eval generate` rejects a file with a case that has only a scenario"),
    **dict.fromkeys((SetField.SCENARIO_PERSONA, SetField.SCENARIO_OTHER), _SCENARIO_ONLY),
    SetField.TURN_OTHER: UNREAD_DETAIL,
    SetField.EVENT_TIME: changed("events in agent_data have a time, but no id"),
    SetField.EVENT_OTHER: no_place("events in a dataset have only an author, a content, a time and state changes"),
    SetField.RECORDED: Reason(
        text="a dataset keeps only the recorded response, not the turns and tool calls before it"
    ),
    SetField.ARGUMENT_RULES: no_place("a dataset has no comparison rules for arguments"),
    SetField.EXPECTATION_OPTIONS: no_place("expectations in a dataset have no notes, skips or thresholds"),
    SetField.CRITERIA: no_place("a dataset has rubrics with texts, but no criteria with resource names"),
}


def write_dataset(portable: PortableSet) -> list[Tree]:
    """The set as one document, in snake_case, which agents-cli requires."""
    own = {name: model_tree(value) for name, value in portable.extras.items() if name in SET_MEMBERS}
    return [{"eval_cases": [_case(case, portable.fields) for case in portable.cases], **own}]


def _case(case: PortableCase, fields: SourceFields) -> Tree:
    turns = case.turns or []
    # A case that evaltui finds no turns in may still have a list of them.
    if not turns and case.scenario is None:
        empty = next((value for name in _TURNS if (value := filled(case.node, name)) is not None), None)
        if empty is not None:
            fields.remarks[empty] = _NO_MESSAGES
    rubrics, groups = rubric_groups(case, fields)
    is_prompt = fits_a_prompt(case)
    ids = Counter(text_in(turn.id) for turn in turns)
    details: list[dict[str, Tree]] = []
    for turn, group in zip(turns, groups, strict=True):
        tree, turn_id = _details_tree(turn, group, is_last=turn is turns[-1], has_id=not is_prompt), text_in(turn.id)
        # An object names its turn, unless two turns share the id. A prompt has no turn id to find it by.
        names_turn = bool(tree and turn_id) and ids[turn_id] == 1 and not is_prompt
        details.append({"turn_id": turn_id, **tree} if names_turn else tree)
    expected: dict[str, Tree] = {}
    if turns:
        last = turns[-1]
        events: Tree = [_event(event, is_in_turn=False) for event in last.events]
        if not events:
            # A turn of an eval set without calls expects none. Only a dataset or CX Agent Studio may leave that open.
            events = no_calls_tree(last) if last.expects_no_calls or last.shape is not None else None
        reference = {"response": content_tree(last.final, "model")} if last.final is not None else None
        expected = {"intermediate_events": events, "reference": reference}
    final_state: Tree = None
    if case.final_state is not None and value_of(case.final_state):
        final_state = with_reason(case.final_state, EXTRA)
    members: dict[str, Tree] = {
        "eval_case_id": case.id,
        **texts_of_case(case, EXTRA),
        "system_instruction": _content(case.system_instruction, "system"),
        **_conversation(case, fields, is_prompt=is_prompt),
        **expected,
        "responses": [{"response": _content(response, "model")} for response in case.recorded] or None,
        "user_scenario": _scenario(case),
        **rubrics,
        "session_input": _session(case),
        "creation_timestamp": case.time,
        "final_session_state": final_state,
        TURN_DETAILS: details if any(details) else None,  # empty objects keep the positions
    }
    return {**present(members), **with_own_keys(fair_members(case.extras, _OWN, fields, _OTHER_MEANING))}


def fits_a_prompt(case: PortableCase) -> bool:
    """Whether a prompt holds the whole conversation: it has one turn, and no state before it."""
    turns = case.turns or []
    # State needs an event before the message, and a prompt has no events, no state change and no time.
    is_plain = len(turns) == 1 and not case.state and _event_time(turns[0]) is None
    return is_plain and not any(name in turns[0].extras for name in CHANGES_OF_EVENTS)


def _conversation(case: PortableCase, fields: SourceFields, *, is_prompt: bool) -> dict[str, Tree]:
    """A prompt, or turns with all their events up to the last user message, and the agents of the case."""
    turns = case.turns or []
    if turns and not is_prompt:
        trees: list[Tree] = []
        names: list[str] = []
        for number, turn in enumerate(turns):
            changes = {name: value for name, value in turn.extras.items() if name in CHANGES_OF_EVENTS}
            content = content_tree(turn.user, "user")
            user = {"author": AUTHOR_OF_USERS, "content": content, "event_time": _event_time(turn), **changes}
            # agents-cli seeds the state of a new session before the first message.
            state: Tree = {"author": AUTHOR_OF_USERS, "state_delta": with_own_keys(case.state)}
            events = [*([state] if case.state and not number else []), present(user)]
            # The last turn ends with the user message, for which agents-cli gets a response.
            if turn is turns[-1]:
                names += [author for event in turn.events if (author := text_in(event.author))]
            else:
                answers = _all_events(turn)
                events += [_event(event, is_in_turn=True) for event in answers]
                authors = (_author(event, is_in_turn=True) for event in answers)
                names += [author if isinstance(author, str) else text_in(author) for author in authors]
            trees.append(present({"turn_index": number, "turn_id": turn.id, "events": events}))
        return {"agent_data": present({"agents": agents_tree(case, fields, names) or None, "turns": trees})}
    # agentplatform reads agent_data without turns as a finished run, so other agents go to agent_info.
    agents = agents_tree(case, fields)
    info: dict[str, Tree] = {"agent_info": {"agents": agents} if agents else None}
    if not turns:
        return info
    return {"prompt": turns[0].user_tree(content_tree(turns[0].user, "user"), "agents-cli"), **info}


def _scenario(case: PortableCase) -> Tree:
    if case.scenario is None:
        return None
    prompt = case.scenario.prompt
    if prompt is not None and not case.turns:  # beside turns, agents-cli accepts it
        prompt = with_reason(prompt, _ONLY_A_SCENARIO)
    plan, title = case.scenario.plan, case.scenario.title
    return present({"starting_prompt": prompt, "conversation_plan": plan, "test_case_title": title})


def _session(case: PortableCase) -> Tree:
    members: dict[str, Tree] = {"app_name": case.app_name, "user_id": case.user_id}
    if case.state and not case.turns:  # else an event sets the state
        state = {name: with_reason(value, _STATE) for name, value in case.state.items()}
        members["state"] = with_own_keys(state)
    return {**present(members), **with_own_keys(case.session_extras)} or None


def _content(value: Value | None, role: str) -> Tree:
    """A content. A text becomes a content, because agentplatform does not convert it."""
    if value is None or isinstance(value_of(value), dict):
        return value
    return {"role": role, "parts": [{"text": value}]}


# --- turns: as a prompt or as turns of agent_data, with their details in extra keys -----------------------------------

_NO_LISTS = changed(
    "a dataset has only one list of events, so tool calls in intermediate responses become ordinary tool calls"
)
_BEGINS_A_TURN = changed('agents-cli reads events by "user" as user messages, so evaltui writes the author "agent"')


def _details_tree(turn: PortableTurn, group: str, *, is_last: bool, has_id: bool) -> dict[str, Tree]:
    """Details of a turn that agentplatform does not know. `has_id` says that the turn itself holds its id."""
    no_calls: Tree = None
    if turn.expects_no_calls and (turn.events or not is_last):  # else an empty list of events expresses it
        no_calls = remade(turn.no_calls, True) if turn.no_calls is not None else True
    contents = [event.content for event in turn.events if event.content is not None]
    contents += [turn.final] if turn.final is not None else []
    # Whether the form of the last message shows a reader if it is the final response.
    is_plain = (bool(contents) and not contents[-1].tool_parts) == (turn.final is not None)
    shape = turn.shape if is_last or turn.shape != "absent" else None
    # Without a note, the turn is read from here with this shape all the same.
    if not turn.events and turn.expects_no_calls:
        shape = None
    elif turn.events:
        # A reader sees the events without the keys that have no place here.
        keys = {"event_id", "id", *TIMES_OF_EVENTS, *CHANGES_OF_EVENTS}
        events = [
            replace(event, extras={name: value for name, value in event.extras.items() if name in keys})
            for event in turn.events
        ]
        shape = shape if shape != natural_shape(events) else None
    members: dict[str, Tree] = {
        "turn_id": None,
        "invocation_id": None if has_id else turn.id,
        "creation_timestamp": turn.time if _event_time(turn) is None else None,
        **turn.durations,
        KEPT_SHAPE: shape,
        KEPT_NO_CALLS: no_calls,
        KEPT_FINAL: None if is_last or is_plain else turn.final is not None,
        KEPT_GROUP: group or None,
    }
    own = {name: value for name, value in turn.extras.items() if name not in (*members, *CHANGES_OF_EVENTS)}
    own_trees = with_own_keys({name: with_reason(value, UNREAD_DETAIL) for name, value in own.items()})
    return present({**members, **own_trees})


def _event_time(turn: PortableTurn) -> Node | None:
    """The time of a turn if the source has it as a text; None for a number, which is more exact."""
    if isinstance(turn.time, Made) and turn.time.sources[0].kind == "string":
        return turn.time.sources[0]
    return None


def _all_events(turn: PortableTurn) -> list[PortableEvent]:
    """The events of a turn, the last of them the final response if there is one."""
    if turn.final is None:
        return turn.events
    last = turn.events[-1] if turn.events else None
    # google-adk keeps the author of a final response in an empty event at the end.
    if last is not None and last.content is None and text_in(last.author) not in ("", *UNNAMED_AUTHORS):
        return [*turn.events[:-1], PortableEvent(turn.final, last.author, extras=last.extras)]
    return [*turn.events, PortableEvent(turn.final)]


def _event(event: PortableEvent, *, is_in_turn: bool) -> Tree:
    """An event of agent_data (`AgentEvent`), or of intermediate_events (`Event`)."""
    time = next((event.extras[name] for name in TIMES_OF_EVENTS if name in event.extras), None)
    content: Tree = None
    if event.content is not None:
        tree = content_tree(event.content, "user" if event.is_of_user else "model")
        # Beside words or a name, calls of an intermediate response show that they come from no list of calls.
        has_words = len(event.content.tool_parts) < len(event.parts)
        if event.keeps_calls and not has_words and text_in(event.author) in ("", DEFAULT_AUTHOR):
            tree["parts"] = [
                remade(part.node, plain_value(part_tree(part)), _NO_LISTS) for part in event.content.tool_parts
            ]
        content = tree
    members: dict[str, Tree] = {"author": _author(event, is_in_turn=is_in_turn), "content": content}
    if is_in_turn:
        changes = {name: model_tree(value) for name, value in event.extras.items() if name in CHANGES_OF_EVENTS}
        return present({**members, "event_time": time, **changes})
    event_id = event.extras.get("event_id", event.extras.get("id"))
    return present({"event_id": event_id, **members, "creation_timestamp": time})


def _author(event: PortableEvent, *, is_in_turn: bool) -> Value | str:
    is_message = is_in_turn and event.content is not None and not event.content.tool_parts
    if event.author is not None and is_message and text_in(event.author).lower() == AUTHOR_OF_USERS:
        return remade(event.author, DEFAULT_AUTHOR, _BEGINS_A_TURN)
    return author_of(event)


# --- the format -------------------------------------------------------------------------------------------------------


def dataset_notes(portable: PortableSet) -> Iterator[str]:
    """Sentences about earlier turns, tool calls beside agent_data, and scenarios beside other cases."""
    conversations = [case.turns for case in portable.cases if case.turns]
    if earlier_turns := [len(turns) - 1 for turns in conversations if len(turns) > 1]:
        total = sum(earlier_turns)
        subject = f"{_counted(total, 'earlier turn')} in {_counted(len(earlier_turns), 'case')}"
        verb = "gives" if total == 1 else "give"
        yield f"In a dataset, only the last turn of a case is compared. {subject} {verb} only context."
    calls = sum(1 for case in portable.cases if case.turns and case.turns[-1].events and not fits_a_prompt(case))
    if calls:
        yield (
            f"The expected tool calls of {_counted(calls, 'case')} are in intermediate_events beside agent_data. "
            "agents-cli ignores this field there, but evaltui scores the calls."
        )
    scenarios = sum(1 for case in portable.cases if case.scenario is not None and not case.turns)
    if scenarios and conversations:
        yield (
            f"`agents-cli eval generate` does not run this file, because {_counted(scenarios, 'case')} "
            f"{'is a scenario' if scenarios == 1 else 'are scenarios'}. Move scenarios to a separate file."
        )


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"


def _read(portable: PortableSet) -> None:
    from evaltui.interop.evaluation_datasets.reader import read_dataset  # noqa: PLC0415 - a conversion reads one format

    read_dataset(portable)


EVALUATION_DATASET = FormatType(
    source_word="evaluation_dataset",
    option="evaluation-dataset",
    title="EvaluationDataset",
    ending="-dataset.json",
    holdings=_HOLDINGS,
    read=_read,
    write=write_dataset,
    notes=dataset_notes,
    keeps_extras=True,
    reader="agents-cli",
)
"""EvaluationDatasets of the Agent Platform as a format of conversion."""

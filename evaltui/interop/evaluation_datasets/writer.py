"""EvaluationDatasets that agents-cli 1.11.0 can generate from (`split_case_history`), written, and what they hold."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.evalset.keys import filled
from evaltui.interop.eval_sets.reader import CASE_MEMBERS as ADK_MEMBERS
from evaltui.interop.eval_sets.writer import texts_of_case
from evaltui.interop.evaluation_datasets.agents_and_rubrics import (
    NO_DESCRIPTION,
    OF_THE_CASE,
    agents_tree,
    rubric_groups,
)
from evaltui.interop.evaluation_datasets.kept_details import (
    AUTHOR_OF_USERS,
    EXTRA,
    KNOWN_MEMBERS,
    SET_MEMBERS,
    TURN_DETAILS,
    UNREAD_DETAIL,
    keyed_details,
)
from evaltui.interop.evaluation_datasets.turn_writer import (
    details_tree,
    has_changes,
    intermediate_events,
    turn_tree,
    written_authors,
)
from evaltui.interop.fields import HELD, Reason, SetField, SourceFields, changed, no_place
from evaltui.interop.genai_contents import content_tree, fair_members, model_tree
from evaltui.interop.output_tree import Tree, Value, present, value_of, with_own_keys, with_reason
from evaltui.interop.portable_set import FormatType, PortableCase, PortableSet

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
    details = [
        details_tree(turn, group, is_last=turn is turns[-1], has_id=not is_prompt)
        for turn, group in zip(turns, groups, strict=True)
    ]
    expected: dict[str, Tree] = {}
    if turns:
        final = turns[-1].final
        reference = {"response": content_tree(final, "model")} if final is not None else None
        expected = {"intermediate_events": intermediate_events(turns[-1]), "reference": reference}
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
        # A prompt has no turn id, by which its details could be found.
        TURN_DETAILS: keyed_details(turns, details) if not is_prompt else details if any(details) else None,
    }
    return {**present(members), **with_own_keys(fair_members(case.extras, _OWN, fields, _OTHER_MEANING))}


def fits_a_prompt(case: PortableCase) -> bool:
    """Whether a prompt holds the whole conversation: it has one turn, and no state before it."""
    turns = case.turns or []
    # State needs an event before the message, and a prompt has no events.
    return len(turns) == 1 and not case.state and not has_changes(turns[0])


def _conversation(case: PortableCase, fields: SourceFields, *, is_prompt: bool) -> dict[str, Tree]:
    """A prompt, or turns with all their events up to the last user message, and the agents of the case."""
    turns = case.turns or []
    if turns and not is_prompt:
        # agents-cli seeds the state of a new session before the first message.
        state_event: Tree = {"author": AUTHOR_OF_USERS, "state_delta": with_own_keys(case.state)}
        leading: list[Tree] = [state_event] if case.state else []
        trees = [
            turn_tree(turn, number, leading if not number else [], is_last=turn is turns[-1])
            for number, turn in enumerate(turns)
        ]
        authors = [author for turn in turns for author in written_authors(turn, is_last=turn is turns[-1])]
        return {"agent_data": present({"agents": agents_tree(case, fields, authors) or None, "turns": trees})}
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

"""Writer of EvaluationDatasets that agents-cli 1.11.0 can generate from (`split_case_history`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from evaltui.evalset.keys import filled
from evaltui.interop.evaluation_datasets.agents_and_rubrics import RubricGroups, agents_tree
from evaltui.interop.evaluation_datasets.kept_details import (
    CASE_MEMBERS,
    CHECK_KEYS,
    EXTRA,
    RUBRIC_DESCRIPTIONS,
    RUBRIC_ORDER,
    SESSION_INPUTS,
    SET_MEMBERS,
    TRAJECTORY,
    TURN_DETAILS,
    UNREAD_DETAIL,
    keyed_details,
)
from evaltui.interop.evaluation_datasets.reader import read_dataset
from evaltui.interop.evaluation_datasets.turn_writer import (
    details_tree,
    given,
    has_changes,
    intermediate_events,
    state_event,
    turn_tree,
    written_authors,
)
from evaltui.interop.fields import HELD, Holding, SetField, SourceFields
from evaltui.interop.format_type import FormatType, OutputDocument, TargetReader, WriteOptions
from evaltui.interop.genai_contents import content_tree, fair_members, model_tree, own_members
from evaltui.interop.output_tree import OwnKey, Tree, Value, remade, value_of
from evaltui.interop.portable_set import PortableCase, PortableScenario, PortableSession, PortableSet
from evaltui.interop.unread_content import user_tree

if TYPE_CHECKING:
    from pydantic import BaseModel

_NOTHING_SAID = "`agents-cli eval generate` rejects a file if a case has neither prompt nor agent_data"
_ONLY_A_SCENARIO = (
    "kept in user_scenario, but `agents-cli eval generate` rejects a file with a case that has only a scenario"
)
_PLAY_IT = "Move scenarios to a separate file, and run them with agentplatform's run_inference."
_STATE = (
    "a case without turns has no event that sets state, so evaltui keeps the state in session_input, which "
    "agentplatform ignores"
)
_SAY_SOMETHING = "Add a turn, or delete the case."
_OTHER_MEANING = "a field with this name has another meaning in a dataset, so evaltui leaves it out"
_TURNS = ("conversation", "golden", "data", "turns")
"""Keys of formats for the turns of a case."""
_OWN = frozenset(
    [
        *CASE_MEMBERS,
        SESSION_INPUTS,
        TRAJECTORY,
        TURN_DETAILS,
        RUBRIC_DESCRIPTIONS,
        RUBRIC_ORDER,
        "session_input",
        "creation_timestamp",
        "final_session_state",
        "conversation",
        "conversation_scenario",
        "rubrics",
    ]
)


def write_dataset(portable: PortableSet, options: WriteOptions) -> Sequence[OutputDocument]:
    """The set as one document, in snake_case, which agents-cli requires."""
    own = {name: model_tree(each) for name, each in portable.others.items() if name in SET_MEMBERS}
    return [OutputDocument({"eval_cases": [_case(case, portable.fields) for case in portable.cases], **own})]


def _case(case: PortableCase, fields: SourceFields) -> Tree:
    _remark_on_nothing_said(case, fields)
    groups = RubricGroups(fields)
    groups.add_case(case)
    of_turns = [groups.add_turn(turn, number) for number, turn in enumerate(case.turns or (), 1)]
    is_prompt = fits_a_prompt(case)
    members: dict[str, Tree] = {
        "eval_case_id": case.id,
        "name": _extra(case.name),
        "description": _extra(case.description),
        "tags": [_extra(each) for each in case.tags] or None,
        "system_instruction": _content(case.system_instruction, "system"),
        **(_prompt(case, fields) if is_prompt else _agent_data(case, fields)),
        **_expected(case),
        "responses": [{"response": _content(each, "model")} for each in case.recorded] or None,
        "user_scenario": _scenario(case.scenario, case) if case.scenario is not None else None,
        **groups.members(),
        "session_input": _session(case.session, case) if case.session is not None else None,
        "creation_timestamp": case.time,
        "final_session_state": _final_state(case.final_state),
        TURN_DETAILS: _details(case, of_turns, is_prompt=is_prompt),
    }
    return {**given(members), **own_members(fair_members(case.others, _OWN, fields, _OTHER_MEANING))}


def _remark_on_nothing_said(case: PortableCase, fields: SourceFields) -> None:
    given = next((each for name in _TURNS if (each := filled(case.node, name)) is not None), None)
    if given is not None and not case.turns and case.scenario is None:
        fields.remark(given, "changed", _NOTHING_SAID, _SAY_SOMETHING)


def fits_a_prompt(case: PortableCase) -> bool:
    """Whether a prompt holds the whole conversation: it has one turn, and no state before it."""
    turns = case.turns or []
    has_state = case.session is not None and bool(case.session.state)
    return len(turns) == 1 and not has_state and not has_changes(turns[0])


def _prompt(case: PortableCase, fields: SourceFields) -> dict[str, Tree]:
    """A single turn. Its agents go to agent_info: agentplatform reads agent_data without turns as a finished run."""
    turns = case.turns or []
    agents = agents_tree(case, fields)
    prompt = user_tree(turns[0], content_tree(turns[0].user, "user"), "agents-cli")
    return {"prompt": prompt, "agent_info": {"agents": agents} if agents else None}


def _agent_data(case: PortableCase, fields: SourceFields) -> dict[str, Tree]:
    """Turns with all their events up to the last user message; never beside a prompt."""
    turns = case.turns or []
    state = case.session.state if case.session is not None else {}
    if not turns:
        agents = agents_tree(case, fields)
        return {"agent_info": {"agents": agents} if agents else None}
    leading: list[Tree] = [state_event(state)] if state else []
    listed = [
        turn_tree(turn, number, leading if not number else [], is_last=number == len(turns) - 1)
        for number, turn in enumerate(turns)
    ]
    authors = [author for turn in turns for author in written_authors(turn, is_last=turn is turns[-1])]
    return {"agent_data": given({"agents": agents_tree(case, fields, authors) or None, "turns": listed})}


def _expected(case: PortableCase) -> dict[str, Tree]:
    """Expectations of the last turn."""
    if not case.turns:
        return {}
    last = case.turns[-1]
    reference = {"response": content_tree(last.final, "model")} if last.final is not None else None
    return {"intermediate_events": intermediate_events(last), "reference": reference}


def _details(case: PortableCase, groups: list[str], *, is_prompt: bool) -> Tree:
    turns = case.turns or []
    details = [
        details_tree(turn, group, is_last=turn is turns[-1], has_id=not is_prompt)
        for turn, group in zip(turns, groups, strict=True)
    ]
    if is_prompt:
        return details if any(details) else None
    return keyed_details(turns, details)


def _scenario(scenario: PortableScenario, case: PortableCase) -> Tree:
    prompt = scenario.prompt
    if prompt is not None and not case.turns:
        prompt = remade(prompt, value_of(prompt), "changed", _ONLY_A_SCENARIO, _PLAY_IT)
    members = {"starting_prompt": prompt, "conversation_plan": scenario.plan, "test_case_title": scenario.title}
    return given(members)


def _session(session: PortableSession, case: PortableCase) -> Tree:
    """The session under google-adk's key. It has the state only if there is no event that sets it."""
    members: dict[str, Tree] = {"app_name": session.app_name, "user_id": session.user_id}
    if session.state and not case.turns:
        members["state"] = {
            OwnKey(name): remade(each, value_of(each), "changed", _STATE) for name, each in session.state.items()
        }
    return given({**members, **own_members(session.others)}) or None


def _final_state(state: Value | None) -> Tree:
    if state is None or not value_of(state):
        return None
    return _extra(state)


def _extra(value: Value | None) -> Tree:
    return remade(value, value_of(value), "changed", EXTRA) if value is not None else None


def _content(value: Value | None, role: str) -> Tree:
    """A content. A text becomes a content, because agentplatform does not convert it."""
    if value is None or isinstance(value_of(value), dict):
        return value
    return {"role": role, "parts": [{"text": value}]}


def dataset_notes(portable: PortableSet) -> Iterator[str]:
    """Sentences about earlier turns, tool calls beside agent_data, and scenarios beside other cases."""
    talks = [case.turns for case in portable.cases if case.turns]
    if earlier := [len(turns) - 1 for turns in talks if len(turns) > 1]:
        turns = f"{_counted(sum(earlier), 'earlier turn')} in {_counted(len(earlier), 'case')}"
        verb = "gives" if sum(earlier) == 1 else "give"
        yield f"In a dataset, only the last turn of a case is compared. {turns} {verb} only context."
    beside = sum(1 for case in portable.cases if case.turns and case.turns[-1].events and not fits_a_prompt(case))
    if beside:
        yield (
            f"The expected tool calls of {_counted(beside, 'case')} are in intermediate_events beside agent_data. "
            "agents-cli ignores this field there, but evaltui scores the calls."
        )
    scenarios = sum(1 for case in portable.cases if case.scenario is not None and not case.turns)
    if scenarios and talks:
        yield (
            f"`agents-cli eval generate` does not run this file, because {_counted(scenarios, 'case')} "
            f"{'is a scenario' if scenarios == 1 else 'are scenarios'}. Move scenarios to a separate file."
        )


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"


_ENVELOPE = Holding("no_place", "an EvaluationDataset contains only eval_cases")

_HOLDINGS = {
    **dict.fromkeys(SetField, HELD),
    SetField.SET_ID: _ENVELOPE,
    SetField.SET_NAME: _ENVELOPE,
    SetField.SET_DESCRIPTION: _ENVELOPE,
    SetField.SET_TIME: _ENVELOPE,
    SetField.SET_OTHER: _ENVELOPE,
    SetField.CASE_OTHER: Holding("changed", EXTRA),
    SetField.CASE_NAME: Holding("changed", EXTRA),
    SetField.CASE_DESCRIPTION: Holding("changed", EXTRA),
    SetField.CASE_TAGS: Holding("changed", EXTRA),
    SetField.FINAL_STATE: Holding("changed", EXTRA),
    SetField.RUBRIC_DESCRIPTION: Holding(
        "changed", "rubrics in a dataset have no description, so evaltui keeps it in rubric_descriptions of the case"
    ),
    SetField.TURN_RUBRICS: Holding(
        "changed", "a dataset has rubrics only for cases, so the rubrics of a turn become a group of the case"
    ),
    SetField.SCENARIO_PROMPT: Holding(
        "changed", "`agents-cli eval generate` rejects a file with a case that has only a scenario"
    ),
    SetField.SCENARIO_PERSONA: Holding("no_place", "scenarios in a dataset have only a prompt, a plan and a title"),
    SetField.SCENARIO_OTHER: Holding("no_place", "scenarios in a dataset have only a prompt, a plan and a title"),
    SetField.TURN_OTHER: Holding("changed", UNREAD_DETAIL, CHECK_KEYS),
    SetField.EVENT_TIME: Holding("changed", "events in agent_data have a time, but no id"),
    SetField.EVENT_OTHER: Holding(
        "no_place", "events in a dataset have only an author, a content, a time and state changes"
    ),
    SetField.RECORDED: Holding(
        reason="a dataset keeps only the recorded response, not the turns and tool calls before it"
    ),
    SetField.ARGUMENT_RULES: Holding("no_place", "a dataset has no comparison rules for arguments"),
    SetField.EXPECTATION_OPTIONS: Holding("no_place", "expectations in a dataset have no notes, skips or thresholds"),
    SetField.CRITERIA: Holding("no_place", "a dataset has rubrics with texts, but no criteria with resource names"),
}


def _model() -> type[BaseModel]:
    from evaltui.evalset.schema.genai_models import EvaluationDataset  # noqa: PLC0415 - loading it takes 0.1 s

    dataset: type[BaseModel] = EvaluationDataset
    return dataset


EVALUATION_DATASET = FormatType(
    source_word="evaluation_dataset",
    option="evaluation-dataset",
    title="EvaluationDataset",
    ending="-dataset.json",
    holdings=_HOLDINGS,
    read=read_dataset,
    write=write_dataset,
    notes=dataset_notes,
    keeps_extras=True,
    reader=TargetReader("agents-cli", _model),
)
"""EvaluationDatasets of the Agent Platform as a format of conversion."""

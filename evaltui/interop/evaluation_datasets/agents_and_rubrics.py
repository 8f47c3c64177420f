"""Agents and rubrics of EvaluationDatasets.

A case has one map of agents, where google-adk has a map for each turn. Its rubrics are in groups by name, or in the
list that agents-cli takes beside them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of
from evaltui.interop.eval_sets.reader import EvalSetReader
from evaltui.interop.evaluation_datasets.kept_details import (
    AUTHOR_OF_USERS,
    GROUP_OF_RUBRICS,
    KEPT_GROUP,
    RUBRIC_DESCRIPTIONS,
    RUBRIC_ORDER,
    UNNAMED_AUTHORS,
    TurnDetails,
)
from evaltui.interop.fields import HELD, Reason, SetField, SourceFields, changed, no_place, objects_of
from evaltui.interop.genai_contents import model_tree, read_members
from evaltui.interop.output_tree import (
    Made,
    OwnKey,
    Tree,
    Value,
    added,
    plain_value,
    present,
    sources_of,
    text_in,
    value_of,
    with_own_keys,
    with_reason,
)
from evaltui.interop.portable_set import PortableAgent, PortableCase, PortableRubric, PortableTurn

_OF_ALL_TURNS = changed("a dataset has agents for a case, not for single turns")
_NO_DETAIL = "an agent in a dataset has no such field"
_NO_TOOL = "agentplatform does not accept the value as a tool"
_NO_AGENTS = (AUTHOR_OF_USERS, "model")
"""Authors that need no entry: the user, and "model", which agents-cli replaces by the name of the root agent."""
_DETAILS = ("agent_type", "description", "sub_agents")
_OF_A_GROUP = ("group_id", "display_name")
NO_DESCRIPTION = changed(
    "rubrics in a dataset have no description, so evaltui keeps it in rubric_descriptions of the case"
)
_SECOND_OF_AN_ID = no_place("another rubric has the same rubric_id, and only one description is kept for an id")
OF_THE_CASE = changed(
    "a dataset has rubrics only for cases, so the rubrics of a turn become a group of the case",
    'To use the group of turn N, set rubric_group_name="turn_N" in a metric of agentplatform.',
)
_NO_RUBRICS = "the group has no rubrics, so evaltui leaves it out"
_SELECTED = "If a config selects rubrics by this name (rubric_group_key, rubric_group_name), change the config."
_NO_ID = "agentplatform requires an id for each rubric"


# --- agents --------------------------------------------------------------------------------------------------------


def read_agents(case: PortableCase, fields: SourceFields) -> list[PortableAgent]:
    """The agents of agent_data, else of agent_info."""
    info = filled(case.node, "agent_info")
    authors = {text_in(event.author) for turn in case.turns or () for event in turn.events} | {*UNNAMED_AUTHORS}
    for name in ("name", "root_agent_id"):
        fields.read(info, name, SetField.AGENT_DETAILS)
    agents: dict[str, PortableAgent] = {}
    for owner in (filled(case.node, "agent_data"), info):
        nodes = filled(owner, "agents")
        for node in nodes.items if nodes is not None and nodes.kind == "object" else ():
            if node.kind != "object" or node.name in agents:
                continue
            agent = _read_agent(node, fields)
            # evaltui itself writes such entries for authors, because agentplatform looks them up. They say nothing.
            if agent.name is not None and node.items == [agent.name] and node.name in authors:
                fields.pass_over(node)
            else:
                agents[node.name] = agent
    return list(agents.values())


def _read_agent(node: Node, fields: SourceFields) -> PortableAgent:
    agent_id = filled(node, "agent_id")
    is_text = agent_id is not None and agent_id.kind == "string"
    if agent_id is not None:
        fields.note(agent_id, SetField.AGENTS if is_text else SetField.AGENT_DETAILS)
    members = read_members(node, ("agent_id",))
    for key, value in members.items():
        fields.note(value, SetField.AGENT_DETAILS if key in _DETAILS else SetField.AGENTS)
    agent = PortableAgent(node, node.name, agent_id if is_text else Made(node.name, ()))
    agent.instruction, agent.tools = members.pop("instruction", None), members.pop("tools", None)
    agent.description = members.pop("description", None)
    agent.extras = members
    return agent


def agents_tree(case: PortableCase, fields: SourceFields, authors: Iterable[str] = ()) -> dict[str, Tree]:
    """The map of agents by their keys: the declared agents of the source, and all other authors that it names."""
    turns = case.turns or []
    declared: dict[str, list[PortableAgent]] = {}
    for agent in [*case.agents, *(agent for turn in turns for agent in turn.agents)]:
        declared.setdefault(_key_of(agent), []).append(agent)
        fields.unread[agent.node] = _OF_ALL_TURNS.text
        fields.unread.update(dict.fromkeys(agent.extras.values(), _NO_DETAIL))
    reason = HELD if all([*map(_key_of, turn.agents)] == [*declared] for turn in turns) else _OF_ALL_TURNS
    tree: dict[str, Tree] = {}
    for name, agents in declared.items():
        members: dict[str, Tree] = {
            "agent_id": _merged([agent.name for agent in agents]) or name,
            "agent_type": agents[0].extras.get("agent_type"),
            "description": _merged([agent.description for agent in agents]),
            "instruction": _merged([agent.instruction for agent in agents], reason),
            "tools": _tools([agent.tools for agent in agents], fields, reason),
            "sub_agents": agents[0].extras.get("sub_agents"),
        }
        tree[OwnKey(name)] = present(members)
    # agentplatform looks the authors of the events of agent_data up in a map, if there is one.
    names = dict.fromkeys(authors)
    is_named = any(name.lower() not in (AUTHOR_OF_USERS, *UNNAMED_AUTHORS) for name in names)
    for name in names if tree or is_named else ():
        if name and name not in tree and name not in _NO_AGENTS:
            tree[OwnKey(name)] = {"agent_id": name}
    return tree


def _key_of(agent: PortableAgent) -> str:
    return agent.key or text_in(agent.name)


def _tools(values: list[Value | None], fields: SourceFields, reason: Reason) -> Tree:
    """The tools of an agent that agentplatform accepts. google-adk accepts any value as a tool."""
    first = next((value for value in values if value is not None), None)
    if isinstance(first, Node):
        # agentplatform rejects the whole file for one wrong tool.
        accepted = [tool for tool in first.items if _is_tool(tool)]
        if accepted != first.items:
            fields.unread.update({tool: _NO_TOOL for tool in first.items if tool not in accepted})
            return list(accepted) or None
    return _merged(values, reason)


def _is_tool(node: Node) -> bool:
    from pydantic import ValidationError  # noqa: PLC0415 - agents with tools are rare, and models take time to load

    from evaltui.evalset.schema.genai_models import Tool  # noqa: PLC0415

    try:
        Tool.model_validate(node.value())
    except ValidationError:
        return False
    return node.kind == "object"


def _merged(values: Iterable[Value | None], reason: Reason = HELD) -> Value | None:
    """The first of several values, made of all that are equal to it; any other is lost."""
    present_values = [value for value in values if value is not None]
    if not present_values:
        return None
    first = present_values[0]
    # As texts, 1 and true differ, and the order of keys does not.
    text = json.dumps(value_of(first), sort_keys=True)
    equal = [value for value in present_values if json.dumps(value_of(value), sort_keys=True) == text]
    if len(equal) == 1 and reason is HELD:
        return first
    return Made(value_of(first), tuple(dict.fromkeys(sources_of(*equal))), reason)


# --- rubrics -------------------------------------------------------------------------------------------------------


def read_rubrics(case: PortableCase, cases: EvalSetReader, fields: SourceFields) -> None:
    """Read the rubrics of a case. Groups that evaltui made of the rubrics of a turn go back there."""
    details = TurnDetails(case.node, fields)
    turns_by_group: dict[str, tuple[PortableTurn, Node]] = {}
    for index, turn in enumerate(case.turns or ()):
        if (name := filled(details.for_turn(turn.id, index), KEPT_GROUP)) is not None:
            turns_by_group[name.text()] = (turn, name)
    # agents-cli reads the list `rubrics`: texts, and objects with rubric_content or a description.
    texts = [node for node in items_of(case.node, "rubrics") if node.kind == "string"]
    listed = cases.rubrics(case.node, SetField.CASE_RUBRICS)
    for rubric in listed:
        # It takes the description as the text of a rubric that has no other.
        if rubric.text is None and isinstance(rubric.description, Node) and text_in(rubric.description):
            rubric.text, rubric.description = fields.note(rubric.description, SetField.CASE_RUBRICS), None
    case.rubrics = [PortableRubric(text, text=fields.note(text, SetField.CASE_RUBRICS)) for text in texts] + listed
    groups = filled(case.node, "rubric_groups")
    remaining: dict[str, list[PortableRubric]] = {}
    for group in groups.items if groups is not None and groups.kind == "object" else ():
        rubrics = _rubrics_of_group(group, case.node, cases, fields)
        if group.name in turns_by_group:
            turn, name = turns_by_group[group.name]
            fields.pass_over(name)
            turn.rubrics = rubrics
            continue
        remaining[group.name] = list(rubrics)
        # An eval set keeps no groups, and a conversion back makes this one of the type. The name of the group is lost
        # then, unless rubrics without groups get the same name.
        if any(group.name != (text_in(rubric.type) or GROUP_OF_RUBRICS) for rubric in rubrics):
            fields.keys[group] = (SetField.RUBRIC_DETAILS, _SELECTED)
    for name in items_of(case.node, RUBRIC_ORDER):
        if name.kind == "string" and remaining.get(name.text()):
            fields.pass_over(name)
            case.rubrics.append(remaining[name.text()].pop(0))
    case.rubrics += [rubric for rubrics in remaining.values() for rubric in rubrics]


def _rubrics_of_group(group: Node, case: Node, cases: EvalSetReader, fields: SourceFields) -> list[PortableRubric]:
    """The rubrics of a group; members of the group itself come along with its first rubric."""
    all_descriptions = filled(case, RUBRIC_DESCRIPTIONS)
    descriptions = all_descriptions.member(group.name) if all_descriptions is not None else None
    rubrics = [cases.rubric(node, SetField.CASE_RUBRICS, descriptions) for node in objects_of(filled(group, "rubrics"))]
    for rubric in rubrics:
        rubric.group = Made(group.name, (group,))
        fields.note_all(rubric.extras.values(), SetField.RUBRIC_DETAILS)
    own = read_members(group, ("rubrics",))
    fields.note_all(own.values(), SetField.RUBRIC_DETAILS, "" if rubrics else _NO_RUBRICS)
    if rubrics:
        rubrics[0].extras |= {name: value for name, value in own.items() if name in _OF_A_GROUP}
    return rubrics


def rubric_groups(case: PortableCase, fields: SourceFields) -> tuple[dict[str, Tree], list[str]]:
    """The members of a case for its rubrics, and the name of the group of each turn, "" for a turn without rubrics."""
    groups: dict[str, dict[str, Tree]] = {}
    rubrics: dict[str, list[Tree]] = defaultdict(list)
    descriptions: dict[str, dict[str, Tree]] = defaultdict(dict)
    order: list[str] = []
    for rubric in case.rubrics:
        # A rubric without a group goes to one of its type: google-adk selects by type.
        name = text_in(rubric.group) or text_in(rubric.type) or GROUP_OF_RUBRICS
        order.append(name)
        own = {key: value for key, value in rubric.extras.items() if key in _OF_A_GROUP}
        groups.setdefault(name, {}).update(own)
        importance = rubric.extras.get("importance")
        tree = _rubric_tree(rubric, name, rubrics, descriptions, fields)
        tree["importance"] = model_tree(importance) if importance is not None else None
        rubrics[name].append(present(tree))
    turn_groups: list[str] = []
    for number, turn in enumerate(case.turns or (), 1):
        name = f"turn_{number}" if turn.rubrics else ""
        while name in groups:  # a group of the source may be called turn_1
            name += "_rubrics"
        turn_groups.append(name)
        groups |= {name: {}} if name else {}
        for rubric in turn.rubrics:
            # The rubric is one loss as a whole, so it is made of its plain values.
            plain = plain_value(present(_rubric_tree(rubric, name, rubrics, descriptions, fields)))
            rubrics[name].append(Made(plain, (rubric.node,), OF_THE_CASE))
    written_groups = {name: {**own, "rubrics": rubrics[name]} for name, own in groups.items()}
    written_descriptions = {name: with_own_keys(by_id) for name, by_id in descriptions.items()}
    members: dict[str, Tree] = {
        "rubric_groups": with_own_keys(written_groups) or None,
        RUBRIC_DESCRIPTIONS: with_own_keys(written_descriptions) or None,
        RUBRIC_ORDER: order if order != sorted(order, key=[*groups].index) else None,
    }
    return members, turn_groups


def _rubric_tree(
    rubric: PortableRubric,
    name: str,
    rubrics: Mapping[str, list[Tree]],
    descriptions: Mapping[str, dict[str, Tree]],
    fields: SourceFields,
) -> dict[str, Tree]:
    """The next rubric of the group `name`, whose description is kept beside the groups."""
    new_id = f"rubric_{len(rubrics[name]) + 1}"
    rubric_id = rubric.id if rubric.id is not None else added(new_id, rubric.node, "/rubric_id", _NO_ID)
    if rubric.description is not None:
        by_id = descriptions[name]
        key = new_id if rubric.id is None else text_in(rubric.id)
        is_same = value_of(rubric.description) == value_of(rubric.text)
        if key not in by_id:
            by_id[key] = with_reason(rubric.description, HELD if is_same else NO_DESCRIPTION)
        elif not is_same:
            fields.remarks.update(dict.fromkeys(sources_of(rubric.description), _SECOND_OF_AN_ID))
    content = {"property": {"description": rubric.text}} if rubric.text is not None else {}
    return {"rubric_id": rubric_id, "content": content, "type": rubric.type}

"""Agents of EvaluationDatasets: a map for each case. google-adk has a map for each turn."""

from __future__ import annotations

import json
from collections.abc import Iterable

from evaltui.document.node import Node
from evaltui.evalset.keys import filled
from evaltui.interop.evaluation_datasets.dataset_names import AUTHOR_OF_USERS, UNNAMED_AUTHORS
from evaltui.interop.fields import SetField
from evaltui.interop.genai_contents import read_members
from evaltui.interop.output_tree import Made, OwnKey, Tree, Value, sources_of, text_in, value_of
from evaltui.interop.portable_set import PortableAgent, PortableCase
from evaltui.interop.source_fields import SourceFields

_OF_ALL_TURNS = "a dataset has agents for a case, not for single turns"
_NO_DETAIL = "an agent in a dataset has no such field"
_NO_TOOL = "agentplatform does not accept the value as a tool"
_NO_AGENTS = (AUTHOR_OF_USERS, "model")
"""Authors that need no entry: the user, and "model", which agents-cli replaces by the name of the root agent."""
_DETAILS = ("agent_type", "description", "sub_agents")


def read_agents(case: PortableCase, fields: SourceFields) -> list[PortableAgent]:
    """The agents of agent_data, else of agent_info; entries that only repeat an author say nothing and are left out."""
    info = filled(case.node, "agent_info")
    authors = {text_in(event.author) for turn in case.turns or () for event in turn.events} | {*UNNAMED_AUTHORS}
    for name in ("name", "root_agent_id"):
        if (each := filled(info, name)) is not None:
            fields.note(each, SetField.AGENT_DETAILS)
    found: dict[str, PortableAgent] = {}
    for owner in (filled(case.node, "agent_data"), info):
        agents = filled(owner, "agents")
        for each in agents.items if agents is not None and agents.kind == "object" else ():
            if each.kind == "object" and each.name not in found:
                agent = _agent(each, fields)
                is_stub = agent.name is not None and agent.node.items == [agent.name] and each.name in authors
                if is_stub:
                    fields.pass_over(each)
                else:
                    found[each.name] = agent
    return list(found.values())


def _agent(node: Node, fields: SourceFields) -> PortableAgent:
    given = filled(node, "agent_id")
    is_text = given is not None and given.kind == "string"
    if given is not None:
        fields.note(given, SetField.AGENTS if is_text else SetField.AGENT_DETAILS)
    members = read_members(node, ("agent_id",))
    name = given if is_text else Made(node.name, ())
    found = PortableAgent(
        node, node.name, name, members.get("instruction"), members.get("description"), members.get("tools")
    )
    found.others = {key: each for key, each in members.items() if key not in ("instruction", "tools", "description")}
    for key, each in members.items():
        fields.note(each, SetField.AGENT_DETAILS if key in _DETAILS else SetField.AGENTS)
    return found


def agents_tree(case: PortableCase, fields: SourceFields, written: Iterable[str] = ()) -> dict[str, Tree]:
    """The map of agents by their keys: the declared agents of the source, and all other authors that it names.

    `written` are the authors in the events of agent_data. A map must have each of them, so missing ones are invented:
    agentplatform looks authors up in it.
    """
    turns = case.turns or []
    declared: dict[str, list[PortableAgent]] = {}
    for agent in [*case.agents, *(agent for turn in turns for agent in turn.agents)]:
        declared.setdefault(_key(agent), []).append(agent)
        fields.unread[agent.node] = _OF_ALL_TURNS
        fields.unread.update(dict.fromkeys(agent.others.values(), _NO_DETAIL))
    is_of_each = all([_key(agent) for agent in turn.agents] == [*declared] for turn in turns)
    found: dict[str, Tree] = {
        OwnKey(name): _config(name, agents, fields, is_same=is_of_each) for name, agents in declared.items()
    }
    authors = dict.fromkeys(written)
    is_named = any(author.lower() not in (AUTHOR_OF_USERS, *UNNAMED_AUTHORS) for author in authors)
    for author in authors if found or is_named else ():
        if author and author not in found and author not in _NO_AGENTS:
            found[OwnKey(author)] = {"agent_id": author}
    return found


def _key(agent: PortableAgent) -> str:
    return agent.key or text_in(agent.name)


def _config(name: str, agents: list[PortableAgent], fields: SourceFields, *, is_same: bool) -> Tree:
    """One agent. Equal values from several turns become one value."""
    members: dict[str, Tree] = {
        "agent_id": _merged((agent.name for agent in agents), is_same=True) or name,
        "agent_type": agents[0].others.get("agent_type"),
        "description": _merged((agent.description for agent in agents), is_same=True),
        "instruction": _merged((agent.instruction for agent in agents), is_same=is_same),
        "tools": _tools([agent.tools for agent in agents], fields, is_same=is_same),
        "sub_agents": agents[0].others.get("sub_agents"),
    }
    return {key: each for key, each in members.items() if each is not None}


def _tools(values: list[Value | None], fields: SourceFields, *, is_same: bool) -> Tree:
    """The tools of an agent that agentplatform accepts. google-adk accepts any value as a tool."""
    first = next((each for each in values if each is not None), None)
    if isinstance(first, Node):
        accepted = [each for each in first.items if _is_tool(each)]
        if accepted != first.items:
            fields.unread.update({tool: _NO_TOOL for tool in first.items if tool not in accepted})
            return list(accepted) or None
    return _merged(values, is_same=is_same)


def _is_tool(node: Node) -> bool:
    from pydantic import ValidationError  # noqa: PLC0415 - agents with tools are rare, and models take time to load

    from evaltui.evalset.schema.genai_models import Tool  # noqa: PLC0415

    try:
        Tool.model_validate(node.value())
    except ValidationError:
        return False
    return node.kind == "object"


def _merged(values: Iterable[Value | None], *, is_same: bool) -> Value | None:
    """The first of several values, made of all that are equal to it; any other is lost."""
    given = [each for each in values if each is not None]
    if not given:
        return None
    plain = value_of(given[0])
    text = json.dumps(plain, sort_keys=True)
    equal = [each for each in given if json.dumps(value_of(each), sort_keys=True) == text]
    if len(equal) == 1 and is_same:
        return equal[0]
    sources = tuple(dict.fromkeys(source for each in equal for source in sources_of(each)))
    return Made(plain, sources, None if is_same else "changed", "" if is_same else _OF_ALL_TURNS)

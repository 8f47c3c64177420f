"""Agents of EvaluationDatasets: a map for each case. google-adk has a map for each turn."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of
from evaltui.interop.eval_sets.reader import RUBRIC_KEYS, CaseReader, rubric_id, rubric_text
from evaltui.interop.evaluation_datasets.kept_details import (
    AUTHOR_OF_USERS,
    GROUP_OF_RUBRICS,
    RUBRIC_DESCRIPTIONS,
    RUBRIC_ORDER,
    UNNAMED_AUTHORS,
)
from evaltui.interop.fields import SetField, SourceFields
from evaltui.interop.genai_contents import model_tree, read_members
from evaltui.interop.output_tree import (
    Invented,
    LossKind,
    Made,
    OwnKey,
    Tree,
    Value,
    remade,
    sources_of,
    text_in,
    value_of,
)
from evaltui.interop.portable_set import PortableAgent, PortableCase, PortableRubric, PortableTurn

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


_OF_A_GROUP = ("group_id", "display_name")
_NO_DESCRIPTION = "rubrics in a dataset have no description, so evaltui keeps it in rubric_descriptions of the case"
_SECOND_OF_AN_ID = "another rubric has the same rubric_id, and only one description is kept for an id"
_OF_THE_CASE = "a dataset has rubrics only for cases, so the rubrics of a turn become a group of the case"
_NO_RUBRICS = "the group has no rubrics, so evaltui leaves it out"
_SELECTED = "If a config selects rubrics by this name (rubric_group_key, rubric_group_name), change the config."
_NAME_THE_GROUP = 'To use the group of turn N, set rubric_group_name="turn_N" in a metric of agentplatform.'


class RubricGroupReader:
    """Reads the rubrics of a case."""

    def __init__(self, fields: SourceFields, cases: CaseReader) -> None:
        self._fields, self._cases = fields, cases

    def listed(self, case: Node) -> list[PortableRubric]:
        """The list `rubrics`, which agents-cli reads: texts, and objects with rubric_content or a description."""
        found = []
        for each in items_of(case, "rubrics"):
            if each.kind == "string":
                found.append(PortableRubric(each, text=self._fields.note(each, SetField.CASE_RUBRICS)))
        rubrics = self._cases.rubrics(case, SetField.CASE_RUBRICS)
        for rubric in rubrics:
            if rubric.text is None and isinstance(rubric.description, Node) and text_in(rubric.description):
                rubric.text, rubric.description = self._fields.note(rubric.description, SetField.CASE_RUBRICS), None
        return [*found, *rubrics]

    def groups(self, case: Node) -> Iterator[tuple[str, list[PortableRubric]]]:
        """The groups by name; members of a group itself come along with its first rubric."""
        groups = filled(case, "rubric_groups")
        descriptions = filled(case, RUBRIC_DESCRIPTIONS)
        for group in groups.items if groups is not None and groups.kind == "object" else ():
            kept = descriptions.member(group.name) if descriptions is not None else None
            rubrics = [self._rubric(each, group, kept) for each in items_of(group, "rubrics") if each.kind == "object"]
            own = read_members(group, ("rubrics",))
            for each in own.values():
                self._fields.note(each, SetField.RUBRIC_DETAILS, "" if rubrics else _NO_RUBRICS)
            if rubrics:
                rubrics[0].others |= {name: each for name, each in own.items() if name in _OF_A_GROUP}
            yield group.name, rubrics

    def note_name(self, rubrics: list[PortableRubric]) -> None:
        """Note the name of a group of the case as a value, unless rubrics without groups get the same name."""
        for rubric in rubrics:
            if text_in(rubric.group) != (text_in(rubric.type) or GROUP_OF_RUBRICS):
                for group in sources_of(rubric.group):
                    self._fields.note_key(group, SetField.RUBRIC_DETAILS, _SELECTED)

    def in_order(self, case: Node, groups: dict[str, list[PortableRubric]]) -> list[PortableRubric]:
        """The rubrics of all groups, in the order that the case keeps, if it keeps one."""
        left = {name: list(rubrics) for name, rubrics in groups.items()}
        found = []
        for each in items_of(case, RUBRIC_ORDER):
            if each.kind == "string" and left.get(each.text()):
                self._fields.pass_over(each)
                found.append(left[each.text()].pop(0))
        return [*found, *(rubric for rubrics in left.values() for rubric in rubrics)]

    def _rubric(self, node: Node, group: Node, descriptions: Node | None) -> PortableRubric:
        self._fields.note(node, SetField.CASE_RUBRICS)
        found = PortableRubric(node, rubric_id(node), type=filled(node, "type"))
        found.text = rubric_text(node)
        found.group = Made(group.name, (group,))
        kept = descriptions.member(text_in(found.id)) if descriptions is not None else None
        if kept is not None and not self._fields.is_noted(kept):
            found.description = self._fields.note(kept, SetField.RUBRIC_DESCRIPTION)
        elif (given := filled(node, "description")) is not None:
            found.description = self._fields.note(given, SetField.RUBRIC_DESCRIPTION)
        found.others = read_members(node, (*RUBRIC_KEYS, "type", "description"))
        for each in found.others.values():
            self._fields.note(each, SetField.RUBRIC_DETAILS)
        return found


class RubricGroups:
    """The rubric groups to write for one case."""

    def __init__(self, fields: SourceFields) -> None:
        self._fields = fields
        self._groups: dict[str, dict[str, Tree]] = {}
        self._rubrics: dict[str, list[Tree]] = {}
        self._descriptions: dict[str, dict[str, Tree]] = {}
        self._order: list[str] = []

    def members(self) -> dict[str, Tree]:
        """The members of the case."""
        groups: dict[str, Tree] = {}
        for name, own in self._groups.items():
            groups[OwnKey(name)] = {**own, "rubrics": self._rubrics[name]}
        kept: dict[str, Tree] = {}
        for name, by_id in self._descriptions.items():
            kept[OwnKey(name)] = {OwnKey(key): each for key, each in by_id.items()}
        order = self._order if self._order != sorted(self._order, key=[*self._groups].index) else None
        return {"rubric_groups": groups or None, RUBRIC_DESCRIPTIONS: kept or None, RUBRIC_ORDER: order}

    def add_case(self, case: PortableCase) -> None:
        """Add rubrics of a case to their group in the source, else to a group per type: google-adk selects by type."""
        for rubric in case.rubrics:
            name = text_in(rubric.group) or text_in(rubric.type) or GROUP_OF_RUBRICS
            self._order.append(name)
            rubric_id = self._id(rubric, name)
            self._add(name, rubric, {"rubric_id": rubric_id, **_text_tree(rubric.text), "type": rubric.type}, rubric_id)

    def add_turn(self, turn: PortableTurn, number: int) -> str:
        """Rubrics of a turn are a group of their own; its name, "" for no rubrics."""
        if not turn.rubrics:
            return ""
        name = f"turn_{number}"
        while name in self._groups:
            name += "_rubrics"
        for rubric in turn.rubrics:
            rubric_id = self._id(rubric, name)
            plain = _without_nones(
                {
                    "rubric_id": value_of(rubric_id) if not isinstance(rubric_id, Invented) else rubric_id.value,
                    "content": {"property": {"description": value_of(rubric.text)}} if rubric.text is not None else {},
                    "type": value_of(rubric.type),
                }
            )
            self._add(name, rubric, Made(plain, (rubric.node,), "changed", _OF_THE_CASE, _NAME_THE_GROUP), rubric_id)
        return name

    def _id(self, rubric: PortableRubric, group: str) -> Node | Made | Invented:
        if rubric.id is not None:
            return rubric.id
        number = len(self._rubrics.get(group, ())) + 1
        return Invented(f"rubric_{number}", rubric.node, "/rubric_id", "agentplatform requires an id for each rubric")

    def _add(self, name: str, rubric: PortableRubric, tree: Tree, rubric_id: Node | Made | Invented) -> None:
        own = self._groups.setdefault(name, {})
        listed = self._rubrics.setdefault(name, [])
        if isinstance(tree, dict):
            own.update({key: each for key, each in rubric.others.items() if key in _OF_A_GROUP})
            others = {key: model_tree(each) for key, each in rubric.others.items() if key == "importance"}
            tree = {key: each for key, each in {**tree, **others}.items() if each is not None}
        listed.append(tree)
        if rubric.description is None:
            return
        by_id = self._descriptions.setdefault(name, {})
        key = rubric_id.value if isinstance(rubric_id, Invented) else text_in(rubric_id)
        same = value_of(rubric.description) == value_of(rubric.text)
        kind: LossKind | None = None if same else "changed"
        made = remade(rubric.description, value_of(rubric.description), kind, _NO_DESCRIPTION)
        if key not in by_id:
            by_id[key] = made
        elif not same:
            for source in sources_of(rubric.description):
                self._fields.remark(source, "no_place", _SECOND_OF_AN_ID)


def _text_tree(text: Node | Made | None) -> dict[str, Tree]:
    return {"content": {"property": {"description": text}} if text is not None else {}}


def _without_nones(members: dict[str, object]) -> dict[str, object]:
    return {name: each for name, each in members.items() if each is not None}

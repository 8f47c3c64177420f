"""Writer of CX Agent Studio evaluations in the form of the REST API: one for each case."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from evaltui.document.node import Node
from evaltui.evalset.keys import camel, filled, snake, text_of
from evaltui.interop.ces.golden_writer import GoldenWriter, named_expectations, variables_tree
from evaltui.interop.ces.reader import read_evaluations
from evaltui.interop.cx_cases import UniqueNames, note_lost_set_id, persona_texts, tags_of
from evaltui.interop.fields import HELD, Holding, SetField
from evaltui.interop.format_type import FormatType, OutputDocument, WriteOptions
from evaltui.interop.output_tree import (
    Invented,
    LeftOutItem,
    Made,
    Tree,
    Value,
    missing,
    only_text,
    remade,
    sources_of,
    text_in,
    value_of,
)
from evaltui.interop.portable_set import PortableCase, PortableRubric, PortableScenario, PortableSet
from evaltui.interop.resource_names import ResourceNames

_ENUMS: Final = {
    "task_completion_behavior": ("TASK_SATISFIED", "TASK_REJECTED"),
    "user_goal_behavior": ("USER_GOAL_SATISFIED", "USER_GOAL_REJECTED", "USER_GOAL_IGNORED"),
    "scenario_execution_mode": ("QUALITY_OPTIMIZED", "SPEED_OPTIMIZED"),
}


def own_options(scenario: PortableScenario) -> dict[str, Node]:
    """The fields of a scenario that match a CX Agent Studio field in name and type, in camelCase."""
    found = {}
    for name, node in scenario.others.items():
        known = snake(name)
        fits = _FITS.get(known)
        if (fits is not None and fits(node)) or node.text() in _ENUMS.get(known, ()):
            found[camel(known)] = node
    return found


def _is_number_of_turns(node: Node) -> bool:
    digits = node.source()
    return node.kind == "number" and digits.isdigit() and 1 <= int(digits[:4]) <= 100


def _are_facts(node: Node) -> bool:
    return _are_objects(node) and all(
        len(each.items) == 2 and text_of(each, "name") and text_of(each, "value") for each in node.items
    )


def _are_objects(node: Node) -> bool:
    return node.kind == "array" and all(each.kind == "object" for each in node.items)


def _are_expectations(node: Node) -> bool:
    """Whether a list has expectations of tools or responses. CX Agent Studio itself checks their content."""
    names = ("tool_expectation", "agent_response")
    return _are_objects(node) and all(
        len(each.items) == 1 and snake(item.name) in names and item.kind == "object"
        for each in node.items
        for item in each.items
    )


_FITS: Final[Mapping[str, Callable[[Node], bool]]] = {
    "max_turns": _is_number_of_turns,
    "user_facts": _are_facts,
    "scenario_expectations": _are_expectations,
}


_FORMAT = "CX Agent Studio"
_UNREAD = "required by CX Agent Studio, but the value of the source is no list of expectations"
_ALL_NAMED = "required by CX Agent Studio, and all rubrics of the case are evaluation expectations"
_MERGED = "the plan and the starting prompt become one task, because CX Agent Studio has no starting prompt"
_FACTS = "the persona becomes user facts, but CX Agent Studio does not check that the simulated user follows them"
_ONLY_TEXTS = "a scenario in CX Agent Studio has only the texts of rubrics, without id and type"
_ADD = "Describe in CX Agent Studio what the agent must do."
_TASK: Final = "Talk to the agent as its users do."
_RUBRIC: Final = "The agent does what the user asks for."


def scenario_tree(case: PortableCase, scenario: PortableScenario, names: ResourceNames) -> Tree:
    """The scenario of a case with the rubrics and the session state of the case."""
    named = [each for each in case.rubrics if text_in(each.id) in names.expectations]
    members: dict[str, Tree] = {"task": _task(scenario)}
    if scenario.persona is not None:
        members["userFacts"] = _facts(scenario.persona)
    members["rubrics"] = _rubrics(case, named)
    own = own_options(scenario)
    if "scenarioExpectations" not in own:
        is_given = any(snake(name) == "scenario_expectations" for name in scenario.others)
        reason = _UNREAD if is_given else missing(_FORMAT)
        nothing = f"{reason}. evaltui writes an empty list, which expects nothing"
        members["scenarioExpectations"] = Invented([], scenario.node, "/scenario_expectations", nothing, _ADD)
    if case.session is not None and case.session.state:
        members["variableOverrides"] = variables_tree(case.session.state)
    if criteria := [*filter(only_text, case.criteria), *named_expectations(case, names)]:
        members["evaluationExpectations"] = criteria
    return {**own, **{name: each for name, each in members.items() if each is not None}}


def _task(scenario: PortableScenario) -> Tree:
    prompt, plan = text_in(scenario.prompt), text_in(scenario.plan)
    if not prompt:
        if plan:
            return scenario.plan
        return Invented(_TASK, scenario.node, "/conversation_plan", missing(_FORMAT, scenario.plan))
    words = f"Begin the conversation with these words: {prompt}"
    sources = tuple(source for each in (scenario.plan, scenario.prompt) for source in sources_of(each))
    return Made(f"{plan}\n\n{words}" if plan else words, sources, "merged", _MERGED)


def _facts(persona: Value) -> Made | None:
    facts: list[dict[str, Any]] = [{"name": name, "value": text} for name, text in persona_texts(value_of(persona))]
    return remade(persona, facts, "changed", _FACTS) if facts else None


def _rubrics(case: PortableCase, named: list[PortableRubric]) -> Tree:
    """The texts of the rubrics that the mapping does not name."""
    told = [each for each in case.rubrics if text_in(each.text) and each not in named]
    if not told:
        unnamed = next((rubric for rubric in case.rubrics if rubric not in named), None)
        given = unnamed.node if unnamed is not None else filled(case.node, "rubrics")
        reason = _ALL_NAMED if named and unnamed is None else missing(_FORMAT, given)
        return Invented([_RUBRIC], case.node, "/rubrics", reason, _ADD)
    others = [each for rubric in told for each in (rubric.id, rubric.type) if isinstance(each, Node)]
    return [*(each.text for each in told), *(LeftOutItem(each, _ONLY_TEXTS) for each in others)]


_UNIQUE = "display names of evaluations must be unique in an app, so evaltui adds a number"
_NOT_BOTH = "an evaluation in CX Agent Studio is a golden conversation or a scenario, not both"
_APART = "Move the scenario to a separate case."
_evaluation_name: Final = re.compile(r"projects/[^/]+/locations/[^/]+/apps/[^/]+/evaluations/[^/]+")


def write_evaluations(portable: PortableSet, options: WriteOptions) -> Sequence[OutputDocument]:
    """The cases as evaluations."""
    note_lost_set_id(portable)
    writer = _EvaluationWriter(portable, options)
    return [writer.evaluation(case, number) for number, case in enumerate(portable.cases, 1)]


class _EvaluationWriter:
    """Writes the cases of one set."""

    def __init__(self, portable: PortableSet, options: WriteOptions) -> None:
        self._set = portable
        self._resources = options.mapping
        self._goldens = GoldenWriter(options.mapping, portable.fields)
        self._names = UniqueNames("CX Agent Studio", _UNIQUE)

    def evaluation(self, case: PortableCase, number: int) -> OutputDocument:
        """The evaluation of a case; `number` counts from 1."""
        display_name, name = self._names.name(case, number)
        tree: dict[str, Tree] = {
            "name": self._resource_name(case),
            "displayName": display_name,
            "description": self._description(case),
            "tags": self._tags(case) or None,
        }
        if case.scenario is not None and case.turns is None:
            tree["scenario"] = scenario_tree(case, case.scenario, self._resources)
        else:
            if case.scenario is not None:
                self._set.fields.remark(case.scenario.node, "no_place", _NOT_BOTH, _APART)
            tree["golden"] = self._goldens.golden(case)
        tree["etag"] = _own_text(case, "etag")
        return OutputDocument({key: each for key, each in tree.items() if each is not None}, name)

    def _resource_name(self, case: PortableCase) -> Tree:
        found = _own_text(case, "name")
        return found if found is not None and _evaluation_name.fullmatch(found.text()) else None

    def _description(self, case: PortableCase) -> Tree:
        """The description of the case, as a field of any format, or else the description of the set."""
        found = only_text(case.description) or _own_text(case, "description")
        return found if found is not None else only_text(self._set.description)

    def _tags(self, case: PortableCase) -> list[Tree]:
        """The eval set id, so that its evaluations can be found again, and the tags of the case."""
        return list(tags_of(self._set, case))


def _own_text(case: PortableCase, name: str) -> Node | None:
    """A text among the unknown fields of a case."""
    found = case.others.get(name)
    return found if found is not None and found.kind == "string" and found.text() else None


_NO_SET = "CX Agent Studio has single evaluations, not sets"
_BY_APP = "in CX Agent Studio, an evaluation belongs to an app, which creates its own sessions"
_SERVER = "CX Agent Studio sets the creation time itself"
_ONE_NAME = "an evaluation has only a display name, and evaltui writes the case id there"
_NO_TURN = "a turn in CX Agent Studio has only steps"
_RESOURCES = "CX Agent Studio identifies tools and agents by resource name"
_MAPPING = "Give the resource names with --mapping FILE."
_OPTION = "evaltui does not convert these fields of CX Agent Studio"

_HOLDINGS = {
    **dict.fromkeys(SetField, HELD),
    SetField.SET_NAME: Holding("no_place", _NO_SET),
    SetField.SET_DESCRIPTION: Holding(
        "changed", f"{_NO_SET}, so cases without a description get the description of the set"
    ),
    SetField.SET_TIME: Holding("no_place", _NO_SET),
    SetField.SET_OTHER: Holding("no_place", _NO_SET),
    SetField.CASE_NAME: Holding("no_place", _ONE_NAME),
    SetField.CASE_TIME: Holding("no_place", _SERVER),
    SetField.CASE_OTHER: Holding("changed", "evaluations have a description and tags, but no custom fields"),
    SetField.APP_NAME: Holding("no_place", _BY_APP),
    SetField.USER_ID: Holding("no_place", _BY_APP),
    SetField.SESSION_OTHER: Holding("no_place", _BY_APP),
    SetField.FINAL_STATE: Holding(
        "changed", "CX Agent Studio checks the variables that the agent sets, but not in scenarios"
    ),
    SetField.CASE_RUBRICS: Holding(
        "changed",
        "a golden conversation has resource names of criteria, and a scenario has only the texts of rubrics",
        "Create an evaluation expectation with each text, and map the rubric id to it with --mapping FILE.",
    ),
    SetField.RUBRIC_DETAILS: Holding("no_place", "a rubric in CX Agent Studio has only a text"),
    SetField.RUBRIC_DESCRIPTION: Holding("no_place", "a criterion in CX Agent Studio has only a text"),
    SetField.TURN_RUBRICS: Holding("no_place", "CX Agent Studio has criteria for conversations, not for single turns"),
    SetField.SCENARIO_PROMPT: Holding(
        "changed", "scenarios in CX Agent Studio have no starting prompt, so evaltui adds it to the task"
    ),
    SetField.SCENARIO_PLAN: Holding("changed", "the plan and the starting prompt become the task of the scenario"),
    SetField.SCENARIO_PERSONA: Holding(
        "changed", "the simulated user in CX Agent Studio has facts instead of a persona"
    ),
    SetField.SCENARIO_TITLE: Holding("no_place", _ONE_NAME),
    SetField.SCENARIO_OTHER: Holding(
        "changed", "scenarios in CX Agent Studio have only facts, expectations, a turn limit and two behaviors"
    ),
    SetField.TURN_ID: Holding("no_place", _NO_TURN),
    SetField.TURN_TIME: Holding("no_place", _NO_TURN),
    SetField.TURN_DURATIONS: Holding("no_place", _NO_TURN),
    SetField.TURN_OTHER: Holding("no_place", "evaltui converts only steps of turns to CX Agent Studio"),
    SetField.USER_PARTS: Holding(
        "changed", "a user message in CX Agent Studio has no file URIs, and its audio has no MIME type"
    ),
    SetField.CALL_NAME: Holding("changed", _RESOURCES, _MAPPING),
    SetField.CALL_ARGS: Holding("changed", "a transfer to an agent has only the name of the agent", _MAPPING),
    SetField.CALL_OTHER: Holding("no_place", "a tool call in CX Agent Studio has only a tool, an id and arguments"),
    SetField.TOOL_RESPONSE: Holding(
        "changed",
        "the tool response becomes a mockToolResponse: the agent gets it, and the real tool is not called",
        "If the real tool must return this response, rename mockToolResponse to toolResponse.",
    ),
    SetField.TEXT_BETWEEN: Holding("changed", "CX Agent Studio uses the last text of a turn as its response"),
    SetField.PARTS_BETWEEN: Holding("changed", "messages in CX Agent Studio contain text and bytes, but no file URIs"),
    SetField.AUTHOR: Holding("no_place", "steps in CX Agent Studio have no author"),
    SetField.EVENT_TIME: Holding("no_place", "steps in CX Agent Studio have no id and no time"),
    SetField.STATE_CHANGES: Holding("no_place", "CX Agent Studio has expected state changes, not recorded ones"),
    SetField.AGENT_DETAILS: Holding("no_place", "in CX Agent Studio, agents belong to the app"),
    SetField.EVENT_OTHER: Holding(
        "no_place", "evaltui converts no times, token counts or other fields of events to CX Agent Studio"
    ),
    SetField.FINAL_PARTS: Holding("changed", "messages in CX Agent Studio contain text and bytes, but no file URIs"),
    SetField.THOUGHTS: Holding("no_place", "CX Agent Studio compares what the agent says, not its thoughts"),
    SetField.AGENTS: Holding("no_place", "in CX Agent Studio, agents belong to the app"),
    SetField.SYSTEM_INSTRUCTION: Holding("no_place", "in CX Agent Studio, instructions belong to the app"),
    SetField.RECORDED: Holding("no_place", "an evaluation contains expected responses, not recorded ones"),
    SetField.EXPECTATION_OPTIONS: Holding("no_place", _OPTION),
}

CES = FormatType(
    source_word="ces_evaluation",
    option="ces",
    title="CX Agent Studio",
    ending=".ces.json",
    holdings=_HOLDINGS,
    read=read_evaluations,
    write=write_evaluations,
    read_named=read_evaluations,
)

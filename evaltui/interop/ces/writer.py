"""Evaluations of CX Agent Studio in the form of the REST API, written: one for each case."""

from __future__ import annotations

import re
from typing import Final

from evaltui.document.node import Node
from evaltui.evalset.keys import camel, filled, snake, text_of
from evaltui.interop.ces.golden_writer import MOCKED, NOT_FINAL, GoldenWriter, criteria_tree, variables_tree
from evaltui.interop.cx_cases import GOAL, named_cases, note_lost_set_id, persona_texts, tags_of
from evaltui.interop.fields import HELD, Reason, SetField, changed, no_place
from evaltui.interop.output_tree import (
    Made,
    Tree,
    added,
    missing,
    only_text,
    present,
    remade,
    required,
    sources_of,
    text_in,
    value_of,
)
from evaltui.interop.portable_set import FormatType, PortableCase, PortableScenario, PortableSet

_READER = "CX Agent Studio"
_UNIQUE = "display names of evaluations must be unique in an app, so evaltui adds a number"
_NOT_BOTH = no_place(
    "an evaluation in CX Agent Studio is a golden conversation or a scenario, not both",
    "Move the scenario to a separate case.",
)
_UNREAD = "required by CX Agent Studio, but the value of the source is no list of expectations"
_ALL_NAMED = "required by CX Agent Studio, and all rubrics of the case are evaluation expectations"
_MERGED = Reason(
    "merged", "the plan and the starting prompt become one task, because CX Agent Studio has no starting prompt"
)
_FACTS = changed(
    "the persona becomes user facts, but CX Agent Studio does not check that the simulated user follows them"
)
_ONLY_TEXTS = no_place("a scenario in CX Agent Studio has only the texts of rubrics, without id and type")
_ADD = "Describe in CX Agent Studio what the agent must do."
_RUBRIC: Final = "The agent does what the user asks for."
_evaluation_name: Final = re.compile(r"projects/[^/]+/locations/[^/]+/apps/[^/]+/evaluations/[^/]+")
_NO_SET = "CX Agent Studio has single evaluations, not sets"
_BY_APP = no_place("in CX Agent Studio, an evaluation belongs to an app, which creates its own sessions")
_ONE_NAME = no_place("an evaluation has only a display name, and evaltui writes the case id there")
_NO_TURN = no_place("a turn in CX Agent Studio has only steps")
_NO_URIS = changed("messages in CX Agent Studio contain text and bytes, but no file URIs")
_OF_THE_APP = no_place("in CX Agent Studio, agents belong to the app")
_RESOURCES = "CX Agent Studio identifies tools and agents by resource name"
_MAPPING = "Give the resource names with --mapping FILE."

_HOLDINGS = {
    **dict.fromkeys(SetField, HELD),
    **dict.fromkeys((SetField.SET_NAME, SetField.SET_TIME, SetField.SET_OTHER), no_place(_NO_SET)),
    **dict.fromkeys((SetField.CASE_NAME, SetField.SCENARIO_TITLE), _ONE_NAME),
    **dict.fromkeys((SetField.APP_NAME, SetField.USER_ID, SetField.SESSION_OTHER), _BY_APP),
    **dict.fromkeys((SetField.TURN_ID, SetField.TURN_TIME, SetField.TURN_DURATIONS), _NO_TURN),
    SetField.SET_DESCRIPTION: changed(f"{_NO_SET}, so cases without a description get the description of the set"),
    SetField.CASE_TIME: no_place("CX Agent Studio sets the creation time itself"),
    SetField.CASE_OTHER: changed("evaluations have a description and tags, but no custom fields"),
    SetField.FINAL_STATE: changed("CX Agent Studio checks the variables that the agent sets, but not in scenarios"),
    SetField.CASE_RUBRICS: changed(
        "a golden conversation has resource names of criteria, and a scenario has only the texts of rubrics",
        "Create an evaluation expectation with each text, and map the rubric id to it with --mapping FILE.",
    ),
    SetField.RUBRIC_DETAILS: no_place("a rubric in CX Agent Studio has only a text"),
    SetField.RUBRIC_DESCRIPTION: no_place("a criterion in CX Agent Studio has only a text"),
    SetField.TURN_RUBRICS: no_place("CX Agent Studio has criteria for conversations, not for single turns"),
    SetField.SCENARIO_PROMPT: changed(
        "scenarios in CX Agent Studio have no starting prompt, so evaltui adds it to the task"
    ),
    SetField.SCENARIO_PLAN: changed("the plan and the starting prompt become the task of the scenario"),
    SetField.SCENARIO_PERSONA: changed("the simulated user in CX Agent Studio has facts instead of a persona"),
    SetField.SCENARIO_OTHER: changed(
        "scenarios in CX Agent Studio have only facts, expectations, a turn limit and two behaviors"
    ),
    SetField.TURN_OTHER: no_place("evaltui converts only steps of turns to CX Agent Studio"),
    SetField.USER_PARTS: changed("a user message in CX Agent Studio has no file URIs, and its audio has no MIME type"),
    SetField.CALL_NAME: changed(_RESOURCES, _MAPPING),
    SetField.CALL_ARGS: changed("a transfer to an agent has only the name of the agent", _MAPPING),
    SetField.CALL_OTHER: no_place("a tool call in CX Agent Studio has only a tool, an id and arguments"),
    SetField.TOOL_RESPONSE: MOCKED,
    SetField.TEXT_BETWEEN: NOT_FINAL,
    **dict.fromkeys((SetField.PARTS_BETWEEN, SetField.FINAL_PARTS), _NO_URIS),
    SetField.AUTHOR: no_place("steps in CX Agent Studio have no author"),
    SetField.EVENT_TIME: no_place("steps in CX Agent Studio have no id and no time"),
    SetField.STATE_CHANGES: no_place("CX Agent Studio has expected state changes, not recorded ones"),
    **dict.fromkeys((SetField.AGENTS, SetField.AGENT_DETAILS), _OF_THE_APP),
    SetField.EVENT_OTHER: no_place(
        "evaltui converts no times, token counts or other fields of events to CX Agent Studio"
    ),
    SetField.THOUGHTS: no_place("CX Agent Studio compares what the agent says, not its thoughts"),
    SetField.SYSTEM_INSTRUCTION: no_place("in CX Agent Studio, instructions belong to the app"),
    SetField.RECORDED: no_place("an evaluation contains expected responses, not recorded ones"),
    SetField.EXPECTATION_OPTIONS: no_place("evaltui does not convert these fields of CX Agent Studio"),
}


def write_evaluations(portable: PortableSet) -> list[Tree]:
    """The cases as evaluations."""
    note_lost_set_id(portable)
    goldens = GoldenWriter(portable.names, portable.fields)
    documents: list[Tree] = []
    for case, display_name in named_cases(enumerate(portable.cases, 1), _READER, _UNIQUE):
        # Only a full resource name fits. A `name` of another tool means something else.
        resource_name = _own_text(case, "name")
        is_resource = resource_name is not None and _evaluation_name.fullmatch(resource_name.text())
        description = only_text(case.description) or _own_text(case, "description") or only_text(portable.description)
        tree: dict[str, Tree] = {
            "name": resource_name if is_resource else None,
            "displayName": display_name,
            "description": description,
            "tags": tags_of(portable, case) or None,
        }
        # An empty list of turns is a conversation, too: the case says that it has one.
        if case.scenario is not None and case.turns is None:
            tree["scenario"] = _scenario(case, case.scenario, portable)
        else:
            if case.scenario is not None:
                portable.fields.remarks[case.scenario.node] = _NOT_BOTH
            tree["golden"] = goldens.golden(case)
        tree["etag"] = _own_text(case, "etag")
        documents.append(present(tree))
    return documents


def _own_text(case: PortableCase, name: str) -> Node | None:
    value = case.extras.get(name)
    return value if value is not None and value.kind == "string" and value.text() else None


# --- scenarios (`Evaluation.Scenario`) -----------------------------------------------------------------------------


def _scenario(case: PortableCase, scenario: PortableScenario, portable: PortableSet) -> Tree:
    own = {camel(name): node for key, node in scenario.extras.items() if _fits(name := snake(key), node)}
    prompt, plan = text_in(scenario.prompt), text_in(scenario.plan)
    task: Tree = scenario.plan
    if prompt:
        # The simulated user reads the task, so it is told its first words there.
        words = f"Begin the conversation with these words: {prompt}"
        task = Made(f"{plan}\n\n{words}" if plan else words, sources_of(scenario.plan, scenario.prompt), _MERGED)
    elif not plan:
        task = required(GOAL, scenario.node, "conversation_plan", _READER, scenario.plan)
    members: dict[str, Tree] = {"task": task}
    if scenario.persona is not None:
        facts = [{"name": name, "value": text} for name, text in persona_texts(value_of(scenario.persona))]
        members["userFacts"] = remade(scenario.persona, facts, _FACTS) if facts else None
    members["rubrics"] = _rubrics(case, portable)
    # CX Agent Studio requires this list, even if it is empty.
    if "scenarioExpectations" not in own:
        has_value = any(snake(name) == "scenario_expectations" for name in scenario.extras)
        clause = f"{_UNREAD if has_value else missing(_READER)}. evaltui writes an empty list, which expects nothing"
        members["scenarioExpectations"] = added([], scenario.node, "/scenario_expectations", clause, _ADD)
    if case.state:
        members["variableOverrides"] = variables_tree(case.state)
    members["evaluationExpectations"] = criteria_tree(case, portable.names) or None
    return {**own, **present(members)}


def _rubrics(case: PortableCase, portable: PortableSet) -> Tree:
    """The texts of the rubrics that the mapping does not name."""
    unnamed = [rubric for rubric in case.rubrics if text_in(rubric.id) not in portable.names.expectations]
    rubrics = [rubric for rubric in unnamed if text_in(rubric.text)]
    if not rubrics:
        node = unnamed[0].node if unnamed else filled(case.node, "rubrics")
        clause = _ALL_NAMED if case.rubrics and not unnamed else missing(_READER, node)
        return added([_RUBRIC], case.node, "/rubrics", clause, _ADD)
    # Ids and types are items of their own in the report, so that each is one loss.
    for value in sources_of(*(value for rubric in rubrics for value in (rubric.id, rubric.type))):
        portable.fields.leave_out(value, _ONLY_TEXTS)
    return [rubric.text for rubric in rubrics]


def _fits(name: str, node: Node) -> bool:
    """Whether CX Agent Studio accepts a value under a field of a scenario."""
    if name == "max_turns":
        digits = node.source()  # int() refuses thousands of digits, and four decide
        return node.kind == "number" and digits.isdigit() and 1 <= int(digits[:4]) <= 100
    if name not in ("user_facts", "scenario_expectations"):
        return node.text() in _ENUMS.get(name, ())
    if node.kind != "array" or any(item.kind != "object" for item in node.items):
        return False
    if name == "user_facts":
        return all(len(fact.items) == 2 and text_of(fact, "name") and text_of(fact, "value") for fact in node.items)
    # CX Agent Studio itself checks the content of expectations.
    return all(
        len(expectation.items) == 1
        and snake(expectation.items[0].name) in ("tool_expectation", "agent_response")
        and expectation.items[0].kind == "object"
        for expectation in node.items
    )


_ENUMS: Final = {
    "task_completion_behavior": ("TASK_SATISFIED", "TASK_REJECTED"),
    "user_goal_behavior": ("USER_GOAL_SATISFIED", "USER_GOAL_REJECTED", "USER_GOAL_IGNORED"),
    "scenario_execution_mode": ("QUALITY_OPTIMIZED", "SPEED_OPTIMIZED"),
}


def _read(portable: PortableSet) -> None:
    from evaltui.interop.ces.reader import read_evaluations  # noqa: PLC0415 - a conversion reads one format

    read_evaluations(portable)


CES = FormatType(
    source_word="ces_evaluation",
    option="ces",
    title="CX Agent Studio",
    ending=".ces.json",
    holdings=_HOLDINGS,
    read=_read,
    write=write_evaluations,
    case_key="displayName",
)

"""Scenarios of CX Agent Studio, written (`Evaluation.Scenario`)."""

from __future__ import annotations

from typing import Any, Final

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, snake
from evaltui.interop.ces.golden_writer import named_expectations, variables_tree
from evaltui.interop.ces.scenario_options import own_options
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
from evaltui.interop.persona_texts import persona_texts
from evaltui.interop.portable_set import PortableCase, PortableRubric, PortableScenario
from evaltui.interop.resource_names import ResourceNames

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

"""Scenarios, personas and their behaviors."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, scenario_of
from evaltui.evalset.editing.case_parts import PERSONAS, add_behavior, own_persona, write_persona
from evaltui.evalset.editing.revision import Revision, put
from evaltui.evalset.keys import filled, items_of, member, text_of
from evaltui.tui.forms.field_help import help_for
from evaltui.tui.forms.form import Choice, Field, Form, Heading, Item, Link, Write, empty_note
from evaltui.tui.forms.json_form import append, value_line
from evaltui.tui.forms.model_fields import item_link, offer_of, others, text_member, value_member
from evaltui.tui.lines import Line, preview

_FIELDS = ("starting_prompt", "conversation_plan", "user_persona")
_REQUIRED = ("string",)


def scenario_items(eval_set: CaseFile, case: Node) -> list[Item]:
    """The scenario of a case as texts; one line if it is not an object, none if it is absent."""
    scenario = scenario_of(case)
    if scenario is None or scenario.kind != "object":
        return value_member(eval_set, case, "conversation_scenario", "case")
    return [Heading("Scenario"), *_members(eval_set, scenario)]


def _members(eval_set: CaseFile, scenario: Node) -> list[Item]:
    prompts = [text_member(eval_set, scenario, name, "scenario", types=_REQUIRED, block=True) for name in _FIELDS[:2]]
    return [*prompts, _persona(eval_set, scenario), *others(eval_set, scenario, _FIELDS, "")]


def scenario_form(eval_set: CaseFile, scenario: Node, named: str) -> Form:
    """The form of a scenario."""
    return Form(named, _members(eval_set, scenario))


def _persona(eval_set: CaseFile, scenario: Node) -> Item:
    persona = member(scenario, "user_persona")
    if persona is not None and persona.kind == "object":
        link = cast(Link, value_member(eval_set, scenario, "user_persona", "scenario", ("object", "null"))[0])
        name = preview(text_of(persona, "id"), 40) or "no id"
        count = len(items_of(persona, "behaviors"))
        line = [(name, ""), (f"  {count} behavior{'s' * (count != 1)}", "dim")]
        return replace(link, line=line, leads_to_a_form=True)
    field = text_member(eval_set, scenario, "user_persona", "scenario")
    if not isinstance(field, Field):
        return field
    return replace(field, choices=tuple(persona_choices(eval_set, scenario)), is_fixed=True)


CUSTOM = "custom persona"
"""The label of the choice that adds a persona of one's own."""


def persona_choices(eval_set: CaseFile, scenario: Node) -> list[Choice]:
    """The built-in personas, and a custom one."""
    built_in = [
        Choice(name, why, revise=lambda name=name: write_persona(eval_set, scenario, name))  # type: ignore[misc]
        for name, why in PERSONAS.items()
    ]
    own = Choice(CUSTOM, "own behaviors", revise=lambda: write_persona(eval_set, scenario, own_persona()))
    return [*built_in, own]


def persona_form(eval_set: CaseFile, persona: Node, named: str) -> Form:
    """Id, description and behaviors of a persona."""
    behaviors = items_of(persona, "behaviors")
    items: list[Item] = [
        text_member(eval_set, persona, "id", "persona", types=_REQUIRED),
        text_member(eval_set, persona, "description", "persona", types=_REQUIRED, block=True),
        Heading("Behaviors", str(len(behaviors))),
        *(_behavior_link(behavior, named) for behavior in behaviors),
    ]
    if not behaviors:
        items.append(empty_note("No behaviors.", "Press a to add a behavior."))
    items += others(eval_set, persona, ("id", "description", "behaviors"))
    return Form(named, items, add=lambda _: add_behavior(eval_set, persona), adds="behavior")


def _behavior_link(behavior: Node, named: str) -> Link:
    name = preview(text_of(behavior, "name"), 40)
    line: Line = [(f"{name or 'no name'}  ", "name"), (preview(text_of(behavior, "description")), "dim")]
    return item_link(behavior, line, f"behavior {name} of {named}", help_for("persona", "behaviors"))


_LISTS = (("behavior_instructions", "Instructions", "a"), ("violation_rubrics", "Violation rubrics", "A"))
"""The lists of a behavior: name, heading, and the key that adds an item."""


def behavior_form(eval_set: CaseFile, behavior: Node, named: str) -> Form:
    """Name, description and the two lists of texts of a behavior."""
    items: list[Item] = [
        text_member(eval_set, behavior, "name", "behavior", types=_REQUIRED),
        text_member(eval_set, behavior, "description", "behavior", types=_REQUIRED, block=True),
    ]
    for name, heading, key in _LISTS:
        texts = filled(behavior, name)
        if texts is None or texts.kind != "array":
            items += value_member(eval_set, behavior, name, "behavior", ("list",))
            continue
        items += [Heading(heading, str(len(texts.items)))]
        items += [
            replace(value_line(text, f"{named} › {name}"), help=help_for("behavior", name)) for text in texts.items
        ]
        items += [] if texts.items else [empty_note("None.", f"Press {key} to add one.")]
    items += others(eval_set, behavior, ("name", "description", *(name for name, *_ in _LISTS)))
    adding = [_appending(behavior, name, named) for name, *_ in _LISTS]
    items += offer_of([], behavior_choices(behavior, named), named)
    return Form(named, items, add=adding[0], adds="instruction", begins=("behavior", "name"))


def _appending(behavior: Node, name: str, named: str) -> Write:
    def add(_: str) -> Revision:
        texts = filled(behavior, name)
        if texts is None or texts.kind != "array":
            return Revision(f"add {name} to {named}", [put(behavior, name, [""])])
        return append(texts, f"{named} › {name}")

    return add


def behavior_choices(behavior: Node, named: str) -> list[Choice]:
    """The items that can be added to a behavior."""
    rubric = _appending(behavior, "violation_rubrics", named)
    instruction = _appending(behavior, "behavior_instructions", named)
    return [
        Choice("instruction", "tells the simulated user what to do", revise=lambda: instruction("")),
        Choice("violation rubric", "describes a breach of the behavior", revise=lambda: rubric("")),
    ]

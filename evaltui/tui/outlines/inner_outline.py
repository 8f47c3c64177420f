"""A value inside an eval set as a JSON tree, with the forms that google-adk's models ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, is_of_agents
from evaltui.evalset.editing.case_parts import add_app_agent, add_behavior, add_rubric
from evaltui.evalset.editing.field_edits import append_part
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.templates import TEMPLATES
from evaltui.evalset.titles import item_name
from evaltui.tui.forms.form import Field, Form
from evaltui.tui.forms.json_form import json_form
from evaltui.tui.forms.model_fields import offer_of
from evaltui.tui.forms.part_forms import part_form
from evaltui.tui.forms.rubric_form import rubric_form
from evaltui.tui.forms.scenario_form import behavior_choices, behavior_form, persona_form, scenario_form
from evaltui.tui.forms.set_and_case_forms import session_form, state_form
from evaltui.tui.forms.turn_form import content_form, event_form, response_form
from evaltui.tui.outlines.json_outline import JsonOutline
from evaltui.tui.outlines.outline import Naming

_FORMS: dict[str, Callable[[CaseFile, Node, str], Form]] = {
    "session": session_form,
    "state": state_form,
    "rubric": rubric_form,
    "scenario": scenario_form,
    "persona": persona_form,
    "behavior": behavior_form,
    "event": event_form,
    "response": response_form,
    "content": content_form,
    "part": part_form,
}


class InnerOutline(JsonOutline):
    """The rows of a value of an eval set."""

    def __init__(self, eval_set: CaseFile, root: Node, name: str | Callable[[], str]) -> None:
        super().__init__(root, name)
        self.eval_set = eval_set

    def _step(self, node: Node) -> str:
        return self._named(node) if node.key else item_name(node)

    def form(self, node: Node) -> Form:
        """The form for the place of `node`, else the form of any JSON."""
        named = self.path(node)
        form = (
            inner_form(self.eval_set, node, named)
            or field_with_choices(self.eval_set, node, named)
            or json_form(node, named)
        )
        return replace(form, add=lambda name: add_app_agent(node, name), adds="agent") if is_of_agents(node) else form

    def addition(self, node: Node, inside: bool) -> Revision | Naming | None:
        """A new item as google-adk's model requires it, else as in any JSON."""
        if is_of_agents(node):
            return Naming("Name of the new agent", lambda name: add_app_agent(node, name))
        if not inside and (agents := node.parent) is not None and is_of_agents(agents):
            return Naming("Name of the new agent", lambda name: add_app_agent(agents, name, node))
        within = inside or node is self.root
        container = node if within else node.parent
        made = new_item(self.eval_set, container, None if within else node.index() + 1) if container else None
        return made or super().addition(node, inside)


def inner_form(eval_set: CaseFile, node: Node, named: str) -> Form | None:
    """The form for the place of `node`; None for free JSON, and for a value of the wrong type."""
    place = eval_set.place(node)
    make = _FORMS.get(place)
    if make is None or node.kind != ("array" if place == "response" else "object"):
        return None
    form = make(eval_set, node, named)
    if place == "behavior":
        form.items.extend(offer_of([], behavior_choices(node, named), named))
    return form


def field_with_choices(eval_set: CaseFile, node: Node, named: str) -> Form | None:
    """The form of a scalar that is opened alone, with the choices of its field; None if it has no choices."""
    around = node.parent
    form = inner_form(eval_set, around, named) if around is not None and not node.is_container else None
    items = form.items if form is not None else []
    found = next((item for item in items if isinstance(item, Field) and item.node is node and item.choices), None)
    return Form(named, [found]) if found is not None else None


def new_item(eval_set: CaseFile, container: Node, at: int | None) -> Revision | None:
    """A new item of a list that google-adk has a model for; None for other lists."""
    owner = container.parent
    if container.kind != "array" or owner is None:
        return None
    match eval_set.place(container):
        case "rubrics":
            return add_rubric(eval_set, owner, at)
        case "behaviors":
            return add_behavior(eval_set, owner, at)
        case "parts":
            return append_part(container, TEMPLATES["text"], "text", at)
    return None

"""Forms of values inside a case that google-adk has a model for."""

from __future__ import annotations

from collections.abc import Callable

from evaltui.document.node import Node
from evaltui.evalset.editing.part_edits import TEMPLATES, append_part
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.rubric_edits import add_rubric
from evaltui.evalset.editing.scenario_edits import add_behavior
from evaltui.evalset.set_views import EvalSetView, place_of
from evaltui.tui.forms.event_form import content_form, event_form, response_form
from evaltui.tui.forms.form import Field, Form
from evaltui.tui.forms.part_form import part_form
from evaltui.tui.forms.row_lines import offer_of
from evaltui.tui.forms.rubric_form import rubric_form
from evaltui.tui.forms.scenario_form import behavior_choices, behavior_form, persona_form, scenario_form
from evaltui.tui.forms.session_form import session_form

_FORMS: dict[str, Callable[[EvalSetView, Node, str], Form]] = {
    "session": session_form,
    "rubric": rubric_form,
    "scenario": scenario_form,
    "persona": persona_form,
    "behavior": behavior_form,
    "event": event_form,
    "response": response_form,
    "content": content_form,
    "part": part_form,
}


def inner_form(eval_set: EvalSetView, node: Node, named: str) -> Form | None:
    """The form of `node` by its place; None for a value of free form, and for one that is no object there."""
    place = place_of(eval_set, node)
    make = _FORMS.get(place)
    if make is None or node.kind != ("array" if place == "response" else "object"):
        return None
    form = make(eval_set, node, named)
    if place == "behavior":
        form.items.extend(offer_of([], behavior_choices(node, named), named))
    return form


def field_with_choices(eval_set: EvalSetView, node: Node, named: str) -> Form | None:
    """The form of a scalar opened alone, with the choices that the form around it offers; None where it has none."""
    around = node.parent
    form = inner_form(eval_set, around, named) if around is not None and not node.is_container else None
    items = form.items if form is not None else []
    found = next((item for item in items if isinstance(item, Field) and item.node is node and item.choices), None)
    return Form(named, [found]) if found is not None else None


def new_item(eval_set: EvalSetView, container: Node, at: int | None) -> Revision | None:
    """Adds an item to a list that google-adk has a model for; None for other lists."""
    owner = container.parent
    if container.kind != "array" or owner is None:
        return None
    match place_of(eval_set, container):
        case "rubrics":
            return add_rubric(eval_set, owner, at)
        case "behaviors":
            return add_behavior(eval_set, owner, at)
        case "parts":
            return append_part(container, TEMPLATES["text"], "text", at)
    return None

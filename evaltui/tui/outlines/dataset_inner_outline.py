"""A value inside a dataset as a JSON tree, with the forms that agentplatform's models ask for."""

from __future__ import annotations

from collections.abc import Callable

from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.case_parts import add_rubric
from evaltui.evalset.editing.field_edits import append_part
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.templates import TEMPLATES
from evaltui.evalset.titles import item_name
from evaltui.tui.forms.dataset_inner_forms import (
    agent_event_form,
    agent_form,
    answer_form,
    any_content_form,
    dataset_rubric_form,
    rubric_group_form,
    user_scenario_form,
)
from evaltui.tui.forms.form import Field, Form
from evaltui.tui.forms.json_form import json_form
from evaltui.tui.forms.part_forms import part_form
from evaltui.tui.outlines.json_outline import JsonOutline
from evaltui.tui.outlines.outline import Naming

_FORMS: dict[str, Callable[[CaseFile, Node, str], Form]] = {
    "reference": answer_form,
    "response": answer_form,
    "message": agent_event_form,
    "event": agent_event_form,
    "rubric_group": rubric_group_form,
    "rubric": dataset_rubric_form,
    "user_scenario": user_scenario_form,
    "agent": agent_form,
    "content": any_content_form,
    "part": part_form,
}


class DatasetInnerOutline(JsonOutline):
    """The rows of a value of a dataset."""

    def __init__(self, dataset: CaseFile, root: Node, name: str | Callable[[], str]) -> None:
        super().__init__(root, name)
        self.dataset = dataset

    def _step(self, node: Node) -> str:
        return self._named(node) if node.key else item_name(node)

    def form(self, node: Node) -> Form:
        """The form for the place of `node`, else the form of any JSON."""
        named = self.path(node)
        return _form_by_place(self.dataset, node, named) or self._with_choices(node, named) or json_form(node, named)

    def _with_choices(self, node: Node, named: str) -> Form | None:
        """The form of a scalar that is opened alone, with the choices of its field; None if it has no choices."""
        around = node.parent
        form = _form_by_place(self.dataset, around, named) if around is not None and not node.is_container else None
        items = form.items if form is not None else []
        found = next((item for item in items if isinstance(item, Field) and item.node is node and item.choices), None)
        return Form(named, [found]) if found is not None else None

    def addition(self, node: Node, inside: bool) -> Revision | Naming | None:
        """A new item as agentplatform's model requires it, else as in any JSON."""
        within = inside or node is self.root
        container = node if within else node.parent
        at = None if within else node.index() + 1
        if container is not None and container.kind == "array" and container.parent is not None:
            match self.dataset.place(container):
                case "rubrics":
                    return add_rubric(self.dataset, container.parent, at)
                case "parts":
                    return append_part(container, TEMPLATES["text"], "text", at)
        return super().addition(node, inside)


def _form_by_place(dataset: CaseFile, node: Node, named: str) -> Form | None:
    make = _FORMS.get(dataset.place(node))
    return make(dataset, node, named) if make is not None and node.kind == "object" else None

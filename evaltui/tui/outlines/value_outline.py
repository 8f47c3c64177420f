"""A value inside a case as a JSON tree, with the forms and new items of its format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.case_parts import add_app_agent, add_behavior, add_rubric
from evaltui.evalset.editing.field_edits import append_part
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.templates import TEMPLATES
from evaltui.evalset.titles import item_name
from evaltui.tui.forms.form import Choice, Field, Form
from evaltui.tui.forms.json_form import json_form
from evaltui.tui.outlines.case_outline import form_at
from evaltui.tui.outlines.json_outline import JsonOutline


class ValueOutline(JsonOutline):
    """The rows of a value of a file of cases."""

    def __init__(self, case_file: CaseFile, root: Node, name: str | Callable[[], str]) -> None:
        super().__init__(root, name)
        self.case_file = case_file

    def step_name(self, node: Node) -> str:
        """The key, or the id or name of an item: its index changes when others move."""
        return super().step_name(node) if node.key else item_name(node)

    def form(self, node: Node) -> Form:
        """The form for the place of `node`, else the form of any JSON."""
        named = self.path(node)
        form = form_at(self.case_file, node, named) or self._choices_form(node, named) or json_form(node, named)
        if self.case_file.place(node) == "app_agents" and node.kind == "object":
            return replace(form, add=lambda name: add_app_agent(node, name), adds="agent")
        return form

    def _choices_form(self, node: Node, named: str) -> Form | None:
        """The form of a scalar that is opened alone, with the choices of its field; None if it has no choices."""
        around = node.parent
        form = form_at(self.case_file, around, named) if around is not None and not node.is_container else None
        for item in form.items if form is not None else ():
            if isinstance(item, Field) and item.node is node and item.choices:
                return Form(named, [item])
        return None

    def addition(self, node: Node, inside: bool) -> Revision | Choice | None:
        """A new item as the model of its place requires it, else as in any JSON."""
        agents = node if inside or self.case_file.place(node) == "app_agents" else node.parent
        if agents is not None and agents.kind == "object" and self.case_file.place(agents) == "app_agents":
            add = partial(add_app_agent, agents, previous=None if agents is node else node)
            return Choice("agent", write=add, question="Name of the new agent")
        is_within = inside or node is self.root
        container = node if is_within else node.parent
        if container is not None and container.kind == "array" and container.parent is not None:
            index = None if is_within else node.index() + 1
            match self.case_file.place(container):
                case "rubrics":
                    return add_rubric(self.case_file, container.parent, index)
                case "behaviors":
                    return add_behavior(self.case_file, container.parent, index)
                case "parts":
                    return append_part(container, TEMPLATES["text"], "text", index)
        return super().addition(node, inside)

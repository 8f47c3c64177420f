"""A value inside an eval set as a JSON tree, with the forms that google-adk's models ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from evaltui.document.node import Node
from evaltui.evalset.editing.member_edits import add_agent
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.set_views import EvalSetView, is_of_agents
from evaltui.evalset.titles import item_name
from evaltui.tui.forms.form import Form
from evaltui.tui.forms.inner_form import field_with_choices, inner_form, new_item
from evaltui.tui.forms.json_form import json_form
from evaltui.tui.outlines.json_outline import JsonOutline
from evaltui.tui.outlines.outline import Naming


class InnerOutline(JsonOutline):
    """The rows of a value of an eval set."""

    def __init__(self, eval_set: EvalSetView, root: Node, name: str | Callable[[], str]) -> None:
        super().__init__(root, name)
        self.eval_set = eval_set

    def _step(self, node: Node) -> str:
        return self._named(node) if node.key else item_name(node)

    def form(self, node: Node) -> Form:
        """The form by the place of `node`, else that of any JSON."""
        named = self.path(node)
        form = (
            inner_form(self.eval_set, node, named)
            or field_with_choices(self.eval_set, node, named)
            or json_form(node, named)
        )
        return replace(form, add=lambda name: add_agent(node, name), adds="agent") if is_of_agents(node) else form

    def addition(self, node: Node, inside: bool) -> Revision | Naming | None:
        """An item as google-adk's model has it, else as in any JSON."""
        if is_of_agents(node):
            return Naming("Name of the new agent", lambda name: add_agent(node, name))
        if not inside and (agents := node.parent) is not None and is_of_agents(agents):
            return Naming("Name of the new agent", lambda name: add_agent(agents, name, node))
        within = inside or node is self.root
        container = node if within else node.parent
        made = new_item(self.eval_set, container, None if within else node.index() + 1) if container else None
        return made or super().addition(node, inside)

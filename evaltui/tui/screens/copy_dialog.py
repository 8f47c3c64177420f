"""Asks in which form to copy a row or a value."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from evaltui.document import Node
from evaltui.evalset.content import plain_text
from evaltui.evalset.eval_set import EvalCase, Invocation
from evaltui.tui.commands import bindings, commands_at
from evaltui.tui.forms.copying import json_of
from evaltui.tui.forms.values import shown_text
from evaltui.tui.session.session import Session
from evaltui.tui.widgets.answer_button import answer_button


class CopyDialog(ModalScreen[tuple[str, str]]):
    """Gives the name of the form and the text, or None."""

    PLACE = "copy"
    BINDINGS = bindings("copy")

    def __init__(self, session: Session, node: Node) -> None:
        super().__init__()
        self._forms = copy_forms(session, node)

    def compose(self) -> ComposeResult:
        """The forms there are of this node."""
        with Vertical(classes="dialog"):
            yield Static(Content("Copy"), markup=False)
            for command in commands_at("copy"):
                form = command.action.split("'")[1]
                if form in self._forms or not form:
                    yield answer_button(command)

    def action_take(self, form: str) -> None:
        """Close with a form; those that the node does not have are none of the answers."""
        if form in self._forms:
            self.dismiss((form, self._forms[form]))
        elif not form:
            self.dismiss(None)


def copy_forms(session: Session, node: Node) -> dict[str, str]:
    """The forms in which a node can be copied, with their texts."""
    forms = {"JSON": json_of(node)}
    if (root := session.document.root) is not None and node.is_in(root):
        forms["pointer"] = node.pointer()
    text = _spoken(session, node)
    if text:
        forms["text"] = text
    eval_set = session.eval_set
    case = eval_set.enclosing(node, "case") if eval_set is not None else None
    if case is not None and EvalCase(case).eval_id and session.document.path is not None:
        forms["selector"] = f"{session.document.path}:{EvalCase(case).eval_id}"
    return forms


def _spoken(session: Session, node: Node) -> str:
    """The text of a string; of a turn or a case, what is said in it."""
    if node.kind == "string":
        return shown_text(node)
    kind = session.eval_set.kind(node) if session.eval_set is not None else "value"
    turns = EvalCase(node).invocations if kind == "case" else [node] if kind == "turn" else []
    said = [plain_text(content) for at in map(Invocation, turns) for content in (at.user_content, at.final_response)]
    return "\n\n".join(filter(None, said))

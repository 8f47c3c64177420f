"""How the parts of an eval set are called in sentences: `book_flight › turn 2 › tool call 1`."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.keys import text_of
from evaltui.evalset.set_views import EvalCaseView, EvalSetView, InvocationView
from evaltui.printable import one_line

STEP = " › "
"""Between the names of things that stand in each other."""


def case_title(node: Node) -> str:
    """The id of a case, or its place where it has none."""
    return one_line(EvalCaseView(node).eval_id, 60) or f"case {node.index() + 1}"


def title(eval_set: EvalSetView, node: Node) -> str:
    """What `node` is called, from its case down; the set by its id."""
    steps: list[str] = []
    for at in (node, *node.ancestors()):
        kind = eval_set.kind(at)
        if kind == "call":
            steps.append(f"tool call {_call_number(eval_set, at)}")
        elif kind == "turn":
            steps.append(f"turn {at.index() + 1}")
        elif kind == "case":
            steps.append(case_title(at))
    return STEP.join(reversed(steps)) or one_line(text_of(eval_set.root, "eval_set_id"), 60) or "the eval set"


def _call_number(eval_set: EvalSetView, node: Node) -> int:
    turn = eval_set.enclosing(node, "turn")
    calls = [use.node for use in InvocationView(turn).tool_uses.calls] if turn is not None else []
    return calls.index(node) + 1 if node in calls else 0

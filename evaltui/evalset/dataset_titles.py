"""Titles of values of an EvaluationDataset in sentences: `book_flight › turn 2 › event 1`."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.keys import snake, text_of
from evaltui.evalset.set_views import list_of_cases
from evaltui.evalset.titles import STEP
from evaltui.printable import one_line

_ITEMS = {"turns": "turn", "events": "event", "responses": "response", "rubrics": "rubric"}
"""What the items of lists are called; others have no step of their own."""


def dataset_title(node: Node) -> str:
    """Title of the case around `node`, with the turn, event, response or rubric that it is in."""
    steps: list[str] = []
    root = next(reversed([node, *node.ancestors()]))
    cases = list_of_cases(root) if root.kind == "object" else None
    for at in (node, *node.ancestors()):
        if at.parent is None or at.parent.kind != "array":
            continue
        if at.parent is cases:
            steps.append(one_line(text_of(at, "eval_case_id"), 60) or f"case {at.index() + 1}")
        elif (name := _ITEMS.get(snake(at.parent.name))) is not None:
            steps.append(f"{name} {at.index() + 1}")
    return STEP.join(reversed(steps)) or "the dataset"

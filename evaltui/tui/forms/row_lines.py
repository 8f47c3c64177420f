"""Lines that forms share: cases, turns and calls that they list, and the line that offers all that is absent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evaltui.document.node import Node
from evaltui.evalset.call_views import ToolUse
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.row_edits import delete_value
from evaltui.evalset.set_views import EvalCaseView, EvalSetView, InvocationView
from evaltui.tui.forms.form import Choice, Item, Link, Note, Offer
from evaltui.tui.forms.values import summary
from evaltui.tui.lines import Line, dim, preview

_MANY = 200
"""So many cases or turns a form lists; the tree has them all."""


def listed(eval_set: EvalSetView, nodes: Sequence[Node], line: Callable[[Node], Line], empty: str) -> list[Item]:
    """A link for each case or turn, and where there are many a note that the tree has the rest."""
    links: list[Item] = [_listed(eval_set, node, line(node)) for node in nodes[:_MANY]]
    if len(nodes) > _MANY:
        links.append(Note(dim(f"… {len(nodes) - _MANY} more in the tree")))
    return links or [Note(dim(empty))]


def _listed(eval_set: EvalSetView, node: Node, line: Line) -> Link:
    return Link(
        node,
        line,
        node,
        node=node,
        delete=lambda: delete_value(eval_set, node),
        move=lambda step: moved_row(eval_set, node, step),
    )


def moved_row(eval_set: EvalSetView, node: Node, step: int) -> Revision:
    """A revision that moves a case, turn or call as alt+↑ and alt+↓ do in the tree."""
    from evaltui.evalset.editing.row_edits import move_row

    return move_row(eval_set, node, step)


def case_line(node: Node) -> Line:
    """A case in one line: its id."""
    return [(preview(EvalCaseView(node).eval_id, 80) or f"case {node.index() + 1} without an id", "")]


def turn_line(node: Node) -> Line:
    """A turn in one line: its number and the start of the user's words."""
    return [(f"{node.index() + 1} ", "dim"), (preview(InvocationView(node).user_text) or "no user text", "")]


def call_line(use: ToolUse) -> Line:
    """A tool call as it is shown everywhere: `name  key=value key=value`."""
    args = use.args
    shown: Line = [(preview(use.name, 60) or "unnamed call", "name")]
    if args is None:
        return [*shown, ("  no args", "dim")]
    for item in args.items[:8]:
        shown += [(f"  {preview(item.name, 24)}=", "dim"), *summary(item, 30)]
    return shown


def offer_of(absent: Sequence[str], choices: Sequence[Choice], to: str) -> list[Item]:
    """A compact last line: `session input · rubrics: absent, enter adds`."""
    if not choices:
        return []
    line = [(f"{' · '.join(absent)}: absent, enter adds", "dim")] if absent else [("enter adds more", "dim")]
    return [Offer("more", line, f"Add to {to}", tuple(choices))]

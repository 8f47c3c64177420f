"""The forms of a set, a case and a turn."""

from __future__ import annotations

from evaltui.document import Node
from evaltui.evalset.authoring import add_case, add_turn, write_member
from evaltui.evalset.calling import add_call, delete_answer, delete_call
from evaltui.evalset.eval_set import EvalCase, EvalSet, Invocation
from evaltui.evalset.keys import camel, filled, items_of, text_of
from evaltui.evalset.titles import title
from evaltui.evalset.tool_uses import Pairing, ToolUse
from evaltui.tui.forms.form import Field, Form, Heading, Item, Link, Note
from evaltui.tui.forms.texts import content_items
from evaltui.tui.forms.values import summary
from evaltui.tui.lines import FILL, Line, dim, preview

_SET_FIELDS = ("eval_set_id", "name", "description", "eval_cases")
_CASE_FIELDS = ("eval_id", "conversation")
_TURN_FIELDS = ("invocation_id", "user_content", "final_response")
_MANY = 200
"""So many cases or turns a form lists; the tree has them all."""


def set_form(eval_set: EvalSet) -> Form:
    """The form of the set itself."""
    root = eval_set.root
    items: list[Item] = [_line_field(eval_set, root, name) for name in _SET_FIELDS[:3]]
    items += [Heading("Cases", str(len(eval_set.cases)))]
    items += _listed([_case_line(case) for case in eval_set.cases[:_MANY]], eval_set.cases, "No cases. a adds one.")
    items += _others(root, _SET_FIELDS)
    return Form(title(eval_set, root), items, add=lambda _: add_case(eval_set, None), adds="case")


def case_form(eval_set: EvalSet, node: Node) -> Form:
    """The form of a case."""
    case = EvalCase(node)
    items: list[Item] = [_line_field(eval_set, node, "eval_id")]
    if case.scenario is None or case.invocations:
        turns = case.invocations
        items += [Heading("Turns", str(len(turns)))]
        items += _listed([turn_line(turn) for turn in turns[:_MANY]], turns, "No turns. a adds one.")
    items += _others(node, _CASE_FIELDS)
    return Form(title(eval_set, node), items, add=lambda _: add_turn(eval_set, node, None), adds="turn")


def turn_form(eval_set: EvalSet, node: Node) -> Form:
    """The form of a turn: what the user says, the calls, what the agent should answer."""
    uses = Invocation(node).tool_uses
    items = content_items(eval_set, node, "user_content")
    items.append(Heading("Tool calls", f"{len(uses.calls)} call{'s' * (len(uses.calls) != 1)}"))
    items += [_call_link(eval_set, use, number) for number, use in enumerate(uses.calls, 1)]
    items += [] if uses.calls else [Note(dim("No tool calls. a adds one."))]
    items += [_orphan_link(eval_set, orphan, number) for number, orphan in enumerate(uses.orphans)]
    items += content_items(eval_set, node, "final_response")
    items += [Heading("Turn"), _line_field(eval_set, node, "invocation_id"), *_others(node, _TURN_FIELDS)]
    return Form(title(eval_set, node), items, add=lambda _: add_call(eval_set, node), adds="tool call")


def _line_field(eval_set: EvalSet, owner: Node, name: str) -> Field | Link:
    value = filled(owner, name)
    if value is not None and value.kind != "string":
        return Link(name, [(f"{name}  ", "name"), *summary(value)], value)
    return Field(
        name,
        name,
        text_of(owner, name),
        lambda text: write_member(eval_set, owner, name, text),
        kind="text" if value is not None else "absent",
        placeholder="empty" if value is not None else "absent",
    )


def _listed(lines: list[Line], nodes: list[Node], empty: str) -> list[Item]:
    links: list[Item] = [Link(node, line, node) for line, node in zip(lines, nodes, strict=False)]
    if len(nodes) > _MANY:
        links.append(Note(dim(f"… {len(nodes) - _MANY} more in the tree")))
    return links or [Note(dim(empty))]


def _case_line(node: Node) -> Line:
    return [(preview(EvalCase(node).eval_id, 80) or f"case {node.index() + 1} without an id", "")]


def turn_line(node: Node) -> Line:
    """A turn in one line: its number and the start of the user's words."""
    return [(f"{node.index() + 1} ", "dim"), (preview(Invocation(node).user_text) or "no user text", "")]


def _call_link(eval_set: EvalSet, use: ToolUse, number: int) -> Link:
    marks = {Pairing.ANSWERED: ("⇄ answered", "dim"), Pairing.BY_ORDER: ("⇄ by order", "dim")}
    mark = marks.get(use.pairing, (use.pairing.value, "warning"))
    identity = (f"  id {preview(use.id, 20) or '–'}  ", "dim")
    line: Line = [(f"{number} ", "dim"), *call_line(use), ("", FILL), identity, mark, (" ", "")]
    return Link(("call", use.node), line, use.node, delete=lambda: delete_call(eval_set, use))


def _orphan_link(eval_set: EvalSet, orphan: Node, number: int) -> Link:
    line: Line = [("! answer without a call  ", "warning"), *_named(orphan)]
    return Link(("orphan", number), line, orphan, delete=lambda: delete_answer(eval_set, orphan))


def call_line(use: ToolUse) -> Line:
    """A tool call as it is shown everywhere: `name  key=value key=value`."""
    args = use.args
    shown: Line = [(preview(use.name, 60) or "unnamed call", "name")]
    if args is None:
        return [*shown, ("  no args", "dim")]
    for item in args.items[:8]:
        shown += [(f"  {preview(item.name, 24)}=", "dim"), *summary(item, 30)]
    return shown


def _named(node: Node) -> Line:
    return [(preview(text_of(node, "name"), 40), "name"), (f"  id {preview(text_of(node, 'id'), 24) or '–'}", "dim")]


def _others(owner: Node, edited_above: tuple[str, ...]) -> list[Item]:
    """All other members, each a way into its values; what has no form of its own yet is never hidden."""
    known = {*edited_above, *map(camel, edited_above)}
    rest = [item for item in owner.items if item.name not in known]
    if not rest:
        return []
    heading: list[Item] = [] if owner.parent is not None and items_of(owner, "parts") else [Heading("More")]
    return heading + [Link(node, [(f"{preview(node.name, 40)}  ", "name"), *summary(node)], node) for node in rest]

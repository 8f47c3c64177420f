"""Titles of values in sentences: `book_flight › turn 2 › tool call 1 › args.flight_id`."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.call_views import expected_uses
from evaltui.evalset.case_file import CaseFile, case_file_of
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.keys import snake, text_of
from evaltui.printable import one_line

STEP = " › "
"""Separates the steps of a title, outermost first."""


def case_title(node: Node) -> str:
    """The id of a case of an eval set or dataset, or its number if it has no id."""
    identifier = text_of(node, "eval_id") or text_of(node, "eval_case_id")
    return one_line(identifier, 60) or f"case {node.index() + 1}"


def title(case_file: CaseFile, node: Node) -> str:
    """Title of the row at or around `node`: case, turn, and tool call or event. An eval set is named by its id."""
    steps: list[str] = []
    for row in (node, *node.ancestors()):
        kind = case_file.kind(row)
        if kind == "call":
            steps.append(f"tool call {_call_number(case_file, row)}")
        elif kind in ("turn", "event"):
            steps.append(f"{kind} {row.index() + 1}")
        elif kind == "case":
            steps.append(one_line(case_file.case_id(row), 60) or f"case {row.index() + 1}")
    name = one_line(text_of(case_file.root, "eval_set_id"), 60)
    return STEP.join(reversed(steps)) or name or f"the {case_file.format.noun}"


def _call_number(eval_set: CaseFile, node: Node) -> int:
    """Number, from 1, of a tool call or of the call that `node` responds to; 0 for any other value."""
    turn = eval_set.enclosing(node, "turn")
    uses = expected_uses(turn) if turn is not None else []
    return next((number for number, use in enumerate(uses, 1) if node in (use.node, use.response)), 0)


_TEXTS = {"user_content": "user message", "final_response": "response", "prompt": "prompt"}
"""Names for the texts of contents; other fields are named by their keys."""


def field_title(eval_set: CaseFile, node: Node) -> str:
    """Title of `node`: case, turn and tool call, then the keys below. Items count from 0."""
    for outer in (node, *node.ancestors()):
        kind = eval_set.kind(outer)
        # A response stands in a list of its own; people know it by its call.
        is_answer = kind == "value" and outer.kind == "object" and outer.member("response") is not None
        if is_answer and (number := _call_number(eval_set, outer)):
            return STEP.join([title(eval_set, outer), f"tool call {number}", _field(outer, node)])
        if kind != "value":
            return STEP.join(filter(None, [title(eval_set, outer), _field(outer, node)]))
    return _field(eval_set.root, node)


def place_title(node: Node) -> str:
    """Title of a value of any document: `field_title` in a file of cases, its keys in other JSON."""
    *_, root = node, *node.ancestors()
    cases = case_file_of(root)
    return field_title(cases, node) if cases is not None else _field(root, node) or "the whole file"


def _field(top: Node, node: Node) -> str:
    """The keys from `top` down to `node`: `args.passengers[0].name`."""
    way = [node, *node.ancestors()]
    way = way[: way.index(top)][::-1]
    names = [snake(step.name) for step in way if step.key]
    # `final_response.parts[0].text` is the response for everybody who does not write JSON.
    if len(way) == 4 and names[0] in _TEXTS and names[1:] == ["parts", "text"]:
        part = way[2]
        several = part.parent is not None and len(part.parent.items) > 1
        return f"{_TEXTS[names[0]]} {part.index() + 1}" if several else _TEXTS[names[0]]
    steps = (f".{one_line(step.name, 40)}" if step.key else f"[{step.index()}]" for step in way)
    return "".join(steps).removeprefix(".")


_IDS = {
    **{"rubric": "rubric_id", "persona": "id", "behavior": "name", "event": "", "message": "", "response": ""},
    **{"agent": "", "rubric_group": ""},
}
"""Places whose values are named in sentences, with the key of their name; "" if their own key is the name."""


def called(case_file: CaseFile, node: Node) -> str:
    """Name of `node` in sentences: its rubric, persona, event or agent, then the title of its row."""
    place = case_file.place(node)
    if place not in _IDS or case_file.kind(node) != "value":
        return title(case_file, node)
    name = one_line(text_of(node, _IDS[place]) if _IDS[place] else node.name, 40)
    name = name or ("" if place == "persona" else str(node.index() + 1))  # a scenario has one persona
    return f"{place.replace('_', ' ')} {name}".rstrip() + f" of {title(case_file, node)}"


def row_name(node: Node) -> str:
    """Title of an item within its list: `refund`, `turn 2`, `tool call 1`; for other values their `item_name`."""
    *_, root = node, *node.ancestors()
    cases = case_file_of(root) or CaseFile(root, EVAL_SET)
    return item_name(node) if cases.kind(node) == "value" else title(cases, node).rpartition(STEP)[2]


def item_name(node: Node) -> str:
    """Name of an item in titles: its id or name, else its number from 1, because turns count from 1."""
    names = (text_of(node, name) for name in ("rubric_id", "name", "id", "author") if node.kind == "object")
    return next((line for name in names if (line := one_line(name, 40))), str(node.index() + 1))


def counted_kind(kind: str, count: int) -> str:
    """A number of rows in words: `1 case`, `3 tool calls`."""
    return f"{count} {'tool call' if kind == 'call' else kind}{'s' * (count != 1)}"

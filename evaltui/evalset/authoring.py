"""Changes of sets, cases and turns as revisions: one undo step each, in the file's own manner."""

from __future__ import annotations

from evaltui.document import Edit, Insert, Node, Remove, Set, json_text
from evaltui.evalset.content import Part
from evaltui.evalset.eval_set import EvalCase, EvalSet
from evaltui.evalset.keys import filled, key_for, member
from evaltui.evalset.revision import Revision, model_of, put
from evaltui.evalset.templates import content, new_case, new_turn
from evaltui.evalset.titles import case_title, title

_ROLES = {"user_content": "user", "final_response": "model"}


def write_member(eval_set: EvalSet, owner: Node, name: str, text: str) -> Revision:
    """Give a set, a case or a turn another text in the member `name`."""
    return Revision(f"edit {name} of {title(eval_set, owner)}", [put(owner, name, text)])


def write_part(eval_set: EvalSet, part: Part, text: str, what: str) -> Revision:
    """Give a text part another text; `what` names it in the label."""
    owner = eval_set.enclosing(part.node, "turn") or eval_set.root
    return Revision(f"edit {what} of {title(eval_set, owner)}", [put(part.node, "text", text)])


def write_first_text(eval_set: EvalSet, turn: Node, name: str, text: str, what: str) -> Revision:
    """Give the content `name` of a turn its first text part, making what is missing around it."""
    label = f"edit {what} of {title(eval_set, turn)}"
    existing = filled(turn, name)
    parts = filled(existing, "parts")
    edit: Edit
    if existing is None or existing.kind != "object":
        model = member(model_of(turn), name)
        edit = put(turn, name, content(model, _ROLES[name], text))
    elif parts is None or parts.kind != "array":
        edit = put(existing, "parts", [{"text": text}])
    else:
        edit = Insert(f"{parts.pointer()}/-", json_text({"text": text}))
    return Revision(label, [edit])


def add_case(eval_set: EvalSet, after: Node | None) -> Revision:
    """A new case behind `after`, else at the end of the set."""
    value = new_case(eval_set, after)
    index = after.index() + 1 if after is not None else len(eval_set.cases)
    cases = member(eval_set.root, "eval_cases")
    label = f"add case {value.get('eval_id') or value.get('evalId')}"
    if cases is None or cases.kind != "array":
        return Revision(label, [put(eval_set.root, "eval_cases", [value])])
    return Revision(label, [Insert(f"{cases.pointer()}/{index}", json_text(value))])


def add_turn(eval_set: EvalSet, case: Node, after: Node | None) -> Revision:
    """A new turn behind `after`, else at the end of the case."""
    value = new_turn(EvalCase(case), after)
    turns = filled(case, "conversation")
    label = f"add turn to {case_title(case)}"
    if turns is None or turns.kind != "array":
        return Revision(label, [_set_or_insert(case, "conversation", [value])])
    index = after.index() + 1 if after is not None else len(turns.items)
    return Revision(label, [Insert(f"{turns.pointer()}/{index}", json_text(value))])


def _set_or_insert(owner: Node, name: str, value: object) -> Edit:
    existing = member(owner, name)
    if existing is not None:
        return Set(existing.pointer(), json_text(value))
    return Insert(f"{owner.pointer()}/{key_for(owner, name)}", json_text(value))


def delete(eval_set: EvalSet, node: Node) -> Revision:
    """Take a case, a turn or any other value out; tool calls are deleted by `calling.delete_call`."""
    kind = eval_set.kind(node)
    named = title(eval_set, node) if kind != "value" else node.name or f"item {node.index() + 1}"
    return Revision(f"delete {'case ' if kind == 'case' else ''}{named}", [Remove(node.pointer())])

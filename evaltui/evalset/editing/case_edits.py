"""Changes of sets, cases and turns as revisions: one undo step each, in the file's own manner."""

from __future__ import annotations

from typing import Any

from evaltui.document import Edit, EditError, Insert, Node, Remove, json_text
from evaltui.evalset.content import Part
from evaltui.evalset.editing.member_edits import make
from evaltui.evalset.editing.revision import Revision, model_of, put, written_like
from evaltui.evalset.editing.templates import new_case, new_turn, session_like, text_content
from evaltui.evalset.eval_set import EvalCase, EvalSet
from evaltui.evalset.keys import filled, member
from evaltui.evalset.places import called
from evaltui.evalset.titles import case_title, title
from evaltui.printable import one_line

_ROLES = {"user_content": "user", "final_response": "model"}


def write_member(eval_set: EvalSet, owner: Node, name: str, text: str) -> Revision:
    """Give a set, a case or a turn another text in the member `name`."""
    return Revision(f"edit {name} of {called(eval_set, owner)}", [put(owner, name, text)])


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
        edit = put(turn, name, text_content(filled(model_of(turn), name), _ROLES[name], text))
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
    label = f"add case {one_line(value.get('eval_id') or value.get('evalId', ''), 60)}"
    if cases is None or cases.kind != "array":
        return Revision(label, [put(eval_set.root, "eval_cases", [value])])
    return Revision(label, [Insert(f"{cases.pointer()}/{index}", json_text(value))])


def takes_turns(case: Node) -> bool:
    """Whether a case is one of turns: google-adk rejects one that has both turns and a scenario."""
    return EvalCase(case).scenario is None or bool(EvalCase(case).invocations)


def add_turn(eval_set: EvalSet, case: Node, after: Node | None) -> Revision:
    """A new turn behind `after`, else at the end of the case.

    Raises `EditError` for a case that google-adk plays from a scenario: it rejects one that has both.
    """
    if not takes_turns(case):
        raise EditError("this case is played from its scenario, and a case has either a scenario or turns")
    value = new_turn(EvalCase(case), after)
    turns = filled(case, "conversation")
    label = f"add turn to {case_title(case)}"
    if turns is None or turns.kind != "array":
        return Revision(label, [put(case, "conversation", [value])])
    index = after.index() + 1 if after is not None else len(turns.items)
    return Revision(label, [Insert(f"{turns.pointer()}/{index}", json_text(value))])


def delete(eval_set: EvalSet, node: Node) -> Revision:
    """Take a case, a turn or any other value out; tool calls are deleted by `calling.delete_call`."""
    kind = eval_set.kind(node)
    named = title(eval_set, node) if kind != "value" else one_line(node.name, 40) or f"item {node.index() + 1}"
    has_an_id = kind == "case" and one_line(EvalCase(node).eval_id)
    return Revision(f"delete {'case ' if has_an_id else ''}{named}", [Remove(node.pointer())])


def add_session(eval_set: EvalSet, case: Node) -> Revision:
    """A session input for a case, with the app and user of a case nearby."""
    at = case.index()
    nearby = [*reversed(eval_set.cases[max(0, at - 4) : at]), *eval_set.cases[at + 1 : at + 4]]
    model = next(filter(None, (filled(near, "session_input") for near in nearby)), None)
    empty: dict[str, Any] = {"app_name": "", "user_id": "user"}
    value = session_like(model) if model is not None else written_like(None, case, empty)
    return make(eval_set, case, "session_input", value)

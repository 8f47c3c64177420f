"""Additions to a set: cases, turns and sessions, each like its neighbours."""

from __future__ import annotations

from typing import Any

from evaltui.document.edits import Insert, json_text
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.editing.member_edits import fill_member
from evaltui.evalset.editing.revision import Revision, put, written_like
from evaltui.evalset.editing.templates import new_case, new_turn, session_like
from evaltui.evalset.keys import filled, member
from evaltui.evalset.set_views import EvalCaseView, EvalSetView
from evaltui.evalset.titles import case_title
from evaltui.printable import one_line


def add_case(eval_set: EvalSetView, after: Node | None) -> Revision:
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
    return EvalCaseView(case).scenario is None or bool(EvalCaseView(case).invocations)


def add_turn(eval_set: EvalSetView, case: Node, after: Node | None) -> Revision:
    """A new turn behind `after`, else at the end of the case.

    Raises `EditError` for a case that google-adk plays from a scenario: it rejects one that has both.
    """
    if not takes_turns(case):
        raise EditError("this case is played from its scenario, and a case has either a scenario or turns")
    value = new_turn(EvalCaseView(case), after)
    turns = filled(case, "conversation")
    label = f"add turn to {case_title(case)}"
    if turns is None or turns.kind != "array":
        return Revision(label, [put(case, "conversation", [value])])
    index = after.index() + 1 if after is not None else len(turns.items)
    return Revision(label, [Insert(f"{turns.pointer()}/{index}", json_text(value))])


def add_session(eval_set: EvalSetView, case: Node) -> Revision:
    """A session input for a case, with the app and user of a case nearby."""
    at = case.index()
    nearby = [*reversed(eval_set.cases[max(0, at - 4) : at]), *eval_set.cases[at + 1 : at + 4]]
    model = next(filter(None, (filled(near, "session_input") for near in nearby)), None)
    empty: dict[str, Any] = {"app_name": "", "user_id": "user"}
    value = session_like(model) if model is not None else written_like(None, case, empty)
    return fill_member(eval_set, case, "session_input", value)

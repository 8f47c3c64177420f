"""The session input of a case: fields of the case's own form, and a form where it is opened alone."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.editing.member_edits import fill_member
from evaltui.evalset.keys import member
from evaltui.evalset.set_views import EvalSetView
from evaltui.tui.forms.form import Choice, Form, Heading, Item
from evaltui.tui.forms.member_lines import others, text_member, value_member

_FIELDS = ("app_name", "user_id", "session_id")


def session_items(eval_set: EvalSetView, case: Node) -> list[Item]:
    """The session of a case; one line where it is null, nothing where it is absent."""
    session = member(case, "session_input")
    if session is None or session.kind != "object":
        return value_member(eval_set, case, "session_input", "case")
    return [Heading("Session input"), *_members(eval_set, session)]


def _members(eval_set: EvalSetView, session: Node) -> list[Item]:
    required = ("text",)
    fields: list[Item] = [text_member(eval_set, session, name, "session", types=required) for name in _FIELDS[:2]]
    if member(session, "session_id") is not None:
        fields.append(text_member(eval_set, session, "session_id", "session"))
    fields += value_member(eval_set, session, "state", "session", ("object",))
    return fields + others(eval_set, session, (*_FIELDS, "state"), "")


def session_choices(eval_set: EvalSetView, session: Node) -> list[Choice]:
    """The members that a session has not got yet."""
    found: list[Choice] = []
    if member(session, "session_id") is None:
        found.append(Choice("session id", revise=lambda: fill_member(eval_set, session, "session_id", "")))
    if member(session, "state") is None:
        found.append(Choice("session state", revise=lambda: fill_member(eval_set, session, "state", {})))
    return found


def session_form(eval_set: EvalSetView, session: Node, named: str) -> Form:
    """The form of a session input."""
    return Form(named, _members(eval_set, session))

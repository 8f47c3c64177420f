"""The forms of an eval set, of its cases, and of the session input of a case."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, scenario_of, turns_of
from evaltui.evalset.editing.case_parts import add_rubric, to_conversation, to_scenario
from evaltui.evalset.editing.field_edits import fill_member
from evaltui.evalset.editing.row_moves import delete_value, move_row
from evaltui.evalset.editing.templates import add_case, add_session, add_turn, takes_turns
from evaltui.evalset.keys import filled, member
from evaltui.evalset.titles import title
from evaltui.tui.forms.field_help import help_for
from evaltui.tui.forms.form import Choice, Form, Heading, Item, Link, Note, empty_note
from evaltui.tui.forms.json_form import fields_form
from evaltui.tui.forms.line_texts import case_line, turn_line
from evaltui.tui.forms.model_fields import (
    another_key,
    creation_time,
    number_member,
    offer_of,
    others,
    text_member,
    value_member,
)
from evaltui.tui.forms.rubric_form import rubric_items
from evaltui.tui.forms.scenario_form import CUSTOM, persona_choices, scenario_items
from evaltui.tui.lines import Line, dim

_SET_FIELDS = ("eval_set_id", "name", "description", "creation_timestamp", "eval_cases")
_CASE_FIELDS = (
    "eval_id", "conversation", "conversation_scenario", "session_input", "rubrics", "final_session_state",
    "creation_timestamp",
)  # fmt: skip
_SESSION_FIELDS = ("app_name", "user_id", "session_id")
_MANY = 200
"""The most cases or turns in a form; the tree has all of them."""


def set_form(eval_set: CaseFile) -> Form:
    """Id, name, description, time of creation, and the cases."""
    root = eval_set.root
    items: list[Item] = [text_member(eval_set, root, "eval_set_id", "set", types=("string",))]
    items += [text_member(eval_set, root, name, "set") for name in _SET_FIELDS[1:3]]
    choices: list[Choice] = []
    if member(root, "creation_timestamp") is not None:
        items.append(number_member(eval_set, root, "creation_timestamp", "set", is_date=True))
    else:
        choices.append(creation_time(eval_set, root))
    items += [Heading("Cases", str(len(eval_set.cases)))]
    items += _listed(eval_set, eval_set.cases, lambda case: case_line(eval_set, case)[:1], "No cases.")
    items += others(eval_set, root, _SET_FIELDS)
    items += offer_of(["creation time"] if choices else [], choices, title(eval_set, root))
    return Form(title(eval_set, root), items, add=lambda _: add_case(eval_set, None), adds="case")


def _listed(
    eval_set: CaseFile, nodes: Sequence[Node], line: Callable[[Node], Line], empty: str, help: str = ""
) -> list[Item]:
    """A link for each case or turn; a note if there are none, or more than the form shows."""
    links: list[Item] = [_row_link(eval_set, node, line(node), help) for node in nodes[:_MANY]]
    if len(nodes) > _MANY:
        links.append(Note(dim(f"… {len(nodes) - _MANY} more in the tree")))
    return links or [empty_note(empty, "Press a to add one.")]


def _row_link(eval_set: CaseFile, node: Node, line: Line, help: str) -> Link:
    return Link(
        node,
        line,
        node,
        node=node,
        delete=lambda: delete_value(eval_set, node),
        move=lambda step: move_row(eval_set, node, step),
        help=help,
    )


def case_form(eval_set: CaseFile, node: Node) -> Form:
    """Id, turns or scenario, session, rubrics and all other keys of a case; the last line offers absent ones."""
    items: list[Item] = [text_member(eval_set, node, "eval_id", "case", types=("string",))]
    items += scenario_items(eval_set, node)
    items += _turn_items(eval_set, node)
    items += _session_items(eval_set, node)
    items += rubric_items(eval_set, node, "case")
    rest = value_member(eval_set, node, "final_session_state", "case")
    if member(node, "creation_timestamp") is not None:
        rest.append(number_member(eval_set, node, "creation_timestamp", "case", is_date=True))
    rest += others(eval_set, node, _CASE_FIELDS, "")
    items += [Heading("More"), *rest] if rest else []
    items += offer_of(_absent(eval_set, node), _choices(eval_set, node), title(eval_set, node))
    return Form(
        title(eval_set, node),
        items,
        add=lambda _: add_turn(eval_set, node, None),
        adds="turn" if takes_turns(node) else "",
        begins=("case", "eval_id"),
    )


def _turn_items(eval_set: CaseFile, node: Node) -> list[Item]:
    turns = turns_of(node)
    if scenario_of(node) is not None and not turns:
        return value_member(eval_set, node, "conversation", "case", ("list", "null"))
    conversation = filled(node, "conversation")
    if conversation is not None and conversation.kind != "array":
        return value_member(eval_set, node, "conversation", "case", ("list", "null"))
    help = help_for("case", "conversation")
    return [
        Heading("Turns", str(len(turns))),
        *_listed(eval_set, turns, partial(turn_line, eval_set), "No turns.", help),
    ]


def _absent(eval_set: CaseFile, node: Node) -> list[str]:
    words = {
        "session_input": "session input",
        "rubrics": "rubrics",
        "final_session_state": "final state",
        "creation_timestamp": "creation time",
    }
    absent = [word for name, word in words.items() if member(node, name) is None]
    session = filled(node, "session_input")
    of_session = _session_choices(eval_set, session) if session is not None and session.kind == "object" else []
    return [*(choice.label for choice in of_session), *absent]


def _choices(eval_set: CaseFile, node: Node) -> list[Choice]:
    found: list[Choice] = []
    session = filled(node, "session_input")
    if session is None:
        remark = "app, user and first state"
        found.append(Choice("session input", remark, revise=lambda: add_session(eval_set, node)))
    elif session.kind == "object":
        found += _session_choices(eval_set, session)
    found.append(Choice("rubric", "for every turn", revise=lambda: add_rubric(eval_set, node)))
    if filled(node, "final_session_state") is None:
        remark = "google-adk ignores it"
        found.append(
            Choice("final session state", remark, revise=lambda: fill_member(eval_set, node, "final_session_state", {}))
        )
    if member(node, "creation_timestamp") is None:
        found.append(creation_time(eval_set, node))
    scenario = scenario_of(node)
    if scenario is None:
        found.append(
            Choice("scenario instead of turns", "deletes the turns", revise=lambda: to_scenario(eval_set, node))
        )
    elif scenario.kind == "object":
        found += [
            Choice(f"{'' if choice.label == CUSTOM else 'persona '}{choice.label}", choice.remark, revise=choice.revise)
            for choice in persona_choices(eval_set, scenario)
        ]
        remark = "deletes the scenario"
        found.append(Choice("turns instead of the scenario", remark, revise=lambda: to_conversation(eval_set, node)))
    return [*found, another_key(eval_set, node)]


def _session_items(eval_set: CaseFile, case: Node) -> list[Item]:
    """The session of a case; one line if it is null, none if it is absent."""
    session = member(case, "session_input")
    if session is None or session.kind != "object":
        return value_member(eval_set, case, "session_input", "case")
    return [Heading("Session input"), *_session_members(eval_set, session)]


def _session_members(eval_set: CaseFile, session: Node) -> list[Item]:
    required = ("string",)
    fields: list[Item] = [
        text_member(eval_set, session, name, "session", types=required) for name in _SESSION_FIELDS[:2]
    ]
    if member(session, "session_id") is not None:
        fields.append(text_member(eval_set, session, "session_id", "session"))
    fields += value_member(eval_set, session, "state", "session", ("object",))
    return fields + others(eval_set, session, (*_SESSION_FIELDS, "state"), "")


def _session_choices(eval_set: CaseFile, session: Node) -> list[Choice]:
    """Choices for the absent keys of a session."""
    found: list[Choice] = []
    if member(session, "session_id") is None:
        found.append(Choice("session id", revise=lambda: fill_member(eval_set, session, "session_id", "")))
    if member(session, "state") is None:
        found.append(Choice("session state", revise=lambda: fill_member(eval_set, session, "state", {})))
    return found


def state_form(_: CaseFile, state: Node, named: str) -> Form:
    """The form of a session state: its keys, as in the arguments of a tool call."""
    return fields_form(state, named)


def session_form(eval_set: CaseFile, session: Node, named: str) -> Form:
    """The form of a session input."""
    return Form(named, _session_members(eval_set, session))

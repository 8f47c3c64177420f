"""The form of a case."""

from __future__ import annotations

import time
from dataclasses import replace

from evaltui.document.node import Node
from evaltui.evalset.editing.member_edits import fill_member
from evaltui.evalset.editing.rubric_edits import add_rubric
from evaltui.evalset.editing.scenario_edits import to_conversation, to_scenario
from evaltui.evalset.editing.templates import add_session, add_turn, takes_turns
from evaltui.evalset.field_help import help_for
from evaltui.evalset.keys import filled, member
from evaltui.evalset.set_views import EvalCaseView, EvalSetView
from evaltui.evalset.titles import title
from evaltui.tui.forms.form import Choice, Form, Heading, Item, Link
from evaltui.tui.forms.member_lines import another_key, number_member, others, text_member, value_member
from evaltui.tui.forms.row_lines import listed, offer_of, turn_line
from evaltui.tui.forms.rubric_form import rubric_items
from evaltui.tui.forms.scenario_form import persona_choices, scenario_items
from evaltui.tui.forms.session_form import session_choices, session_items

_FIELDS = (
    "eval_id", "conversation", "conversation_scenario", "session_input", "rubrics", "final_session_state",
    "creation_timestamp",
)  # fmt: skip


def case_form(eval_set: EvalSetView, node: Node) -> Form:
    """Id, turns or scenario, session, rubrics, and what else a case has; the last line offers what it has not."""
    items: list[Item] = [text_member(eval_set, node, "eval_id", "case", types=("text",))]
    items += scenario_items(eval_set, node)
    items += _turn_items(eval_set, node)
    items += session_items(eval_set, node)
    items += rubric_items(eval_set, node, "case")
    rest = value_member(eval_set, node, "final_session_state", "case")
    if member(node, "creation_timestamp") is not None:
        rest.append(number_member(eval_set, node, "creation_timestamp", "case", is_date=True))
    rest += others(eval_set, node, _FIELDS, "")
    items += [Heading("More"), *rest] if rest else []
    items += offer_of(_absent(eval_set, node), _choices(eval_set, node), title(eval_set, node))
    return Form(
        title(eval_set, node),
        items,
        add=lambda _: add_turn(eval_set, node, None),
        adds="turn" if takes_turns(node) else "",
        begins=("case", "eval_id"),
    )


def _turn_items(eval_set: EvalSetView, node: Node) -> list[Item]:
    case = EvalCaseView(node)
    turns = case.invocations
    if case.scenario is not None and not turns:
        return value_member(eval_set, node, "conversation", "case", ("list", "null"))
    conversation = filled(node, "conversation")
    if conversation is not None and conversation.kind != "array":
        return value_member(eval_set, node, "conversation", "case", ("list", "null"))
    links: list[Item] = listed(eval_set, turns, turn_line, "No turns. a adds one.")
    links = [_with_help(link) for link in links]
    return [Heading("Turns", str(len(turns))), *links]


def _with_help(item: Item) -> Item:
    return replace(item, help=help_for("case", "conversation")) if isinstance(item, Link) else item


def _absent(eval_set: EvalSetView, node: Node) -> list[str]:
    words = {
        "session_input": "session input",
        "rubrics": "rubrics",
        "final_session_state": "final state",
        "creation_timestamp": "creation time",
    }
    absent = [word for name, word in words.items() if member(node, name) is None]
    session = filled(node, "session_input")
    of_session = session_choices(eval_set, session) if session is not None and session.kind == "object" else []
    return [*(choice.label for choice in of_session), *absent]


def _choices(eval_set: EvalSetView, node: Node) -> list[Choice]:
    case = EvalCaseView(node)
    found: list[Choice] = []
    session = filled(node, "session_input")
    if session is None:
        remark = "app, user and first state"
        found.append(Choice("session input", remark, revise=lambda: add_session(eval_set, node)))
    elif session.kind == "object":
        found += session_choices(eval_set, session)
    found.append(Choice("rubric", "for every turn", revise=lambda: add_rubric(eval_set, node)))
    if filled(node, "final_session_state") is None:
        remark = "google-adk reads it nowhere"
        found.append(
            Choice("final session state", remark, revise=lambda: fill_member(eval_set, node, "final_session_state", {}))
        )
    if member(node, "creation_timestamp") is None:
        found.append(
            Choice(
                "creation time",
                "now",
                revise=lambda: fill_member(eval_set, node, "creation_timestamp", round(time.time(), 3)),
            )
        )
    if case.scenario is None:
        found.append(
            Choice("a scenario instead of turns", "undo brings them back", revise=lambda: to_scenario(eval_set, node))
        )
    elif case.scenario.kind == "object":
        found += [
            Choice(f"persona {choice.label}", choice.remark, revise=choice.revise)
            for choice in persona_choices(eval_set, case.scenario)
        ]
        remark = "undo brings it back"
        found.append(Choice("turns instead of the scenario", remark, revise=lambda: to_conversation(eval_set, node)))
    return [*found, another_key(eval_set, node, "case")]

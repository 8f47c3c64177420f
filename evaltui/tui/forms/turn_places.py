"""The forms of a turn of an eval set, and of the events, contents and tool calls in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from evaltui.evalset.case_file import has_events, turns_of
from evaltui.evalset.content_parts import PartView, parts_of
from evaltui.evalset.editing.call_edits import add_call, add_event, add_response
from evaltui.evalset.editing.case_parts import add_rubric
from evaltui.evalset.editing.field_edits import ROLES, append_part, member_title, write_role
from evaltui.evalset.editing.new_ids import fresh_id, taken_turn_ids
from evaltui.evalset.editing.revision import Revision, put
from evaltui.evalset.editing.templates import TEMPLATES
from evaltui.evalset.keys import filled, text_of
from evaltui.tui.forms.call_fields import EVENTS_HELP, RESPONSES_HELP, call_form, calls, texts_before_response
from evaltui.tui.forms.content_fields import (
    add_text,
    content,
    content_choices,
    content_form,
    part_choices,
    part_form,
    part_lines,
    role_field,
)
from evaltui.tui.forms.form import Choice, Form, Heading, Item, empty_note
from evaltui.tui.forms.form_table import (
    LIST,
    REQUIRED,
    FormMaker,
    FormOwner,
    FormPlace,
    FormRow,
    creation_time,
    filling,
    line,
    number,
    offer,
    other_keys,
    text_field,
    timestamp,
    value,
)
from evaltui.tui.forms.json_form import json_form, value_field
from evaltui.tui.forms.rubric_fields import rubrics

_CREATED = "Seconds since 1970; no metric uses the time. google-adk rejects null."
_DURATION = "Seconds. invocation_duration_v1 uses only the actual turn's value."

# --- a turn ----------------------------------------------------------------------------------------------------------

_USES = "tool_trajectory_avg_score compares name and args of the calls."
_CONTENTS = {
    "user_content": "Required. Message of the user to the agent: text, and files if added.",
    "final_response": "response_match_score compares this text; without a text the score is 0.",
}


def _turn_id(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    """The id of a turn, which can have a new one in the style of the ids in the case."""
    eval_set, turn = owner.case_file, owner.node

    def fresh() -> Revision:
        case, own = eval_set.enclosing(turn, "case"), text_of(turn, row.key)
        ids = [text_of(sibling, row.key) for sibling in (turns_of(case) if case is not None else [])]
        used = taken_turn_ids(eval_set, case).union(ids)
        identifier = fresh_id([own] if own else [*filter(None, ids)], "inv-1", used.__contains__)
        return Revision(f"edit {member_title(eval_set, turn, row.key)}", [put(turn, row.key, identifier)])

    return [replace(text_field(owner, row, one_line=True), fresh=fresh)]


def _turn_offers(owner: FormOwner) -> Sequence[Item]:
    eval_set, turn = owner.case_file, owner.node
    choices: list[Choice] = []
    for name, where in (("user_content", "to the user message"), ("final_response", "to the response")):
        choices += content_choices(owner, name, where, name)
    choices.append(Choice("rubric", "for this turn", revise=partial(add_rubric, eval_set, turn)))
    # google-adk rejects a turn with both shapes of intermediate data.
    if has_events(turn) or filled(turn, "intermediate_data") is None:
        choices.append(Choice("event", "content with its author", revise=partial(add_event, eval_set, turn)))
    if not has_events(turn):
        revise = partial(add_response, eval_set, turn)
        choices.append(Choice("intermediate response", "agent text before the response", revise=revise))
    choices += filling(owner, "app_details", {"agent_details": {}}, "app details", "agents and tools")
    choices += creation_time(owner, "seconds")
    for name in ("duration", "model_duration", "tool_duration"):
        choices += filling(owner, name, 0.0, name.replace("_", " "), "seconds")
    for name in _CONTENTS:
        role = text_of(filled(turn, name), "role") or "absent"
        write = partial(write_role, eval_set, turn, name)
        question = "Role (user or model)"
        choices.append(Choice(f"role of {name}", role, write=write, question=question, suggestion=ROLES[name]))
    words = {"rubrics": "rubrics", "app_details": "app details", "duration": "durations"}
    return offer(owner, choices, {**words, "creation_timestamp": "creation time"})


_TURN = FormPlace(
    (
        FormRow("user_content", content, _CONTENTS["user_content"]),
        FormRow("", calls, _USES),
        FormRow("", texts_before_response, RESPONSES_HELP),
        FormRow("final_response", content, _CONTENTS["final_response"]),
        FormRow(
            "invocation_id",
            _turn_id,
            "Id of the turn in results. Optional; an empty id counts as absent.",
            REQUIRED,
            section="Turn",
        ),
        FormRow("creation_timestamp", timestamp, _CREATED),
        FormRow("duration", number, _DURATION),
        FormRow("model_duration", number, _DURATION),
        FormRow("tool_duration", number, _DURATION),
        # Both shapes of intermediate data stand under one key.
        FormRow(
            "intermediate_data",
            lambda owner, row: value(owner, row._replace(help=EVENTS_HELP if has_events(owner.node) else _USES)),
        ),
        FormRow("app_details", value, "Instructions and tools of agents. Rubric metrics read them from the recording."),
        FormRow("rubrics", rubrics, "The rubric_based_… metrics check these rubrics in this turn only.", LIST),
    ),
    adds="tool call",
    add=lambda owner: add_call(owner.case_file, owner.node),
    offers=_turn_offers,
)


# --- values inside a turn --------------------------------------------------------------------------------------------


def _event_content(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    """The parts of an event, its role, and all other keys of its content."""
    node = filled(owner.node, row.key)
    if node is None or node.kind != "object":
        lines = value(owner, row) or [empty_note("content: absent", "· a: add a text")]
    else:
        lines = [
            *part_lines(owner.case_file, parts_of(node), row.key, "text", row.help),
            role_field(owner.case_file, node, row.key),
            *other_keys(owner.case_file, node, ("parts", "role")),
        ]
    return [Heading("Content"), *lines]


_EVENT = FormPlace(
    (
        FormRow("author", line, "Required. Author of the event: the id of an agent, or user.", REQUIRED),
        FormRow(
            "content", _event_content, "tool_trajectory_avg_score compares the calls; offline metrics ignore texts."
        ),
    ),
    adds="text",
    add=lambda owner: add_text(owner, "content"),
    offers=lambda owner: offer(owner, content_choices(owner, "content", "to the event", "content")),
)


def _response_form(owner: FormOwner) -> Form:
    """Author and parts of an intermediate response, which is a list of both."""
    response, named = owner.node, owner.named
    if len(response.items) != 2 or response.items[1].kind != "array":
        return json_form(response, named)
    # google-adk has a tuple here: the author and a list of parts, without keys.
    author, parts = response.items
    field = value_field(author, "author", f"author of {named}")
    views = [PartView(node) for node in parts.items if node.kind == "object"]
    add = partial(append_part, parts)
    items: list[Item] = [
        replace(field, one_line=True, help="The agent that wrote the text."),
        Heading("Parts", str(len(parts.items))),
        *part_lines(owner.case_file, views, "parts", "text", RESPONSES_HELP),
        *offer(owner, part_choices(add)),
    ]
    return Form(named, items, add=lambda _: add(TEMPLATES["text"], "text"), adds="text")


PLACES: Mapping[str, FormMaker] = {
    "turn": _TURN.form,
    "call": call_form,
    "event": _EVENT.form,
    "response": _response_form,
    "content": partial(content_form, help_of=_CONTENTS),
    "part": part_form,
}

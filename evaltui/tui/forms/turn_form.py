"""The form of a turn: user message, tool calls, response and other fields; and the forms of its events."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

from evaltui.document.node import Node
from evaltui.evalset.call_views import Pairing, ToolUse, tool_uses_of
from evaltui.evalset.case_file import CaseFile, has_events, turns_of
from evaltui.evalset.content_parts import PartView, parts_of
from evaltui.evalset.editing.call_edits import (
    add_call,
    add_event,
    add_response,
    author_of_response,
    delete_answer,
    delete_call,
    delete_response,
    events_of,
    responses_of,
)
from evaltui.evalset.editing.case_parts import add_rubric
from evaltui.evalset.editing.field_edits import ROLES, add_part, append_part, fill_member, member_title, write_role
from evaltui.evalset.editing.new_ids import fresh_id, taken_turn_ids
from evaltui.evalset.editing.revision import Revision, put
from evaltui.evalset.editing.row_moves import move_row
from evaltui.evalset.editing.templates import TEMPLATES
from evaltui.evalset.keys import filled, member, text_of
from evaltui.evalset.titles import title
from evaltui.tui.forms.field_help import help_for
from evaltui.tui.forms.form import Choice, Field, Form, Heading, Item, Link, empty_note
from evaltui.tui.forms.json_form import json_form, value_field
from evaltui.tui.forms.line_texts import call_line
from evaltui.tui.forms.model_fields import item_link, number_member, offer_of, others, text_member, value_member
from evaltui.tui.forms.part_forms import content_items, part_choices, part_lines, role_field
from evaltui.tui.forms.rubric_form import rubric_items
from evaltui.tui.lines import FILL, Line, preview

_SECONDS = ("creation_timestamp", "duration", "model_duration", "tool_duration")
_FIELDS = (
    "invocation_id", "user_content", "final_response", "intermediate_data", "rubrics", "app_details", *_SECONDS,
)  # fmt: skip


def turn_form(eval_set: CaseFile, node: Node) -> Form:
    """All fields of a turn; the last line offers absent ones."""
    uses = tool_uses_of(node)
    items = content_items(eval_set, node, "user_content")
    items.append(Heading("Tool calls", f"{len(uses.calls):,}"))
    items += [_call_link(eval_set, use, number) for number, use in enumerate(uses.calls, 1)]
    items += [] if uses.calls else [empty_note("No tool calls.", "Press a to add one (while typing: esc, then a).")]
    items += [_orphan_link(eval_set, orphan, number) for number, orphan in enumerate(uses.orphans)]
    items += said_lines(eval_set, node)
    items += content_items(eval_set, node, "final_response")
    items += [Heading("Turn"), _id_field(eval_set, node)]
    for name in _SECONDS:
        if member(node, name) is not None:
            items.append(number_member(eval_set, node, name, "turn", is_date=name == "creation_timestamp"))
    of = "invocation_events" if has_events(node) else "tool_uses"
    data = value_member(eval_set, node, "intermediate_data", "turn")
    items += [replace(item, help=help_for("turn", of)) if isinstance(item, Link) else item for item in data]
    items += value_member(eval_set, node, "app_details", "turn")
    items += others(eval_set, node, _FIELDS, "")
    items += rubric_items(eval_set, node, "turn")
    items += offer_of(_absent(node), _choices(eval_set, node), title(eval_set, node))
    return Form(title(eval_set, node), items, add=lambda _: add_call(eval_set, node), adds="tool call")


def _id_field(eval_set: CaseFile, node: Node) -> Field | Link:
    field = text_member(eval_set, node, "invocation_id", "turn", types=("string",))
    return replace(field, fresh=lambda: _fresh_id(eval_set, node))


def _fresh_id(eval_set: CaseFile, node: Node) -> Revision:
    """A new id in the style of the ids in the case."""
    case = eval_set.enclosing(node, "case")
    ids = [text_of(turn, "invocation_id") for turn in (turns_of(case) if case is not None else [])]
    own = text_of(node, "invocation_id")
    taken = taken_turn_ids(eval_set, case).union(ids)
    found = fresh_id([own] if own else [text for text in ids if text], "inv-1", taken.__contains__)
    return Revision(f"edit {member_title(eval_set, node, 'invocation_id')}", [put(node, "invocation_id", found)])


def _absent(node: Node) -> list[str]:
    words = {"rubrics": "rubrics", "app_details": "app details", "duration": "durations"}
    words |= {"creation_timestamp": "creation time"}
    return [word for name, word in words.items() if member(node, name) is None]


def _choices(eval_set: CaseFile, node: Node) -> list[Choice]:
    found: list[Choice] = []
    for name, to in (("user_content", "to the user message"), ("final_response", "to the response")):
        found += part_choices(partial(add_part, eval_set, node, name), to, name)
    found.append(Choice("rubric", "for this turn", revise=lambda: add_rubric(eval_set, node)))
    if has_events(node) or filled(node, "intermediate_data") is None:
        found.append(Choice("event", "content with its author", revise=lambda: add_event(eval_set, node)))
    if not has_events(node):
        said = "agent text before the response"
        found.append(Choice("intermediate response", said, revise=lambda: add_response(eval_set, node)))
    if member(node, "app_details") is None:
        empty: dict[str, dict[str, str]] = {"agent_details": {}}
        found.append(
            Choice("app details", "agents and tools", revise=lambda: fill_member(eval_set, node, "app_details", empty))
        )
    found += [_number_choice(eval_set, node, name) for name in _SECONDS if member(node, name) is None]
    return found + [_role_choice(eval_set, node, name, role) for name, role in list(ROLES.items())[:2]]


def _number_choice(eval_set: CaseFile, node: Node, name: str) -> Choice:
    value = round(time.time(), 3) if name == "creation_timestamp" else 0.0
    label = "creation time" if name == "creation_timestamp" else name.replace("_", " ")
    return Choice(label, "seconds", revise=lambda: fill_member(eval_set, node, name, value))


def _role_choice(eval_set: CaseFile, node: Node, name: str, role: str) -> Choice:
    return Choice(
        f"role of {name}",
        text_of(filled(node, name), "role") or "absent",
        write=lambda text: write_role(eval_set, node, name, text),
        question="Role (user or model)",
        suggestion=role,
    )


def _call_link(eval_set: CaseFile, use: ToolUse, number: int) -> Link:
    marks = {Pairing.ANSWERED: ("⇄ tool response", "dim"), Pairing.BY_ORDER: ("⇄ paired by order", "dim")}
    mark = marks.get(use.pairing, (use.pairing.value, "warning"))
    identity = (f"  id {preview(use.id, 20) or '–'}  ", "dim")
    line: Line = [(f"{number} ", "dim"), *call_line(use), ("", FILL), identity, mark, (" ", "")]
    help = help_for("turn", "tool_uses")
    return Link(
        ("call", use.node),
        line,
        use.node,
        node=use.node,
        delete=lambda: delete_call(eval_set, use),
        delete_response=(lambda: delete_response(eval_set, use)) if use.response is not None else None,
        move=lambda step: move_row(eval_set, use.node, step),
        help=help,
    )


def _orphan_link(eval_set: CaseFile, orphan: Node, number: int) -> Link:
    line: Line = [("tool response without a tool call  ", "warning"), *_named(orphan)]
    return Link(("orphan", number), line, orphan, node=orphan, delete=lambda: delete_answer(eval_set, orphan))


def _named(node: Node) -> Line:
    return [(preview(text_of(node, "name"), 40), "name"), (f"  id {preview(text_of(node, 'id'), 24) or '–'}", "dim")]


def event_form(eval_set: CaseFile, event: Node, named: str) -> Form:
    """Author and content of an event."""
    content = filled(event, "content")
    items: list[Item] = [text_member(eval_set, event, "author", "event", types=("string",)), Heading("Content")]
    if content is None or content.kind != "object":
        items += value_member(eval_set, event, "content", "event") or [empty_note("content: absent", "· a: add a text")]
    else:
        items += part_lines(eval_set, parts_of(content), "content", "text", help_for("event", "content"))
        items.append(role_field(eval_set, event, "content"))
        items += others(eval_set, content, ("parts", "role"), "")
    items += others(eval_set, event, ("author", "content"))
    add = partial(add_part, eval_set, event, "content")
    items += offer_of([], part_choices(add, "to the event", "content"), named)
    return Form(named, items, add=lambda _: add(TEMPLATES["text"], "text"), adds="text")


def content_form(eval_set: CaseFile, content: Node, named: str) -> Form:
    """Role and parts of a content that is opened alone."""
    owner = content.parent
    assert owner is not None
    name = {"userContent": "user_content", "finalResponse": "final_response"}.get(content.name, content.name)
    items: list[Item] = [role_field(eval_set, owner, name), Heading("Parts", str(len(parts_of(content))))]
    items += part_lines(eval_set, parts_of(content), name, "text", help_for("turn", name))
    items += others(eval_set, content, ("parts", "role"))
    add = partial(add_part, eval_set, owner, name)
    items += offer_of([], part_choices(add, "here", name), named)
    return Form(named, items, add=lambda _: add(TEMPLATES["text"], "text"), adds="text")


def response_form(eval_set: CaseFile, response: Node, named: str) -> Form:
    """Author and parts of an intermediate response, which is a list of both."""
    if response.kind != "array" or len(response.items) != 2 or response.items[1].kind != "array":
        return json_form(response, named)
    author, parts = response.items
    field = value_field(author, "author", f"author of {named}")
    field = replace(field, one_line=True, help=help_for("response", "author"))
    items: list[Item] = [field, Heading("Parts", str(len(parts.items)))]
    found = [PartView(node) for node in parts.items if node.kind == "object"]
    items += part_lines(eval_set, found, "parts", "text", help_for("turn", "intermediate_responses"))
    add = partial(append_part, parts)
    items += offer_of([], part_choices(add), named)
    return Form(named, items, add=lambda _: add(TEMPLATES["text"], "text"), adds="text")


def said_lines(eval_set: CaseFile, turn: Node) -> list[Item]:
    """Agent texts before the final response: intermediate responses, and events with more than calls."""
    lines: list[Item] = [_said(eval_set, turn, node, author_of_response(node)) for node in responses_of(turn)]
    events = [event for event in events_of(turn) if not _is_of_calls(event)]
    lines += [_said(eval_set, turn, event, text_of(event, "author")) for event in events]
    return [Heading("Before the response", str(len(lines))), *lines] if lines else []


def _is_of_calls(event: Node) -> bool:
    kinds = {part.kind for part in parts_of(filled(event, "content"))}
    return bool(kinds) and kinds <= {"function_call", "function_response"}


def _said(eval_set: CaseFile, turn: Node, node: Node, author: str) -> Link:
    is_event = node.kind == "object"
    parts = (
        parts_of(filled(node, "content"))
        if is_event
        else list(map(PartView, node.items[1].items if node.items[1:] else []))
    )
    words = " · ".join(part.text if part.is_text else part.describe() for part in parts if part.node.kind == "object")
    name = f"{'event' if is_event else 'intermediate response'} {node.index() + 1} of {title(eval_set, turn)}"
    said = (preview(words) or "empty", "" if words else "dim")
    line: Line = [(f"{preview(author, 30) or 'no author'}  ", "name"), said]
    return item_link(node, line, name, help_for("turn", "invocation_events" if is_event else "intermediate_responses"))

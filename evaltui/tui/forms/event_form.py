"""Events and intermediate responses: who says what before the final response."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from evaltui.document.node import Node
from evaltui.evalset.content_views import PartView, parts_of
from evaltui.evalset.editing.intermediate_data import author_of_response, events_of, responses_of
from evaltui.evalset.editing.part_edits import TEMPLATES, add_part, append_part
from evaltui.evalset.field_help import help_for
from evaltui.evalset.keys import filled, text_of
from evaltui.evalset.set_views import EvalSetView
from evaltui.evalset.titles import title
from evaltui.tui.forms.form import Form, Heading, Item, Link, Note
from evaltui.tui.forms.json_form import json_form, value_field
from evaltui.tui.forms.model_fields import item_link, offer_of, others, text_member, value_member
from evaltui.tui.forms.part_forms import part_choices, part_lines, role_field
from evaltui.tui.lines import Line, dim, preview


def event_form(eval_set: EvalSetView, event: Node, named: str) -> Form:
    """Author and content of an event."""
    content = filled(event, "content")
    items: list[Item] = [text_member(eval_set, event, "author", "event", types=("text",)), Heading("Content")]
    if content is None or content.kind != "object":
        items += value_member(eval_set, event, "content", "event") or [Note(dim("content: absent · a adds a text"))]
    else:
        items += part_lines(eval_set, parts_of(content), "content", "text", help_for("event", "content"))
        items.append(role_field(eval_set, event, "content"))
        items += others(eval_set, content, ("parts", "role"), "")
    items += others(eval_set, event, ("author", "content"))
    add = partial(add_part, eval_set, event, "content")
    items += offer_of([], part_choices(add, "to the event", "content"), named)
    return Form(named, items, add=lambda _: add(TEMPLATES["text"], "text"), adds="text")


def content_form(eval_set: EvalSetView, content: Node, named: str) -> Form:
    """Role and parts of a content opened alone."""
    owner = content.parent
    assert owner is not None
    name = {"userContent": "user_content", "finalResponse": "final_response"}.get(content.name, content.name)
    items: list[Item] = [role_field(eval_set, owner, name), Heading("Parts", str(len(parts_of(content))))]
    items += part_lines(eval_set, parts_of(content), name, "text", help_for("turn", name))
    items += others(eval_set, content, ("parts", "role"))
    add = partial(add_part, eval_set, owner, name)
    items += offer_of([], part_choices(add, "here", name), named)
    return Form(named, items, add=lambda _: add(TEMPLATES["text"], "text"), adds="text")


def response_form(eval_set: EvalSetView, response: Node, named: str) -> Form:
    """Author and parts of an intermediate response, which is a list of the two."""
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


def said_lines(eval_set: EvalSetView, turn: Node) -> list[Item]:
    """Words of agents before the final response: intermediate responses, and events that are no mere calls."""
    lines: list[Item] = [_said(eval_set, turn, node, author_of_response(node)) for node in responses_of(turn)]
    events = [event for event in events_of(turn) if not _is_of_calls(event)]
    lines += [_said(eval_set, turn, event, text_of(event, "author")) for event in events]
    return [Heading("Before the response", str(len(lines))), *lines] if lines else []


def _is_of_calls(event: Node) -> bool:
    kinds = {part.kind for part in parts_of(filled(event, "content"))}
    return bool(kinds) and kinds <= {"function_call", "function_response"}


def _said(eval_set: EvalSetView, turn: Node, node: Node, author: str) -> Link:
    is_event = node.kind == "object"
    parts = (
        parts_of(filled(node, "content"))
        if is_event
        else list(map(PartView, node.items[1].items if node.items[1:] else []))
    )
    words = " · ".join(part.text if part.is_text else part.describe() for part in parts if part.node.kind == "object")
    name = f"{'event' if is_event else 'intermediate response'} {node.index() + 1} of {title(eval_set, turn)}"
    said = (preview(words) or "nothing", "" if words else "dim")
    line: Line = [(f"{preview(author, 30) or 'no author'}  ", "name"), said]
    return item_link(node, line, name, help_for("turn", "invocation_events" if is_event else "intermediate_responses"))

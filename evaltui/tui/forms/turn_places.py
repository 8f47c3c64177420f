"""The forms of a turn of an eval set, and of the events, contents and tool calls in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from evaltui.document.errors import EditError
from evaltui.document.node import Node, parse_value
from evaltui.document.strings import json_bytes
from evaltui.evalset.call_views import Pairing, ToolUse, calls_and_orphans, events_of, responses_of, use_of
from evaltui.evalset.case_file import CaseFile, has_events, turns_of
from evaltui.evalset.content_parts import describe_part, is_text_part, part_kind, parts_of
from evaltui.evalset.editing.call_edits import (
    add_call,
    add_event,
    add_response,
    author_of_response,
    change_call_id,
    delete_answer,
    delete_response,
    rename_call,
    write_response,
)
from evaltui.evalset.editing.case_parts import add_app_agent, add_rubric
from evaltui.evalset.editing.field_edits import ROLES, append_part, write_role
from evaltui.evalset.editing.new_ids import fresh_id, new_call_id, taken_turn_ids
from evaltui.evalset.editing.revision import Revision, put
from evaltui.evalset.editing.templates import TEMPLATES
from evaltui.evalset.keys import filled, member, text_of
from evaltui.tui.forms.content_fields import (
    HELP,
    add_text,
    content,
    content_choices,
    content_form,
    part_choices,
    part_form,
    part_lines,
    role_field,
)
from evaltui.tui.forms.eval_set_places import rubrics
from evaltui.tui.forms.form import Choice, Field, Form, Heading, Item, Link, Write, empty_note
from evaltui.tui.forms.form_table import CREATED, LIST, REQUIRED, FormOwner, FormPlace, FormRow, line, number, value
from evaltui.tui.forms.json_form import add_inside, deletion, json_form, value_field, value_line
from evaltui.tui.forms.value_text import editable, shown_text, value_edits
from evaltui.tui.lines import FILL, Line, preview
from evaltui.tui.outlines.row_texts import summary, use_line

_DURATION = "Seconds. invocation_duration_v1 uses only the actual turn's value."
_PAIRINGS = {
    Pairing.ANSWERED: ("⇄ tool response", "paired by id"),
    Pairing.BY_ORDER: ("⇄ paired by order", "no ids: paired by name and order"),
    Pairing.NO_ANSWER: ("", ""),  # the line of the response says so
    Pairing.SHARED_ID: ("", "another call has the same id"),
}
"""The mark of a call in its turn, and the remark in its own form."""
_EVENTS_HELP = "Calls and responses in order; tool_trajectory_avg_score compares the calls."
_RESPONSES_HELP = "Agent texts before the response; no offline metric uses them."
_ARGS_HELP = "tool_trajectory_avg_score compares args. A call without arguments has {}."
_ARGUMENT_HELP = 'tool_trajectory_avg_score compares name and value; 2 and "2" differ.'

# --- a turn ----------------------------------------------------------------------------------------------------------

_RUBRICS = "The rubric_based_… metrics check these rubrics in this turn only."
_USES = "tool_trajectory_avg_score compares name and args of the calls."


def _calls(owner: FormOwner, row: FormRow) -> list[Item]:
    eval_set, (uses, orphans) = owner.case_file, calls_and_orphans(owner.node)
    items: list[Item] = [Heading("Tool calls", f"{len(uses):,}")]
    for place, use in enumerate(uses, 1):
        mark, _ = _PAIRINGS[use.pairing]
        pairing = (mark, "dim") if mark else (use.pairing.value, "warning")
        identity: Line = [(f"  id {preview(use.id, 20) or '–'}  ", "dim"), pairing, (" ", "")]
        runs: Line = [(f"{place} ", "dim"), *use_line(use), ("", FILL), *identity]
        link = owner.link(use.node, runs, row.help, key=("call", use.node))
        link.delete_response = partial(delete_response, eval_set, use) if use.response is not None else None
        items.append(link)
    if not uses:
        items.append(empty_note("No tool calls.", "Press a to add one (while typing: esc, then a)."))
    for place, orphan in enumerate(orphans):
        runs = [("tool response without a tool call  ", "warning"), (preview(text_of(orphan, "name"), 40), "name")]
        runs.append((f"  id {preview(text_of(orphan, 'id'), 24) or '–'}", "dim"))
        delete = partial(delete_answer, eval_set, orphan)
        items.append(Link(("orphan", place), runs, node=orphan, delete=delete))
    return items


def _texts_before_response(owner: FormOwner, row: FormRow) -> list[Item]:
    """Agent texts before the final response: intermediate responses, and events with more than calls."""
    lines: list[Item] = []
    for response in responses_of(owner.node):
        parts = response.items[1].items if response.items[1:] else []
        lines.append(_text_link(owner, response, author_of_response(response), parts, row.help))
    for event in events_of(owner.node):
        parts = parts_of(filled(event, "content"))
        kinds = {*map(part_kind, parts)}
        if not kinds or not kinds <= {"function_call", "function_response"}:
            lines.append(_text_link(owner, event, text_of(event, "author"), parts, _EVENTS_HELP))
    return [Heading("Before the response", str(len(lines))), *lines] if lines else []


def _text_link(owner: FormOwner, node: Node, author: str, parts: list[Node], help: str) -> Link:
    listed = [part for part in parts if part.kind == "object"]
    words = " · ".join(text_of(part, "text") if is_text_part(part) else describe_part(part) for part in listed)
    runs: Line = [(f"{preview(author, 30) or 'no author'}  ", "name")]
    runs.append((preview(words) or "empty", "" if words else "dim"))
    return owner.link(node, runs, help)


def _turn_id(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    """The id of a turn, which can have a new one in the style of the ids in the case."""
    eval_set, turn = owner.case_file, owner.node

    def fresh() -> Revision:
        case, own = eval_set.enclosing(turn, "case"), text_of(turn, row.key)
        ids = [text_of(sibling, row.key) for sibling in (turns_of(case) if case is not None else [])]
        used = taken_turn_ids(eval_set, case).union(ids)
        identifier = fresh_id([own] if own else [*filter(None, ids)], "inv-1", used.__contains__)
        return owner.write(row.key, identifier)

    return [replace(item, fresh=fresh) for item in line(owner, row)]


def _turn_choices(owner: FormOwner) -> list[Choice]:
    eval_set, turn = owner.case_file, owner.node
    rubric = [Choice("rubric", "for this turn", revise=partial(add_rubric, eval_set, turn))]
    # First what is absent, in the order of the last line.
    choices = [] if filled(turn, "rubrics") is not None else rubric
    choices += owner.filling("app_details", {"agent_details": {}}, "app details", "agents and tools")
    for name in ("duration", "model_duration", "tool_duration"):
        choices += owner.filling(name, 0.0, name.replace("_", " "), "seconds")
    choices += owner.creation_time("seconds")
    choices += rubric if filled(turn, "rubrics") is not None else []
    # google-adk rejects a turn with both shapes of intermediate data.
    if has_events(turn) or filled(turn, "intermediate_data") is None:
        choices.append(Choice("event", "content with its author", revise=partial(add_event, eval_set, turn)))
    if not has_events(turn):
        revise = partial(add_response, eval_set, turn)
        choices.append(Choice("intermediate response", "agent text before the response", revise=revise))
    for name, where in (("user_content", "to the user message"), ("final_response", "to the response")):
        choices += content_choices(owner, name, where)
    for name in HELP:
        role, write = text_of(filled(turn, name), "role") or "absent", partial(write_role, eval_set, turn, name)
        ask = "Role (user or model)"
        choices.append(Choice(f"role of {name}", role, write=write, question=ask, suggestion=ROLES[name]))
    return choices


_ABSENT = {"rubrics": "rubrics", "app_details": "app details", "duration": "durations"}
_ABSENT["creation_timestamp"] = "creation time"


_TURN = FormPlace(
    (
        FormRow("user_content", content, HELP["user_content"]),
        FormRow("", _calls, _USES),
        FormRow("", _texts_before_response, _RESPONSES_HELP),
        FormRow("final_response", content, HELP["final_response"]),
        FormRow(
            "invocation_id",
            _turn_id,
            "Id of the turn in results. Optional; an empty id counts as absent.",
            REQUIRED,
            section="Turn",
        ),
        CREATED,
        FormRow("duration", number, _DURATION),
        FormRow("model_duration", number, _DURATION),
        FormRow("tool_duration", number, _DURATION),
        # Both shapes of intermediate data stand under one key.
        FormRow(
            "intermediate_data",
            lambda owner, row: value(owner, row._replace(help=_EVENTS_HELP if has_events(owner.node) else _USES)),
            is_optional=True,
        ),
        FormRow("app_details", value, "Instructions and tools of agents. Rubric metrics read them from the recording."),
        FormRow("rubrics", rubrics, _RUBRICS, LIST, is_optional=True),
    ),
    adds="tool call",
    add=lambda owner: add_call(owner.case_file, owner.node),
    offers=lambda owner: owner.offer(partial(_turn_choices, owner), _ABSENT),
)


# --- a tool call -----------------------------------------------------------------------------------------------------


def _call_form(owner: FormOwner) -> Form:
    eval_set, node = owner.case_file, owner.node
    turn = eval_set.enclosing(node, "turn")
    assert turn is not None
    use = use_of(turn, node) or ToolUse(node, Pairing.NO_ANSWER)
    called, args = preview(use.name, 40) or "the call", use.args
    name = _text_of_call(node, "name", partial(rename_call, eval_set, use))
    name.suggests, name.help = "tool", "tool_trajectory_avg_score compares the name exactly."
    identifier = _text_of_call(node, "id", partial(change_call_id, eval_set, use))
    identifier.delete = partial(change_call_id, eval_set, use, "") if use.id else None
    identifier.fresh = lambda: change_call_id(eval_set, use, new_call_id(eval_set, turn))
    identifier.help = "Links the tool call to its tool response; no metric compares ids."
    add, all_at_once = add_inside(node, "args", "argument", called), ""
    # google-adk compares absent arguments with {} as different values.
    absent = "absent (not the same as {})"
    remark = absent if args is None else str(len(args.items)) if args.kind == "object" else args.kind
    if args is None or args.kind == "null" or (args.kind == "object" and not args.items):
        field, add_one, all_at_once = _args_field(use, called), add, "all arguments as { … }"
        add = lambda typed: (field.write if typed.lstrip().startswith("{") else add_one)(typed)  # noqa: E731
        arguments: list[Item] = [field]
    elif args.kind == "object":
        arguments = [value_line(item, called, "argument", help=_ARGUMENT_HELP) for item in args.items]
    else:
        arguments = [value_line(args, called, help=_ARGS_HELP)]
    items: list[Item] = [
        name,
        identifier,
        Heading("Arguments", remark),
        *arguments,
        Heading("Tool response", _PAIRINGS[use.pairing][1]),
        _response_line(eval_set, use),
        *owner.other_keys(("name", "id", "args"), "More"),
    ]
    return Form(owner.named, items, add=add, adds="argument", asks_name=True, also_takes=all_at_once)


def _text_of_call(call: Node, key: str, write: Write) -> Field:
    node, text = member(call, key), text_of(call, key)
    return Field(key, key, text, write, node=node, one_line=True, takes_text=True, placeholder=f"no {key}")


def _args_field(use: ToolUse, called: str) -> Field:
    """The line of arguments that are absent, null or {}, which differ in google-adk. t changes the type, d deletes."""
    args, node = use.args, use.node

    def retype(kind: str, origin: Node | None) -> Revision:
        value: dict[str, Any] | None = {} if kind == "object" else None
        return Revision(f"set args of {called} to {json.dumps(value)}", [put(node, "args", value)])

    def write(text: str) -> Revision:
        source = text.strip().encode("utf-8", "surrogatepass")
        if parse_value(source).kind not in ("object", "null"):
            raise EditError("arguments must be a JSON object: { … }")
        return Revision(f"edit args of {called}", [put(node, "args", None)._replace(source=source)])

    return Field(
        "args",
        "args",
        "",
        write,
        node=args,
        placeholder=f"no arguments ({'absent' if args is None else shown_text(args)}) · a: add an argument",
        delete=partial(deletion, args, f"args of {called}") if args is not None else None,
        retype=retype,
        types=("object", "null"),
        in_list=True,
        enter_adds=True,
        help=_ARGS_HELP,
        # Typed as JSON, the arguments keep their text box even once they have lines of their own.
        read=lambda: shown_text(args) if args is not None and args.items else "",
    )


def _response_line(eval_set: CaseFile, use: ToolUse) -> Item:
    response = member(use.response, "response")
    delete = partial(delete_response, eval_set, use) if use.response is not None else None
    if response is not None and not editable(response):
        # Too long for a text box, it can still be deleted and opened.
        return Link("response", summary(response), node=response, delete=delete, delete_response=delete)

    def read() -> str:
        return shown_text(response) if response is not None else ""

    def write(text: str) -> Revision:
        source = json_bytes(text.strip())
        if parse_value(source).kind != "object":
            raise EditError("the response must be a JSON object: { … }")
        revision = write_response(eval_set, use, source)
        if response is None or response.kind == "string":
            return revision
        # Only what differs, so that the rest keeps its layout.
        return Revision(revision.label, value_edits(response, text))

    return Field(
        "response",
        "",
        read(),
        write,
        block=True,
        placeholder="no tool response · enter: write JSON",
        delete=delete,
        delete_response=delete,
        help="Value that the tool returned; no offline metric uses it.",
        node=response,
        read=read,
    )


# --- values inside a turn --------------------------------------------------------------------------------------------


def _event_content(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    node = filled(owner.node, row.key)
    if node is None or node.kind != "object":
        lines = value(owner, row) or [empty_note("content: absent", "· a: add a text")]
    else:
        parts = part_lines(owner, parts_of(node), row.key, "text", row.help)
        holder = owner._replace(node=node, table=row.key)
        lines = [*parts, role_field(holder), *holder.other_keys(("parts", "role"))]
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
    offers=lambda owner: owner.offer(lambda: content_choices(owner, "content", "to the event")),
)


def _response_form(owner: FormOwner) -> Form:
    response, named = owner.node, owner.named
    if len(response.items) != 2 or response.items[1].kind != "array":
        return json_form(response, named)
    # google-adk has a tuple here: the author and a list of parts, without keys.
    author, parts = response.items
    field = value_field(author, "author", f"author of {named}")
    listed = [part for part in parts.items if part.kind == "object"]
    add = partial(append_part, parts)
    items: list[Item] = [
        replace(field, one_line=True, help="The agent that wrote the text."),
        Heading("Parts", str(len(parts.items))),
        *part_lines(owner, listed, "parts", "text", _RESPONSES_HELP),
        *owner.offer(partial(part_choices, add)),
    ]
    return Form(named, items, add=lambda _: add(TEMPLATES["text"], "text"), adds="text")


PLACES: Mapping[str, Callable[[FormOwner], Form]] = {
    "turn": _TURN.form,
    "call": _call_form,
    "event": _EVENT.form,
    "response": _response_form,
    "app_agents": lambda owner: replace(
        json_form(owner.node, owner.named), add=partial(add_app_agent, owner.node), adds="agent"
    ),
    "content": content_form,
    "part": part_form,
}

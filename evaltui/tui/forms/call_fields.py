"""Tool calls with their paired responses: as lines of their turn, and the form of one call."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from evaltui.document.edits import Edit, Insert, Remove, Set
from evaltui.document.errors import EditError
from evaltui.document.node import Node, parse_value
from evaltui.document.strings import json_bytes
from evaltui.evalset.call_views import Pairing, ToolUse, ToolUses, tool_uses_of
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.content_parts import PartView, parts_of
from evaltui.evalset.editing.call_edits import (
    author_of_response,
    change_call_id,
    delete_answer,
    delete_response,
    events_of,
    rename_call,
    responses_of,
    write_response,
)
from evaltui.evalset.editing.new_ids import new_call_id
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.keys import filled, member, text_of
from evaltui.tui.forms.form import Field, Form, Heading, Item, Link, Write, empty_note
from evaltui.tui.forms.form_table import OBJECT, FormOwner, FormRow, item_link, other_keys
from evaltui.tui.forms.json_form import add_member, value_line
from evaltui.tui.forms.line_texts import summary, use_line
from evaltui.tui.forms.value_text import editable, shown_text, value_edits
from evaltui.tui.lines import FILL, Line, preview

_PAIRING_MARKS = {Pairing.ANSWERED: "⇄ tool response", Pairing.BY_ORDER: "⇄ paired by order"}
_PAIRING_REMARKS = {
    Pairing.ANSWERED: "paired by id",
    Pairing.BY_ORDER: "no ids: paired by name and order",
    Pairing.NO_ANSWER: "",  # the line below says so
    Pairing.SHARED_ID: "another call has the same id",
}
EVENTS_HELP = "Calls and responses in order; tool_trajectory_avg_score compares the calls."
RESPONSES_HELP = "Agent texts before the response; no offline metric uses them."
_ARGS_HELP = "tool_trajectory_avg_score compares args. A call without arguments has {}."
_ARGUMENT_HELP = 'tool_trajectory_avg_score compares name and value; 2 and "2" differ.'


# --- the lines of a turn ---------------------------------------------------------------------------------------------


def calls(owner: FormOwner, row: FormRow) -> list[Item]:
    """The tool calls of a turn, then the responses without a call."""
    eval_set, uses = owner.case_file, tool_uses_of(owner.node)
    items: list[Item] = [Heading("Tool calls", f"{len(uses.calls):,}")]
    for number, use in enumerate(uses.calls, 1):
        mark = _PAIRING_MARKS.get(use.pairing)
        role = "dim" if mark else "warning"
        identity: Line = [(f"  id {preview(use.id, 20) or '–'}  ", "dim"), (mark or use.pairing.value, role), (" ", "")]
        line: Line = [(f"{number} ", "dim"), *use_line(use), ("", FILL), *identity]
        link = item_link(eval_set, use.node, line, row.help, key=("call", use.node))
        link.delete_response = partial(delete_response, eval_set, use) if use.response is not None else None
        items.append(link)
    if not uses.calls:
        items.append(empty_note("No tool calls.", "Press a to add one (while typing: esc, then a)."))
    for number, orphan in enumerate(uses.orphans):
        named: Line = [(preview(text_of(orphan, "name"), 40), "name")]
        named.append((f"  id {preview(text_of(orphan, 'id'), 24) or '–'}", "dim"))
        line = [("tool response without a tool call  ", "warning"), *named]
        delete = partial(delete_answer, eval_set, orphan)
        items.append(Link(("orphan", number), line, orphan, node=orphan, delete=delete))
    return items


def texts_before_response(owner: FormOwner, row: FormRow) -> list[Item]:
    """Agent texts before the final response: intermediate responses, and events with more than calls."""
    lines: list[Item] = []
    for response in responses_of(owner.node):
        parts = [PartView(node) for node in (response.items[1].items if response.items[1:] else ())]
        lines.append(_text_link(owner, response, author_of_response(response), parts, row.help))
    for event in events_of(owner.node):
        parts = parts_of(filled(event, "content"))
        kinds = {part.kind for part in parts}
        # The calls of the turn have lines of their own.
        if not kinds or not kinds <= {"function_call", "function_response"}:
            lines.append(_text_link(owner, event, text_of(event, "author"), parts, EVENTS_HELP))
    return [Heading("Before the response", str(len(lines))), *lines] if lines else []


def _text_link(owner: FormOwner, node: Node, author: str, parts: list[PartView], help: str) -> Link:
    words = " · ".join(part.text if part.is_text else part.describe() for part in parts if part.node.kind == "object")
    line: Line = [(f"{preview(author, 30) or 'no author'}  ", "name")]
    line.append((preview(words) or "empty", "" if words else "dim"))
    return item_link(owner.case_file, node, line, help)


# --- the form of a call ----------------------------------------------------------------------------------------------


def call_form(owner: FormOwner) -> Form:
    """The form of a tool call."""
    eval_set, node = owner.case_file, owner.node
    turn = eval_set.enclosing(node, "turn")
    uses = tool_uses_of(turn) if turn is not None else ToolUses()
    use = next((use for use in uses.calls if use.node is node), None) or ToolUse(node, Pairing.NO_ANSWER)
    called, args = preview(use.name, 40) or "the call", use.args
    name = _text_of_call(node, "name", partial(rename_call, eval_set, use))
    name.suggests, name.help = "tool", "tool_trajectory_avg_score compares the name exactly."
    identifier = _text_of_call(node, "id", partial(change_call_id, eval_set, use))
    identifier.delete = partial(change_call_id, eval_set, use, "") if use.id else None
    if turn is not None:
        identifier.fresh = lambda: change_call_id(eval_set, use, new_call_id(eval_set, turn))
    identifier.help = "Links the tool call to its tool response; no metric compares ids."
    arguments: list[Item] = []
    # google-adk compares absent arguments with {} as different values.
    remark = "absent (not the same as {})" if args is None else args.kind
    add = add_member(lambda: node.member("args"), "argument", called, partial(_put_args, node))
    is_empty = args is None or args.kind == "null" or (args.kind == "object" and not args.items)
    if args is not None and args.kind == "object":
        remark = str(len(args.items))
        arguments += [replace(value_line(item, called, "argument"), help=_ARGUMENT_HELP) for item in args.items]
    elif args is not None and not is_empty:
        arguments.append(replace(value_line(args, called), help=_ARGS_HELP))
    if is_empty:
        field, add_one = _args_field(use, called), add
        arguments.append(field)
        add = lambda typed: (field.write if typed.lstrip().startswith("{") else add_one)(typed)  # noqa: E731
    items: list[Item] = [
        name,
        identifier,
        Heading("Arguments", remark),
        *arguments,
        Heading("Tool response", _PAIRING_REMARKS[use.pairing]),
        _response_line(eval_set, use),
        *other_keys(eval_set, node, ("name", "id", "args"), "More"),
    ]
    all_at_once = "all arguments as { … }" if is_empty else ""
    return Form(owner.named, items, add=add, adds="argument", asks_name=True, also_takes=all_at_once)


def _text_of_call(call: Node, key: str, write: Write) -> Field:
    node, text = member(call, key), text_of(call, key)
    return Field(key, key, text, write, node=node, one_line=True, takes_text=True, placeholder=f"no {key}")


def _args_field(use: ToolUse, called: str) -> Field:
    """The line of arguments that are absent, null or {}, which differ in google-adk. t changes the type, d deletes."""
    args, node = use.args, use.node

    def retype(kind: str, origin: Node | None) -> Revision:
        source = b"{}" if kind == "object" else b"null"
        return Revision(f"set args of {called} to {source.decode()}", [_put_args(node, source)])

    def write(text: str) -> Revision:
        source = text.strip().encode("utf-8", "surrogatepass")
        if parse_value(source).kind not in ("object", "null"):
            raise EditError("arguments must be a JSON object: { … }")
        return Revision(f"edit args of {called}", [_put_args(node, source)])

    def in_text_box() -> Field:
        # Typed as JSON, the arguments keep their text box even once they have lines of their own.
        text = shown_text(args) if args is not None and args.items else ""
        return replace(_args_field(use, called), text=text, node=None)

    return Field(
        "args",
        "args",
        "",
        write,
        node=args,
        placeholder=f"no arguments ({'absent' if args is None else shown_text(args)}) · a: add an argument",
        delete=(lambda: Revision(f"delete args of {called}", [Remove(args.pointer())])) if args is not None else None,
        retype=retype,
        types=OBJECT,
        in_list=True,
        enter_adds=True,
        help=_ARGS_HELP,
        again=in_text_box,
    )


def _put_args(node: Node, source: bytes) -> Edit:
    existing = node.member("args")
    return Set(existing.pointer(), source) if existing is not None else Insert(f"{node.pointer()}/args", source)


def _response_line(eval_set: CaseFile, use: ToolUse) -> Item:
    response = member(use.response, "response")
    if response is None or editable(response):
        return _response_field(eval_set, use)
    # Too long for a text box, it can still be deleted and opened.
    delete = partial(delete_response, eval_set, use)
    return Link("response", summary(response), response, node=response, delete=delete, delete_response=delete)


def _response_field(eval_set: CaseFile, use: ToolUse) -> Field:
    response = member(use.response, "response")
    delete = partial(delete_response, eval_set, use) if use.response is not None else None

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
        shown_text(response) if response is not None else "",
        write,
        block=True,
        placeholder="no tool response · enter: write JSON",
        delete=delete,
        delete_response=delete,
        help="Value that the tool returned; no offline metric uses it.",
        node=response,
        again=lambda: _response_field(eval_set, use),
    )

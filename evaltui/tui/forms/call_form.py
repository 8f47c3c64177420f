"""The form of a tool call with its paired response."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from evaltui.document.edits import Edit, Insert, Remove, Set
from evaltui.document.errors import EditError
from evaltui.document.node import Node, parse_value
from evaltui.document.strings import json_bytes
from evaltui.evalset.call_views import Pairing, ToolUse, ToolUses, tool_uses_of
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.call_edits import change_call_id, delete_response, rename_call, write_response
from evaltui.evalset.editing.new_ids import new_call_id
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.keys import member
from evaltui.evalset.titles import title
from evaltui.tui.forms.field_help import help_for
from evaltui.tui.forms.form import Field, Form, Heading, Item, Link, Write
from evaltui.tui.forms.json_form import add_member, value_line
from evaltui.tui.forms.line_texts import summary
from evaltui.tui.forms.value_text import editable, shown_text, type_of, value_edits
from evaltui.tui.lines import preview

_CALL_FIELDS = ("name", "id", "args")
_PAIRING_REMARKS = {
    Pairing.ANSWERED: "paired by id",
    Pairing.BY_ORDER: "no ids: paired by name and order",
    Pairing.NO_ANSWER: "",  # the line below says so
    Pairing.SHARED_ID: "another call has the same id",
}


def call_form(eval_set: CaseFile, node: Node) -> Form:
    """The form of a tool call, given its node."""
    turn = eval_set.enclosing(node, "turn")
    uses = tool_uses_of(turn) if turn is not None else ToolUses()
    use = next((use for use in uses.calls if use.node is node), None) or ToolUse(node, Pairing.NO_ANSWER)
    of = preview(use.name, 40) or "the call"
    items: list[Item] = [
        Field(
            "name",
            "name",
            use.name,
            lambda text: rename_call(eval_set, use, text),
            node=member(use.node, "name"),
            one_line=True,
            takes_text=True,
            placeholder="no name",
            help=help_for("call", "name"),
            suggests="tool",
        ),
        Field(
            "id",
            "id",
            use.id,
            lambda text: change_call_id(eval_set, use, text),
            node=member(use.node, "id"),
            one_line=True,
            takes_text=True,
            placeholder="no id",
            delete=(lambda: change_call_id(eval_set, use, "")) if use.id else None,
            fresh=(lambda: change_call_id(eval_set, use, new_call_id(eval_set, turn))) if turn is not None else None,
            help=help_for("call", "id"),
        ),
        Heading("Arguments", _argument_remark(use.args)),
        *_argument_items(use, of),
        Heading("Tool response", _PAIRING_REMARKS[use.pairing]),
        _response_item(eval_set, use),
        *_other_members(node),
    ]
    is_empty = any(isinstance(item, Field) and item.enter_adds for item in items)
    return Form(
        title(eval_set, node),
        items,
        add=_add_all_or_one(use, of) if is_empty else _add_one(node, of),
        adds="argument",
        asks_name=True,
        also_takes="all arguments as { … }" if is_empty else "",
    )


def _add_one(node: Node, of: str) -> Write:
    return add_member(lambda: node.member("args"), "argument", of, lambda source: _put_args(node, source))


def _add_all_or_one(use: ToolUse, of: str) -> Write:
    """A function that adds one argument by its name, or all arguments from the JSON text of an object."""
    add_one, write = _add_one(use.node, of), _args_line(use, of).write
    return lambda text: write(text) if text.lstrip().startswith("{") else add_one(text)


def _argument_remark(args: Node | None) -> str:
    if args is None:
        return "absent (not the same as {})"
    return str(len(args.items)) if args.kind == "object" else args.kind


def _argument_items(use: ToolUse, of: str) -> list[Item]:
    args = use.args
    if args is not None and args.kind == "object":
        help = help_for("call", "argument")
        rows: list[Item] = [replace(value_line(item, of, "argument"), help=help) for item in args.items]
        return rows or [_args_line(use, of)]
    if args is not None and args.kind != "null":
        return [replace(value_line(args, of), help=help_for("call", "args"))]
    return [_args_line(use, of)]


def _args_line(use: ToolUse, of: str) -> Field:
    """The line of arguments that are absent, null or {}, which differ in google-adk. t changes the type, d deletes."""
    args, node = use.args, use.node

    def retype(kind: str, origin: Node | None) -> Revision:
        source = b"{}" if kind == "object" else b"null"
        return Revision(f"set args of {of} to {source.decode()}", [_put_args(node, source)])

    def write(text: str) -> Revision:
        source = text.strip().encode("utf-8", "surrogatepass")
        if parse_value(source).kind not in ("object", "null"):
            raise EditError("arguments must be a JSON object: { … }")
        return Revision(f"edit args of {of}", [_put_args(node, source)])

    return Field(
        "args",
        "args",
        "",
        write,
        node=args,
        kind="absent" if args is None else type_of(args),
        placeholder=f"no arguments ({'absent' if args is None else shown_text(args)}) · a: add an argument",
        delete=(lambda: Revision(f"delete args of {of}", [Remove(args.pointer())])) if args is not None else None,
        retype=retype,
        types=("object", "null"),
        in_list=True,
        begins_by_tab=False,
        enter_adds=True,
        help=help_for("call", "args"),
        again=lambda: _args_as_json(use, of),
    )


def _args_as_json(use: ToolUse, of: str) -> Field:
    """All arguments in one text box, for typing them as JSON."""
    args = use.args
    text = shown_text(args) if args is not None and args.items else ""
    return replace(_args_line(use, of), text=text, node=None)


def _put_args(node: Node, source: bytes) -> Edit:
    existing = node.member("args")
    if existing is not None:
        return Set(existing.pointer(), source)
    return Insert(f"{node.pointer()}/args", source)


def _response_item(eval_set: CaseFile, use: ToolUse) -> Item:
    value = member(use.response, "response")
    if value is not None and not editable(value):
        deletion = _deletion_of_response(eval_set, use)
        return Link("response", summary(value), value, node=value, delete=deletion, delete_response=deletion)
    return _response_field(eval_set, use)


def _deletion_of_response(eval_set: CaseFile, use: ToolUse) -> Callable[[], Revision] | None:
    return (lambda: delete_response(eval_set, use)) if use.response is not None else None


def _response_field(eval_set: CaseFile, use: ToolUse) -> Field:
    value = member(use.response, "response")

    def write(text: str) -> Revision:
        source = json_bytes(text.strip())
        if parse_value(source).kind != "object":
            raise EditError("the response must be a JSON object: { … }")
        if value is None or value.kind == "string":
            return write_response(eval_set, use, source)
        return Revision(write_response(eval_set, use, source).label, value_edits(value, text))

    return Field(
        "response",
        "",
        shown_text(value) if value is not None else "",
        write,
        kind="object" if value is not None else "absent",
        block=True,
        placeholder="no tool response · enter: write JSON",
        delete=_deletion_of_response(eval_set, use),
        delete_response=_deletion_of_response(eval_set, use),
        help=help_for("call", "response"),
        node=value,
        again=lambda: _response_field(eval_set, use),
    )


def _other_members(node: Node) -> list[Item]:
    rest = [item for item in node.items if item.name not in _CALL_FIELDS]
    return [Heading("More"), *(value_line(item, "the call", inline=False) for item in rest)] if rest else []

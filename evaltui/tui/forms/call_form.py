"""The form of a tool call with its paired response."""

from __future__ import annotations

from evaltui.document import Edit, EditError, Insert, Node, Set
from evaltui.document.reading import parse
from evaltui.document.strings import json_bytes
from evaltui.evalset.calling import change_call_id, rename_call, write_response
from evaltui.evalset.eval_set import EvalSet, Invocation
from evaltui.evalset.keys import member
from evaltui.evalset.revision import Revision
from evaltui.evalset.titles import title
from evaltui.evalset.tool_uses import Pairing, ToolUse, ToolUses
from evaltui.tui.forms.form import Field, Form, Heading, Item, Link, Note
from evaltui.tui.forms.value_lines import add_member, value_line
from evaltui.tui.forms.values import editable, shown_text, summary, value_edits
from evaltui.tui.lines import dim, preview

_CALL_FIELDS = ("name", "id", "args")
_PAIRING_REMARKS = {
    Pairing.ANSWERED: "paired by id",
    Pairing.BY_ORDER: "paired by name and order: neither has an id",
    Pairing.NO_ANSWER: "no answer",
    Pairing.SHARED_ID: "another call has the same id",
}


def call_form(eval_set: EvalSet, node: Node) -> Form:
    """The form of the call object `node`."""
    turn = eval_set.enclosing(node, "turn")
    uses = Invocation(turn).tool_uses if turn is not None else ToolUses()
    use = next((use for use in uses.calls if use.node is node), None) or ToolUse(node, Pairing.NO_ANSWER)
    of = preview(use.name, 40) or "the call"
    items: list[Item] = [
        Field("name", "name", use.name, lambda text: rename_call(eval_set, use, text), placeholder="no name"),
        Field("id", "id", use.id, lambda text: change_call_id(eval_set, use, text), placeholder="no id"),
        Heading("Arguments", _argument_remark(use.args)),
        *_argument_items(use, of),
        Heading("Response", _PAIRING_REMARKS[use.pairing]),
        _response_item(eval_set, use),
        *_other_members(node),
    ]
    return Form(
        title(eval_set, node),
        items,
        add=add_member(lambda: node.member("args"), "argument", of, lambda source: _put_args(node, source)),
        adds="argument",
        asks_name=True,
    )


def _argument_remark(args: Node | None) -> str:
    if args is None:
        return "absent, which google-adk tells from {}"
    return str(len(args.items)) if args.kind == "object" else args.kind


def _argument_items(use: ToolUse, of: str) -> list[Item]:
    args = use.args
    if args is not None and args.kind == "object":
        rows: list[Item] = [value_line(item, of, "argument") for item in args.items]
        return rows or [Note(dim("No arguments. a adds one."))]
    if args is not None and args.kind != "null":
        return [Link("args", [("args  ", "name"), *summary(args)], args)]
    return [Note(dim("No arguments. a adds one."))]


def _put_args(node: Node, source: bytes) -> Edit:
    existing = node.member("args")
    if existing is not None:
        return Set(existing.pointer(), source)
    return Insert(f"{node.pointer()}/args", source)


def _response_item(eval_set: EvalSet, use: ToolUse) -> Item:
    value = member(use.response, "response")
    if value is not None and not editable(value):
        return Link("response", summary(value), value)
    return _response_field(eval_set, use)


def _response_field(eval_set: EvalSet, use: ToolUse) -> Field:
    value = member(use.response, "response")

    def write(text: str) -> Revision:
        source = json_bytes(text.strip())
        if parse(source).kind != "object":
            raise EditError("a response is a JSON object: { … }")
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
        placeholder="no response · enter writes one (JSON)",
        node=value,
        again=lambda: _response_field(eval_set, use),
    )


def _other_members(node: Node) -> list[Item]:
    rest = [item for item in node.items if item.name not in _CALL_FIELDS]
    if not rest:
        return []
    return [Heading("More"), *(Link(n, [(f"{preview(n.name, 40)}  ", "name"), *summary(n)], n) for n in rest)]

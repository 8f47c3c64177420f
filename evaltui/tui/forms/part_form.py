"""The form of a part of a content."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from evaltui.document.edits import Set
from evaltui.document.node import Node
from evaltui.evalset.content_views import PartView, sized
from evaltui.evalset.editing.inline_files import bytes_of, name_for, replace_blob, save_blob
from evaltui.evalset.editing.member_edits import fill_member
from evaltui.evalset.field_help import help_for
from evaltui.evalset.keys import filled, member
from evaltui.evalset.set_views import EvalSetView
from evaltui.tui.forms.form import Choice, Field, Form, Heading, Item, Link, Note
from evaltui.tui.forms.member_lines import others, text_member, value_member
from evaltui.tui.forms.row_lines import offer_of
from evaltui.tui.forms.value_lines import add_member, value_line
from evaltui.tui.lines import dim

_FIELDS = {
    "inline_data": ("mime_type", "display_name"),
    "file_data": ("file_uri", "mime_type", "display_name"),
    "function_call": ("name", "id"),
    "function_response": ("name", "id"),
    "executable_code": ("language", "code"),
    "code_execution_result": ("outcome", "output"),
}
_BLOCKS = ("code", "output")
_FREE = {"function_call": "args", "function_response": "response"}
_HIDDEN = {"inline_data": ("data",)}


def part_form(eval_set: EvalSetView, node: Node, named: str) -> Form:
    """The content of a part, each kind in its way; thought and signature are marked."""
    part = PartView(node)
    payload = filled(node, part.kind)
    items: list[Item] = []
    choices: list[Choice] = []
    add = None
    if part.is_text:
        items.append(text_member(eval_set, node, "text", "part", block=True))
    elif part.kind in _FIELDS and payload is not None and payload.kind == "object":
        items.append(Heading(part.kind.replace("_", " ")))
        items += _payload_lines(eval_set, payload, part.kind, named)
        choices = _blob_choices(eval_set, payload) if part.kind == "inline_data" else []
        if free := _FREE.get(part.kind):
            put_free = lambda source: Set(f"{payload.pointer()}/{free}", source)  # noqa: E731
            add = add_member(lambda: member(payload, free), "argument", named, put_free)
    known = ("text", part.kind) if items else ()
    items += [] if member(node, "thought") is None else [_thought(node, named)]
    items += [] if member(node, "thought_signature") is None else value_lines_of_signature(node, named)
    items += others(eval_set, node, (*known, "thought", "thought_signature"))
    absent = []
    if part.is_text and member(node, "thought") is None:
        absent.append("thought")
        choices.append(
            Choice("thought", "marks the text as one", revise=lambda: fill_member(eval_set, node, "thought", True))
        )
    items += offer_of(absent, choices, named)
    return Form(named, items, add=add, adds="argument" if add else "", asks_name=add is not None)


def _payload_lines(eval_set: EvalSetView, payload: Node, kind: str, named: str) -> list[Item]:
    items: list[Item] = []
    if kind == "inline_data":
        items.append(Note(dim(f"{_size(payload)}, base64 in the file")))
    for name in _FIELDS[kind]:
        field = text_member(eval_set, payload, name, kind, block=name in _BLOCKS)
        items.append(replace(field, help=help_for("part", kind)))
    free = _FREE.get(kind)
    if free:
        values = member(payload, free)
        if values is not None and values.kind == "object":
            items += [Heading(free, str(len(values.items)))]
            items += [value_line(item, named, "argument") for item in values.items] or [Note(dim("{} · a adds one"))]
        else:
            items += value_member(eval_set, payload, free, kind) or [Note(dim(f"{free}: absent · a adds one"))]
    return items + others(eval_set, payload, (*_FIELDS[kind], free or "", *_HIDDEN.get(kind, ())), "")


def _size(blob: Node) -> str:
    from evaltui.document.errors import EditError

    try:
        return sized(len(bytes_of(blob)))
    except EditError:
        return "no valid base64"


def _blob_choices(eval_set: EvalSetView, blob: Node) -> list[Choice]:
    def save(path: Path) -> str:
        return save_blob(blob, path)

    return [
        Choice("save to a file", export=save, question="Save to", suggestion=name_for(blob), is_path=True),
        Choice(
            "replace by a file",
            write=lambda path: replace_blob(eval_set, blob, path),
            question="Path of the file",
            is_path=True,
        ),
    ]


def _thought(node: Node, named: str) -> Field | Link:
    thought = member(node, "thought")
    assert thought is not None
    line = value_line(thought, named)
    return replace(line, types=("boolean", "null"), help=help_for("part", "thought"))


def value_lines_of_signature(node: Node, named: str) -> list[Item]:
    """The signature by its size: nobody edits it."""
    signature = member(node, "thought_signature")
    assert signature is not None
    line = value_line(signature, named)
    text = [("thought_signature  ", "name"), (sized(len(signature.text()) * 3 // 4), "dim")]
    return [
        Link(signature, text, signature, node=signature, delete=line.delete, help=help_for("part", "thought_signature"))
    ]

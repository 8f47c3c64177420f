"""The parts of a content as lines of a form, with texts edited in place, and the form of one part."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from evaltui.document.edits import Remove, Set
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.content_parts import PartView, parts_of, sized
from evaltui.evalset.editing.field_edits import (
    ROLES,
    blob_of,
    bytes_of,
    fill_member,
    name_for,
    replace_blob,
    save_blob,
    write_first_text,
    write_part,
    write_role,
)
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.row_moves import move_value
from evaltui.evalset.editing.templates import TEMPLATES
from evaltui.evalset.keys import filled, member, text_of
from evaltui.evalset.titles import title
from evaltui.tui.forms.field_help import help_for
from evaltui.tui.forms.form import Choice, Field, Form, Heading, Item, Link, Note, empty_note
from evaltui.tui.forms.json_form import add_member, value_line
from evaltui.tui.forms.line_texts import values_of_call
from evaltui.tui.forms.model_fields import item_link, offer_of, others, text_member, value_member
from evaltui.tui.forms.value_text import fits, type_of
from evaltui.tui.lines import Line, dim, preview

_SCORES_ZERO = ", so response_match_score is 0 · enter: write"
WORDS = {
    "user_content": ("User", "user message", "no user message · enter: write"),
    "final_response": (
        "Expected response",
        "response",
        f"no expected response{_SCORES_ZERO}",
    ),
    "prompt": ("Prompt", "prompt", "no prompt · enter: write"),
    "system_instruction": ("System instruction", "system instruction", "no text · enter: write"),
    "response": ("Reference", "reference", "no reference · enter: write"),
    "content": ("Content", "text", "no text · enter: write"),
}
"""For each content: its heading, its name in labels, and the placeholder of its empty field."""
PAYLOAD_FIELDS = {
    "inline_data": ("mime_type", "display_name"),
    "file_data": ("file_uri", "mime_type", "display_name"),
    "function_call": ("name", "id"),
    "function_response": ("name", "id"),
    "executable_code": ("language", "code"),
    "code_execution_result": ("outcome", "output"),
}
"""The text fields of a payload, by its kind."""
_BLOCKS = ("code", "output")
FREE = {"function_call": "args", "function_response": "response"}
"""The key of a payload whose value is free JSON."""
_HIDDEN = {"inline_data": ("data",)}


def content_items(case_file: CaseFile, turn: Node, name: str, of: str = "turn", heading: str = "") -> list[Item]:
    """The heading and parts of the content `name` of a turn or another owner (`of`); an absent content as a field."""
    usual, what, empty = WORDS[name]
    content = filled(turn, name)
    parts = parts_of(content)
    items: list[Item] = [Heading(heading or usual, f"{len(parts)} parts" if len(parts) > 1 else "")]
    items += part_lines(case_file, parts, name, what, help_for(of, name))
    if name == "final_response" and len(parts) == 1 and isinstance(items[-1], Field):
        items[-1] = replace(items[-1], placeholder=f"empty{_SCORES_ZERO}")
    if not any(part.is_text for part in parts):
        held = sum(part.holds_text for part in parts)
        items.append(_missing_text(case_file, turn, (name, held), empty, help_for(of, name)))
    if content is None or content.kind != "object":
        return items
    if text_of(content, "role") not in ("", ROLES[name]):
        items.append(role_field(case_file, turn, name))
    return items + others(case_file, content, ("parts", "role"), "")


def part_lines(case_file: CaseFile, parts: Sequence[PartView], key: str, what: str, help: str) -> list[Item]:
    """A line for each part; `key` distinguishes the fields of several contents."""
    items: list[Item] = []
    texts = 0
    for number, part in enumerate(parts):
        own: Hashable = (key, texts) if part.holds_text else (key, "other", number)
        texts += part.holds_text
        if part.is_text and _fits_box(part):
            items.append(_text_field(case_file, part, own, what, help))
        else:
            items.append(_other_part(case_file, part, own))
    return items


def _fits_box(part: PartView) -> bool:
    text = filled(part.node, "text")
    return text is None or fits(text)


def _where(case_file: CaseFile, part: PartView) -> str:
    return title(case_file, part.node)


def _text_field(case_file: CaseFile, part: PartView, key: Hashable, what: str, help: str) -> Field:
    marks = ["thought"] if part.kind == "thought" else []
    marks += ["signed"] if filled(part.node, "thought_signature") is not None else []
    named = f"{what} of {_where(case_file, part)}"
    return Field(
        key,
        " · ".join(marks),
        part.text,
        lambda text: write_part(case_file, part, text, what),
        node=part.node,
        block=True,
        takes_text=True,
        delete=lambda: Revision(f"delete {named}", [Remove(part.node.pointer())]),
        move=lambda step: move_value(part.node, step, named),
        help=help_for("part", "thought") if part.kind == "thought" else help,
        again=lambda: _text_field(case_file, part, key, what, help),
    )


def _missing_text(case_file: CaseFile, turn: Node, key: tuple[str, int], empty: str, help: str) -> Field:
    """The field of a missing text. It has the key of the part that the first typed letter creates."""
    name, _ = key
    node = member(turn, name)
    return Field(
        key,
        "",
        "",
        lambda text: write_first_text(case_file, turn, name, text, WORDS[name][1]),
        node=node,
        kind="absent",
        block=True,
        takes_text=True,
        placeholder=empty if node is None or node.items else empty.replace(" ·", f" ({type_of(node)}) ·"),
        delete=(lambda: Revision(f"delete {name} of {title(case_file, turn)}", [Remove(node.pointer())]))
        if node is not None and name != "user_content"
        else None,
        help=help,
    )


def _other_part(case_file: CaseFile, part: PartView, key: Hashable) -> Link:
    named = f"{preview(part.describe(), 40)} of {_where(case_file, part)}"
    line: Line = [("◇ ", "dim"), (preview(part.describe()), "dim"), *values_of_call(part)]
    leads_to_a_form = part.kind != "inline_data"
    return item_link(part.node, line, named, _help_of(case_file, part.kind), key=key, leads_to_a_form=leads_to_a_form)


def _help_of(case_file: CaseFile, kind: str) -> str:
    """The help of a payload. A dataset has its expected calls in contents, and an eval set has them elsewhere."""
    of_dataset = help_for("dataset_part", kind) if case_file.is_dataset else ""
    return of_dataset or help_for("part", kind)


def role_field(case_file: CaseFile, owner: Node, name: str) -> Field:
    """The role of the content `name` of `owner`."""
    content = filled(owner, name)
    node = member(content, "role")
    return Field(
        (name, "role"),
        "role",
        node.text() if node is not None else "",
        lambda text: write_role(case_file, owner, name, text),
        node=node,
        kind=type_of(node) if node is not None else "absent",
        one_line=True,
        takes_text=True,
        placeholder="absent" if node is None else "null" if node.kind == "null" else "empty",
        delete=(lambda: Revision(f"delete role of {name}", [Remove(node.pointer())])) if node is not None else None,
        help=help_for("content", "role"),
    )


def part_choices(add: Callable[[dict[str, Any], str], Revision], to: str = "", section: str = "") -> list[Choice]:
    """A choice for each kind of part that `add` can add, `to` a content, which is the `section` of a form."""

    def made(what: str) -> Choice:
        return Choice(f"{what} {to}".rstrip(), revise=lambda: add(TEMPLATES[what], what), section=section)

    text, thought, *rest = map(made, TEMPLATES)
    disk = Choice(
        f"file from disk {to}".rstrip(),
        "image, audio, …",
        write=lambda path: add({"inline_data": blob_of(path)}, "file"),
        question="Path of the file",
        is_path=True,
        section=section,
    )
    return [text, thought, disk, *rest]


def part_form(case_file: CaseFile, node: Node, named: str) -> Form:
    """The form of a part, by its kind; thought and signature have their own lines."""
    part = PartView(node)
    payload = filled(node, part.kind)
    items: list[Item] = []
    choices: list[Choice] = []
    add = None
    if part.is_text:
        items.append(text_member(case_file, node, "text", "part", block=True))
    elif part.kind in PAYLOAD_FIELDS and payload is not None and payload.kind == "object":
        items.append(Heading(part.kind.replace("_", " ")))
        items += payload_lines(case_file, payload, part.kind, named)
        choices = _blob_choices(case_file, payload) if part.kind == "inline_data" else []
        if free := FREE.get(part.kind):
            put_free = lambda source: Set(f"{payload.pointer()}/{free}", source)  # noqa: E731
            add = add_member(lambda: member(payload, free), "argument", named, put_free)
    known = ("text", part.kind) if items else ()
    items += [] if member(node, "thought") is None else [_thought(node, named)]
    items += [] if member(node, "thought_signature") is None else [_signature(node, named)]
    items += others(case_file, node, (*known, "thought", "thought_signature"))
    absent = []
    if part.is_text and member(node, "thought") is None:
        absent.append("thought")
        choices.append(
            Choice(
                "thought", "marks the part as a thought", revise=lambda: fill_member(case_file, node, "thought", True)
            )
        )
    items += offer_of(absent, choices, named)
    return Form(named, items, add=add, adds="argument" if add else "", asks_name=add is not None)


def payload_lines(case_file: CaseFile, payload: Node, kind: str, named: str) -> list[Item]:
    """The fields of a payload: texts, arguments or response, and all other keys."""
    items: list[Item] = []
    if kind == "inline_data":
        items.append(Note(dim(f"{_size(payload)}, base64 in the file")))
    for name in PAYLOAD_FIELDS[kind]:
        field = text_member(case_file, payload, name, kind, block=name in _BLOCKS)
        items.append(replace(field, help=_help_of(case_file, kind)))
    free = FREE.get(kind)
    if free:
        values = member(payload, free)
        if values is not None and values.kind == "object":
            items += [Heading(free, str(len(values.items)))]
            items += [value_line(item, named, "argument") for item in values.items] or [
                empty_note("{}", "· a: add a key")
            ]
        else:
            items += value_member(case_file, payload, free, kind) or [empty_note(f"{free}: absent", "· a: add a key")]
    return items + others(case_file, payload, (*PAYLOAD_FIELDS[kind], free or "", *_HIDDEN.get(kind, ())), "")


def _size(blob: Node) -> str:
    try:
        return sized(len(bytes_of(blob)))
    except EditError:
        return "invalid base64"


def _blob_choices(case_file: CaseFile, blob: Node) -> list[Choice]:
    return [
        Choice(
            "save to a file",
            export=partial(save_blob, blob),
            question="Save to",
            suggestion=name_for(blob),
            is_path=True,
        ),
        Choice(
            "replace with a file",
            write=lambda path: replace_blob(case_file, blob, path),
            question="Path of the file",
            is_path=True,
        ),
    ]


def _thought(node: Node, named: str) -> Field | Link:
    thought = member(node, "thought")
    assert thought is not None
    line = value_line(thought, named)
    return replace(line, types=("boolean", "null"), help=help_for("part", "thought"))


def _signature(node: Node, named: str) -> Item:
    """The size of the signature: nobody edits its bytes."""
    signature = member(node, "thought_signature")
    assert signature is not None
    line = value_line(signature, named)
    text = [("thought_signature  ", "name"), (sized(len(signature.text()) * 3 // 4), "dim")]
    help = help_for("part", "thought_signature")
    return Link(signature, text, signature, node=signature, delete=line.delete, help=help)

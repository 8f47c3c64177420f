"""Contents and their parts as lines of a form, with texts edited in place; and the forms of a content and of a part."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.content_parts import describe_part, holds_text, is_text_part, part_kind, parts_of, sized
from evaltui.evalset.editing.case_parts import add_to_content
from evaltui.evalset.editing.field_edits import (
    ROLES,
    blob_of,
    bytes_of,
    name_for,
    replace_blob,
    save_blob,
    write_first_text,
)
from evaltui.evalset.editing.revision import Revision, put
from evaltui.evalset.editing.templates import TEMPLATES
from evaltui.evalset.keys import filled, items_of, member, snake, text_of
from evaltui.evalset.titles import title
from evaltui.tui.forms.form import Choice, Field, Form, Heading, Item, Link, Note, empty_note, type_of
from evaltui.tui.forms.form_table import OBJECT, FormOwner, FormRow, block, line, value
from evaltui.tui.forms.json_form import add_inside, deletion, moving, value_line
from evaltui.tui.forms.value_text import editable, is_longer
from evaltui.tui.lines import Line, dim, preview
from evaltui.tui.outlines.row_texts import values_of_call

_SCORES_ZERO = ", so response_match_score is 0 · enter: write"
WORDS = {
    "user_content": ("User", "user message", "no user message · enter: write"),
    "final_response": ("Expected response", "response", f"no expected response{_SCORES_ZERO}"),
    "prompt": ("Prompt", "prompt", "no prompt · enter: write"),
    "system_instruction": ("System instruction", "system instruction", "no text · enter: write"),
    "response": ("Reference", "reference", "no reference · enter: write"),
    "content": ("Content", "text", "no text · enter: write"),
}
"""For each content: its heading, its name in labels, and the placeholder of its empty field."""
HELP = {
    "user_content": "Required. Message of the user to the agent: text, and files if added.",
    "final_response": "response_match_score compares this text; without a text the score is 0.",
}
"""How google-adk uses the contents of a turn."""
_PAYLOAD_TEXTS = {
    "inline_data": ("mime_type", "display_name"),
    "file_data": ("file_uri", "mime_type", "display_name"),
    "function_call": ("name", "id"),
    "function_response": ("name", "id"),
    "executable_code": ("language", "code"),
    "code_execution_result": ("outcome", "output"),
}
"""The text fields of a payload, by its kind."""
FREE = {"function_call": "args", "function_response": "response"}
"""The key of a payload whose value is free JSON."""
_THOUGHT_HELP = "A thought; response_match_score still counts its text."
_PAYLOAD_HELP = {
    "inline_data": "Sent to the agent; no metric compares the data. Base64 in the file.",
    "file_data": "The model reads the file from this URI; no metric compares the URI.",
    "function_call": "tool_trajectory ignores calls here: move expected calls to the turn.",
    "function_response": "Tool response inside the content.",
    "executable_code": "Code that the model wrote; no metric compares the code.",
    "code_execution_result": "Output of the code; no metric compares the output.",
    "thought": _THOUGHT_HELP,
}


def _payload_help(owner: FormOwner, kind: str) -> str:
    # A dataset has its expected calls in contents; an eval set has them elsewhere.
    if kind == "function_call" and owner.case_file.is_dataset:
        return "Tool call. Calls in intermediate_events are the expected ones."
    return _PAYLOAD_HELP.get(kind, "")


# --- the lines of a content ------------------------------------------------------------------------------------------


def content(owner: FormOwner, row: FormRow) -> list[Item]:
    """The heading and parts of a content; an absent content as a field.

    In a dataset also a bare text, which agents-cli accepts in place of a content.
    """
    case_file, node = owner.case_file, filled(owner.node, row.key)
    if case_file.is_dataset and node is not None and node.kind != "object":
        heading = Heading(row.heading or WORDS[row.key][0])
        if not editable(node):
            return [heading, value_line(node, owner.title)]
        [bare] = block(owner, row)
        return [heading, replace(bare, label="") if isinstance(bare, Field) else bare]
    usual, what, empty = WORDS[row.key]
    parts = parts_of(node)
    items: list[Item] = [Heading(row.heading or usual, f"{len(parts)} parts" if len(parts) > 1 else "")]
    items += part_lines(owner, parts, row.key, what, row.help)
    if row.key == "final_response" and len(parts) == 1 and isinstance(items[-1], Field):
        # response_match_score is 0 for an empty text as for an absent one; the placeholder says so.
        items[-1] = replace(items[-1], placeholder=f"empty{_SCORES_ZERO}")
    if not any(map(is_text_part, parts)):
        # It has the key of the part that the first typed letter creates, so that typing goes on there.
        key = (row.key, sum(map(holds_text, parts)))
        holder = member(owner.node, row.key)
        field = Field(
            key,
            "",
            "",
            lambda text: write_first_text(case_file, owner.node, row.key, text, what),
            node=holder,
            kind="absent",
            block=True,
            takes_text=True,
            placeholder=empty if holder is None or holder.items else empty.replace(" ·", f" ({type_of(holder)}) ·"),
            help=row.help,
        )
        # google-adk requires the user message.
        if holder is not None and row.key != "user_content":
            field.delete = partial(deletion, holder, f"{row.key} of {owner.title}")
        items.append(field)
    if node is None or node.kind != "object":
        return items
    body = owner._replace(node=node, table=row.key)
    # The usual role would be a line that nobody edits.
    if text_of(node, "role") not in ("", ROLES[row.key]):
        items.append(role_field(body))
    return [*items, *body.other_keys(("parts", "role"))]


def part_lines(owner: FormOwner, parts: Sequence[Node], key: str, what: str, help: str) -> list[Item]:
    """A line for each part; `key` distinguishes the fields of several contents."""
    items: list[Item] = []
    texts = 0
    for number, part in enumerate(parts):
        # By their number among the texts, so that the cursor stays when a file is added before it.
        own_key: Hashable = (key, texts) if holds_text(part) else (key, "other", number)
        texts += holds_text(part)
        text, kind = filled(part, "text"), part_kind(part)
        if kind in ("text", "thought") and (text is None or not is_longer(text)):
            items.append(_text_field(part, own_key, f"{what} of {title(owner.case_file, part)}", help))
            continue
        words = describe_part(part)
        runs: Line = [("◇ ", "dim"), (preview(words), "dim"), *values_of_call(part)]
        named = f"{preview(words, 40)} of {title(owner.case_file, part)}"
        link = owner.link(part, runs, _payload_help(owner, kind), named=named, key=own_key)
        # A file comes from disk with all its fields: there is nothing to fill in.
        link.leads_to_a_form = kind != "inline_data"
        items.append(link)
    return items


def _text_field(part: Node, key: Hashable, named: str, help: str) -> Field:
    is_thought = part_kind(part) == "thought"
    marks = ["thought"] if is_thought else []
    marks += ["signed"] if filled(part, "thought_signature") is not None else []
    return Field(
        key,
        " · ".join(marks),
        text_of(part, "text"),
        lambda text: Revision(f"edit {named}", [put(part, "text", text)]),
        node=part,
        kind="string",
        block=True,
        takes_text=True,
        delete=partial(deletion, part, named),
        move=partial(moving, part, named),
        help=_THOUGHT_HELP if is_thought else help,
        read=partial(text_of, part, "text"),
    )


def role_field(content: FormOwner) -> Item:
    """The role of a content."""
    help = "user or model; google-adk accepts any text, and no metric compares roles."
    [field] = line(content, FormRow("role", line, help))
    # Only a text makes sense, so no line of the type stands beside it.
    return replace(field, retype=None) if isinstance(field, Field) else field


def add_text(owner: FormOwner, key: str) -> Revision:
    """A new empty text in the content `key` of an object."""
    return add_to_content(owner.case_file, owner.node, key, TEMPLATES["text"], "text")


def content_choices(owner: FormOwner, key: str, where: str = "") -> list[Choice]:
    """A choice for each kind of part that the content `key` of an object can get."""
    return part_choices(partial(add_to_content, owner.case_file, owner.node, key), where, key if where else "")


def part_choices(add: Callable[[dict[str, Any], str], Revision], where: str = "", section: str = "") -> list[Choice]:
    """A choice for each kind of part that `add` can add; `where` names its content, the `section` of a form."""

    def choice(what: str) -> Choice:
        return Choice(f"{what} {where}".rstrip(), revise=lambda: add(TEMPLATES[what], what), section=section)

    # The usual parts come first; the raw ones, with ids and bytes to type, come last.
    text, thought, *payloads = map(choice, TEMPLATES)
    disk = Choice(
        f"file from disk {where}".rstrip(),
        "image, audio, …",
        write=lambda path: add({"inline_data": blob_of(path)}, "file"),
        question="Path of the file",
        is_path=True,
        section=section,
    )
    return [text, thought, disk, *payloads]


def content_form(owner: FormOwner) -> Form:
    """Role and parts of a content that is opened alone."""
    node, name = owner.node, snake(owner.node.name)
    assert node.parent is not None
    around = owner._replace(node=node.parent)
    items: list[Item] = [
        role_field(owner._replace(table=name)),
        Heading("Parts", str(len(items_of(node, "parts")))),
        *part_lines(owner, parts_of(node), name, "text", HELP.get(name, "")),
        *owner.other_keys(("parts", "role"), "More"),
        *around.offer(partial(content_choices, around, name, "here")),
    ]
    return Form(owner.named, items, add=lambda _: add_text(around, name), adds="text")


# --- the form of a part ----------------------------------------------------------------------------------------------


def part_form(owner: FormOwner) -> Form:
    """The form of a part, by its kind; thought and signature have their own lines."""
    node, named, kind = owner.node, owner.named, part_kind(owner.node)
    payload, is_text = filled(node, kind), is_text_part(node)
    items: list[Item] = []
    choices: list[Choice] = []
    add = None
    if is_text:
        help = "Metrics join the texts of a message with line breaks, then compare."
        items += block(owner, FormRow("text", block, help))
    elif kind in _PAYLOAD_TEXTS and payload is not None and payload.kind == "object":
        lines = payload_lines(owner._replace(node=payload, table=kind))
        items += [Heading(kind.replace("_", " ")), *lines]
        add = add_inside(payload, FREE[kind], "argument", named) if kind in FREE else None
        if kind == "inline_data":
            export, name = partial(save_blob, payload), name_for(payload)
            choices.append(Choice("save to a file", export=export, question="Save to", suggestion=name, is_path=True))
            write = partial(replace_blob, owner.case_file, payload)
            choices.append(Choice("replace with a file", write=write, question="Path of the file", is_path=True))
    form_keys = ("text", kind) if items else ()
    thought, signature = member(node, "thought"), member(node, "thought_signature")
    if thought is not None:
        items.append(replace(value_line(thought, named, help=_THOUGHT_HELP), types=("boolean", "null")))
    if signature is not None:
        # Nobody edits its bytes, so the line has only their size.
        size: Line = [("thought_signature  ", "name"), (sized(len(signature.text()) * 3 // 4), "dim")]
        delete = value_line(signature, named).delete
        help = "Opaque bytes of the model; evaltui keeps them unchanged."
        items.append(Link(signature, size, node=signature, delete=delete, help=help))
    items += owner.other_keys((*form_keys, "thought", "thought_signature"), "More")
    if is_text:
        choices += owner.filling("thought", True, "thought", "marks the part as a thought")
    items += owner.offer(lambda: choices, {"thought": "thought"} if is_text else {})
    return Form(named, items, add=add, adds="argument" if add else "", asks_name=add is not None)


def payload_lines(owner: FormOwner) -> list[Item]:
    """The fields of a payload: texts, arguments or response, and all other keys. The table has the name of its kind."""
    payload, kind, help = owner.node, owner.table, _payload_help(owner, owner.table)
    items, free = list[Item](), FREE.get(kind, "")
    if kind == "inline_data":
        try:
            size = sized(len(bytes_of(payload)))
        except EditError:
            size = "invalid base64"
        items.append(Note(dim(f"{size}, base64 in the file")))
    for name in _PAYLOAD_TEXTS[kind]:
        make = block if name in ("code", "output") else line
        items += make(owner, FormRow(name, make, help))
    if free:
        values = member(payload, free)
        if values is None or values.kind != "object":
            absent = empty_note(f"{free}: absent", "· a: add a key")
            items += value(owner, FormRow(free, value, types=OBJECT)) or [absent]
        else:
            items.append(Heading(free, str(len(values.items))))
            lines = [value_line(item, owner.named, "argument") for item in values.items]
            items += lines or [empty_note("{}", "· a: add a key")]
    return [*items, *owner.other_keys((*_PAYLOAD_TEXTS[kind], free, "data" if kind == "inline_data" else ""))]

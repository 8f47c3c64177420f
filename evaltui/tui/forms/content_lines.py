"""The parts of a content as lines: texts are edited in place, all others lead to a form of their own."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from evaltui.document.edits import Remove
from evaltui.document.node import Node
from evaltui.evalset.content_views import PartView, parts_of
from evaltui.evalset.editing.item_moves import move_value
from evaltui.evalset.editing.part_edits import (
    ROLES,
    TEMPLATES,
    add_part,
    append_part,
    write_first_text,
    write_part,
    write_role,
)
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.field_help import help_for
from evaltui.evalset.keys import filled, member, text_of
from evaltui.evalset.set_views import EvalSetView
from evaltui.evalset.titles import title
from evaltui.tui.forms.form import Choice, Field, Heading, Item, Link
from evaltui.tui.forms.member_lines import others
from evaltui.tui.forms.values import fits, type_of
from evaltui.tui.lines import preview

WORDS = {
    "user_content": ("User", "user text", "no user text · enter writes one"),
    "final_response": ("Expected response", "response", "no expected response · enter writes one"),
}
"""For each content of a turn: its heading, its name in labels, and what its empty field says."""


def content_items(eval_set: EvalSetView, turn: Node, name: str) -> list[Item]:
    """The heading and the parts of the content `name` of a turn; an absent one as an empty field."""
    heading, what, empty = WORDS[name]
    content = filled(turn, name)
    parts = parts_of(content)
    items: list[Item] = [Heading(heading, f"{len(parts)} parts" if len(parts) > 1 else "")]
    items += part_lines(eval_set, parts, name, what, help_for("turn", name))
    if not any(part.is_text for part in parts):
        held = sum(part.holds_text for part in parts)
        items.append(_missing_text(eval_set, turn, (name, held), empty))
    if content is None or content.kind != "object":
        return items
    if text_of(content, "role") not in ("", ROLES[name]):
        items.append(role_field(eval_set, turn, name))
    return items + others(eval_set, content, ("parts", "role"), "")


def part_lines(eval_set: EvalSetView, parts: Sequence[PartView], key: str, what: str, help: str) -> list[Item]:
    """A line for each part; `key` tells the fields of several contents apart."""
    items: list[Item] = []
    texts = 0
    for number, part in enumerate(parts):
        own: Hashable = (key, texts) if part.holds_text else (key, "other", number)
        texts += part.holds_text
        if part.is_text and _fits_box(part):
            items.append(_text_field(eval_set, part, own, what, help))
        else:
            items.append(_other_part(eval_set, part, own))
    return items


def _fits_box(part: PartView) -> bool:
    text = filled(part.node, "text")
    return text is None or fits(text)


def _where(eval_set: EvalSetView, part: PartView) -> str:
    return title(eval_set, eval_set.enclosing(part.node, "turn") or eval_set.root)


def _text_field(eval_set: EvalSetView, part: PartView, key: Hashable, what: str, help: str) -> Field:
    marks = ["thought"] if part.kind == "thought" else []
    marks += ["signed"] if filled(part.node, "thought_signature") is not None else []
    named = f"{what} of {_where(eval_set, part)}"
    return Field(
        key,
        " · ".join(marks),
        part.text,
        lambda text: write_part(eval_set, part, text, what),
        node=part.node,
        block=True,
        takes_text=True,
        delete=lambda: Revision(f"delete {named}", [Remove(part.node.pointer())]),
        move=lambda step: move_value(part.node, step, named),
        help=help_for("part", "thought") if part.kind == "thought" else help,
        again=lambda: _text_field(eval_set, part, key, what, help),
    )


def _missing_text(eval_set: EvalSetView, turn: Node, key: tuple[str, int], empty: str) -> Field:
    """The field of a text that is not there yet, with the key that the part has which its first letter makes."""
    name, _ = key
    node = member(turn, name)
    return Field(
        key,
        "",
        "",
        lambda text: write_first_text(eval_set, turn, name, text, WORDS[name][1]),
        node=node,
        kind="absent",
        block=True,
        takes_text=True,
        placeholder=empty if node is None or node.items else empty.replace(" ·", f" ({type_of(node)}) ·"),
        delete=(lambda: Revision(f"delete {name} of {title(eval_set, turn)}", [Remove(node.pointer())]))
        if node is not None and name == "final_response"
        else None,
        help=help_for("turn", name),
    )


def _other_part(eval_set: EvalSetView, part: PartView, key: Hashable) -> Link:
    named = f"{preview(part.describe(), 40)} of {_where(eval_set, part)}"
    return Link(
        key,
        [("◇ ", "dim"), (preview(part.describe()), "dim")],
        part.node,
        leads_to_a_form=part.kind != "inline_data",
        node=part.node,
        delete=lambda: Revision(f"delete {named}", [Remove(part.node.pointer())]),
        move=lambda step: move_value(part.node, step, named),
        help=help_for("part", part.kind),
    )


def role_field(eval_set: EvalSetView, owner: Node, name: str) -> Field:
    """The role of the content `name` of `owner`."""
    content = filled(owner, name)
    node = member(content, "role")
    return Field(
        (name, "role"),
        "role",
        node.text() if node is not None else "",
        lambda text: write_role(eval_set, owner, name, text),
        node=node,
        kind=type_of(node) if node is not None else "absent",
        one_line=True,
        takes_text=True,
        placeholder="absent" if node is None else "null" if node.kind == "null" else "empty",
        delete=(lambda: Revision(f"delete role of {name}", [Remove(node.pointer())])) if node is not None else None,
        help=help_for("content", "role"),
    )


def part_choices(eval_set: EvalSetView, owner: Node, name: str, to: str) -> list[Choice]:
    """The parts that can be added to the content `name` of `owner`."""

    def made(what: str) -> Choice:
        return Choice(
            f"{what} {to}", revise=lambda: add_part(eval_set, owner, name, TEMPLATES[what], what), section=name
        )

    def from_disk(path: str) -> Revision:
        from evaltui.evalset.editing.inline_files import blob_of

        return add_part(eval_set, owner, name, {"inline_data": blob_of(path)}, "file")

    text, thought, *rest = map(made, TEMPLATES)
    question = "Path of the file"
    disk = Choice(
        f"file from disk {to}", "image, audio, …", write=from_disk, question=question, is_path=True, section=name
    )
    return [text, thought, disk, *rest]


def choices_for_parts(parts: Node) -> list[Choice]:
    """The parts that can be added to a list of them."""

    def made(what: str) -> Choice:
        return Choice(what, revise=lambda: append_part(parts, TEMPLATES[what], what))

    def from_disk(path: str) -> Revision:
        from evaltui.evalset.editing.inline_files import blob_of

        return append_part(parts, {"inline_data": blob_of(path)}, "file")

    text, thought, *rest = map(made, TEMPLATES)
    return [
        text,
        thought,
        Choice("file from disk", "image, audio, …", write=from_disk, question="Path of the file", is_path=True),
        *rest,
    ]

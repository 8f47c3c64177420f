"""Fields for the contents of a turn: text parts as texts, all other parts as what they are."""

from __future__ import annotations

from collections.abc import Hashable

from evaltui.document import Node, Remove
from evaltui.evalset.authoring import write_first_text, write_part
from evaltui.evalset.content import Part, parts_of
from evaltui.evalset.eval_set import EvalSet
from evaltui.evalset.keys import filled
from evaltui.evalset.revision import Revision
from evaltui.evalset.titles import title
from evaltui.tui.forms.form import Field, Heading, Item, Link
from evaltui.tui.forms.values import fits
from evaltui.tui.lines import preview

_WORDS = {
    "user_content": ("User", "user text", "no user text · enter writes one"),
    "final_response": ("Expected response", "response", "no expected response · enter writes one"),
}
"""For each content of a turn: its heading, its name in labels, and what its empty field says."""


def content_items(eval_set: EvalSet, turn: Node, name: str) -> list[Item]:
    """The heading and the parts of the content `name` of a turn; an absent one as an empty field."""
    heading, what, _ = _WORDS[name]
    parts = parts_of(filled(turn, name))
    items: list[Item] = [Heading(heading, f"{len(parts)} parts" if len(parts) > 1 else "")]
    texts = 0
    for number, part in enumerate(parts):
        key = (name, texts) if part.holds_text else (name, "other", number)
        texts += part.holds_text
        if part.is_text and fits_box(part):
            items.append(_text_field(eval_set, part, key, what))
        else:
            items.append(_other_part(eval_set, turn, part, key))
    if not any(part.is_text for part in parts):
        items.append(_missing_text(eval_set, turn, name, texts))
    return items


def fits_box(part: Part) -> bool:
    """Whether the text of a part is short enough to be edited here."""
    text = filled(part.node, "text")
    return text is None or fits(text)


def _text_field(eval_set: EvalSet, part: Part, key: Hashable, what: str) -> Field:
    return Field(
        key,
        "thought" if part.kind == "thought" else "",
        part.text,
        lambda text: write_part(eval_set, part, text, what),
        block=True,
        node=part.node,
        again=lambda: _text_field(eval_set, part, key, what),
    )


def _missing_text(eval_set: EvalSet, turn: Node, name: str, number: int) -> Field:
    """The field of a text that is not there yet, with the key that the part has which its first letter makes."""
    _, what, empty = _WORDS[name]
    return Field(
        (name, number),
        "",
        "",
        lambda text: write_first_text(eval_set, turn, name, text, what),
        kind="absent",
        block=True,
        placeholder=empty,
    )


def _other_part(eval_set: EvalSet, turn: Node, part: Part, key: Hashable) -> Link:
    label = f"delete {preview(part.describe(), 40)} of {title(eval_set, turn)}"
    return Link(
        key,
        [("◇ ", "dim"), (preview(part.describe()), "dim")],
        part.node,
        delete=lambda: Revision(label, [Remove(part.node.pointer())]),
    )

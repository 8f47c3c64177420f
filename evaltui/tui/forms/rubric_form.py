"""Rubrics: as lines of their case or turn, and as a form of their own."""

from __future__ import annotations

from dataclasses import replace

from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.case_parts import TYPES, text_of_rubric, write_rubric_text
from evaltui.evalset.keys import filled, items_of, member, text_of
from evaltui.evalset.titles import title
from evaltui.tui.forms.field_help import help_for
from evaltui.tui.forms.form import Choice, Field, Form, Heading, Item, Link
from evaltui.tui.forms.model_fields import item_link, others, text_member, value_member
from evaltui.tui.lines import FILL, Line, preview


def rubric_items(eval_set: CaseFile, owner: Node, of: str) -> list[Item]:
    """The rubrics of a case or turn, a line each; one line for an empty or null list, none if it is absent."""
    rubrics = items_of(owner, "rubrics")
    if not rubrics or any(rubric.kind != "object" for rubric in rubrics):
        return value_member(eval_set, owner, "rubrics", of, ("list", "null"))
    return [Heading("Rubrics", str(len(rubrics))), *(_rubric_link(eval_set, owner, rubric, of) for rubric in rubrics)]


def _rubric_link(eval_set: CaseFile, owner: Node, rubric: Node, of: str) -> Link:
    name = text_of(rubric, "rubric_id")
    kind = text_of(rubric, "type")
    missing = "no type" if filled(rubric, "type") is None else "no metric reads this type"
    mark = (f"  {kind} ", "dim") if kind in TYPES else (f"  {missing} ", "warning")
    named = f"rubric {preview(name, 40)} of {title(eval_set, owner)}"
    text = preview(text_of_rubric(rubric))
    line: Line = [(f"{preview(name, 40) or 'no id'}  ", "name"), (text, ""), ("", FILL), mark, (" ", "")]
    return item_link(rubric, line, named, help_for(of, "rubrics"))


def rubric_form(eval_set: CaseFile, rubric: Node, named: str) -> Form:
    """Text, id, description and type of a rubric."""
    content = filled(rubric, "rubric_content")
    text = Field(
        ("rubric", "text_property"),
        "text_property",
        text_of_rubric(rubric),
        lambda typed: write_rubric_text(eval_set, rubric, typed),
        node=member(content, "text_property") or member(rubric, "rubric_content"),
        block=True,
        takes_text=True,
        placeholder="no text · enter: write what the judge checks",
        help=help_for("rubric", "text_property"),
    )
    kind = text_member(eval_set, rubric, "type", "rubric")
    if isinstance(kind, Field):
        kind = replace(kind, choices=tuple(_type_choice(kind, name, why) for name, why in TYPES.items()))
    items: list[Item] = [
        text,
        text_member(eval_set, rubric, "rubric_id", "rubric", types=("string",)),
        text_member(eval_set, rubric, "description", "rubric"),
        kind,
    ]
    items += others(eval_set, rubric, ("rubric_id", "rubric_content", "description", "type"))
    if content is not None and content.kind == "object":
        items += others(eval_set, content, ("text_property",), "More in rubric_content")
    return Form(named, items)


def _type_choice(field: Field, name: str, why: str) -> Choice:
    return Choice(name, why, revise=lambda: field.write(name))

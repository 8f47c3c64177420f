"""Rubrics: as lines of their case or turn, and as a form of their own in either format."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.document.node import Node
from evaltui.evalset.editing.case_parts import TYPES, text_of_rubric, write_rubric_text
from evaltui.evalset.keys import filled, items_of, member, text_of
from evaltui.tui.forms.form import Field, Item
from evaltui.tui.forms.form_table import REQUIRED, FormOwner, FormPlace, FormRow, items, line, text, value
from evaltui.tui.lines import FILL, Line, preview

_IMPORTANCE = {"HIGH": "highest weight", "MEDIUM": "", "LOW": "lowest weight"}


def rubrics(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    """The rubrics of a case or turn, a line each; one line for any other value, none if it is absent."""
    # A line for each would hide the value of an item that is no rubric.
    if any(rubric.kind != "object" for rubric in items_of(owner.node, row.key)):
        return value(owner, row)
    return items("Rubrics", _rubric_line)(owner, row)


def _rubric_line(rubric: Node) -> Line:
    name, kind = preview(text_of(rubric, "rubric_id"), 40) or "no id", text_of(rubric, "type")
    missing = "no type" if filled(rubric, "type") is None else "no metric reads this type"
    mark = (f"  {kind} ", "dim") if kind in TYPES else (f"  {missing} ", "warning")
    return [(f"{name}  ", "name"), (preview(text_of_rubric(rubric)), ""), ("", FILL), mark, (" ", "")]


def _rubric_text(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    """The text that the judge checks; in either format it is inside other objects."""
    case_file, rubric = owner.case_file, owner.node
    content = filled(rubric, row.key)
    holder, name = (content, "text_property")
    if case_file.is_dataset:
        holder, name = filled(content, "property"), "description"
        # Writing a text would replace what stands there.
        if any(node is not None and node.kind != "object" for node in (content, holder)):
            return value(owner, row)
    field = Field(
        (owner.table, name),
        row.heading,
        text_of_rubric(rubric),
        lambda typed: write_rubric_text(case_file, rubric, typed),
        node=member(holder, name) or member(rubric, row.key),
        block=True,
        takes_text=True,
        placeholder="no text · enter: write what the judge checks",
        help=row.help,
    )
    return [field]


def _rest_of_text(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    name, inner = ("content", "property") if owner.case_file.is_dataset else ("rubric_content", "text_property")
    content = filled(owner.node, name)
    if content is None or content.kind != "object":
        return []
    return owner._replace(node=content).other_keys((inner,), f"More in {name}")


RUBRIC = FormPlace(
    (
        FormRow(
            "rubric_content",
            _rubric_text,
            "The property of the response that the judge model checks.",
            heading="text_property",
        ),
        FormRow("rubric_id", line, "Required. A duplicate id in case, turn or config stops the whole run.", REQUIRED),
        FormRow("description", text, "For people only; the judge model does not see this text."),
        FormRow("type", line, "The type selects the metric; metrics ignore rubrics of unknown types.", choices=TYPES),
        FormRow("", _rest_of_text),
    ),
)
"""A rubric of an eval set."""

DATASET_RUBRIC = FormPlace(
    (
        FormRow("content", _rubric_text, "The property of the response that the judge model checks.", heading="text"),
        FormRow("rubric_id", line, "Id of the rubric in verdicts."),
        FormRow("type", line, "Kind of rubric: one word in upper case, with _."),
        FormRow("importance", line, "HIGH, MEDIUM or LOW.", choices=_IMPORTANCE),
        FormRow("", _rest_of_text),
    ),
)
"""A rubric of a dataset."""

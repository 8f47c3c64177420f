"""Fields for the options of a criterion. An absent option shows the default of google-adk."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from evaltui.document.edits import Remove
from evaltui.document.errors import EditError
from evaltui.document.node import Node, parse_value
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.row_moves import move_value
from evaltui.evalset.keys import filled, member, text_of
from evaltui.printable import one_line
from evaltui.runs.config_edits import (
    delete_criterion,
    delete_option,
    delete_rubric,
    write_option,
    write_rubric_id,
    write_rubric_text,
    write_threshold,
)
from evaltui.scoring.metrics.metric import Metric
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES, read_match_type
from evaltui.tui.config.metric_words import ID_IN_SET, OPTION_HELP, threshold_help
from evaltui.tui.forms.form import Choice, Field
from evaltui.tui.forms.json_form import value_field
from evaltui.tui.forms.value_text import type_of

_MEANINGS = {
    "EXACT": "the same calls and no others",
    "IN_ORDER": "the expected calls in order, extra calls allowed",
    "ANY_ORDER": "the expected calls in any order, extra calls allowed",
}


def threshold_field(criterion: Node, metric: Metric | None, *, is_custom: bool) -> Field:
    """The threshold. Without it google-adk rejects the config, so deleting it deletes the criterion."""
    node = member(criterion, "threshold") if criterion.kind == "object" else criterion
    span = metric.range if metric is not None else None

    def write(text: str) -> Revision:
        return write_threshold(criterion, _number(text, span))

    return Field(
        (criterion.name, "threshold"),
        "threshold",
        node.source().decode("utf-8", "replace") if node is not None and not node.is_container else "",
        write,
        node=node if node is not None else criterion,
        kind=type_of(node) if node is not None else "absent",
        one_line=True,
        placeholder="missing: google-adk rejects the config",
        delete=lambda: delete_criterion(criterion),
        move=lambda step: move_value(criterion, step, one_line(criterion.name, 60)),
        help=threshold_help(metric, is_custom=is_custom),
    )


def _number(text: str, span: tuple[float, float] | None) -> bytes:
    """A typed threshold as JSON. Raises `EditError` if it is not a number or outside the range of the scores."""
    source = text.strip().encode("utf-8", "surrogatepass")
    try:
        number = float(text) if parse_value(source).kind == "number" else math.nan
    except (EditError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise EditError("a threshold is a number, such as 0.8")
    if span is not None and not span[0] <= number <= span[1]:
        passing = "every" if number < span[0] else "no"
        raise EditError(f"scores are {span[0]:g} to {span[1]:g}: with {number:g}, {passing} case passes")
    return source


def match_type_field(criterion: Node) -> Field:
    """The field for the match type of tool calls."""

    def write(text: str) -> Revision:
        if read_match_type(text) is None:
            raise EditError(f"a match type is one of {', '.join(MATCH_TYPES)}")
        return write_option(criterion, "match_type", text)

    field = _option(criterion, "match_type", "EXACT", write)
    choices = tuple(Choice(kind, _MEANINGS[kind]) for kind in MATCH_TYPES)
    return replace(field, choices=choices, is_fixed=True)


def boolean_field(criterion: Node, name: str) -> Field:
    """The field for an option that is true or false; the default is false."""

    def write(text: str) -> Revision:
        value = {"true": True, "false": False}.get(text.strip().lower())
        if value is None:
            raise EditError("enter true or false")
        return write_option(criterion, name, value)

    return replace(_option(criterion, name, "false", write), kind="boolean")


def text_field(criterion: Node, name: str, default: str, inside: str = "") -> Field:
    """The field for an option with a text."""

    def write(text: str) -> Revision:
        if not text.strip():
            raise EditError("enter a text; to use the default, delete the option (press d)")
        return write_option(criterion, name, text, inside)

    return _option(criterion, name, default, write, inside)


def count_field(criterion: Node, name: str, default: int, inside: str) -> Field:
    """The field for an option with a whole number, 1 or more."""

    def write(text: str) -> Revision:
        if not (text.strip().isascii() and text.strip().isdecimal() and int(text) >= 1):
            raise EditError("enter a whole number, 1 or more")
        return write_option(criterion, name, int(text), inside)

    return replace(_option(criterion, name, str(default), write, inside), kind="number")


def _option(criterion: Node, name: str, default: str, write: Callable[[str], Revision], inside: str = "") -> Field:
    """The field for an option; if it is absent, it shows the default."""
    holder = (filled(criterion, inside) if inside else criterion) if criterion.kind == "object" else None
    node = member(holder, name) if holder is not None and holder.kind == "object" else None
    is_there = node is not None and node.kind != "null"
    if node is not None and is_there and node.is_container:
        return replace(value_field(node, name, f"{name} of {criterion.name}"), help=OPTION_HELP[name])
    shown = (node.text() if node.kind == "string" else node.source().decode("utf-8", "replace")) if node else default
    return Field(
        (criterion.name, inside, name),
        name,
        shown if is_there else default,
        write,
        node=node,
        kind="string",
        one_line=True,
        takes_text=True,
        aside="" if is_there else "default",
        delete=(lambda: delete_option(criterion, name, inside)) if node is not None else None,
        help=OPTION_HELP[name],
    )


def rubric_fields(rubric: Node, ids_of_set: Collection[str]) -> list[Field]:
    """The fields for text and id of a rubric. Deleting or moving one of them deletes or moves the rubric."""
    is_in_set = text_of(rubric, "rubric_id") in ids_of_set
    content = filled(rubric, "rubric_content")
    text = member(content, "text_property") if content is not None and content.kind == "object" else None
    named = f"rubric {one_line(text_of(rubric, 'rubric_id'), 40)}"
    identifier = Field(
        (rubric, "rubric_id"),
        "rubric_id",
        text_of(rubric, "rubric_id"),
        lambda typed: write_rubric_id(rubric, typed),
        node=member(rubric, "rubric_id") or rubric,
        one_line=True,
        takes_text=True,
        placeholder="no id",
        help=ID_IN_SET if is_in_set else OPTION_HELP["rubric_id"],
    )
    body = Field(
        (rubric, "text_property"),
        "text_property",
        text_of(content, "text_property"),
        lambda typed: write_rubric_text(rubric, typed),
        node=text or member(rubric, "rubric_content") or rubric,
        takes_text=True,
        one_line=True,
        placeholder="no text · enter: write",
        help=OPTION_HELP["text_property"],
    )
    return [
        replace(each, delete=lambda: delete_rubric(rubric), move=lambda step: move_value(rubric, step, named))
        for each in (body, identifier)
    ]


def other_field(node: Node, of: str, help: str) -> Any:
    """The line for a value without a field of its own, edited as JSON."""
    from evaltui.tui.forms.json_form import value_line

    line = value_line(node, of, inline=False)
    return replace(
        line, delete=lambda: Revision(f"delete {one_line(node.name, 40)} of {of}", [Remove(node.pointer())]), help=help
    )

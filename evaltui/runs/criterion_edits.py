"""Edits of one criterion in a config: threshold, options and rubrics, in the style of the file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from evaltui.document.edits import Edit, Insert, Remove, Set, json_text
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.editing.revision import Revision, add_item, put, written_like
from evaltui.evalset.keys import filled, items_of, key_for, member, text_of
from evaltui.printable import one_line

JUDGE = "judge_model_options"


def criterion_nodes(root: Node) -> list[Node]:
    """The criteria of a config, in order."""
    criteria = member(root, "criteria")
    return criteria.items if criteria is not None and criteria.kind == "object" else []


def add_criterion(root: Node, name: str, threshold: float, rubric_id: str = "") -> Revision:
    """Add a criterion that is only a threshold, or with a `rubric_id` also a rubric without a text.

    google-adk's defaults apply to its options.
    """
    criteria = member(root, "criteria")
    label = f"add {one_line(name, 60)}"
    rubrics = [{"rubric_id": rubric_id, "rubric_content": {"text_property": ""}}]
    value = {"threshold": threshold, "rubrics": rubrics} if rubric_id else threshold
    if criteria is None or criteria.kind != "object":
        return Revision(label, [put(root, "criteria", {name: value})])
    if criteria.member(name) is not None:
        raise EditError(f"{one_line(name, 60)} is already in the criteria")
    return Revision(label, [Insert(f"{criteria.pointer()}/{escape(name)}", json_text(value))])


def delete_criterion(criterion: Node) -> Revision:
    """Delete a criterion: runs no longer judge the metric."""
    return Revision(f"delete {one_line(criterion.name, 60)}", [Remove(criterion.pointer())])


def write_threshold(criterion: Node, source: bytes) -> Revision:
    """Give a criterion another threshold, as the JSON number that was typed."""
    label = f"edit threshold of {one_line(criterion.name, 60)}"
    if criterion.kind != "object":
        return Revision(label, [Set(criterion.pointer(), source)])
    edit = put(criterion, "threshold", 0)
    assert isinstance(edit, (Insert, Set))
    return Revision(label, [edit._replace(source=source)])


def write_option(criterion: Node, name: str, value: Any, inside: str = "") -> Revision:
    """Set an option of a criterion. `inside` names the object with the option; it is created if missing.

    A criterion that is a number becomes an object with this number as its threshold.
    """
    return Revision(f"edit {name} of {one_line(criterion.name, 60)}", [_option_edit(criterion, name, value, inside)])


def _option_edit(criterion: Node, name: str, value: Any, inside: str) -> Edit:
    members = {inside: {name: value}} if inside else {name: value}
    if criterion.kind != "object":
        added = b"".join(b", %b: %b" % (json_text(key), json_text(each)) for key, each in members.items())
        return Set(criterion.pointer(), b'{"threshold": %b%b}' % (criterion.source(), added))
    holder = filled(criterion, inside) if inside else criterion
    if holder is None or holder.kind != "object":
        return put(criterion, inside, {key_for(criterion, name): value})
    return put(holder, name, value)


def delete_option(criterion: Node, name: str, inside: str = "") -> Revision:
    """Delete an option, so that google-adk's default applies. An object that becomes empty is deleted, too."""
    holder = filled(criterion, inside) if inside else criterion
    option = member(holder, name)
    label = f"delete {name} of {one_line(criterion.name, 60)}"
    if option is None or holder is None:
        return Revision(label)
    return Revision(label, [Remove((holder if inside and len(holder.items) == 1 else option).pointer())])


# --- rubrics ---------------------------------------------------------------------------------------------------------


def rubrics_of(criterion: Node) -> list[Node]:
    """The rubrics of a criterion."""
    return items_of(criterion, "rubrics") if criterion.kind == "object" else []


def free_rubric_id(criteria: Sequence[Node], ids_of_set: Collection[str]) -> str:
    """An id that no rubric of the criteria or of the eval set (`ids_of_set`) has."""
    taken = {text_of(rubric, "rubric_id") for criterion in criteria for rubric in rubrics_of(criterion)}
    taken.update(ids_of_set)
    return next(name for number in range(1, len(taken) + 2) if (name := f"rubric_{number}") not in taken)


def add_rubric(criterion: Node, ids_of_set: Collection[str] = ()) -> Revision:
    """Add a rubric without a text. No rubric of the config or the eval set (`ids_of_set`) has its id."""
    rubrics = rubrics_of(criterion)
    criteria = criterion.parent.items if criterion.parent is not None else [criterion]
    identifier = free_rubric_id(criteria, ids_of_set)
    model = rubrics[-1] if rubrics and rubrics[-1].kind == "object" else None
    content = filled(model, "rubric_content")
    near = content or model or criterion
    text = {key_for(near, "text_property") if near.kind == "object" else "text_property": ""}
    members = {"rubric_id": identifier, "rubric_content": text}
    label = f"add rubric to {one_line(criterion.name, 60)}"
    if criterion.kind != "object":
        return Revision(label, [_option_edit(criterion, "rubrics", [members], "")])
    return Revision(label, [add_item(criterion, "rubrics", written_like(model, criterion, members))])


def delete_rubric(rubric: Node) -> Revision:
    """Delete a rubric."""
    return Revision(f"delete rubric {one_line(text_of(rubric, 'rubric_id'), 40)}", [Remove(rubric.pointer())])


def write_rubric_id(rubric: Node, text: str) -> Revision:
    """Change the id of a rubric. Raises `EditError` for an empty id, or the id of another rubric of the criterion."""
    others = [each for each in (rubric.parent.items if rubric.parent is not None else []) if each is not rubric]
    if not text.strip():
        raise EditError("a rubric needs an id")
    if text in {text_of(each, "rubric_id") for each in others}:
        raise EditError("another rubric of this criterion has this id")
    return Revision(f"edit rubric_id {one_line(text, 40)}", [put(rubric, "rubric_id", text)])


def write_rubric_text(rubric: Node, text: str) -> Revision:
    """Change the text of a rubric. Raises `EditError` for an empty text: the judge model needs one."""
    if not text.strip():
        raise EditError("a rubric needs a text for the judge model")
    content = filled(rubric, "rubric_content")
    label = f"edit rubric {one_line(text_of(rubric, 'rubric_id'), 40)}"
    if content is None or content.kind != "object":
        return Revision(label, [put(rubric, "rubric_content", {key_for(rubric, "text_property"): text})])
    return Revision(label, [put(content, "text_property", text)])

"""Adds rubrics, rubric groups, agents and references to dataset cases."""

from __future__ import annotations

from typing import Any

from evaltui.document.edits import Edit, Insert, Remove, Set, json_text
from evaltui.document.errors import EditError
from evaltui.document.layout import line_indent
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.content_order import in_order_near
from evaltui.evalset.editing.new_ids import fresh_id
from evaltui.evalset.editing.part_edits import ROLES, add_part, spelt
from evaltui.evalset.editing.revision import Revision, add_item, model_of, put, refuse_other_kind, written_like
from evaltui.evalset.editing.templates import text_content
from evaltui.evalset.keys import filled, items_of, key_for, key_in, member, text_of
from evaltui.evalset.titles import title
from evaltui.printable import one_line, printable


def text_of_rubric(rubric: Node) -> str:
    """The text of a rubric, which the judge model checks."""
    return text_of(filled(filled(rubric, "content"), "property"), "description")


def write_rubric_text(dataset: CaseFile, rubric: Node, text: str) -> Revision:
    """Change the text of a rubric; add missing objects around it."""
    label = f"edit text of rubric {one_line(text_of(rubric, 'rubric_id'), 40)} of {title(dataset, rubric)}"
    content = filled(rubric, "content")
    if content is None:
        return Revision(label, [put(rubric, "content", {"property": {"description": text}})])
    refuse_other_kind(content, "property", "object")
    criterion = filled(content, "property")
    if criterion is None:
        return Revision(label, [put(content, "property", {"description": text})])
    return Revision(label, [put(criterion, "description", text)])


def add_rubric(dataset: CaseFile, group: Node, at: int | None = None) -> Revision:
    """A new rubric of a group, at the end or `at` an index, with the type of the last rubric."""
    refuse_other_kind(group, "rubrics", "array")
    rubrics = items_of(group, "rubrics")
    model = rubrics[-1] if rubrics else None
    taken = {text_of(rubric, "rubric_id") for rubric in rubrics}
    identifier = fresh_id([text_of(model, "rubric_id")] if model else [], "rubric_1", taken.__contains__)
    members = {"rubric_id": identifier, "content": {"property": {"description": ""}}}
    if kind := text_of(model, "type"):
        members["type"] = kind
    value = written_like(model, group, members)
    label = f"add rubric {one_line(identifier, 40)} to {title(dataset, group)}"
    return Revision(label, [add_item(group, "rubrics", value, "-" if at is None else at)])


def add_group(dataset: CaseFile, case: Node, name: str) -> Revision:
    """A new rubric group with one empty rubric. Raises `EditError` for an empty or used name."""
    rubric = {key_for(case, "rubric_id"): "rubric_1", "content": {"property": {"description": ""}}}
    return _named(dataset, case, "rubric_groups", name, {"rubrics": [rubric]}, "rubric group")


def add_agent(dataset: CaseFile, case: Node, name: str) -> Revision:
    """A new agent in `agent_data` with an empty instruction. Raises `EditError` for an empty or used name."""
    agent = {key_for(case, "agent_id"): name, "instruction": ""}
    refuse_other_kind(case, "agent_data", "object")
    data = filled(case, "agent_data")
    if data is not None:
        return _named(dataset, data, "agents", name, agent, "agent")
    _check_name(None, name)
    label = f"add agent {one_line(name, 40)} to {title(dataset, case)}"
    return Revision(label, [put(case, "agent_data", {"agents": {name: agent}})])


def _named(dataset: CaseFile, owner: Node, members: str, name: str, value: object, what: str) -> Revision:
    """A new key in the object `members` of `owner`; the object is added if it is missing."""
    refuse_other_kind(owner, members, "object")
    there = filled(owner, members)
    _check_name(there, name)
    label = f"add {what} {one_line(name, 40)} to {title(dataset, owner)}"
    if there is None:
        return Revision(label, [put(owner, members, {name: value})])
    return Revision(label, [Insert(f"{there.pointer()}/{escape(name)}", json_text(value))])


def _check_name(there: Node | None, name: str) -> None:
    if not name:
        raise EditError("the name is empty")
    if there is not None and there.member(name) is not None:
        raise EditError(f'"{printable(name)}" already exists')


def write_reference(dataset: CaseFile, case: Node, text: str) -> Revision:
    """Write the first reference text of a case, in the format of the neighbouring case."""
    like = filled(filled(model_of(case), "reference"), "response")
    is_bare = like is not None and like.kind == "string"
    answer = text if is_bare else in_order_near(like, case, text_content(like, "model", text), role_first=True)
    label = f"edit reference of {title(dataset, case)}"
    refuse_other_kind(case, "reference", "object")
    reference = filled(case, "reference")
    if reference is None:
        return Revision(label, [put(case, "reference", {"response": answer})])
    return Revision(label, [put(reference, "response", answer)])


def delete_reference(dataset: CaseFile, case: Node, reference: Node) -> Revision:
    """Delete the reference of a case. If it has other keys than `response`, only `response` is deleted."""
    response = member(reference, "response")
    has_others = any(item is not response for item in reference.items)
    gone = response if response is not None and has_others else reference
    return Revision(f"delete reference of {title(dataset, case)}", [Remove(gone.pointer())])


def add_to_content(dataset: CaseFile, owner: Node, name: str, part: dict[str, Any], what: str) -> Revision:
    """A new last part of the content `name` of `owner`; a bare text becomes the first part."""
    content = filled(owner, name)
    if content is None or content.kind == "object":
        return add_part(dataset, owner, name, part, what)
    if content.kind != "string":
        refuse_other_kind(owner, name, "object")
    members = {"parts": [{"text": content.text()}, spelt(owner, part)], "role": ROLES.get(name, "model")}
    value = in_order_near(None, owner, members, role_first=True)
    return Revision(f"add {what} to {name} of {title(dataset, owner)}", [put(owner, name, value)])


def take_as_reference(dataset: CaseFile, case: Node, response: Node) -> Revision:
    """Replace the reference with a recorded response."""
    key = key_in(case, "reference")
    there = case.member(key)
    edit: Edit = put(case, "reference", None)
    pointer = f"{case.pointer()}/{escape(key)}"
    if there is not None:
        edit = Set(pointer, response.source(), origin_indent=line_indent(response))
    elif isinstance(edit, Insert):
        edit = edit._replace(source=response.source(), origin_indent=line_indent(response))
    label = f"set reference of {title(dataset, case)} to response {response.index() + 1}"
    return Revision(label, [edit])

"""Edits of contents and their parts: texts, files, calls, code, roles."""

from __future__ import annotations

from typing import Any

from evaltui.document.edits import Insert, json_text
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.content_parts import PartView
from evaltui.evalset.editing.content_order import in_order_near
from evaltui.evalset.editing.revision import Revision, add_item, model_of, put
from evaltui.evalset.editing.templates import text_content
from evaltui.evalset.keys import filled, key_for, text_of
from evaltui.evalset.titles import title

TEMPLATES: dict[str, dict[str, Any]] = {
    "text": {"text": ""},
    "thought": {"text": "", "thought": True},
    "file by URI": {"file_data": {"file_uri": "", "mime_type": ""}},
    "function call": {"function_call": {"name": "", "args": {}}},
    "function response": {"function_response": {"name": "", "response": {}}},
    "code": {"executable_code": {"language": "PYTHON", "code": ""}},
    "code result": {"code_execution_result": {"outcome": "OUTCOME_OK", "output": ""}},
}
"""New parts by their name on screen; keys in snake_case."""

ROLES = {
    **{"user_content": "user", "final_response": "model", "content": "model"},
    **{"prompt": "user", "system_instruction": "user", "response": "model"},
}
"""The role of a new content, by the field that holds it."""


def spelt(near: Node, value: Any) -> Any:
    """`value` with its keys (snake_case) spelled as in the values around `near`."""
    if not isinstance(value, dict):
        return value
    return {key_for(near, name): spelt(near, item) for name, item in value.items()}


def add_part(case_file: CaseFile, owner: Node, name: str, part: dict[str, Any], what: str) -> Revision:
    """A new last part of the content `name` of `owner` (a turn or an event); the content is added if missing."""
    label = f"add {what} to {name} of {title(case_file, owner)}"
    content = filled(owner, name)
    value = spelt(content or owner, part)
    if content is None or content.kind != "object":
        model = filled(model_of(owner), name)
        role = text_of(model, "role") or ROLES.get(name, "model")
        members = {"parts": [value], "role": role}
        return Revision(label, [put(owner, name, _in_order(case_file, model, owner, members))])
    return Revision(label, [add_item(content, "parts", value)])


def _in_order(case_file: CaseFile, model: Node | None, near: Node, members: dict[str, Any]) -> dict[str, Any]:
    """The keys of a new content, in the order of `model` or of contents nearby: see `in_order_near`."""
    return in_order_near(model, near, members, role_first=case_file.is_dataset)


def append_part(parts: Node, part: dict[str, Any], what: str, at: int | None = None) -> Revision:
    """A new part in a list of parts, at the end or `at` an index."""
    place = "-" if at is None else at
    return Revision(f"add {what}", [Insert(f"{parts.pointer()}/{place}", json_text(spelt(parts, part)))])


def write_role(case_file: CaseFile, owner: Node, name: str, role: str) -> Revision:
    """Change the role of the content `name` of `owner`."""
    label = f"edit role of {name} of {title(case_file, owner)}"
    content = filled(owner, name)
    if content is None or content.kind != "object":
        members = {"parts": [], "role": role}
        return Revision(label, [put(owner, name, _in_order(case_file, None, owner, members))])
    return Revision(label, [put(content, "role", role)])


def write_part(case_file: CaseFile, part: PartView, text: str, what: str) -> Revision:
    """Change the text of a part; `what` names the text in the label."""
    return Revision(f"edit {what} of {title(case_file, part.node)}", [put(part.node, "text", text)])


def write_first_text(case_file: CaseFile, turn: Node, name: str, text: str, what: str) -> Revision:
    """Write the first text part of the content `name` of a turn; missing objects around it are added."""
    label = f"edit {what} of {title(case_file, turn)}"
    existing = filled(turn, name)
    if existing is None or existing.kind != "object":
        model = filled(model_of(turn), name)
        members = text_content(model, ROLES[name], text)
        return Revision(label, [put(turn, name, _in_order(case_file, model, turn, members))])
    return Revision(label, [add_item(existing, "parts", {"text": text})])

"""Edits of named fields: texts, numbers, dates, new and deleted fields, agents."""

from __future__ import annotations

from typing import Any

from evaltui.document.edits import Insert, Remove, Set, json_text
from evaltui.document.errors import EditError
from evaltui.document.node import Node, parse_value
from evaltui.document.pointer import escape
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.revision import Revision, put
from evaltui.evalset.keys import member
from evaltui.evalset.timestamps import seconds_of
from evaltui.evalset.titles import called
from evaltui.printable import one_line, printable


def member_title(case_file: CaseFile, owner: Node, name: str) -> str:
    """The name of a field in labels of undo steps: `user_id of refund`."""
    return f"{name} of {called(case_file, owner)}"


def write_member(case_file: CaseFile, owner: Node, name: str, text: str) -> Revision:
    """Change the text of field `name` of an eval set, case or turn."""
    return Revision(f"edit {member_title(case_file, owner, name)}", [put(owner, name, text)])


def fill_member(case_file: CaseFile, owner: Node, name: str, value: Any) -> Revision:
    """Add field `name` (snake_case), which is absent or null, spelled and placed as in the neighbours."""
    return Revision(f"add {name} to {called(case_file, owner)}", [put(owner, name, value)])


_REQUIRED = {
    *("eval_id", "user_content", "rubric_id", "rubric_content", "app_name", "user_id", "author"),
    *("starting_prompt", "conversation_plan"),
}
"""Fields that google-adk's models require."""


def delete_member(case_file: CaseFile, owner: Node, name: str) -> Revision:
    """Delete field `name`. Absent, null and empty are different values."""
    existing = member(owner, name)
    edits = [Remove(existing.pointer())] if existing is not None else []
    is_needed = name in _REQUIRED and not case_file.is_dataset
    remark = "google-adk requires it" if is_needed else ""
    return Revision(f"delete {member_title(case_file, owner, name)}", [*edits], remark)


def write_number(case_file: CaseFile, owner: Node, name: str, text: str, *, is_date: bool = False) -> Revision:
    """Change a number; with `is_date`, a date in ISO form is allowed, too. Raises `EditError` for any other text."""
    existing = member(owner, name)
    source = text.strip().encode("utf-8", "surrogatepass")
    try:
        is_number = parse_value(source).kind == "number"
    except EditError:
        is_number = False
    if not is_number and is_date and (seconds := seconds_of(text, existing)) is not None:
        source, is_number = seconds, True
    if not is_number:
        raise EditError(f"enter seconds{' or a date such as 2026-03-12 10:25' if is_date else ' as a number'}")
    edit = put(owner, name, 0)
    assert isinstance(edit, (Insert, Set))
    return Revision(f"edit {member_title(case_file, owner, name)}", [edit._replace(source=source)])


def add_agent(agents: Node, name: str, behind: Node | None = None) -> Revision:
    """A new agent with empty instructions, after `behind` or last. Raises `EditError` for an empty or used name."""
    if not name:
        raise EditError("the name is empty")
    if agents.member(name) is not None:
        raise EditError(f'"{printable(name)}" already exists')
    following = agents.items[behind.index() + 1 :][:1] if behind is not None else []
    value = json_text({"name": name, "instructions": ""})
    edit = Insert(f"{agents.pointer()}/{escape(name)}", value, following[0].name if following else None)
    return Revision(f"add agent {one_line(name, 40)}", [edit])

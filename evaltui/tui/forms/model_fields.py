"""Fields of google-adk's models, which treat absent, null and empty as different values."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any

from evaltui.document.edits import Insert, Remove, json_text
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.case_data import date_of
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.field_edits import delete_member, fill_member, member_title, write_member, write_number
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.row_moves import move_value
from evaltui.evalset.keys import camel, member
from evaltui.evalset.titles import title
from evaltui.tui.forms.field_help import help_for
from evaltui.tui.forms.form import Choice, Field, Heading, Item, Link, Offer
from evaltui.tui.forms.json_form import check_name, retyping, value_field, value_line
from evaltui.tui.forms.line_texts import summary
from evaltui.tui.forms.value_text import type_of
from evaltui.tui.lines import Line, dim, preview

TEXT = ("string", "null")
_EMPTY: dict[str, Any] = {"string": "", "null": None, "list": [], "object": {}, "number": 0}


def text_member(
    case_file: CaseFile, owner: Node, name: str, of: str, *, types: tuple[str, ...] = TEXT, block: bool = False
) -> Field | Link:
    """A field for a text, or for absent, null or empty; `of` is the kind of its owner, for the help."""
    node = member(owner, name)
    if node is not None and node.kind not in ("string", "null"):
        return _other(case_file, owner, node, help_for(of, name))
    return Field(
        (of, name),
        name,
        node.text() if node is not None else "",
        lambda text: write_member(case_file, owner, name, text),
        node=node,
        kind=type_of(node) if node is not None else "absent",
        block=block,
        one_line=not block and name != "description",
        takes_text=True,
        placeholder="absent" if node is None else "null" if node.kind == "null" else "empty",
        delete=_deletion(case_file, owner, name),
        retype=_retyping(case_file, owner, name) if len(types) > 1 or node is None else None,
        types=types,
        help=help_for(of, name),
    )


def number_member(case_file: CaseFile, owner: Node, name: str, of: str, *, is_date: bool = False) -> Field | Link:
    """A field for a number of seconds; with `is_date` its date is shown beside it."""
    node = member(owner, name)
    if node is not None and node.kind not in ("number", "null"):
        return _other(case_file, owner, node, help_for(of, name))
    text = node.source().decode("ascii", "replace") if node is not None and node.kind == "number" else ""
    return Field(
        (of, name),
        name,
        text,
        lambda typed: write_number(case_file, owner, name, typed, is_date=is_date),
        node=node,
        kind=type_of(node) if node is not None else "absent",
        one_line=True,
        placeholder="absent" if node is None else "null",
        delete=_deletion(case_file, owner, name),
        aside=date_of(text) if is_date else "",
        help=help_for(of, name),
    )


def value_member(
    case_file: CaseFile, owner: Node, name: str, of: str, types: tuple[str, ...] = ("object", "null")
) -> list[Item]:
    """A link to a structured value, or a field for a single one; no line if it is absent."""
    node = member(owner, name)
    if node is None:
        return []
    if node.kind == "null":
        return [_null_field(case_file, owner, node, (of, name), types)]
    if not node.is_container:
        return [_other(case_file, owner, node, help_for(of, name))]
    return [
        Link(
            (of, name),
            summary(node),
            node,
            label=name,
            leads_to_a_form=True,
            node=node,
            kind=type_of(node),
            delete=_deletion(case_file, owner, name),
            retype=_retyping(case_file, owner, name),
            types=types,
            help=help_for(of, name),
        )
    ]


def _null_field(case_file: CaseFile, owner: Node, node: Node, key: tuple[str, str], types: tuple[str, ...]) -> Field:
    """A field for the JSON of a structured value that is null so far; `key` is the key of its later link."""
    named, name = title(case_file, owner), key[1]
    return replace(
        value_field(node, name, f"{name} of {named}"),
        key=key,
        delete=_deletion(case_file, owner, name),
        retype=_retyping(case_file, owner, name),
        types=types,
        again=lambda: _null_field(case_file, owner, node, key, types),
        help=help_for(*key),
    )


def _other(case_file: CaseFile, owner: Node, node: Node, help: str) -> Field | Link:
    """A value whose type google-adk does not expect here, edited as any JSON."""
    return replace(value_line(node, title(case_file, owner)), help=help)


def _deletion(case_file: CaseFile, owner: Node, name: str) -> Callable[[], Revision] | None:
    return (lambda: delete_member(case_file, owner, name)) if member(owner, name) is not None else None


def _retyping(case_file: CaseFile, owner: Node, name: str) -> Callable[[str, Node | None], Revision]:
    def retype(kind: str, origin: Node | None) -> Revision:
        node = member(owner, name)
        if node is None:
            return fill_member(case_file, owner, name, _EMPTY[kind])
        kept = origin is not None and type_of(origin) == kind
        template = origin if kept else Node(json_text(_EMPTY[kind]))
        return retyping(node, kind, template, member_title(case_file, owner, name))

    return retype


def others(case_file: CaseFile, owner: Node, known: tuple[str, ...], heading: str = "More") -> list[Item]:
    """All other keys, edited as JSON: no value of the file is hidden."""
    shown = {*known, *map(camel, known)}
    rest = [item for item in owner.items if item.name not in shown]
    if not rest:
        return []
    lines: list[Item] = [value_line(item, title(case_file, owner), inline=False) for item in rest]
    return [Heading(heading), *lines] if heading else lines


def item_link(
    node: Node, line: Line, named: str, help: str, *, key: Hashable = None, leads_to_a_form: bool = True
) -> Link:
    """A link to an item of a list, which can be deleted and moved; `named` is its name in undo labels."""
    return Link(
        key or node,
        line,
        node,
        leads_to_a_form=leads_to_a_form,
        node=node,
        delete=lambda: Revision(f"delete {named}", [Remove(node.pointer())]),
        move=lambda step: move_value(node, step, named),
        help=help,
    )


def creation_time(case_file: CaseFile, owner: Node) -> Choice:
    """A choice that adds the current time as creation time."""
    return Choice(
        "creation time",
        "now",
        revise=lambda: fill_member(case_file, owner, "creation_timestamp", round(time.time(), 3)),
    )


def another_key(case_file: CaseFile, case: Node, remark: str = "google-adk ignores it") -> Choice:
    """A choice that adds a key unknown to the model; the `remark` tells who reads it."""
    of = title(case_file, case)

    def write(name: str) -> Revision:
        check_name(case, name)
        return Revision(f"add {preview(name, 40)} to {of}", [Insert(f"{case.pointer()}/{escape(name)}", b'""')])

    return Choice("another key of the case", remark, write=write, question="Name of the new key")


def offer_of(absent: Sequence[str], choices: Sequence[Choice], to: str) -> list[Item]:
    """A compact last line: `enter: add session input · rubrics`."""
    if not choices:
        return []
    line = dim(f"enter: add {' · '.join(absent)}" if absent else "enter: add more")
    return [Offer("more", line, to, tuple(choices), tuple(absent))]

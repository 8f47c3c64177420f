"""The parts of a form. A form is made anew after each change; keys let cursor and drafts find their field again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from evaltui.document import Node
from evaltui.evalset.revision import Revision
from evaltui.tui.lines import Line

Write = Callable[[str], Revision]
"""Makes a revision of the text in a field; raises `EditError` where that text is no valid value (yet)."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A line between fields, with a count or a remark at its right."""

    text: str
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """A value that is edited as text."""

    key: Hashable
    label: str
    text: str
    write: Write
    kind: str = "text"
    """text, or the JSON type shown beside the label: number, boolean, null, list, object, absent."""
    block: bool = False
    """Stands below its label over the whole width, for texts of several lines."""
    placeholder: str = "empty"
    delete: Callable[[], Revision] | None = None
    rename: Write | None = None
    retype: Callable[[str, Node], Revision] | None = None
    """Makes a revision that gives the value another JSON type, converted from a given value."""
    node: Node | None = None
    """The value itself, where there is one."""
    again: Callable[[], Field] | None = None
    """Makes this field anew, for one who is editing it while the form would no longer offer it: a value that has
    grown too long for a text box stays in the box that it grew in."""


@dataclass(frozen=True, slots=True)
class Link:
    """A line that leads to another node: into the tree, or where that has no row, into a view of its own."""

    key: Hashable
    line: Line
    target: Node
    delete: Callable[[], Revision] | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A line that only says something."""

    line: Line
    key: Hashable = None
    """That of the field in whose place it stands."""


Item = Heading | Field | Link | Note


@dataclass(frozen=True, slots=True)
class Form:
    """All that is shown of one node."""

    title: str
    items: list[Item] = field(default_factory=list)
    add: Callable[[str], Revision] | None = None
    """Adds what this form lists: a case, a turn, a tool call, or (with a name) an argument or member."""
    adds: str = ""
    """What `add` adds, for the keys line; "" where there is nothing to add."""
    asks_name: bool = False
    """Whether `add` needs a name."""

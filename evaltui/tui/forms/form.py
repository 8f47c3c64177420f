"""The parts of a form. A form is made again after each change; cursor and drafts find their field by its key."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from evaltui.document.node import Node
from evaltui.evalset.editing.revision import Revision
from evaltui.tui.lines import Line, dim

if TYPE_CHECKING:
    from evaltui.review.compared_rows import ComparedRow
    from evaltui.tui.open_file.drafts import FieldDraft

Write = Callable[[str], Revision]
"""Makes a revision of the text in a field; raises `EditError` if the text is not a valid value (yet)."""

TYPES = ("string", "number", "boolean", "null", "list", "object")
"""JSON types in the words of the interface, in the order in which t changes them."""
SCALARS = TYPES[1:4]
"""Types whose values have no line breaks."""


def with_article(kind: str) -> str:
    """A JSON type in a sentence: `a list`, `an object`, `null`."""
    return f"an {kind}" if kind == "object" else kind if kind == "null" else f"a {kind}"


def type_of(node: Node) -> str:
    """The JSON type of a node in the words of the interface."""
    return "list" if node.kind == "array" else node.kind


class Heading(NamedTuple):
    """A line between fields, with a count or a remark behind it."""

    text: str
    remark: str = ""


@dataclass(eq=False, repr=False)
class Stop:
    """A line at which the cursor stops, with the possible edits of its value."""

    key: Hashable
    _: KW_ONLY
    node: Node | None = None
    """The value itself, where there is one."""
    around: Node | None = None
    """A value around it without a line of its own, whose problems are shown here."""
    kind: str = ""
    """The JSON type beside the label: string, number, boolean, null, list, object, absent. By default of `node`."""
    delete: Callable[[], Revision] | None = None
    delete_response: Callable[[], Revision] | None = None
    """Makes a revision that deletes the response of a tool call and leaves the call."""
    rename: Write | None = None
    retype: Callable[[str, Node | None], Revision] | None = None
    """Makes a revision that gives the value another JSON type, converted from a given value (None: absent)."""
    types: tuple[str, ...] = TYPES
    """The types that `retype` steps through."""
    move: Callable[[int], Revision] | None = None
    """Makes a revision that moves the value one place up (-1) or down (1); raises `EditError` at the end."""
    fresh: Callable[[], Revision] | None = None
    """Makes a revision that gives the value a fresh id."""
    help: str = ""
    """How google-adk uses the value, in one line."""

    def __post_init__(self) -> None:
        self.kind = self.kind or (type_of(self.node) if self.node is not None else "absent")


@dataclass(eq=False, repr=False)
class Field(Stop):
    """A value that is edited as text."""

    label: str
    text: str
    write: Write
    _: KW_ONLY
    block: bool = False
    """Whether it is below its label at full width, for texts of several lines."""
    one_line: bool = False
    """Whether the text has no line breaks, like ids and names: a line break becomes a space."""
    takes_text: bool = False
    """Whether the typed text is the value itself, and not JSON."""
    placeholder: str = ""
    """Shown in place of an empty text; after ` · ` comes the key that fills it. By default absent, null or empty."""
    aside: str = ""
    """Shown at the right in place of the type, such as the date of a number."""
    choices: tuple[Choice, ...] = ()
    """Common values. The field is edited by a choice among them."""
    is_fixed: bool = False
    """Whether only the `choices` are valid. Otherwise any other text can be typed as well."""
    suggests: str = ""
    """The kind of names that are suggested while typing: tool, persona, rubric."""
    in_list: bool = False
    """Whether it is one of a list of values. In the last one enter ends typing; in the others it goes to the next."""
    read: Callable[[], str] | None = None
    """Reads the text again. A field with it keeps its text box, even if its value grew too long for a box."""
    enter_adds: bool = False
    """Whether enter asks for the name of the first item of the form, as `a` does, instead of editing the whole value.

    A draft of the whole value is edited. Tab skips the field, and enter in the field before it only moves the cursor.
    """


@dataclass(eq=False, repr=False)
class Link(Stop):
    """A line that leads to its value: to the row in the tree, or into a view of its own."""

    line: Line
    leads_to_a_form: bool = False
    """Whether a new value is filled in right away in its own form."""
    _: KW_ONLY
    node: Node
    label: str = ""
    """The name of its value, in the column of the labels of fields; "" if the line stands alone."""


@dataclass(eq=False, repr=False)
class Offer(Stop):
    """A line that offers choices."""

    line: Line
    named: str
    """The name of the value that gets what is chosen."""
    offered: Callable[[], Sequence[Choice]]
    """Makes the choices, which most forms are never asked for."""
    absent: tuple[str, ...] = ()
    """The names of fields that the choices add."""
    question: str = ""
    """The title of the choices; "" for `Add field to …`."""

    @cached_property
    def choices(self) -> Sequence[Choice]:
        """The values to choose from."""
        return self.offered()


@dataclass(eq=False, repr=False)
class HalfTyped(Stop):
    """A draft without a field in the form: of the whole value, or of a field that is no longer offered."""

    label: str
    draft: FieldDraft
    _: KW_ONLY
    is_outdated: bool
    """Whether the value has changed since the draft was begun."""


@dataclass(eq=False, repr=False)
class WhyLine(Stop):
    """Lines below a form about its value; they are only read, and are not part of any file."""

    lines: tuple[Line, ...]
    gap: int = 0
    """Empty lines above it."""
    row: ComparedRow | None = None
    """The part of a turn that it is about; None if it is about no single part."""
    target: Node | None = None
    """The turn or call that it leads to, if it is about a single one."""
    value: Node | None = None
    """The value to select in the form of the target."""

    @property
    def nowhere(self) -> str:
        """Why it leads nowhere, if it looks as if it did; else ""."""
        row = self.row
        if row is None or row.kind not in ("call", "argument") or row.expected is row.actual:
            return ""
        if row.kind == "call" and row.place is None:
            return "Only the recording has this tool call, so there is no form for it."
        return "This tool call is no longer in the set."


class Note(NamedTuple):
    """A line for reading only."""

    line: Line
    key: Hashable = None
    """The key of the field that it replaces."""
    has_hint: bool = False
    """Whether the last piece of the line names a key that edits; a form for reading has no such piece."""


def empty_note(text: str, hint: str) -> Note:
    """The note of an empty list: what is missing, then the key that adds it."""
    return Note([*dim(text), *dim(f" {hint}")], has_hint=True)


class Choice(NamedTuple):
    """A choice of an `Offer` or field; choosing it does its `revise`, `write` or `export`.

    A choice of a field without any of them writes its label into the field.
    """

    label: str
    remark: str = ""
    revise: Callable[[], Revision] | None = None
    write: Write | None = None
    """Makes a revision of the text that the person gives to `question`."""
    export: Callable[[Path], str] | None = None
    """Writes a file at the path given to `question`, and returns a sentence; raises `EditError` if that fails."""
    question: str = ""
    suggestion: str = ""
    is_path: bool = False
    """Whether `question` asks for a path."""
    section: str = ""
    """The content that it adds to, if there are several; such choices come first if the cursor is there."""


Item = Heading | Field | Link | Offer | Note | HalfTyped


@dataclass(eq=False, repr=False)
class Form:
    """The form of one node."""

    title: str
    items: list[Item] = field(default_factory=list)
    add: Callable[[str], Revision] | None = None
    """Adds an item of this form's list: a case, turn or tool call; with a name an argument or key."""
    adds: str = ""
    """The name of that item for the keys line; "" if nothing can be added."""
    asks_name: bool = False
    """Whether `add` needs a name."""
    also_takes: str = ""
    """Another text than a name that `add` takes, in the words of the question."""
    begins: Hashable = None
    """The key of the field where typing starts in a new value; without one, the first empty field."""


def for_reading(form: Form) -> Form:
    """The form without keys that edit: no hints, and only choices that do not change the file."""
    items: list[Item] = []
    for item in form.items:
        match item:
            case Note() if item.has_hint:
                items.append(Note(item.line[:-1], item.key))
            case Field():
                items.append(replace(item, placeholder=item.placeholder.partition(" · ")[0]))
            case Offer():
                choices = [choice for choice in item.choices if choice.export]
                line = dim(" · ".join(choice.label for choice in choices) or f"absent: {' · '.join(item.absent)}")
                items += [replace(item, offered=partial(tuple, choices), line=line)] if choices or item.absent else []
            case _:
                items.append(item)
    return replace(form, items=items)


def value_of(stop: Stop | None) -> Node | None:
    """The value that a line of a form shows or links to; None for a line without a value."""
    match stop:
        case Link():
            return stop.node
        case WhyLine() if stop.row is not None:
            return _recorded_value(stop.row)
        case Field() if stop.kind == "string":
            # The node may be larger than the text: a text field of a content has the whole part as its node.
            nodes = (stop.node, *stop.node.items) if stop.node is not None else ()
            return next((node for node in nodes if node.kind == "string" and node.text() == stop.text), None)
        case Field() if stop.kind != "absent":
            return stop.node
    return None


def _recorded_value(row: ComparedRow) -> Node | None:
    from evaltui.scoring.call_equality import ABSENT

    if row.value is ABSENT:
        return None
    try:
        return Node(json.dumps(row.value, ensure_ascii=False).encode())
    except UnicodeEncodeError:  # UTF-8 cannot encode lone surrogates, but JSON can escape them
        return Node(json.dumps(row.value).encode())
    except (RecursionError, TypeError, ValueError):  # values in a recording can be invalid as JSON, or too deep
        return None

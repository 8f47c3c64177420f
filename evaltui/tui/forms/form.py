"""The parts of a form. A form is made anew after each change; keys let cursor and drafts find their field again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from evaltui.document.node import Node
from evaltui.document.strings import encode
from evaltui.evalset.editing.revision import Revision
from evaltui.tui.lines import Line, dim

if TYPE_CHECKING:
    from evaltui.evalset.turn import TurnCall

Write = Callable[[str], Revision]
"""Makes a revision of the text in a field; raises `EditError` where that text is no valid value (yet)."""

TYPES = ("text", "number", "boolean", "null", "list", "object")
"""The JSON types in the words of the interface, in the order in which a change of type goes round."""


class Heading(NamedTuple):
    """A line between fields, with a count or a remark at its right."""

    text: str
    remark: str = ""


@dataclass(eq=False, repr=False)
class Stop:
    """A line at which the cursor stops, with what can be done to the value it shows."""

    key: Hashable
    _: KW_ONLY
    node: Node | None = None
    """The value itself, where there is one."""
    kind: str = "text"
    """text, or the JSON type shown beside the label: number, boolean, null, list, object, absent."""
    delete: Callable[[], Revision] | None = None
    delete_response: Callable[[], Revision] | None = None
    """Makes a revision that deletes the response of a tool call and leaves the call."""
    rename: Write | None = None
    retype: Callable[[str, Node | None], Revision] | None = None
    """Makes a revision that gives the value another JSON type, converted from a given value (None: absent)."""
    types: tuple[str, ...] = TYPES
    """The types between which `retype` goes round."""
    move: Callable[[int], Revision] | None = None
    """Makes a revision that moves the value one place up (-1) or down (1); raises `EditError` at the end."""
    fresh: Callable[[], Revision] | None = None
    """Makes a revision that gives the value a fresh id."""
    help: str = ""
    """google-adk's use of the value, on one line."""
    again: Callable[[], Field] | None = None
    """Makes this field anew, for one who is editing it while the form would no longer offer it: a value that has
    grown too long for a text box stays in the box that it grew in."""


@dataclass(eq=False, repr=False)
class Field(Stop):
    """A value that is edited as text."""

    label: str
    text: str
    write: Write
    _: KW_ONLY
    block: bool = False
    """Stands below its label over the whole width, for texts of several lines."""
    one_line: bool = False
    """Whether the text never has line breaks, as ids and names have none: they become spaces."""
    takes_text: bool = False
    """Whether what is written is a text as it is, and no JSON."""
    placeholder: str = "empty"
    """Shown in place of an empty text; after ` · ` comes the key that fills it."""
    aside: str = ""
    """Shown at the right in place of the type: what a number means as a date."""
    choices: tuple[Choice, ...] = ()
    """The usual values; any other text can be typed as well."""
    suggests: str = ""
    """The kind of names that are suggested while typing: tool, persona, rubric."""
    in_list: bool = False
    """Whether it is one of a list of values. Enter in the last of them is done; elsewhere it goes to the next field."""
    begins_by_tab: bool = True
    """Whether going on from the field before it begins to edit this one, and does not just go there."""


@dataclass(eq=False, repr=False)
class Link(Stop):
    """A line that leads to another node: into the tree, or where that has no row, into a view of its own."""

    line: Line
    target: Node
    leads_to_a_form: bool = False
    """Whether what it leads to is filled in there, once it is new."""


@dataclass(eq=False, repr=False)
class Offer(Stop):
    """A line that offers some things to do."""

    line: Line
    question: str
    choices: tuple[Choice, ...]


@dataclass(eq=False, repr=False)
class HalfTyped(Stop):
    """A draft that has no field in the form: of the value as a whole, or of a field that is not offered any more."""

    label: str
    text: str


class WhySubject(NamedTuple):
    """The part of a scored turn that a line of Why is about: a call, an argument, the response, or all of the turn."""

    turn: Node | None = None
    """The turn, on a line that is about one as a whole; None on the lines below the form of the turn."""
    is_response: bool = False
    actual_call: int | None = None
    """The place of the recorded call; None where no such call was made."""
    expected_call: int | None = None
    """The place that the expected call had when the turn was scored."""
    call: TurnCall | None = None
    """The expected call that was not made."""
    pointer: str = ""
    """The argument (RFC 6901); "" for the call as a whole."""


@dataclass(eq=False, repr=False)
class WhyLine(Stop):
    """Lines below a form that say something of its value; they are read, and belong to no file."""

    lines: tuple[Line, ...]
    text: str
    gap: int = 0
    """Empty lines above it."""
    target: Node | None = None
    """The turn or call that it is about, where it is about one in particular."""
    at: Node | None = None
    """The value in the form of the target whose line it leads to."""
    nowhere: str = ""
    """Why it leads nowhere, a sentence, where one could think that it does."""
    value: Callable[[], bytes] | None = None
    """Makes the JSON text of the value that it is about; None where it is about none, so that nothing is copied."""
    side: str = ""
    """Whose value that is: expected or actual."""
    subject: WhySubject | None = None
    """The part of a turn that can be accepted on this line; None where there is none."""


class Why(NamedTuple):
    """Lines about the scores of a value, above and below its form."""

    above: tuple[Line, ...] = ()
    below: tuple[WhyLine, ...] = ()


class Note(NamedTuple):
    """A line that only says something."""

    line: Line
    key: Hashable = None
    """The key of the field in whose place it stands."""
    has_hint: bool = False
    """Whether the last piece of the line names a key that edits; a form for reading has no such piece."""


def empty_note(said: str, hint: str) -> Note:
    """The note of an empty list: what is missing, then the key that adds it."""
    return Note([*dim(said), *dim(f" {hint}")], has_hint=True)


class Choice(NamedTuple):
    """One of the things an `Offer` offers or a field takes; what choosing it does is one of the last four.

    A choice of a field that does nothing else writes its label into the field.
    """

    label: str
    remark: str = ""
    revise: Callable[[], Revision] | None = None
    write: Write | None = None
    """Makes a revision of the answer to `question`."""
    export: Callable[[Path], str] | None = None
    """Writes a file at the path that answers `question`, and says so; raises `EditError` where it cannot."""
    target: Node | None = None
    """Leads to a node."""
    question: str = ""
    suggestion: str = ""
    is_path: bool = False
    """Whether the answer is the path of a file."""
    section: str = ""
    """The content that it adds to, if there are several: offered first to a cursor that is there."""


Item = Heading | Field | Link | Offer | Note | HalfTyped


@dataclass(eq=False, repr=False)
class Form:
    """All that is shown of one node."""

    title: str
    items: list[Item] = field(default_factory=list)
    add: Callable[[str], Revision] | None = None
    """Adds what this form lists: a case, a turn, a tool call, or (with a name) an argument or member."""
    adds: str = ""
    """The thing that `add` adds, for the keys line; "" if there is nothing to add."""
    asks_name: bool = False
    """Whether `add` needs a name."""
    begins: Hashable = None
    """The key of the field where typing begins in what is new; without one, in the first that is empty."""


def for_reading(form: Form) -> Form:
    """The form without keys that edit: no hints, and of the offers only those that leave the file alone."""
    items: list[Item] = []
    for item in form.items:
        match item:
            case Note() if item.has_hint:
                items.append(Note(item.line[:-1], item.key))
            case Field():
                items.append(replace(item, placeholder=item.placeholder.partition(" · ")[0]))
            case Offer():
                kept = tuple(choice for choice in item.choices if choice.export or choice.target)
                line = dim(" · ".join(choice.label for choice in kept))
                items += [replace(item, choices=kept, line=line)] if kept else []
            case _:
                items.append(item)
    return replace(form, items=items)


def value_of(stop: Stop | None) -> Node | None:
    """The value that a line of a form shows or links to; None for a line without a value."""
    match stop:
        case Link():
            return stop.target
        case WhyLine():
            return _told(stop)
        case Field() if stop.kind == "text":
            # The node of a field can be larger than its text: a text field of a content has the whole part.
            found = [node for node in (stop.node, *(stop.node.items if stop.node else ())) if _holds(node, stop.text)]
            return found[0] if found else Node(encode(stop.text, raw_bytes=True)) if stop.text else None
        case Field() if stop.kind != "absent":
            return stop.node
    return None


def _told(told: WhyLine) -> Node | None:
    try:
        return Node(told.value()) if told.value is not None else None
    except (RecursionError, TypeError, ValueError):  # values in a recording can be invalid as JSON, or too deep
        return None


def _holds(node: Node | None, text: str) -> bool:
    return node is not None and node.kind == "string" and node.text() == text

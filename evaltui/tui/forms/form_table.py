"""Forms as tables: the rows of a form, and the lines that they make of the members of an object.

Absent, null and empty are three different values for google-adk, so each line shows which of them it has.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from rich.cells import cell_len

from evaltui.document.edits import Remove, json_text
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.case_data import date_of, seconds_of
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.revision import Revision, put
from evaltui.evalset.keys import filled, member, spelled
from evaltui.evalset.titles import called, title
from evaltui.tui.forms.form import Choice, Field, Form, Heading, Item, Link, Note, Offer, empty_note, type_of
from evaltui.tui.forms.json_form import add_key, deletion, moving, retyping, value_field, value_line
from evaltui.tui.forms.value_text import type_read
from evaltui.tui.lines import Line, dim
from evaltui.tui.outlines.row_texts import summary

TEXT, REQUIRED, LIST = ("string", "null"), ("string",), ("list", "null")
"""Types of a text, of a text that google-adk rejects as null, and of a list."""
OBJECT = ("object", "null")
MANY = 200
"""The most items of a list in a form; the tree has all cases and turns."""
_EMPTY: dict[str, Any] = {"string": "", "null": None, "list": [], "object": {}, "number": 0}
_REQUIRED = ("eval_id", "rubric_id", "app_name", "user_id", "author", "starting_prompt", "conversation_plan")
"""Members that google-adk's models require."""


class FormOwner(NamedTuple):
    """The object whose members a form shows. It makes their lines, and the revisions of these."""

    case_file: CaseFile
    node: Node
    table: str
    """The name of its table; with a key of the object it is the key of a line."""
    named: str
    """Its name in undo labels."""

    @property
    def title(self) -> str:
        """The title of the row at or around the object."""
        return title(self.case_file, self.node)

    # --- revisions -------------------------------------------------------------------------------------------

    def name_of(self, key: str) -> str:
        """The name of a member in labels of undo steps: `user_id of refund`."""
        return f"{key} of {called(self.case_file, self.node)}"

    def write(self, key: str, value: Any) -> Revision:
        """Changes a member."""
        return Revision(f"edit {self.name_of(key)}", [put(self.node, key, value)])

    def fill(self, key: str, value: Any) -> Revision:
        """Adds a member that is absent or null, spelled and placed as in the neighbours."""
        return Revision(f"add {key} to {called(self.case_file, self.node)}", [put(self.node, key, value)])

    def delete(self, key: str) -> Revision:
        """Deletes a member."""
        # Absent, null and empty are different values: none of them stands for another.
        node = member(self.node, key)
        remark = "google-adk requires it" if key in _REQUIRED and not self.case_file.is_dataset else ""
        return Revision(f"delete {self.name_of(key)}", [Remove(node.pointer())] if node is not None else [], remark)

    def retype(self, key: str, kind: str, origin: Node | None) -> Revision:
        """Gives a member another JSON type: its value before the first change of type, or an empty one."""
        node = member(self.node, key)
        if node is None:
            # A new key is placed and spelled as in the neighbours, which `retyping` does not do.
            return self.fill(key, _EMPTY[kind])
        # A value of this type comes back as it was before its first change of type.
        comes_back = origin is not None and type_of(origin) == kind
        return retyping(node, self.name_of(key), kind, origin if comes_back else Node(json_text(_EMPTY[kind])))

    # --- lines -----------------------------------------------------------------------------------------------

    def other_keys(self, row_keys: Iterable[str], heading: str = "") -> list[Item]:
        """The lines of all keys but those `row_keys` (in snake_case), edited as JSON."""
        # A key in the other spelling is the same member for google-adk.
        row_keys = spelled(*row_keys)
        unknown = [item for item in self.node.items if item.name not in row_keys]
        lines: list[Item] = [value_line(item, self.title, inline=False) for item in unknown]
        return [Heading(heading), *lines] if heading and lines else lines

    def link(self, node: Node, line: Line, help: str, *, named: str = "", key: Hashable = None) -> Link:
        """A link to an item of a list, which can be deleted and moved; by default with its usual name in labels."""
        is_row = self.case_file.kind(node) != "value"
        # Rows have deletions and moves of their own: turns are renumbered, calls keep their responses.
        case_file, named = self.case_file if is_row else None, named or ("" if is_row else called(self.case_file, node))
        return Link(
            key or node,
            line,
            leads_to_a_form=not is_row,
            node=node,
            help=help,
            delete=partial(deletion, node, named, case_file),
            move=partial(moving, node, named, case_file=case_file),
        )

    # --- the last line ---------------------------------------------------------------------------------------

    def offer(
        self,
        choices: Callable[[], Sequence[Choice]],
        words: Mapping[str, str] = MappingProxyType({}),
        also: Sequence[str] = (),
    ) -> list[Item]:
        """The last line of a form: `enter: add session input · rubrics`; `words` are those of keys that may be absent.

        `also` are the words of what else is absent.
        """
        absent = [*also, *(word for name, word in words.items() if member(self.node, name) is None)]
        if not absent and not choices():  # what is absent can be added, so mostly nothing is made here
            return []
        line = dim(f"enter: add {' · '.join(absent)}" if absent else "enter: add more")
        return [Offer("more", line, self.named, choices, tuple(absent))]

    def filling(self, key: str, value: Any, label: str, remark: str = "") -> list[Choice]:
        """A choice that gives a member a first value; none if it has a value."""
        if filled(self.node, key) is not None:
            return []
        return [Choice(label, remark, revise=partial(self.fill, key, value))]

    def creation_time(self, remark: str = "now") -> list[Choice]:
        """A choice that adds the current time as creation time; none if there is one."""
        return self.filling("creation_timestamp", round(time.time(), 3), "creation time", remark)

    def another_key(self, remark: str) -> Choice:
        """A choice that adds a key of a case unknown to the model; the `remark` tells who reads it."""
        write = partial(add_key, self.node, self.title)
        return Choice("another key of the case", remark, write=write, question="Name of the new key")


Maker: TypeAlias = "Callable[[FormOwner, FormRow], Sequence[Item]]"


class FormRow(NamedTuple):
    """One member of an object in a form."""

    key: str
    """The key, in snake_case."""
    make: Maker
    help: str = ""
    """How google-adk or agents-cli uses the value, in one line."""
    types: tuple[str, ...] = ()
    """The JSON types that t steps through; without any, those of its maker."""
    heading: str = ""
    section: str = ""
    """A heading above this row and the rows after it, if they have any lines."""
    is_optional: bool = False
    """Whether it has no line if the key is absent: then the last line offers it."""
    choices: Mapping[str, str] = MappingProxyType({})
    """Common texts, each with a remark."""


class FormPlace(NamedTuple):
    """The form of the objects at one place of a file of cases."""

    rows: tuple[FormRow, ...]
    others: str = "More"
    """The heading of the keys without a row; "" for none."""
    adds: str = ""
    """The name of the item that the key `a` adds."""
    add: Callable[[FormOwner], Revision] | None = None
    begins: str = ""
    """The key of the row where typing starts in a new object; "" for the first empty one."""
    offers: Callable[[FormOwner], Sequence[Item]] | None = None
    """Makes the last line, which offers what is absent."""

    def form(self, owner: FormOwner) -> Form:
        """The form of an object: its rows, then the line that offers more."""
        add = self.add
        return Form(
            owner.named,
            [*lines_of(owner, self.rows, self.others), *(self.offers(owner) if self.offers is not None else [])],
            add=(lambda _: add(owner)) if add is not None else None,
            adds=self.adds,
            begins=(owner.table, self.begins) if self.begins else None,
        )


def lines_of(owner: FormOwner, rows: Sequence[FormRow], others: str = "") -> list[Item]:
    """The lines of the rows of a table, then those of all other keys: no value of the file is hidden."""
    items: list[Item] = []
    section = ""
    for row in rows:
        # The heading comes with the first line of its section, so that no heading stands alone.
        section = row.section or section
        is_optional = row.is_optional or row.make in (number, value)  # they have no line for what is absent
        if is_optional and member(owner.node, row.key) is None:
            continue
        lines = row.make(owner, row)
        if section and lines:
            items.append(Heading(section))
            section = ""
        items += lines
    return [*items, *owner.other_keys([row.key for row in rows], others or section)]


# --- makers of lines -------------------------------------------------------------------------------------------------


def text(owner: FormOwner, row: FormRow, *, block: bool = False, one_line: bool = False) -> list[Field | Link]:
    """A field for a text beside its label, also for absent, null or empty; any other value as JSON."""
    node, types = member(owner.node, row.key), row.types or TEXT
    if node is not None and node.kind not in TEXT:
        return [value_line(node, owner.title, help=row.help)]
    field = Field(
        (owner.table, row.key),
        row.key,
        node.text() if node is not None else "",
        partial(owner.write, row.key),
        node=node,
        block=block,
        one_line=one_line,
        takes_text=True,
        delete=partial(owner.delete, row.key) if node is not None else None,
        # A required text has one type, so t only makes an absent one.
        retype=partial(owner.retype, row.key) if len(types) > 1 or node is None else None,
        types=types,
        choices=tuple(Choice(text, remark) for text, remark in row.choices.items()),
        help=row.help,
    )
    return [field]


line = partial(text, one_line=True)
"""A field for a text of one line, such as an id."""
block = partial(text, block=True)
"""A field for a text below its label."""


def number(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    """A field for a number of seconds; of a time also with its date, which can be typed. No line if it is absent."""
    node, is_date = member(owner.node, row.key), row.key == "creation_timestamp"
    if node is None or node.kind not in ("number", "null"):
        return [value_line(node, owner.title, help=row.help)] if node is not None else []

    def write(text: str) -> Revision:
        seconds = seconds_of(text, node) if is_date else None
        if type_read(text) == "number":
            seconds = text.strip().encode()
        if seconds is None:
            raise EditError(f"enter seconds{' or a date such as 2026-03-12 10:25' if is_date else ' as a number'}")
        # The number keeps its typed spelling: 1.50 stays 1.50.
        return Revision(f"edit {owner.name_of(row.key)}", [put(owner.node, row.key, 0)._replace(source=seconds)])

    digits = node.source().decode("ascii", "replace") if node.kind == "number" else ""
    field = Field((owner.table, row.key), row.key, digits, write, node=node, one_line=True, help=row.help)
    field.delete, field.aside = partial(owner.delete, row.key), date_of(digits) if is_date else ""
    return [field]


CREATED = FormRow("creation_timestamp", number, "Seconds since 1970; no metric uses the time. google-adk rejects null.")


def value(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    """A link to a structured value, or a field for a single one; no line if it is absent."""
    node = member(owner.node, row.key)
    if node is None or (node.kind != "null" and not node.is_container):
        return [value_line(node, owner.title, help=row.help)] if node is not None else []
    line: Field | Link
    if node.is_container:
        # Its own form opens to be filled in when it is new: an empty object has no line to edit here.
        line = Link(None, summary(node), label=row.key, leads_to_a_form=True, node=node)
    else:
        line = value_field(node, row.key, f"{row.key} of {owner.title}")
    # A null has the key of its later link, so that the cursor stays on the line.
    line.key, line.types, line.help = (owner.table, row.key), row.types or OBJECT, row.help
    line.delete, line.retype = partial(owner.delete, row.key), partial(owner.retype, row.key)
    return [line]


def inline(table: str, heading: str, rows: tuple[FormRow, ...]) -> Maker:
    """A maker of the lines of an object inside the form of its owner; of one line for a value of another type."""

    def make(owner: FormOwner, row: FormRow) -> Sequence[Item]:
        node = member(owner.node, row.key)
        if node is None or node.kind != "object":
            return value(owner, row)
        return [Heading(heading), *lines_of(owner._replace(node=node, table=table), rows)]

    return make


def items(
    heading: str, line_of: Callable[[Node], Line], empty: str = "", *, kind: str = "array", is_aligned: bool = False
) -> Maker:
    """A maker of links to the items of a list or of another `kind` of container.

    It makes one line for any other value, and for an empty list without `empty`, which says which key adds an item.
    With `is_aligned`, all first runs are as wide as the longest.
    """

    def make(owner: FormOwner, row: FormRow) -> Sequence[Item]:
        node = member(owner.node, row.key)
        nodes = node.items if node is not None and node.kind == kind else []
        none = [empty_note(f"No {heading.lower()}.", empty)] if empty else []
        if (node is not None and node.kind != kind) or not (nodes or empty):
            return [*value(owner, row), *none]
        lines = [line_of(item) for item in nodes[:MANY]]
        if is_aligned:
            # In cells, because an author may have wide characters.
            widest = max((cell_len(line[0][0]) for line in lines), default=0)
            lines = [[(text + " " * (widest - cell_len(text)), role), *rest] for (text, role), *rest in lines]
        links: list[Item] = [owner.link(item, line, row.help) for item, line in zip(nodes, lines, strict=False)]
        if len(nodes) > MANY:
            is_row = owner.case_file.kind(nodes[0]) != "value"
            links.append(Note(dim(f"… {len(nodes) - MANY:,} more{' in the tree' * is_row}")))
        return [Heading(heading, str(len(nodes))), *(links or none)]

    return make

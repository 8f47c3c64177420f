"""The layout of a form: lines to draw, for each field the place of its value, and the problems of each line."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from rich.cells import cell_len
from textual.content import Content

from evaltui.document.node import Node
from evaltui.evalset.keys import snake
from evaltui.printable import printable
from evaltui.tui.commands import key_of
from evaltui.tui.forms.form import Field, Form, HalfTyped, Heading, Item, Link, Note, Offer, Stop, WhyLine
from evaltui.tui.lines import DRAFT, FILL, SEVERITY_MARKS, Line, Run, first_cells
from evaltui.tui.open_file.drafts import FieldDraft
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.open_file.problem_list import Problem

_LABEL_MIN, _LABEL_MAX, _LABEL_MOST = 10, 24, 40
"""The fewest cells of the column of labels, the most in a narrow form, and the most in a wide one."""
_KIND_ROOM = 9
_OF_A_DRAFT = 4
"""Most lines shown of a draft without a field; $EDITOR shows the rest."""
_SMALL = 20_000
"""Most characters of a text that is wrapped completely to count its lines."""


class Placed(NamedTuple):
    """A placed item of a form: `height` lines from `top`; its value is at `indent` and `value_top`, `width` cells wide.

    The `value_top` of a heading is the line of its text.
    """

    item: Item | WhyLine
    top: int
    height: int
    indent: int = 0
    value_top: int = 0
    width: int = 0


@dataclass(slots=True, repr=False)
class ProblemsInForm:
    """The worst problem of each line, and the worst problem without a line."""

    head: Problem | None = None
    of_items: dict[int, Problem] = field(default_factory=dict)
    """By index of the item: the problem shown below it."""
    marks: dict[int, str] = field(default_factory=dict)
    """By index of the item: the worst severity in the form that a link leads to."""
    behind: dict[int, Problem] = field(default_factory=dict)
    """By index of the item: the worst problem in the form that a link leads to."""


def problems_in_form(file: EditedDocument, form: Form, node: Node) -> ProblemsInForm:
    """The problems of the lines of the form of a node."""
    problems, found = file.problems, ProblemsInForm()
    if node is file.document.root:  # its links lead to cases, whose marks count all that is in them
        links = ((index, item.node) for index, item in enumerate(form.items) if isinstance(item, Link))
        found.marks.update((index, severity) for index, case in links if (severity := problems.mark(case)))
    if not (within := problems.within(node)):  # worst first
        return found
    lines = ValueLines(form.items, node)
    for problem, place, missing in within:
        index, is_there = lines.line_of(place, missing)
        if index is None:
            found.head = found.head or problem
        elif is_there:
            found.of_items.setdefault(index, problem)
        else:
            found.behind.setdefault(index, problem)
    severities = ((index, problem.severity) for index, problem in found.behind.items())
    found.marks.update((index, severity) for index, severity in severities if severity != "info")
    return found


class ValueLines:
    """The lines of a form by the value that they show."""

    def __init__(self, items: Sequence[Item], node: Node) -> None:
        self._node = node
        self._items = items
        self._by_node: dict[Node, int] = {}
        self._by_name: dict[str, int] = {}
        for index, item in enumerate(items):
            if not isinstance(item, Stop):
                continue
            for value in (item.node, item.around):
                if value is not None and value is not node:
                    self._by_node.setdefault(value, index)
            keys = item.key if isinstance(item.key, tuple) else (item.key,)
            for name in (*keys, item.label if isinstance(item, Field) else ""):
                if isinstance(name, str) and name:
                    self._by_name.setdefault(snake(name), index)

    def line_of(self, place: Node, missing: str) -> tuple[int | None, bool]:
        """The line of a value or its missing key (None without one), and whether it shows it or only links to it."""
        if missing and place is self._node:
            index = self._by_name.get(snake(missing))
            return index, index is not None
        for value in (place, *place.ancestors()):
            if value is self._node:
                return None, False
            index = self._by_node.get(value)
            if index is None and value.parent is self._node:
                index = self._by_name.get(snake(value.name))
            if index is not None:
                return index, isinstance(self._items[index], Field) or (value is place and not missing)
        return None, False


def lay_out_form(
    form: Form,
    width: int,
    most_lines: int,
    draft_of: Callable[[Hashable], FieldDraft | None],
    editing: tuple[Hashable, Callable[[int], int]] | None,
    problems: ProblemsInForm,
    why: tuple[Sequence[Line], Sequence[WhyLine]],
    heights: Mapping[int, int],
) -> tuple[list[Line], list[Placed]]:
    """Lay `form` out for `width` cells, with the lines of `why` above and below. Texts at rest take `most_lines`.

    `heights` are the line counts of the recorded column, by index of the item: an item with fewer lines is followed by
    empty ones. `editing` is the key of the edited field and the height of its text box by width; its room stays free.
    """
    # Labels take more room where most of the form stays free.
    most = max(_LABEL_MAX, min(width // 2, _LABEL_MOST))
    beside = (item for item in form.items if isinstance(item, Link) or (isinstance(item, Field) and not item.block))
    label_width = max([_LABEL_MIN, *(min(cell_len(item.label), most) for item in beside)])
    lines: list[Line] = [*why[0], *([_said(problems.head)] if problems.head else [])]
    placed: list[Placed] = []
    for number, item in enumerate(form.items):
        top = len(lines)
        indent = width_of_value = box_height = 0
        value_top = top
        draft = draft_of(item.key) if isinstance(item, Stop) else None
        match item:
            case Heading():
                if lines:
                    lines.append([])
                lines.append([(printable(item.text), "heading"), (f"  {printable(item.remark)}", "dim")])
                value_top = len(lines) - 1
            case Link() | Offer() | Note():
                label: Line = [_label(item.label, label_width)] if isinstance(item, Link) and item.label else []
                lines.append([SEVERITY_MARKS[problems.marks.get(number, "")], *label, *item.line])
            case HalfTyped():
                lines.append([DRAFT, (item.label, "name")])
                text = wrapped(item.draft.text, max(8, width - 3), min(most_lines, _OF_A_DRAFT))
                lines += ([("  ", ""), (line, "warning")] for line in text)
                lines += _problem_lines(item.draft, is_outdated=item.is_outdated)
            case Field():
                indent = 2 if item.block else 2 + label_width + 2
                room_beside = 0 if item.block else max(_KIND_ROOM, len(item.aside) + 2)
                width_of_value = max(8, width - 1 - indent - room_beside)
                value_top = top + (1 if item.block and item.label else 0)
                box_height = editing[1](width_of_value) if editing is not None and editing[0] == item.key else 0
                # While a field is edited, the keys that fill empty ones would type letters.
                field = item if editing is None else replace(item, placeholder=item.placeholder.partition(" · ")[0])
                lines += _field_lines(field, draft, label_width, width_of_value, most_lines, box_height)
        # A draft says more than the problem, and an empty edited field suggests a value.
        is_suggested = box_height > 0 and isinstance(item, Field) and bool(item.suggests) and not item.text
        if draft is None and not is_suggested and (problem := problems.of_items.get(number)) is not None:
            lines.append(_said(problem))
        placed.append(Placed(item, top, len(lines) - top, indent, value_top, width_of_value))
        lines += [[] for _ in range(value_top + heights.get(number, 0) - len(lines))]
    for why_line in why[1]:
        lines += [[] for _ in range(why_line.gap)]
        placed.append(Placed(why_line, len(lines), len(why_line.lines)))
        lines += why_line.lines
    return lines, placed


def _label(label: str, width: int) -> Run:
    text = label if cell_len(label) <= width else f"{first_cells(label, width - 1)}…"
    return text + " " * (width + 2 - cell_len(text)), "name"


def _said(problem: Problem) -> Line:
    """The message of a problem, for the line below its field."""
    role = "dim" if problem.severity == "info" else problem.severity
    line: Line = [SEVERITY_MARKS[problem.severity], (printable(problem.message), role)]
    if problem.fix is not None:
        line += [("", FILL), (f" {key_of('fix')} {'fix' if problem.fix.safe else 'fix?'} ", "accent")]
    return line


def _field_lines(
    field: Field, draft: FieldDraft | None, label_width: int, width: int, most_lines: int, editing_height: int
) -> list[Line]:
    """The lines of a field: label, value or room for the text box, and the error of a draft."""
    if editing_height:
        value: list[Line] = [[] for _ in range(editing_height)]
    elif draft is not None:
        value = [[(line, "warning")] for line in wrapped(draft.text, width, most_lines)]
    elif field.text:
        value = [[(line, "dim" if line.startswith("… ") else "")] for line in wrapped(field.text, width, most_lines)]
    else:
        # The three are different values for google-adk, so an empty text is not enough.
        value = [[(field.placeholder or (field.kind if field.kind in ("absent", "null") else "empty"), "dim")]]
    if field.block:
        role = "dim" if field.label == field.kind else "name"
        label: list[Line] = [[("  ", ""), (field.label, role)]] if field.label else []
        lines = [*label, *([("  ", ""), *line] for line in value)]
    else:
        is_text = field.kind in ("string", "absent")
        kind = field.kind if not is_text else "string" if field.retype is not None else ""
        remark = printable(field.aside) if field.aside else kind
        first: Line = [("  ", ""), _label(field.label, label_width), *value[0]]
        first += [("", FILL), (f"{remark} ", "dim")] if remark else []
        lines = [first, *([(" " * (label_width + 4), ""), *line] for line in value[1:])]
    if draft is not None:
        lines += _problem_lines(draft, is_outdated=draft.is_outdated(field.text))
    return lines


def _problem_lines(draft: FieldDraft, *, is_outdated: bool) -> list[Line]:
    outdated = f"    The value has changed since the draft was begun. {key_of('form.enter')}: choose one"
    return [
        [("  ✎ draft, not in the file yet: ", "warning"), (printable(draft.problem), "warning")],
        *([[(outdated, "warning")]] if is_outdated else []),
    ]


def wrapped(text: str, width: int, most_lines: int) -> list[str]:
    """The first lines of `text` wrapped to `width`, and a last line that counts the hidden rest."""
    safe = printable(text, keep_lines=True)
    hidden = len(safe) > _SMALL
    lines = [line.plain for line in Content(safe[:_SMALL]).wrap(max(2, width))]
    lines = [first_cells(line.expandtabs(4), width) for line in lines]
    if hidden:
        return [*lines[: most_lines - 1], f"… {len(safe):,} characters in all"]
    if len(lines) > most_lines:
        rest = len(lines) - most_lines + 1
        return [*lines[: most_lines - 1], f"… {rest} more lines"]
    return lines or [""]

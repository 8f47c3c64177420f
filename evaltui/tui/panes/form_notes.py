"""Notes in a form: the problems of its lines, and the explanation of the scores of its value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from evaltui.document.node import Node
from evaltui.evalset.keys import snake
from evaltui.tui.forms.form import Field, Form, Item, Link, Stop, Why
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.open_file.problem_list import Problem


@dataclass(slots=True, eq=False, repr=False)
class ProblemsInForm:
    """The worst problem of each line, and the worst problem without a line."""

    head: Problem | None = None
    of_items: dict[int, Problem] = field(default_factory=dict)
    """By index of the item: the problem shown below it."""
    marks: dict[int, str] = field(default_factory=dict)
    """By index of the item: the worst severity in the form that a link leads to."""

    behind: dict[int, Problem] = field(default_factory=dict)
    """By index of the item: the worst problem in the form that a link leads to."""

    def mark_links(self, items: Sequence[Item], mark: Callable[[Node], str]) -> None:
        """Mark the links to cases with problems."""
        for index, item in enumerate(items):
            if isinstance(item, Link) and (severity := mark(item.target)):
                self.marks.setdefault(index, severity)


def problems_in_form(items: Sequence[Item], node: Node, found: Sequence[tuple[Problem, Node, str]]) -> ProblemsInForm:
    """Assign the problems of `node` and its content (worst first, as in `Problems.within`) to the lines of its form."""
    placed = ProblemsInForm()
    if not found:
        return placed
    lines = _Lines(items, node)
    for problem, at, missing in found:
        index, is_there = lines.of(at, missing)
        if index is None:
            placed.head = placed.head or problem
        elif is_there:
            placed.of_items.setdefault(index, problem)
        else:
            placed.behind.setdefault(index, problem)
            if problem.severity != "info":
                placed.marks.setdefault(index, problem.severity)
    return placed


def line_of(items: Sequence[Item], node: Node, at: Node, missing: str) -> tuple[int | None, bool]:
    """The index of the line of a value in the form of `node`, and whether it shows the value or only links to it."""
    return _Lines(items, node).of(at, missing)


class _Lines:
    """The lines of a form by the value that they show."""

    def __init__(self, items: Sequence[Item], node: Node) -> None:
        self._node = node
        self._items = items
        self._by_node: dict[Node, int] = {}
        self._by_name: dict[str, int] = {}
        for index, item in enumerate(items):
            if not isinstance(item, Stop):
                continue
            for shown in (item.node, item.target if isinstance(item, Link) else None, item.around):
                if shown is not None and shown is not node:
                    self._by_node.setdefault(shown, index)
            for name in _names(item):
                self._by_name.setdefault(name, index)

    def of(self, at: Node, missing: str) -> tuple[int | None, bool]:
        """The line of a value or its missing key (None without one), and whether it shows it or only links to it."""
        if missing and at is self._node:
            index = self._by_name.get(snake(missing))
            return index, index is not None
        for shown in (at, *at.ancestors()):
            if shown is self._node:
                return None, False
            index = self._by_node.get(shown)
            if index is None and shown.parent is self._node:
                index = self._by_name.get(snake(shown.name))
            if index is not None:
                return index, isinstance(self._items[index], Field) or (shown is at and not missing)
        return None, False


def _names(stop: Stop) -> list[str]:
    keys = stop.key if isinstance(stop.key, tuple) else (stop.key,)
    return [
        snake(name) for name in (*keys, stop.label if isinstance(stop, Field) else "") if isinstance(name, str) and name
    ]


class FormNotes:
    """Finds the notes of a form, and caches them while they are valid."""

    def __init__(self, session: EditedDocument) -> None:
        self._session = session
        self.problems = ProblemsInForm()
        """The problems found last."""
        self._why: tuple[tuple[Node, int, int], Why] | None = None
        """The last explanation of scores, with its node, version of the scores, and width."""

    def why(self, node: Node, width: int) -> Why:
        """The explanation of the scores of the node. Cached, because a form is laid out again with each key."""
        scores = self._session.scores
        if not scores.cases:
            return Why()
        from evaltui.tui.panes.why_lines import why

        key = node, scores.version, width
        if self._why is None or self._why[0] != key:
            self._why = key, why(scores, node, width)
        return self._why[1]

    @property
    def has_old_scores(self) -> bool:
        """Whether the scores changed since the last explanation."""
        return self._why is None or self._why[0][1] != self._session.scores.version

    def find_problems(self, form: Form, node: Node) -> ProblemsInForm:
        """Find the problems of the lines of a form."""
        problems = self._session.problems
        self.problems = problems_in_form(form.items, node, problems.within(node))
        if node is self._session.document.root:
            self.problems.mark_links(form.items, problems.mark)
        return self.problems

    def problem_at(self, index: int) -> Problem | None:
        """The problem of the item with an index, else the problem at the head of the form."""
        problems = self.problems
        return problems.of_items.get(index) or problems.behind.get(index) or problems.head

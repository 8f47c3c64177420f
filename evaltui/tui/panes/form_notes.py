"""The notes about a form: the problems of its lines, and why its value has its scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from evaltui.document.node import Node
from evaltui.evalset.keys import snake
from evaltui.tui.forms.form import Field, Form, Item, Link, Stop, Why
from evaltui.tui.session.problem import Problem
from evaltui.tui.session.session import Session


@dataclass(slots=True, eq=False, repr=False)
class ProblemsInForm:
    """The worst problem of each line, and the worst of what has none."""

    head: Problem | None = None
    of_items: dict[int, Problem] = field(default_factory=dict)
    """By the index of the item: what is said below it."""
    marks: dict[int, str] = field(default_factory=dict)
    """By the index of the item: the severity of what is wrong somewhere behind a line that leads on."""

    behind: dict[int, Problem] = field(default_factory=dict)
    """By the index of the item: the worst of what is wrong behind a line that leads on."""

    def mark_links(self, items: Sequence[Item], mark: Callable[[Node], str]) -> None:
        """Mark the lines that lead to cases in which something is wrong."""
        for index, item in enumerate(items):
            if isinstance(item, Link) and (severity := mark(item.target)):
                self.marks.setdefault(index, severity)


def problems_in_form(items: Sequence[Item], node: Node, found: Sequence[tuple[Problem, Node, str]]) -> ProblemsInForm:
    """The problems of `node` and of what is in it (worst first, as `Problems.within` has them) by line of its form."""
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
    """The index of the line of a value in the form of `node`, and whether it shows it, not only leads to it."""
    return _Lines(items, node).of(at, missing)


class _Lines:
    """The lines of a form by what they show."""

    def __init__(self, items: Sequence[Item], node: Node) -> None:
        self._node = node
        self._items = items
        self._by_node: dict[Node, int] = {}
        self._by_name: dict[str, int] = {}
        for index, item in enumerate(items):
            if not isinstance(item, Stop):
                continue
            for shown in (item.node, item.target if isinstance(item, Link) else None):
                if shown is not None and shown is not node:
                    self._by_node.setdefault(shown, index)
            for name in _names(item):
                self._by_name.setdefault(name, index)

    def of(self, at: Node, missing: str) -> tuple[int | None, bool]:
        """The line of a value or of what it lacks, and whether it shows that, not only leads to it; None without."""
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
    """Finds the notes, and remembers them for as long as they hold."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.problems = ProblemsInForm()
        """The problems found last."""
        self._why: tuple[tuple[Node, int, int], Why] | None = None
        """The words about scores made last: for which node, version of the scores, and width."""

    def why(self, node: Node, width: int) -> Why:
        """Why the node has its scores; worked out once, for a form is laid out again with each key."""
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
        """Whether there are other scores than those told last."""
        return self._why is None or self._why[0][1] != self._session.scores.version

    def find_problems(self, form: Form, node: Node) -> ProblemsInForm:
        """Find the problems of the lines of a form."""
        problems = self._session.problems
        self.problems = problems_in_form(form.items, node, problems.within(node))
        if node is self._session.document.root:
            self.problems.mark_links(form.items, problems.mark)
        return self.problems

    def problem_at(self, index: int) -> Problem | None:
        """The problem of the item with an index; where it has none, that at the head of the form."""
        problems = self.problems
        return problems.of_items.get(index) or problems.behind.get(index) or problems.head

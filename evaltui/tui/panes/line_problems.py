"""The problems of a form by its lines, and the explanation of the scores of its value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from evaltui.document.node import Node
from evaltui.evalset.keys import snake
from evaltui.tui.forms.form import Field, Form, Item, Link, Stop, Why
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.open_file.problem_list import Problem


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


class LineProblems:
    """Finds the problems of the lines of a form, and what is said of its scores."""

    def __init__(self, session: EditedDocument) -> None:
        self._session = session
        self.shown = ProblemsInForm()
        """The problems found last."""
        self._why: tuple[tuple[Node, int, int], Why] | None = None
        """The last explanation of scores, with its node, version of the scores, and width."""

    def why(self, node: Node, width: int) -> Why:
        """The explanation of the scores of the node. Cached, because a form is laid out again with each key."""
        scores = self._session.scores
        if not scores.cases or not scores.has_any:
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

    def find(self, form: Form, node: Node) -> ProblemsInForm:
        """Find the problems of the lines of a form."""
        problems, self.shown = self._session.problems, ProblemsInForm()
        within = problems.within(node)  # worst first
        lines = ValueLines(form.items if within else (), node)
        for problem, place, missing in within:
            index, is_there = lines.line_of(place, missing)
            if index is None:
                self.shown.head = self.shown.head or problem
            elif is_there:
                self.shown.of_items.setdefault(index, problem)
            else:
                self.shown.behind.setdefault(index, problem)
                if problem.severity != "info":
                    self.shown.marks.setdefault(index, problem.severity)
        if node is self._session.document.root:  # its links lead to cases, whose marks count all that is in them
            for index, item in enumerate(form.items):
                if isinstance(item, Link) and (severity := problems.mark(item.target)):
                    self.shown.marks.setdefault(index, severity)
        return self.shown

    def at(self, index: int) -> Problem | None:
        """The problem of the item with an index, else the problem at the head of the form."""
        shown = self.shown
        return shown.of_items.get(index) or shown.behind.get(index) or shown.head


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
            for value in (item.node, item.target if isinstance(item, Link) else None, item.around):
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

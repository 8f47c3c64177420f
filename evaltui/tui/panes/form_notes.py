"""The notes about a form: the problems of its lines, and why its value has its scores."""

from __future__ import annotations

from evaltui.document import Node
from evaltui.tui.forms.form import Form, Why
from evaltui.tui.panes.form_problems import ProblemsInForm, problems_in_form
from evaltui.tui.problem import Problem
from evaltui.tui.session import Session


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
        if not scores.rows:
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

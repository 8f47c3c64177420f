"""The titles of commands in the keys line, as they are at present."""

from __future__ import annotations

from collections.abc import Callable

from evaltui.tui.commands import CHANGING, Command
from evaltui.tui.editor.panes import Panes
from evaltui.tui.session.session import Session


class KeyTitles:
    """Tells what the keys line calls a command."""

    def __init__(self, session: Session, panes: Panes, has_draft: Callable[[], bool]) -> None:
        """`has_draft` tells whether there is a draft where one is."""
        self._session = session
        self._panes = panes
        self._has_draft = has_draft

    def title_of(self, command: Command) -> str:
        """What the keys line calls a command at present; "" where it is of no use."""
        panes, history = self._panes, self._session.document.history
        if self._session.readonly and command.id in CHANGING:
            return ""
        useful: dict[str, Callable[[], bool]] = {
            "screen.undo": lambda: bool(history.next_undo),
            "screen.redo": lambda: bool(history.next_redo),
            "list.unsaved": lambda: self._session.has_unsaved,
            "list.drop_draft": self._has_draft,
            "list.why": lambda: self._session.scores.case_around(panes.form.node) is not None,
        }
        is_useful = useful.get(command.id) or useful.get(command.action)
        if is_useful is not None:
            return command.title if is_useful() else ""
        if command.id == "run.again":
            return "score" if panes.run.has_news else ""
        if command.place == "tree":
            return panes.tree.offer(command)
        if command.place == "run":
            return panes.run.offer(command)
        if command.place == "problems":
            return panes.problems.offer(command)
        return panes.form.offer(command) if command.place in ("form", "field") else command.title

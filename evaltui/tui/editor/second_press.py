"""Keys that do something only when pressed twice in a row."""

from __future__ import annotations

from evaltui.tui.editor.stage import Stage
from evaltui.tui.session.problem import Problem


class SecondPress:
    """Tells whether the very last key asked for the same; the first press shows what the second does."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._shown: tuple[Problem, int] | None = None
        """What was shown, and the input that asked for it."""

    def is_second(self, problem: Problem) -> bool:
        """Whether the key before asked for this problem, too; else this is the first press."""
        inputs = self._stage.inputs
        is_second = self._shown == (problem, inputs - 1)
        self._shown = None if is_second else (problem, inputs)
        return is_second

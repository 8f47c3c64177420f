"""Checking the open file while it is edited, beside the keys."""

from __future__ import annotations

import asyncio

from evaltui.document.document import Change
from evaltui.document.node import Node
from evaltui.tui.editor.stage import Stage
from evaltui.tui.session.check_runs import CheckRuns
from evaltui.tui.session.session import Session

_SLICE = 20
"""Nodes inspected between two looks at the keyboard."""


class Checker:
    """Keeps the problems of a session up to date, and has all screens show them."""

    def __init__(self, session: Session, stage: Stage) -> None:
        self._session = session
        self._stage = stage
        self._runs = CheckRuns(session.problems, stage.show_problems, self._value_on_screen, lambda: stage.last_input)
        session.problems.wake = lambda: stage.run_once("check", self._check)

    def begin(self) -> None:
        """Check all that was not checked as it is."""
        self._stage.run("inspect", self._inspect)
        self._session.problems.begin()

    def note_change(self, change: Change, *, is_typing: bool) -> None:
        """Check again what changed: while somebody types, once there is a pause."""
        if is_typing:
            self._runs.typed()
        self._session.problems.changed(change)

    def hurry(self) -> None:
        """Check now: a field was left."""
        self._runs.hurry()

    def catch_up(self) -> None:
        """Check now, before anything else happens, what was edited: for those who act on what was found."""
        self._runs.catch_up()

    def _value_on_screen(self) -> Node | None:
        view = self._stage.front
        return view.panes.form.node if view is not None and view.is_mounted else None

    async def _check(self) -> None:
        try:
            await self._runs.run()
        except Exception as error:  # a fault of our own must not end the session
            self._stage.note_fault(error)
            name = type(error).__name__
            self._stage.say(f"The problems cannot be found out ({name}); you can go on editing and saving.")

    async def _inspect(self) -> None:
        """Collect the oddities of a file that is no eval set in slices, so that keys are never kept waiting."""
        from evaltui.validation.odd_json import find_oddities

        problems, document = self._session.problems, self._session.document
        had_some = bool(problems.inspected)
        problems.inspected.clear()
        # Of an eval set the rules say all that is odd, and more.
        for number, finding in enumerate(() if problems.is_of_rules else find_oddities(document)):
            if finding is not None:
                problems.inspected.append(finding)
            elif number % _SLICE == 0:
                await asyncio.sleep(0)
        problems.inspected.sort(key=lambda each: (each.line, each.column))
        if problems.inspected or had_some:
            problems.arrange()
            self._stage.show_problems()

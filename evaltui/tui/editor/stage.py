"""The screens of one open file, and the work that runs beside them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar, runtime_checkable

from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker

from evaltui.document.document import Change
from evaltui.document.node import Node
from evaltui.settings.user_settings import Settings
from evaltui.tui.base_app import BaseApp, OpenNext
from evaltui.tui.commands import command_of
from evaltui.tui.editor.pane_layout import Panes
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.session.drafts import DraftPlace
from evaltui.tui.session.problem import Problem
from evaltui.tui.textual_compat import is_ending

Answer = TypeVar("Answer")
Result = TypeVar("Result")
Work = Callable[[], Coroutine[Any, Any, None]]
"""Makes the coroutine of a task. A function, because an app that ends early would leave a coroutine unawaited."""


@runtime_checkable
class Hearer(Protocol):
    """A screen that shows messages about the file."""

    def hear(self, said: str | None) -> None:
        """Show a message; None only refreshes the marks of saving and reading."""


@runtime_checkable
class EditorView(Protocol):
    """A screen with panes: of the whole document, or in front of it of an inner value."""

    panes: Panes

    @property
    def is_mounted(self) -> bool:
        """Whether the panes are on screen."""

    def call_after_refresh(self, act: Callable[[], object], /) -> bool:
        """Call `act` after the current state was drawn."""

    def refresh_all(self, said: str = "") -> None:
        """Refresh everything; `said` is the message."""

    def apply_change(self, change: Change, /) -> None:
        """Show a change of the document."""

    def show_problems(self) -> None:
        """Problems may have changed."""

    def show_scores(self) -> None:
        """Scores may have changed."""

    def open_place(self, at: Node, missing: str, problem: Problem | None) -> None:
        """Open the nearest form at the line of a value in this view."""

    def open_case(self, case: Node, turn: Node | None, *, stay: bool) -> None:
        """Show a turn of a case with its lines of Why."""

    def select_changed(self, node: Node, at: DraftPlace | None, change: Change) -> None:
        """Select the row and the line of a value that a step changed."""


@runtime_checkable
class ScoreDisplay(Protocol):
    """A screen that shows scores and allows changes of the text behind it."""

    @property
    def is_mounted(self) -> bool:
        """Whether it is on screen."""

    def show_scores(self) -> None:
        """Scores may have changed."""


@runtime_checkable
class StatusHolder(Protocol):
    """A screen with a status line of its own, such as the review."""

    status: StatusBar


class Stage:
    """Services of the app for controllers: dialogs, messages on all screens, threads, and leaving."""

    def __init__(self, app: BaseApp) -> None:
        self._app = app

    # --- screens -------------------------------------------------------------------------------------------

    @property
    def views(self) -> list[EditorView]:
        """The screens with panes: of the whole document first, then views of inner values."""
        return [screen for screen in self._app.screen_stack if isinstance(screen, EditorView)]

    @property
    def outermost(self) -> EditorView:
        """The screen of the whole document."""
        return self.views[0]

    @property
    def front(self) -> EditorView | None:
        """The view in front; None if a dialog is in front."""
        screen = self._app.screen
        return screen if isinstance(screen, EditorView) else None

    @property
    def statuses(self) -> list[StatusBar]:
        """The status lines of the editor, and of the screen in front."""
        front = self._app.screen
        own = [front.status] if isinstance(front, StatusHolder) else []
        return [*(view.panes.status for view in self.views), *own]

    @property
    def is_free(self) -> bool:
        """Whether no dialog is in front."""
        return isinstance(self._app.screen, Hearer)

    @property
    def may_move(self) -> bool:
        """Whether the text may change now: no field is edited and no question is open."""
        front = self.front
        return front.panes.form.edited is None if front is not None else isinstance(self._app.screen, ScoreDisplay)

    def write_typed(self) -> None:
        """Write what is being typed into the document."""
        if self.front is not None:
            self.front.panes.form.write_typed()

    def ask(self, dialog: Screen[Answer], answered: Callable[[Answer | None], None] | None = None) -> None:
        """Show a dialog; `answered` gets its result."""
        self._app.push_screen(dialog, answered)

    def tell(self, said: str | None) -> None:
        """Show a message on all screens; None only refreshes the marks of the file."""
        for screen in self._app.screen_stack:
            if isinstance(screen, Hearer):
                screen.hear(said)

    def say(self, said: str) -> None:
        """Show a message on the front screen only."""
        if isinstance(self._app.screen, Hearer):
            self._app.screen.hear(said)

    def show_problems(self) -> None:
        """Show changed problems on all screens."""
        for view in self.views:
            if view.is_mounted:  # a view that is not mounted yet shows them when it is
                view.show_problems()

    def show_scores(self) -> None:
        """Show changed scores on all screens."""
        for screen in self._app.screen_stack:
            if isinstance(screen, ScoreDisplay) and screen.is_mounted:
                screen.show_scores()

    def show_scores_in_front(self) -> None:
        """Show changed scores on the front screen; the others follow after all scores are made."""
        screen = self._app.screen
        if isinstance(screen, ScoreDisplay) and screen.is_mounted:
            screen.show_scores()

    def lead_to(self, node: Node) -> EditorView:
        """Close the views that do not show a value; returns the view that is in front then."""
        views = self.views
        while len(views) > 1 and not views[-1].panes.holds(node):
            self._app.pop_screen()
            views = self.views
            views[-1].refresh_all()
        return views[-1]

    def close_views_of_gone(self, root: Node, said: str) -> None:
        """Show a text that replaced another, and close the views of deleted values."""
        views = self.views
        first_gone = next((n for n, view in enumerate(views) if not view.panes.outline.root.is_in(root)), len(views))
        for view in views[:first_gone]:
            view.refresh_all(said)
            view.panes.form.show_undone()
        gone = views[first_gone:]
        # A dialog in front stays open: its answer may be about the whole file.
        while self.front in gone:
            self._app.pop_screen()

    # --- work ----------------------------------------------------------------------------------------------

    def start(
        self,
        group: str,
        work: Callable[[], Result],
        done: Callable[[Result], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Run `work` in a thread; `done` or `failed` is called on the event loop."""

        async def run() -> None:
            try:
                result = await asyncio.to_thread(work)
            except Exception as error:
                failed(error)
            else:
                done(result)

        self._run(group, run)

    def run_once(self, group: str, work: Work) -> None:
        """Start a task on the event loop, unless one of its group is running."""
        if not any(worker.group == group and not worker.is_finished for worker in self._app.workers):
            self._run(group, work)

    def run(self, group: str, work: Work) -> Worker[None]:
        """Start a task on the event loop; cancels a running one of its group."""
        return self._run(group, work, exclusive=True)

    def _run(self, group: str, work: Work, *, exclusive: bool = False) -> Worker[None]:
        worker: Worker[None] = self._app.run_worker(work, group=group, exclusive=exclusive)
        if is_ending(self._app):  # its screens close, so the task would find none; it does not start
            worker.cancel()
        return worker

    async def wait_for(self, group: str) -> None:
        """Wait until no task of a group is running."""
        running = [worker.wait() for worker in self._app.workers if worker.group == group and not worker.is_finished]
        await asyncio.gather(*running, return_exceptions=True)

    def post(self, message: Message) -> None:
        """Send a message to the app; from any thread."""
        self._app.post_message(message)

    def hold_input_for(self, worker: Worker[None]) -> None:
        """Hold keys until a worker has ended; it must end by itself within seconds."""
        self._app.input_order.wait_for(worker)

    def note_opener(self, command_id: str) -> None:
        """Ignore letters meant for what a command opens until that is open; see `OpenerGuard`."""
        command = command_of(command_id)
        self._app.opener_guard.note(command, command.keys.split(",")[0])

    def hold_letters(self, why: str) -> None:
        """Ignore letters until a pause, because what they act on came or went by itself. `why` is a clause."""
        self._app.opener_guard.hold(why)

    def forget_opener(self) -> None:
        """Let the next keys act: the last key opened something outside of the app."""
        self._app.opener_guard.forget()

    def call_in_next_frame(self, screen: Screen[Any], act: Callable[[], object]) -> None:
        """Call `act` after the current state of a screen was drawn; keys wait for it."""
        self._app.input_order.call_in_next_frame(screen, act)

    # --- the app -------------------------------------------------------------------------------------------

    @property
    def inputs(self) -> int:
        """The number of key presses, clicks and pastes so far, without those that wait."""
        return self._app.input_order.inputs

    @property
    def has_waiting_input(self) -> bool:
        """Whether keys or clicks wait for the effect of earlier ones."""
        return bool(self._app.input_order.held)

    @property
    def last_input(self) -> float:
        """The time of the last key press or click, by `time.monotonic`."""
        return self._app.input_order.last_input

    @property
    def typed_at(self) -> float:
        """When the key or click that acts now was pressed, by `time.monotonic`."""
        return self._app.input_order.typed_at

    def once_drawn(self, act: Callable[[], None]) -> None:
        """Call `act` after the current state of the front screen was drawn."""
        self._app.screen.call_after_refresh(act)

    @property
    def settings(self) -> Settings:
        """The settings of the person."""
        return self._app.settings

    @property
    def came_from_list(self) -> bool:
        """Whether going back leads to the list of eval sets."""
        return self._app.came_from_list

    def keep_unsaved(self) -> None:
        """Write the journal now, because the app stops or another program gets the terminal."""
        self._app.keep_unsaved()

    def suspend(self) -> AbstractContextManager[None]:
        """Lend the terminal to another program. Raises `SuspendNotSupported`."""
        return self._app.suspend()

    def leave(self, following: OpenNext | None) -> None:
        """Close the file, and open what follows."""
        self._app.exit(following)

    def note_fault(self, error: Exception) -> None:
        """Report a bug of ours that must not end the session."""
        self._app.note_fault(error)

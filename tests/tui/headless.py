"""An app without a terminal: its threads wait until they are told to work, and its screen keeps what it is told."""

import asyncio
from collections.abc import Callable
from typing import Any

from textual.message import Message
from textual.screen import Screen

from evaltui.tui.base_app import BaseApp, OpenNext, Work
from evaltui.tui.screens.command_screen import CommandScreen

Dialog = tuple[Screen[Any], Callable[[Any], None]]


class ToldScreen(CommandScreen):
    """A screen that keeps what the open file tells it."""

    is_mounted = True
    may_move = True

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []
        self.ends: list[bool] = []
        self.when_scored: Callable[[], object] = lambda: None

    def show_message(self, said: str | None) -> None:
        self.messages += [said] if said is not None else []

    def show_scores(self) -> None:
        self.when_scored()

    def save_ended(self, *, is_saved: bool) -> None:
        self.ends.append(is_saved)


class HeadlessApp(BaseApp):
    """Keeps dialogs, messages, faults, and what follows it; runs no task but that of the file on disk."""

    def __init__(self) -> None:
        super().__init__()
        self.told = ToldScreen()
        self.dialog: Screen[Any] | None = None
        """What is in front of the screen, as long as a test says so."""
        self.waiting: list[Callable[[], None]] = []
        self.asked: list[Dialog] = []
        self.left: list[OpenNext | None] = []
        self.posted: list[Message] = []
        self.faults: list[Exception] = []

    @property
    def screen(self) -> Screen[Any]:
        return self.dialog or self.told

    @property
    def screen_stack(self) -> list[Screen[Any]]:
        return [self.told, *([self.dialog] if self.dialog is not None else [])]

    def start_thread(
        self, _: str, work: Callable[[], Any], done: Callable[..., None], failed: Any, *_expected: Any
    ) -> None:
        def run() -> None:
            try:
                result = work()
            except Exception as error:
                failed(error)
            else:
                done(result)

        self.waiting.append(run)

    def work(self) -> None:
        """The thread does what it was given first."""
        self.waiting.pop(0)()

    def work_all(self) -> None:
        """Threads do what they were given, until nothing is left to do."""
        while self.waiting:
            self.work()

    def run_once(self, group: str, work: Work) -> None:
        if group == "disk":
            self.waiting.append(lambda: asyncio.run(work()))

    def run_alone(self, *_: object) -> Any:
        pass

    def push_screen(self, screen: Any, callback: Any = None, **_: object) -> Any:
        self.asked.append((screen, callback))

    def exit(self, result: OpenNext | None = None, *_: object, **__: object) -> None:
        self.left.append(result)

    def post_message(self, message: Message) -> bool:
        self.posted.append(message)
        return True

    def note_fault(self, error: Exception) -> None:
        self.faults.append(error)

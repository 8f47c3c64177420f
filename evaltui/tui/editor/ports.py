"""The ports of the controllers: a view, a screen that hears of the file, a text to save, a change to show."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

from textual.screen import Screen

from evaltui.document.disk.file_replacement import Saved
from evaltui.document.document import Change
from evaltui.document.node import Node
from evaltui.tui.editor.panes import Panes
from evaltui.tui.session.drafts import DraftPlace
from evaltui.tui.session.problem import Problem


class ShownAs(NamedTuple):
    """How the panes show a change."""

    goto_new: bool = False
    """The cursor goes to what was added."""
    begin: bool = False
    """The first field of what was added is edited at once."""


OnChange = Callable[[Change, ShownAs], None]
"""A controller that is told of each change."""


@runtime_checkable
class Hearer(Protocol):
    """A screen that shows what becomes of the file."""

    def hear(self, said: str | None) -> None:
        """Say it; None only refreshes the marks of saving and reading."""


@runtime_checkable
class EditorView(Protocol):
    """A screen of panes: that of the whole document, or in front of it that of a value inside."""

    panes: Panes

    @property
    def is_mounted(self) -> bool:
        """Whether the panes are there."""

    def after_refresh(self, act: Callable[[], object]) -> None:
        """Do something once what there is now has been drawn."""

    def refresh_all(self, said: str = "") -> None:
        """Anything may have changed; `said` is why."""

    def show_problems(self) -> None:
        """Other problems may be known than before."""

    def show_scores(self) -> None:
        """Other scores may be known than before."""

    def open_place(self, at: Node, missing: str, problem: Problem | None) -> None:
        """Open the nearest form at the line of a value, which lies in this view."""

    def open_case(self, case: Node, turn: Node | None, *, stay: bool) -> None:
        """Show a turn of a case, and why it has its scores."""

    def select_changed(self, node: Node, at: DraftPlace | None, change: Change) -> None:
        """Select the row and the line of a value that a step changed."""


class SaveJob(NamedTuple):
    """One writing of a file, prepared on the event loop and done in a thread."""

    write: Callable[[], Saved]
    """Runs in the thread; raises `SaveError`."""
    done: Callable[[Saved], str]
    """The file is written: takes note of it, and gives the sentence that says so, "" for none."""
    covers_all: Callable[[], bool]
    """Whether nothing is unsaved after this save, should it succeed."""
    is_elsewhere: bool = False
    """Whether the document belongs to another file afterwards."""
    is_copy: bool = False
    """Whether the document stays what it was."""


class SavableText(Protocol):
    """The text that a `Saver` writes: the document that is edited, or broken text that is repaired."""

    @property
    def is_changed(self) -> bool:
        """Whether the text differs from what was saved last."""

    def nothing_to_save(self) -> str:
        """Why nothing needs to be saved, a sentence; "" where something does."""

    def removes_theirs(self) -> bool:
        """Whether a save takes changes of others out of the file."""

    def job(self) -> SaveJob:
        """The save of the present text."""

    def would_lose(self) -> bool:
        """Whether leaving now loses something."""

    def loss(self) -> str:
        """A clause for the question about what leaving loses; "" for what the session says itself."""

    def nothing_unsaved(self) -> str:
        """The sentence of a text without unsaved changes; "" where there are some."""

    def unsaved_screen(self) -> Screen[None]:
        """The screen that shows the unsaved changes."""

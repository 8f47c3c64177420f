"""Requests of panes to their screen; no pane changes the document itself."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Protocol

from textual.message import Message

from evaltui.document.document import Change
from evaltui.evalset.editing.revision import Revision
from evaltui.tui.forms.form import Choice, Field
from evaltui.tui.open_file.drafts import DraftPlace


class Revise(Message):
    """Apply a revision. With `goto_new`, the cursor goes to the added value; `begin` also starts editing it.

    `instead_of` is the place of a draft that the revision replaces. `relabel` gives the label after the revision, for
    labels with a name that the revision changes. `said` is the message afterwards; by default, the label.
    """

    def __init__(
        self,
        revision: Revision,
        merge_key: Hashable = None,
        *,
        instead_of: DraftPlace | None = None,
        relabel: Callable[[], str] | None = None,
        goto_new: bool = False,
        begin: bool = False,
        said: str = "",
    ) -> None:
        super().__init__()
        self.said = said
        self.instead_of = instead_of
        self.relabel = relabel
        self.revision = revision
        self.merge_key = merge_key
        self.goto_new = goto_new
        self.begin = begin


class PaneHost(Protocol):
    """Requests that a screen handles at once, because the next key of a burst needs their result.

    All other requests of panes are the messages below, which are queued.
    """

    def revise(self, request: Revise, /) -> str:
        """Apply a revision. Returns the error, which the screen has shown; "" on success."""

    def apply_change(self, change: Change, /) -> None:
        """Show a change that was not made by `revise`."""

    def edit_outside(self) -> None:
        """Open $EDITOR on the selected value."""

    def forget_said(self) -> None:
        """Clear the message about the last step: the user moved the cursor."""

    def show_problems(self) -> None:
        """Show the problems again; titles of other panes count them too."""

    def read_words(self) -> None:
        """Read the words for suggestions, between keys."""


class Say(Message):
    """Show a message in the status line."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class Ask(Message):
    """Ask the user for a name; `then` makes the revision, and raises `EditError` for an invalid name."""

    def __init__(
        self,
        question: str,
        text: str,
        then: Callable[[str], Revision],
        *,
        goto_new: bool = False,
        suggestions: Sequence[str] = (),
        is_path: bool = False,
        if_none: str = "",
    ) -> None:
        """`if_none` is the message if the user cancels."""
        super().__init__()
        self.if_none = if_none
        self.question = question
        self.text = text
        self.then = then
        self.goto_new = goto_new
        self.suggestions = suggestions
        self.is_path = is_path


class Choose(Message):
    """Let the user choose; a `field` gets the chosen or typed text."""

    def __init__(self, question: str, choices: tuple[Choice, ...], field: Field | None = None) -> None:
        super().__init__()
        self.question = question
        self.choices = choices
        self.field = field


class Decide(Message):
    """Ask whether an outdated draft or the newer value, whose text is `now`, stays. `go_on` continues the draft."""

    def __init__(self, at: DraftPlace, now: str, go_on: Callable[[], None]) -> None:
        super().__init__()
        self.at = at
        self.now = now
        self.go_on = go_on

"""Requests of panes to their screen; no pane changes the document itself."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Protocol

from textual.message import Message

from evaltui.document.document import Change
from evaltui.document.node import Node
from evaltui.evalset.editing.revision import Revision
from evaltui.tui.forms.form import Choice, Field
from evaltui.tui.session.drafts import DraftPlace
from evaltui.tui.session.problem import Problem


class Revise(Message):
    """Do a revision. With `goto_new`, the cursor goes to what it added; to `begin` is to type there at once.

    `instead_of` is the place of the draft that becomes the value. `relabel` gives the label anew once it is done, for
    a label with a name in it that the revision changes.
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
    ) -> None:
        super().__init__()
        self.instead_of = instead_of
        self.relabel = relabel
        self.revision = revision
        self.merge_key = merge_key
        self.goto_new = goto_new
        self.begin = begin


class PaneHost(Protocol):
    """Requests that a screen does at once: each key of a burst acts on what the last one left.

    All else that panes ask for are the messages below, which wait for their turn.
    """

    def revise(self, request: Revise, /) -> str:
        """Do a revision. Returns why it could not be done, which the screen has said; "" if it was done."""

    def apply_change(self, change: Change, /) -> None:
        """Show a change that was made otherwise than by a revision."""

    def action_edit_outside(self) -> None:
        """Open $EDITOR on the selected value."""

    def forget_said(self) -> None:
        """The person moved the cursor: what was said of the last step has had its time."""

    def show_problems(self) -> None:
        """Other problems are shown: titles of other panes count them, too."""

    def read_words(self) -> None:
        """Read what is needed for suggestions, between the keys."""


class Say(Message):
    """Show a sentence in the status line."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class Browsed(Message):
    """Another line is selected: what was said of the last step has had its time, there may be a hint to this line."""


class Selected(Message):
    """Another row of the tree is selected."""

    def __init__(self, node: Node) -> None:
        super().__init__()
        self.node = node


class Visit(Message):
    """Go to a node: into its form, or where the tree has no row for it, into a view of its own."""

    def __init__(self, node: Node, *, begin: bool = False, at: Node | None = None) -> None:
        """To `begin` is to type in the first field of a view of its own; `at` is a value whose line to select."""
        super().__init__()
        self.node = node
        self.at = at
        self.begin = begin


class GoTo(Message):
    """Go to the very line that a problem is about."""

    def __init__(self, problem: Problem) -> None:
        super().__init__()
        self.problem = problem


class GoToCase(Message):
    """Go to a case: to the first of its turns that fails, and why."""

    def __init__(self, case: Node) -> None:
        super().__init__()
        self.case = case


class Read(Message):
    """Show a text in full."""

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self.title = title
        self.text = text


class Ask(Message):
    """Ask the person for a name; `then` makes a revision of it, and raises `EditError` for one that will not do."""

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
        """`if_none` is said where the person gives no answer."""
        super().__init__()
        self.if_none = if_none
        self.question = question
        self.text = text
        self.then = then
        self.goto_new = goto_new
        self.suggestions = suggestions
        self.is_path = is_path


class RowDropped(Message):
    """A row was dragged with the mouse to the place of another."""

    def __init__(self, node: Node, target: Node) -> None:
        super().__init__()
        self.node = node
        self.target = target


class PasteText(Message):
    """The terminal pasted a text into a pane."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class Choose(Message):
    """Let the person choose; a `field` takes the text of the choice or any other that is typed."""

    def __init__(self, question: str, choices: tuple[Choice, ...], field: Field | None = None) -> None:
        super().__init__()
        self.question = question
        self.choices = choices
        self.field = field


def adopt_actions(owner: object, *controllers: object) -> None:
    """Make the `action_…` methods of controllers actions of a screen or pane, where Textual looks for them.

    `commands.COMMANDS` names an action (`screen.save`); the one controller with `action_save` does it. Raises
    `ValueError` if two have it, or the owner and a controller.
    """
    for controller in controllers:
        for name in (name for name in dir(controller) if name.startswith("action_")):
            if hasattr(owner, name):
                raise ValueError(
                    f"{name} of {type(controller).__name__} is an action of the {type(owner).__name__} already"
                )
            setattr(owner, name, getattr(controller, name))

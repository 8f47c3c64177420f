"""The form pane as its parts see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from textual.message import Message
from textual.widget import Widget

from evaltui.document.node import Node
from evaltui.tui.forms.form import Form, Stop
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.session.session import Session

if TYPE_CHECKING:
    from evaltui.tui.widgets.text_field import TextField


class FormView(Protocol):
    """A form on screen: its lines, and the text box over them."""

    session: Session
    node: Node

    @property
    def form(self) -> Form:
        """The form of the node."""

    @property
    def lines(self) -> FormLines:
        """The form at rest."""

    @property
    def box(self) -> TextField:
        """The text box, hidden unless a field is edited."""

    @property
    def stop(self) -> Stop | None:
        """The line under the cursor, where it can be selected."""

    def post_message(self, message: Message, /) -> bool:
        """Ask something of the screen."""

    def refresh_form(self) -> None:
        """Make the form again and lay it out."""

    def lay_out(self) -> None:
        """Lay the form out again."""

    def focus_on(self, part: Widget) -> None:
        """Give the keys to the lines or to the box."""

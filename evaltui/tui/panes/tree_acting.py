"""What the keys of the tree do to the selected row, as far as its outline says that it can be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.document import EditError, Node
from evaltui.printable import printable
from evaltui.tui.commands import Command
from evaltui.tui.forms.form import Stop
from evaltui.tui.outlines import Outline
from evaltui.tui.outlines.outline import Naming
from evaltui.tui.panes.requests import Ask, Revise, Say, ask_now
from evaltui.tui.panes.type_cycle import TypeCycle
from evaltui.tui.session import Session
from evaltui.tui.widgets.line_view import LineView


class TreeActing(LineView):
    """The part of the tree pane that changes the document; needs `outline`, `selected` and `types`."""

    session: Session
    outline: Outline
    types: TypeCycle

    if TYPE_CHECKING:

        @property
        def selected(self) -> Node:
            """The node of the row under the cursor."""

    @property
    def stop(self) -> Stop | None:
        """What can be done to the selected row beside adding and deleting."""
        return self.outline.row(self.selected)

    def offer(self, command: Command) -> str:
        """The title of a command of the tree; "" for one that is of no use in this row."""
        stop = self.stop if command.id in ("tree.rename", "tree.type") else None
        match command.id:
            case "tree.enter":
                return "open" if self.session.readonly else command.title
            case "tree.add_inside":
                return command.title if self.outline.takes_inside(self.selected) else ""
            case "tree.rename":
                return command.title if stop is not None and stop.rename else ""
            case "tree.type":
                return command.title if stop is not None and stop.retype else ""
        return command.title

    def action_add(self, inside: bool, before: bool = False, *, if_none: str = "") -> None:
        """Add a row behind, inside or before the selected one, and begin to type in it.

        `if_none` is said where a name is asked for and none is given.
        """
        try:
            addition = self.outline.addition(self.selected, inside)
        except EditError as error:
            self.post_message(Say(str(error)))
            return
        if addition is None:
            self.post_message(Say("Nothing can be added inside this row."))
        elif isinstance(addition, Naming):
            self.post_message(Ask(addition.question, "", addition.write, goto_new=True, if_none=if_none))
        else:
            if before:
                from evaltui.evalset.editing.row_edits import put_before

                addition = put_before(addition, self.selected)
            ask_now(self, Revise(addition, goto_new=True, begin=True))

    def action_rename(self) -> None:
        """Ask for another name of the selected member."""
        stop = self.stop
        if stop is None or stop.rename is None or stop.node is None:
            self.post_message(Say("This row has no name of its own to change; enter opens it."))
        else:
            self.post_message(Ask(f"New name for {printable(stop.node.name)}", stop.node.name, stop.rename))

    def action_retype(self) -> None:
        """Give the selected value the next JSON type."""
        stop = self.stop
        revision = self.types.step(stop) if stop is not None else None
        if stop is None or revision is None:
            self.post_message(Say("This row has no type to change."))
            return
        ask_now(self, Revise(revision, merge_key=("type", stop.node)))
        self.types.stepped(stop.node)

"""Commands on a line of the form: edit, add, delete, rename, retype, move."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from evaltui.document.errors import DocumentError
from evaltui.evalset.editing.revision import Revision
from evaltui.printable import printable
from evaltui.tui.commands import key_of
from evaltui.tui.forms.form import Field, HalfTyped, Link, Offer, WhyLine
from evaltui.tui.forms.value_types import TypeCycle
from evaltui.tui.open_file.drafts import AS_JSON, DraftPlace
from evaltui.tui.panes.field_editor import FieldEditor
from evaltui.tui.panes.form_lines import FormView
from evaltui.tui.panes.form_offers import FormOffers, refusal_of_enter, toggled
from evaltui.tui.panes.requests import Ask, Choose, PaneHost, Revise, Say, Visit


class FormActions:
    """The commands of the form pane. Each acts on the selected line, or shows why it cannot."""

    def __init__(self, view: FormView, editor: FieldEditor, offers: FormOffers, host: PaneHost) -> None:
        self._view, self._editor, self._offers, self._host = view, editor, offers, host
        self._types = TypeCycle()

    def enter(self) -> None:
        """Edit the selected field, or follow the selected line."""
        stop = self._view.stop
        if isinstance(stop, Field):
            self.add() if self._editor.adds_by_enter(stop) else self._editor.start(stop)
        elif isinstance(stop, Link):
            self._view.post_message(Visit(stop.target, edit=True))
        elif isinstance(stop, Offer):
            self._choose_among(stop)
        elif isinstance(stop, HalfTyped) and stop.key == AS_JSON:
            self._host.edit_outside()
        elif isinstance(stop, WhyLine) and stop.target is not None:
            self._view.post_message(Visit(stop.target, at=stop.at))
        else:
            self._view.post_message(Say(refusal_of_enter(stop)))

    def more(self) -> None:
        """Choose what else to add to this form."""
        offer = self._offers.offer_of_form()
        if offer is None:
            self._view.post_message(Say("This form has nothing more to add."))
        else:
            self._choose_among(offer)

    def _choose_among(self, offer: Offer) -> None:
        choices = self._offers.choices(offer)
        question = offer.question or f"{self._offers.title_of_more(choices).capitalize()} to {offer.to}"
        self._view.post_message(Choose(question, choices) if choices else Say(self._view.session.refusal))

    def add(self) -> None:
        """Add an item to the list of the form; ask for a name if it needs one."""
        form = self._view.form
        add = form.add
        if add is None and form.adds:
            self.more()
        elif add is None:
            self._view.post_message(Say("There is nothing to add here."))
        elif form.asks_name:
            self.ask_name()
        else:
            try:
                self._host.revise(Revise(add(""), goto_new=True, begin=True))
            except DocumentError as error:
                self._view.post_message(Say(str(error)))

    def ask_name(self, if_none: str = "") -> None:
        """Ask for the name of a new item of the form; `if_none` is the message if the person gives none."""
        form = self._view.form
        if form.add is None:
            return
        names = self._offers.argument_names() if form.adds == "argument" else ()
        question = ", or ".join(filter(None, [f"Name of the new {form.adds}", form.also_takes]))
        self._view.post_message(Ask(question, "", form.add, goto_new=True, suggestions=names, if_none=if_none))

    def delete(self) -> None:
        """Delete the selected item or value."""
        stop = self._view.stop
        refusal = "This line cannot be deleted." if stop is not None else "Nothing to delete here."
        self._revise(stop.delete if stop is not None else None, refusal)

    def delete_response(self) -> None:
        """Delete the response of the selected tool call."""
        stop = self._view.stop
        self._revise(stop.delete_response if stop is not None else None, "This line has no response to delete.")

    def _revise(self, make: Callable[[], Revision] | None, refusal: str, *, goto_new: bool = False) -> None:
        """Apply a revision; show `refusal` if the line has none, or the error if it fails."""
        if make is None:
            self._view.post_message(Say(refusal))
            return
        try:
            self._host.revise(Revise(make(), goto_new=goto_new))
        except DocumentError as error:
            self._view.post_message(Say(str(error)))

    def rename(self) -> None:
        """Ask for another name of the selected argument or key."""
        stop = self._view.stop
        if stop is None or stop.rename is None or stop.node is None:
            self._view.post_message(Say("Only arguments and keys can be renamed."))
        else:
            self._view.post_message(Ask(f"New name for {printable(stop.node.name)}", stop.node.name, stop.rename))

    def retype(self) -> None:
        """Give the selected value the next JSON type; a full round restores the original value."""
        stop = self._view.stop
        revision = self._types.step(stop) if stop is not None else None
        if stop is None or revision is None:
            self._view.post_message(Say("This line has no type to change."))
            return
        at = DraftPlace(self._view.node, stop.key)
        self._host.revise(Revise(revision, merge_key=("type", *at), instead_of=at))
        self._view.lines.go_to(stop.key)
        self._types.stepped(self._view.stop.node if self._view.stop is not None else None)

    def fresh(self) -> None:
        """Give the selected id a new value that is not in use."""
        stop = self._view.stop
        fixes = f" · {key_of('fix')}: fix the problem" if self._view.problem is not None else ""
        self._revise(
            stop.fresh if stop is not None else None,
            f"This line has no id to replace{fixes}",
        )

    def toggle_value(self) -> None:
        """Switch the selected boolean."""
        stop = self._view.stop
        text = toggled(stop) if stop is not None else ""
        writes = partial(stop.write, text) if isinstance(stop, Field) and text else None
        self._revise(writes, "Only a boolean can be toggled.")

    def move_value(self, step: int) -> None:
        """Move the row of the selected line up or down in its list."""
        move = self._view.stop.move if self._view.stop is not None else None
        moves = partial(move, step) if move is not None else None
        self._revise(moves, "This line cannot be moved.", goto_new=True)

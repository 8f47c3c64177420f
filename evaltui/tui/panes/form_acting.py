"""What the keys of the form do to the line under its cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Container

from evaltui.document import DocumentError, EditError, Node
from evaltui.evalset.editing.part_edits import ROLES
from evaltui.evalset.keys import text_of
from evaltui.printable import printable
from evaltui.tui.commands import Command, key_of
from evaltui.tui.drafts import AS_JSON, DraftPlace
from evaltui.tui.forms.copying import value_of
from evaltui.tui.forms.form import Choice, Field, Form, HalfTyped, Link, Offer, Stop, Told
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.panes.requests import Ask, Choose, Revise, Say, Visit, ask_now, edit_outside_now, read_words_now
from evaltui.tui.panes.type_cycle import TypeCycle
from evaltui.tui.problem import Problem
from evaltui.tui.session import READ_ONLY, Session
from evaltui.tui.widgets.text_field import TextField


class FormActing(Container):
    """The part of the form pane that acts; needs `session`, `node`, `form`, `lines`, `types` and `start_editing`."""

    session: Session
    node: Node
    form: Form
    edited: Field | None
    types: TypeCycle

    if TYPE_CHECKING:
        lines: FormLines
        box: TextField

        @property
        def problem(self) -> Problem | None:
            """The problem of the selected line."""

        def start_editing(self, field: Field, *, is_new: bool = False) -> None:
            """Put the box over a field."""

        def ends_list(self, field: Field) -> bool:
            """Whether a field is the last of a list of values."""

        def refresh_form(self) -> None:
            """Make the form anew."""

    @property
    def stop(self) -> Stop | None:
        """The line under the cursor, where it can be selected."""
        placed = self.lines.selected
        return placed.item if placed is not None and isinstance(placed.item, Stop) else None

    @property
    def selected_field(self) -> Field | None:
        """The field under the cursor."""
        placed = self.lines.selected
        return placed.item if placed is not None and isinstance(placed.item, Field) else None

    @property
    def selected_node(self) -> Node:
        """The node that the selected line is about; that of the form where it has none of its own."""
        placed = self.lines.selected
        item = placed.item if placed is not None else None
        if isinstance(item, Link):
            return item.target
        return item.node if isinstance(item, Field) and item.node is not None else self.node

    @property
    def selected_value(self) -> Node | None:
        """The value that the selected line shows or is about; None where there is none."""
        return value_of(self.stop)

    def offer(self, command: Command) -> str:
        """What a command would do to the selected line or the edited field, in a word or two; "" for nothing."""
        stop = self.stop
        match command.id:
            case "form.enter":
                return self._offer_of_enter(stop)
            case "form.add":
                return f"add {self.form.adds}" if self.form.adds else ""
            case "form.more":
                offer = self._offer_of_form()
                return command.title if offer is not None and self._choices(offer) else ""
            case "form.toggle":
                return command.title if stop is not None and _toggled(stop) else ""
            case "form.delete" | "form.delete_response" | "form.rename" | "form.fresh" | "form.type":
                name = command.id.removeprefix("form.").replace("type", "retype")
                return command.title if stop is not None and getattr(stop, name) else ""
        return self._offer_while_typing(command) if command.place == "field" else command.title

    def _offer_of_enter(self, stop: Stop | None) -> str:
        match stop:
            case Told():
                return "go to" if stop.target is not None else ""
            case HalfTyped():
                return "go on" if stop.key == AS_JSON else ""
            case Link():
                return "open"
            case Field() | Offer() if not self.session.readonly:
                return "choose" if isinstance(stop, Offer) or stop.choices else "edit"
        return ""

    def _offer_while_typing(self, command: Command) -> str:
        """What a key does in the edited field, exactly."""
        field = self.edited
        if field is None:
            return command.title
        match command.id:
            case "field.enter":
                return "new line" if field.block else "done" if self.ends_list(field) else self._what_follows()
            case "field.next":  # where enter goes on, it does the same
                return self._what_follows() if field.block or self.ends_list(field) else ""
            case "field.clear":
                return f"{command.title} line" if field.block else command.title
            case "field.toggle":
                return command.title if field.kind == "boolean" and self.box.is_boolean else ""
            case "field.newline":
                return command.title if not (field.block or field.one_line) else ""
        return command.title

    def _what_follows(self) -> str:
        """Where going on from the edited field leads."""
        following = self.lines.following(1)
        stop = following.item if following is not None else None
        if stop is None:
            return "done"
        return "next field" if isinstance(stop, Field) and stop.begins_by_tab else "next line"

    def action_enter(self) -> None:
        """Edit the selected field, or go where the selected line leads."""
        stop = self.stop
        if isinstance(stop, Field):
            if stop.choices and not self.session.readonly:
                self.post_message(Choose(f"{stop.label}:", stop.choices, stop))
            else:
                self.start_editing(stop)
        elif isinstance(stop, Link):
            self.post_message(Visit(stop.target))
        elif isinstance(stop, Offer):
            self._choose_among(stop)
        elif isinstance(stop, HalfTyped) and stop.key == AS_JSON:
            edit_outside_now(self)
        elif isinstance(stop, HalfTyped):
            drop, copy = key_of("list.drop_draft"), key_of("form.copy")
            self.post_message(Say(f"The form has no field for this draft any more. {copy} copies it, {drop} drops it."))
        elif isinstance(stop, Told) and stop.target is not None:
            self.post_message(Visit(stop.target, at=stop.at))
        elif isinstance(stop, Told):
            copies = f"; {key_of('form.copy')} copies the value" if stop.value is not None else ""
            self.post_message(Say(stop.nowhere or f"This line is read, not edited{copies}."))
        else:
            self.post_message(Say("Nothing to edit here."))

    def _offer_of_form(self) -> Offer | None:
        return next((item for item in reversed(self.form.items) if isinstance(item, Offer)), None)

    def action_more(self) -> None:
        """Choose among the things that this form has not got yet."""
        offer = self._offer_of_form()
        if offer is None:
            self.post_message(Say("This form has nothing more to add."))
        else:
            self._choose_among(offer)

    def _choices(self, offer: Offer) -> tuple[Choice, ...]:
        """What can be chosen, for the content under the cursor first; read-only, what leaves the file alone."""
        section = _section_of(self.stop)
        choices = sorted(offer.choices, key=lambda choice: bool(section) and choice.section != section)
        return tuple(choice for choice in choices if choice.export or choice.target or not self.session.readonly)

    def _choose_among(self, offer: Offer) -> None:
        choices = self._choices(offer)
        self.post_message(Choose(offer.question, choices) if choices else Say(READ_ONLY))

    def action_add(self) -> None:
        """Add what the form lists; ask for a name where it needs one."""
        add = self.form.add
        if add is None:
            self.post_message(Say("There is nothing to add here."))
        elif self.form.asks_name:
            names = self._unused_argument_names() if self.form.adds == "argument" else ()
            self.post_message(Ask(f"Name of the new {self.form.adds}", "", add, goto_new=True, suggestions=names))
        else:
            try:
                ask_now(self, Revise(add(""), goto_new=True, begin=True))
            except DocumentError as error:
                self.post_message(Say(str(error)))

    def action_delete(self) -> None:
        """Delete the selected argument, part, call or member."""
        stop = self.stop
        if stop is None:
            self.post_message(Say("Nothing to delete here."))
        elif stop.delete is None:
            self.post_message(Say("This line cannot be deleted."))
        else:
            ask_now(self, Revise(stop.delete()))

    def action_delete_response(self) -> None:
        """Delete the response of the selected tool call."""
        stop = self.stop
        if stop is None or stop.delete_response is None:
            self.post_message(Say("This line has no response to delete."))
        else:
            ask_now(self, Revise(stop.delete_response()))

    def _unused_argument_names(self) -> list[str]:
        """The names of arguments that other calls of this tool have."""
        read_words_now(self)
        args = self.node.member("args")
        present = {item.name for item in args.items} if args is not None else set()
        words = self.session.texts.vocabulary.words(f"argument of {text_of(self.node, 'name')}")
        return [word for word in words if word not in present]

    def action_rename(self) -> None:
        """Ask for another name of the selected argument or member."""
        stop = self.stop
        if stop is None or stop.rename is None or stop.node is None:
            self.post_message(Say("Only arguments and members have names to change."))
        else:
            self.post_message(Ask(f"New name for {printable(stop.node.name)}", stop.node.name, stop.rename))

    def action_retype(self) -> None:
        """Give the selected value the next JSON type; going round comes back to the value it was."""
        stop = self.stop
        revision = self.types.step(stop) if stop is not None else None
        if stop is None or revision is None:
            self.post_message(Say("This line has no type to change."))
            return
        at = DraftPlace(self.node, stop.key)
        ask_now(self, Revise(revision, merge_key=("type", *at), instead_of=at))
        self.lines.go_to(stop.key)
        self.types.stepped(self.stop.node if self.stop is not None else None)

    def action_fresh(self) -> None:
        """Give the selected id another that is not taken."""
        stop = self.stop
        if stop is None or stop.fresh is None:
            fixes = f" · {key_of('fix')} fixes the problem" if self.problem is not None else ""
            self.post_message(Say(f"This line holds no id to make anew{fixes}"))
        else:
            ask_now(self, Revise(stop.fresh()))

    def action_toggle_value(self) -> None:
        """Make the selected boolean true or false."""
        stop = self.stop
        text = _toggled(stop) if stop is not None else ""
        if not isinstance(stop, Field) or not text:
            self.post_message(Say("Only a boolean is toggled."))
        else:
            ask_now(self, Revise(stop.write(text)))

    def action_move_value(self, step: int) -> None:
        """Move the row of the selected line up or down in its list."""
        stop = self.stop
        if stop is None or stop.move is None:
            self.post_message(Say("This line has no order to change."))
            return
        try:
            ask_now(self, Revise(stop.move(step), goto_new=True))
        except EditError as error:
            self.post_message(Say(str(error)))


def _toggled(stop: Stop) -> str:
    """The other value of a boolean; "" for anything else."""
    if not isinstance(stop, Field) or stop.kind != "boolean":
        return ""
    return {"true": "false", "false": "true"}.get(stop.text, "")


def _section_of(stop: Stop | None) -> str:
    """The content whose line is selected; "" on any other line."""
    key = stop.key if stop is not None else None
    return key[0] if isinstance(key, tuple) and key and key[0] in ROLES else ""

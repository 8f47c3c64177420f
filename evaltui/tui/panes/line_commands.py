"""Commands on a line of the form, each with its title in the keys line: edit, add, delete, rename, retype, move."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.evalset.editing.field_edits import ROLES
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.keys import text_of
from evaltui.tui.command import Command
from evaltui.tui.commands import key_of
from evaltui.tui.forms.form import Choice, Field, HalfTyped, Link, Offer, Stop, WhyLine, value_of
from evaltui.tui.forms.value_text import TypeCycle
from evaltui.tui.open_file.drafts import AS_JSON, DraftPlace

if TYPE_CHECKING:
    from evaltui.tui.panes.form_pane import FormPane


class LineCommands:
    """The commands of the form pane. Each acts on the selected line, or shows why it cannot."""

    def __init__(self, pane: FormPane) -> None:
        self._pane, self._editor, self._host = pane, pane.editor, pane.host
        self._types = TypeCycle()

    def title(self, command: Command) -> str:
        """The effect of a command in a word or two; "" for none."""
        stop, form = self._pane.stop, self._pane.form
        if command.id == "form.enter":
            return self._effect_of_enter(stop)[0]
        if command.id == "form.add":
            is_useful = form.adds and not isinstance(stop, WhyLine) and not self.adds_by_enter(stop)
            return f"add {form.adds}" if is_useful else ""
        if command.id == "form.more":
            return self._addable()[0] if not isinstance(stop, WhyLine) else ""
        changes = {
            "form.toggle": toggled(stop),
            "form.delete": stop and stop.delete,
            "form.delete_response": stop and stop.delete_response,
            "form.rename": stop and stop.rename,
            "form.fresh": stop and stop.fresh,
            "form.type": stop and stop.retype,
        }
        return command.title if changes.get(command.id, True) else ""

    # --- enter and add -------------------------------------------------------------------------------------

    def enter(self) -> None:
        """Edit the selected field, or follow the selected line."""
        self._effect_of_enter(self._pane.stop)[1]()

    def _effect_of_enter(self, stop: Stop | None) -> tuple[str, Callable[[], object]]:
        """The title of enter on a line, "" if it only shows a message; and what it does."""
        pane, say = self._pane, self._host.say
        drop, copy = key_of("list.drop_draft"), key_of("form.copy")
        match stop:
            case Field() if self.adds_by_enter(stop):
                return f"add {pane.form.adds}", self.add
            case Field():
                title = "choose" if stop.choices else "edit"
                return "" if pane.file.readonly else title, lambda: self._editor.start(stop)
            case Link():
                return "open", lambda: pane.post_message(pane.ValueOpened(stop.node, edit=True))
            case Offer():
                return "" if pane.file.readonly else "choose", self.more
            case HalfTyped() if stop.key == AS_JSON:
                return "go on", self._host.edit_outside
            case HalfTyped():
                return "", lambda: say(f"No field left for this draft. Press {copy} to copy it, or {drop} to drop it.")
            case WhyLine(target=Node() as target):
                return "go to", lambda: pane.post_message(pane.ValueOpened(target, select=stop.value))
            case WhyLine():
                copies = f"; press {copy} to copy the value" if value_of(stop) is not None else ""
                return "", lambda: say(stop.nowhere or f"This line is read-only{copies}.")
        return "", lambda: say("Nothing to edit here.")

    def adds_by_enter(self, stop: Stop | None) -> bool:
        """Whether enter on a line asks for the name of a new item, as the key that adds does."""
        file, pane = self._pane.file, self._pane
        is_for_items = isinstance(stop, Field) and stop.enter_adds and not file.readonly
        return is_for_items and stop is not None and (pane.node, stop.key) not in file.drafts.kept

    def more(self) -> None:
        """Choose what else to add to this form."""
        title, choices, offer = self._addable()
        if offer is None:
            self._host.say("This form has nothing more to add.")
        elif choices:
            self._host.reviser.choose(offer.question or f"{title.capitalize()} to {offer.named}", choices)
        else:
            self._host.say(self._pane.file.refusal)

    def _addable(self) -> tuple[str, tuple[Choice, ...], Offer | None]:
        """The last offer of the form with its choices, those for the content at the cursor first, and their title.

        The title is `add part` if choices for a content come first, else `add field`; "" without choices.
        """
        offer = next((item for item in reversed(self._pane.form.items) if isinstance(item, Offer)), None)
        stop, choices = self._pane.stop, tuple(offer.choices) if offer is not None else ()
        key = stop.key if stop is not None else None
        section = key[0] if isinstance(key, tuple) and key and key[0] in ROLES else ""
        if section:
            choices = tuple(sorted(choices, key=lambda choice: choice.section != section))
        title = "add part" if section and choices and choices[0].section else "add field" if choices else ""
        return title, choices, offer

    def add(self) -> None:
        """Add an item to the list of the form; ask for a name if it needs one."""
        form = self._pane.form
        if form.add is None and form.adds:
            self.more()
        elif form.add is None:
            self._host.say("There is nothing to add here.")
        elif form.asks_name:
            self.ask_name()
        else:
            self._host.reviser.try_to(partial(form.add, ""), goto_new=True, begin=True)

    def ask_name(self, if_none: str = "") -> None:
        """Ask for the name of a new item of the form; `if_none` is the message if the person gives none."""
        form = self._pane.form
        if form.add is None:
            return
        names: list[str] = []
        if form.adds == "argument":  # those that other calls of this tool have and this call does not have
            self._host.read_words()
            node = self._pane.node
            args = node.member("args")
            present = {item.name for item in args.items} if args is not None else set()
            words = self._pane.file.words.vocabulary.words(f"argument of {text_of(node, 'name')}")
            names = [word for word in words if word not in present]
        question = ", or ".join(filter(None, [f"Name of the new {form.adds}", form.also_takes]))
        self._host.reviser.ask_name(question, "", form.add, goto_new=True, suggestions=names, if_none=if_none)

    # --- the selected value --------------------------------------------------------------------------------

    @property
    def _line(self) -> Stop:
        return self._pane.stop or Stop(None)  # without a selected line, there is no edit

    def delete(self) -> None:
        """Delete the selected item or value."""
        refusal = "This line cannot be deleted." if self._pane.stop is not None else "Nothing to delete here."
        self._revise(self._line.delete, refusal)

    def delete_response(self) -> None:
        """Delete the response of the selected tool call."""
        self._revise(self._line.delete_response, "This line has no response to delete.")

    def rename(self) -> None:
        """Ask for another name of the selected argument or key."""
        self._host.reviser.rename(self._pane.stop, "Only arguments and keys can be renamed.")

    def retype(self) -> None:
        """Give the selected value the next JSON type; a full round restores the original value."""
        stop = self._pane.stop
        revision = self._types.step(stop) if stop is not None else None
        if stop is None or revision is None:
            self._host.say("This line has no type to change.")
            return
        place = DraftPlace(self._pane.node, stop.key)
        self._host.reviser.apply(revision, merge_key=("type", *place), instead_of=place)
        self._pane.lines.go_to(stop.key)
        stop = self._pane.stop
        self._types.stepped(stop.node if stop is not None else None)

    def fresh(self) -> None:
        """Give the selected id a new value that is not in use."""
        fixes = f" · {key_of('fix')}: fix the problem" if self._pane.problem is not None else ""
        self._revise(self._line.fresh, f"This line has no id to replace{fixes}")

    def toggle_value(self) -> None:
        """Switch the selected boolean."""
        stop, text = self._line, toggled(self._line)
        write = partial(stop.write, text) if isinstance(stop, Field) and text else None
        self._revise(write, "Only a boolean can be toggled.")

    def move_value(self, step: int) -> None:
        """Move the row of the selected line up or down in its list."""
        move = self._line.move
        self._revise(partial(move, step) if move is not None else None, "This line cannot be moved.", goto_new=True)

    def _revise(self, make: Callable[[], Revision] | None, refusal: str, *, goto_new: bool = False) -> None:
        """Apply an edit of the selected line; show `refusal` if it has none, or the error if it fails."""
        if make is None:
            self._host.say(refusal)
        else:
            self._host.reviser.try_to(make, goto_new=goto_new)


def toggled(stop: Stop | None) -> str:
    """The other value of a boolean; "" for anything else."""
    if not isinstance(stop, Field) or stop.kind != "boolean":
        return ""
    return {"true": "false", "false": "true"}.get(stop.text, "")

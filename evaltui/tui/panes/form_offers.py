"""Titles of form commands in the keys line: what each key would do to the selected line or the edited field."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.evalset.editing.field_edits import ROLES
from evaltui.evalset.keys import text_of
from evaltui.tui.command import Command
from evaltui.tui.commands import key_of
from evaltui.tui.forms.form import Choice, Field, HalfTyped, Link, Offer, Stop, WhyLine
from evaltui.tui.lines import preview
from evaltui.tui.open_file.drafts import AS_JSON
from evaltui.tui.panes.field_editor import FieldEditor
from evaltui.tui.panes.form_lines import FormView
from evaltui.tui.panes.requests import PaneHost

_NEXT_FIELD = "next field"
_ONE_LINE = ("number", "boolean", "null")
"""Types whose values have no line breaks."""


class FormOffers:
    """The part of the form pane that names the effects of its keys."""

    def __init__(self, view: FormView, editor: FieldEditor, host: PaneHost) -> None:
        self._view, self._editor, self._host = view, editor, host

    def title(self, command: Command) -> str:
        """The effect of a command in a word or two; "" for none."""
        stop, form = self._view.stop, self._view.form
        match command.id:
            case "form.enter":
                return self._of_enter(stop)
            case "form.add":
                is_of_use = form.adds and not isinstance(stop, WhyLine) and not self._editor.adds_by_enter(stop)
                return f"add {form.adds}" if is_of_use else ""
            case "form.more":
                offer = self.offer_of_form() if not isinstance(stop, WhyLine) else None
                return self.title_of_more(self.choices(offer)) if offer is not None else ""
            case "form.toggle":
                return command.title if stop is not None and toggled(stop) else ""
            case "form.delete":
                return command.title if stop is not None and stop.delete else ""
            case "form.delete_response":
                return command.title if stop is not None and stop.delete_response else ""
            case "form.rename":
                return command.title if stop is not None and stop.rename else ""
            case "form.fresh":
                return command.title if stop is not None and stop.fresh else ""
            case "form.type":
                return command.title if stop is not None and stop.retype else ""
        return self._while_typing(command) if command.place == "field" else command.title

    def title_of_more(self, choices: Sequence[Choice]) -> str:
        """`add part` if the choices for a content come first, else `add field`; "" without choices."""
        if not choices:
            return ""
        return "add part" if choices[0].section and _section_of(self._view.stop) else "add field"

    def _of_enter(self, stop: Stop | None) -> str:
        match stop:
            case WhyLine():
                return "go to" if stop.target is not None else ""
            case HalfTyped():
                return "go on" if stop.key == AS_JSON else ""
            case Link():
                return "open"
            case Field() if self._editor.adds_by_enter(stop):
                return f"add {self._view.form.adds}"
            case Field() | Offer() if not self._view.session.readonly:
                return "choose" if isinstance(stop, Offer) or stop.choices else "edit"
        return ""

    def _while_typing(self, command: Command) -> str:
        """The effect of a key in the edited field."""
        field, editor = self._editor.edited, self._editor
        if field is None:
            return command.title
        box = self._view.box
        match command.id:
            case "field.take":
                return f"{command.title} {preview(box.completed, 24)}" if box.completed else ""
            case "field.enter":
                return self._of_enter_while_typing(field)
            case "field.next":
                return self._of_tab(is_of_use=not box.leaves_by_enter or editor.ends_list(field))
            case "field.clear":
                return f"{command.title} line" if field.block else command.title
            case "field.toggle":
                return command.title if field.kind == "boolean" and box.toggled else ""
            case "field.newline":
                return command.title if field.kind not in _ONE_LINE and not (field.block or field.one_line) else ""
        return command.title

    def _of_enter_while_typing(self, field: Field) -> str:
        """New line in a text of several lines; else the next field or line, a new item, or done if none is below."""
        if not self._view.box.leaves_by_enter:
            return "new line"
        if self._editor.asks_for_another:
            return f"add {self._view.form.adds}"
        return "done" if self._editor.ends_list(field) else self._what_follows()

    def _of_tab(self, *, is_of_use: bool) -> str:
        """The title of tab in the edited field; "" if enter does the same, or if this is the last field."""
        is_other = is_of_use or self._what_follows() != _NEXT_FIELD
        return _NEXT_FIELD if is_other and self._view.lines.index_of_field(1) is not None else ""

    def _what_follows(self) -> str:
        """The effect of enter in a field of one line: edit the field below, or end editing and go to the line below."""
        following = self._view.lines.following
        stop = following.item if following is not None else None
        if self._editor.goes_into(stop):
            return _NEXT_FIELD
        if self._editor.adds_by_enter(stop):
            return f"add {self._view.form.adds}"
        return "next line" if stop is not None else "done"

    def offer_of_form(self) -> Offer | None:
        """The line that offers what can still be added to the form."""
        return next((item for item in reversed(self._view.form.items) if isinstance(item, Offer)), None)

    def choices(self, offer: Offer) -> tuple[Choice, ...]:
        """The choices, those for the content at the cursor first. In a read-only file, only harmless ones."""
        section, readonly = _section_of(self._view.stop), self._view.session.readonly
        choices = sorted(offer.choices, key=lambda choice: bool(section) and choice.section != section)
        return tuple(choice for choice in choices if choice.export or choice.target or not readonly)

    def argument_names(self) -> list[str]:
        """Names of arguments that other calls of this tool have and this call does not have."""
        self._host.read_words()
        node = self._view.node
        args = node.member("args")
        present = {item.name for item in args.items} if args is not None else set()
        words = self._view.session.words.vocabulary.words(f"argument of {text_of(node, 'name')}")
        return [word for word in words if word not in present]


def refusal_of_enter(stop: Stop | None) -> str:
    """The message for enter on a line without a target."""
    match stop:
        case HalfTyped():
            drop, copy = key_of("list.drop_draft"), key_of("form.copy")
            return f"No field left for this draft. Press {copy} to copy it, or {drop} to drop it."
        case WhyLine():
            copies = f"; press {key_of('form.copy')} to copy the value" if stop.value is not None else ""
            return stop.nowhere or f"This line is read-only{copies}."
    return "Nothing to edit here."


def toggled(stop: Stop) -> str:
    """The other value of a boolean; "" for anything else."""
    if not isinstance(stop, Field) or stop.kind != "boolean":
        return ""
    return {"true": "false", "false": "true"}.get(stop.text, "")


def _section_of(stop: Stop | None) -> str:
    """The content whose line is selected; "" on any other line."""
    key = stop.key if stop is not None else None
    return key[0] if isinstance(key, tuple) and key and key[0] in ROLES else ""

"""Editing of a field: a text box over the field writes valid text into the document and keeps other text as a draft."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING

from evaltui.document.document import Change
from evaltui.document.errors import EditError
from evaltui.document.history import UndoStep
from evaltui.document.node import Node
from evaltui.evalset.keys import text_of
from evaltui.evalset.titles import STEP
from evaltui.printable import printable
from evaltui.tui.command import Command
from evaltui.tui.commands import key_of
from evaltui.tui.forms.form import SCALARS, Field, Form, HalfTyped, Link, Note, Stop, Write
from evaltui.tui.forms.value_text import NewValue, new_value, shown_text
from evaltui.tui.lines import preview
from evaltui.tui.messages import ENDED
from evaltui.tui.open_file.drafts import AS_JSON, DraftPlace, FieldDraft

if TYPE_CHECKING:
    from evaltui.tui.panes.form_pane import FormPane

_NEXT_FIELD = "next field"
_AT_END = "This is the"
"""The beginning of the message that there is no field to go on to."""
_SUGGESTED = {"rubric_id": "rubric", "rubricId": "rubric", "user_persona": "persona", "userPersona": "persona"}


class FieldEditor:
    """The part of the form pane that edits a field."""

    def __init__(self, pane: FormPane) -> None:
        self._pane, self._host, self._file = pane, pane.host, pane.file
        self._written = ""
        """The text of the box that is already in the document or a draft."""
        self._since: UndoStep | None = None
        """The last undo step before the typing that a draft reverts."""
        self._saw_drafts = False
        """Whether there were drafts when the form was made, which shows them."""
        self.width, self.height = 0, 1
        """The cells and lines of the box that was placed; 0 cells if its text is still to be wrapped."""
        self._new: NewValue | None = None
        """Writes the value under the box, if it was empty when the box opened."""
        self._names_a_call = False
        """Whether the field is the name of a call that had none."""
        self._is_new = False
        """Whether the value under the box was just added."""

    # --- beginning and ending ------------------------------------------------------------------------------

    def start(self, field: Field, *, is_new: bool = False) -> None:
        """Open the box over a field, with its draft if it has one. If the text `is_new`, typing replaces it.

        A field with choices opens their list instead.
        """
        pane, history = self._pane, self._file.document.history
        if self._file.readonly:
            self._host.say(self._file.refusal)
            return
        if field.choices:
            self.stop()
            self._host.reviser.choose(f"{field.label}:", field.choices, field)
            return
        box = pane.box
        if pane.edited is not None:
            self.write_typed()
        draft = self._file.drafts.kept.get((pane.node, field.key))
        if draft is not None and draft.is_outdated(field.text):
            self.stop()

            def go_on_with_draft() -> None:  # a text that is valid is written at once
                self.start(field)
                # As if the box had its text from the document, so that the draft counts as typed.
                self._written = field.text
                self.write_typed()

            self._host.reviser.decide(DraftPlace(pane.node, field.key), field.text, go_on_with_draft)
            return
        if self._new is not None and pane.edited is not None and (message := self._new.said(is_left=True)):
            self._host.say(message)
        pane.edited = field
        self._is_new = is_new
        box.single_line = not field.block
        box.one_line = field.one_line
        box.is_boolean = field.kind == "boolean"
        kind = field.suggests or _SUGGESTED.get(field.label, "")
        box.suggest = (lambda text: self._file.words.vocabulary.completion(kind, text)) if kind else None
        self._names_a_call = kind == "tool" and not field.text
        self._new = new_value(self._file, pane.form, pane.node, field)
        if kind or self._new is not None:
            self._host.read_words()
        history.seal()  # typing in another field is a step of its own
        # A text that becomes invalid takes the document back to here: the file keeps the last value before the typing.
        self._since = history.point()
        box.display = True
        box.show(draft.text if draft else field.text)
        # People replace these values rather than edit them: the first typed character replaces the value.
        if draft is None and (is_new or field.kind in SCALARS or field.text in ("{}", "[]")):
            box.select_all()
        self._written = box.value
        self.width = 0
        pane.lay_out()
        pane.screen.set_focus(box, scroll_visible=False)

    def ends_list(self, field: Field) -> bool:
        """Whether a field is the last value of a list, so that enter ends editing instead of leaving the list."""
        if not field.in_list:
            return False
        following = self._pane.lines.following
        next_node = following.node if following is not None else None
        return field.node is None or next_node is None or next_node.parent is not field.node.parent

    @property
    def asks_for_another(self) -> bool:
        """Whether enter asks for the name of the next item: the field is a new one, the last of a list with names."""
        form, field = self._pane.form, self._pane.edited
        return field is not None and self._is_new and form.asks_name and self.ends_list(field)

    def goes_into(self, stop: Stop | None) -> bool:
        """Whether enter in the edited field edits the line below too: a field, or the turn of a new case."""
        if isinstance(stop, Field):
            return not stop.enter_adds
        is_first = self._pane.edited is not None and self._is_new and self._pane.edited.key == self._pane.form.begins
        return is_first and isinstance(stop, Link)

    def stop(self) -> None:
        """Close the box; its text goes into the document or stays a draft."""
        if self.close():
            self._pane.show(self._pane.node)

    def close(self) -> bool:
        """Close the box as `stop` does, but do not refresh the form. Returns whether a field was edited."""
        pane, root = self._pane, self._file.document.root
        if pane.edited is None:
            return False
        if root is not None and pane.node.is_in(root):  # text typed into a value that was deleted since is dropped
            self.write_typed()
        had_focus = pane.box.has_focus
        pane.edited = None
        pane.box.display = False
        self._file.document.history.seal()
        if had_focus:
            pane.screen.set_focus(pane.lines, scroll_visible=False)
        return True

    def go_on(self, step: int) -> None:
        """Edit the next (1) or previous (-1) field; with 0, end editing after the last value of a list."""
        if step and self._pane.lines.index_of_field(step) is not None:
            self.leave(step, skips_lines=True)
            return
        self.write_typed()
        if step:  # and stay: typed on, the next letters must not run commands
            which = "last" if step > 0 else "first"
            self._host.say(f"{_AT_END} {which} field. Press {key_of('field.leave')} to end editing.")
            return
        if self.asks_for_another:  # people type on after enter
            new, self._new = self._new, None  # the question follows, so the message names no key
            self.leave(0)
            if new is not None:
                self._host.say(new.said(is_left=True))
            self._pane.commands.ask_name(new.said(is_left=False) if new is not None else "")
            return
        has_message = self._names_a_call or (self._new is not None and bool(self._new.said(is_left=False)))
        self.leave(0)
        if not has_message:  # warn the person
            adds = self._pane.form.adds
            key = f": {key_of('form.add')} adds another {adds}" if adds else ""
            self._host.say(f"{ENDED} Letters are keys now{key}.")

    def leave(self, step: int, *, skips_lines: bool = False) -> None:
        """End editing the field; edit the next (1) or previous (-1) one if that is what follows.

        With `skips_lines`, skip the lines before that field. Otherwise the last value of a list is followed by none.
        """
        lines = self._pane.lines
        if step and not skips_lines and self._pane.edited is not None and self.ends_list(self._pane.edited):
            self.go_on(0)
            return
        self.write_typed()
        self._host.status.forget(_AT_END)  # untrue once editing ends
        names_a_call = self._pane.edited is not None and self._names_a_call
        new = self._new if self._pane.edited is not None else None
        goes_into = self.goes_into(lines.following)
        self.stop()
        start = lines.cursor
        if step:
            self._go_on_from_line(step, goes_into=goes_into, skips_lines=skips_lines)
        if new is not None and (message := new.said(is_left=lines.cursor != start)):
            self._host.say(message)
        if names_a_call:  # after the cursor has moved, because that clears earlier messages
            from evaltui.evalset.editing.call_edits import fill_in_arguments

            # The arguments of the last call of the same tool, with empty values.
            node = self._pane.node
            revision = fill_in_arguments(node, self._file.words.vocabulary.last_arguments(text_of(node, "name")))
            if revision is not None:
                self._host.reviser.apply(revision)

    def _go_on_from_line(self, step: int, *, goes_into: bool, skips_lines: bool) -> None:
        """Go to the next (1) or previous (-1) line, and edit it or follow it if that is what enter does there."""
        lines, start = self._pane.lines, self._pane.lines.cursor
        goal = lines.index_of_field(step) if skips_lines else None
        if goal is not None:
            self._host.status.say("")
            lines.cursor = goal
        else:
            lines.move(step)
        stop = self._pane.stop if lines.cursor != start else None
        if isinstance(stop, Field) and not stop.enter_adds:
            self.start(stop)
        elif isinstance(stop, Link) and goes_into:
            self._pane.post_message(self._pane.ValueOpened(stop.node, begin=True))
        elif step > 0 and self._pane.commands.adds_by_enter(stop):
            self._pane.commands.ask_name("")
        elif not skips_lines:
            self._host.say(f"{ENDED} Letters are keys now.")

    # --- new values ----------------------------------------------------------------------------------------

    def has_field_of(self, change: Change) -> bool:
        """Whether the added value is edited in this form, which is made again for that."""
        self._pane.show(self._pane.node)
        added = set(change.added)
        stops = [item for item in self._pane.form.items if isinstance(item, Stop)]
        return isinstance(next((stop for stop in stops if _is_in(added, stop.node)), None), Field)

    def go_to_new(self, change: Change, *, begin: bool) -> None:
        """Select the line of the added value. With `begin`, edit it, or follow its link."""
        added = set(change.added)
        new = [
            stop
            for _, stop in self._pane.lines.stops
            # Or the line of a container whose content is all new.
            if _is_in(added, stop.node) or (stop.node and stop.node.items and added.issuperset(stop.node.items))
        ]
        empty = next((stop for stop in new if begin and isinstance(stop, Field) and not stop.text), None)
        stop = empty or next(iter(new), None)
        if _is_in(added, self._pane.node):
            stop = self._first_field() or stop
        if stop is not None:
            self._pane.lines.go_to(stop.key)
        if begin and isinstance(stop, Field) and not self._is_whole(stop) and not (stop.choices and stop.text):
            self.start(stop, is_new=True)
        elif begin and isinstance(stop, Link) and stop.leads_to_a_form:
            self._pane.post_message(self._pane.ValueOpened(stop.node, begin=True))

    def begin(self, *, is_new: bool) -> bool:
        """Edit the first field of a form, whose text typing replaces if the value `is_new`; False if it has none.

        A value that is not new is edited only if it has no more than one field, such as a number or an empty list.
        """
        fields = [stop for _, stop in self._pane.lines.stops if isinstance(stop, Field)]
        field = self._first_field() if is_new else fields[0] if len(fields) == 1 else None
        if field is not None:
            self._pane.lines.go_to(field.key)
            self.start(field, is_new=is_new)
        return field is not None

    def _first_field(self) -> Field | None:
        """The field to edit first in a new form: the marked one, else the first empty one, else the first."""
        stops = (stop for _, stop in self._pane.lines.stops)
        fields = [stop for stop in stops if isinstance(stop, Field) and not self._is_whole(stop)]
        begins = next((field for field in fields if field.key == self._pane.form.begins), None)
        return begins or next((field for field in fields if not field.text), next(iter(fields), None))

    def _is_whole(self, field: Field) -> bool:
        """Whether a field shows a whole object or list as JSON: a new value in it first needs a name or place."""
        return field.node is self._pane.node and self._pane.node.is_container

    # --- keys ----------------------------------------------------------------------------------------------

    def title(self, command: Command) -> str:
        """The effect of a command while a field is edited, in a word or two; "" for none."""
        field = self._pane.edited
        if field is None:
            return command.title
        box = self._pane.box
        match command.id:
            case "field.take":
                return f"{command.title} {preview(box.completed, 24)}" if box.completed else ""
            case "field.enter":
                if not box.leaves_by_enter:
                    return "new line"
                if self.asks_for_another:
                    return f"add {self._pane.form.adds}"
                return "done" if self.ends_list(field) else self._title_of_following()
            case "field.next":  # not if enter does the same, or if this is the last field
                is_other = not box.leaves_by_enter or self.ends_list(field)
                is_other = is_other or self._title_of_following() != _NEXT_FIELD
                return _NEXT_FIELD if is_other and self._pane.lines.index_of_field(1) is not None else ""
            case "field.clear":
                return f"{command.title} line" if field.block else command.title
            case "field.toggle":
                return command.title if field.kind == "boolean" and box.toggled else ""
            case "field.newline":
                return command.title if field.kind not in SCALARS and not (field.block or field.one_line) else ""
        return command.title

    def _title_of_following(self) -> str:
        """The effect of enter in a field of one line: edit the field below, or end editing and go to the line below."""
        stop = self._pane.lines.following
        if self.goes_into(stop):
            return _NEXT_FIELD
        if self._pane.commands.adds_by_enter(stop):
            return f"add {self._pane.form.adds}"
        return "next line" if stop is not None else "done"

    # --- the form changed ----------------------------------------------------------------------------------

    def complete(self, form: Form) -> None:
        """Find the edited field in a rebuilt form, and insert drafts that have no field in it."""
        self._find_again(form)
        self._saw_drafts = bool(self._file.drafts.kept)
        node, keys = self._pane.node, {item.key for item in form.items if isinstance(item, Stop)}
        for place, draft in self._file.drafts.live() if self._saw_drafts else ():
            if place.node is not node or place.key in keys:
                continue
            is_whole = place.key == AS_JSON
            label = "draft of the whole value" if is_whole else f"draft of {draft.where}"
            is_outdated = is_whole and draft.is_outdated(shown_text(node))
            form.items.insert(0, HalfTyped(place.key, label, draft, node=node, is_outdated=is_outdated))

    def _find_again(self, form: Form) -> None:
        """Find the edited field; close the box if its value is gone."""
        edited, pane = self._pane.edited, self._pane
        if edited is None:
            return
        field = _field_in(form, edited.key) or self._offered_no_more(form)
        if field is None:
            pane.edited = None
            pane.box.display = False
            pane.screen.set_focus(pane.lines, scroll_visible=False)
            return
        became_text = field.kind == "string" and edited.kind not in ("string", "absent")
        if not became_text or self._new is not None:
            pane.edited = field

    def follow_typing(self, change: Change) -> bool:
        """Show one more letter of the edited text, which the box has drawn already; False if the form must be made."""
        field, items = self._pane.edited, self._pane.form.items
        if field is None or field not in items or change.structural or self._saw_drafts or self._file.drafts.kept:
            return False
        is_message = field.block and field.takes_text  # no title and no other line of the form shows such a text
        if change.merge_key != (self._pane.node, field.key) or field.read is None or not is_message:
            return False
        # The line of a value around the text perhaps shows the text. An empty text has a placeholder, and other hints.
        around = {*field.node.ancestors()} if field.node is not None else set()
        text = field.read()
        if not (field.text and text) or any(isinstance(item, Link) and item.node in around for item in items):
            return False
        field.text = text
        return True

    def _offered_no_more(self, form: Form) -> Field | None:
        """Put the edited field back into a form that leaves it out because of its size; None if its value is gone."""
        root, edited = self._file.document.root, self._pane.edited
        if root is None or edited is None or edited.read is None:
            return None
        if edited.node is not None and not edited.node.is_in(root):
            return None
        field = replace(edited, text=edited.read(), kind="string" if edited.kind == "string" else "")
        keys = [item.key if isinstance(item, (Stop, Note)) else None for item in form.items]
        if field.key in keys:
            form.items[keys.index(field.key)] = field
        else:
            # At its old place: the box must not jump away from the person who types.
            places = (number for number, stop in self._pane.lines.stops if stop is edited)
            form.items.insert(next(places, len(keys)), field)
        return field

    def show_undone(self) -> None:
        """Show the current text or draft of the edited field after an undo, redo or fix."""
        if self._pane.edited is None:
            return
        draft, box = self._file.drafts.kept.get((self._pane.node, self._pane.edited.key)), self._pane.box
        self._since = self._file.document.history.point()
        text = draft.text if draft else self._pane.edited.text
        if box.value != text:
            box.show(text)
        self._written = box.value
        self._pane.lay_out()

    # --- the box -------------------------------------------------------------------------------------------

    def box_height(self, width: int) -> int:
        """Number of lines of the text in a box of `width` cells, up to the height of the pane."""
        wrapped, room = self._pane.box.wrapped_document, self._pane.lines.scrollable_content_region.height
        if width != self.width:  # Textual wraps in the next layout, and the form needs the height of the box now
            self.width = width
            wrapped.wrap(width - 1, self._pane.box.indent_width)
        return max(1, min(wrapped.height, room - 2))

    def place_box(self) -> None:
        """Move the box over the value of the field being edited."""
        lines, edited = self._pane.lines, self._pane.edited
        places = (lines.placed[number] for number, stop in lines.stops if edited is not None and stop.key == edited.key)
        if (placed := next(places, None)) is None:
            return
        self.height = self.box_height(placed.width)
        # One cell to the right is the mark of the cursor, and one line below is the title of the pane.
        styles = self._pane.box.styles
        styles.offset = (placed.indent + 1, placed.value_top - lines.scroll_offset.y + 1)
        styles.width = placed.width
        styles.height = self.height

    # --- writing -------------------------------------------------------------------------------------------

    def write_typed(self) -> None:
        """Write the text of the box. After a burst of keys, the first report already includes all of them."""
        field = self._pane.edited
        if field is None or (text := self._pane.box.value) == self._written:
            return
        if text.count("\n") != self._written.count("\n"):  # each new line begins a new undo step
            self._file.document.history.seal()
        self._written = text
        place = DraftPlace(self._pane.node, field.key)
        draft = self._file.drafts.kept.get(place)
        if draft is not None and draft.is_outdated(field.text):
            self._keep_draft(place, field, text, "the value has changed since the draft was begun")
            return
        write = self.writer(field)
        try:
            revision = write(text)
        except EditError as error:
            self._keep_draft(place, field, text, str(error))
            return
        # A one-line field may be the name in its own label, so it is read again; long texts are read only once.
        relabel = None if field.block else lambda: write(text).label
        if refused := self._host.reviser.apply(revision, merge_key=place, instead_of=place, relabel=relabel):
            self._keep_draft(place, field, text, refused)

    def writer(self, field: Field) -> Write:
        """The function that writes the text of the box."""
        return self._new.write if self._new is not None else field.write

    def _keep_draft(self, place: DraftPlace, field: Field, text: str, problem: str) -> None:
        where = STEP.join(filter(None, [self._pane.form.title, printable(field.label)]))

        def text_now() -> str:
            field_now = _field_in(self._pane.outline.form(self._pane.node), field.key)
            return field_now.text if field_now is not None else field.read() if field.read is not None else ""

        change = self._file.keep_draft(place, FieldDraft(text, problem, where), self._since, text_now)
        self._host.say(f"draft, not in the file: {problem}")
        self._host.apply_change(change)


def _field_in(form: Form, key: Hashable) -> Field | None:
    return next((item for item in form.items if isinstance(item, Field) and item.key == key), None)


def _is_in(nodes: set[Node], node: Node | None) -> bool:
    return node is not None and any(parent in nodes for parent in (node, *node.ancestors()))

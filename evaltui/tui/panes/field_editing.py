"""Editing a field: the box stands over it, each valid text goes into the document, others stay drafts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from textual import events, on
from textual.containers import Container

from evaltui.document import Change, EditError, Node
from evaltui.document.history import Step
from evaltui.evalset.editing.call_edits import fill_in_arguments
from evaltui.evalset.keys import text_of
from evaltui.evalset.titles import STEP
from evaltui.printable import printable
from evaltui.tui.drafts import Draft, DraftPlace
from evaltui.tui.forms.form import Field, Form, Link, Stop, Write
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.panes.new_value import NewValue, new_value
from evaltui.tui.panes.requests import Revise, Say, Visit, ask_now, read_words_now, show_now
from evaltui.tui.session import READ_ONLY, Session
from evaltui.tui.step_words import undo_said
from evaltui.tui.widgets.text_field import TextField

if TYPE_CHECKING:
    from evaltui.tui.input_order import InputInOrder

_SUGGESTED = {"rubric_id": "rubric", "rubricId": "rubric", "user_persona": "persona", "userPersona": "persona"}


_REPLACED = ("number", "boolean", "null")
"""The types of values that one writes anew rather than edit: what is typed first replaces them."""


class FieldEditing(Container):
    """The part of the form pane that edits; needs `session`, `node`, `form`, `lines`, `box` and `lay_out`."""

    session: Session
    node: Node
    form: Form
    edited: Field | None = None
    """The field under the box."""
    _written: str = ""
    """What of the box is in the document or a draft already."""
    _since: Step | None = None
    """The last step before the typing that a draft takes back."""
    _line_count: int = 1
    _new: NewValue | None = None
    """Writes the value under the box, if the value was empty when the box opened."""
    _names_a_call: bool = False
    """Whether the field is the name of a call that had none."""

    if TYPE_CHECKING:
        lines: FormLines
        box: TextField

        lay_out: Callable[[], None]
        refresh_form: Callable[[], None]

    def start_editing(self, field: Field, *, is_new: bool = False) -> None:
        """Put the box over a field, with its draft where it has one. Text that `is_new` is replaced by typing."""
        if self.session.readonly:
            self.post_message(Say(READ_ONLY))
            return
        self.write_typed()
        if self._new is not None and self.edited is not None and (said := self._new.said()):
            self.post_message(Say(said))
        self.edited = field
        draft = self.session.drafts.get(self.node, field.key)
        self.box.single_line = not field.block
        self.box.one_line = field.one_line
        self.box.enter_goes_on = not self.ends_list(field)
        self.box.is_boolean = field.kind == "boolean"
        self._begin_suggesting(field)
        self._new = new_value(self.session, self.form, self.node, field)
        if self._new is not None:
            read_words_now(self)
        self.session.document.history.seal()
        self._since = self.session.document.history.point()
        self.box.display = True
        self.box.show(draft.text if draft else field.text)
        if draft is None and (is_new or field.kind in _REPLACED or field.text in ("{}", "[]")):
            self.box.select_all()
        self._remember_written()
        self.wrap_box()
        self.lay_out()
        self.lines.show_cursor()
        self.screen.set_focus(self.box, scroll_visible=False)

    def ends_list(self, field: Field) -> bool:
        """Whether a field is the last of a list of values: enter there would leave the list unasked."""
        if not field.in_list:
            return False
        following = self.lines.following(1)
        next_node = following.item.node if following is not None and isinstance(following.item, Stop) else None
        return field.node is None or next_node is None or next_node.parent is not field.node.parent

    def _begin_suggesting(self, field: Field) -> None:
        """Have names suggested that the set uses already."""
        texts, kind = self.session.texts, field.suggests or _SUGGESTED.get(field.label, "")
        self.box.suggest = (lambda text: texts.vocabulary.completion(kind, text)) if kind else None
        self._names_a_call = kind == "tool" and not field.text
        if kind:
            read_words_now(self)

    def _fill_in_arguments(self) -> None:
        """A call that has just got its name gets the arguments of the last call of that tool, empty."""
        tool = text_of(self.node, "name")
        revision = fill_in_arguments(self.node, self.session.texts.vocabulary.last_arguments(tool))
        if revision is not None:
            ask_now(self, Revise(revision))

    def _remember_written(self) -> None:
        """What the box shows is what the document or a draft holds."""
        self._written = self.box.value
        self._line_count = self.box.document.line_count

    def has_field_of(self, change: Change) -> bool:
        """Whether what was just added is edited in this very form."""
        self.refresh_form()
        added = set(change.added)
        stops = [item for item in self.form.items if isinstance(item, Stop)]
        return isinstance(next((stop for stop in stops if _is_in(added, stop.node)), None), Field)

    def go_to_new(self, change: Change, *, begin: bool) -> None:
        """Select the line of what was just added; to `begin` is to edit it, or to go where its line leads."""
        stops = [placed.item for placed in self.lines.layout_of_form.placed if isinstance(placed.item, Stop)]
        added = set(change.added)
        stop = next((stop for stop in stops if _is_new(added, stop.node)), None)
        if _is_in(added, self.node):
            stop = self._first_field() or stop
        if stop is not None:
            self.lines.go_to(stop.key)
        if begin and isinstance(stop, Field) and not self._is_whole(stop):
            self.start_editing(stop, is_new=True)
        elif begin and isinstance(stop, Link) and stop.leads_to_a_form:
            self.post_message(Visit(stop.target, begin=True))

    def _first_field(self) -> Field | None:
        """The field where the form begins; without one the first with nothing in it, else the first."""
        items = [placed.item for placed in self.lines.layout_of_form.placed]
        fields = [item for item in items if isinstance(item, Field) and not self._is_whole(item)]
        begins = next((field for field in fields if field.key == self.form.begins), None)
        return begins or next((field for field in fields if not field.text), next(iter(fields), None))

    def _is_whole(self, field: Field) -> bool:
        """Whether a field holds all of an object or list as JSON: what is new in that has a name or place first."""
        return field.node is self.node and self.node.is_container

    def begin(self) -> None:
        """Edit the first field of a form that is new."""
        field = self._first_field()
        if field is not None:
            self.lines.go_to(field.key)
            self.start_editing(field, is_new=True)

    def stop_editing(self) -> None:
        """Take the box away; its text goes into the document or stays a draft."""
        if self.close_box():
            self.refresh_form()

    def close_box(self) -> bool:
        """Take the box away as `stop_editing` does, but leave the form as it is; whether a field was edited.

        What was typed into a value that is gone by now is gone with it.
        """
        root = self.session.document.root
        if root is not None and self.node.is_in(root):
            self.write_typed()
        if self.edited is None:
            return False
        had_focus = self.box.has_focus
        self.edited = None
        self.box.display = False
        self.session.document.history.seal()
        if had_focus:
            self.screen.set_focus(self.lines, scroll_visible=False)
        return True

    def _keep_editing(self, form: Form) -> None:
        """After the form was made anew: find the edited field again, and show what undo did to it."""
        if self.edited is None:
            return
        fields = [item for item in form.items if isinstance(item, Field)]
        found = next((field for field in fields if field.key == self.edited.key), None) or self._offered_no_more(form)
        if found is None:
            self.edited = None
            self.box.display = False
            self.screen.set_focus(self.lines, scroll_visible=False)
            return
        became_text = found.kind == "text" and self.edited.kind not in ("text", "absent")
        if not became_text or self._new is not None:
            self.edited = found

    def _offered_no_more(self, form: Form) -> Field | None:
        """Put the edited field back into a form that would not offer it, for its size; None where its value is gone."""
        root, edited = self.session.document.root, self.edited
        if root is None or edited is None or edited.again is None:
            return None
        if edited.node is not None and not edited.node.is_in(root):
            return None
        field = edited.again()
        keys = [getattr(item, "key", None) for item in form.items]
        if field.key in keys:
            form.items[keys.index(field.key)] = field
        else:
            placed = self.lines.layout_of_form.placed
            form.items.insert(next((n for n, each in enumerate(placed) if each.item is edited), len(keys)), field)
        return field

    def show_undone(self) -> None:
        """Undo, redo or a fix may have changed the text of the field being edited, or its draft."""
        if self.edited is None:
            return
        draft = self.session.drafts.get(self.node, self.edited.key)
        self._since = self.session.document.history.point()
        self.show_text(draft.text if draft else self.edited.text)

    def show_text(self, text: str) -> None:
        """Show another text in the box, which the document or a draft holds already."""
        if self.box.value != text:
            self.box.show(text)
        self._remember_written()
        self.lay_out()

    # --- the box -------------------------------------------------------------------------------------------

    def wrap_box(self) -> None:
        """Wrap the text of the box for the width it is about to get, so that its height is known at once."""
        placed = self.lines.layout_of_form.of(self.edited.key) if self.edited else None
        if placed is not None:
            self.box.wrapped_document.wrap(placed.width - 1, self.box.indent_width)

    def box_height(self) -> int:
        """As many lines as the text has, up to what the pane can show."""
        room = self.lines.scrollable_content_region.height
        return max(1, min(self.box.wrapped_document.height, room - 2))

    def place_box(self) -> None:
        """Move the box over the value of the field being edited."""
        if self.edited is None:
            return
        placed = self.lines.layout_of_form.of(self.edited.key)
        if placed is None:
            return
        region = self.lines.region_of(placed.value_top, self.box_height())
        styles = self.box.styles
        styles.offset = (placed.left + 1, region.y + 1)
        styles.width = placed.width
        styles.height = region.height

    @on(TextField.Typed)
    def _typed(self, event: TextField.Typed) -> None:
        event.stop()
        self.write_typed()

    def write_typed(self) -> None:
        """Write what the box says; of keys that came in one burst, all are in it at the first report."""
        field, text = self.edited, self.box.value
        if field is None or text == self._written:
            return
        self._written = text
        if self.box.document.line_count != self._line_count:
            # A new line begins an undo step of its own.
            self._line_count = self.box.document.line_count
            self.session.document.history.seal()
        at = DraftPlace(self.node, field.key)
        write = self._writer(field)
        try:
            revision = write(text)
        except EditError as error:
            self._keep_draft(at, field, text, str(error))
            return
        # A field of one line may be the very name that labels call the value by; long texts are read once only.
        relabel = None if field.block else lambda: write(text).label
        refused = ask_now(self, Revise(revision, merge_key=at, instead_of=at, relabel=relabel))
        if refused:
            self._keep_draft(at, field, text, refused)

    def _writer(self, field: Field) -> Write:
        """The function that writes the text of the box."""
        return self._new.write if self._new is not None else field.write

    def _keep_draft(self, at: DraftPlace, field: Field, text: str, problem: str) -> None:
        """Keep what cannot go into the document beside it, and say why."""
        where = STEP.join(filter(None, [self.form.title, printable(field.label)]))
        change = self.session.draft(at, Draft(text, problem, where), self._since)
        self.post_message(Say(f"draft, not in the file: {problem}"))
        show_now(self, change)

    @on(TextField.OneLine)
    def _kept_on_one_line(self, event: TextField.OneLine) -> None:
        event.stop()
        self.post_message(Say(event.said))

    def take_long(self, text: str, pasted: int) -> None:
        """Write a text that a paste made too long for the box, which closes; the field shows the beginning of it."""
        field = self.edited
        if field is None:
            return
        write = self._writer(field)
        self.stop_editing()
        self.post_message(Say(f"pasting {pasted:,} characters …"))
        app = cast("InputInOrder", self.app)
        app.call_in_next_frame(self.screen, lambda: self._write_pasted(field, write, text, pasted))

    def _write_pasted(self, field: Field, write: Write, text: str, count: int) -> None:
        try:
            refused = ask_now(self, Revise(write(text), instead_of=DraftPlace(self.node, field.key)))
        except EditError as error:
            refused = str(error)
        if refused:
            self.post_message(Say(f"nothing was pasted: {refused}"))
            return
        self.refresh_form()
        self.post_message(Say(f"pasted {count:,} characters · {undo_said()}"))
        from evaltui.tui.screens.pasted_dialog import PastedDialog

        self.app.push_screen(PastedDialog(count))

    @on(TextField.CaretJumped)
    def _jumped(self, event: TextField.CaretJumped) -> None:
        event.stop()
        self.session.document.history.seal()

    def leave(self, step: int) -> None:
        """Be done with the field; edit the next (1) or previous (-1) one if that is what follows."""
        self.write_typed()
        named = self.edited if self._names_a_call else None
        said = self._new.said() if self._new is not None and self.edited is not None else ""
        self.stop_editing()
        if step:
            before = self.lines.cursor
            self.lines.action_move(step)
            placed = self.lines.selected
            following = placed.item if placed is not None and self.lines.cursor != before else None
            if isinstance(following, Field) and following.begins_by_tab:
                self.start_editing(following)
        if said:
            self.post_message(Say(said))
        if named is not None:
            self._fill_in_arguments()  # when the cursor has moved, which makes room for what is said

    def on_mouse_scroll_down(self, _: events.MouseScrollDown) -> None:
        """The box follows the lines below it."""
        self.call_after_refresh(self.place_box)

    def on_mouse_scroll_up(self, _: events.MouseScrollUp) -> None:
        """The box follows the lines below it."""
        self.call_after_refresh(self.place_box)


def _is_in(nodes: set[Node], node: Node | None) -> bool:
    """Whether a value is among `nodes` or inside one of them."""
    return node is not None and any(at in nodes for at in (node, *node.ancestors()))


def _is_new(added: set[Node], node: Node | None) -> bool:
    """Whether a value was added, or is a container now with nothing in it that was there before."""
    if _is_in(added, node):
        return True
    return node is not None and node.is_container and bool(node.items) and added.issuperset(node.items)

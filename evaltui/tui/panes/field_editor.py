"""Editing of a field: a text box over the field writes valid text into the document and keeps other text as a draft."""

from __future__ import annotations

from collections.abc import Callable

from evaltui.document.document import Change
from evaltui.document.errors import EditError
from evaltui.document.history import UndoStep
from evaltui.document.node import Node
from evaltui.evalset.editing.call_edits import fill_in_arguments
from evaltui.evalset.keys import text_of
from evaltui.evalset.titles import STEP
from evaltui.printable import printable
from evaltui.tui.commands import key_of
from evaltui.tui.forms.form import Field, Form, HalfTyped, Link, Note, Stop, Write
from evaltui.tui.forms.value_text import shown_text
from evaltui.tui.forms.value_types import NewValue, new_value
from evaltui.tui.open_file.drafts import AS_JSON, DraftPlace, FieldDraft
from evaltui.tui.panes.form_lines import FormView
from evaltui.tui.panes.requests import Choose, Decide, PaneHost, Revise, Say, Visit

ENDED = "Editing ended."
_OUTDATED = "the value has changed since the draft was begun"
_SUGGESTED = {"rubric_id": "rubric", "rubricId": "rubric", "user_persona": "persona", "userPersona": "persona"}
_REPLACED = ("number", "boolean", "null")
"""Types whose values people replace rather than edit: the first typed character replaces the value."""


class FieldEditor:
    """The part of the form pane that edits a field."""

    def __init__(self, view: FormView, host: PaneHost) -> None:
        self._view, self._host, self._session = view, host, view.session
        self.edited: Field | None = None
        """The field under the box."""
        self._written = ""
        """The text of the box that is already in the document or a draft."""
        self._since: UndoStep | None = None
        """The last undo step before the typing that a draft reverts."""
        self._line_count = self._height = 1
        self._new: NewValue | None = None
        """Writes the value under the box, if it was empty when the box opened."""
        self._names_a_call = False
        """Whether the field is the name of a call that had none."""
        self._is_new = False
        """Whether the value under the box was just added."""
        self._said_no_other = False
        """Whether the last message is that there is no field to go on to; it is untrue once editing ends."""
        self.ask_name: Callable[[str], None] = lambda _: None
        """Asks for the name of a new item of the form; gets the message if the person gives none."""

    # --- beginning and ending ------------------------------------------------------------------------------

    def start(self, field: Field, *, is_new: bool = False) -> None:
        """Open the box over a field, with its draft if it has one. If the text `is_new`, typing replaces it.

        A field with choices opens their list instead.
        """
        view, history = self._view, self._session.document.history
        if self._session.readonly:
            view.post_message(Say(self._session.refusal))
            return
        if field.choices:
            self.stop()
            view.post_message(Choose(f"{field.label}:", field.choices, field))
            return
        box = view.box
        self.write_typed()
        draft = self._session.drafts.get(view.node, field.key)
        if draft is not None and draft.is_outdated(field.text):
            self.stop()
            at = DraftPlace(view.node, field.key)
            view.post_message(Decide(at, field.text, lambda: self._go_on_with_draft(field)))
            return
        if self._new is not None and self.edited is not None and (said := self._new.said(is_left=True)):
            view.post_message(Say(said))
        self.edited = field
        self._is_new = is_new
        box.single_line = not field.block
        box.one_line = field.one_line
        box.enter_goes_on = not self.ends_list(field)
        box.is_boolean = field.kind == "boolean"
        self._begin_suggesting(field)
        self._new = new_value(self._session, view.form, view.node, field)
        if self._new is not None:
            self._host.read_words()
        history.seal()
        self._since = history.point()
        box.display = True
        box.show(draft.text if draft else field.text)
        if draft is None and (is_new or field.kind in _REPLACED or field.text in ("{}", "[]")):
            box.select_all()
        self._remember_written()
        self.wrap_box()
        view.lay_out()
        view.lines.show_cursor()
        view.focus_on(box)

    def _go_on_with_draft(self, field: Field) -> None:
        """Open the box with a draft that replaces a newer value; a text that is valid is written at once."""
        self.start(field)
        self._written = field.text
        self.write_typed()

    def ends_list(self, field: Field) -> bool:
        """Whether a field is the last value of a list, so that enter ends editing instead of leaving the list."""
        if not field.in_list:
            return False
        following = self._view.lines.following
        next_node = following.item.node if following is not None and isinstance(following.item, Stop) else None
        return field.node is None or next_node is None or next_node.parent is not field.node.parent

    @property
    def asks_for_another(self) -> bool:
        """Whether enter asks for the name of the next item: the field is a new one, the last of a list with names."""
        form, field = self._view.form, self.edited
        return field is not None and self._is_new and form.asks_name and self.ends_list(field)

    def adds_by_enter(self, stop: object) -> bool:
        """Whether enter on a line asks for the name of a new item, as the key that adds does."""
        if not isinstance(stop, Field) or not stop.enter_adds or self._session.readonly:
            return False
        return self._session.drafts.get(self._view.node, stop.key) is None

    def goes_into(self, stop: object) -> bool:
        """Whether enter in the edited field edits the line below too: a field, or the turn of a new case."""
        if isinstance(stop, Field):
            return stop.begins_by_tab
        is_first = self.edited is not None and self._is_new and self.edited.key == self._view.form.begins
        return is_first and isinstance(stop, Link)

    def _begin_suggesting(self, field: Field) -> None:
        """Suggest names that the set already uses."""
        texts, kind = self._session.words, field.suggests or _SUGGESTED.get(field.label, "")
        self._view.box.suggest = (lambda text: texts.vocabulary.completion(kind, text)) if kind else None
        self._names_a_call = kind == "tool" and not field.text
        if kind:
            self._host.read_words()

    def stop(self) -> None:
        """Close the box; its text goes into the document or stays a draft."""
        if self.close():
            self._view.refresh_form()

    def close(self) -> bool:
        """Close the box as `stop` does, but do not refresh the form. Returns whether a field was edited.

        Text typed into a value that no longer exists is dropped.
        """
        view, root = self._view, self._session.document.root
        if root is not None and view.node.is_in(root):
            self.write_typed()
        if self.edited is None:
            return False
        had_focus = view.box.has_focus
        self.edited = None
        view.box.display = False
        self._session.document.history.seal()
        if had_focus:
            view.focus_on(view.lines)
        return True

    def go_on(self, step: int) -> None:
        """Edit the next (1) or previous (-1) field; in the last or first one, stay: letters must not run commands.

        With 0, end editing after the last value of a list, where letters then add a value or run other commands.
        """
        if not step:
            self._end_list()
            return
        if self._view.lines.index_of_field(step) is not None:
            self.leave(step, skips_lines=True)
            return
        self.write_typed()
        self._said_no_other = True
        ends, which = key_of("field.leave"), "last" if step > 0 else "first"
        self._view.post_message(Say(f"This is the {which} field. Press {ends} to end editing."))

    def _end_list(self) -> None:
        """End editing, and warn that letters are keys now, unless another message follows.

        After a new value, ask for the name of the next one: people type on after enter.
        """
        self.write_typed()
        if self.asks_for_another:
            new, self._new = self._new, None  # the question follows, so the message names no key
            self.leave(0)
            if new is not None:
                self._view.post_message(Say(new.said(is_left=True)))
            self.ask_name(new.said(is_left=False) if new is not None else "")
            return
        has_message = self._names_a_call or (self._new is not None and bool(self._new.said(is_left=False)))
        self.leave(0)
        if not has_message:
            adds = self._view.form.adds
            key = f": {key_of('form.add')} adds another {adds}" if adds else ""
            self._view.post_message(Say(f"{ENDED} Letters are keys now{key}."))

    def leave(self, step: int, *, skips_lines: bool = False) -> None:
        """End editing the field; edit the next (1) or previous (-1) one if that is what follows.

        With `skips_lines`, skip the lines before that field.
        """
        lines = self._view.lines
        self.write_typed()
        if self._said_no_other:
            self._said_no_other = False
            self._view.post_message(Say(""))
        named = self.edited if self._names_a_call else None
        new = self._new if self.edited is not None else None
        below = lines.following.item if lines.following is not None else None
        goes_into = self.goes_into(below)
        self.stop()
        before = lines.cursor
        if step:
            goal = lines.index_of_field(step) if skips_lines else None
            if goal is not None:
                self._host.forget_said()
                lines.cursor = goal
            else:
                lines.move(step)
            placed = lines.selected
            following = placed.item if placed is not None and lines.cursor != before else None
            if isinstance(following, Field) and following.begins_by_tab:
                self.start(following)
            elif isinstance(following, Link) and goes_into:
                self._view.post_message(Visit(following.target, begin=True))
            elif step > 0 and self.adds_by_enter(following):
                self.ask_name("")
            elif not skips_lines:
                self._view.post_message(Say(f"{ENDED} Letters are keys now."))
        if new is not None and (said := new.said(is_left=lines.cursor != before)):
            self._view.post_message(Say(said))
        if named is not None:
            self._fill_in_arguments()  # after the cursor has moved, because that clears earlier messages

    def _fill_in_arguments(self) -> None:
        """Give a newly named call the arguments of the last call of the same tool, with empty values."""
        node = self._view.node
        revision = fill_in_arguments(node, self._session.words.vocabulary.last_arguments(text_of(node, "name")))
        if revision is not None:
            self._host.revise(Revise(revision))

    # --- new values ----------------------------------------------------------------------------------------

    def has_field_of(self, change: Change) -> bool:
        """Whether the added value is edited in this form."""
        added = set(change.added)
        stops = [item for item in self._view.form.items if isinstance(item, Stop)]
        return isinstance(next((stop for stop in stops if _is_in(added, stop.node)), None), Field)

    def go_to_new(self, change: Change, *, begin: bool) -> None:
        """Select the line of the added value. With `begin`, edit it, or follow its link."""
        stops = [placed.item for placed in self._view.lines.layout_of_form.placed if isinstance(placed.item, Stop)]
        added = set(change.added)
        new = [stop for stop in stops if _is_new(added, stop.node)]
        empty = next((stop for stop in new if begin and isinstance(stop, Field) and not stop.text), None)
        stop = empty or next(iter(new), None)
        if _is_in(added, self._view.node):
            stop = self._first_field() or stop
        if stop is not None:
            self._view.lines.go_to(stop.key)
        if begin and isinstance(stop, Field) and not self._is_whole(stop) and not (stop.choices and stop.text):
            self.start(stop, is_new=True)
        elif begin and isinstance(stop, Link) and stop.leads_to_a_form:
            self._view.post_message(Visit(stop.target, begin=True))

    def begin(self, *, is_new: bool) -> bool:
        """Edit the first field of a form, whose text typing replaces if the value `is_new`; False if it has none.

        A value that is not new is edited only if it has no more than one field, such as a number or an empty list.
        """
        field = self._first_field() if is_new else self._only_field()
        if field is not None:
            self._view.lines.go_to(field.key)
            self.start(field, is_new=is_new)
        return field is not None

    def _first_field(self) -> Field | None:
        """The field to edit first in a new form: the marked one, else the first empty one, else the first."""
        items = [placed.item for placed in self._view.lines.layout_of_form.placed]
        fields = [item for item in items if isinstance(item, Field) and not self._is_whole(item)]
        begins = next((field for field in fields if field.key == self._view.form.begins), None)
        return begins or next((field for field in fields if not field.text), next(iter(fields), None))

    def _only_field(self) -> Field | None:
        fields = [placed.item for placed in self._view.lines.layout_of_form.placed if isinstance(placed.item, Field)]
        return fields[0] if len(fields) == 1 else None

    def _is_whole(self, field: Field) -> bool:
        """Whether a field shows a whole object or list as JSON: a new value in it first needs a name or place."""
        return field.node is self._view.node and self._view.node.is_container

    # --- the form changed ----------------------------------------------------------------------------------

    def complete(self, form: Form) -> None:
        """Find the edited field in a rebuilt form, and insert drafts that have no field in it."""
        self._find_again(form)
        node, keys = self._view.node, {item.key for item in form.items if isinstance(item, Stop)}
        kept = [(at, draft) for at, draft in self._session.drafts.live() if at.node is node and at.key not in keys]
        for at, draft in kept:
            is_whole = at.key == AS_JSON
            called = "draft of the whole value" if is_whole else f"draft of {draft.where}"
            is_outdated = is_whole and draft.is_outdated(shown_text(node))
            form.items.insert(0, HalfTyped(at.key, called, draft.text, node=node, is_outdated=is_outdated))

    def _find_again(self, form: Form) -> None:
        """Find the edited field; close the box if its value is gone."""
        if self.edited is None:
            return
        view = self._view
        fields = [item for item in form.items if isinstance(item, Field)]
        found = next((field for field in fields if field.key == self.edited.key), None) or self._offered_no_more(form)
        if found is None:
            self.edited = None
            view.box.display = False
            view.focus_on(view.lines)
            return
        became_text = found.kind == "string" and self.edited.kind not in ("string", "absent")
        if not became_text or self._new is not None:
            self.edited = found

    def _offered_no_more(self, form: Form) -> Field | None:
        """Put the edited field back into a form that leaves it out because of its size; None if its value is gone."""
        root, edited = self._session.document.root, self.edited
        if root is None or edited is None or edited.again is None:
            return None
        if edited.node is not None and not edited.node.is_in(root):
            return None
        field = edited.again()
        keys = [item.key if isinstance(item, (Stop, Note)) else None for item in form.items]
        if field.key in keys:
            form.items[keys.index(field.key)] = field
        else:
            placed = self._view.lines.layout_of_form.placed
            form.items.insert(next((n for n, each in enumerate(placed) if each.item is edited), len(keys)), field)
        return field

    def show_undone(self) -> None:
        """Show the current text or draft of the edited field after an undo, redo or fix."""
        if self.edited is None:
            return
        draft, box = self._session.drafts.get(self._view.node, self.edited.key), self._view.box
        self._since = self._session.document.history.point()
        text = draft.text if draft else self.edited.text
        if box.value != text:
            box.show(text)
        self._remember_written()
        self._view.lay_out()

    # --- the box -------------------------------------------------------------------------------------------

    def wrap_box(self) -> None:
        """Wrap the text of the box for its coming width, so that its height is known at once."""
        placed = self._view.lines.layout_of_form.of(self.edited.key) if self.edited else None
        if placed is not None:
            box = self._view.box
            box.wrapped_document.wrap(placed.width - 1, box.indent_width)

    def box_height(self) -> int:
        """Number of lines of the text, up to the height of the pane."""
        room = self._view.lines.scrollable_content_region.height
        return max(1, min(self._view.box.wrapped_document.height, room - 2))

    @property
    def fits(self) -> bool:
        """Whether the box has the height of its text."""
        return self._height == self.box_height()

    def place_box(self) -> None:
        """Move the box over the value of the field being edited."""
        lines = self._view.lines
        placed = lines.layout_of_form.of(self.edited.key) if self.edited is not None else None
        if placed is None:
            return
        self._height = self.box_height()
        region = lines.region_of(placed.value_top, self._height)
        styles = self._view.box.styles
        styles.offset = (placed.left + 1, region.y + 1)
        styles.width = placed.width
        styles.height = region.height

    # --- writing -------------------------------------------------------------------------------------------

    def _remember_written(self) -> None:
        """Remember that the text of the box is in the document or a draft."""
        self._written = self._view.box.value
        self._line_count = self._view.box.document.line_count

    def write_typed(self) -> None:
        """Write the text of the box. After a burst of keys, the first report already includes all of them."""
        field = self.edited
        if field is None or (text := self._view.box.value) == self._written:
            return
        lines = self._view.box.document.line_count
        self._written = text
        self._said_no_other = False  # the message about the edit follows
        if lines != self._line_count:
            # Each new line begins a new undo step.
            self._line_count = lines
            self._session.document.history.seal()
        at = DraftPlace(self._view.node, field.key)
        draft = self._session.drafts.get(*at)
        if draft is not None and draft.is_outdated(field.text):
            self._keep_draft(at, field, text, _OUTDATED)
            return
        write = self.writer(field)
        try:
            revision = write(text)
        except EditError as error:
            self._keep_draft(at, field, text, str(error))
            return
        # A one-line field may be the name in its own label, so it is read again; long texts are read only once.
        relabel = None if field.block else lambda: write(text).label
        refused = self._host.revise(Revise(revision, merge_key=at, instead_of=at, relabel=relabel))
        if refused:
            self._keep_draft(at, field, text, refused)

    def writer(self, field: Field) -> Write:
        """The function that writes the text of the box."""
        return self._new.write if self._new is not None else field.write

    def _keep_draft(self, at: DraftPlace, field: Field, text: str, problem: str) -> None:
        """Keep invalid text as a draft, and show why it is invalid."""
        where = STEP.join(filter(None, [self._view.form.title, printable(field.label)]))
        draft = FieldDraft(text, problem, where)
        change = self._session.keep_draft(at, draft, self._since, lambda: self._text_now(field))
        self._view.post_message(Say(f"draft, not in the file: {problem}"))
        self._host.apply_change(change)

    def _text_now(self, field: Field) -> str:
        """The text of a field in a form of the document as it is now."""
        items = self._view.outline.form(self._view.node).items
        found = next((item for item in items if isinstance(item, Field) and item.key == field.key), None)
        if found is None and field.again is not None:
            found = field.again()
        return found.text if found is not None else ""


def _is_in(nodes: set[Node], node: Node | None) -> bool:
    """Whether a value is among `nodes` or inside one of them."""
    return node is not None and any(at in nodes for at in (node, *node.ancestors()))


def _is_new(added: set[Node], node: Node | None) -> bool:
    """Whether a value was added, or is a container whose content is all new."""
    if _is_in(added, node):
        return True
    return node is not None and node.is_container and bool(node.items) and added.issuperset(node.items)

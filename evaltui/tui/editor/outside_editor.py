"""Opens a field or value in the person's own editor, and applies the result as one step."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from evaltui.document.document import Change, Document
from evaltui.document.errors import DocumentError
from evaltui.document.layout import Style, lay_out, line_indent, shifted
from evaltui.document.node import Node, parse_value
from evaltui.document.positions import line_and_column
from evaltui.document.value_comparison import edits_between
from evaltui.evalset.editing.revision import Revision
from evaltui.printable import printable
from evaltui.tui.commands import key_of
from evaltui.tui.forms.form import Field, HalfTyped, Link, WhyLine
from evaltui.tui.forms.value_text import shown_text, written_over
from evaltui.tui.key_guards import SecondPress
from evaltui.tui.messages import in_past_tense
from evaltui.tui.open_file.drafts import AS_JSON, DraftPlace, FieldDraft
from evaltui.tui.terminal.external_editor import EditorError, edit_text

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen

_LONGEST_LINE = 100


class NotUsableError(Exception):
    """The text from outside is not a valid value for its place; line and column count from 1."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line, self.column = line, column


@dataclass(frozen=True, slots=True)
class OutsideText:
    """A value to edit in another program."""

    place: DraftPlace
    """The place of a draft of it."""
    called: str
    """Its name for people."""
    file_name: str
    text: bytes
    value: str
    """The text of the value in the document, which `text` may differ from."""
    read: Callable[[bytes], Revision]
    """Makes a revision of the edited text; raises `NotUsableError`."""


def _field_outside(node: Node, field: Field, text: str, called: str) -> OutsideText:
    """A field of the form of `node`, whose current text is `text`."""
    suffix = ".json" if not field.takes_text else ".md" if field.block else ".txt"

    def read(data: bytes) -> Revision:
        if not field.takes_text and data.strip():
            _read_json(data)  # reports line and column
        try:
            typed = data.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            line, column = line_and_column(data[: error.start])
            fault = f"byte 0x{data[error.start]:02X} is not UTF-8"
            raise NotUsableError(f"line {line}, column {column}: {fault}", line, column) from None
        try:
            return written_over(field, typed) if field.one_line else field.write(typed)
        except DocumentError as error:
            raise NotUsableError(str(error)) from None

    # A lone surrogate, which only JSON can spell, is written as its three bytes.
    source = text.encode("utf-8", "surrogatepass")
    place, file_name = DraftPlace(node, field.key), _file_name(field.label or called, suffix)
    return OutsideText(place, called, file_name, source, field.text, read)


def _value_outside(node: Node, called: str) -> OutsideText:
    """Any value as JSON: as in the file without its indent, or on several lines if it is one long line."""
    source = shifted(node.source(), line_indent(node), b"")
    if b"\n" not in source and len(source) > _LONGEST_LINE:
        source = lay_out(parse_value(source), None, Style(), b"")

    def read(data: bytes) -> Revision:
        # Compare the given and the returned text, so that a new layout or spelling is not an edit.
        edits = edits_between(_read_json(source), _read_json(data), node.pointer(), spelling=True)
        return Revision(f"edit {called} as JSON", edits)

    return OutsideText(DraftPlace(node, AS_JSON), called, _file_name(called, ".json"), source, shown_text(node), read)


def _read_json(data: bytes) -> Node:
    """The root of a JSON text. Raises `NotUsableError` with the place of the fault."""
    document = Document(data)
    if document.fault is not None:
        place = document.line_and_column(document.fault.offset)
        raise NotUsableError(f"line {place[0]}, column {place[1]}: invalid JSON: {document.fault.message}", *place)
    assert document.root is not None
    return document.root


def _file_name(called: str, suffix: str) -> str:
    """A short file name that every file system accepts and that shows in the editor what is edited."""
    return (re.sub(r"[^A-Za-z0-9._-]+", "-", called).strip("-.")[-60:].strip("-.") or "value") + suffix


class OutsideEditor:
    """Runs $EDITOR while the app is suspended."""

    def __init__(self, screen: EditScreen) -> None:
        self._screen, self._file, self._panes = screen, screen.file, screen.panes
        self._second_press = SecondPress(screen.file.app)

    def edit_selected(self) -> None:
        """Edit the selected field, or the selected value as JSON, in $VISUAL or $EDITOR."""
        if self._file.readonly:
            self._panes.status.say(self._file.refusal)
            return
        self._panes.form.write_typed()
        if (selected := self._selected_outside()) is None:
            return
        outside, is_whole = selected
        if is_whole and not self._second_press.is_second(outside.called):
            again = key_of("list.edit_outside")
            self._panes.status.say(f"Press {again} again to edit {outside.called} as a whole in $EDITOR.")
            return
        place = outside.place
        draft = self._file.drafts.kept.get(place)
        text = draft.text.encode("utf-8", "surrogatepass") if draft is not None else outside.text
        if draft is not None and draft.is_outdated(outside.value):
            self._screen.reviser.decide(place, outside.value, lambda: self._edit_text_of(outside, text))
        else:
            self._edit_text_of(outside, text)

    def _selected_outside(self) -> tuple[OutsideText, bool] | None:
        """The selected field or value, and whether it stands for the whole pane: its line has no value of its own."""
        panes, form, root = self._panes, self._panes.form, self._file.document.root
        node, is_whole = panes.tree.selected, False
        if panes.current == "form":
            placed = form.lines.selected
            item = form.edited or (placed.item if placed is not None else None)
            if isinstance(item, Field):
                text, called = form.box.value if form.edited else item.text, item.node or form.node
                where = self._file.path_to(called) or printable(item.label) or self._file.file_name
                return _field_outside(form.node, item, text, where), False
            if isinstance(item, WhyLine) and item.target is None:
                panes.status.say(item.nowhere or "This line cannot be edited.")
                return None
            target = (item.value or item.target) if isinstance(item, WhyLine) else None
            node = item.node if isinstance(item, Link) else target or form.node
            is_whole = not isinstance(item, Link | HalfTyped | WhyLine)
        elif panes.current != "tree":
            selected = panes.run.case
            if panes.current == "problems":
                selected = panes.problems.problem.locate()[0] if panes.problems.problem is not None else None
            node, is_whole = selected or panes.outline.root, selected is None
        with suppress(DocumentError):
            if root is not None and root.at(node.pointer()) is node:
                return _value_outside(node, self._file.path_to(node) or self._file.file_name), is_whole
        panes.status.say("This value cannot be edited alone: one of the keys around it is a duplicate.")
        return None

    def _edit_text_of(self, outside: OutsideText, text: bytes, line: int = 1, column: int = 1) -> None:
        """Open `text` in the editor and apply the result, or report what is wrong with it."""
        try:
            with self._file.app.suspend():
                edited, editor, status = edit_text(text, outside.file_name, line, column)
        except SuspendNotSupported:
            self._panes.status.say("$EDITOR cannot run in this terminal.")
            return
        except EditorError as error:
            self._panes.status.say(str(error))
            if text != outside.text:
                self._keep_outside(outside, text, str(error))
            return
        self._file.app.opener_guard.forget()  # the key has opened something, though not in this app
        try:
            self._take_back(outside, edited, editor, status)
        except NotUsableError as error:
            self._ask_what_now(outside, edited, editor, error)

    def _take_back(self, outside: OutsideText, text: bytes, editor: str, status: int) -> None:
        """Apply the edited text as one step. Raises `NotUsableError`."""
        ended = f"was ended by signal {-status}" if status < 0 else f"exited with status {status}" if status else ""
        if text == outside.text:
            if not ended:
                self._forget_outside(outside)
            where = f": {editor} {ended}" if ended else f" in {editor}"
            self._panes.status.say(f"Nothing changed{where}.")
            return
        if ended:
            raise NotUsableError(f"{editor} {ended}; its text was not used")
        revision, history = outside.read(text), self._file.document.history
        remark = f" · {revision.remark}" if revision.remark else ""
        message = f"{in_past_tense(revision.label)} in {editor}{remark}"
        # Sealed on both sides: typing before or after must not merge with this step.
        history.seal()
        moves = history.moves
        if refused := self._screen.reviser.apply(revision, instead_of=outside.place, message=message):
            raise NotUsableError(refused)
        history.seal()
        if self._screen.is_current:
            self._panes.form.editor.show_undone()
        if history.moves == moves or not revision.edits:
            self._panes.status.say(f"Nothing changed: {editor} changed only layout or the order of keys.")

    def _forget_outside(self, outside: OutsideText) -> None:
        self._show_outside(self._file.drop_drafts([outside.place], f"draft of {outside.called}"))

    def _keep_outside(self, outside: OutsideText, text: bytes, problem: str) -> None:
        """Keep the edited text as a draft of the value; $EDITOR opens the draft next time."""
        draft = FieldDraft(text.decode("utf-8", "replace"), problem, outside.called)
        history = self._file.document.history
        history.seal()  # the draft is a step of its own, not a part of the typing before it
        self._show_outside(self._file.keep_draft(outside.place, draft, history.point(), lambda: outside.value))

    def _show_outside(self, change: Change | None) -> None:
        if change is not None:
            self._screen.apply_change(change)
            self._panes.form.editor.show_undone()

    def _ask_what_now(self, outside: OutsideText, text: bytes, editor: str, error: NotUsableError) -> None:
        from evaltui.tui.screens.questions import QuestionDialog

        def answered(answer: str | None) -> None:
            if answer == "again":
                self._edit_text_of(outside, text, error.line, error.column)
            elif answer == "drop":
                self._forget_outside(outside)
                self._panes.status.say(f"Nothing changed: the text from {editor} was dropped.")
            else:
                self._keep_outside(outside, text, str(error))
                self._panes.status.say(f"Kept as a draft: {outside.called}. {key_of('edit_outside')} opens the draft.")

        question = printable(f"{outside.called}:\n{error}.", keep_lines=True)
        self._file.app.push_screen(QuestionDialog("outside", question), answered)

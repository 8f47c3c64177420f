"""Copy, cut and paste of rows in the tree and of values in the form, and the formats of copied values."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, cast

from evaltui.document.errors import EditError
from evaltui.document.layout import line_indent, shifted
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, dataset_turns_of, turns_of
from evaltui.evalset.content_parts import plain_text, words_of
from evaltui.evalset.editing.revision import Copy
from evaltui.evalset.keys import filled, items_of, text_of
from evaltui.printable import as_argument, is_unsafe, json_escaped, without_controls
from evaltui.tui.base_app import BaseApp, Work
from evaltui.tui.commands import key_of
from evaltui.tui.forms.form import Field, WhyLine
from evaltui.tui.forms.value_text import shown_text
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.panes.title_and_status import StatusBar

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen

_NO_VALUE = "This line has no value to copy."
_NO_SELECTOR = "Not copied: the eval_id or the path has control characters. Give the case another eval_id."
_PATIENCE = 3.0
"""Seconds to wait for a clipboard; keys wait, too."""
_TERMINAL_TAKES = 70_000
"""The most characters that terminals accept by OSC 52."""


class Clipboard:
    """Copies to every available clipboard, and pastes the last copy from any of them."""

    def __init__(self, screen: EditScreen) -> None:
        self._screen, self._file, self._panes = screen, screen.file, screen.panes

    # --- copying -------------------------------------------------------------------------------------------

    def copy(self) -> None:
        """Copy the chosen rows as JSON."""
        copies = self._copies_of_chosen()
        if copies is not None:
            self._copy_rows(copies, "copied")

    def cut(self) -> None:
        """Delete the chosen rows and copy them. If they cannot be deleted, say why and copy nothing."""
        chosen, copies = self._screen.row_commands.chosen(), self._copies_of_chosen()
        if copies is not None and self._screen.reviser.try_to(lambda: self._panes.outline.deleting(chosen)):
            self._copy_rows(copies, "cut")
            self._screen.row_commands.clear()

    def _copies_of_chosen(self) -> list[Copy] | None:
        """The chosen rows; None, after a message, if they cannot be copied."""
        try:
            return self._panes.outline.copies(self._screen.row_commands.chosen())
        except EditError as error:
            self._panes.status.say(str(error))
            return None

    def _copy_rows(self, copies: list[Copy], done: str) -> None:
        from evaltui.evalset.editing.row_copies import text_of_copies

        self._file.copied = (json_escaped(text_of_copies(copies)), copies)
        count = f"{len(copies)} {copies[0].kind}{'s' * (len(copies) != 1)}" if copies else "nothing"
        self._copy_text(self._file.copied[0], f"{done} {count}")

    def copy_value(self) -> None:
        """Copy the selected value of the form, or of a line of Why, as JSON."""
        form = self._panes.form
        node, stop = form.selected_value, form.stop
        if node is None:
            self._panes.status.say(_NO_VALUE)
            return
        text = json_escaped(json_of(node))
        side = f"the {stop.row.side} value, " if isinstance(stop, WhyLine) and stop.row is not None else ""
        self._file.copied = (text, [])
        has_draft = stop is not None and self._file.drafts.get(form.node, stop.key) is not None
        beside = ", without the draft" if has_draft else ""
        self._copy_text(text, f"copied {side}{len(text):,} character{'s' * (len(text) != 1)} of JSON{beside}")

    def copy_as(self) -> None:
        """Ask for the format in which to copy the selected row or value."""
        from evaltui.tui.screens.questions import copy_question

        node = self._panes.tree.selected if self._panes.current == "tree" else self._value_to_copy()
        if node is None:
            self._panes.status.say(_NO_VALUE)
            return

        forms = _copy_forms(self._file, node)

        def answered(form: str | None) -> None:
            if form == "selector" and is_unsafe(forms[form]):
                self._panes.status.say(_NO_SELECTOR)
            elif form:
                self._copy_text(forms[form], f"copied the {form}")

        self._file.app.push_screen(copy_question(forms), answered)

    def _value_to_copy(self) -> Node | None:
        """The selected value of the form; on a line without a value, the value of the whole form."""
        form = self._panes.form
        node = form.selected_value
        return node if node is not None or isinstance(form.stop, WhyLine) else form.selected_node

    def _copy_text(self, text: str, message: str) -> None:
        copy_text(self._file.app, self._panes.status, text, message)

    # --- pasting -------------------------------------------------------------------------------------------

    def paste(self, is_before: bool) -> None:
        """Paste the last copy after (or before) the selected row."""
        self._start_paste(partial(self._paste_at, self._panes.tree.selected, is_before))

    def paste_value(self) -> None:
        """Replace the selected value of the form with the last copy."""
        self._start_paste(self._paste_value)

    def paste_text(self, text: str) -> None:
        """Paste a text that came from the terminal."""
        from evaltui.tui.widgets.text_field import unix_breaks

        text = unix_breaks(text)
        if self._panes.current == "form":
            self._replace_value(text)
        else:
            self._paste_rows(text, self._panes.tree.selected, False)

    def _start_paste(self, work: Work) -> None:
        """Start to paste, and hold later keys until it is done."""
        # ^s, for example, must save the pasted rows. A clipboard is read in a thread, because it may be slow.
        self._file.app.input_order.wait_for(self._file.app.run_alone("paste", work))

    async def _paste_at(self, row: Node, is_before: bool) -> None:
        text = await self._copied_last()
        root = self._file.document.root
        if text is not None and root is not None and row.is_in(root):
            self._paste_rows(text or (self._file.copied or ("",))[0], row, is_before)

    async def _paste_value(self) -> None:
        text = await self._copied_last()
        if text is not None:
            self._replace_value(text)

    async def _copied_last(self) -> str | None:
        """The text copied last; "" for none. None, after a message, if no clipboard responds."""
        try:
            return await asyncio.wait_for(self._read_clipboards(), _PATIENCE)
        except TimeoutError:
            self._panes.status.say("The clipboard does not respond. Nothing was pasted.")
            return None

    async def _read_clipboards(self) -> str:
        from evaltui.tui.terminal.system_clipboard import paste_from_anywhere

        await self._file.app.wait_for("copy")
        return await asyncio.to_thread(paste_from_anywhere) or ""

    def _paste_rows(self, text: str, row: Node, is_before: bool) -> None:
        register = self._file.copied
        copies = register[1] if register is not None and register[0].strip() == text.strip() else None
        self._screen.reviser.try_to(lambda: self._panes.outline.pasting(text, copies, row, is_before), goto_new=True)

    def _is_value_copied_here(self, text: str) -> bool:
        """Whether a text is the JSON of a value copied in a form; it is then pasted as that value."""
        register = self._file.copied
        return register is not None and not register[1] and register[0] == text

    def _has_row_of_cases(self, node: Node) -> bool:
        """Whether it is a case, turn, tool call or event: these are pasted in the tree, with fresh ids."""
        case_file = self._file.case_file
        return case_file is not None and case_file.kind(node) in ("case", "turn", "call", "event")

    def _replace_value(self, text: str) -> None:
        """Replace the selected value of the form with a text."""
        from evaltui.tui.forms.outside_text import pasted_over, value_over, written_over

        status, form = self._panes.status, self._panes.form
        stop = form.stop
        if not text:
            status.say("Nothing to paste.")
        elif stop is None or (not isinstance(stop, Field) and stop.node is None):
            status.say("Nothing can be pasted on this line.")
        elif isinstance(stop, Field):
            field, where = stop, self._file.path_to(stop.node or form.node)
            copied_here = self._is_value_copied_here(text)
            self._screen.reviser.try_to(
                lambda: (value_over(field, text, where) if copied_here else None) or written_over(field, text)
            )
        elif self._has_row_of_cases(cast(Node, stop.node)):
            status.say(f"Paste this kind of row in the tree (press {key_of('list.tree')}).")
        else:
            line, where = stop, self._file.path_to(cast(Node, stop.node))
            self._screen.reviser.try_to(lambda: pasted_over(line, text, where))


def copy_text(app: BaseApp, status: StatusBar, text: str, message: str) -> None:
    """Copy a text to every available clipboard, and name them in the status line."""
    # A shell may run what is pasted into it.
    text, left_out = without_controls(text)
    message += f", without {left_out}" if left_out else ""

    async def copy_to_all() -> None:
        from evaltui.tui.terminal.system_clipboard import copy_everywhere

        took = await asyncio.to_thread(copy_everywhere, text)
        if not took and len(text) <= _TERMINAL_TAKES:
            took = ["the terminal, if it supports OSC 52"]
        where = " and ".join(took) or "other evaltui windows only, because the text is too large for a clipboard"
        status.say(f"{message} · to {where}")

    app.run_alone("copy", copy_to_all)


def json_of(node: Node) -> str:
    """The JSON of a value, spelled as in the file, without its indent."""
    source = shifted(node.source(), line_indent(node), b"")
    return source.decode("utf-8", "replace").replace("\r\n", "\n")


def _copy_forms(session: EditedDocument, node: Node) -> dict[str, str]:
    """The formats in which a node can be copied, with their texts."""
    forms = {"JSON": json_escaped(json_of(node))}
    is_of_file = session.reading is None
    if is_of_file and (root := session.document.root) is not None and node.is_in(root):
        forms["pointer"] = node.pointer()
    text = _spoken(session, node)
    if text:
        forms["text"] = text
    eval_set = session.eval_set
    case = eval_set.enclosing(node, "case") if eval_set is not None else None
    if is_of_file and case is not None and text_of(case, "eval_id") and session.document.path is not None:
        forms["selector"] = as_argument(f"{session.document.path}:{text_of(case, 'eval_id')}")
    return forms


def _spoken(session: EditedDocument, node: Node) -> str:
    """The text of a string; for a turn or case, its messages and responses."""
    if node.kind == "string":
        return shown_text(node)
    if session.dataset is not None:
        return _spoken_in_dataset(session.dataset, node)
    kind = session.eval_set.kind(node) if session.eval_set is not None else "value"
    turns = turns_of(node) if kind == "case" else [node] if kind == "turn" else []
    contents = [filled(turn, name) for turn in turns for name in ("user_content", "final_response")]
    return "\n\n".join(filter(None, map(plain_text, contents)))


def _spoken_in_dataset(dataset: CaseFile, node: Node) -> str:
    """The texts of an event, turn or case of a dataset; of a case also prompt and reference."""
    kind = dataset.kind(node)
    turns = dataset_turns_of(node) if kind == "case" else [node] if kind == "turn" else []
    events = [event for turn in turns for event in items_of(turn, "events")]
    contents = [filled(event, "content") for event in ([node] if kind == "event" else events)]
    if kind == "case":
        contents = [filled(node, "prompt"), *contents, filled(filled(node, "reference"), "response")]
    return "\n\n".join(filter(None, map(words_of, contents)))

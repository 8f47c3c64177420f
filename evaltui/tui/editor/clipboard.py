"""Copy, cut and paste of rows in the tree and of values in the form, and the formats of copied values."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from evaltui.document.errors import EditError
from evaltui.document.layout import line_indent, shifted
from evaltui.document.node import Node
from evaltui.evalset.content_parts import plain_text, words_of
from evaltui.evalset.editing.row_copies import text_of_copies
from evaltui.evalset.keys import filled, items_of, text_of
from evaltui.printable import as_argument, is_unsafe, json_escaped, without_controls
from evaltui.tui.base_app import BaseApp
from evaltui.tui.commands import key_of
from evaltui.tui.forms.form import Field, WhyLine, value_of
from evaltui.tui.forms.value_text import pasted_into, pasted_over, shown_text
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.terminal.system_clipboard import copy_everywhere, paste_from_anywhere
from evaltui.tui.widgets.text_field import unix_breaks

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

    def copy_rows(self, done: Literal["copied", "cut"]) -> None:
        """Copy the chosen rows as JSON; to cut them, delete them first. If that fails, say why and copy nothing."""
        chosen, outline = self._screen.row_commands.chosen(), self._panes.outline
        try:
            copies = outline.copies(chosen)
        except EditError as error:
            self._panes.status.say(str(error))
            return
        if done == "cut":
            if not self._screen.reviser.try_to(lambda: outline.deleting(chosen)):
                return
            self._file.marked.clear()
        text = json_escaped(text_of_copies(copies))
        self._file.copied = text, copies
        count = f"{len(copies)} {copies[0].kind}{'s' * (len(copies) != 1)}" if copies else "nothing"
        copy_text(self._file.app, self._panes.status, text, f"{done} {count}")

    def copy_value(self) -> None:
        """Copy the selected value of the form, or of a line of Why, as JSON."""
        form = self._panes.form
        node, stop = value_of(form.stop), form.stop
        if node is None:
            self._panes.status.say(_NO_VALUE)
            return
        text = json_escaped(json_of(node))
        side = f"the {stop.row.side} value, " if isinstance(stop, WhyLine) and stop.row is not None else ""
        self._file.copied = (text, [])
        has_draft = stop is not None and (form.node, stop.key) in self._file.drafts.kept
        beside = ", without the draft" if has_draft else ""
        message = f"copied {side}{len(text):,} character{'s' * (len(text) != 1)} of JSON{beside}"
        copy_text(self._file.app, self._panes.status, text, message)

    def copy_as(self) -> None:
        """Ask for the format in which to copy the selected row or value."""
        from evaltui.tui.screens.questions import copy_question

        panes, form = self._panes, self._panes.form
        node = panes.tree.selected if panes.current == "tree" else value_of(form.stop)
        if node is None and panes.current != "tree" and not isinstance(form.stop, WhyLine):
            node = (form.stop.node if isinstance(form.stop, Field) else None) or form.node
        if node is None:
            panes.status.say(_NO_VALUE)
            return
        file, root = self._file, self._file.document.root
        forms = {"JSON": json_escaped(json_of(node))}
        if file.reading is None and root is not None and node.is_in(root):
            forms["pointer"] = node.pointer()
        if text := _spoken(file, node):
            forms["text"] = text
        case = file.eval_set.enclosing(node, "case") if file.eval_set is not None and file.reading is None else None
        if case is not None and text_of(case, "eval_id") and file.document.path is not None:
            forms["selector"] = as_argument(f"{file.document.path}:{text_of(case, 'eval_id')}")

        def answered(name: str | None) -> None:
            if name == "selector" and is_unsafe(forms[name]):
                panes.status.say(_NO_SELECTOR)
            elif name:
                copy_text(self._file.app, panes.status, forms[name], f"copied the {name}")

        self._file.app.push_screen(copy_question(forms), answered)

    # --- pasting -------------------------------------------------------------------------------------------

    def paste(self, is_before: bool) -> None:
        """Paste the last copy after (or before) the selected row."""
        row = self._panes.tree.selected

        def put(text: str) -> None:
            root = self._file.document.root
            if root is not None and row.is_in(root):
                self._paste_rows(text or (self._file.copied or ("",))[0], row, is_before)

        self._read_and(put)

    def paste_value(self) -> None:
        """Replace the selected value of the form with the last copy."""
        self._read_and(self._replace_value)

    def paste_text(self, text: str) -> None:
        """Paste a text that came from the terminal."""
        if self._panes.current == "form":
            self._replace_value(unix_breaks(text))
        else:
            self._paste_rows(unix_breaks(text), self._panes.tree.selected, False)

    def _read_and(self, put: Callable[[str], None]) -> None:
        """Read the text copied last, "" for none, then `put` it."""

        async def read_and_put() -> None:
            try:
                async with asyncio.timeout(_PATIENCE):
                    await self._file.app.wait_for("copy")
                    text = await asyncio.to_thread(paste_from_anywhere) or ""  # in a thread, because it may be slow
            except TimeoutError:
                self._panes.status.say("The clipboard does not respond. Nothing was pasted.")
            else:
                put(text)

        # Later keys wait until it is done: ^s, for example, must save the pasted rows.
        self._file.app.input_order.awaited = self._file.app.run_alone("paste", read_and_put)

    def _paste_rows(self, text: str, row: Node, is_before: bool) -> None:
        register = self._file.copied
        copies = register[1] if register is not None and register[0].strip() == text.strip() else None
        self._screen.reviser.try_to(lambda: self._panes.outline.pasting(text, copies, row, is_before), goto_new=True)

    def _replace_value(self, text: str) -> None:
        file, status, form = self._file, self._panes.status, self._panes.form
        register, case_file, stop = file.copied, file.case_file, form.stop
        node = stop.node if stop is not None else None
        if not text:
            status.say("Nothing to paste.")
        elif isinstance(stop, Field):
            field, where = stop, file.path_to(node or form.node)
            # The JSON of a value that was copied in a form is pasted as that value.
            is_value = register is not None and not register[1] and register[0] == text
            self._screen.reviser.try_to(lambda: pasted_into(field, text, where, is_value=is_value))
        elif stop is None or node is None:
            status.say("Nothing can be pasted on this line.")
        elif case_file is not None and case_file.kind(node) in ("case", "turn", "call", "event"):
            # In the tree they get fresh ids.
            status.say(f"Paste this kind of row in the tree (press {key_of('list.tree')}).")
        else:
            line, where = stop, file.path_to(node)
            self._screen.reviser.try_to(lambda: pasted_over(line, text, where))


def copy_text(app: BaseApp, status: StatusBar, text: str, message: str) -> None:
    """Copy a text to every available clipboard, and name them in the status line."""
    # A shell may run what is pasted into it.
    text, left_out = without_controls(text)
    message += f", without {left_out}" if left_out else ""
    fits_terminal = len(text) <= _TERMINAL_TAKES
    if fits_terminal:
        app.copy_to_clipboard(text)

    async def copy_to_all() -> None:
        took = await asyncio.to_thread(copy_everywhere, text)
        if not took and fits_terminal:
            took = ["the terminal, if it supports OSC 52"]
        where = " and ".join(took) or "other evaltui windows only, because the text is too large for a clipboard"
        status.say(f"{message} · to {where}")

    app.run_alone("copy", copy_to_all)


def json_of(node: Node) -> str:
    """The JSON of a value, spelled as in the file, without its indent."""
    source = shifted(node.source(), line_indent(node), b"")
    return source.decode("utf-8", "replace").replace("\r\n", "\n")


def _spoken(file: EditedDocument, node: Node) -> str:
    """The text of a string; of a turn, case or event its messages, of a dataset case also prompt and reference."""
    if node.kind == "string":
        return shown_text(node)
    if (case_file := file.case_file) is None:
        return ""
    kind = case_file.kind(node)
    turns = case_file.turns(node) if kind == "case" else [node] if kind == "turn" else []
    if not case_file.is_dataset:
        contents = [filled(turn, name) for turn in turns for name in ("user_content", "final_response")]
        return "\n\n".join(filter(None, map(plain_text, contents)))
    events = [event for turn in turns for event in items_of(turn, "events")]
    contents = [filled(event, "content") for event in ([node] if kind == "event" else events)]
    if kind == "case":
        contents = [filled(node, "prompt"), *contents, filled(filled(node, "reference"), "response")]
    return "\n\n".join(filter(None, map(words_of, contents)))

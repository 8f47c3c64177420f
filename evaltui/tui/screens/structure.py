"""Rows as things: marked, cloned, moved, deleted, copied, cut and pasted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from textual import on, work
from textual.worker import Worker

from evaltui.document import DocumentError, EditError, Node
from evaltui.document.ordering import in_order
from evaltui.evalset.editing.revision import Revision
from evaltui.tui.commands import key_of
from evaltui.tui.forms.copying import json_of
from evaltui.tui.forms.form import Field, Told
from evaltui.tui.line_breaks import unix_breaks
from evaltui.tui.panes.requests import Dragged, PasteText, Revise
from evaltui.tui.screens.panes_screen import PanesScreen

if TYPE_CHECKING:
    from evaltui.tui.input_order import InputInOrder

_NO_VALUE = "This line has no value to copy."
_PATIENCE = 3.0
"""Seconds for a clipboard, for which keys wait."""
_TERMINAL_TAKES = 70_000
"""Characters up to which terminals take a text by OSC 52."""


class Structure(PanesScreen):
    """The part of the edit screen that arranges rows."""

    def chosen(self) -> list[Node]:
        """The marked rows in their order, else the selected one."""
        root = self.session.document.root
        marked = in_order(self.session.marked, root) if root is not None else []
        return marked or [self.tree_pane.selected]

    def _do(self, made: Callable[[], Revision], *, goto_new: bool = False) -> bool:
        """Do the revision that is made; say why where it cannot be."""
        try:
            revision = made()
        except DocumentError as error:
            self.status.say(str(error))
            return False
        self.revise(Revise(revision, goto_new=goto_new))
        return True

    # --- marks ---------------------------------------------------------------------------------------------

    def action_mark(self) -> None:
        """Mark the selected row or take its mark away, and go on to the next."""
        tree = self.tree_pane
        self.session.toggle_mark(tree.selected)
        tree.refresh_row(tree.cursor)
        tree.action_move(1)
        self._say_marked()

    def action_mark_range(self) -> None:
        """Mark all rows of the selected row's depth from the last marked one to here."""
        tree = self.tree_pane
        last = tree.rows.index(next(reversed(self.session.marked), tree.selected))
        first, final = sorted((last if last is not None else tree.cursor, tree.cursor))
        depth = tree.rows.depths[tree.cursor]
        for row in range(first, final + 1):
            if tree.rows.depths[row] == depth:
                self.session.marked.setdefault(tree.rows.nodes[row])
        tree.refresh()
        self._say_marked()

    def unmark(self) -> bool:
        """Take all marks away; False where there are none."""
        had = bool(self.session.marked)
        self.session.marked.clear()
        if had:
            self.tree_pane.refresh()
            self._say_marked()
        return had

    def _say_marked(self) -> None:
        count = len(self.session.marked)
        self.status.say(f"{count:,} marked" if count else "nothing is marked", "esc unmarks" if count else "")

    # --- arranging -----------------------------------------------------------------------------------------

    def action_delete_rows(self) -> None:
        """Delete the chosen rows."""
        chosen = self.chosen()
        if self._do(lambda: self.outline.deleting(chosen)):
            self.session.marked.clear()

    def action_clone(self) -> None:
        """Put copies of the chosen rows behind them."""
        chosen = self.chosen()
        self._do(lambda: self.outline.cloning(chosen), goto_new=True)

    def action_shift(self, step: int) -> None:
        """Move the chosen rows up or down in their list."""
        chosen = self.chosen()
        try:
            revision = self.outline.shifting(chosen, step)
        except EditError as error:
            self.status.say(str(error))
            return
        if revision.edits:
            # A member of an object that moves is another node then; an item of a list stays the same.
            self.revise(Revise(revision, goto_new=bool(chosen[0].key)))
        else:
            self.status.say("It is the first of its list." if step < 0 else "It is the last of its list.")

    @on(Dragged)
    def _dragged(self, event: Dragged) -> None:
        chosen = self.chosen() if event.node in self.session.marked else [event.node]
        if self._do(lambda: self.outline.dragging(chosen, event.target)):
            self.tree_pane.go_to(event.node)

    # --- clipboard -----------------------------------------------------------------------------------------

    def action_copy(self) -> None:
        """Copy the chosen rows as JSON."""
        self._copy_rows("copied")

    def action_cut(self) -> None:
        """Copy the chosen rows, then delete them."""
        chosen = self.chosen()
        if self._copy_rows("cut") and self._do(lambda: self.outline.deleting(chosen)):
            self.session.marked.clear()

    def _copy_rows(self, done: str) -> bool:
        from evaltui.evalset.editing.pasted_values import text_of_copies

        try:
            copies = self.outline.copies(self.chosen())
        except EditError as error:
            self.status.say(str(error))
            return False
        self.session.register = (text_of_copies(copies), copies)
        count = f"{len(copies)} {copies[0].kind}{'s' * (len(copies) != 1)}" if copies else "nothing"
        self.copy_text(self.session.register[0], f"{done} {count}")
        return True

    def copy_text(self, text: str, said: str) -> None:
        """Give a text to every clipboard there is, and say which took it."""
        if len(text) <= _TERMINAL_TAKES:
            self.app.copy_to_clipboard(text.encode("utf-8", "replace").decode())

        self.status.say(said)
        self._copy_everywhere(text, said)

    @work(exclusive=True, group="copy")
    async def _copy_everywhere(self, text: str, said: str) -> None:
        from evaltui.tui.clipboard import copy_everywhere

        took = await asyncio.to_thread(copy_everywhere, text)
        if not took and len(text) <= _TERMINAL_TAKES:
            took = ["the terminal, if it allows that (OSC 52)"]
        where = " and ".join(took) or "other evaltuis only: no clipboard takes so much"
        self.status.say(f"{said} · to {where}")

    def action_paste(self, before: bool) -> None:
        """Paste what was copied last behind (or before) the selected row."""
        self._before_more_input(self._paste_rows(self.tree_pane.selected, before))

    def _before_more_input(self, worker: Worker[None]) -> None:
        """A key behind the one that pastes acts on what was pasted: ^s saves it."""
        cast("InputInOrder", self.app).let_input_wait_for(worker)

    async def _clipboard(self) -> str | None:
        """What was copied last; "" for nothing, None where no answer comes, which is said."""
        try:
            return await asyncio.wait_for(self._copied_last(), _PATIENCE)
        except TimeoutError:
            self.status.say("The clipboard does not answer: nothing was pasted.")
            return None

    async def _copied_last(self) -> str:
        from evaltui.tui.clipboard import paste_from_anywhere

        copying = [worker for worker in self.app.workers if worker.group == "copy" and not worker.is_finished]
        await asyncio.gather(*(worker.wait() for worker in copying), return_exceptions=True)
        return await asyncio.to_thread(paste_from_anywhere) or ""

    @work(exclusive=True, group="paste")
    async def _paste_rows(self, at: Node, before: bool) -> None:
        text = await self._clipboard()
        root = self.session.document.root
        if text is not None and root is not None and at.is_in(root):
            self._paste(text or (self.session.register or ("",))[0], at, before)

    @on(PasteText)
    def _pasted(self, event: PasteText) -> None:
        if self.pane == "form":
            self._replace_value(unix_breaks(event.text))
        else:
            self._paste(unix_breaks(event.text), self.tree_pane.selected, False)

    def _paste(self, text: str, at: Node, before: bool) -> None:
        register = self.session.register
        copies = register[1] if register is not None and register[0].strip() == text.strip() else None
        self._do(lambda: self.outline.pasting(text, copies, at, before), goto_new=True)

    def action_copy_as(self) -> None:
        """Ask in which form to copy the selected row."""
        from evaltui.tui.screens.copy_dialog import CopyDialog

        node = self.tree_pane.selected if self.pane == "tree" else self._value_to_copy()
        if node is None:
            self.status.say(_NO_VALUE)
            return

        def answered(form: tuple[str, str] | None) -> None:
            if form is not None:
                self.copy_text(form[1], f"copied the {form[0]}")

        self.app.push_screen(CopyDialog(self.session, node), answered)

    # --- values in the form --------------------------------------------------------------------------------

    def action_copy_value(self) -> None:
        """Copy the selected value of the form, or the value that a line of Why is about, as JSON."""
        node, stop = self.form_pane.selected_value, self.form_pane.stop
        if node is None:
            self.status.say(_NO_VALUE)
            return
        text = json_of(node)
        side = f"the {stop.side} value, " if isinstance(stop, Told) else ""
        self.session.register = (text, [])
        has_draft = stop is not None and self.session.drafts.get(self.form_pane.node, stop.key) is not None
        beside = ", without the draft" if has_draft else ""
        self.copy_text(text, f"copied {side}{len(text):,} character{'s' * (len(text) != 1)} of JSON{beside}")

    def _value_to_copy(self) -> Node | None:
        """The selected value of the form; on a line of no value in particular, the one that the form is about."""
        stop = self.form_pane.stop
        node = self.form_pane.selected_value
        return node if node is not None or isinstance(stop, Told) else self.form_pane.selected_node

    def action_paste_value(self) -> None:
        """Put what was copied last in the place of the selected value of the form."""
        self._before_more_input(self._paste_value())

    @work(exclusive=True, group="paste")
    async def _paste_value(self) -> None:
        text = await self._clipboard()
        if text is not None:
            self._replace_value(text)

    def _is_value_copied_here(self, text: str) -> bool:
        """Whether a text is the JSON of a value that was copied in a form: it is pasted as that value."""
        register = self.session.register
        return register is not None and not register[1] and register[0] == text

    def _has_row_of_cases(self, node: Node) -> bool:
        """Whether it is a case, turn or tool call, which are pasted with ids of their own."""
        eval_set = self.session.eval_set
        return eval_set is not None and eval_set.kind(node) in ("case", "turn", "call")

    def _replace_value(self, text: str) -> None:
        """Put a text in the place of the selected value of the form."""
        from evaltui.tui.forms.pasting import pasted_over, value_over, written_over

        stop = self.form_pane.stop
        if not text:
            self.status.say("There is nothing to paste.")
        elif stop is None or (not isinstance(stop, Field) and stop.node is None):
            self.status.say("This line takes no value.")
        elif isinstance(stop, Field):
            field, where = stop, self.session.path_to(stop.node or self.form_pane.node)
            copied_here = self._is_value_copied_here(text)
            self._do(lambda: (value_over(field, text, where) if copied_here else None) or written_over(field, text))
        elif self._has_row_of_cases(cast(Node, stop.node)):
            self.status.say(f"Rows like this one are pasted in the tree: {key_of('list.tree')} goes there.")
        else:
            line, where = stop, self.session.path_to(cast(Node, stop.node))
            self._do(lambda: pasted_over(line, text, where))

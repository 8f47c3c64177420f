"""Going back to what is on disk: the whole file, or one case."""

from __future__ import annotations

from collections.abc import Callable

from evaltui.document.document import Change, Document
from evaltui.document.node import Node
from evaltui.evalset.set_views import EvalSetView
from evaltui.evalset.titles import case_title
from evaltui.tui.commands import key_of
from evaltui.tui.editor.open_file import OpenFile
from evaltui.tui.editor.panes import Panes
from evaltui.tui.messages import undo_said
from evaltui.tui.session.session import READ_ONLY


class Reloader:
    """Reads the file again when asked, and reverts a case to it."""

    def __init__(self, file: OpenFile, panes: Panes, show: Callable[[Change], None]) -> None:
        self._file = file
        self._session = file.session
        self._panes = panes
        self._show = show

    def action_reload(self) -> None:
        """Read the file again; ask first where something is unsaved."""
        self._panes.form.write_typed()
        if self._session.document.is_new:
            self._panes.status.say(f"This file is not on disk yet. {key_of('save')} saves it.")
        elif not self._session.document.is_dirty or self._file.saver.saves_everything():
            self._file.disk.look(asked=True)
        else:
            from evaltui.tui.screens.questions import reload_question

            def answered(answer: str | None) -> None:
                if answer in ("discard", "merge"):
                    self._file.disk.look(asked=True, discarding=answer == "discard")

            self._file.stage.ask(reload_question(self._session.file_name), answered)

    def action_revert_case(self) -> None:
        """Take the case of the selected row back to what is on disk, as one step."""
        from evaltui.evalset.merge.identity import paired

        status, eval_set = self._panes.status, self._session.eval_set
        case = eval_set.enclosing(self._panes.tree.selected, "case") if eval_set is not None else None
        if self._session.readonly:
            status.say(READ_ONLY)
        elif eval_set is None or case is None:
            status.say("Select a case to revert it to the file on disk.")
        else:
            document, name = self._session.document, case_title(case)
            source = _on_disk(document, eval_set, case)
            if source is None:
                status.say(f"{name} is not on disk. {key_of('tree.delete')} deletes it.")
                return
            change = document.restore(case, source, paired, f"revert {name} to the file on disk")
            if change is None:
                status.say(f"{name} has no unsaved changes.")
                return
            status.say(f"reverted {name} to the file on disk", undo_said())
            self._show(change)


def _on_disk(document: Document, eval_set: EvalSetView, case: Node) -> bytes | None:
    """The bytes of a case as they were last read or written; None where it was not there."""
    from evaltui.evalset.merge.identity import pair_items

    root = Document(document.base).root if document.base is not None else None
    if root is None:
        return None
    before = EvalSetView(root).cases
    index = pair_items(before, eval_set.cases, "eval_id")[eval_set.cases.index(case)]
    return before[index].source() if index is not None else None

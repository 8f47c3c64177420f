"""Save as, save a copy, reload, merge, and one case back to what is on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual.worker import Worker, WorkerState

from evaltui.document import Document, SaveError
from evaltui.document.file_replacement import Saved, save_file
from evaltui.evalset.eval_set import EvalSet
from evaltui.evalset.titles import case_title
from evaltui.files.typed_paths import file_to_write
from evaltui.printable import printable
from evaltui.tui.commands import key_of
from evaltui.tui.screens.saving import Saving
from evaltui.tui.session import READ_ONLY
from evaltui.tui.step_words import undo_said


class SavingElsewhere(Saving):
    """The part of the edit screen that writes other files and goes back to what is on disk."""

    _after_writing: Callable[[Saved], None]

    def action_save_as(self) -> None:
        """Ask for a name, save there and go on there."""
        if self.session.readonly:
            self.status.say(READ_ONLY)
            return
        self._ask_where("Save as", self._first_elsewhere.save_as)

    def action_save_copy(self) -> None:
        """Ask for a name and write a copy there."""
        self._ask_where("Save a copy as", self._first_elsewhere.save_copy)

    @property
    def _first_elsewhere(self) -> SavingElsewhere:
        first = self._first
        assert isinstance(first, SavingElsewhere)
        return first

    def _ask_where(self, question: str, then: Callable[[Path], None]) -> None:
        from evaltui.tui.screens.name_dialog import NameDialog

        path = Path()

        def check(name: str) -> None:
            nonlocal path
            path = file_to_write(name)

        def answered(name: str | None) -> None:
            if name is not None:
                then(path)

        present = str(self.session.document.path or "")
        self.app.push_screen(NameDialog(question, present, check, is_path=True), answered)

    def save_as(self, path: Path) -> None:
        """Write to another file, which is this document's from then on."""
        document = self.session.document
        document.history.settle()
        point = document.history.point()

        def written(saved: Saved) -> None:
            document.move_to(path, saved, point)
            self.session.after_move()
            disk = self.session.disk
            disk.trouble, disk.is_lost, disk.waits = "", False, False
            if self._watch is not None:
                self.watch_disk()
            drafts = self.session.drafts.said()
            self.tell(" · ".join(filter(None, [f"saved as {printable(str(path))}", drafts])))
            self.score_saved(elsewhere=True)

        self._write_elsewhere(path, written, document.history.moves)

    def save_copy(self, path: Path) -> None:
        """Write to another file; this document stays what it is."""
        self._write_elsewhere(path, lambda _: self.tell(f"saved a copy as {printable(str(path))}"))

    def _write_elsewhere(self, path: Path, then: Callable[[Saved], None], moves: int | None = None) -> None:
        """Write in a thread; `moves` of the history are saved by that, None for a copy."""
        if self.session.saving:
            self.tell("Another save is still running. Save again when it is done.")
            return
        data = self.session.document.to_bytes()
        self.session.saving, self._moves_saved = True, moves
        self.tell(None)
        self._after_writing = then

        def write() -> Saved | SaveError:
            try:
                return save_file(path, data, None)
            except SaveError as error:
                return error

        self.run_worker(write, thread=True, exclusive=True, group="save elsewhere", name="save elsewhere")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """The thread is done."""
        if event.worker.group != "save elsewhere" or event.state not in (WorkerState.SUCCESS, WorkerState.ERROR):
            return
        event.stop()
        self.session.saving = False
        result = event.worker.result
        if isinstance(result, Saved):
            self._after_writing(result)
        else:
            self.tell(f"NOT SAVED: {result}" if result else "NOT SAVED: writing the file failed")
        self.save_again(isinstance(result, Saved))
        self.leave_after_save(isinstance(result, Saved))
        self.look_again()

    # --- back to what is on disk ---------------------------------------------------------------------------

    def action_reload(self) -> None:
        """Read the file again; ask first where something is unsaved."""
        self.form_pane.write_typed()
        first = self._first
        if self.session.document.is_new:
            self.status.say(f"This file is not on disk yet. {key_of('save')} saves it.")
        elif not self.session.document.is_dirty or first.saves_everything():
            first.look_at_disk(asked=True)
        else:
            from evaltui.tui.screens.reload_question import ReloadQuestion

            def answered(answer: str | None) -> None:
                if answer in ("discard", "merge"):
                    first.look_at_disk(asked=True, discarding=answer == "discard")

            self.app.push_screen(ReloadQuestion(self.session.file_name), answered)

    def action_merge(self) -> None:
        """Merge with what is on disk, and decide what conflicts."""
        self._first.look_at_disk(asked=True)

    def action_revert_case(self) -> None:
        """Take the case of the selected row back to what is on disk, as one step."""
        from evaltui.evalset.merge.identity import paired

        document, eval_set, selected = self.session.document, self.session.eval_set, self.tree_pane.selected
        case = eval_set.enclosing(selected, "case") if eval_set is not None else None
        if self.session.readonly:
            self.status.say(READ_ONLY)
        elif eval_set is None or case is None:
            self.status.say("Select a case to revert it to the file on disk.")
        else:
            source = _on_disk(document, eval_set, case)
            if source is None:
                self.status.say(f"{case_title(case)} is not on disk. {key_of('tree.delete')} deletes it.")
                return
            name = case_title(case)
            change = document.restore(case, source, paired, f"revert {name} to the file on disk")
            if change is None:
                self.status.say(f"{name} has no unsaved changes.")
                return
            self.status.say(f"reverted {name} to the file on disk", undo_said())
            self.apply_change(change)


def _on_disk(document: Document, eval_set: EvalSet, case: object) -> bytes | None:
    """The bytes of a case as they were last read or written; None where it was not there."""
    from evaltui.evalset.merge.identity import pair_items

    root = Document(document.base).root if document.base is not None else None
    if root is None:
        return None
    before = EvalSet(root).cases
    index = pair_items(before, eval_set.cases, "eval_id")[eval_set.cases.index(case)]  # type: ignore[arg-type]
    return before[index].source() if index is not None else None

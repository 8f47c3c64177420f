"""Saves under another name, or writes a copy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from evaltui.document.disk.file_replacement import Saved, save_file
from evaltui.file_access import exists
from evaltui.files.typed_paths import file_to_write
from evaltui.printable import printable
from evaltui.tui.editor.saver import SaveJob, Saver
from evaltui.tui.editor.stage import Stage
from evaltui.tui.messages import sentences
from evaltui.tui.session.session import Session


class SaveAs:
    """Asks for a path and has the `Saver` write there."""

    def __init__(self, session: Session, saver: Saver, stage: Stage, moved: Callable[[], None]) -> None:
        """`moved` is called when the document has another path."""
        self._session = session
        self._saver = saver
        self._stage = stage
        self._moved = moved

    def ask_to_save_as(self) -> None:
        """Ask for a path, save there, and edit that file from now on."""
        if self._session.readonly:
            self._stage.say(self._session.refusal)
            return
        self._ask_where("Save as", self.save_as)

    def ask_to_save_copy(self) -> None:
        """Ask for a path and write a copy there."""
        if self._session.reading is not None:
            self._stage.say(self._session.refusal)
            return
        self._ask_where("Save a copy as", self.save_copy)

    def _ask_where(self, question: str, then: Callable[[Path], None]) -> None:
        from evaltui.tui.screens.name_dialog import NameDialog

        path = Path()

        def check(name: str) -> None:
            nonlocal path
            path = file_to_write(name)

        def answered(name: str | None) -> None:
            if name is not None:
                then(path)

        present = str(self._session.document.path or "")
        self._stage.ask(NameDialog(question, present, check, is_path=True), answered)

    def save_as(self, path: Path) -> None:
        """Write to another path, which the document has from then on."""
        document = self._session.document
        document.history.settle()
        point, moves = document.history.point(), document.history.moves
        before, accepted = document.path, self._session.decisions.accepted()
        saved_as = f"Saved as {self._shown(path)}"

        def done(saved: Saved) -> str:
            document.move_to(path, saved, point)
            carried = self._session.decisions.carry_over(before)
            self._session.decisions.mark_saved(accepted)
            self._session.after_move()
            disk = self._session.disk
            disk.trouble, disk.is_lost, disk.waits = "", False, False
            self._moved()
            return sentences(saved_as, [carried, self._session.drafts.said(), self._session.said_trial()])

        self._write(path, done, lambda: moves == document.history.moves, is_elsewhere=True)

    def save_copy(self, path: Path) -> None:
        """Write to another path; the document keeps its own."""
        sidecar = self._session.decisions.sidecar
        has_decisions = sidecar is not None and exists(sidecar.path)
        left_behind = f"the review decisions stay with {self._session.file_name}" if has_decisions else ""
        said = sentences(f"Saved a copy as {self._shown(path)}", [left_behind])
        self._write(path, lambda _: said, lambda: False, is_elsewhere=False)

    def _shown(self, path: Path) -> str:
        """The path as it was typed, or with all its folders if the file now lies in another one."""
        here = self._session.document.path
        is_elsewhere = here is not None and path.parent.absolute() != here.parent.absolute()
        return printable(str(path.absolute() if is_elsewhere else path))

    def _write(
        self, path: Path, done: Callable[[Saved], str], covers_all: Callable[[], bool], *, is_elsewhere: bool
    ) -> None:
        if self._session.saving:
            self._stage.tell("Another save is still running. Save again when it is done.")
            return
        data = self._session.document.to_bytes()
        job = SaveJob(lambda: save_file(path, data, None), done, covers_all, is_elsewhere, not is_elsewhere)
        self._saver.write(job)

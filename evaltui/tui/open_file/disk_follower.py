"""Follows the file on disk: changes of others are reloaded, or merged with the changes made here.

Nothing changes under the person's hands: while a field is edited or a question is open, a change on disk waits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from textual.message import Message

from evaltui.document.document import Document
from evaltui.document.errors import MissingFileError, ReadError, UnreachableError
from evaltui.evalset.file_formats import is_eval_set
from evaltui.evalset.keys import items_of
from evaltui.file_access import exists
from evaltui.files.file_signatures import read_settled
from evaltui.files.source_watch import SourceWatch, signs_of_file
from evaltui.tui.base_app import OpenNext
from evaltui.tui.commands import key_of
from evaltui.tui.messages import undo_said

if TYPE_CHECKING:
    from evaltui.evalset.merge.changed_file import Reread
    from evaltui.evalset.merge.three_way import ConflictChoice
    from evaltui.tui.open_file.open_file import OpenFile
    from evaltui.tui.open_file.saver import SaveEnd
    from evaltui.tui.screens.conflict_screen import Answer

Result = TypeVar("Result")


class DiskTouched(Message):
    """The file may have changed on disk."""


class DiskFollower:
    """Compares the file with the open text whenever it was touched; threads read and compare."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self._watch: SourceWatch | None = None
        self._is_wanted_again = False
        """Whether the file was touched again while it was read or written."""
        self._is_asked_again = False
        """Whether the person waits for that second look."""

    # --- watching ------------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Follow the file, or another one, from now on."""
        self.stop()
        if self._file.document.path is not None:
            path = self._file.document.path.absolute()
            # The first look counts, too: the file may have changed since it was read.
            self._watch = SourceWatch(lambda: signs_of_file(path), lambda _: self._file.app.post_message(DiskTouched()))
            self._watch.start()

    def follow_moved(self) -> None:
        """The document has another path: follow that, if any file was followed."""
        if self._watch is not None:
            self.follow()

    def stop(self) -> None:
        """Stop following the file."""
        if self._watch is not None:
            self._watch.stop()

    def look_if_waiting(self) -> None:
        """A field was left or a dialog closed: look at the disk if a look was waiting."""
        if self._file.disk_state.waits and self._file.may_move:
            self._file.disk_state.waits = False
            self._file.app.post_message(DiskTouched())

    def save_ended(self, end: SaveEnd) -> None:
        """Look at the disk if the save was refused because of it, or if the file was touched meanwhile."""
        if end.was_refused:
            self.look(asked=True)
        self._look_again()

    # --- reading -------------------------------------------------------------------------------------------

    def look(self, *, asked: bool = False, discarding: bool = False) -> None:
        """Read the file in a thread. `asked`: the person waits for it. `discarding`: drop unsaved changes."""
        file, path = self._file, self._file.document.path
        if file.saving or file.disk_state.reading:
            self._is_wanted_again, self._is_asked_again = True, self._is_asked_again or asked
            return
        asked = asked or self._is_asked_again
        self._is_wanted_again = self._is_asked_again = False
        if path is None or file.document.root is None:
            return
        if file.reading is not None:
            self._look_at_source(path, file.reading.source)
            return
        is_new = file.document.is_new

        def read() -> bytes | ReadError | None:
            return None if is_new and not exists(path) else read_settled(path)

        def done(found: bytes | ReadError | None) -> None:
            if found is not None:
                self._seen(found, asked, discarding)

        self._start(read, done, asked)

    def _look_at_source(self, path: Path, source: Document) -> None:
        """Report a change of a file that is shown as an eval set; it is converted again only when the person asks."""

        def read() -> bytes | ReadError:
            return read_settled(path)

        def done(found: bytes | ReadError) -> None:
            disk = self._file.disk_state
            is_same = not isinstance(found, ReadError) and source.is_on_disk(found)
            disk.trouble = "" if is_same else _trouble(found) if isinstance(found, ReadError) else "changed on disk"
            shows = f"Press {key_of('list.reload')} to reload it"
            self._file.tell(f"{self._file.file_name}: {disk.trouble}. {shows}." if disk.trouble else None)

        self._start(read, done, asked=False)

    def _start(self, work: Callable[[], Result], then: Callable[[Result], None], asked: bool) -> None:
        """Run `work` in a thread; `then` gets its result, unless a save came in between."""
        file = self._file
        read_for = file.document.path, file.document.on_disk
        file.disk_state.reading = True

        def done(result: Result) -> None:
            file.disk_state.reading = False
            if not file.saving and read_for == (file.document.path, file.document.on_disk):
                then(result)
            elif read_for[0] == file.document.path:  # the result may be outdated
                self._is_wanted_again, self._is_asked_again = True, self._is_asked_again or asked
            self._file.tell(None)
            self._look_again()

        self._file.app.start_thread("disk", work, done, self._failed)

    def _failed(self, error: Exception) -> None:
        """A bug of ours must not end the session."""
        self._file.disk_state.reading = False
        self._file.app.note_fault(error)
        self._file.disk_state.trouble = "changed on disk"
        elsewhere = f"press {key_of('list.save_as')} to save it elsewhere"
        self._file.tell(f"Reading the file on disk failed ({type(error).__name__}). Your text is kept: {elsewhere}.")

    def _look_again(self) -> None:
        if self._is_wanted_again and not self._file.disk_state.reading and not self._file.saving:
            self.look()

    def _seen(self, found: bytes | ReadError, asked: bool, discarding: bool) -> None:
        file, document = self._file, self._file.document
        if isinstance(found, ReadError):
            self._lost(_trouble(found), str(found))
        elif document.is_on_disk(found) and not discarding and not (asked and document.lacks_theirs):
            if file.disk_state.trouble:
                self._forget_trouble()
                file.show_text(f"{file.file_name} on disk is unchanged again.")
            elif asked and not document.is_dirty:
                self._file.tell(f"{file.file_name} has not changed on disk.")
        elif not (asked or discarding or self._file.may_move):
            file.disk_state.trouble, file.disk_state.waits = "changed on disk", True
            self._file.tell(f"{file.file_name} changed on disk. The file reloads when you leave the field.")
        else:
            self._compare(found, asked=asked, discarding=discarding)

    # --- comparing -----------------------------------------------------------------------------------------

    def _compare(
        self,
        data: bytes,
        *,
        asked: bool = False,
        discarding: bool = False,
        decisions: Mapping[str, ConflictChoice] | None = None,
    ) -> None:
        """Compare the file, which holds `data`, with the open text, in a thread."""
        from evaltui.evalset.merge.changed_file import reread

        document = self._file.document
        self._file.write_typed()
        base, mine, moves = document.merge_base, document.to_bytes(), document.history.moves
        merging = document.is_dirty and not discarding
        items = items_of(document.root, "eval_cases") if is_eval_set(document.root) else None
        cases = [item.source() for item in items] if items is not None else None

        def done(result: Reread) -> None:
            if result.target is not None and document.history.moves != moves:
                self._compare(data, asked=asked, discarding=discarding, decisions=decisions)  # edited meanwhile
            else:
                self._compared(result, asked, merging)

        self._start(lambda: reread(base, mine, data, decisions, merging=merging, cases=cases), done, asked)
        self._file.tell(None)

    def _compared(self, result: Reread, asked: bool, merging: bool) -> None:
        name, disk = self._file.file_name, self._file.disk_state
        if result.fault:
            here = f"or move that file away and press {key_of('save')}"  # ^s alone refuses to overwrite it
            self._lost("invalid JSON on disk", f"{name} on disk is not valid JSON: {result.fault}", here)
        elif result.conflicts:
            count = len(result.conflicts)
            conflicts = f"{count} conflict{'s' * (count > 1)}"
            disk.trouble, disk.is_lost = f"changed on disk, {conflicts}", False
            keys = f"{key_of('list.merge')} or {key_of('save')}"
            self._file.tell(f"{conflicts} with {name} on disk. Press {keys} to decide.")
            if asked:
                self._ask_to_decide(result)
        elif not (asked or self._file.may_move):
            disk.trouble, disk.waits = "changed on disk", True
        else:
            self._take_over(result, merging)

    def _take_over(self, result: Reread, merging: bool) -> None:
        """Replace the document with the text of `result`, as one step."""
        assert result.target is not None
        file = self._file
        name, summary = file.file_name, result.summary or "changed"
        label = f"merge with {name} on disk" if merging else f"reload {name}"
        drafts = len(file.drafts.live())
        file.document.become(result.target, result.pair, label, result.data)
        drafts -= len(file.drafts.live())
        said = "merged with the file on disk" if merging else "reloaded"
        rest = "your changes are unsaved" if file.document.is_dirty else undo_said()
        if drafts:
            went = f"{drafts} drafts deleted with their fields" if drafts > 1 else "1 draft deleted with its field"
            rest = f"{went} · {key_of('list.undo')}: restore {'them' if drafts > 1 else 'it'}"
        self._forget_trouble()
        self._file.replaced(f"{said}: {summary} · {rest}")

    def _forget_trouble(self) -> None:
        """The disk agrees with the document again."""
        state = self._file.disk_state
        state.trouble, state.is_lost, state.waits = "", False, False

    def _lost(self, trouble: str, said: str, here: str = "") -> None:
        """The text is only in memory; `here` tells how to save it under its own name, if ^s alone does not."""
        self._file.disk_state.trouble, self._file.disk_state.is_lost = trouble, True
        here = here or f"or {key_of('save')} to save it here"
        self._file.tell(f"{said}. Your text is kept. Press {key_of('list.save_as')} to save it elsewhere, {here}.")

    # --- questions -----------------------------------------------------------------------------------------

    def reload(self) -> None:
        """Reload the file; ask first if there are unsaved changes."""
        self._file.write_typed()
        if self._file.reading is not None:
            self._file.leaving.leave(OpenNext(self._file.document.path))
        elif self._file.document.is_new:
            self._file.say(f"This file is not on disk yet. Press {key_of('save')} to save the file.")
        elif not self._file.document.is_dirty or self._file.saver.saves_everything():
            self.look(asked=True)
        else:
            from evaltui.tui.screens.questions import reload_question

            def answered(answer: str | None) -> None:
                if answer in ("discard", "merge"):
                    self.look(asked=True, discarding=answer == "discard")

            self._file.app.push_screen(reload_question(self._file.file_name), answered)

    def merge(self) -> None:
        """Merge with the file on disk, and decide conflicts."""
        self.look(asked=True)

    def ask_to_overwrite(self, save: Callable[[], None]) -> None:
        """Ask whether to `save`, which removes changes of others from the file, or to merge them."""
        from evaltui.tui.screens.questions import overwrite_question

        def answered(answer: str | None) -> None:
            if answer == "save":
                save()
            elif answer == "merge":
                self.look(asked=True)

        self._file.app.push_screen(overwrite_question(self._file.file_name), answered)

    def _ask_to_decide(self, result: Reread) -> None:
        from evaltui.tui.screens.conflict_screen import ConflictScreen

        def answered(answer: Answer | None) -> None:
            if answer is None:
                self._file.tell(
                    f"Nothing was merged or saved. Press {key_of('list.merge')} to show the conflicts again."
                )
            else:
                self._file.disk_state.waits = False
                path = self._path
                self._start(lambda: read_settled(path), lambda found: self._decided(found, result.data, answer), True)

        self._file.app.push_screen(ConflictScreen(self._file.file_name, result.conflicts), answered)

    @property
    def _path(self) -> Path:
        path = self._file.document.path
        assert path is not None
        return path

    def _decided(self, found: bytes | ReadError, seen: bytes, decisions: Answer) -> None:
        """Use the decisions if the file is still the one that was shown; if it changed again, ask again."""
        if isinstance(found, ReadError) or found != seen:
            self._seen(found, asked=True, discarding=False)
        else:
            self._compare(found, asked=True, decisions=decisions)


def _trouble(error: ReadError) -> str:
    """The state of an unreadable file, for the title."""
    if isinstance(error, UnreachableError):
        return "folder unreachable"
    return "gone from disk" if isinstance(error, MissingFileError) else "unreadable on disk"

"""What happens when somebody else writes the file: it is read again, or merged with what was changed here.

Nothing moves under the person: while a field is being edited or a question is open, the news waits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual import events
from textual.message import Message
from textual.worker import Worker, WorkerState

from evaltui.document import MissingFileError, ReadError, UnreachableError
from evaltui.existence import exists
from evaltui.files.file_watch import Watch, read_settled
from evaltui.tui.commands import key_of
from evaltui.tui.screens.new_text import NewText
from evaltui.tui.screens.panes_screen import PanesScreen

if TYPE_CHECKING:
    from evaltui.document.storage import Fingerprint
    from evaltui.evalset.merge.changed_file import Reread
    from evaltui.evalset.merge.conflicts import ConflictChoice
    from evaltui.tui.screens.conflict_screen import Answer


class DiskTouched(Message):
    """The file may have been written by somebody else."""


class DiskChanges(NewText):
    """The part of the edit screen that follows the file; reading and comparing is done by threads."""

    _watch: Watch | None = None
    _then: Callable[[Any], None]
    _read_for: tuple[Path | None, Fingerprint | None]
    """The file that is being read, and what it held when it was read or written last."""
    _asked: bool = False
    """Whether the person waits for what is being read."""
    _again: bool = False
    """Whether the file was touched once more while it was being read or written."""
    _again_asked: bool = False

    def watch_disk(self) -> None:
        """Look after the file from now on, or after another one."""
        self.forget_disk()
        if self.session.document.path is not None:
            self._watch = Watch(self.session.document.path, lambda: self.post_message(DiskTouched()))
            self._watch.start()
            self.post_message(DiskTouched())  # it may have been written since it was read

    def on_unmount(self) -> None:
        """Watch no more."""
        self.forget_disk()

    def forget_disk(self) -> None:
        """Watch no more."""
        if self._watch is not None:
            self._watch.stop()

    def on_disk_touched(self) -> None:
        """Look what it holds now."""
        self.look_at_disk()

    def on_screen_resume(self) -> None:
        """What was in front is gone: do what waited for that."""
        self._look_if_waiting()

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """A field may have been left: do what waited for that."""
        self._look_if_waiting()

    def _look_if_waiting(self) -> None:
        if self.session.disk.waits and self._may_move():
            self.session.disk.waits = False
            self.app.screen_stack[0].post_message(DiskTouched())

    def _may_move(self) -> bool:
        screen = self.app.screen
        return isinstance(screen, PanesScreen) and screen.form_pane.edited is None

    # --- reading -------------------------------------------------------------------------------------------

    def look_at_disk(self, *, asked: bool = False, discarding: bool = False) -> None:
        """Read the file in a thread. `asked`: the person waits for it. `discarding`: without what is unsaved."""
        session, path = self.session, self.session.document.path
        if session.saving or session.disk.reading:
            self._again, self._again_asked = True, self._again_asked or asked
            return
        asked = asked or self._again_asked
        self._again = self._again_asked = False
        if path is None or session.document.root is None:
            return
        is_new = session.document.is_new

        def read() -> bytes | ReadError | None:
            return None if is_new and not exists(path) else read_settled(path)

        def done(found: bytes | ReadError | None) -> None:
            if found is not None:
                self._seen(found, asked, discarding)

        self._run(read, done, asked)

    def _run(self, work: Callable[[], Any], then: Callable[[Any], None], asked: bool) -> None:
        self._then, self._asked = then, asked
        self._read_for = self._file_now()
        self.session.disk.reading = True
        self.run_worker(work, thread=True, exclusive=True, group="disk", name="disk", exit_on_error=False)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """The thread is done."""
        if event.worker.group != "disk" or event.state not in (WorkerState.SUCCESS, WorkerState.ERROR):
            return
        event.stop()
        self.session.disk.reading = False
        if event.state is WorkerState.ERROR:
            self._failed(event.worker.error)
            return
        if not self.session.saving and self._read_for == self._file_now():
            self._then(event.worker.result)
        elif self._read_for[0] == self.session.document.path:  # a save came in between: what was read may be old
            self._again, self._again_asked = True, self._again_asked or self._asked
        self.tell(None)
        self.look_again()

    def _file_now(self) -> tuple[Path | None, Fingerprint | None]:
        return self.session.document.path, self.session.document.on_disk

    def _failed(self, error: BaseException | None) -> None:
        """A fault of our own must not end the session; tests get it as it is."""
        if self.app.is_headless and isinstance(error, Exception):
            self.app._handle_exception(error)
        self.session.disk.trouble = "changed on disk"
        elsewhere = f"{key_of('list.save_as')} saves it elsewhere"
        self.tell(f"The file on disk cannot be compared ({type(error).__name__}). Your text is kept; {elsewhere}.")

    def look_again(self) -> None:
        """Look once more where the file was touched while it was read or written."""
        if self._again and not self.session.disk.reading and not self.session.saving:
            self.look_at_disk()

    def _seen(self, found: bytes | ReadError, asked: bool, discarding: bool) -> None:
        session, document = self.session, self.session.document
        if isinstance(found, ReadError):
            self.lost(_trouble(found), str(found))
        elif document.is_on_disk(found) and not discarding and not (asked and document.lacks_theirs):
            if session.disk.trouble:
                self.settled(f"{session.file_name} on disk is again as evaltui read it.")
            elif asked and not document.is_dirty:
                self.tell(f"{session.file_name} has not changed on disk.")
        elif not (asked or discarding or self._may_move()):
            session.disk.trouble, session.disk.waits = "changed on disk", True
            self.tell(f"{session.file_name} changed on disk. It reloads when you leave the field.")
        else:
            self.compare(found, asked=asked, discarding=discarding)

    def compare(
        self,
        data: bytes,
        *,
        asked: bool = False,
        discarding: bool = False,
        decisions: Mapping[str, ConflictChoice] | None = None,
    ) -> None:
        """Find out in a thread what the file, which holds `data`, means for the text here."""
        from evaltui.evalset.merge.changed_file import reread

        document = self.session.document
        self._write_typed()
        base, mine, moves = document.merge_base, document.to_bytes(), document.history.moves
        merging = document.is_dirty and not discarding

        def done(result: Reread) -> None:
            if result.target is not None and document.history.moves != moves:
                self.compare(data, asked=asked, discarding=discarding, decisions=decisions)  # edited meanwhile
            else:
                self._compared(result, asked, merging)

        self._run(lambda: reread(base, mine, data, decisions, merging=merging), done, asked)
        self.tell(None)

    def _write_typed(self) -> None:
        screen = self.app.screen
        if isinstance(screen, PanesScreen):
            screen.form_pane.write_typed()

    def _compared(self, result: Reread, asked: bool, merging: bool) -> None:
        name = self.session.file_name
        if result.fault:
            self.lost("not JSON on disk", f"{name} on disk is not JSON: {result.fault}")
        elif result.conflicts:
            count = len(result.conflicts)
            conflicts = f"{count} conflict{'s' * (count > 1)}"
            self.session.disk.trouble, self.session.disk.is_lost = f"changed on disk, {conflicts}", False
            keys = f"{key_of('list.merge')} or {key_of('save')}"
            self.tell(f"{conflicts} with your changes. Press {keys} to decide. {name} changed on disk.")
            if asked:
                self._decide(result)
        elif not (asked or self._may_move()):
            self.session.disk.trouble, self.session.disk.waits = "changed on disk", True
        else:
            self.take_over(result, merging)

    # --- deciding ------------------------------------------------------------------------------------------

    def _decide(self, result: Reread) -> None:
        from evaltui.tui.screens.conflict_screen import ConflictScreen

        def answered(answer: Answer | None) -> None:
            if answer is None:
                self.tell(f"Nothing was merged or saved. {key_of('list.merge')} shows the conflicts again.")
            else:
                self.session.disk.waits = False
                path = self._path
                self._run(lambda: read_settled(path), lambda found: self._decided(found, result.data, answer), True)

        self.app.push_screen(ConflictScreen(self.session.file_name, result.conflicts), answered)

    @property
    def _path(self) -> Path:
        path = self.session.document.path
        assert path is not None
        return path

    def _decided(self, found: bytes | ReadError, seen: bytes, decisions: Answer) -> None:
        """Decisions hold for the file that was shown; where it has changed once more, they are asked for anew."""
        if isinstance(found, ReadError) or found != seen:
            self._seen(found, asked=True, discarding=False)
        else:
            self.compare(found, asked=True, decisions=decisions)


def _trouble(error: ReadError) -> str:
    """What the title says of a file that cannot be read."""
    if isinstance(error, UnreachableError):
        return "folder unreachable"
    return "gone from disk" if isinstance(error, MissingFileError) else "unreadable on disk"

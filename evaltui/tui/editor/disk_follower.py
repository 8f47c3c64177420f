"""Following the file on disk: what somebody else writes is read again, or merged with what was changed here.

Nothing moves under the person: while a field is being edited or a question is open, the news waits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from textual.message import Message
from textual.screen import Screen

from evaltui.document.document import Document
from evaltui.document.errors import MissingFileError, ReadError, UnreachableError
from evaltui.evalset.formats import is_eval_set
from evaltui.evalset.keys import items_of
from evaltui.file_access import exists
from evaltui.files.file_rest import read_settled
from evaltui.files.source_watch import SourceWatch, signs_of_file
from evaltui.tui.commands import key_of
from evaltui.tui.editor.saver import SaveEnd, SaverPort
from evaltui.tui.messages import undo_said
from evaltui.tui.session.session import Session

if TYPE_CHECKING:
    from evaltui.evalset.merge.changed_file import Reread
    from evaltui.evalset.merge.conflicts import ConflictChoice
    from evaltui.tui.screens.conflict_screen import Answer

Result = TypeVar("Result")


class DiskPort(SaverPort, Protocol):
    """The screens and threads, as a `DiskFollower` needs them."""

    @property
    def may_move(self) -> bool:
        """Whether the text may change under the person: no field is edited and no question is open."""

    def ask(self, dialog: Screen[Result], answered: Callable[[Result | None], None] | None = None) -> None:
        """Show a dialog; `answered` hears its result."""

    def say(self, said: str) -> None:
        """Say something on the screen in front."""

    def write_typed(self) -> None:
        """Write what is being typed into the document."""

    def post(self, message: Message) -> None:
        """Send a message to the app; from any thread."""

    def note_fault(self, error: Exception) -> None:
        """Take note of a fault of our own."""


class DiskTouched(Message):
    """The file may have been written by somebody else."""


class DiskFollower:
    """Compares the file with the text here whenever it was touched; threads read and compare."""

    def __init__(
        self, session: Session, stage: DiskPort, show_text: Callable[[str], None], replaced: Callable[[], None]
    ) -> None:
        """`show_text` shows a text that came in the place of another, and says why; `replaced` hears that one came."""
        self._session = session
        self._stage = stage
        self._show_text = show_text
        self._replaced = replaced
        self.saves_everything: Callable[[], bool] = lambda: False
        """Tells whether a save runs after which nothing is unsaved."""
        self.open_anew: Callable[[], object] = lambda: None
        """Opens a file that is shown as an eval set once more, as it is on disk now."""
        self._watch: SourceWatch | None = None
        self._is_wanted_again = False
        """Whether the file was touched once more while it was being read or written."""
        self._is_asked_again = False
        """Whether the person waits for that."""

    # --- watching ------------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Follow the file from now on, or another one."""
        self.stop()
        if self._session.document.path is not None:
            path = self._session.document.path.absolute()
            # The first look tells, too: the file may have been written since it was read.
            self._watch = SourceWatch(lambda: signs_of_file(path), lambda _: self._stage.post(DiskTouched()))
            self._watch.start()

    def follow_moved(self) -> None:
        """The document belongs to another file: follow that, if any was followed."""
        if self._watch is not None:
            self.follow()

    def stop(self) -> None:
        """Follow the file no more."""
        if self._watch is not None:
            self._watch.stop()

    def look_if_waiting(self) -> None:
        """A field was left or a dialog closed: look at the disk if that waited."""
        if self._session.disk.waits and self._stage.may_move:
            self._session.disk.waits = False
            self._stage.post(DiskTouched())

    def save_ended(self, end: SaveEnd) -> None:
        """Look at the disk where the save was refused for it, or where the file was touched meanwhile."""
        if end.was_refused:
            self.look(asked=True)
        self._look_again()

    # --- reading -------------------------------------------------------------------------------------------

    def look(self, *, asked: bool = False, discarding: bool = False) -> None:
        """Read the file in a thread. `asked`: the person waits for it. `discarding`: without what is unsaved."""
        session, path = self._session, self._session.document.path
        if session.saving or session.disk.reading:
            self._is_wanted_again, self._is_asked_again = True, self._is_asked_again or asked
            return
        asked = asked or self._is_asked_again
        self._is_wanted_again = self._is_asked_again = False
        if path is None or session.document.root is None:
            return
        if session.reading is not None:
            self._look_at_source(path, session.reading.source)
            return
        is_new = session.document.is_new

        def read() -> bytes | ReadError | None:
            return None if is_new and not exists(path) else read_settled(path)

        def done(found: bytes | ReadError | None) -> None:
            if found is not None:
                self._seen(found, asked, discarding)

        self._start(read, done, asked)

    def _look_at_source(self, path: Path, source: Document) -> None:
        """Say whether the file that is shown as an eval set has changed; it is converted again when the person asks."""

        def read() -> bytes | ReadError:
            return read_settled(path)

        def done(found: bytes | ReadError) -> None:
            disk = self._session.disk
            is_same = not isinstance(found, ReadError) and source.is_on_disk(found)
            disk.trouble = "" if is_same else _trouble(found) if isinstance(found, ReadError) else "changed on disk"
            shows = f"{key_of('list.reload')} reloads it"
            self._stage.tell(f"{self._session.file_name}: {disk.trouble}. {shows}." if disk.trouble else None)

        self._start(read, done, asked=False)

    def _start(self, work: Callable[[], Result], then: Callable[[Result], None], asked: bool) -> None:
        """Do some work in a thread; `then` hears its result, unless a save came in between."""
        session = self._session
        read_for = session.document.path, session.document.on_disk
        session.disk.reading = True

        def done(result: Result) -> None:
            session.disk.reading = False
            if not session.saving and read_for == (session.document.path, session.document.on_disk):
                then(result)
            elif read_for[0] == session.document.path:  # what was read may be old
                self._is_wanted_again, self._is_asked_again = True, self._is_asked_again or asked
            self._stage.tell(None)
            self._look_again()

        self._stage.start("disk", work, done, self._failed)

    def _failed(self, error: Exception) -> None:
        """A fault of our own must not end the session."""
        self._session.disk.reading = False
        self._stage.note_fault(error)
        self._session.disk.trouble = "changed on disk"
        elsewhere = f"{key_of('list.save_as')} saves it elsewhere"
        self._stage.tell(f"Reading the file on disk failed ({type(error).__name__}). Your text is kept: {elsewhere}.")

    def _look_again(self) -> None:
        if self._is_wanted_again and not self._session.disk.reading and not self._session.saving:
            self.look()

    def _seen(self, found: bytes | ReadError, asked: bool, discarding: bool) -> None:
        session, document = self._session, self._session.document
        if isinstance(found, ReadError):
            self._lost(_trouble(found), str(found))
        elif document.is_on_disk(found) and not discarding and not (asked and document.lacks_theirs):
            if session.disk.trouble:
                self._settled(f"{session.file_name} on disk is unchanged again.")
            elif asked and not document.is_dirty:
                self._stage.tell(f"{session.file_name} has not changed on disk.")
        elif not (asked or discarding or self._stage.may_move):
            session.disk.trouble, session.disk.waits = "changed on disk", True
            self._stage.tell(f"{session.file_name} changed on disk. It reloads when you leave the field.")
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
        """Find out in a thread what the file, which holds `data`, means for the text here."""
        from evaltui.evalset.merge.changed_file import reread

        document = self._session.document
        self._stage.write_typed()
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
        self._stage.tell(None)

    def _compared(self, result: Reread, asked: bool, merging: bool) -> None:
        name, disk = self._session.file_name, self._session.disk
        if result.fault:
            here = f"or move that file away and press {key_of('save')}"  # over the work of others it would not
            self._lost("not JSON on disk", f"{name} on disk is not JSON: {result.fault}", here)
        elif result.conflicts:
            count = len(result.conflicts)
            conflicts = f"{count} conflict{'s' * (count > 1)}"
            disk.trouble, disk.is_lost = f"changed on disk, {conflicts}", False
            keys = f"{key_of('list.merge')} or {key_of('save')}"
            self._stage.tell(f"{conflicts} with your changes. Press {keys} to decide. {name} changed on disk.")
            if asked:
                self._ask_to_decide(result)
        elif not (asked or self._stage.may_move):
            disk.trouble, disk.waits = "changed on disk", True
        else:
            self._take_over(result, merging)

    def _take_over(self, result: Reread, merging: bool) -> None:
        """Make the text of `result` that of the document, as one step."""
        assert result.target is not None
        session = self._session
        name, summary = session.file_name, result.summary or "changed"
        label = f"merge with {name} on disk" if merging else f"reload {name}"
        drafts = len(session.drafts.live())
        session.document.become(result.target, result.pair, label, result.data)
        drafts -= len(session.drafts.live())
        said = "merged with the file on disk" if merging else "reloaded"
        rest = "your changes are unsaved" if session.document.is_dirty else undo_said()
        if drafts:
            went = f"{drafts} drafts deleted with their fields" if drafts > 1 else "1 draft deleted with its field"
            rest = f"{went} · {key_of('list.undo')} restores {'them' if drafts > 1 else 'it'}"
        self._settled(f"{said}: {summary} · {rest}")
        self._replaced()

    def _settled(self, said: str) -> None:
        """All is well with the disk again."""
        disk = self._session.disk
        disk.trouble, disk.is_lost, disk.waits = "", False, False
        self._show_text(said)

    def _lost(self, trouble: str, said: str, here: str = "") -> None:
        """The text is in memory only; `here` is how to save it under its own name, where one key does not."""
        self._session.disk.trouble, self._session.disk.is_lost = trouble, True
        here = here or f"{key_of('save')} here"
        self._stage.tell(f"{said}. Your text is kept: {key_of('list.save_as')} saves it elsewhere, {here}.")

    # --- questions -----------------------------------------------------------------------------------------

    def action_reload(self) -> None:
        """Read the file again; ask first where something is unsaved."""
        self._stage.write_typed()
        if self._session.reading is not None:
            self.open_anew()
        elif self._session.document.is_new:
            self._stage.say(f"This file is not on disk yet. {key_of('save')} saves it.")
        elif not self._session.document.is_dirty or self.saves_everything():
            self.look(asked=True)
        else:
            from evaltui.tui.screens.questions import reload_question

            def answered(answer: str | None) -> None:
                if answer in ("discard", "merge"):
                    self.look(asked=True, discarding=answer == "discard")

            self._stage.ask(reload_question(self._session.file_name), answered)

    def action_merge(self) -> None:
        """Merge with what is on disk, and decide what conflicts."""
        self.look(asked=True)

    def ask_to_overwrite(self, save: Callable[[], None]) -> None:
        """Ask whether to `save`, which takes changes of others out of the file, or to merge them."""
        from evaltui.tui.screens.questions import overwrite_question

        def answered(answer: str | None) -> None:
            if answer == "save":
                save()
            elif answer == "merge":
                self.look(asked=True)

        self._stage.ask(overwrite_question(self._session.file_name), answered)

    def _ask_to_decide(self, result: Reread) -> None:
        from evaltui.tui.screens.conflict_screen import ConflictScreen

        def answered(answer: Answer | None) -> None:
            if answer is None:
                self._stage.tell(f"Nothing was merged or saved. {key_of('list.merge')} shows the conflicts again.")
            else:
                self._session.disk.waits = False
                path = self._path
                self._start(lambda: read_settled(path), lambda found: self._decided(found, result.data, answer), True)

        self._stage.ask(ConflictScreen(self._session.file_name, result.conflicts), answered)

    @property
    def _path(self) -> Path:
        path = self._session.document.path
        assert path is not None
        return path

    def _decided(self, found: bytes | ReadError, seen: bytes, decisions: Answer) -> None:
        """Decisions hold for the file that was shown; where it has changed once more, they are asked for anew."""
        if isinstance(found, ReadError) or found != seen:
            self._seen(found, asked=True, discarding=False)
        else:
            self._compare(found, asked=True, decisions=decisions)


def _trouble(error: ReadError) -> str:
    """The words of the title about a file that cannot be read."""
    if isinstance(error, UnreachableError):
        return "folder unreachable"
    return "gone from disk" if isinstance(error, MissingFileError) else "unreadable on disk"

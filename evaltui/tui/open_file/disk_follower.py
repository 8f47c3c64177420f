"""Follows the file on disk: changes of others are reloaded, or merged with the changes made here.

Nothing changes under the person's hands: while a field is edited or a question is open, a change on disk waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from evaltui.document.errors import ChangedOnDiskError, MissingFileError, ReadError, UnreachableError
from evaltui.evalset.file_formats import is_eval_set
from evaltui.evalset.keys import items_of
from evaltui.file_access import exists
from evaltui.files.disk_watch import DiskWatch, signs_of_file
from evaltui.files.file_changes import read_settled
from evaltui.tui.base_app import OpenNext
from evaltui.tui.commands import key_of
from evaltui.tui.lines import counted
from evaltui.tui.messages import undo_said

if TYPE_CHECKING:
    from evaltui.evalset.merge.three_way import Conflict, ConflictChoice, Reread
    from evaltui.tui.open_file.open_file import OpenFile
    from evaltui.tui.open_file.saver import FollowUp
    from evaltui.tui.screens.conflict_screen import Answer

Result = TypeVar("Result")

_DELETED = "gone from disk"


class DiskLook(NamedTuple):
    """Why the file on disk is read; by default, because it was touched."""

    is_awaited: bool = False
    discards: bool = False
    """Whether the text on disk replaces unsaved changes."""
    follow_up: FollowUp = None
    """What follows the save that was refused, once the conflicts are decided."""
    decisions: Mapping[str, ConflictChoice] | None = None
    """The choices of the person, by conflict; None before conflicts were shown."""
    decided_on: bytes | None = None
    """The content of the file that they are for."""

    def joined(self, earlier: DiskLook | None) -> DiskLook:
        """This look, for the reasons of an earlier one, too."""
        earlier = earlier or self
        return self._replace(
            is_awaited=self.is_awaited or earlier.is_awaited, follow_up=self.follow_up or earlier.follow_up
        )


class DiskFollower:
    """Compares the file with the open text whenever it was touched; threads read and compare."""

    _looks_in_vain = 0
    """How often the file was read again while the text was only in memory."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self._watch: DiskWatch | None = None
        self._next: DiskLook | None = None
        """The look that follows the current one, or the save: the file was touched again meanwhile."""

    # --- watching ------------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Follow the file, or another one, from now on."""
        self.stop()
        if self._file.document.path is not None:
            path = self._file.document.path.absolute()
            # The first look counts, too: the file may have changed since it was read.
            self._watch = DiskWatch(lambda: signs_of_file(path), lambda _: self._file.app.call_later(self.look))
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
            self._file.app.call_later(self.look)

    def save_ended(self, error: Exception | None, follow_up: FollowUp) -> None:
        """Look at the disk if the save was refused because of it, or if the file was touched meanwhile."""
        if isinstance(error, ChangedOnDiskError):
            self.look(DiskLook(is_awaited=True, follow_up=follow_up))
        elif self._next is not None:
            self.look(self._next)

    # --- reading -------------------------------------------------------------------------------------------

    def look(self, look: DiskLook | None = None) -> None:
        """Read the file, which others may have written, once a running save or look has ended."""
        self._next = (look or DiskLook()).joined(self._next)
        if not self._file.saving:
            self._file.app.run_once("disk", self._look)

    async def _look(self) -> None:
        """Read the file until no look is wanted. A save in between ends this, and its end begins it again."""
        file, state = self._file, self._file.disk_state
        while (look := self._next) is not None and not file.saving:
            self._next, document = None, file.document
            if document.path is None or document.root is None:
                return
            state.reading = True
            content = await self._in_thread(partial(_content, document.path, document.is_new), look)
            if content is not None and file.reading is not None:  # it is converted again only when the person asks
                if isinstance(content, ReadError):
                    state.trouble = _trouble(content)
                else:
                    state.trouble = "" if file.reading.source.is_on_disk(content) else "changed on disk"
                reloads = f"Press {key_of('list.reload')} to reload it"
                file.tell(f"{file.file_name}: {state.trouble}. {reloads}." if state.trouble else None)
            elif content is not None:
                await self._seen(content, look)
            state.reading = False
            file.tell(None)

    async def _in_thread(self, work: Callable[[], Result], look: DiskLook) -> Result | None:
        """The result of `work`; None if it failed, or may be outdated because a save came in between."""
        file = self._file
        path, base = file.document.path, file.document.base
        try:
            result = await asyncio.to_thread(work)
        except Exception as error:  # a bug of ours must not end the session
            file.app.note_fault(error)
            file.disk_state.trouble = "changed on disk"
            elsewhere = f"press {key_of('list.save_as')} to save it elsewhere"
            file.tell(f"Reading the file on disk failed ({type(error).__name__}). Your text is kept: {elsewhere}.")
            return None
        if not file.saving and (path, base) == (file.document.path, file.document.base):
            return result
        if path == file.document.path:
            self._next = DiskLook(look.is_awaited, follow_up=look.follow_up).joined(self._next)
        return None

    async def _seen(self, content: bytes | ReadError, look: DiskLook) -> None:
        """Compare the content of the file with the text, unless it is the same or must wait."""
        file, document, state = self._file, self._file.document, self._file.disk_state
        if isinstance(content, ReadError):
            self._lose(_trouble(content), str(content), f"or {key_of('save')} to save it here")
        elif document.is_on_disk(content) and not look.discards and not (look.is_awaited and document.lacks_theirs):
            if state.trouble:
                state.settle()
                file.show_text(f"{file.file_name} on disk is unchanged again.")
            elif look.is_awaited and not document.is_dirty:
                file.tell(f"{file.file_name} has not changed on disk.")
        elif not (look.is_awaited or look.discards or file.may_move):
            state.trouble, state.waits = "changed on disk", True
            file.tell(f"{file.file_name} changed on disk. The change comes in when you leave this field or dialog.")
        else:
            # If it changed since the conflicts were shown, they are shown again.
            await self._compare(content, look if look.decided_on == content else look._replace(decisions=None))

    # --- comparing -----------------------------------------------------------------------------------------

    async def _compare(self, data: bytes, look: DiskLook) -> None:
        """Merge the file, which holds `data`, with the open text, or reload it; or say why that is not possible."""
        from evaltui.evalset.merge.three_way import reread

        file, state = self._file, self._file.disk_state
        while True:
            file.write_typed()
            document = file.document
            base, mine, moves = document.merge_base, document.to_bytes(), document.history.moves
            merges = document.is_dirty and not look.discards
            items = items_of(document.root, "eval_cases") if is_eval_set(document.root) else None
            cases = [item.source() for item in items] if items is not None else None
            file.tell(None)  # the title says that the file is read
            work = partial(reread, base, mine, data, look.decisions, merging=merges, cases=cases)
            if (result := await self._in_thread(work, look)) is None:
                return
            if not isinstance(result, tuple) or document.history.moves == moves:  # else it was edited meanwhile
                break
        if isinstance(result, str):
            fault = f"{file.file_name} on disk is not valid JSON: {result}"
            # ^s alone refuses to overwrite it
            self._lose("invalid JSON on disk", fault, f"or move that file away and press {key_of('save')}")
        elif isinstance(result, list):
            conflicts = counted(len(result), "conflict")
            state.trouble, state.is_lost = f"changed on disk, {conflicts}", False
            keys = f"{key_of('list.merge')} or {key_of('save')}"
            file.tell(f"{conflicts} with {file.file_name} on disk. Press {keys} to decide.")
            if look.is_awaited:
                self._ask_to_decide(result, data, look)
        elif not (look.is_awaited or file.may_move):
            state.trouble, state.waits = "changed on disk", True
        else:
            self._take_over(result, data, merges)
            # Without a question nobody has seen the merged text, so it is not saved unasked.
            if look.decisions is not None and look.follow_up is not None:
                file.saver.save(follow_up=look.follow_up)

    def _take_over(self, result: Reread, data: bytes, merges: bool) -> None:
        target, summary, pair = result
        file, count = self._file, len(self._file.drafts.live())
        label = f"merge with {file.file_name} on disk" if merges else f"reload {file.file_name}"
        file.document.become(target, pair, label, data)
        count -= len(file.drafts.live())
        clauses = ["your changes are unsaved"] if file.document.is_dirty else [undo_said()]
        if count:
            lost = f"{count} drafts deleted with their fields" if count > 1 else "1 draft deleted with its field"
            clauses = [lost, f"{key_of('list.undo')}: restore {'them' if count > 1 else 'it'}"]
        if file.review is not None and (count or not file.document.is_dirty):
            clauses.pop()  # undo in a review is of decisions alone
        file.disk_state.settle()
        way = "merged with the file on disk" if merges else "reloaded"
        file.replaced(" · ".join([f"{way}: {summary or 'changed'}", *clauses]))

    def _lose(self, trouble: str, sentence: str, way_here: str) -> None:
        """Note that the text is only in memory; `way_here` tells how to save it under its own name."""
        state = self._file.disk_state
        self._looks_in_vain = self._looks_in_vain + 1 if state.is_lost else 0
        state.trouble, state.is_lost = trouble, True
        keys = f"Press {key_of('list.save_as')} to save it elsewhere, {way_here}"
        # The sentence may stand there already, and a key must show that it has acted.
        answer = f"{'STILL ' * (self._looks_in_vain % 2 == 0)}NOT SAVED: " if self._looks_in_vain else ""
        self._file.tell(f"{answer}{sentence}. Your text is kept. {keys}.")

    # --- questions -----------------------------------------------------------------------------------------

    def reload(self) -> None:
        """Reload the file; ask first if there are unsaved changes."""
        file = self._file
        file.write_typed()
        if file.reading is not None:
            file.leaving.leave(OpenNext(file.document.path))
        elif file.document.is_new:
            file.say(f"This file is not on disk yet. Press {key_of('save')} to save the file.")
        # A file that is gone cannot be reloaded or merged, whatever the answer, but it may have come back.
        elif file.disk_state.is_lost or not file.document.is_dirty or file.saver.saves_everything():
            self.merge()
        else:
            from evaltui.tui.screens.questions import QuestionDialog

            question = QuestionDialog("reload", f"{file.file_name} has unsaved changes. Reload the file?")
            discard = partial(self.look, DiskLook(is_awaited=True, discards=True))
            file.app.ask_what_to_do(question, {"discard": discard, "merge": self.merge})

    def merge(self) -> None:
        """Merge with the file on disk, and decide conflicts."""
        self.look(DiskLook(is_awaited=True))

    def ask_to_overwrite(self, save: Callable[[], None]) -> None:
        """Ask whether to `save`, which removes changes of others from the file, or to merge them."""
        from evaltui.tui.screens.questions import overwrite_question

        question = overwrite_question(self._file.file_name, is_deleted=self._file.disk_state.trouble == _DELETED)
        self._file.app.ask_what_to_do(question, {"save": save, "merge": self.merge})

    def _ask_to_decide(self, conflicts: list[Conflict], data: bytes, look: DiskLook) -> None:
        from evaltui.tui.screens.conflict_screen import ConflictScreen

        file = self._file

        def answered(decisions: Answer | None) -> None:
            if decisions is None:
                file.tell(f"Nothing was merged or saved. Press {key_of('list.merge')} to show the conflicts again.")
            else:
                file.disk_state.waits = False
                self.look(look._replace(decisions=decisions, decided_on=data))

        leads_on = look.follow_up is not None
        file.app.push_screen(ConflictScreen(file.file_name, conflicts, leads_on=leads_on), answered)


def _content(path: Path, is_new: bool) -> bytes | ReadError | None:
    """The content of the file; None if it is new and not saved yet."""
    return None if is_new and not exists(path) else read_settled(path)


def _trouble(error: ReadError) -> str:
    """The state of an unreadable file, for the title."""
    if isinstance(error, UnreachableError):
        return "folder unreachable"
    return _DELETED if isinstance(error, MissingFileError) else "unreadable on disk"

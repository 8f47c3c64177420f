"""Opens the conversation of a recording without a case, and adds the case that the person makes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from evaltui.tui.review.review_queue import ReviewQueue

if TYPE_CHECKING:
    from evaltui.recordings.conversation import ConversationKey
    from evaltui.tui.open_file.open_file import OpenFile
    from evaltui.tui.recordings.conversation_additions import MakeAddition


class UnmatchedDoor:
    """Opens the conversations screen from the review."""

    def __init__(
        self, file: OpenFile, queue: ReviewQueue, add: Callable[[MakeAddition], object], say: Callable[[str], object]
    ) -> None:
        """`add` adds the case to the set."""
        self._file, self._queue, self._add, self._say = file, queue, add, say

    def conversations(self) -> None:
        """Show the conversation of a recording without a case, to be added at the end of the set."""
        entry = self._queue.entry
        if entry is None or entry.unmatched is None or self._queue.is_over:
            self._say("This turn has a case. Recordings without a case are at the end of the queue.")
            return
        if self._file.eval_set is None:
            self._say("A recording cannot be added to a dataset. Add the prompt in the editor.")
            return
        self.show_conversation(entry.unmatched.conversation.key)

    def show_conversation(self, key: ConversationKey) -> None:
        """Show one conversation, to be added at the end of the set."""
        from evaltui.tui.recordings.add_screen import AddScreen
        from evaltui.tui.recordings.conversation_additions import AddTarget

        def answered(answer: tuple[MakeAddition, str] | None) -> None:
            if answer is not None:
                self._add(answer[0])

        self._file.app.push_screen(AddScreen(self._file, AddTarget(), key), answered)

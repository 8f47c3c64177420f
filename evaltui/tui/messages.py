"""Messages of the status line: the words about a step that was just done, and the log of the last messages."""

from __future__ import annotations

from collections import deque

from evaltui.tui.commands import key_of

_PAST = {
    "edit": "edited", "add": "added", "delete": "deleted", "rename": "renamed", "change": "changed", "clone": "cloned",
    "move": "moved", "paste": "pasted", "make": "made", "take": "took", "replace": "replaced",
    "fix": "fixed", "drop": "dropped",
}  # fmt: skip


def in_past_tense(label: str) -> str:
    """The label of a step that is done: `delete turn 2` becomes `deleted turn 2`."""
    verb, _, rest = label.partition(" ")
    return f"{_PAST.get(verb, verb)} {rest}"


def undo_said(*, is_typing: bool = False) -> str:
    """The key that takes back the step that was just done."""
    return f"{key_of('field.undo' if is_typing else 'list.undo')} undoes it"


_MOST = 100
"""Messages that are kept."""


class MessageLog:
    """Messages in the order in which they were shown, each once."""

    def __init__(self) -> None:
        self._messages: deque[str] = deque(maxlen=_MOST)

    def add(self, message: str) -> None:
        """Keep a message. One that goes on where the last one ended replaces it: `saved x` by `saved x · 2 pass`."""
        if not message:
            return
        last = self._messages[-1] if self._messages else None
        if last is not None and (message == last or message.startswith(f"{last} ")):
            self._messages.pop()
        self._messages.append(message)

    def newest_first(self) -> list[str]:
        """The messages that are kept."""
        return list(reversed(self._messages))

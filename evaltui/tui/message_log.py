"""The last messages of the status line, for those who could not read them in time or in full."""

from __future__ import annotations

from collections import deque

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

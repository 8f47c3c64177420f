"""Sessions of google-adk as JSON, as small as can be: what adk web exports."""

from __future__ import annotations

from typing import Any

START = 1_790_000_000.0
"""2026-09-21 14:13:20 UTC."""


class Chat:
    """A session that is told event by event."""

    def __init__(self, identifier: str, start: float = START) -> None:
        self._id, self._start = identifier, start
        self._events: list[dict[str, Any]] = []
        self._turn = 0

    def user(self, *parts: str | dict[str, Any], **members: Any) -> Chat:
        """A new turn that begins with this message."""
        self._turn += 1
        return self._event("user", "user", parts, members)

    def agent(self, *parts: str | dict[str, Any], **members: Any) -> Chat:
        """An event of the agent; a text alone is its answer."""
        return self._event(members.pop("author", "trip"), "model", parts, members)

    def call(self, name: str, args: dict[str, Any], response: dict[str, Any], *texts: str) -> Chat:
        """A call, with texts beside it, and its response."""
        identifier = f"call-{len(self._events)}"
        self.agent(*texts, {"functionCall": {"id": identifier, "name": name, "args": args}})
        return self.agent({"functionResponse": {"id": identifier, "name": name, "response": response}})

    def rewind(self, turn: int) -> Chat:
        """Go back to before a turn, from 1."""
        self._turn += 1
        return self._event("user", "user", (), {"actions": {"rewindBeforeInvocationId": self._invocation(turn)}})

    def _invocation(self, turn: int) -> str:
        return f"{self._id}-{turn}"

    def _event(self, author: str, role: str, parts: tuple[str | dict[str, Any], ...], members: dict[str, Any]) -> Chat:
        number = len(self._events)
        event = {
            "id": f"event-{number}",
            "invocationId": self._invocation(self._turn),
            "author": author,
            "timestamp": self._start + number,
            **members,
        }
        if parts:
            event["content"] = {"role": role, "parts": [{"text": p} if isinstance(p, str) else p for p in parts]}
        self._events.append(event)
        return self

    @property
    def value(self) -> dict[str, Any]:
        """The session as `Session.model_dump(by_alias=True)` has it."""
        times = {"lastUpdateTime": self._start + len(self._events)}
        names = {"id": self._id, "appName": "trip", "userId": "ann", "state": {}}
        return {**names, "events": self._events, **times}


BOOKED = (
    Chat("booked")
    .user("Book flight 1")
    .call("book", {"flight": "1", "note": None}, {"ref": "K7"}, "Let me see.")
    .agent("Booked as K7.")
    .user("Thanks!")
    .agent("You are welcome.")
)
"""Two turns, one with a call."""
REWOUND = (
    Chat("rewound", START + 1000)
    .user("Book a hotel")
    .agent("Which one?")
    .user("The first")
    .agent("It is full.")
    .rewind(2)
    .user("The second")
    .agent("Booked.")
)
"""Three turns, the second of which was taken back."""
FAILED = Chat("failed", START + 2000).user("Break").agent(errorCode="429", errorMessage="too many requests")
"""A turn without an answer."""

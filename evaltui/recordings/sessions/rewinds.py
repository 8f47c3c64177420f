"""Turns that a session took back (`rewind_async` of google-adk's runner)."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.evalset.case_data import get
from evaltui.recordings.sessions.session_turns import Event, content_of


def live_events(events: Sequence[Event]) -> list[Event]:
    """The events that no rewind took back, without the rewinds themselves.

    As in google-adk (`google.adk.events._rewind_events`), a rewind takes back all from the first event of its
    invocation on. A rewind to an invocation that is not there takes back nothing.
    """
    if all(rewound_to(event) is None for event in events):
        return list(events)
    first: dict[str, int] = {}
    for index, event in enumerate(events):
        if isinstance(identifier := get(event, "invocation_id"), str) and identifier:
            first.setdefault(identifier, index)
    kept: list[Event] = []
    index = len(events) - 1
    while index >= 0:
        target = rewound_to(events[index])
        if target is None:
            kept.append(events[index])
        else:
            index = min(index, first.get(target, index))
        index -= 1
    return kept[::-1]


def rewound_to(event: Event) -> str | None:
    """The invocation to before which an event goes back; None if it does not."""
    found = get(get(event, "actions"), "rewind_before_invocation_id")
    return found if isinstance(found, str) and found else None


def is_only_rewind(event: Event) -> bool:
    """Whether an event is only a rewind, without content."""
    return rewound_to(event) is not None and content_of(event) is None

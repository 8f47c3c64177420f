"""Turns that pause and go on in another invocation, after a person answered one of their calls.

google-adk before its resumable invocations, adk-go and adk-java give such an answer an invocation of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaltui.recordings.json_members import text
from evaltui.recordings.sessions.session_turns import Event, is_of_the_user, payloads


def continued_turns(groups: Mapping[str, Sequence[Event]]) -> dict[str, str]:
    """By the id of an invocation, the id of the invocation that continues its turn. `groups` are in order."""
    found: dict[str, str] = {}
    called_in: dict[tuple[str, str], str] = {}
    """The last invocation so far with a call of this id or name."""
    last: str | None = None
    for identifier, group in groups.items():
        own = {key for call in payloads(group, "function_call") for key in _keys(call)}
        by_user = [event for event in group if is_of_the_user(event)]
        for response in payloads(by_user or group, "function_response"):
            key = next(_keys(response), None)
            if key is None or key in own:
                continue
            # A response of the user always continues a turn: if no call has its id, the call itself is lost.
            continued = called_in.get(key, last if by_user else None)
            if continued is not None:
                found[continued] = identifier
        called_in |= dict.fromkeys(own, identifier)
        last = identifier
    return found


def _keys(act: Any) -> Iterator[tuple[str, str]]:
    """The id and the name of a call or response, as far as it has them. The id counts first."""
    return ((name, value) for name in ("id", "name") if (value := text(act, name)) is not None)

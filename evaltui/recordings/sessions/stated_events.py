"""Parts of a turn that its events state: none if the agent was interrupted, or if nobody reads its content."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from evaltui.evalset.case_data import InvocationData, as_bool, get, parts_of
from evaltui.evalset.part_descriptions import PAYLOADS
from evaltui.evalset.turn import Turn, TurnPart, keys_of_calls, turn_in, with_read_calls, with_read_text
from evaltui.recordings.sessions.session_turns import Event, content_of, is_of_the_user

_TRANSCRIBED = {"input_transcription": "user", "output_transcription": "model"}
"""The keys of the text of what was spoken, in the order in which they count, with the role of who spoke."""


def with_transcription(event: Event) -> Event:
    """The event; if it has no content, with the text of what was spoken in a live session.

    google-adk does the same in its live evals (`EvaluationGenerator._normalize_live_transcriptions`).
    """
    if get(event, "content") is not None or as_bool(get(event, "partial")):
        return event
    for name, role in _TRANSCRIBED.items():
        text = get(get(event, name), "text")
        if isinstance(text, str) and text:
            return {**event, "content": {"role": role, "parts": [{"text": text}]}}
    return event


def stated_turn(invocation: Any, events: Sequence[Event], error: str | None = None) -> Turn:
    """The turn of an invocation made of these events. Without a readable event of the agent, nothing tells its calls.

    Without an event that ends the turn, the response is not recorded, because the agent was interrupted. With an
    `error`, there is none, because the agent failed.
    """
    data = InvocationData(invocation)
    turn, _ = with_read_calls(turn_in(data), data.calls)
    unrecorded: set[TurnPart] = set()
    if not any(map(_is_of_the_agent, events)) or any(_keys_of_unread_calls(events)):
        unrecorded.add("calls")
    final = get(invocation, "final_response")
    if error and not (turn.response or turn.other_parts):
        return replace(turn, failure=error)
    if not (turn.response or turn.other_parts or any(isinstance(part.get("text"), str) for part in parts_of(final))):
        unrecorded.add("response")
    return with_read_text(replace(turn, unrecorded=turn.unrecorded | unrecorded))


def _is_of_the_agent(event: Event) -> bool:
    """Whether an event tells what an agent did."""
    if is_of_the_user(event):
        return False
    return get(event, "grounding_metadata") is not None or any(map(_is_read, parts_of(content_of(event))))


def _is_read(part: dict[str, Any]) -> bool:
    return isinstance(part.get("text"), str) or any(get(part, name) is not None for name in PAYLOADS)


def _keys_of_unread_calls(events: Sequence[Event]) -> Iterator[str]:
    """The keys of events without a call in which other programs keep calls."""
    for event in events:
        content = content_of(event)
        if all(get(part, "function_call") is None for part in parts_of(content)):
            yield from keys_of_calls(event)
            yield from keys_of_calls(content)

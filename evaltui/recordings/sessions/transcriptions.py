"""Transcriptions of live sessions: the text of what was spoken becomes the content of an event."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.evalset.case_data import as_bool, get
from evaltui.evalset.unread_members import has_read_part
from evaltui.recordings.json_members import text
from evaltui.recordings.sessions.session_turns import Event, content_of

INPUT, OUTPUT = "input_transcription", "output_transcription"
_TRANSCRIBED = {INPUT: "user", OUTPUT: "model"}
"""The keys of the text of what was spoken, in the order in which they count, with the role of who spoke."""


def with_transcription(event: Event) -> Event:
    """The event; if it has no content, with the text of what was spoken in a live session.

    google-adk does the same in its live evals (`EvaluationGenerator._normalize_live_transcriptions`).
    """
    if get(event, "content") is not None or as_bool(get(event, "partial")):
        return event
    for name, role in _TRANSCRIBED.items():
        if (spoken := text(get(event, name), "text")) is not None:
            return {**event, "content": {"role": role, "parts": [{"text": spoken}]}}
    return event


def is_spoken_in_pieces(events: Sequence[Event], name: str) -> bool:
    """Whether the last text that was spoken, `INPUT` or `OUTPUT`, is only the last piece of several.

    google-adk 1.15 to 1.18 stores an event for each piece, and none for the whole. Later releases store the whole text,
    which is `finished`. A call or another text ends the row of pieces.
    """
    begun, is_piece = "", False
    for event in events:
        if _is_spoken(event, name):
            spoken, is_finished = get(event, name)["text"], as_bool(get(get(event, name), "finished"))
            is_piece = bool(begun) and not (is_finished and spoken.startswith(begun))
            begun = "" if is_finished else begun + spoken
        elif has_read_part(content_of(event)) and not any(_is_spoken(event, other) for other in _TRANSCRIBED):
            begun, is_piece = "", False
    return is_piece


def _is_spoken(event: Event, name: str) -> bool:
    """Whether the content of an event is this transcription."""
    spoken = text(get(event, name), "text")
    content = content_of(event)
    return spoken is not None and content == {"role": _TRANSCRIBED[name], "parts": [{"text": spoken}]}

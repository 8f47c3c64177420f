"""Details of conversations in traces, which have texts and tool calls, but no app or user."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaltui.evalset.turn import Turn, TurnCall
from evaltui.recordings.conversation import ConversationDetails, RecordedTurn


def details_of_turns(turns: Iterable[Turn], recorded_at: float | None) -> ConversationDetails:
    """An invocation for each turn, in the shape `tool_uses`."""
    return ConversationDetails(tuple(RecordedTurn(_invocation(turn)) for turn in turns), started=recorded_at)


def _invocation(turn: Turn) -> dict[str, Any]:
    found: dict[str, Any] = {"invocation_id": turn.invocation_id} if turn.invocation_id else {}
    found["user_content"] = _content("user", turn.user_text)
    if turn.response:
        found["final_response"] = _content("model", turn.response)
    answered = [call for call in turn.calls if call.response is not None]
    found["intermediate_data"] = {
        "tool_uses": [
            _filled(id=call.id, name=call.name, args=call.args if call.has_args else None) for call in turn.calls
        ],
        "tool_responses": [_filled(id=call.id, name=call.name, response=_response(call)) for call in answered],
    }
    return found


def _content(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"text": text}] if text else []}


def _response(call: TurnCall) -> dict[str, Any]:
    """The response as an object, as `FunctionResponse` wants it; google-adk puts other results under `result`."""
    return call.response if isinstance(call.response, dict) else {"result": call.response}


def _filled(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}

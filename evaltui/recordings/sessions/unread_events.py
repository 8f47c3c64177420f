"""Events that may hold text or tool calls that nobody reads: members that google-adk does not have, and lost contents.

The members are those of `Event` and `EventActions` (google.adk.events), also of adk-java and adk-go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evaltui.evalset.case_data import get
from evaltui.evalset.keys import spelled
from evaltui.evalset.unread_members import has_read_part, unread_beside_calls, unread_in
from evaltui.recordings.sessions.session_turns import Event, content_of

_OF_AN_EVENT = spelled(
    *("model_version", "content", "grounding_metadata", "partial", "turn_complete", "turn_complete_reason"),
    *("interaction_status", "finish_reason", "error_code", "error_message", "interrupted", "custom_metadata"),
    *("usage_metadata", "live_session_resumption_update", "live_session_id", "go_away", "voice_activity"),
    *("input_transcription", "output_transcription", "avg_logprobs", "logprobs_result", "cache_metadata"),
    *("citation_metadata", "interaction_id", "environment_id", "invocation_id", "author", "actions", "output"),
    *("node_info", "long_running_tool_ids", "branch", "isolation_scope", "id", "timestamp"),
    *("app_name", "user_id", "session_id"),  # columns of a database
)
_OF_ACTIONS = spelled(
    *("skip_summarization", "state_delta", "artifact_delta", "transfer_to_agent", "transfer_reason", "escalate"),
    *("requested_auth_configs", "requested_tool_confirmations", "compaction", "end_of_agent", "agent_state"),
    *("rewind_before_invocation_id", "route", "render_ui_widgets", "set_model_response"),
    *("deleted_artifact_ids", "end_invocation"),
)
_OF_A_MODEL = ("model_version", "finish_reason", "usage_metadata")
"""The members of the event of a model call, which has a content."""
_WITHOUT_CONTENT = (
    *("error_code", "error_message", "interrupted", "turn_complete", "turn_complete_reason", "interaction_status"),
    *("live_session_resumption_update", "live_session_id", "go_away", "voice_activity"),
    *("input_transcription", "output_transcription", "grounding_metadata", "output"),
)
"""The members of events to which google-adk gives no content: of errors, of live sessions, of nodes of workflows."""


def unread_in_event(event: Event) -> Iterator[str]:
    """The members of an event, its actions and its content that hold a value nobody reads."""
    yield from unread_in(event, _OF_AN_EVENT)
    for key, value in _actions(event).items():
        name = f"{key[:1].lower()}{key[1:]}"  # adk-go writes `StateDelta`
        yield from (f"actions.{key}" for _ in unread_in({name: value}, _OF_ACTIONS))
    yield from (f"content.{key}" for key in unread_beside_calls(content_of(event)))


def lacks_content(event: Event, *, knows_actions: bool) -> bool:
    """Whether an event of an agent should have a content, but no part of it can be read.

    If nobody `knows_actions`, they may be why there is no content.
    """
    if has_read_part(content_of(event)) or any(_is_set(get(event, name)) for name in _WITHOUT_CONTENT):
        return False
    of_a_model = [name for name in _OF_A_MODEL if _is_set(get(event, name))]
    if content_of(event) is not None and "finish_reason" in of_a_model:  # the model said nothing
        return False
    if content_of(event) is None and of_a_model == ["usage_metadata"]:  # google-adk 1 reports it so in live sessions
        return False
    if of_a_model or get(event, "long_running_tool_ids"):
        return True
    acts = _actions(event)
    is_empty = not any(acts.values()) and get(acts, "agent_state") is None
    return knows_actions and is_empty and not get(event, "node_info")


def _actions(event: Event) -> dict[str, Any]:
    found = get(event, "actions")
    return found if isinstance(found, dict) else {}


def _is_set(value: Any) -> bool:
    return value is not None and value is not False and value != ""

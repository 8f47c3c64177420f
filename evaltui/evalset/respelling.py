"""The keys of a copied case or turn in the spelling of the set it comes into."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.document.edits import Edit, Rename
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.keys import camel, key_for, snake

_NAMES = frozenset(
    [
        *("eval_id", "conversation_scenario", "session_input", "creation_timestamp", "final_session_state"),
        *("invocation_id", "user_content", "final_response", "intermediate_data", "model_duration", "tool_duration"),
        *("tool_uses", "tool_responses", "intermediate_responses", "invocation_events", "rubric_id", "rubric_content"),
        *("text_property", "starting_prompt", "conversation_plan", "user_persona", "app_name", "user_id", "session_id"),
        *("app_details", "agent_details", "tool_declarations", "function_call", "function_response", "inline_data"),
        *("file_data", "executable_code", "code_execution_result", "video_metadata", "thought_signature", "tool_call"),
        *("media_resolution", "tool_response", "part_metadata", "audio_transcription", "media_processing", "mime_type"),
        *("speech_metadata", "display_name", "file_uri", "will_continue", "partial_args", "grounding_metadata"),
        *("usage_metadata", "model_version"),
    ]
)
"""Keys of google-adk's models that have two spellings."""
_FREE = frozenset(
    ["args", "response", "state", "final_session_state", "part_metadata", "tool_declarations", "user_persona"]
)
"""Members below which keys are the author's, or (of a persona) read in snake_case only."""


def respelt(copy: Node, pointer: str, like: Node) -> list[Edit]:
    """The edits that rename the keys of `copy`, once it stands at `pointer`, to the spelling around `like`."""
    spell = camel if key_for(like, "user_content") == "userContent" else snake
    return list(_renames(copy, pointer, spell is camel))


def _renames(root: Node, start: str, is_camel: bool) -> Iterator[Edit]:
    """From the outside inwards, each key at the pointer that it has once those around it are renamed."""
    pending = [(root, start)]
    while pending:  # what is copied may nest deeper than Python calls
        node, pointer = pending.pop()
        below: list[tuple[Node, str]] = []
        for number, item in enumerate(node.items):
            if node.kind == "array":
                below.append((item, f"{pointer}/{number}"))
                continue
            name = snake(item.name)
            key = (camel(name) if is_camel else name) if name in _NAMES else item.name
            if key != item.name and node.member(key) is None:
                yield Rename(f"{pointer}/{escape(item.name)}", key)
            else:
                key = item.name
            if name not in _FREE:
                below.append((item, f"{pointer}/{escape(key)}"))
        pending += reversed(below)

"""Spells the keys of pasted rows as their neighbours do."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.document.edits import Edit, Insert, Rename
from evaltui.document.node import Node, parse_value
from evaltui.evalset.editing.row_copies import respelt

_NAMES = frozenset(
    [
        *("eval_case_id", "agent_data", "agent_info", "conversation_history", "system_instruction", "rubric_groups"),
        *("intermediate_events", "user_scenario", "interactions_data_source", "turn_index", "turn_id", "event_id"),
        *("event_time", "state_delta", "active_tools", "creation_timestamp", "group_id", "display_name", "rubric_id"),
        *("starting_prompt", "conversation_plan", "test_case_title", "agent_id", "agent_type", "sub_agents"),
        *("root_agent_id", "function_call", "function_response", "inline_data", "file_data", "executable_code"),
        *("code_execution_result", "thought_signature", "mime_type", "file_uri", "function_declarations"),
    ]
)
"""Keys of agentplatform's models that have two spellings."""

_FREE = frozenset(["args", "state_delta", "function_response", "part_metadata", "function_declarations"])
"""Keys whose values have free keys, chosen by the author."""


def respelt_rows(edits: Sequence[Edit], like: Node) -> list[Edit]:
    """The edits that rename keys of inserted rows to the spelling around `like`; they come after the inserts."""
    found: list[Edit] = []
    for edit in edits:
        if isinstance(edit, Insert):
            found += respelt(parse_value(edit.source), edit.pointer, like, _NAMES, _FREE)
    return [edit for edit in found if isinstance(edit, Rename)]

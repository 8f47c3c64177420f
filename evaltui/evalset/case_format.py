"""The two formats of cases as tables: which place in a case has which kind of row, value and id.

A place is the keys from the case down, in snake_case; "" stands for an item of a list, and for a key that the author
chooses. EvaluationDatasets have the shape of `agentplatform._genai.types` 2.7: a case has a prompt with a reference,
or a recorded conversation in `agent_data`, or a scenario, and no key is required.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Place = tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class CaseFormat:
    """A format of cases."""

    noun: str
    """A word for a file in sentences: eval set or dataset."""
    case_id: str
    turn_id: str
    """The keys of ids."""
    rows: Mapping[Place, str]
    """The kinds of rows by their place in a case: the case itself, turn, call or event."""
    places: Mapping[Place, str]
    """The kinds of other values by their place."""
    keys: frozenset[str]
    """Keys that have two spellings."""
    free_values: frozenset[str]
    """Keys with a value in whose spelling nobody looks for these keys."""
    free_keys: frozenset[str] = frozenset()
    """Objects whose keys the author chooses."""


def _with_contents(places: dict[Place, str], contents: Iterable[Place]) -> dict[Place, str]:
    for content in contents:
        places[content] = "content"
        places[*content, "parts"] = "parts"
        places[*content, "parts", ""] = "part"
    return places


_TURN = ("conversation", "")
_DATA = (*_TURN, "intermediate_data")
_EVENT = (*_DATA, "invocation_events", "")
_PERSONA = ("conversation_scenario", "user_persona")
_RESPONSE = (*_DATA, "intermediate_responses", "")

EVAL_SET = CaseFormat(
    "eval set",
    "eval_id",
    "invocation_id",
    rows={
        (): "case",
        _TURN: "turn",
        (*_DATA, "tool_uses", ""): "call",
        (*_EVENT, "content", "parts", "", "function_call"): "call",
    },
    places=_with_contents(
        {
            ("session_input",): "session",
            ("session_input", "state"): "state",
            ("final_session_state",): "state",
            ("conversation_scenario",): "scenario",
            _PERSONA: "persona",
            (*_PERSONA, "behaviors"): "behaviors",
            (*_PERSONA, "behaviors", ""): "behavior",
            ("rubrics",): "rubrics",
            ("rubrics", ""): "rubric",
            (*_TURN, "rubrics"): "rubrics",
            (*_TURN, "rubrics", ""): "rubric",
            (*_TURN, "app_details", "agent_details"): "app_agents",
            (*_DATA, "invocation_events"): "events",
            _EVENT: "event",
            (*_DATA, "intermediate_responses"): "responses",
            _RESPONSE: "response",
            (*_RESPONSE, ""): "parts",
            (*_RESPONSE, "", ""): "part",
        },
        [(*_TURN, "user_content"), (*_TURN, "final_response"), (*_EVENT, "content")],
    ),
    keys=frozenset(
        [
            *("eval_id", "conversation_scenario", "session_input", "creation_timestamp", "final_session_state"),
            *("invocation_id", "user_content", "final_response", "intermediate_data", "model_duration"),
            *("tool_duration", "tool_uses", "tool_responses", "intermediate_responses", "invocation_events"),
            *("rubric_id", "rubric_content", "text_property", "starting_prompt", "conversation_plan", "user_persona"),
            *("app_name", "user_id", "session_id", "app_details", "agent_details", "tool_declarations"),
            *("function_call", "function_response", "inline_data", "file_data", "executable_code"),
            *("code_execution_result", "video_metadata", "thought_signature", "tool_call", "media_resolution"),
            *("tool_response", "part_metadata", "audio_transcription", "media_processing", "mime_type"),
            *("speech_metadata", "display_name", "file_uri", "will_continue", "partial_args", "grounding_metadata"),
            *("usage_metadata", "model_version"),
        ]
    ),
    # google-adk reads the keys of a persona in snake_case only.
    free_values=frozenset(
        ["args", "response", "state", "final_session_state", "part_metadata", "tool_declarations", "user_persona"]
    ),
)
"""Eval sets of google-adk."""

_DATASET_TURN = ("agent_data", "turns", "")
_DATASET_EVENT = (*_DATASET_TURN, "events", "")

DATASET = CaseFormat(
    "dataset",
    "eval_case_id",
    "turn_id",
    rows={(): "case", _DATASET_TURN: "turn", _DATASET_EVENT: "event"},
    places=_with_contents(
        {
            ("reference",): "reference",
            ("responses",): "responses",
            ("responses", ""): "response",
            ("conversation_history",): "messages",
            ("conversation_history", ""): "message",
            ("intermediate_events",): "events",
            ("intermediate_events", ""): "event",
            ("rubric_groups",): "rubric_groups",
            ("rubric_groups", ""): "rubric_group",
            ("rubric_groups", "", "rubrics"): "rubrics",
            ("rubric_groups", "", "rubrics", ""): "rubric",
            ("user_scenario",): "user_scenario",
            ("agent_data", "agents"): "agents",
            ("agent_data", "agents", ""): "agent",
            ("agent_info", "agents"): "agents",
            ("agent_info", "agents", ""): "agent",
            _DATASET_EVENT: "event",
        },
        [
            ("prompt",),
            ("system_instruction",),
            ("reference", "response"),
            ("responses", "", "response"),
            ("conversation_history", "", "content"),
            ("intermediate_events", "", "content"),
            (*_DATASET_EVENT, "content"),
        ],
    ),
    keys=frozenset(
        [
            *("eval_case_id", "agent_data", "agent_info", "conversation_history", "system_instruction"),
            *("rubric_groups", "intermediate_events", "user_scenario", "interactions_data_source", "turn_index"),
            *("turn_id", "event_id", "event_time", "state_delta", "active_tools", "creation_timestamp", "group_id"),
            *("display_name", "rubric_id", "starting_prompt", "conversation_plan", "test_case_title", "agent_id"),
            *("agent_type", "sub_agents", "root_agent_id", "function_call", "function_response", "inline_data"),
            *("file_data", "executable_code", "code_execution_result", "thought_signature", "mime_type", "file_uri"),
            *("function_declarations",),
        ]
    ),
    free_values=frozenset(["args", "state_delta", "function_response", "part_metadata", "function_declarations"]),
    free_keys=frozenset(["agents", "rubric_groups"]),
)
"""EvaluationDatasets of the Agent Platform."""

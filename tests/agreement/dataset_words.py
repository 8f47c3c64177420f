"""What datasets are changed with."""

from __future__ import annotations

from tests.agreement.mutator import KEYS, VALUES, Words

_KEYS = (
    *("eval_cases", "bigquery_source", "gcs_source", "eval_dataset_df", "candidate_name", "eval_case_id", "prompt"),
    *("responses", "response", "reference", "system_instruction", "conversation_history", "rubric_groups", "context"),
    *("intermediate_events", "agent_info", "agent_data", "user_scenario", "interactions_data_source", "interaction"),
    *("gemini_agent_config", "gemini_agent", "agents", "turns", "events", "turn_index", "turn_id", "event_id"),
    *("author", "content", "event_time", "creation_timestamp", "state_delta", "active_tools", "agent_id", "agent_type"),
    *("description", "instruction", "tools", "sub_agents", "root_agent_id", "name", "group_id", "display_name"),
    *("rubrics", "rubric_id", "property", "type", "importance", "starting_prompt", "conversation_plan"),
    *("test_case_title", "input_uri", "uris", "function_declarations", "parts", "role", "text", "eval_id"),
)
_VALUES = (
    *(
        "Hi",
        {"role": "user", "parts": [{"text": "Hi"}]},
        {"response": {"parts": []}},
        {"response": "Hi"},
        "HIGH",
        "odd",
    ),
    *([{"response": None}], [{"author": "user", "content": {}}], [{"events": []}], [{"turn_index": "1"}], "2024-01-01"),
    *(
        "2026-11-23T15:00:00Z",
        "2026-11-23 15:00",
        1795420000,
        1e18,
        "PT1S",
        {"g": {"rubrics": []}},
        {"a": {"tools": []}},
    ),
    *(
        [{"function_declarations": [{"name": "f"}]}],
        [{"google_search": {}}],
        [{"a": 1}],
        [{"a": [1]}, {}],
        [1],
        {"a": 1},
    ),
    *({"agents": {}, "turns": []}, {"author": "x", "event_time": "now"}, {"importance": 1}, {"importance": "low"}),
    *([{"rubric_id": "r", "content": {"property": {"description": "x"}}}], {"input_uri": "bq://x"}, {"uris": ["x"]}),
)

OF_DATASETS = Words((*_KEYS, *_KEYS, *KEYS), (*_VALUES, *_VALUES, *VALUES))

"""Sources with a value in every member that readers know, and what chance makes of them."""

import json
import random
from typing import Any

FULL_SET: dict[str, Any] = {
    "eval_set_id": "set-id",
    "name": "set name",
    "description": "set description",
    "creation_timestamp": 1700000000.5,
    "unknown_of_set": {"a": "extra of set"},
    "eval_cases": [
        {
            "eval_id": "case-id",
            "creation_timestamp": 1700000001.5,
            "rubrics": [
                {"rubric_id": "r1", "rubric_content": {"text_property": "is kind"}, "description": "d1", "type": "T1"}
            ],
            "final_session_state": {"booked": {"n": 41}},
            "session_input": {
                "app_name": "app-name",
                "user_id": "user-id",
                "session_id": "session-id",
                "state": {"city": "Lisbon", "list": [11, {"deep": None}]},
            },
            "unknown_of_case": ["extra of case", 12],
            "conversation": [
                {
                    "invocation_id": "invocation-1",
                    "creation_timestamp": 1700000002.5,
                    "duration": 1.25,
                    "model_duration": 2.25,
                    "rubrics": [{"rubric_id": "r2", "rubric_content": {"text_property": "is short"}}],
                    "user_content": {
                        "role": "user",
                        "parts": [
                            {"text": "user text"},
                            {"text": "second user text"},
                            {"inline_data": {"data": "aGk=", "mime_type": "text/plain", "display_name": "f.txt"}},
                            {"file_data": {"file_uri": "gs://b/f", "mime_type": "text/css"}},
                        ],
                    },
                    "intermediate_data": {
                        "tool_uses": [
                            {"id": "call-1", "name": "find", "args": {"to": "YUL", "n": 21}},
                            {"name": "book", "args": {}},
                        ],
                        "tool_responses": [{"id": "call-1", "name": "find", "response": {"found": ["F1", 31]}}],
                        "intermediate_responses": [["searcher", [{"text": "looking"}]]],
                    },
                    "final_response": {
                        "role": "model",
                        "parts": [
                            {"text": "thinking", "thought": True, "thought_signature": "c2ln"},
                            {"text": "final text"},
                            {"executable_code": {"code": "1 + 1", "language": "PYTHON"}},
                        ],
                    },
                    "app_details": {
                        "agent_details": {
                            "root": {
                                "name": "root",
                                "instructions": "be kind",
                                "tool_declarations": [{"function_declarations": [{"name": "find_tool"}]}],
                            }
                        }
                    },
                },
                {
                    "invocation_id": "invocation-2",
                    "user_content": {"parts": [{"text": "next"}]},
                    "intermediate_data": {
                        "invocation_events": [
                            {
                                "author": "helper",
                                "content": {"role": "model", "parts": [{"text": "event text"}]},
                                "usage_metadata": {"total_token_count": 77},
                            },
                            {
                                "author": "booker",
                                "content": {
                                    "parts": [
                                        {
                                            "function_call": {"id": "call-2", "name": "pay", "args": {"sum": 5}},
                                            "thought_signature": "c2lnMg==",
                                        }
                                    ]
                                },
                            },
                            {
                                "author": "booker",
                                "content": {
                                    "role": "user",
                                    "parts": [
                                        {"function_response": {"id": "call-2", "name": "pay", "response": {"ok": True}}}
                                    ],
                                },
                            },
                        ]
                    },
                },
            ],
        },
        {
            "eval_id": "scenario-id",
            "conversation_scenario": {
                "starting_prompt": "start",
                "conversation_plan": "plan",
                "user_persona": "EXPERT",
            },
        },
    ],
}
FULL_LIST: list[Any] = [
    {
        "name": "legacy-id",
        "data": [
            {
                "query": "user text",
                "expected_tool_use": [
                    {"tool_name": "find", "tool_input": {"to": "YUL"}, "mock_tool_output": "mock"},
                    {"tool_name": "odd", "tool_input": "not an object"},
                ],
                "expected_intermediate_agent_responses": [{"author": "searcher", "text": "looking"}, "plain text"],
                "reference": "final text",
                "unknown_of_turn": 13,
            },
            {"query": "again"},
        ],
        "initial_session": {"app_name": "app", "user_id": "ann", "session_id": "s1", "state": {"city": "Lisbon"}},
        "initial_state": {"other": "state"},
    }
]
FULL_DIALECT: dict[str, Any] = {
    "evalSetId": "dialect-id",
    "name": "dialect name",
    "description": "dialect description",
    "creationTimestamp": 1700000000.5,
    "evalCases": [
        {
            "evalId": "case-id",
            "evalMode": "trace",
            "expectedRunnerEnabled": True,
            "contextMessages": [{"role": "system", "content": "You are a bot."}],
            "sessionInput": {"appName": "app", "userId": "ann", "state": {"city": "Lisbon"}},
            "rubrics": [
                {"metricName": "m", "id": "r1", "description": "d1", "type": "T1", "content": {"text": "is kind"}}
            ],
            "conversation": [
                {
                    "invocationId": "invocation-1",
                    "metricNames": ["metric"],
                    "contextMessages": [{"role": "user", "content": "earlier"}],
                    "userContent": {
                        "role": "user",
                        "content": "user text",
                        "content_parts": [{"type": "text", "text": "more"}, {"type": "image", "image": {"url": "u"}}],
                    },
                    "intermediateResponses": [{"role": "assistant", "content": "looking"}],
                    "tools": [
                        {"id": "t1", "name": "find", "arguments": {"to": "YUL"}, "result": {"found": 1}},
                        {"id": "t2", "name": "say", "arguments": "plain", "result": "said"},
                    ],
                    "toolMock": {"actual": [{"name": "find", "result": {"found": "mocked"}}]},
                    "finalResponse": {"role": "assistant", "content": "final text", "reasoning_content": "hm"},
                }
            ],
            "actualConversation": [
                {
                    "userContent": {"role": "user", "content": "user said"},
                    "finalResponse": {"role": "assistant", "content": "agent said"},
                }
            ],
        },
        {
            "evalId": "talk",
            "conversationScenario": {
                "driver": "actual",
                "startingPrompt": "start",
                "conversationPlan": "plan",
                "stopSignal": "</finished>",
                "maxAllowedInvocations": 8,
            },
        },
    ],
}
FULL_SCENARIOS: dict[str, Any] = {
    "scenarios": [
        {"starting_prompt": "start 1", "conversation_plan": "plan 1", "user_persona": "NOVICE"},
        {"startingPrompt": "start 2", "conversationPlan": "plan 2", "unknown_of_scenario": "extra"},
    ],
}


def mutated(value: Any, chance: random.Random) -> Any:
    """A copy with members taken out, renamed, or replaced by values of other kinds, in a few places."""
    copy = json.loads(json.dumps(value))
    for _ in range(chance.randrange(1, 6)):
        container, key = chance.choice(list(_places(copy)))
        kind = chance.randrange(4)
        if kind == 0:
            del container[key]
        elif kind == 1:
            container[key] = chance.choice(["other text", 99.5, True, {"odd": "object"}, ["odd", "list"], {}, [], ""])
        elif kind == 2 and isinstance(container, dict):
            container[f"x_{key}"] = container.pop(key)
        elif kind == 3 and isinstance(container, list):
            container.append(json.loads(json.dumps(container[key])))
        if not list(_places(copy)):
            return copy
    return copy


def _places(value: Any) -> Any:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in pairs:
        yield value, key
        yield from _places(item)
